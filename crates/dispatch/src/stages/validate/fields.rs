//! Judges values one by one and keeps the score: accepted values, problems, repairs.
//!
//! Values come in as they were found in the request; out goes either all of them, defaults filled in, or every problem.

use super::AcceptedRequest;
use super::problem::{ProblemKind, Rejection, RequestProblem};
use crate::failure_map;
use crate::stages::envelope::may_join;
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::{Grouping, Operation, RegistryEntry, ValidationMode};
use aqueduct_operations::params::check::{BrokenRule, INTEGER_RANGE, large_integer, of_param_within};
use aqueduct_operations::params::shape::type_name;
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_operations::reply::Warning;
use aqueduct_operations::suggest::nearest;
use aqueduct_schema::LazySchema;
use aqueduct_schema::work::Meter;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Unknown names for which a better one is looked for.
const MOST_HINTS: usize = 20;

/// Names for the most items of a list, which some operations take as `first`.
const COUNTS: [&str; 7] = ["limit", "page_size", "per_page", "max_results", "count", "size", "top_k"];

/// What to do about an unknown name.
#[derive(Default)]
struct NameAdvice {
    /// What to send instead.
    hint: Option<String>,
    /// The declared parameter that was meant.
    shown: Option<String>,
}

/// What has been found so far.
pub struct FieldChecks<'a> {
    limits: &'a Limits,
    meter: &'a Meter,
    values: Map<String, Value>,
    problems: Vec<RequestProblem>,
    /// Problems that the operator lets pass.
    tolerated: Vec<RequestProblem>,
    validation: ValidationMode,
    repaired: Vec<String>,
    moved: Vec<String>,
    forgiven: Vec<String>,
}

impl<'a> FieldChecks<'a> {
    /// Nothing found yet.
    pub fn new(limits: &'a Limits, validation: ValidationMode, meter: &'a Meter) -> FieldChecks<'a> {
        FieldChecks {
            limits,
            meter,
            values: Map::new(),
            problems: Vec::new(),
            tolerated: Vec::new(),
            validation,
            repaired: Vec::new(),
            moved: Vec::new(),
            forgiven: Vec::new(),
        }
    }

    /// Judges one parameter. `prefix` is `input.` for fields of `input`.
    pub fn validate(&mut self, param: &Param, value: Option<Value>, prefix: &str) {
        let name = format!("{prefix}{}", param.name);
        // A path has no place for null, so there it is the same as nothing.
        let value = value.filter(|value| !(value.is_null() && param.place == ParamLocation::Path));
        let Some(value) = value else {
            if param.required {
                self.missing_param(param, &name);
            }
            return;
        };
        let before = self.problems.len();
        let sent = (self.validation == ValidationMode::Warn).then(|| value.clone());
        match (self.sound(param, &name, value), sent) {
            (Some(value), _) => self.accept(param, value),
            (None, Some(value)) => {
                self.tolerated.extend(self.problems.drain(before..));
                self.accept(param, value);
            }
            (None, None) => {}
        }
    }

    /// A declared parameter that must be there and is not. Without its place in the path nothing can be sent.
    fn missing_param(&mut self, param: &Param, name: &str) {
        self.missing(name, &param.shape.kind.to_string());
        if self.validation == ValidationMode::Warn && param.place != ParamLocation::Path {
            self.tolerated.extend(self.problems.pop());
        }
    }

    /// Judges the value of a control: it is given back when it is all right. Null is nothing.
    pub fn validate_control(&mut self, param: &Param, value: Value) -> Option<Value> {
        if value.is_null() { None } else { self.sound(param, &param.name, value) }
    }

    /// The value as it is taken, when nothing is wrong with it.
    fn sound(&mut self, param: &Param, name: &str, value: Value) -> Option<Value> {
        // Text is only repaired where text itself will not do.
        let accepts =
            |schema: &Arc<LazySchema>| schema.get().accepts_within(&value, self.meter).unwrap_or(false);
        let is_taken = param.schema.as_ref().is_some_and(accepts);
        let is_text = value.is_string();
        let value = if is_taken { value } else { self.repair(name, &param.shape.kind, value) };
        let mut found = of_param_within(param, &value, self.meter);
        if is_text && value.is_number() {
            // It came as text so that no digit gets lost.
            found.retain(|problem| problem.rule != BrokenRule::Constraint(INTEGER_RANGE));
        }
        if found.is_empty() {
            return Some(without_fraction(&param.shape.kind, value));
        }
        // Many write null for "nothing"; here nothing is left out, and the example leaves it out too.
        let is_nothing = value.is_null() && !param.required;
        for problem in found {
            let is_type = problem.rule == BrokenRule::Type;
            self.problems.push(RequestProblem {
                kind: match problem.rule {
                    BrokenRule::Type => ProblemKind::Type,
                    BrokenRule::Constraint(constraint) => ProblemKind::Constraint(constraint),
                },
                param: format!("{name}{}", problem.place),
                expected: Some(problem.expected),
                received: (is_type || !param.sensitive).then_some(problem.received),
                hint: is_nothing.then(|| format!("leave '{name}' out")),
                shown: (!is_nothing).then(|| param.name.clone()),
            });
        }
        None
    }

    /// Takes a value as it is.
    pub fn accept(&mut self, param: &Param, value: Value) {
        self.values.insert(param.name.clone(), value);
    }

    /// The object in a value, as it is or as JSON text.
    pub fn object(&mut self, name: &str, value: Value) -> Option<Map<String, Value>> {
        match self.repair(name, &ValueKind::Object, value) {
            Value::Object(object) => Some(object),
            other => {
                self.wrong_type(name, "object", type_name(&other));
                None
            }
        }
    }

    /// Parses JSON text where an object or array is declared (ruling W10).
    fn repair(&mut self, name: &str, kind: &ValueKind, value: Value) -> Value {
        let Value::String(text) = &value else { return value };
        if let Some(number) = large_integer(kind, text) {
            return number;
        }
        if !kind.is_structured() || !text.trim_start().starts_with(['{', '[']) {
            return value;
        }
        match serde_json::from_str::<Value>(text) {
            Ok(parsed) if kind.accepts(&parsed) && may_join(&parsed, level(name), self.limits) => {
                self.note_repair(name);
                parsed
            }
            _ => value,
        }
    }

    /// Remembers that a field stood beside `input`.
    pub fn note_move(&mut self, name: &str) {
        self.moved.push(format!("input.{name}"));
    }

    pub fn note_repair(&mut self, name: &str) {
        self.repaired.push(name.to_owned());
    }

    pub fn wrong_type(&mut self, name: &str, expected: &str, found: &str) {
        self.problems.push(RequestProblem::new(ProblemKind::Type, name, expected).received(found));
    }

    pub fn missing(&mut self, name: &str, expected: &str) {
        self.problems.push(RequestProblem::new(ProblemKind::Missing, name, expected));
    }

    /// A parameter that came with several values.
    pub fn contradicted(&mut self, name: &str) {
        let (kind, expected) = (
            ProblemKind::Constraint("single value"),
            "sent once: it came in two spellings with different values",
        );
        let shown = Some(name.strip_prefix("input.").unwrap_or(name).to_owned());
        self.problems.push(RequestProblem { shown, ..RequestProblem::new(kind, name, expected) });
    }

    /// An unknown name that is another word for a key of the protocol.
    pub fn mistaken_param(&mut self, name: &str, hint: String) {
        let advice = NameAdvice { hint: Some(hint), shown: None };
        self.unknown(ProblemKind::UnknownParam, name.to_owned(), advice);
    }

    pub fn unknown_param(&mut self, operation: &Operation, name: &str) {
        let place = "inside 'input'";
        let better = || better_param(name, operation);
        let advice = self.advice(name, operation.input_params(), place, better);
        self.unknown(ProblemKind::UnknownParam, name.to_owned(), advice);
    }

    pub fn unknown_field(&mut self, operation: &Operation, name: &str) {
        let place = "beside 'input', not inside it";
        let better = || better_name(name, operation.input_params());
        let advice = self.advice(name, operation.outer_params(), place, better);
        self.unknown(ProblemKind::UnknownField, format!("input.{name}"), advice);
    }

    /// What to send instead of an unknown name: itself elsewhere, where it is one of the `others`, or a better one.
    fn advice<'p>(
        &self,
        name: &str,
        mut others: impl Iterator<Item = &'p Param>,
        place: &str,
        better: impl FnOnce() -> NameAdvice,
    ) -> NameAdvice {
        if self.problems.len() > MOST_HINTS {
            NameAdvice::default()
        } else if others.any(|param| param.name == name) {
            let hint = format!("put '{}' {place}", echo(name));
            NameAdvice { hint: Some(hint), shown: Some(name.to_owned()) }
        } else {
            better()
        }
    }

    fn unknown(&mut self, kind: ProblemKind, param: String, advice: NameAdvice) {
        let NameAdvice { hint, shown } = advice;
        self.problems.push(RequestProblem { kind, param, expected: None, received: None, hint, shown });
    }

    /// Lets unknown names pass; each becomes a warning.
    pub fn forgive_unknown(&mut self) {
        let is_unknown =
            |p: &RequestProblem| matches!(p.kind, ProblemKind::UnknownParam | ProblemKind::UnknownField);
        self.forgiven.extend(self.problems.iter().filter(|p| is_unknown(p)).map(|p| p.param.clone()));
        self.problems.retain(|p| !is_unknown(p));
    }

    /// Demands what a body must have as soon as it has anything. `is_sent` knows what the request names.
    pub fn demand(&mut self, operation: &Operation, prefix: &str, is_sent: &dyn Fn(&Param) -> bool) {
        let needs = operation.body_needs();
        if needs.is_empty() || !operation.params.iter().any(|param| param.is_body() && is_sent(param)) {
            return;
        }
        for param in operation.params.iter().filter(|param| needs.contains(&param.name) && !is_sent(param)) {
            self.missing_param(param, &format!("{prefix}{}", param.name));
        }
    }

    /// The values with defaults filled in, or every problem.
    pub fn finish(mut self, entry: &RegistryEntry) -> Result<AcceptedRequest, Box<Rejection>> {
        if !self.problems.is_empty() {
            return Err(Rejection::new(entry, self.problems));
        }
        // Fields of an update are left alone: a default there would overwrite what is stored.
        for param in entry.operation.outer_params() {
            if let (None, Some(default)) = (self.values.get(&param.name), &param.default) {
                self.values.insert(param.name.clone(), default.clone());
            }
        }
        if !self.forgiven.is_empty() {
            // Names come from clients, so only their number is logged.
            let count = self.forgiven.len();
            tracing::warn!(target: "aqueduct::call", count, "unknown parameters were left out");
        }
        let mut warnings = Vec::new();
        if !self.repaired.is_empty() {
            let message = format!(
                "JSON text was parsed for: {}. Send objects and arrays as they are.",
                self.repaired.join(", ")
            );
            warnings.push(Warning::new("ARGUMENT_REPAIRED", message).with("params", self.repaired));
        }
        if !self.forgiven.is_empty() {
            let names: Vec<String> = self.forgiven.iter().map(|name| echo(name)).collect();
            let message = format!(
                "Unknown parameter(s) for operation '{}' were left out: {}",
                entry.public_name,
                names.join(", ")
            );
            let warning = Warning::new("VALIDATION_UNKNOWN_PARAM", message);
            warnings.push(warning.with("unknown_params", self.forgiven));
        }
        if !self.moved.is_empty() {
            let message = format!("Put into 'input', where it belongs: {}", self.moved.join(", "));
            warnings.push(Warning::new("ARGUMENT_REPAIRED", message).with("params", self.moved));
        }
        if !self.tolerated.is_empty() {
            warnings.push(failure_map::tolerated(&entry.public_name, &self.tolerated));
        }
        Ok(AcceptedRequest { values: Arc::new(self.values), warnings, ..AcceptedRequest::default() })
    }
}

/// The level of an argument in the request: `params.x` is on the third, `params.input.x` on the fourth.
fn level(name: &str) -> u64 {
    if name.starts_with("input.") { 4 } else { 3 }
}

/// `5.0` is the integer 5, and is sent as `5`.
fn without_fraction(kind: &ValueKind, value: Value) -> Value {
    match value.as_f64().filter(|_| *kind == ValueKind::Integer && value.is_f64()) {
        Some(whole) => Value::from(whole as i64),
        None => value,
    }
}

/// The names that are accepted in `params`, controls last.
pub fn valid_params(operation: &Operation) -> Vec<String> {
    let input = (operation.grouping == Grouping::Input).then(|| "input".to_owned());
    let controls = Control::all().filter(|control| control.is_offered_on(operation));
    let controls = controls.map(|control| control.name_on(operation));
    operation.outer_params().map(|p| p.name.clone()).chain(input).chain(controls).collect()
}

/// The nearest of all names that are accepted beside `input`. A control is no part of an example.
fn better_param(name: &str, operation: &Operation) -> NameAdvice {
    let is_control = Control::all().any(|control| control.name() == name);
    let mut known = valid_params(operation);
    if is_control {
        // One control is never meant by another.
        known.retain(|each| operation.param(each).is_some());
    }
    let by_count =
        operation.param("first").filter(|_| COUNTS.contains(&name)).map(|first| first.name.clone());
    let by_spelling =
        || nearest(name, known.iter().map(String::as_str), 1).first().map(|best| (*best).to_owned());
    let best = by_count.or_else(by_spelling);
    if best.is_none() {
        let inside = better_name(name, operation.input_params()).shown;
        if is_control && inside.is_none() {
            let hint = format!("leave '{name}' out: this operation does not take it");
            return NameAdvice { hint: Some(hint), shown: None };
        }
        let hint = inside
            .as_ref()
            .map(|inside| format!("put '{inside}' inside 'input' instead of '{}'", echo(name)));
        return NameAdvice { hint, shown: inside };
    }
    let hint = best.as_ref().map(|best| format!("send '{best}' instead of '{}'", echo(name)));
    NameAdvice { hint, shown: best.filter(|best| operation.param(best).is_some()) }
}

fn better_name<'a>(name: &str, known: impl Iterator<Item = &'a Param>) -> NameAdvice {
    let best = nearest(name, known.map(|p| p.name.as_str()), 1).first().map(|best| (*best).to_owned());
    let hint = best.as_ref().map(|best| format!("send '{best}' instead of '{}'", echo(name)));
    NameAdvice { hint, shown: best }
}
