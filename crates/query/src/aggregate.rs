//! `aggregate`: counts, sums and extremes over items (aggregation document; core operations 4.4.1).
//!
//! In: expressions under labels of the caller's choice, then the items, one after another. Out: an answer for each
//! label, in the order of the request: a number for one function, `{function: number}` for several; by group
//! `{group: answer}`, groups in the order in which they are first seen. A group's name is its value: a text as it
//! is, everything else as JSON, `null` for nothing. Where a path leads through arrays, every value counts, and an
//! item is in each of its groups once.

mod expression;
mod tally;

use crate::error::{Parsed, QueryError};
use crate::item::{Item, Key};
use crate::number::Number;
use aqueduct_operations::answers::AggregateRule;
use aqueduct_operations::failure::wording::echo;
use expression::Expression;
use serde_json::{Map, Value};
use std::collections::HashMap;
use tally::Tally;

/// The group of the items that have no value.
const NO_VALUE: &str = "null";

/// The expressions of a request, and what they have seen so far.
#[derive(Debug, Clone)]
pub struct Aggregate(Vec<Labelled>);

#[derive(Debug, Clone)]
struct Labelled {
    label: String,
    expression: Expression,
    seen: Seen,
}

#[derive(Debug, Clone)]
enum Seen {
    Whole(Tally),
    Groups { tallies: Vec<(String, Tally)>, places: HashMap<String, usize> },
}

impl Aggregate {
    /// Reads the control `aggregate`, within what the adapter offers.
    pub fn parse(value: &Value, rule: &AggregateRule) -> Parsed<Aggregate> {
        let Value::Object(members) = value else {
            return Err(vec![QueryError::wrong_type("aggregate", "object", value)]);
        };
        if members.is_empty() {
            return Err(vec![
                QueryError::bad_value(
                    "aggregate",
                    "one or more expressions under names of your choice",
                    "an empty object",
                )
                .with_hint("For example {\"total\": {\"count\": true}}."),
            ]);
        }
        let (mut labels, mut errors) = (Vec::new(), Vec::new());
        for (label, value) in members {
            match Expression::parse(&format!("aggregate.{}", echo(label)), value, rule) {
                Ok(expression) => labels.push(Labelled::new(label, expression)),
                Err(more) => errors.extend(more),
            }
        }
        if errors.is_empty() { Ok(Aggregate(labels)) } else { Err(errors) }
    }

    /// The fields that it reads, with their places in the request: `aggregate.by_status.group_by`.
    pub fn keys(&self) -> impl Iterator<Item = (String, &Key)> {
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
        self.0.iter_mut().for_each(|labelled| labelled.add(item));
    }

    /// How many values could not be used, by label: texts among numbers, and the like. Labels without any are left
    /// out.
    pub fn skipped(&self) -> Vec<(&str, u64)> {
        let all = self.0.iter().map(|labelled| (labelled.label.as_str(), labelled.skipped()));
        all.filter(|(_, skipped)| *skipped > 0).collect()
    }

    /// The answers, by label.
    pub fn finish(self) -> Map<String, Value> {
        self.0.into_iter().map(|labelled| (labelled.label, labelled.seen.answer())).collect()
    }
}

impl Labelled {
    fn new(label: &str, expression: Expression) -> Labelled {
        let seen = match expression.group_by {
            Some(_) => Seen::Groups { tallies: Vec::new(), places: HashMap::new() },
            None => Seen::Whole(Tally::new(&expression)),
        };
        Labelled { label: label.to_owned(), expression, seen }
    }

    fn add(&mut self, item: &Item<'_>) {
        match (&mut self.seen, &self.expression.group_by) {
            (Seen::Groups { tallies, places }, Some(key)) => {
                for group in groups_of(item, key) {
                    let place = *places.entry(group).or_insert_with_key(|group| {
                        tallies.push((group.clone(), Tally::new(&self.expression)));
                        tallies.len() - 1
                    });
                    tallies[place].1.add(item, &self.expression);
                }
            }
            (Seen::Whole(tally), _) => tally.add(item, &self.expression),
            (Seen::Groups { .. }, None) => {}
        }
    }

    fn skipped(&self) -> u64 {
        match &self.seen {
            Seen::Whole(tally) => tally.skipped(),
            Seen::Groups { tallies, .. } => tallies.iter().map(|(_, tally)| tally.skipped()).sum(),
        }
    }
}

impl Seen {
    fn answer(self) -> Value {
        match self {
            Seen::Whole(tally) => tally.answer(),
            Seen::Groups { tallies, .. } => tallies
                .into_iter()
                .map(|(group, tally)| (group, tally.answer()))
                .collect::<Map<_, _>>()
                .into(),
        }
    }
}

/// The names of the groups that an item is in, each once.
fn groups_of(item: &Item<'_>, key: &Key) -> Vec<String> {
    let found = item.find(key);
    let mut groups: Vec<String> = Vec::new();
    for value in found.elements() {
        let group = group_name(value);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    if groups.is_empty() {
        groups.push(NO_VALUE.to_owned());
    }
    groups
}

/// Numbers that are worth the same are one group.
fn group_name(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => Number::of(other).map_or_else(|| other.to_string(), |number| number.to_json().to_string()),
    }
}

#[cfg(test)]
mod tests;
