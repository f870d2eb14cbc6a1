//! How far a source is trusted: the twelve names and what each level lets through (ruling S1).
//!
//! Two tables decide: the categories that a level may run, and the danger matrix. The stricter one wins.

use crate::category::Category;
use crate::danger::DangerLevel;
use serde::Serialize;

/// A source's trust level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrustLevel {
    /// Introspection only.
    Untested,
    /// READ only.
    Generated,
    /// READ and CREATE.
    Community,
    /// Everything; destructive work asks first.
    Validated,
    /// Everything but DELETE.
    Verified,
    /// Dangerous work asks first.
    CommunityReviewed,
    /// Even forbidden work may be requested.
    Certified,
    /// Everything, as `certified`.
    Official,
}

/// Names in files, with the older spellings.
const NAMES: &[(&str, TrustLevel)] = &[
    ("untested", TrustLevel::Untested),
    ("generated", TrustLevel::Generated),
    ("community", TrustLevel::Community),
    ("validated", TrustLevel::Validated),
    ("verified", TrustLevel::Verified),
    ("community_reviewed", TrustLevel::CommunityReviewed),
    ("certified", TrustLevel::Certified),
    ("official", TrustLevel::Official),
    ("untrusted", TrustLevel::Untested),
    ("low", TrustLevel::Generated),
    ("medium", TrustLevel::Validated),
    ("high", TrustLevel::CommunityReviewed),
];

/// What the danger matrix says of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatrixDecision {
    /// Runs.
    Allow,
    /// A person confirms it first.
    Confirm,
    /// Does not run.
    Deny,
}

impl TrustLevel {
    /// Every accepted name, for messages.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Reads any of the twelve names.
    pub fn parse(text: &str) -> Option<TrustLevel> {
        NAMES.iter().find(|(name, _)| *name == text).map(|(_, level)| *level)
    }

    /// The canonical name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, level)| *level == self).map_or("untested", |(name, _)| name)
    }

    /// True for levels that are given to what the operator wrote or has looked at (ruling S7).
    pub fn is_of_the_operator(self) -> bool {
        !matches!(self, TrustLevel::Untested | TrustLevel::Generated | TrustLevel::Community)
    }

    /// Whether operations of this category may run at all.
    pub fn permits(self, category: Category) -> bool {
        match self {
            TrustLevel::Untested => false,
            TrustLevel::Generated => category == Category::Read,
            TrustLevel::Community => matches!(category, Category::Read | Category::Create),
            TrustLevel::Verified => category != Category::Delete,
            TrustLevel::Validated
            | TrustLevel::CommunityReviewed
            | TrustLevel::Certified
            | TrustLevel::Official => true,
        }
    }

    /// The danger matrix: what a level does with an operation of this danger.
    pub fn cell(self, danger: DangerLevel) -> MatrixDecision {
        use MatrixDecision::{Allow, Confirm, Deny};
        let row = match self {
            TrustLevel::Untested => [Deny, Deny, Deny, Deny, Deny],
            TrustLevel::Generated => [Allow, Deny, Deny, Deny, Deny],
            TrustLevel::Community | TrustLevel::Verified | TrustLevel::Validated => {
                [Allow, Allow, Confirm, Deny, Deny]
            }
            TrustLevel::CommunityReviewed => [Allow, Allow, Allow, Confirm, Deny],
            TrustLevel::Certified | TrustLevel::Official => [Allow, Allow, Allow, Allow, Confirm],
        };
        row[usize::from(danger.number())]
    }

    /// True when something runs by this level that does not by the other, or is confirmed by the other first.
    pub fn lets_through_more_than(self, other: TrustLevel) -> bool {
        let of = |level: TrustLevel, category, danger| {
            if level.permits(category) { level.cell(danger) } else { MatrixDecision::Deny }
        };
        Category::ALL.into_iter().any(|category| {
            DangerLevel::ALL
                .into_iter()
                .any(|danger| of(self, category, danger) < of(other, category, danger))
        })
    }

    /// The lowest level that does not deny an operation of this category and danger: what an operator would set.
    pub fn least_for(category: Category, danger: DangerLevel) -> TrustLevel {
        [TrustLevel::Generated, TrustLevel::Validated, TrustLevel::CommunityReviewed]
            .into_iter()
            .find(|level| level.permits(category) && level.cell(danger) != MatrixDecision::Deny)
            .unwrap_or(TrustLevel::Certified)
    }
}

#[cfg(test)]
mod tests;
