//! `filter`: which items stay (query document; ruling W15).
//!
//! In: an object whose keys are dotted paths or `_computed.NAME`. A scalar is equality, a list any-of, an object
//! holds operators that must all be true. Out: a yes or no for each item. Numbers are equal by what they are worth,
//! texts by every letter; a number and a text that spells one are compared as numbers, `"true"` and `"false"` are equal
//! to the booleans. `gt`, `gte`, `lt`, `lte` compare two timestamps as instants. Null is also what is not there; `ne` is
//! the opposite of `eq`. Where a path leads through an array, one value that fits is enough.

mod any_of;
mod condition;
mod scalar;

use crate::error::{FIELD_NAME, ParseResult, QueryError, all};
use crate::item::{Item, ItemKey};
use aqueduct_operations::failure::wording::echo;
use condition::FilterCondition;
use scalar::Scalar;
use serde_json::Value;

/// The most keys in one filter.
const MOST_KEYS: usize = 50;

/// The conditions of a request. All must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter(Vec<(ItemKey, Vec<FilterCondition>)>);

impl Filter {
    /// Reads the control `filter`.
    pub fn parse(value: &Value) -> ParseResult<Filter> {
        let Value::Object(members) = value else {
            return Err(vec![QueryError::wrong_type("filter", "object", value)]);
        };
        if members.len() > MOST_KEYS {
            return Err(vec![QueryError::too_many("filter", MOST_KEYS, members.len(), "keys")]);
        }
        let parse = |(name, value): (&String, &Value)| {
            let Some(key) = ItemKey::parse(name) else {
                return Err(vec![QueryError::unknown("filter", name, FIELD_NAME)]);
            };
            Ok((key, FilterCondition::parse(&format!("filter.{}", echo(name)), value)?))
        };
        all(members.iter().map(parse)).map(Filter)
    }

    /// How many times an item is scanned: once for each key.
    pub fn weight(&self) -> u64 {
        self.0.len() as u64
    }

    /// The keys, as they came.
    pub fn keys(&self) -> impl Iterator<Item = &ItemKey> {
        self.0.iter().map(|(key, _)| key)
    }

    /// True when every item stays.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one value that this key must be equal to, if that is its only condition: such a key can be pushed
    /// upstream.
    pub fn equality(&self, key: &str) -> Option<&Value> {
        match self.0.iter().find(|(each, _)| each.text() == key)?.1.as_slice() {
            [FilterCondition::AnyOf(choice)] => choice.only().map(Scalar::value),
            _ => None,
        }
    }

    /// The same without the keys that the upstream sees to.
    pub fn without(mut self, keys: &[&str]) -> Filter {
        self.0.retain(|(key, _)| !keys.contains(&key.text()));
        self
    }

    /// True when the item stays.
    pub fn matches(&self, item: &Item<'_>) -> bool {
        self.0.iter().all(|(key, conditions)| {
            let found = item.find(key);
            conditions.iter().all(|condition| condition.holds(&found))
        })
    }
}

#[cfg(test)]
mod tests;
