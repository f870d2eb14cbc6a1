//! Whether two values are the same, as JSON Schema has it: `1` is `1.0`, and members have no order.
//!
//! Values in; a verdict, or whether a list repeats something, out. Lists are compared by hashes, in linear time.

use super::number;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, RandomState};
use std::hash::{BuildHasher, Hash, Hasher};

/// True when they are the same.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => number::compare(left, right) == Ordering::Equal,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, value)| right.get(name).is_some_and(|other| equal(value, other)))
        }
        (left, right) => left == right,
    }
}

/// True when no two items are the same.
pub(super) fn all_differ(items: &[Value]) -> bool {
    let keys = RandomState::new();
    let mut seen: HashMap<u64, Vec<&Value>> = HashMap::with_capacity(items.len());
    items.iter().all(|item| {
        let mut hasher = keys.build_hasher();
        hash(item, &mut hasher);
        let same_hash = seen.entry(hasher.finish()).or_default();
        let is_new = !same_hash.iter().any(|other| equal(other, item));
        same_hash.push(item);
        is_new
    })
}

/// How many values are in a value, itself included.
pub(crate) fn weight(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(weight).sum::<u64>(),
        Value::Object(members) => 1 + members.values().map(weight).sum::<u64>(),
        _ => 1,
    }
}

/// Values that are the same have the same hash.
fn hash(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0.hash(hasher),
        Value::Bool(bool) => (1, bool).hash(hasher),
        Value::Number(number) => match number::whole(number) {
            Some(whole) => (2, whole).hash(hasher),
            None => (3, number.as_f64().map(f64::to_bits)).hash(hasher),
        },
        Value::String(text) => (4, text).hash(hasher),
        Value::Array(items) => {
            (5, items.len()).hash(hasher);
            items.iter().for_each(|item| hash(item, hasher));
        }
        // Members have no order: their hashes are added up.
        Value::Object(members) => {
            (6, members.len()).hash(hasher);
            let one = |(name, value): (&String, &Value)| {
                let mut hasher = DefaultHasher::new();
                name.hash(&mut hasher);
                hash(value, &mut hasher);
                hasher.finish()
            };
            members.iter().map(one).fold(0, u64::wrapping_add).hash(hasher);
        }
    }
}
