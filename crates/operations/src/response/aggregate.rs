//! What may be counted, grouped and summed in an operation's items.
//!
//! Names in, functions out; a rule says what an adapter allows.

/// The functions of `aggregate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AggregateFunction {
    /// How many.
    Count,
    /// By the values of a field.
    GroupBy,
    /// The sum of a field.
    Sum,
    /// The mean of a field.
    Avg,
    /// The smallest value of a field.
    Min,
    /// The largest value of a field.
    Max,
}

impl AggregateFunction {
    /// All of them, with their names in requests and files.
    pub const ALL: [(&'static str, AggregateFunction); 6] = [
        ("count", AggregateFunction::Count),
        ("group_by", AggregateFunction::GroupBy),
        ("sum", AggregateFunction::Sum),
        ("avg", AggregateFunction::Avg),
        ("min", AggregateFunction::Min),
        ("max", AggregateFunction::Max),
    ];

    /// Reads one of the six names.
    pub fn parse(text: &str) -> Option<AggregateFunction> {
        AggregateFunction::ALL.into_iter().find(|(name, _)| *name == text).map(|(_, function)| function)
    }

    /// The name in requests and files.
    pub fn name(self) -> &'static str {
        AggregateFunction::ALL.into_iter().find(|(_, each)| *each == self).map_or("", |(name, _)| name)
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
