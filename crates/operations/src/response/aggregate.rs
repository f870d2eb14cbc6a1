//! What may be counted, grouped and summed in an operation's items.
//!
//! Names in, functions out; a rule says what an adapter allows.

use crate::named_enum::named_enum;

named_enum! {
    /// The functions of `aggregate`.
    #[derive(Hash)]
    pub enum AggregateFunction {
        /// How many.
        Count = "count",
        /// By the values of a field.
        GroupBy = "group_by",
        /// The sum of a field.
        Sum = "sum",
        /// The mean of a field.
        Avg = "avg",
        /// The smallest value of a field.
        Min = "min",
        /// The largest value of a field.
        Max = "max",
    }
}

/// What an adapter allows; absent is everything.
#[derive(Debug, Clone, Default)]
pub struct AggregateRule {
    /// The functions offered.
    pub functions: Option<Vec<AggregateFunction>>,
    /// The fields to group by.
    pub groupable_fields: Option<Vec<String>>,
    /// The fields to sum.
    pub numeric_fields: Option<Vec<String>>,
}
