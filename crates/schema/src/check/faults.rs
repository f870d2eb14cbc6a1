//! What is wrong with a value, rule by rule.
//!
//! A rule and a value that does not fit it in; faults out, each with its place and its words. As many are told as anybody
//! reads; what a rule that is used in several places finds in a value is worked out once.

use super::rules::{AppliedRules, ArrayRule, NumberRule, ObjectRule, RuleId, SchemaRule, TextRule};
use super::run::Evaluation;
use super::{equal, number};
use crate::pattern::Match;
use crate::place::ValuePath;
use crate::problem::words::{a_type, counted, kind_of, list, properties, shown};
use crate::problem::{SchemaProblem, alternatives};
use crate::work::WorkStop;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

/// Faults that are told of one value, and of one rule that is used in several places.
const MOST: usize = 1_000;
const MOST_SHARED: usize = 100;
/// Steps that a fault takes: its words are made.
const STEPS: u64 = 20;

/// One thing that is wrong, in as many words as it takes.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// Levels between the whole value and the place.
    pub(crate) depth: usize,
    pub(crate) mark: Mark,
    pub(crate) problems: Vec<(usize, SchemaProblem)>,
}

/// What tells alternatives apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A type, in words.
    Type(String),
    /// Nothing may be there.
    Never,
    /// A fixed value, or several.
    Literal(Arc<[Value]>),
    /// Anything else.
    Other,
}

type FoundFaults = Vec<Fault>;

impl<'p, 'v> Evaluation<'p, 'v> {
    /// Everything that is wrong with a value.
    pub(super) fn all_faults(&mut self, id: RuleId, value: &'v Value) -> Result<Vec<Fault>, WorkStop> {
        let mut found = Vec::new();
        self.faults(id, value, &ValuePath::root(), &mut found)?;
        Ok(found)
    }

    fn faults(
        &mut self,
        id: RuleId,
        value: &'v Value,
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        if found.len() >= MOST || self.fits(id, value)? {
            return Ok(());
        }
        let rule = self.program.rule(id);
        if !rule.remembered {
            return self.deeper(|run| run.faults_of(id, rule, value, at, found));
        }
        let pair = (id, std::ptr::from_ref(value));
        if !self.explained.contains_key(&pair) {
            self.explained.insert(pair, Rc::default());
            let mut own = Vec::new();
            self.deeper(|run| run.faults_of(id, rule, value, at, &mut own))?;
            own.truncate(MOST_SHARED);
            self.explained.insert(pair, own.into());
        }
        if let Some(known) = self.explained.get(&pair) {
            self.meter.spend(known.len() as u64)?;
            found.extend(known.iter().take(MOST - found.len()).cloned());
        }
        Ok(())
    }

    fn faults_of(
        &mut self,
        id: RuleId,
        rule: &'p SchemaRule,
        value: &'v Value,
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        let mut note = FaultCollector { at, found, run: self };
        if rule.never {
            return note.add(
                "falseSchema",
                Mark::Never,
                "nothing here".to_owned(),
                kind_of(value).to_owned(),
            );
        }
        if let Some(types) = rule.types.filter(|types| !types.admits(value)) {
            let words = a_type(types.names());
            note.add("type", Mark::Type(words.clone()), words, kind_of(value).to_owned())?;
        }
        if let Some(literals) = &rule.literals
            && !note.run.is_one_of(literals, value)?
        {
            let (keyword, words) = match &*literals.options {
                [only] if literals.is_const => ("const", shown(only)),
                options => ("enum", format!("one of {}", list(options.iter(), 0))),
            };
            note.add(keyword, Mark::Literal(Arc::clone(&literals.options)), words, found_in(value))?;
        }
        match value {
            Value::String(text) => rule.text.as_ref().map_or(Ok(()), |rule| note.text(rule, text, value))?,
            Value::Number(number) => rule.number.as_ref().map_or(Ok(()), |rule| note.number(rule, number))?,
            Value::Array(items) => {
                if let Some(rule) = &rule.array {
                    note.sizes(rule, items)?;
                    self.items(rule, items, at, found)?;
                }
            }
            Value::Object(members) => {
                if let Some(rule) = &rule.object {
                    note.required(rule, members)?;
                    self.members(rule, value, members, at, found)?;
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
        if let Some(applied) = &rule.applied {
            self.applied_faults(applied, value, at, found)?;
        }
        self.unevaluated(id, value, at, found)
    }

    fn items(
        &mut self,
        rule: &'p ArrayRule,
        items: &'v [Value],
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        for (index, (item, id)) in items.iter().zip(&rule.prefix).enumerate() {
            self.faults(*id, item, &at.item(index), found)?;
        }
        let behind = rule.prefix.len();
        match rule.rest {
            Some(rest) if self.program.rule(rest).never && items.len() > behind => {
                let words = format!("{} or fewer", counted(behind as u64, "item"));
                let mut note = FaultCollector { at, found, run: self };
                note.add("items", Mark::Other, words, counted(items.len() as u64, "item"))?;
            }
            Some(rest) => {
                for (index, item) in items.iter().enumerate().skip(behind) {
                    self.faults(rest, item, &at.item(index), found)?;
                }
            }
            None => {}
        }
        if !self.contains_enough(rule, items)? {
            let words = "the required number of items of one kind (see 'contains')".to_owned();
            let mut note = FaultCollector { at, found, run: self };
            note.add("contains", Mark::Other, words, counted(items.len() as u64, "item"))?;
        }
        Ok(())
    }

    fn members(
        &mut self,
        rule: &'p ObjectRule,
        value: &'v Value,
        members: &'v Map<String, Value>,
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        let mut unexpected = Vec::new();
        for (name, member) in members {
            let here = at.property(name);
            let mut is_declared = false;
            if let Some(id) = rule.property(name) {
                is_declared = true;
                self.faults(id, member, &here, found)?;
            }
            for (pattern, id) in &rule.patterns {
                let verdict = pattern.matches(name, self.meter)?;
                is_declared |= verdict != Match::No;
                if verdict == Match::Yes {
                    self.faults(*id, member, &here, found)?;
                }
            }
            match rule.additional {
                Some(additional) if !is_declared && self.program.rule(additional).never => {
                    unexpected.push(name.as_str());
                }
                Some(additional) if !is_declared => self.faults(additional, member, &here, found)?,
                _ => {}
            }
            if let Some(names) = rule.names {
                self.name_faults(names, name, at, found)?;
            }
        }
        FaultCollector { at, found, run: self }.unexpected("additionalProperties", &unexpected, members)?;
        for (name, id) in &rule.dependent {
            if members.contains_key(name) {
                self.faults(*id, value, at, found)?;
            }
        }
        Ok(())
    }

    fn name_faults(
        &mut self,
        id: RuleId,
        name: &str,
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        let value = Value::from(name);
        let faults = Evaluation::new(self.program, self.meter, self.deepest).all_faults(id, &value)?;
        let mut note = FaultCollector { at, found, run: self };
        let problems = faults.into_iter().flat_map(|fault| fault.problems);
        for (_, problem) in problems.take(MOST_SHARED) {
            let words = format!("property names, each {}", problem.expected);
            note.add("propertyNames", Mark::Other, words, shown(&value))?;
        }
        Ok(())
    }

    fn applied_faults(
        &mut self,
        applied: &'p AppliedRules,
        value: &'v Value,
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        for id in applied.reference.iter().chain(&applied.all_of) {
            self.faults(*id, value, at, found)?;
        }
        if !applied.any_of.is_empty() && !self.fits_any(&applied.any_of, value)? {
            self.branches("anyOf", &applied.any_of, value, at, found)?;
        }
        if !applied.one_of.is_empty() {
            match self.fitting(&applied.one_of, value, 2)? {
                0 => self.branches("oneOf", &applied.one_of, value, at, found)?,
                1 => {}
                _ => {
                    let words = "a value fitting exactly one of the alternatives (this fits several)";
                    let mut note = FaultCollector { at, found, run: self };
                    note.add("oneOf", Mark::Other, words.to_owned(), found_in(value))?;
                }
            }
        }
        if let Some(not) = applied.not
            && self.fits(not, value)?
        {
            let words = "a value other than those ruled out by 'not'".to_owned();
            FaultCollector { at, found, run: self }.add(
                "not",
                Mark::Other,
                words,
                kind_of(value).to_owned(),
            )?;
        }
        if let Some(condition) = applied.condition {
            let chosen = if self.fits(condition.when, value)? { condition.then } else { condition.otherwise };
            if let Some(id) = chosen {
                self.faults(id, value, at, found)?;
            }
        }
        Ok(())
    }

    /// None of the branches fits: what is wrong with each decides what is told.
    fn branches(
        &mut self,
        keyword: &'static str,
        ids: &[RuleId],
        value: &'v Value,
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        let mut branches = Vec::new();
        for id in ids {
            let mut branch = Vec::new();
            self.faults(*id, value, at, &mut branch)?;
            branch.truncate(MOST_SHARED);
            branches.push(branch);
        }
        self.meter.spend(STEPS)?;
        let depth = at.depth();
        let mut problems = alternatives::problems(at.text(), depth, keyword, value, &branches);
        problems.truncate(MOST_SHARED);
        found.push(Fault { depth, mark: Mark::Other, problems });
        Ok(())
    }

    fn unevaluated(
        &mut self,
        id: RuleId,
        value: &'v Value,
        at: &ValuePath<'_>,
        found: &mut FoundFaults,
    ) -> Result<(), WorkStop> {
        match value {
            Value::Object(members) => {
                let refused = self.unevaluated_members(id, value, members)?;
                FaultCollector { at, found, run: self }.unexpected("unevaluatedProperties", &refused, members)
            }
            Value::Array(items) if !self.unevaluated_items(id, value, items)?.is_empty() => {
                let words = "no further items".to_owned();
                let mut note = FaultCollector { at, found, run: self };
                note.add("unevaluatedItems", Mark::Other, words, counted(items.len() as u64, "item"))
            }
            _ => Ok(()),
        }
    }
}

/// Puts faults of one place together.
struct FaultCollector<'r, 'f, 'p, 'v> {
    at: &'r ValuePath<'r>,
    found: &'f mut FoundFaults,
    run: &'f mut Evaluation<'p, 'v>,
}

impl FaultCollector<'_, '_, '_, '_> {
    fn add(&mut self, keyword: &str, mark: Mark, expected: String, received: String) -> Result<(), WorkStop> {
        let place = self.at.text();
        self.put(keyword, mark, [(place, expected, received)].into_iter())
    }

    fn put(
        &mut self,
        keyword: &str,
        mark: Mark,
        told: impl Iterator<Item = (String, String, String)>,
    ) -> Result<(), WorkStop> {
        self.run.meter.spend(STEPS)?;
        let depth = self.at.depth();
        let keyword = keyword.to_owned();
        let problem = |(place, expected, received)| {
            (depth, SchemaProblem { place, keyword: keyword.clone(), expected, received })
        };
        self.found.push(Fault { depth, mark, problems: told.map(problem).collect() });
        Ok(())
    }

    fn text(&mut self, rule: &TextRule, text: &str, value: &Value) -> Result<(), WorkStop> {
        let length = text.chars().count() as u64;
        let came = || counted(length, "character");
        if let Some(fewest) = rule.fewest.filter(|fewest| length < *fewest) {
            let words = format!("{} or more", counted(fewest, "character"));
            self.add("minLength", Mark::Other, words, came())?;
        }
        if let Some(most) = rule.most.filter(|most| length > *most) {
            let words = format!("{} or fewer", counted(most, "character"));
            self.add("maxLength", Mark::Other, words, came())?;
        }
        if let Some(format) = rule.format.as_ref().filter(|format| !format.accepts(text)) {
            self.add("format", Mark::Other, format.expectation().to_owned(), shown(value))?;
        }
        let Some(pattern) = &rule.pattern else { return Ok(()) };
        match pattern.matches(text, self.run.meter)? {
            Match::Yes | Match::Unknown => Ok(()),
            Match::No => {
                let words =
                    format!("text matching the pattern {}", crate::problem::words::short(pattern.as_str()));
                self.add("pattern", Mark::Other, words, shown(value))
            }
            Match::Undecided => {
                let words = "text for which its pattern can be decided: the pattern is too large, or takes too \
                             long with a text of this length";
                self.add("pattern", Mark::Other, words.to_owned(), came())
            }
        }
    }

    fn number(&mut self, rule: &NumberRule, number: &Number) -> Result<(), WorkStop> {
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
                self.add(keyword, Mark::Other, words, number.to_string())?;
            }
        }
        match &rule.multiple_of {
            Some(of) if !number::is_multiple(number, of) => {
                self.add("multipleOf", Mark::Other, format!("a multiple of {of}"), number.to_string())
            }
            _ => Ok(()),
        }
    }

    fn sizes(&mut self, rule: &ArrayRule, items: &[Value]) -> Result<(), WorkStop> {
        let length = items.len() as u64;
        let came = || counted(length, "item");
        if let Some(fewest) = rule.fewest.filter(|fewest| length < *fewest) {
            self.add("minItems", Mark::Other, format!("{} or more", counted(fewest, "item")), came())?;
        }
        if let Some(most) = rule.most.filter(|most| length > *most) {
            self.add("maxItems", Mark::Other, format!("{} or fewer", counted(most, "item")), came())?;
        }
        if rule.all_differ && !equal::all_differ(items) {
            self.add("uniqueItems", Mark::Other, "items without repetition".to_owned(), came())?;
        }
        Ok(())
    }

    fn required(&mut self, rule: &ObjectRule, members: &Map<String, Value>) -> Result<(), WorkStop> {
        let length = members.len() as u64;
        if let Some(fewest) = rule.fewest.filter(|fewest| length < *fewest) {
            let words = format!("{} or more", properties(fewest));
            self.add("minProperties", Mark::Other, words, properties(length))?;
        }
        if let Some(most) = rule.most.filter(|most| length > *most) {
            let words = format!("{} or fewer", properties(most));
            self.add("maxProperties", Mark::Other, words, properties(length))?;
        }
        let needed = rule.needs.iter().filter(|(name, _)| members.contains_key(name));
        let all = rule.required.iter().chain(needed.flat_map(|(_, needed)| needed));
        for name in all.filter(|name| !members.contains_key(*name)).take(MOST) {
            let place = self.at.property(name).text();
            let words = "a value (it is required)".to_owned();
            self.put("required", Mark::Other, [(place, words, "nothing".to_owned())].into_iter())?;
        }
        Ok(())
    }

    fn unexpected(
        &mut self,
        keyword: &str,
        names: &[&str],
        members: &Map<String, Value>,
    ) -> Result<(), WorkStop> {
        if names.is_empty() {
            return Ok(());
        }
        let at = self.at;
        let told = names.iter().take(MOST).map(|name| {
            let received = members.get(*name).map_or_else(|| "a value".to_owned(), shown);
            (at.property(name).text(), "no property of this name".to_owned(), received)
        });
        self.put(keyword, Mark::Other, told)
    }
}

/// What came, in a few words.
fn found_in(value: &Value) -> String {
    match value {
        Value::Array(items) => counted(items.len() as u64, "item"),
        value => shown(value),
    }
}
