//! Rejected parameters: the first kind of problem decides the code, every problem is listed, and a correct request shows
//! what to send (ruling W4). `introspect` gets code and message only (ruling W2).

use crate::stages::validate::{ProblemKind, Rejection, RequestProblem};
use aqueduct_operations::failure::wording::{echo, looks_like_a_leak, shortened};
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::registry::introspect_entry::QUERIES;
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_operations::target::{BuiltIn, Target};
use serde_json::{Map, Value, json};

/// Problems listed: a list of ten thousand wrong elements has as many, and no one mends more than these at once.
const MOST_LISTED: usize = 100;

/// Unknown names in the message; the details have all of them.
const MOST_NAMES: usize = 20;

/// Hints in the message.
const MOST_HINTS: usize = 3;

/// Characters of an unknown name, and of an expectation in a message.
const LONGEST_NAME: usize = 200;
const LONGEST_EXPECTATION: usize = 300;

/// A request that is not all right.
pub fn validate(rejection: &Rejection, entry: &RegistryEntry) -> Failure {
    let Some(first) = rejection.problems.first() else {
        return Failure::new(Code::ValidationInvalidValue, "The request is not valid");
    };
    if matches!(entry.operation.target, Target::BuiltIn(BuiltIn::Introspect)) {
        return of_introspect(rejection, first);
    }
    let mut failure = Failure::new(code(first.kind), headline(rejection, first));
    failure.details = details(rejection, first);
    let problems = listed(&rejection.operation, &rejection.problems);
    failure.with("problems", problems).with("example", rejection.example.clone())
}

/// The same problems of a request that goes through all the same, because the operator wants it so.
pub fn tolerated(operation: &str, problems: &[RequestProblem]) -> Warning {
    let first = problems.iter().take(MOST_NAMES);
    let sentences: Vec<String> = first.map(|problem| sentence(operation, problem)).collect();
    let message = format!("Sent although it is declared otherwise. {}", sentences.join(". "));
    Warning::new("VALIDATION_MISMATCH_WARNING", message)
        .with("problems", listed(operation, problems))
        .rated(WarningSeverity::Medium)
}

fn of_introspect(rejection: &Rejection, first: &RequestProblem) -> Failure {
    if first.param == "query" && first.kind == ProblemKind::Constraint("enum") {
        let found = echo(first.received.as_deref().unwrap_or_default());
        let message = format!("Unknown query type: '{found}'. Supported types: {}", QUERIES.join(", "));
        return Failure::new(Code::InvalidQueryType, message);
    }
    Failure::new(code(first.kind), headline(rejection, first))
}

fn code(kind: ProblemKind) -> Code {
    match kind {
        ProblemKind::Missing => Code::ValidationMissingParam,
        ProblemKind::Type => Code::ValidationInvalidType,
        ProblemKind::UnknownParam => Code::ValidationUnknownParam,
        ProblemKind::UnknownField => Code::ValidationUnknownField,
        ProblemKind::Constraint(_) => Code::ValidationInvalidValue,
    }
}

/// The message of the whole failure. Unknown names are listed together; of the other kinds the first is reported. Hints
/// follow, because some models read nothing else.
fn headline(rejection: &Rejection, first: &RequestProblem) -> String {
    let operation = &rejection.operation;
    let message = match first.kind {
        ProblemKind::UnknownParam => format!(
            "Unknown parameter(s) for operation '{operation}': {}. Valid parameters: {}",
            listed_names(rejection, first.kind),
            or_none(&rejection.valid_params)
        ),
        ProblemKind::UnknownField => format!(
            "Unknown field(s) in 'input' for operation '{operation}': {}. Valid fields: {}",
            listed_names(rejection, first.kind),
            or_none(&rejection.valid_fields)
        ),
        _ => sentence(operation, first),
    };
    let hints = rejection.problems.iter().filter_map(|problem| problem.hint.as_deref()).take(MOST_HINTS);
    hints.fold(message, |message, hint| format!("{message}. {}", capitalised(hint)))
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn capitalised(hint: &str) -> String {
    let mut letters = hint.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// Every name of one kind, cut only where no name is so long.
fn names_of(rejection: &Rejection, kind: ProblemKind) -> Vec<String> {
    let of_kind = rejection.problems.iter().filter(|p| p.kind == kind);
    of_kind.map(|p| shortened(p.param.strip_prefix("input.").unwrap_or(&p.param), LONGEST_NAME)).collect()
}

fn listed_names(rejection: &Rejection, kind: ProblemKind) -> String {
    let names = names_of(rejection, kind);
    let mut listed: Vec<String> = names.iter().take(MOST_NAMES).map(|name| echo(name)).collect();
    if names.len() > MOST_NAMES {
        listed.push(format!("and {} more", names.len() - MOST_NAMES));
    }
    listed.join(", ")
}

/// One problem in one sentence, without its hint.
fn sentence(operation: &str, problem: &RequestProblem) -> String {
    let param = echo(&problem.param);
    let expected = expectation_text(problem);
    match problem.kind {
        ProblemKind::Missing => {
            format!("Missing required parameter '{param}' for operation '{operation}'. Expected: {expected}")
        }
        ProblemKind::Type => {
            let found = problem.received.as_deref().unwrap_or("something else");
            format!("Parameter '{param}' expected '{expected}', got '{found}'")
        }
        ProblemKind::UnknownParam => format!("Unknown parameter '{param}'"),
        ProblemKind::UnknownField => format!("Unknown field '{param}'"),
        ProblemKind::Constraint(_) => match &problem.received {
            Some(found) => format!("Parameter '{param}' must be {expected}; got '{}'", echo(found)),
            None => format!("Parameter '{param}' must be {expected}"),
        },
    }
}

/// What would be right. Enum values and patterns are the author's words and may look like anything.
fn expectation_text(problem: &RequestProblem) -> String {
    let expected = problem.expected.as_deref().unwrap_or("a value");
    if looks_like_a_leak(&format!("{expected};")) {
        return "as details.expected says".to_owned();
    }
    shortened(expected, LONGEST_EXPECTATION)
}

/// The details that the first problem's code promises.
fn details(rejection: &Rejection, first: &RequestProblem) -> Map<String, Value> {
    let mut details = Map::new();
    let mut put = |key: &str, value: Value| details.insert(key.to_owned(), value);
    put("operation", rejection.operation.as_str().into());
    let first_names = || names_of(rejection, first.kind).into_iter().take(MOST_LISTED);
    match first.kind {
        ProblemKind::Missing => {
            put("param_name", first.param.as_str().into());
        }
        ProblemKind::Type => {
            put("param_name", first.param.as_str().into());
            put("expected_type", first.expected.clone().into());
            put("actual_type", first.received.clone().into());
        }
        ProblemKind::UnknownParam => {
            put("unknown_params", first_names().collect());
            put("valid_params", rejection.valid_params.clone().into());
        }
        ProblemKind::UnknownField => {
            put("unknown_fields", first_names().collect());
            put("valid_fields", rejection.valid_fields.clone().into());
        }
        ProblemKind::Constraint(constraint) => {
            put("param_name", first.param.as_str().into());
            put("constraint", constraint.into());
            put("expected", first.expected.clone().into());
            if let Some(received) = &first.received {
                put("received", received.as_str().into());
            }
        }
    }
    details
}

/// The first problems, one by one.
fn listed(operation: &str, problems: &[RequestProblem]) -> Vec<Value> {
    let shown = |problem: &RequestProblem| {
        let hint = problem.hint.as_deref().map(|hint| format!(": {hint}")).unwrap_or_default();
        let mut shown = json!({
            "code": code(problem.kind).name(),
            "param": shortened(&problem.param, LONGEST_NAME),
            "message": format!("{}{hint}", sentence(operation, problem)),
        });
        for (key, text) in [("expected", &problem.expected), ("received", &problem.received)] {
            if let Some(text) = text {
                shown[key] = text.as_str().into();
            }
        }
        shown
    };
    problems.iter().take(MOST_LISTED).map(shown).collect()
}
