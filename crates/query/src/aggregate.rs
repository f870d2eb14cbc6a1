//! `aggregate`: counts, sums and extremes over items (aggregation document; core operations 4.4.1).
//!
//! In: expressions under labels of the caller's choice, then the items, one after another. Out: an answer for each
//! label, in the order of the request: a number for one function, `{function: number}` for several; by group
//! `{group: answer}`, groups in the order in which they are first seen. Where a path leads through arrays, every value
//! counts, and an item is in each of its groups once.

mod expression;
mod group;
mod looked_up;
mod tally;

use crate::error::{Parsed, QueryError};
use crate::item::{Item, Key};
use aqueduct_operations::answers::AggregateRule;
use aqueduct_operations::failure::wording::echo;
use expression::Expression;
use group::{Group, groups_of, names};
use looked_up::LookedUp;
use serde_json::{Map, Value};
use std::collections::HashMap;
use tally::Tally;

/// The most expressions in one request.
const MOST_LABELS: usize = 20;

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
    Groups { tallies: Vec<Tally>, places: HashMap<Group, usize> },
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
        if members.len() > MOST_LABELS {
            return Err(vec![QueryError::too_many("aggregate", MOST_LABELS, members.len(), "expressions")]);
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
        let mut looked_up = LookedUp::new(item);
        for Labelled { expression, seen, .. } in &mut self.0 {
            seen.add(expression, &mut looked_up);
        }
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

    fn skipped(&self) -> u64 {
        match &self.seen {
            Seen::Whole(tally) => tally.skipped(),
            Seen::Groups { tallies, .. } => tallies.iter().map(Tally::skipped).sum(),
        }
    }
}

impl Seen {
    /// One item more. It is added up once for all of its groups.
    fn add<'k>(&mut self, expression: &'k Expression, item: &mut LookedUp<'k, '_>) {
        match (self, &expression.group_by) {
            (Seen::Groups { tallies, places }, Some(key)) => {
                let mut of_item = Tally::new(expression);
                of_item.add(item, expression);
                for group in groups_of(item.find(key)) {
                    let place = *places.entry(group).or_insert(tallies.len());
                    match tallies.get_mut(place) {
                        Some(tally) => tally.join(&of_item),
                        None => tallies.push(of_item.clone()),
                    }
                }
            }
            (Seen::Whole(tally), _) => tally.add(item, expression),
            (Seen::Groups { .. }, None) => {}
        }
    }

    fn answer(self) -> Value {
        match self {
            Seen::Whole(tally) => tally.answer(),
            Seen::Groups { tallies, places } => {
                let answers = tallies.into_iter().map(Tally::answer);
                names(places).into_iter().zip(answers).collect::<Map<_, _>>().into()
            }
        }
    }
}

#[cfg(test)]
mod tests;
