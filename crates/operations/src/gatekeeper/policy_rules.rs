//! The operator's own rules (`[[policy]]`): the facts of a call in, the strictest rule that fits out.
//!
//! Of rules that fit, deny wins over confirm, and confirm over allow; of equals, the first. An allow lifts a confirmation only
//! where it has the operation's whole name, and never a denial (ruling S2).
//!
//! Rules that restrict fit generously, and those that allow fit exactly: no one gets round a denial by another letter case,
//! by percent signs, by one more element in a list or one more list around it, by an element that is a list when it is written, and
//! nothing is allowed by them.

mod param_values;
mod rule_index;

use self::param_values::{ParamValue, delimiter, find, find_all, is_equal};
use self::rule_index::RuleIndex;
use super::policy::PolicyDenial;
use super::request::PushedParam;
use crate::call::Caller;
use crate::category::Category;
use crate::exposure::Glob;
use crate::named_enum::named_enum;
use crate::operation::{Operation, RegistryEntry};
use crate::params::Param;
use crate::target::{BuiltIn, Target};
use serde_json::{Map, Value};
use std::borrow::Cow;
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
    /// Who calls; absent for an unnamed caller, for whom only rules without a caller hold.
    pub caller: Option<&'a str>,
    /// The values of the call; absent is any, for which only rules without parameters hold.
    pub values: Option<&'a Map<String, Value>>,
    /// The parameters that controls are turned into, by the source's names.
    pub pushed: &'a [PushedParam],
    /// The parameters that the operation declares.
    pub params: &'a [Param],
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

/// A parameter that a rule names.
#[derive(Debug, Clone, Copy)]
pub struct RuleParam<'a> {
    /// The place of the rule, from 1.
    pub number: usize,
    /// The rule.
    pub rule: &'a PolicyRule,
    /// The parameter.
    pub param: &'a ParamCondition,
}

/// All rules, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolicyRules {
    rules: Vec<PolicyRule>,
    index: RuleIndex,
}

impl PolicyRules {
    /// These rules.
    pub fn new(rules: Vec<PolicyRule>) -> PolicyRules {
        PolicyRules { rules, index: RuleIndex::default() }
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Every rule, with its number.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &PolicyRule)> {
        (1..).zip(&self.rules)
    }

    /// The strictest rule that fits a call.
    pub fn verdict(&self, facts: &PolicyFacts<'_>) -> Option<PolicyVerdict<'_>> {
        if self.rules.is_empty() {
            return None;
        }
        if facts.values.is_none() {
            return strictest(self.iter(), facts);
        }
        let candidates = self.index.candidates(&self.rules, facts);
        strictest(candidates.into_iter().filter_map(|place| Some((place + 1, self.rules.get(place)?))), facts)
    }

    /// The rules that fit none of these operations: a name is misspelt, or a source is not there.
    pub fn unused<'a>(
        &'a self,
        entries: &'a [Arc<RegistryEntry>],
    ) -> impl Iterator<Item = (usize, &'a PolicyRule)> {
        self.iter()
            .filter(|(_, rule)| !entries.iter().any(|entry| rule.fits_operation(&PolicyFacts::of(entry))))
    }

    /// The parameters of rules that none of the operations declares which the rule is about: their names are misspelt.
    pub fn undeclared_params<'a>(
        &'a self,
        entries: &'a [Arc<RegistryEntry>],
    ) -> impl Iterator<Item = RuleParam<'a>> {
        let is_misspelt = |rule: &PolicyRule, param: &ParamCondition| {
            let about = || entries.iter().filter(|entry| rule.fits_operation(&PolicyFacts::of(entry)));
            about().next().is_some() && !about().any(|entry| param.is_declared_by(&entry.operation))
        };
        self.params().filter(move |found| is_misspelt(found.rule, found.param))
    }

    /// The parameters of rules with a star in a value: operations and callers have patterns, values are as they stand.
    pub fn starred_params(&self) -> impl Iterator<Item = RuleParam<'_>> {
        let has_star = |value: &Value| value.as_str().is_some_and(|text| text.contains('*'));
        self.params().filter(move |found| found.param.values.iter().any(has_star))
    }

    fn params(&self) -> impl Iterator<Item = RuleParam<'_>> {
        self.iter()
            .flat_map(|(number, rule)| rule.params.iter().map(move |param| RuleParam { number, rule, param }))
    }

    /// The rules that allow some of these operations, none of them by its whole name: they lift no confirmation, and so change
    /// nothing.
    pub fn lifting_nothing<'a>(
        &'a self,
        entries: &'a [Arc<RegistryEntry>],
    ) -> impl Iterator<Item = (usize, &'a PolicyRule)> {
        let facts = || entries.iter().map(|entry| PolicyFacts::of(entry));
        self.iter().filter(move |(_, rule)| {
            rule.permission == Permission::Allow
                && facts().any(|facts| rule.fits_operation(&facts))
                && !facts().any(|facts| rule.names(&facts))
        })
    }

    /// True when a rule could deny or confirm calls of an operation with some values, or by some callers.
    pub fn depends_on_call(&self, entry: &RegistryEntry) -> bool {
        self.tells_calls_apart(&PolicyFacts::of(entry))
    }

    fn tells_calls_apart(&self, facts: &PolicyFacts<'_>) -> bool {
        self.rules
            .iter()
            .any(|rule| (!rule.params.is_empty() || rule.caller.is_some()) && rule.fits_operation(facts))
    }

    /// The rules about an operation that fit some of its calls and not others: by their values, and by who calls where that is not
    /// known. Of a caller who is known, those that hold for it.
    pub fn by_call<'a>(
        &'a self,
        entry: &'a RegistryEntry,
        caller: Option<&'a Caller>,
    ) -> impl Iterator<Item = PolicyVerdict<'a>> {
        let facts = PolicyFacts { caller: caller.map(Caller::name), ..PolicyFacts::of(entry) };
        let is_by_call = move |rule: &PolicyRule| {
            let is_for_caller = facts.caller.is_none() || rule.fits_caller(&facts);
            let is_by_caller = facts.caller.is_none() && rule.caller.is_some();
            rule.fits_operation(&facts) && is_for_caller && (is_by_caller || !rule.params.is_empty())
        };
        self.iter().filter(move |(_, rule)| is_by_call(rule)).map(move |(number, rule)| PolicyVerdict {
            number,
            rule,
            lifts_confirmation: rule.lifts(&facts),
        })
    }

    /// True when a rule treats an operation otherwise for some callers, whatever the values.
    pub fn depends_on_caller(&self, entry: &RegistryEntry) -> bool {
        let facts = PolicyFacts::of(entry);
        self.rules
            .iter()
            .any(|rule| rule.caller.is_some() && rule.params.is_empty() && rule.fits_operation(&facts))
    }
}

/// The strictest of these rules, with their numbers, that fits a call.
fn strictest<'r>(
    rules: impl Iterator<Item = (usize, &'r PolicyRule)>,
    facts: &PolicyFacts<'_>,
) -> Option<PolicyVerdict<'r>> {
    let verdicts = rules.filter(|(_, rule)| rule.fits(facts)).map(|(number, rule)| PolicyVerdict {
        number,
        rule,
        lifts_confirmation: rule.lifts(facts),
    });
    // The last of the greatest would win: the order is turned around for the first to do.
    verdicts.min_by_key(|verdict| {
        (std::cmp::Reverse(verdict.rule.permission), !verdict.lifts_confirmation, verdict.number)
    })
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
            pushed: &[],
            params: &entry.operation.params,
        }
    }

    /// Every value that a parameter has in the call: as it was sent, and as controls are turned into it. A name of the source fits
    /// the parameter that is declared for it. Rules that restrict find a value in lists too, however deep.
    fn given(&self, name: &str, permission: Permission) -> Vec<ParamValue<'a>> {
        let bare = name.strip_prefix("input.").unwrap_or(name);
        let (first, rest) = bare.split_once('.').map_or((bare, None), |(first, rest)| (first, Some(rest)));
        let declared = self.declared(first);
        let mut sent = Vec::new();
        if let Some(values) = self.values {
            match permission {
                Permission::Allow => sent.extend(find(values, name)),
                Permission::Confirm | Permission::Deny => {
                    find_all(values, name, &mut sent);
                    if let Some(param) = declared.filter(|param| param.name != first) {
                        let public = rest.map_or(param.name.clone(), |rest| format!("{}.{rest}", param.name));
                        find_all(values, &public, &mut sent);
                    }
                }
            }
        }
        let is_declared_for =
            |to: &str| self.params.iter().any(|param| param.name == bare && param.upstream_name == to);
        let is_it = |to: &str| to == name || to == bare || is_declared_for(to);
        let pushed = self.pushed.iter().filter(|param| is_it(&param.name));
        // One text may be a list that is written already.
        let pushed = pushed.map(|param| Cow::Owned(Value::from(vec![param.value.as_str()])));
        let all = sent.into_iter().map(Cow::Borrowed).chain(pushed);
        all.map(|value| ParamValue { value, delimiter: delimiter(declared) }).collect()
    }

    /// The parameter that is declared by this name, its own or the source's.
    fn declared(&self, name: &str) -> Option<&'a Param> {
        let by_name = self.params.iter().find(|param| param.name == name);
        by_name.or_else(|| self.params.iter().find(|param| param.upstream_name == name))
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
            |param: &ParamCondition| param.fits(&facts.given(&param.name, self.permission), self.permission);
        self.params.is_empty() || (facts.values.is_some() && self.params.iter().all(fits))
    }

    /// True when it allows an operation by its whole name.
    fn lifts(&self, facts: &PolicyFacts<'_>) -> bool {
        self.permission == Permission::Allow && self.names(facts)
    }

    /// True when the operation stands in the rule by its whole name.
    fn names(&self, facts: &PolicyFacts<'_>) -> bool {
        self.operation
            .as_ref()
            .is_some_and(|glob| [facts.operation, facts.public_name].contains(&glob.as_str()))
    }
}

impl ParamCondition {
    /// True when the operation has such a parameter, or its controls are turned into one.
    fn is_declared_by(&self, operation: &Operation) -> bool {
        let bare = self.name.strip_prefix("input.").unwrap_or(&self.name);
        let names = [&*self.name, bare].map(|name| name.split_once('.').map_or(name, |(first, _)| first));
        let is_it = |name: &str| name == self.name || name == bare || names.contains(&name);
        let push = &operation.answers.push;
        let pushed = push.filters.iter().map(|filter| filter.param.as_str());
        let pushed = pushed.chain(push.query.iter().map(|query| query.param.as_str()));
        let sort = push.sort.iter().flat_map(|sort| [Some(&sort.param), sort.order_param.as_ref()]);
        let pushed =
            pushed.chain(sort.flatten().map(String::as_str)).chain(operation.answers.fields.param.as_deref());
        operation.params.iter().any(|param| is_it(&param.name) || is_it(&param.upstream_name))
            || pushed.into_iter().any(is_it)
    }

    /// True when these values fit: all of them for a rule that allows, one of them for a rule that restricts.
    fn fits(&self, given: &[ParamValue<'_>], permission: Permission) -> bool {
        let fits_one = |value: &Value| self.values.iter().any(|wanted| is_equal(wanted, value, permission));
        let fits_whole = |value: &Value| match value {
            Value::Array(elements) => !elements.is_empty() && elements.iter().all(fits_one),
            other => fits_one(other),
        };
        match permission {
            Permission::Allow => !given.is_empty() && given.iter().all(|given| fits_whole(&given.value)),
            Permission::Confirm | Permission::Deny => {
                given.iter().any(|given| given.any(&mut |value| fits_one(value)))
            }
        }
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
