//! What a request asks for: where to start, which links to follow, how far, and what to show of it.
//!
//! Checked parameters in, a `RelationshipQuery` out, or every problem with the root.

use super::index::{LinkDirection, RelationshipIndex};
use super::reader::{LinkReader, MissingRequest, find};
use super::warnings;
use crate::stages::validate::{CheckedRequest, ProblemKind, Rejection, RequestProblem};
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::params::shape::type_name;
use aqueduct_operations::reply::Warning;
use serde_json::{Map, Value};

/// What is requested.
pub struct RelationshipQuery {
    /// The type of the root, by its number in the index.
    pub element: usize,
    /// The root's name.
    pub name: String,
    /// The root as it was sent.
    pub root: Value,
    outgoing: bool,
    incoming: bool,
    relationship: Option<String>,
    /// How many links in a row.
    pub depth: u64,
    /// What to show.
    pub parts: AnswerParts,
    /// The most links to show.
    pub first: Option<usize>,
    /// The cursor behind which to go on.
    pub after: Option<String>,
    /// What was changed in it.
    pub warnings: Vec<Warning>,
}

/// The parts of a response, besides the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerParts {
    pub relationships: bool,
    pub nodes: bool,
    pub edges: bool,
}

impl AnswerParts {
    /// True when nothing but the root is wanted.
    pub fn is_none(self) -> bool {
        !(self.relationships || self.nodes || self.edges)
    }
}

impl RelationshipQuery {
    /// Understands a request.
    pub fn of(
        index: &RelationshipIndex,
        checked: &CheckedRequest<'_>,
    ) -> Result<RelationshipQuery, Box<Rejection>> {
        let values = &checked.values;
        let text = |name: &str| values.get(name).and_then(Value::as_str);
        let number = |name: &str| values.get(name).and_then(Value::as_u64);
        let root = values.get("root").cloned().unwrap_or_default();
        let mut problems = Vec::new();
        let element =
            member(&root, "element_type", &mut problems).and_then(|name| element(index, name, &mut problems));
        let name = member(&root, "element_name", &mut problems).map(str::to_owned);
        let (Some(element), Some(name)) = (element, name) else {
            return Err(Rejection::new(checked.entry, problems));
        };
        let mut warnings = Vec::new();
        let (requested, max) = (number("depth").unwrap_or(1), index.element(element).max_depth);
        if requested > max {
            warnings.push(warnings::depth_clamped(requested, max));
        }
        let included = values.get("include").and_then(Value::as_array);
        let includes = |part: &str| included.is_none_or(|parts| parts.iter().any(|each| each == part));
        let direction = text("direction").unwrap_or_default();
        Ok(RelationshipQuery {
            element,
            name,
            root,
            outgoing: direction != LinkDirection::Incoming.name(),
            incoming: direction != LinkDirection::Outgoing.name(),
            relationship: text("relationship").map(str::to_owned),
            depth: requested.min(max),
            parts: AnswerParts {
                relationships: includes("relationships"),
                nodes: includes("graph.nodes"),
                edges: includes("graph.edges"),
            },
            first: number("first").map(|first| usize::try_from(first).unwrap_or(usize::MAX)),
            after: text("after").map(str::to_owned),
            warnings,
        })
    }

    /// The values by which the root is read.
    pub fn root_values(
        &self,
        fetch: &LinkReader,
        operation: &Operation,
        call: &RegistryEntry,
    ) -> Result<Map<String, Value>, Box<Rejection>> {
        let made = fetch.requests(operation, |path| find(&self.root, path));
        let (kind, place, expected, received) = match made.map(<[_; 1]>::try_from) {
            Ok(Ok([values])) => return Ok(values),
            Ok(Err(_)) => {
                (ProblemKind::Constraint("one value"), None, "one value in each place".to_owned(), None)
            }
            Err(MissingRequest::Missing(path)) => {
                (ProblemKind::Missing, Some(path), "string".to_owned(), None)
            }
            Err(MissingRequest::Unfit { path, expected, received }) => {
                (ProblemKind::Constraint("value"), Some(path), expected, Some(received))
            }
            Err(MissingRequest::Uneven(path)) => {
                (ProblemKind::Constraint("one value"), Some(path), "one value".to_owned(), None)
            }
        };
        let param = place.map_or_else(|| "root".to_owned(), |place| format!("root.{place}"));
        let problem = RequestProblem { received, ..RequestProblem::new(kind, param, expected) };
        Err(Rejection::new(call, vec![problem]))
    }

    /// True when links like this are to be followed.
    pub fn follows(&self, name: &str, direction: LinkDirection) -> bool {
        let is_wanted = match direction {
            LinkDirection::Outgoing => self.outgoing,
            LinkDirection::Incoming => self.incoming,
        };
        is_wanted && self.relationship.as_deref().is_none_or(|wanted| wanted == name)
    }
}

/// A text in the root that must be there.
fn member<'r>(root: &'r Value, name: &str, problems: &mut Vec<RequestProblem>) -> Option<&'r str> {
    let found = root.get(name).filter(|value| !value.is_null());
    let text = found.and_then(Value::as_str).filter(|text| !text.is_empty());
    if text.is_none() {
        let (kind, expected) = match found {
            None => (ProblemKind::Missing, "string"),
            Some(Value::String(_)) => (ProblemKind::Constraint("minLength"), "some text"),
            Some(_) => (ProblemKind::Type, "string"),
        };
        let received = found.map(|value| type_name(value).to_owned());
        let problem = RequestProblem::new(kind, format!("root.{name}"), expected);
        problems.push(RequestProblem { received, ..problem });
    }
    text
}

fn element(index: &RelationshipIndex, name: &str, problems: &mut Vec<RequestProblem>) -> Option<usize> {
    let candidates = index.types_named(name);
    if let [only] = candidates[..] {
        return Some(only);
    }
    let known: Vec<&str> = match candidates.is_empty() {
        true => index.names().collect(),
        false => candidates.iter().map(|number| index.element(*number).name.as_str()).collect(),
    };
    problems.push(RequestProblem::unknown_name("element type", "root.element_type", name, &known));
    None
}
