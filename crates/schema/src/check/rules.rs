//! A schema made ready to be held against values: rules that name each other by number.
//!
//! What is said about texts, numbers, arrays and objects stands apart, so that a value meets only what is about it.

use crate::format::Format;
use crate::keywords::TYPES;
use crate::pattern::Pattern;
use serde_json::{Number, Value};
use std::sync::Arc;

/// The number of a rule.
pub(crate) type RuleId = u32;

/// All rules of a schema.
#[derive(Default)]
pub(crate) struct CheckProgram {
    pub(super) rules: Vec<SchemaRule>,
}

/// One schema.
#[derive(Default)]
pub(super) struct SchemaRule {
    /// No value fits.
    pub(super) never: bool,
    /// The verdict about a value is remembered: the rule is used in several places and takes some work.
    pub(super) remembered: bool,
    /// It leads to other rules.
    pub(super) leads: bool,
    pub(super) types: Option<TypeSet>,
    pub(super) literals: Option<Box<LiteralRule>>,
    pub(super) text: Option<Box<TextRule>>,
    pub(super) number: Option<Box<NumberRule>>,
    pub(super) array: Option<Box<ArrayRule>>,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) applied: Option<Box<AppliedRules>>,
}

/// A set of JSON types, a bit for each in the order of `TYPES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TypeSet(pub(super) u8);

/// The only values there are.
pub(super) struct LiteralRule {
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
    pub(super) prefix: Vec<RuleId>,
    pub(super) rest: Option<RuleId>,
    pub(super) contains: Option<ContainsRule>,
    pub(super) unevaluated: Option<RuleId>,
}

pub(super) struct ContainsRule {
    pub(super) rule: RuleId,
    pub(super) fewest: u64,
    pub(super) most: Option<u64>,
}

#[derive(Default)]
pub(super) struct ObjectRule {
    pub(super) fewest: Option<u64>,
    pub(super) most: Option<u64>,
    pub(super) required: Vec<String>,
    /// In the order of their names.
    pub(super) properties: Vec<(String, RuleId)>,
    pub(super) patterns: Vec<(Pattern, RuleId)>,
    pub(super) additional: Option<RuleId>,
    pub(super) names: Option<RuleId>,
    pub(super) needs: Vec<(String, Vec<String>)>,
    pub(super) dependent: Vec<(String, RuleId)>,
    pub(super) unevaluated: Option<RuleId>,
}

/// Rules that hold for the same value.
#[derive(Default)]
pub(super) struct AppliedRules {
    pub(super) reference: Option<RuleId>,
    pub(super) all_of: Vec<RuleId>,
    pub(super) any_of: Vec<RuleId>,
    pub(super) one_of: Vec<RuleId>,
    pub(super) not: Option<RuleId>,
    pub(super) condition: Option<ConditionalRule>,
}

#[derive(Clone, Copy)]
pub(super) struct ConditionalRule {
    pub(super) when: RuleId,
    pub(super) then: Option<RuleId>,
    pub(super) otherwise: Option<RuleId>,
}

impl ObjectRule {
    /// The rule of a declared property.
    pub(super) fn property(&self, name: &str) -> Option<RuleId> {
        let found = self.properties.binary_search_by(|(declared, _)| declared.as_str().cmp(name));
        found.ok().map(|at| self.properties[at].1)
    }
}

impl TypeSet {
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> TypeSet {
        let bit = |name: &str| TYPES.iter().position(|known| *known == name).map_or(0, |at| 1 << at);
        TypeSet(names.map(bit).fold(0, |all, one| all | one))
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
        (0..).zip(TYPES).filter(move |(at, _)| self.0 & 1 << at != 0).map(|(_, name)| name)
    }
}

impl CheckProgram {
    pub(super) fn rule(&self, id: RuleId) -> &SchemaRule {
        &self.rules[id as usize]
    }
}

impl SchemaRule {
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
