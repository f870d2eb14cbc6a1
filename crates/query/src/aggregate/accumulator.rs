//! What has been seen of the items of one group, or of all.
//!
//! In: items. Out: the answer of an expression over them. A count, and the sum of nothing, are zero; a mean and the
//! extremes of nothing are null.

use super::expression::AggregateExpression;
use super::item_lookup::ItemLookup;
use crate::number::{Number, Sum};
use crate::order::ValueRank;
use aqueduct_operations::response::AggregateFunction;
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// Running results, as many as the expression has functions.
#[derive(Debug, Clone)]
pub(super) struct Accumulator {
    count: Option<u64>,
    over: Vec<(AggregateFunction, RunningValue)>,
}

#[derive(Debug, Clone)]
enum RunningValue {
    Total { sum: Sum, skipped: u64 },
    Extreme(Box<Extreme>),
}

/// The smallest or the largest: a number if there was one, else a text.
#[derive(Debug, Clone, Default)]
struct Extreme {
    numbers: BestValue,
    texts: BestValue,
    skipped: u64,
}

/// The first of the smallest, or of the largest, so far.
#[derive(Debug, Clone, Default)]
struct BestValue {
    value: Option<(ValueRank, Value)>,
    seen: u64,
}

impl Accumulator {
    /// Nothing seen yet.
    pub(super) fn new(expression: &AggregateExpression) -> Accumulator {
        let running = |function| match function {
            AggregateFunction::Min | AggregateFunction::Max => RunningValue::Extreme(Box::default()),
            _ => RunningValue::Total { sum: Sum::default(), skipped: 0 },
        };
        let over = expression.over.iter().map(|(function, _)| (*function, running(*function)));
        Accumulator { count: expression.count.then_some(0), over: over.collect() }
    }

    /// One item more.
    pub(super) fn add<'k>(&mut self, item: &mut ItemLookup<'k, '_>, expression: &'k AggregateExpression) {
        self.count = self.count.map(|count| count + 1);
        for ((function, running), (_, key)) in self.over.iter_mut().zip(&expression.over) {
            item.find(key).elements().for_each(|value| running.add(value, *function));
        }
    }

    /// The items of another one of the same expression more.
    pub(super) fn join(&mut self, other: &Accumulator) {
        self.count = self.count.zip(other.count).map(|(count, more)| count + more);
        for ((function, running), (_, more)) in self.over.iter_mut().zip(&other.over) {
            running.join(more, *function);
        }
    }

    /// How many values could not be used.
    pub(super) fn skipped(&self) -> u64 {
        self.over.iter().map(|(_, running)| running.skipped()).sum()
    }

    /// The result: plain when there is one function, by name when there are several.
    pub(super) fn result(self) -> Value {
        let count = self.count.map(|count| ("count", Value::from(count)));
        let over =
            self.over.into_iter().map(|(function, running)| (function.name(), running.result(function)));
        let mut results: Vec<(&str, Value)> = count.into_iter().chain(over).collect();
        if results.len() == 1 {
            return results.pop().map(|(_, result)| result).unwrap_or_default();
        }
        results.into_iter().map(|(name, result)| (name.to_owned(), result)).collect::<Map<_, _>>().into()
    }
}

impl RunningValue {
    fn add(&mut self, value: &Value, function: AggregateFunction) {
        if value.is_null() {
            return;
        }
        match self {
            RunningValue::Total { sum, skipped } => match Number::of(value) {
                Some(number) => sum.add(number),
                None => *skipped += 1,
            },
            RunningValue::Extreme(extreme) => match value {
                Value::Number(_) => extreme.numbers.offer(value, function),
                Value::String(_) => extreme.texts.offer(value, function),
                _ => extreme.skipped += 1,
            },
        }
    }

    fn join(&mut self, other: &RunningValue, function: AggregateFunction) {
        match (self, other) {
            (
                RunningValue::Total { sum, skipped },
                RunningValue::Total { sum: more, skipped: more_skipped },
            ) => {
                sum.join(more);
                *skipped += more_skipped;
            }
            (RunningValue::Extreme(extreme), RunningValue::Extreme(more)) => {
                extreme.numbers.join(&more.numbers, function);
                extreme.texts.join(&more.texts, function);
                extreme.skipped += more.skipped;
            }
            // Both are of the same function.
            (RunningValue::Total { .. }, RunningValue::Extreme(_))
            | (RunningValue::Extreme(_), RunningValue::Total { .. }) => {}
        }
    }

    /// Where there are numbers, texts were not used.
    fn skipped(&self) -> u64 {
        match self {
            RunningValue::Total { skipped, .. } => *skipped,
            RunningValue::Extreme(extreme) if extreme.numbers.seen > 0 => {
                extreme.skipped + extreme.texts.seen
            }
            RunningValue::Extreme(extreme) => extreme.skipped,
        }
    }

    fn result(self, function: AggregateFunction) -> Value {
        match self {
            RunningValue::Total { sum, .. } if function == AggregateFunction::Avg => {
                sum.mean().map_or(Value::Null, Number::to_json)
            }
            RunningValue::Total { sum, .. } => sum.total().to_json(),
            RunningValue::Extreme(extreme) => {
                extreme.numbers.value.or(extreme.texts.value).map_or(Value::Null, |(_, value)| value)
            }
        }
    }
}

impl BestValue {
    fn offer(&mut self, value: &Value, function: AggregateFunction) {
        self.seen += 1;
        let Some(rank) = ValueRank::of(value) else { return };
        if self.is_beaten_by(&rank, function) {
            self.value = Some((rank, value.clone()));
        }
    }

    fn join(&mut self, other: &BestValue, function: AggregateFunction) {
        self.seen += other.seen;
        if other.value.as_ref().is_some_and(|(rank, _)| self.is_beaten_by(rank, function)) {
            self.value.clone_from(&other.value);
        }
    }

    fn is_beaten_by(&self, rank: &ValueRank, function: AggregateFunction) -> bool {
        let better = if function == AggregateFunction::Min { Ordering::Less } else { Ordering::Greater };
        self.value.as_ref().is_none_or(|(best, _)| rank.compare(best) == better)
    }
}
