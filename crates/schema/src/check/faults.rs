//! What is wrong with a value, rule by rule.
//!
//! A rule and a value that does not fit it in; faults out, each with its place and its words. As many are reported as
//! anyone reads; what a rule that is used in several places finds in a value is worked out once.

use super::rules::{AppliedRules, ArrayRule, NumberRule, ObjectRule, RuleId, SchemaRule, TextRule};
use super::run::Evaluation;
use super::{equal, number};
use crate::pattern::PatternMatch;
use crate::place::ValuePath;
use crate::problem::words::{counted, joined, list, properties, short, shown};
use crate::problem::{SchemaProblem, alternatives};
use crate::shape::type_name;
use crate::work::WorkResult;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

/// Faults that are reported of one value, and of one rule that is used in several places.
const MOST: usize = 1_000;
const MOST_SHARED: usize = 100;
/// Steps that a fault takes: its words are made.
const STEPS: u64 = 20;

/// One thing that is wrong, in as many words as it takes.
#[derive(Debug, Clone)]
pub(crate) struct SchemaFault {
    /// Levels between the whole value and the place.
    pub(crate) depth: usize,
    pub(crate) mark: FaultMark,
    pub(crate) problems: Vec<(usize, SchemaProblem)>,
}

/// How a size is bounded, and counted in words.
struct SizeWords {
    /// The keyword of the lower bound.
    fewest: &'static str,
    /// The keyword of the upper bound.
    most: &'static str,
    counted: fn(u64) -> String,
}

const ITEMS: SizeWords =
    SizeWords { fewest: "minItems", most: "maxItems", counted: |number| counted(number, "item") };
const CHARACTERS: SizeWords =
    SizeWords { fewest: "minLength", most: "maxLength", counted: |number| counted(number, "character") };
const PROPERTIES: SizeWords =
    SizeWords { fewest: "minProperties", most: "maxProperties", counted: properties };

/// What distinguishes alternatives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FaultMark {
    /// A type, in words.
    Type(String),
    /// Nothing may be there.
    Never,
    /// A fixed value, or several.
    Literal(Arc<[Value]>),
    /// Anything else.
    Other,
}

impl<'p, 'v> Evaluation<'p, 'v> {
    /// Everything that is wrong with a value.
    pub(super) fn all_faults(&mut self, id: RuleId, value: &'v Value) -> WorkResult<Vec<SchemaFault>> {
        self.faults(id, value, &ValuePath::root())?;
        Ok(std::mem::take(&mut self.found))
    }

    fn faults(&mut self, id: RuleId, value: &'v Value, at: &ValuePath<'_>) -> WorkResult {
        if self.found.len() >= MOST || self.fits(id, value)? {
            return Ok(());
        }
        let rule = self.program.rule(id);
        if !rule.remembered {
            return self.deeper(|run| run.faults_of(id, rule, value, at));
        }
        let pair = (id, std::ptr::from_ref(value));
        if !self.explained.contains_key(&pair) {
            self.explained.insert(pair, Rc::default());
            let own = self.apart(|run| run.deeper(|run| run.faults_of(id, rule, value, at)))?;
            self.explained.insert(pair, own.into());
        }
        if let Some(known) = self.explained.get(&pair) {
            self.meter.spend(known.len() as u64)?;
            self.found.extend(known.iter().take(MOST - self.found.len()).cloned());
        }
        Ok(())
    }

    /// The faults that this finds, apart from those that were found before.
    fn apart(&mut self, work: impl FnOnce(&mut Self) -> WorkResult) -> WorkResult<Vec<SchemaFault>> {
        let before = std::mem::take(&mut self.found);
        work(self)?;
        let mut own = std::mem::replace(&mut self.found, before);
        own.truncate(MOST_SHARED);
        Ok(own)
    }

    fn faults_of(
        &mut self,
        id: RuleId,
        rule: &'p SchemaRule,
        value: &'v Value,
        at: &ValuePath<'_>,
    ) -> WorkResult {
        if rule.never {
            return self.add_marked(at, "falseSchema", FaultMark::Never, "nothing here", type_name(value));
        }
        if let Some(types) = rule.types.filter(|types| !types.admits(value)) {
            let words = joined(types.names());
            self.add_marked(at, "type", FaultMark::Type(words.clone()), words, type_name(value))?;
        }
        if let Some(literals) = &rule.literals
            && !self.is_one_of(literals, value)?
        {
            let (keyword, words) = match &*literals.options {
                [only] if literals.is_const => ("const", shown(only)),
                options => ("enum", format!("one of {}", list(options.iter(), 0))),
            };
            self.add_marked(
                at,
                keyword,
                FaultMark::Literal(Arc::clone(&literals.options)),
                words,
                found_in(value),
            )?;
        }
        match (value, &rule.text, &rule.number, &rule.array, &rule.object) {
            (Value::String(text), Some(rule), ..) => self.text_faults(rule, text, value, at)?,
            (Value::Number(number), _, Some(rule), ..) => self.number_faults(rule, number, at)?,
            (Value::Array(items), .., Some(rule), _) => self.item_faults(rule, items, at)?,
            (Value::Object(members), .., Some(rule)) => self.member_faults(rule, value, members, at)?,
            _ => {}
        }
        if let Some(applied) = &rule.applied {
            self.applied_faults(applied, value, at)?;
        }
        self.unevaluated_faults(id, value, at)
    }

    fn item_faults(&mut self, rule: &'p ArrayRule, items: &'v [Value], at: &ValuePath<'_>) -> WorkResult {
        let length = items.len() as u64;
        let found = || counted(length, "item");
        self.size_faults(&ITEMS, rule.fewest, rule.most, length, at)?;
        if rule.all_differ && !equal::all_differ(items) {
            self.add(at, "uniqueItems", "items without repetition", found())?;
        }
        for (index, (item, id)) in items.iter().zip(&rule.prefix).enumerate() {
            self.faults(*id, item, &at.item(index))?;
        }
        let behind = rule.prefix.len();
        match rule.rest {
            Some(rest) if self.program.rule(rest).never && items.len() > behind => {
                let words = format!("{} or fewer", counted(behind as u64, "item"));
                self.add(at, "items", words, found())?;
            }
            Some(rest) => {
                for (index, item) in items.iter().enumerate().skip(behind) {
                    self.faults(rest, item, &at.item(index))?;
                }
            }
            None => {}
        }
        if !self.contains_enough(rule, items)? {
            self.add(at, "contains", "the required number of items of one kind (see 'contains')", found())?;
        }
        Ok(())
    }

    fn member_faults(
        &mut self,
        rule: &'p ObjectRule,
        value: &'v Value,
        members: &'v Map<String, Value>,
        at: &ValuePath<'_>,
    ) -> WorkResult {
        self.required_faults(rule, members, at)?;
        let mut unexpected = Vec::new();
        for (name, member) in members {
            let here = at.property(name);
            let mut is_declared = false;
            if let Some(id) = rule.property(name) {
                is_declared = true;
                self.faults(id, member, &here)?;
            }
            for (pattern, id) in &rule.patterns {
                let verdict = pattern.matches(name, self.meter)?;
                is_declared |= verdict != PatternMatch::No;
                if verdict == PatternMatch::Yes {
                    self.faults(*id, member, &here)?;
                }
            }
            match rule.additional {
                Some(additional) if !is_declared && self.program.rule(additional).never => {
                    unexpected.push(name.as_str());
                }
                Some(additional) if !is_declared => self.faults(additional, member, &here)?,
                _ => {}
            }
            if let Some(names) = rule.names {
                self.name_faults(names, name, at)?;
            }
        }
        self.add_unexpected(at, "additionalProperties", &unexpected, members)?;
        for (name, id) in &rule.dependent {
            if members.contains_key(name) {
                self.faults(*id, value, at)?;
            }
        }
        Ok(())
    }

    fn name_faults(&mut self, id: RuleId, name: &str, at: &ValuePath<'_>) -> WorkResult {
        let value = Value::from(name);
        let faults = Evaluation::new(self.program, self.meter, self.deepest).all_faults(id, &value)?;
        let problems = faults.into_iter().flat_map(|fault| fault.problems);
        for (_, problem) in problems.take(MOST_SHARED) {
            let words = format!("property names, each {}", problem.expected);
            self.add(at, "propertyNames", words, shown(&value))?;
        }
        Ok(())
    }

    fn applied_faults(
        &mut self,
        applied: &'p AppliedRules,
        value: &'v Value,
        at: &ValuePath<'_>,
    ) -> WorkResult {
        for id in applied.reference.iter().chain(&applied.all_of) {
            self.faults(*id, value, at)?;
        }
        if !applied.any_of.is_empty() && !self.fits_any(&applied.any_of, value)? {
            self.branch_faults("anyOf", &applied.any_of, value, at)?;
        }
        if !applied.one_of.is_empty() {
            match self.fitting(&applied.one_of, value, 2)? {
                0 => self.branch_faults("oneOf", &applied.one_of, value, at)?,
                1 => {}
                _ => {
                    let words = "a value fitting exactly one of the alternatives (this fits several)";
                    self.add(at, "oneOf", words, found_in(value))?;
                }
            }
        }
        if let Some(not) = applied.not
            && self.fits(not, value)?
        {
            self.add(at, "not", "a value other than those ruled out by 'not'", type_name(value))?;
        }
        if let Some(condition) = applied.condition {
            let chosen = if self.fits(condition.when, value)? { condition.then } else { condition.otherwise };
            if let Some(id) = chosen {
                self.faults(id, value, at)?;
            }
        }
        Ok(())
    }

    /// None of the branches fits: what is wrong with each decides what is reported.
    fn branch_faults(
        &mut self,
        keyword: &'static str,
        ids: &[RuleId],
        value: &'v Value,
        at: &ValuePath<'_>,
    ) -> WorkResult {
        let mut branches = Vec::new();
        for id in ids {
            branches.push(self.apart(|run| run.faults(*id, value, at))?);
        }
        self.meter.spend(STEPS)?;
        let depth = at.depth();
        let mut problems = alternatives::problems(at.text(), depth, keyword, value, &branches);
        problems.truncate(MOST_SHARED);
        self.found.push(SchemaFault { depth, mark: FaultMark::Other, problems });
        Ok(())
    }

    fn unevaluated_faults(&mut self, id: RuleId, value: &'v Value, at: &ValuePath<'_>) -> WorkResult {
        match value {
            Value::Object(members) => {
                let refused = self.unevaluated_members(id, value, members)?;
                self.add_unexpected(at, "unevaluatedProperties", &refused, members)
            }
            Value::Array(items) if !self.unevaluated_items(id, value, items)?.is_empty() => {
                self.add(at, "unevaluatedItems", "no further items", found_in(value))
            }
            _ => Ok(()),
        }
    }

    fn text_faults(&mut self, rule: &TextRule, text: &str, value: &Value, at: &ValuePath<'_>) -> WorkResult {
        let length = text.chars().count() as u64;
        let found = || counted(length, "character");
        self.size_faults(&CHARACTERS, rule.fewest, rule.most, length, at)?;
        if let Some(format) = rule.format.as_ref().filter(|format| !format.accepts(text)) {
            self.add(at, "format", format.expectation(), shown(value))?;
        }
        let Some(pattern) = &rule.pattern else { return Ok(()) };
        match pattern.matches(text, self.meter)? {
            PatternMatch::Yes | PatternMatch::Unknown => Ok(()),
            PatternMatch::No => {
                let words = format!("text matching the pattern {}", short(pattern.as_str()));
                self.add(at, "pattern", words, shown(value))
            }
            PatternMatch::Undecided => {
                let words = "text for which its pattern can be decided: the pattern is too large, or takes too \
                             long with a text of this length";
                self.add(at, "pattern", words, found())
            }
        }
    }

    fn size_faults(
        &mut self,
        words: &SizeWords,
        fewest: Option<u64>,
        most: Option<u64>,
        size: u64,
        at: &ValuePath<'_>,
    ) -> WorkResult {
        let counted = words.counted;
        if let Some(fewest) = fewest.filter(|fewest| size < *fewest) {
            self.add(at, words.fewest, format!("{} or more", counted(fewest)), counted(size))?;
        }
        if let Some(most) = most.filter(|most| size > *most) {
            self.add(at, words.most, format!("{} or fewer", counted(most)), counted(size))?;
        }
        Ok(())
    }

    fn number_faults(&mut self, rule: &NumberRule, number: &Number, at: &ValuePath<'_>) -> WorkResult {
        let bounds = [
            ("minimum", &rule.minimum, "or more", [Ordering::Greater, Ordering::Equal]),
            ("maximum", &rule.maximum, "or less", [Ordering::Less, Ordering::Equal]),
            ("exclusiveMinimum", &rule.above, "more than", [Ordering::Greater; 2]),
            ("exclusiveMaximum", &rule.below, "less than", [Ordering::Less; 2]),
        ];
        for (keyword, bound, words, admitted) in bounds {
            let Some(bound) = bound else { continue };
            if !admitted.contains(&number::compare(number, bound)) {
                let behind = words.starts_with("or");
                let words = if behind { format!("{bound} {words}") } else { format!("{words} {bound}") };
                self.add(at, keyword, words, number.to_string())?;
            }
        }
        match &rule.multiple_of {
            Some(of) if !number::is_multiple(number, of) => {
                self.add(at, "multipleOf", format!("a multiple of {of}"), number.to_string())
            }
            _ => Ok(()),
        }
    }

    fn required_faults(
        &mut self,
        rule: &ObjectRule,
        members: &Map<String, Value>,
        at: &ValuePath<'_>,
    ) -> WorkResult {
        self.size_faults(&PROPERTIES, rule.fewest, rule.most, members.len() as u64, at)?;
        let needed = rule.needs.iter().filter(|(name, _)| members.contains_key(name));
        let all = rule.required.iter().chain(needed.flat_map(|(_, needed)| needed));
        for name in all.filter(|name| !members.contains_key(*name)).take(MOST) {
            let place = at.property(name).text();
            let missing = SchemaProblem::new(place, "required", "a value (it is required)", "nothing");
            self.put(at, FaultMark::Other, vec![missing])?;
        }
        Ok(())
    }

    fn add_unexpected(
        &mut self,
        at: &ValuePath<'_>,
        keyword: &str,
        names: &[&str],
        members: &Map<String, Value>,
    ) -> WorkResult {
        if names.is_empty() {
            return Ok(());
        }
        let unexpected = names.iter().take(MOST).map(|name| {
            let received = members.get(*name).map_or_else(|| "a value".to_owned(), shown);
            SchemaProblem::new(at.property(name).text(), keyword, "no property of this name", received)
        });
        self.put(at, FaultMark::Other, unexpected.collect())
    }

    /// Adds a fault that does not tell alternatives apart.
    fn add(
        &mut self,
        at: &ValuePath<'_>,
        keyword: &str,
        expected: impl Into<String>,
        received: impl Into<String>,
    ) -> WorkResult {
        self.add_marked(at, keyword, FaultMark::Other, expected, received)
    }

    fn add_marked(
        &mut self,
        at: &ValuePath<'_>,
        keyword: &str,
        mark: FaultMark,
        expected: impl Into<String>,
        received: impl Into<String>,
    ) -> WorkResult {
        self.put(at, mark, vec![SchemaProblem::new(at.text(), keyword, expected, received)])
    }

    fn put(&mut self, at: &ValuePath<'_>, mark: FaultMark, problems: Vec<SchemaProblem>) -> WorkResult {
        self.meter.spend(STEPS)?;
        let depth = at.depth();
        let problems = problems.into_iter().map(|problem| (depth, problem)).collect();
        self.found.push(SchemaFault { depth, mark, problems });
        Ok(())
    }
}

/// What came, in a few words.
fn found_in(value: &Value) -> String {
    match value {
        Value::Array(items) => counted(items.len() as u64, "item"),
        value => shown(value),
    }
}
