//! What an adapter declares about an operation's responses: how the upstream pages them, which fields there are to choose,
//! what it can filter and sort by itself, which fields are worked out here.
//!
//! Sources make it when a file is loaded; dispatch and the query language read it.

pub mod aggregate;
pub mod cache;
pub mod computed;
pub mod deprecation;
pub mod error_rule;
pub mod field_path;
pub mod fields;
pub mod paging;
pub mod push;
pub mod relationship;
pub mod update;

pub use aggregate::{AggregateFunction, AggregateRule};
pub use cache::CacheRule;
pub use computed::{
    Comparison, ComputedExpression, ComputedField, Operand, Operator, Template, TemplatePiece,
};
pub use deprecation::Deprecation;
pub use error_rule::ErrorRule;
pub use field_path::FieldPath;
pub use fields::{FieldRules, Preset};
pub use paging::{Paging, PagingStyle};
pub use push::{PushFilter, PushQuery, PushRules, PushSort};
pub use relationship::{Relationship, RelationshipFetch, RelationshipOperation};
pub use update::{MergeRule, OmittedFields, UpdateRule};

/// The fields of a response that its items are looked for in when nothing is declared, in this order.
pub const ITEM_FIELDS: [&str; 6] = ["items", "data", "results", "records", "values", "entries"];

/// Everything that is declared about the responses of one operation.
#[derive(Debug, Clone, Default)]
pub struct ResponseRules {
    /// The response is a list of items, whether or not the upstream pages it (ruling W15).
    pub collection: bool,
    /// How the upstream pages.
    pub paging: Option<Paging>,
    /// The choices of fields.
    pub fields: FieldRules,
    /// What the upstream filters, sorts and searches by itself.
    pub push: PushRules,
    /// Fields that are worked out here.
    pub computed: Vec<ComputedField>,
    /// What may be counted and summed.
    pub aggregate: AggregateRule,
}
