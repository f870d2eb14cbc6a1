//! Which properties and items have been looked at by some rule, for `unevaluatedProperties` and `unevaluatedItems`.
//!
//! A rule and a value that it holds for in; out, what none of its parts has spoken of and what the keyword then refuses.
//! Each rule is gone through once for a value, however many ways lead to it.

use super::rules::{AppliedRules, RuleId};
use super::run::Evaluation;
use crate::pattern::PatternMatch;
use crate::work::WorkResult;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// What has been looked at so far.
struct EvaluatedParts<'v> {
    members: HashSet<&'v str>,
    items: HashSet<usize>,
    all: bool,
    /// Rules that were gone through.
    seen: HashSet<RuleId>,
}

impl<'p, 'v> Evaluation<'p, 'v> {
    /// The members that no other keyword covers and that do not fit.
    pub(super) fn unevaluated_members(
        &mut self,
        id: RuleId,
        value: &'v Value,
        members: &'v Map<String, Value>,
    ) -> WorkResult<Vec<&'v str>> {
        let rule = self.program.rule(id).object.as_deref();
        let Some(unevaluated) = rule.and_then(|rule| rule.unevaluated) else { return Ok(Vec::new()) };
        let looked = self.looked(id, value)?;
        let mut refused = Vec::new();
        for (name, member) in members {
            let is_known = looked.all || looked.members.contains(name.as_str());
            if !is_known && !self.fits(unevaluated, member)? {
                refused.push(name.as_str());
            }
        }
        Ok(refused)
    }

    /// The items that no other keyword covers and that do not fit.
    pub(super) fn unevaluated_items(
        &mut self,
        id: RuleId,
        value: &'v Value,
        items: &'v [Value],
    ) -> WorkResult<Vec<usize>> {
        let rule = self.program.rule(id).array.as_deref();
        let Some(unevaluated) = rule.and_then(|rule| rule.unevaluated) else { return Ok(Vec::new()) };
        let looked = self.looked(id, value)?;
        let mut refused = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let is_known = looked.all || looked.items.contains(&index);
            if !is_known && !self.fits(unevaluated, item)? {
                refused.push(index);
            }
        }
        Ok(refused)
    }

    /// What the parts of a rule have looked at, its own `unevaluated` keyword aside.
    fn looked(&mut self, id: RuleId, value: &'v Value) -> WorkResult<EvaluatedParts<'v>> {
        let mut looked = EvaluatedParts {
            members: HashSet::new(),
            items: HashSet::new(),
            all: false,
            seen: HashSet::from([id]),
        };
        self.own(id, value, &mut looked)?;
        self.applied(id, value, &mut looked)?;
        Ok(looked)
    }

    fn look(&mut self, id: RuleId, value: &'v Value, looked: &mut EvaluatedParts<'v>) -> WorkResult {
        self.meter.spend(1)?;
        if looked.all || !looked.seen.insert(id) {
            return Ok(());
        }
        let rule = self.program.rule(id);
        let is_all = match value {
            Value::Object(_) => rule.object.as_ref().is_some_and(|rule| rule.unevaluated.is_some()),
            _ => rule.array.as_ref().is_some_and(|rule| rule.unevaluated.is_some()),
        };
        looked.all |= is_all;
        self.deeper(|run| {
            run.own(id, value, looked)?;
            run.applied(id, value, looked)
        })
    }

    /// What the keywords of a rule itself cover.
    fn own(&mut self, id: RuleId, value: &'v Value, looked: &mut EvaluatedParts<'v>) -> WorkResult {
        let rule = self.program.rule(id);
        match (value, &rule.object, &rule.array) {
            (Value::Object(members), Some(rule), _) => {
                looked.all |= rule.additional.is_some();
                for name in members.keys() {
                    let mut is_declared = rule.property(name).is_some();
                    for (pattern, _) in &rule.patterns {
                        is_declared |= pattern.matches(name, self.meter)? != PatternMatch::No;
                    }
                    if is_declared {
                        looked.members.insert(name);
                    }
                }
                for (name, id) in &rule.dependent {
                    if members.contains_key(name) {
                        self.look(*id, value, looked)?;
                    }
                }
            }
            (Value::Array(items), _, Some(rule)) => {
                looked.all |= rule.rest.is_some();
                looked.items.extend(0..rule.prefix.len().min(items.len()));
                if let Some(contains) = &rule.contains {
                    for (index, item) in items.iter().enumerate() {
                        if self.fits(contains.rule, item)? {
                            looked.items.insert(index);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What the rules that hold for the same value cover: only those that fit.
    fn applied(&mut self, id: RuleId, value: &'v Value, looked: &mut EvaluatedParts<'v>) -> WorkResult {
        let Some(applied) = self.program.rule(id).applied.as_deref() else { return Ok(()) };
        let AppliedRules { reference, all_of, any_of, one_of, not: _, condition } = applied;
        for id in reference.iter().chain(all_of).chain(any_of).chain(one_of) {
            if self.fits(*id, value)? {
                self.look(*id, value, looked)?;
            }
        }
        let Some(condition) = condition else { return Ok(()) };
        let holds = self.fits(condition.when, value)?;
        if holds {
            self.look(condition.when, value, looked)?;
        }
        match if holds { condition.then } else { condition.otherwise } {
            Some(chosen) => self.look(chosen, value, looked),
            None => Ok(()),
        }
    }
}
