//! What can be wrong with a parameter, in the order in which the kinds are reported (ruling W4).
//!
//! `fields` collects them; `failure_map` puts them into words.

use super::fields::valid_params;
use aqueduct_operations::example::request_showing;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::suggest::nearest;
use serde_json::Value;
use std::borrow::Borrow;

/// One problem.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestProblem {
    /// Which kind.
    pub kind: ProblemKind,
    /// The parameter; fields of `input` are named `input.labels`.
    pub param: String,
    /// What would be right.
    pub expected: Option<String>,
    /// What came; never the value of a sensitive parameter.
    pub received: Option<String>,
    /// Where it belongs instead, or what was meant.
    pub hint: Option<String>,
    /// The declared parameter that is to be seen in the example: the one that is wrong, or the one that was meant.
    pub shown: Option<String>,
}

impl RequestProblem {
    /// Something is wrong with a parameter; this would be right.
    pub fn new(kind: ProblemKind, param: impl Into<String>, expected: impl Into<String>) -> RequestProblem {
        let expected = Some(expected.into());
        RequestProblem { kind, param: param.into(), expected, received: None, hint: None, shown: None }
    }

    /// A name that is none of those there are, with the nearest one.
    pub fn unknown_name(
        constraint: &'static str,
        param: &str,
        name: &str,
        known: &[impl Borrow<str>],
    ) -> RequestProblem {
        let expected = match known {
            [] => "left out: there is none".to_owned(),
            known => format!("one of {}", known.join(", ")),
        };
        let best = nearest(name, known.iter().map(Borrow::borrow), 1).first().copied();
        RequestProblem::new(ProblemKind::Constraint(constraint), param, expected)
            .received(name)
            .hint(best.map(|best| format!("send '{best}' instead of '{name}'")))
    }

    /// Says what came.
    pub fn received(self, received: impl Into<String>) -> RequestProblem {
        RequestProblem { received: Some(received.into()), ..self }
    }

    /// Says what to do about it.
    pub fn hint(self, hint: Option<String>) -> RequestProblem {
        RequestProblem { hint, ..self }
    }
}

/// The kinds, first reported first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// Required and not there.
    Missing,
    /// Of the wrong JSON type.
    Type,
    /// Not a parameter of the operation.
    UnknownParam,
    /// Not a field of the operation's `input`.
    UnknownField,
    /// Breaks this constraint.
    Constraint(&'static str),
}

impl ProblemKind {
    /// The place of the kind in the order of checks. Problems of one kind stay in the order of the parameters.
    pub fn rank(self) -> u8 {
        match self {
            ProblemKind::Missing => 0,
            ProblemKind::Type => 1,
            ProblemKind::UnknownParam => 2,
            ProblemKind::UnknownField => 3,
            ProblemKind::Constraint(_) => 4,
        }
    }
}

/// A request that is not all right, with everything that a model needs to correct it at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejection {
    /// The operation's public name.
    pub operation: String,
    /// The problems, the kind that decides the code first; never empty.
    pub problems: Vec<RequestProblem>,
    /// The names that are accepted in `params`.
    pub valid_params: Vec<String>,
    /// The names that are accepted in `params.input`.
    pub valid_fields: Vec<String>,
    /// A correct request with the required parameters and those that were wrong.
    pub example: Value,
}

impl Rejection {
    /// The request of an operation with these problems.
    pub fn new(entry: &RegistryEntry, mut problems: Vec<RequestProblem>) -> Box<Rejection> {
        problems.sort_by_key(|problem| problem.kind.rank());
        let shown: Vec<&str> = problems.iter().filter_map(|problem| problem.shown.as_deref()).collect();
        Box::new(Rejection {
            operation: entry.public_name.clone(),
            valid_params: valid_params(&entry.operation),
            valid_fields: entry.operation.input_params().map(|param| param.name.clone()).collect(),
            example: request_showing(entry, &shown),
            problems,
        })
    }
}
