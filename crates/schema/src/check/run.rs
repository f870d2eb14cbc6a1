//! Whether a value fits a rule.
//!
//! A rule and a value in, a verdict out. What was decided for a rule that is used in several places is remembered with
//! the place of the value in memory, which stays while this runs. A rule that leads back to itself with the same value says nothing.

use super::equal::{all_differ, equal};
use super::number;
use super::rules::{
    AppliedRules, ArrayRule, CheckProgram, LiteralRule, NumberRule, ObjectRule, RuleId, SchemaRule, TextRule,
};
use crate::check::faults::SchemaFault;
use crate::pattern::PatternMatch;
use crate::work::{Meter, WorkResult, WorkStop};
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

/// Verdicts that are remembered; beyond, they are made again, and the steps are counted.
const MOST_REMEMBERED: usize = 2_000_000;
/// Bytes of a text that are counted in a step.
const BYTES_IN_A_STEP: u64 = 64;

/// A rule and the place of a value.
type RuleAndPlace = (RuleId, *const Value);

/// A check under way.
pub(super) struct Evaluation<'p, 'v> {
    pub(super) program: &'p CheckProgram,
    pub(super) meter: &'p Meter,
    decided: HashMap<RuleAndPlace, bool>,
    /// What was found to be wrong, for rules that are used in several places.
    pub(super) explained: HashMap<RuleAndPlace, Rc<[SchemaFault]>>,
    /// What was found to be wrong so far.
    pub(super) found: Vec<SchemaFault>,
    levels: usize,
    pub(super) deepest: usize,
    values: std::marker::PhantomData<&'v Value>,
}

impl<'p, 'v> Evaluation<'p, 'v> {
    pub(super) fn new(program: &'p CheckProgram, meter: &'p Meter, deepest: usize) -> Evaluation<'p, 'v> {
        Evaluation {
            program,
            meter,
            decided: HashMap::new(),
            explained: HashMap::new(),
            found: Vec::new(),
            levels: 0,
            deepest,
            values: std::marker::PhantomData,
        }
    }

    /// Whether the value fits.
    pub(super) fn fits(&mut self, id: RuleId, value: &'v Value) -> WorkResult<bool> {
        self.meter.spend(1)?;
        let rule = self.program.rule(id);
        if !rule.leads {
            return self.fits_alone(rule, value);
        }
        if !rule.remembered {
            return self.deeper(|run| run.fits_rule(id, rule, value));
        }
        let pair = (id, std::ptr::from_ref(value));
        if let Some(known) = self.decided.get(&pair) {
            return Ok(*known);
        }
        let is_kept = self.decided.len() < MOST_REMEMBERED;
        self.decided.insert(pair, true);
        let verdict = self.deeper(|run| run.fits_rule(id, rule, value))?;
        if is_kept {
            self.decided.insert(pair, verdict);
        } else {
            self.decided.remove(&pair);
        }
        Ok(verdict)
    }

    /// Runs this one level further down.
    pub(super) fn deeper<T>(
        &mut self,
        work: impl FnOnce(&mut Evaluation<'p, 'v>) -> WorkResult<T>,
    ) -> WorkResult<T> {
        if self.levels >= self.deepest {
            return Err(WorkStop::Deep(self.deepest));
        }
        self.levels += 1;
        let done = work(self);
        self.levels -= 1;
        done
    }

    /// What a rule says by itself.
    fn fits_alone(&mut self, rule: &'p SchemaRule, value: &'v Value) -> WorkResult<bool> {
        if rule.never || rule.types.is_some_and(|types| !types.admits(value)) {
            return Ok(false);
        }
        if let Some(literals) = &rule.literals
            && !self.is_one_of(literals, value)?
        {
            return Ok(false);
        }
        match value {
            Value::String(text) => rule.text.as_ref().map_or(Ok(true), |rule| self.fits_text(rule, text)),
            Value::Number(number) => Ok(rule.number.as_ref().is_none_or(|rule| fits_number(rule, number))),
            Value::Array(items) => rule.array.as_ref().map_or(Ok(true), |rule| self.is_sized(rule, items)),
            Value::Object(members) => {
                Ok(rule.object.as_ref().is_none_or(|rule| has_what_is_required(rule, members)))
            }
            Value::Null | Value::Bool(_) => Ok(true),
        }
    }

    fn fits_rule(&mut self, id: RuleId, rule: &'p SchemaRule, value: &'v Value) -> WorkResult<bool> {
        if !self.fits_alone(rule, value)? {
            return Ok(false);
        }
        let fits_inside = match value {
            Value::Array(items) => {
                rule.array.as_ref().map_or(Ok(true), |rule| self.fits_items(rule, items))?
            }
            Value::Object(members) => match &rule.object {
                Some(rule) => self.fits_members(rule, value, members)?,
                None => true,
            },
            _ => true,
        };
        if !fits_inside || !rule.applied.as_ref().map_or(Ok(true), |applied| self.applies(applied, value))? {
            return Ok(false);
        }
        match value {
            Value::Array(items) if rule.array.as_ref().is_some_and(|rule| rule.unevaluated.is_some()) => {
                Ok(self.unevaluated_items(id, value, items)?.is_empty())
            }
            Value::Object(members) if rule.object.as_ref().is_some_and(|rule| rule.unevaluated.is_some()) => {
                Ok(self.unevaluated_members(id, value, members)?.is_empty())
            }
            _ => Ok(true),
        }
    }

    pub(super) fn is_one_of(&mut self, literals: &LiteralRule, value: &Value) -> WorkResult<bool> {
        self.meter.spend(literals.weight)?;
        Ok(literals.options.iter().any(|option| equal(option, value)))
    }

    fn fits_text(&mut self, rule: &TextRule, text: &str) -> WorkResult<bool> {
        if rule.fewest.or(rule.most).is_some() {
            self.meter.spend(text.len() as u64 / BYTES_IN_A_STEP)?;
            let length = text.chars().count() as u64;
            if rule.fewest.is_some_and(|fewest| length < fewest)
                || rule.most.is_some_and(|most| length > most)
            {
                return Ok(false);
            }
        }
        if let Some(format) = &rule.format {
            self.meter.spend(text.len() as u64 / BYTES_IN_A_STEP)?;
            if !format.accepts(text) {
                return Ok(false);
            }
        }
        match &rule.pattern {
            Some(pattern) => {
                let verdict = pattern.matches(text, self.meter)?;
                Ok(matches!(verdict, PatternMatch::Yes | PatternMatch::Unknown))
            }
            None => Ok(true),
        }
    }

    fn is_sized(&mut self, rule: &ArrayRule, items: &[Value]) -> WorkResult<bool> {
        let length = items.len() as u64;
        if rule.fewest.is_some_and(|fewest| length < fewest) || rule.most.is_some_and(|most| length > most) {
            return Ok(false);
        }
        if rule.all_differ {
            self.meter.spend(items.iter().map(super::equal::weight).sum::<u64>() * 4)?;
            return Ok(all_differ(items));
        }
        Ok(true)
    }

    fn fits_items(&mut self, rule: &'p ArrayRule, items: &'v [Value]) -> WorkResult<bool> {
        for (item, id) in items.iter().zip(&rule.prefix) {
            if !self.fits(*id, item)? {
                return Ok(false);
            }
        }
        if let Some(rest) = rule.rest {
            for item in items.iter().skip(rule.prefix.len()) {
                if !self.fits(rest, item)? {
                    return Ok(false);
                }
            }
        }
        self.contains_enough(rule, items)
    }

    pub(super) fn contains_enough(&mut self, rule: &'p ArrayRule, items: &'v [Value]) -> WorkResult<bool> {
        let Some(contains) = &rule.contains else { return Ok(true) };
        let mut found = 0;
        for item in items {
            found += u64::from(self.fits(contains.rule, item)?);
            if contains.most.is_some_and(|most| found > most) {
                return Ok(false);
            }
            if contains.most.is_none() && found >= contains.fewest {
                break;
            }
        }
        Ok(found >= contains.fewest)
    }

    fn fits_members(
        &mut self,
        rule: &'p ObjectRule,
        value: &'v Value,
        members: &'v Map<String, Value>,
    ) -> WorkResult<bool> {
        for (name, member) in members {
            let mut is_declared = false;
            if let Some(id) = rule.property(name) {
                is_declared = true;
                if !self.fits(id, member)? {
                    return Ok(false);
                }
            }
            for (pattern, id) in &rule.patterns {
                match pattern.matches(name, self.meter)? {
                    PatternMatch::Yes => {
                        is_declared = true;
                        if !self.fits(*id, member)? {
                            return Ok(false);
                        }
                    }
                    PatternMatch::No => {}
                    // Without one of its patterns an object cannot tell which other properties are additional.
                    PatternMatch::Undecided | PatternMatch::Unknown => is_declared = true,
                }
            }
            if let Some(additional) = rule.additional
                && !is_declared
                && !self.fits(additional, member)?
            {
                return Ok(false);
            }
            if let Some(names) = rule.names
                && !self.name_fits(names, name)?
            {
                return Ok(false);
            }
        }
        for (name, id) in &rule.dependent {
            if members.contains_key(name) && !self.fits(*id, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A name is a value of its own, which nothing else knows.
    fn name_fits(&mut self, id: RuleId, name: &str) -> WorkResult<bool> {
        let name = Value::from(name);
        Evaluation::new(self.program, self.meter, self.deepest.saturating_sub(self.levels)).fits(id, &name)
    }

    fn applies(&mut self, applied: &'p AppliedRules, value: &'v Value) -> WorkResult<bool> {
        for id in applied.reference.iter().chain(&applied.all_of) {
            if !self.fits(*id, value)? {
                return Ok(false);
            }
        }
        if !applied.any_of.is_empty() && !self.fits_any(&applied.any_of, value)? {
            return Ok(false);
        }
        if !applied.one_of.is_empty() && self.fitting(&applied.one_of, value, 2)? != 1 {
            return Ok(false);
        }
        if let Some(not) = applied.not
            && self.fits(not, value)?
        {
            return Ok(false);
        }
        if let Some(condition) = applied.condition {
            let chosen = if self.fits(condition.when, value)? { condition.then } else { condition.otherwise };
            return chosen.map_or(Ok(true), |id| self.fits(id, value));
        }
        Ok(true)
    }

    pub(super) fn fits_any(&mut self, ids: &[RuleId], value: &'v Value) -> WorkResult<bool> {
        Ok(self.fitting(ids, value, 1)? > 0)
    }

    /// How many of these fit, counted up to `enough`.
    pub(super) fn fitting(&mut self, ids: &[RuleId], value: &'v Value, enough: usize) -> WorkResult<usize> {
        let mut count = 0;
        for id in ids {
            count += usize::from(self.fits(*id, value)?);
            if count >= enough {
                break;
            }
        }
        Ok(count)
    }
}

pub(super) fn fits_number(rule: &NumberRule, number: &Number) -> bool {
    let admits = |bound: &Option<Number>, admitted: &[Ordering]| {
        bound.as_ref().is_none_or(|bound| admitted.contains(&number::compare(number, bound)))
    };
    admits(&rule.minimum, &[Ordering::Greater, Ordering::Equal])
        && admits(&rule.maximum, &[Ordering::Less, Ordering::Equal])
        && admits(&rule.above, &[Ordering::Greater])
        && admits(&rule.below, &[Ordering::Less])
        && rule.multiple_of.as_ref().is_none_or(|of| number::is_multiple(number, of))
}

fn has_what_is_required(rule: &ObjectRule, members: &Map<String, Value>) -> bool {
    let length = members.len() as u64;
    rule.fewest.is_none_or(|fewest| length >= fewest)
        && rule.most.is_none_or(|most| length <= most)
        && rule.required.iter().all(|name| members.contains_key(name))
        && rule.needs.iter().all(|(name, needed)| {
            !members.contains_key(name) || needed.iter().all(|name| members.contains_key(name))
        })
}
