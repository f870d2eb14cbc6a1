//! Where an imported operation comes from, and why it was put into its category.
//!
//! Importers fill it; reports, overrides and `introspect --why` read it.

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

use crate::named_enum::named_enum;

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
