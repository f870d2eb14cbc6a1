//! A schema made ready to be held against values: rules that name each other by number.
//!
//! What is said about texts, numbers, arrays and objects stands apart, so that a value meets only what is about it.

use crate::format::Format;
use crate::pattern::Pattern;
use serde_json::{Number, Value};
use std::sync::Arc;

/// The number of a rule.
pub(crate) type Id = u32;

/// All rules of a schema.
#[derive(Default)]
pub(crate) struct Program {
    pub(super) rules: Vec<Rule>,
}

/// One schema.
#[derive(Default)]
pub(super) struct Rule {
    /// No value fits.
    pub(super) never: bool,
    /// The verdict about a value is remembered: the rule is used in several places and takes some work.
    pub(super) remembered: bool,
    /// It leads to other rules.
    pub(super) leads: bool,
    pub(super) types: Option<Types>,
    pub(super) literals: Option<Box<Literals>>,
    pub(super) text: Option<Box<TextRule>>,
    pub(super) number: Option<Box<NumberRule>>,
    pub(super) array: Option<Box<ArrayRule>>,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) applied: Option<Box<Applied>>,
}

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Types(pub(super) u8);

/// The only values there are.
pub(super) struct Literals {
    /// From `const`: one, and said to be the one.
    pub(super) is_const: bool,
    pub(super) options: Arc<[Value]>,
    /// Steps that comparing with all of them takes.
    pub(super) weight: u64,
}

#[derive(Default)]
pub(super) struct TextRule {
    pub(super) fewest: Option<u64>,
    pub(super) most: Option<u64>,
    pub(super) pattern: Option<Pattern>,
    pub(super) format: Option<Format>,
}

#[derive(Default)]
pub(super) struct NumberRule {
    pub(super) minimum: Option<Number>,
    pub(super) maximum: Option<Number>,
    pub(super) above: Option<Number>,
    pub(super) below: Option<Number>,
    pub(super) multiple_of: Option<Number>,
}

#[derive(Default)]
pub(super) struct ArrayRule {
    pub(super) fewest: Option<u64>,
    pub(super) most: Option<u64>,
    pub(super) all_differ: bool,
    pub(super) prefix: Vec<Id>,
    pub(super) rest: Option<Id>,
    pub(super) contains: Option<Contains>,
    pub(super) unevaluated: Option<Id>,
}

pub(super) struct Contains {
    pub(super) rule: Id,
    pub(super) fewest: u64,
    pub(super) most: Option<u64>,
}

#[derive(Default)]
pub(super) struct ObjectRule {
    pub(super) fewest: Option<u64>,
    pub(super) most: Option<u64>,
    pub(super) required: Vec<String>,
    /// In the order of their names.
    pub(super) properties: Vec<(String, Id)>,
    pub(super) patterns: Vec<(Pattern, Id)>,
    pub(super) additional: Option<Id>,
    pub(super) names: Option<Id>,
    pub(super) needs: Vec<(String, Vec<String>)>,
    pub(super) dependent: Vec<(String, Id)>,
    pub(super) unevaluated: Option<Id>,
}

/// Rules that hold for the same value.
#[derive(Default)]
pub(super) struct Applied {
    pub(super) reference: Option<Id>,
    pub(super) all_of: Vec<Id>,
    pub(super) any_of: Vec<Id>,
    pub(super) one_of: Vec<Id>,
    pub(super) not: Option<Id>,
    pub(super) condition: Option<Condition>,
}

#[derive(Clone, Copy)]
pub(super) struct Condition {
    pub(super) when: Id,
    pub(super) then: Option<Id>,
    pub(super) otherwise: Option<Id>,
}

impl ObjectRule {
    /// The rule of a declared property.
    pub(super) fn property(&self, name: &str) -> Option<Id> {
        let found = self.properties.binary_search_by(|(declared, _)| declared.as_str().cmp(name));
        found.ok().map(|at| self.properties[at].1)
    }
}

impl Types {
    /// In the order in which they are named.
    pub(super) const NAMES: [&'static str; 7] =
        ["array", "boolean", "integer", "null", "number", "object", "string"];

    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> Types {
        let bit = |name: &str| Types::NAMES.iter().position(|known| *known == name).map_or(0, |at| 1 << at);
        Types(names.map(bit).fold(0, |all, one| all | one))
    }

    pub(super) fn admits(self, value: &Value) -> bool {
        let bits = match value {
            Value::Array(_) => 1,
            Value::Bool(_) => 1 << 1,
            Value::Number(number) if super::number::is_whole(number) => 1 << 2 | 1 << 4,
            Value::Null => 1 << 3,
            Value::Number(_) => 1 << 4,
            Value::Object(_) => 1 << 5,
            Value::String(_) => 1 << 6,
        };
        self.0 & bits != 0
    }

    /// The names of the types in it.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        Types::NAMES
            .into_iter()
            .enumerate()
            .filter(move |(at, _)| self.0 & 1 << at != 0)
            .map(|(_, name)| name)
    }
}

impl Program {
    pub(super) fn rule(&self, id: Id) -> &Rule {
        &self.rules[id as usize]
    }
}

impl Rule {
    /// True when it leads to other rules, worked out.
    pub(super) fn leads_on(&self) -> bool {
        let leads = |object: &ObjectRule| {
            !object.properties.is_empty()
                || !object.patterns.is_empty()
                || !object.dependent.is_empty()
                || object.additional.or(object.names).or(object.unevaluated).is_some()
        };
        self.applied.is_some()
            || self.object.as_deref().is_some_and(leads)
            || self.array.as_deref().is_some_and(|array| {
                !array.prefix.is_empty()
                    || array.rest.or(array.unevaluated).is_some()
                    || array.contains.is_some()
            })
    }
}
