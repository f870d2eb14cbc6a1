//! How far a source is trusted: the twelve names and what each level lets through (ruling S1).
//!
//! Two tables decide: the categories that a level may run, and the danger matrix. The stricter one wins.

use crate::category::Category;
use crate::danger::DangerLevel;
use crate::named_enum::named_enum;
use serde::Serialize;
use std::fmt;

named_enum! {
    /// A source's trust level.
    #[derive(Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TrustLevel {
        /// Introspection only.
        Untested = "untested" | "untrusted",
        /// READ only.
        Generated = "generated" | "low",
        /// READ and CREATE.
        Community = "community",
        /// Everything; destructive work asks first.
        Validated = "validated" | "medium",
        /// Everything but DELETE.
        Verified = "verified",
        /// Dangerous work asks first.
        CommunityReviewed = "community_reviewed" | "high",
        /// Even forbidden work may be requested.
        Certified = "certified",
        /// Everything, as `certified`.
        Official = "official",
    }
}

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

/// How far an operation is trusted, and by whom it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationTrust {
    /// The level.
    pub level: TrustLevel,
    /// It is not that of the source: the adapter trusts this operation less.
    pub is_override: bool,
}

impl fmt::Display for OperationTrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = if self.is_override { " (operation override)" } else { "" };
        write!(f, "trust {}{whose}", self.level.name())
    }
}

impl TrustLevel {
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

    /// What becomes of an operation by this level: the stricter of the two tables.
    pub fn outcome(self, category: Category, danger: DangerLevel) -> MatrixDecision {
        if self.permits(category) { self.cell(danger) } else { MatrixDecision::Deny }
    }

    /// Of two levels the one that lets less through of such operations, the lower one where they do the same.
    #[must_use]
    pub fn stricter(self, other: TrustLevel, category: Category, danger: DangerLevel) -> TrustLevel {
        let strictness = |level: TrustLevel| (level.outcome(category, danger), u8::MAX - level.step());
        if strictness(other) > strictness(self) { other } else { self }
    }

    /// How many promotions a level is away from the lowest one.
    pub fn step(self) -> u8 {
        match self {
            TrustLevel::Untested => 0,
            TrustLevel::Generated => 1,
            TrustLevel::Community | TrustLevel::Validated => 2,
            TrustLevel::Verified | TrustLevel::CommunityReviewed => 3,
            TrustLevel::Certified | TrustLevel::Official => 4,
        }
    }

    /// True when something runs by this level that does not by the other, or is confirmed by the other first.
    pub fn lets_through_more_than(self, other: TrustLevel) -> bool {
        Category::ALL.into_iter().any(|category| {
            DangerLevel::ALL
                .into_iter()
                .any(|danger| self.outcome(category, danger) < other.outcome(category, danger))
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
