//! `aggregate`: counts, sums and extremes over items (aggregation document; core operations 4.4.1).
//!
//! In: expressions under labels of the caller's choice, then the items, one after another. Out: a result for each
//! label, in the order of the request: a number for one function, `{function: number}` for several; by group
//! `{group: answer}`, groups in the order in which they are first seen. Where a path leads through arrays, every value
//! counts, and an item is in each of its groups once.

mod accumulator;
mod expression;
mod group;
mod item_lookup;

use crate::error::{ParseResult, QueryError, all};
use crate::item::{Item, ItemKey};
use accumulator::Accumulator;
use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::response::AggregateRule;
use expression::AggregateExpression;
use group::{GroupKey, groups_of, names};
use item_lookup::ItemLookup;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The most expressions in one request.
const MOST_LABELS: usize = 20;

/// The expressions of a request, and what they have seen so far.
#[derive(Debug, Clone)]
pub struct Aggregate(Vec<LabelledAggregate>);

#[derive(Debug, Clone)]
struct LabelledAggregate {
    label: String,
    expression: AggregateExpression,
    seen: SeenValues,
}

#[derive(Debug, Clone)]
enum SeenValues {
    Whole(Accumulator),
    Groups { tallies: Vec<Accumulator>, places: HashMap<GroupKey, usize> },
}

impl Aggregate {
    /// Reads the control `aggregate`, within what the adapter offers.
    pub fn parse(value: &Value, rule: &AggregateRule) -> ParseResult<Aggregate> {
        let Value::Object(members) = value else {
            return Err(vec![QueryError::wrong_type("aggregate", "object", value)]);
        };
        if members.is_empty() {
            let expected = "one or more expressions under names of your choice";
            let error = QueryError::bad_value("aggregate", expected, "an empty object");
            return Err(vec![error.with_hint("For example {\"total\": {\"count\": true}}.")]);
        }
        if members.len() > MOST_LABELS {
            return Err(vec![QueryError::too_many("aggregate", MOST_LABELS, members.len(), "expressions")]);
        }
        let parse = |(label, value): (&String, &Value)| {
            let expression = AggregateExpression::parse(&format!("aggregate.{}", echo(label)), value, rule)?;
            Ok(LabelledAggregate::new(label, expression))
        };
        all(members.iter().map(parse)).map(Aggregate)
    }

    /// The fields that it reads, with their places in the request: `aggregate.by_status.group_by`.
    pub fn keys(&self) -> impl Iterator<Item = (String, &ItemKey)> {
        self.0.iter().flat_map(|labelled| {
            let place = format!("aggregate.{}", echo(&labelled.label));
            labelled
                .expression
                .keys()
                .map(move |(function, key)| (format!("{place}.{}", function.name()), key))
        })
    }

    /// One item more.
    pub fn add(&mut self, item: &Item<'_>) {
        let mut looked_up = ItemLookup::new(item);
        for LabelledAggregate { expression, seen, .. } in &mut self.0 {
            seen.add(expression, &mut looked_up);
        }
    }

    /// How many values could not be used, by label: texts among numbers, and the like. Labels without any are left
    /// out.
    pub fn skipped(&self) -> Vec<(&str, u64)> {
        let all = self.0.iter().map(|labelled| (labelled.label.as_str(), labelled.skipped()));
        all.filter(|(_, skipped)| *skipped > 0).collect()
    }

    /// The results, by label.
    pub fn finish(self) -> Map<String, Value> {
        self.0.into_iter().map(|labelled| (labelled.label, labelled.seen.result())).collect()
    }
}

impl LabelledAggregate {
    fn new(label: &str, expression: AggregateExpression) -> LabelledAggregate {
        let seen = match expression.group_by {
            Some(_) => SeenValues::Groups { tallies: Vec::new(), places: HashMap::new() },
            None => SeenValues::Whole(Accumulator::new(&expression)),
        };
        LabelledAggregate { label: label.to_owned(), expression, seen }
    }

    fn skipped(&self) -> u64 {
        match &self.seen {
            SeenValues::Whole(tally) => tally.skipped(),
            SeenValues::Groups { tallies, .. } => tallies.iter().map(Accumulator::skipped).sum(),
        }
    }
}

impl SeenValues {
    /// One item more. It is added up once for all of its groups.
    fn add<'k>(&mut self, expression: &'k AggregateExpression, item: &mut ItemLookup<'k, '_>) {
        match (self, &expression.group_by) {
            (SeenValues::Groups { tallies, places }, Some(key)) => {
                let mut of_item = Accumulator::new(expression);
                of_item.add(item, expression);
                for group in groups_of(item.find(key)) {
                    let place = *places.entry(group).or_insert(tallies.len());
                    match tallies.get_mut(place) {
                        Some(tally) => tally.join(&of_item),
                        None => tallies.push(of_item.clone()),
                    }
                }
            }
            (SeenValues::Whole(tally), _) => tally.add(item, expression),
            (SeenValues::Groups { .. }, None) => {}
        }
    }

    fn result(self) -> Value {
        match self {
            SeenValues::Whole(tally) => tally.result(),
            SeenValues::Groups { tallies, places } => {
                let results = tallies.into_iter().map(Accumulator::result);
                names(places).into_iter().zip(results).collect::<Map<_, _>>().into()
            }
        }
    }
}

#[cfg(test)]
mod tests;
