//! Where an imported operation comes from, and why it was put into its category.
//!
//! Importers fill it; reports, overrides and `introspect --why` read it.

use crate::category::Category;
use crate::category::floor::CategoryFloor;
use crate::danger::DangerLevel;
use crate::named_enum::named_enum;

/// The origin of an imported operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportOrigin {
    /// Its name in the document or on the other server.
    pub name: String,
    /// It has none there: `name` was made from its method and its path.
    pub is_unnamed: bool,
    /// Where it is: `GET /users/{id}`, or `TOOL name`.
    pub place: String,
    /// Why it has its category, in words.
    pub reason: String,
    /// How sure that is.
    pub confidence: Confidence,
    /// A person should look at it.
    pub needs_review: bool,
}

/// The category of an imported operation, with its grounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryDecision {
    /// It.
    pub category: Category,
    /// Why, in words.
    pub reason: String,
    /// How sure that is.
    pub confidence: Confidence,
    /// A person should look at it.
    pub needs_review: bool,
    /// The danger that its method, name and path give it at least.
    pub at_least: DangerLevel,
}

impl CategoryDecision {
    /// A category that nothing stands over.
    pub fn new(
        category: Category,
        confidence: Confidence,
        needs_review: bool,
        reason: String,
    ) -> CategoryDecision {
        CategoryDecision { category, reason, confidence, needs_review, at_least: DangerLevel::Safe }
    }

    /// The floor in place of what was said.
    pub fn from_floor(floor: CategoryFloor, reason: &str, is_doubtful: bool) -> CategoryDecision {
        CategoryDecision {
            category: floor.category,
            reason: format!("{reason}, but {}", floor.reason),
            confidence: if is_doubtful { Confidence::Low } else { Confidence::Medium },
            needs_review: is_doubtful,
            at_least: floor.level,
        }
    }

    /// The origin of an operation that it was found for; `given` is its name on the other side, where it has one.
    pub fn origin(self, given: Option<&str>, name: &str, place: String) -> ImportOrigin {
        let CategoryDecision { reason, confidence, needs_review, .. } = self;
        let (name, is_unnamed) = (given.unwrap_or(name).to_owned(), given.is_none());
        ImportOrigin { name, is_unnamed, place, reason, confidence, needs_review }
    }
}

named_enum! {
    /// How sure a classification is.
    #[derive(PartialOrd, Ord)]
    pub enum Confidence {
        /// A guess.
        Low = "low",
        /// Likely.
        Medium = "medium",
        /// Said by the source, or by the operator.
        High = "high",
    }
}
