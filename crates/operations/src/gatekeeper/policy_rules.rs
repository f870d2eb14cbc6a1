//! The operator's own rules (`[[policy]]`): the facts of a call in, the strictest rule that fits out.
//!
//! Of rules that fit, deny wins over confirm, and confirm over allow; of equals, the first. An allow lifts a confirmation only
//! where it has the operation's whole name, and never a denial (ruling S2).
//!
//! Rules that restrict fit generously, and those that allow fit exactly: nobody gets round a denial by another letter case,
//! by percent signs or by one more element in a list, and nothing is allowed by them.

use super::policy::PolicyDenial;
use crate::category::Category;
use crate::exposure::Glob;
use crate::named_enum::named_enum;
use crate::operation::RegistryEntry;
use crate::target::{BuiltIn, Target};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

named_enum! {
    /// What a rule does with the calls that it fits, the least strict first.
    #[derive(PartialOrd, Ord)]
    pub enum Permission {
        /// They run.
        Allow = "allow",
        /// A person confirms each.
        Confirm = "confirm",
        /// They do not run.
        Deny = "deny",
    }
}

/// One rule. What it does not name can be anything.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyRule {
    /// The source.
    pub source: Option<Glob>,
    /// The operation, with or without its namespace.
    pub operation: Option<Glob>,
    /// The category.
    pub category: Option<Category>,
    /// The caller; `local` is the one who runs the server.
    pub caller: Option<Glob>,
    /// Values of parameters, each of which must fit.
    pub params: Vec<ParamCondition>,
    /// What it does.
    pub permission: Permission,
    /// Why, for those who meet it.
    pub reason: Option<String>,
}

/// A parameter has one of these values.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamCondition {
    /// The parameter; a field of another one is `input.state`.
    pub name: String,
    /// The values.
    pub values: Vec<Value>,
}

/// What the rules see of a call.
#[derive(Debug, Clone, Copy)]
pub struct PolicyFacts<'a> {
    /// The source's name.
    pub source: &'a str,
    /// The operation's name within its source.
    pub operation: &'a str,
    /// The operation's name for callers.
    pub public_name: &'a str,
    /// Its category.
    pub category: Category,
    /// True for `introspect`, which only a rule with its whole name reaches: without it a client finds nothing.
    pub is_introspection: bool,
    /// Who calls; absent is whoever does, for whom only rules without a caller hold.
    pub caller: Option<&'a str>,
    /// The values of the call; absent is any, for which only rules without parameters hold.
    pub values: Option<&'a Map<String, Value>>,
}

/// The rule that decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyVerdict<'a> {
    /// Its place among the rules, from 1.
    pub number: usize,
    /// The rule.
    pub rule: &'a PolicyRule,
    /// True when it allows this operation by its whole name, so that no confirmation is needed.
    pub lifts_confirmation: bool,
}

/// All rules, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolicyRules(Vec<PolicyRule>);

impl PolicyRules {
    /// These rules.
    pub fn new(rules: Vec<PolicyRule>) -> PolicyRules {
        PolicyRules(rules)
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every rule, with its number.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &PolicyRule)> {
        (1..).zip(&self.0)
    }

    /// The strictest rule that fits a call.
    pub fn verdict(&self, facts: &PolicyFacts<'_>) -> Option<PolicyVerdict<'_>> {
        let verdicts = self.iter().filter(|(_, rule)| rule.fits(facts)).map(|(number, rule)| PolicyVerdict {
            number,
            rule,
            lifts_confirmation: rule.permission == Permission::Allow && rule.names(facts),
        });
        // The last of the greatest would win: the order is turned around for the first to do.
        verdicts.min_by_key(|verdict| {
            (std::cmp::Reverse(verdict.rule.permission), !verdict.lifts_confirmation, verdict.number)
        })
    }

    /// The rules that fit none of these operations: a name is misspelt, or a source is not there.
    pub fn unused<'a>(
        &'a self,
        entries: &'a [Arc<RegistryEntry>],
    ) -> impl Iterator<Item = (usize, &'a PolicyRule)> {
        self.iter()
            .filter(|(_, rule)| !entries.iter().any(|entry| rule.fits_operation(&PolicyFacts::of(entry))))
    }

    /// True when a rule could deny or confirm calls of an operation with some values, or by some callers.
    pub fn depends_on_call(&self, facts: &PolicyFacts<'_>) -> bool {
        self.0
            .iter()
            .any(|rule| (!rule.params.is_empty() || rule.caller.is_some()) && rule.fits_operation(facts))
    }
}

impl<'a> PolicyFacts<'a> {
    /// What is known of an operation before anyone calls it.
    pub fn of(entry: &'a RegistryEntry) -> PolicyFacts<'a> {
        PolicyFacts {
            source: &entry.source.name,
            operation: &entry.operation.name,
            public_name: &entry.public_name,
            category: entry.operation.category,
            is_introspection: matches!(entry.operation.target, Target::BuiltIn(BuiltIn::Introspect)),
            caller: None,
            values: None,
        }
    }
}

impl PolicyVerdict<'_> {
    /// Why, for those who meet it.
    pub fn reason(&self) -> String {
        self.rule.reason.clone().unwrap_or_else(|| format!("the operator's rule {} says so", self.number))
    }

    /// The denial by this rule.
    pub fn denial(&self) -> PolicyDenial {
        PolicyDenial::new(self.to_string(), self.reason())
    }
}

impl PolicyRule {
    fn fits(&self, facts: &PolicyFacts<'_>) -> bool {
        self.fits_operation(facts) && self.fits_caller(facts) && self.fits_values(facts)
    }

    fn fits_operation(&self, facts: &PolicyFacts<'_>) -> bool {
        let fits_name = |glob: &Glob| glob.matches(facts.operation) || glob.matches(facts.public_name);
        self.source.as_ref().is_none_or(|glob| glob.matches(facts.source))
            && self.operation.as_ref().is_none_or(fits_name)
            && self.category.is_none_or(|category| category == facts.category)
            && (!facts.is_introspection || self.names(facts))
    }

    fn fits_caller(&self, facts: &PolicyFacts<'_>) -> bool {
        self.caller.as_ref().is_none_or(|glob| facts.caller.is_some_and(|caller| glob.matches(caller)))
    }

    fn fits_values(&self, facts: &PolicyFacts<'_>) -> bool {
        let fits =
            |values: &Map<String, Value>| self.params.iter().all(|param| param.fits(values, self.permission));
        self.params.is_empty() || facts.values.is_some_and(fits)
    }

    /// True when the operation stands in the rule by its whole name.
    fn names(&self, facts: &PolicyFacts<'_>) -> bool {
        self.operation
            .as_ref()
            .is_some_and(|glob| [facts.operation, facts.public_name].contains(&glob.as_str()))
    }
}

impl ParamCondition {
    fn fits(&self, values: &Map<String, Value>, permission: Permission) -> bool {
        let Some(value) = find(values, &self.name) else { return false };
        let fits_one = |value: &Value| self.values.iter().any(|wanted| is_equal(wanted, value, permission));
        match value {
            Value::Array(elements) if permission == Permission::Allow => {
                !elements.is_empty() && elements.iter().all(fits_one)
            }
            Value::Array(elements) => elements.iter().any(fits_one),
            other => fits_one(other),
        }
    }
}

/// A value by the name of its parameter, or by the path to a field. Fields of an update's `input` are parameters of their own
/// by the time that a call is judged.
fn find<'a>(values: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if let Some(value) = values.get(name).or_else(|| values.get(name.strip_prefix("input.")?)) {
        return Some(value);
    }
    let (first, rest) = name.split_once('.')?;
    find(values.get(first)?.as_object()?, rest)
}

fn is_equal(wanted: &Value, value: &Value, permission: Permission) -> bool {
    let is_same_number = wanted.as_f64().zip(value.as_f64()).is_some_and(|(wanted, value)| wanted == value);
    let (Some(wanted), Some(value)) = (scalar_text(wanted), scalar_text(value)) else { return false };
    if permission == Permission::Allow {
        return wanted == value;
    }
    let decoded = percent_decode_str(&value).decode_utf8_lossy();
    let is_alike = |text: &str| text.trim().to_lowercase() == wanted.trim().to_lowercase();
    is_same_number || is_alike(&value) || is_alike(&decoded)
}

/// A scalar as text, so that `"5"` in a rule fits the number 5.
fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) | Value::Null => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// What the rule says, in one line: `rule 2: deny operation delete_*`.
impl fmt::Display for PolicyVerdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "policy rule {}: {}", self.number, self.rule)
    }
}

impl fmt::Display for PolicyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.permission.name())?;
        let globs = [("source", &self.source), ("operation", &self.operation), ("caller", &self.caller)];
        for (key, glob) in globs {
            if let Some(glob) = glob {
                write!(f, " {key} {}", glob.as_str())?;
            }
        }
        if let Some(category) = self.category {
            write!(f, " category {}", category.upper())?;
        }
        for param in &self.params {
            write!(f, " param {}", param.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
