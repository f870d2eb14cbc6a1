//! What is wrong with a control of a request.
//!
//! The parsers of this crate collect them all, so that a model can correct its request at once (ruling W4); dispatch
//! makes problems of them. The texts go out on the wire: no word of them may look like a leak.

use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::params::shape::type_name;
use serde_json::Value;

/// The kinds of mistakes, as the order of checks knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryErrorKind {
    /// Of the wrong JSON type.
    Type,
    /// A member that is not known there.
    Unknown,
    /// The right type, but not a value that can be used.
    Value,
}

/// One mistake in a control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{param}: expected {expected}, received {received}")]
pub struct QueryError {
    /// Which kind.
    pub kind: QueryErrorKind,
    /// Where it is, from the name of the control on: `filter.status.foo`.
    pub param: String,
    /// What would be right.
    pub expected: String,
    /// What came: a JSON type, or a short value.
    pub received: String,
    /// How to say it instead.
    pub hint: Option<String>,
}

/// What a parser gives: the thing, or every mistake that was found.
pub type ParseResult<T> = Result<T, Vec<QueryError>>;

/// What is expected in the place of a key.
pub(crate) const FIELD_NAME: &str = "the name of a field, or names with dots between them";

/// All that was parsed, or every mistake in it.
pub(crate) fn all<T>(parsed: impl Iterator<Item = ParseResult<T>>) -> ParseResult<Vec<T>> {
    let (mut good, mut errors) = (Vec::new(), Vec::new());
    for each in parsed {
        match each {
            Ok(one) => good.push(one),
            Err(more) => errors.extend(more),
        }
    }
    if errors.is_empty() { Ok(good) } else { Err(errors) }
}

impl QueryError {
    fn new(
        kind: QueryErrorKind,
        param: impl Into<String>,
        expected: impl Into<String>,
        received: impl Into<String>,
    ) -> QueryError {
        let (param, expected, received) = (param.into(), expected.into(), received.into());
        QueryError { kind, param, expected, received, hint: None }
    }

    /// A value of the wrong JSON type.
    pub(crate) fn wrong_type(param: impl Into<String>, expected: &str, received: &Value) -> QueryError {
        QueryError::new(QueryErrorKind::Type, param, expected, type_name(received))
    }

    /// A member that is not known there.
    pub(crate) fn unknown(place: &str, name: &str, expected: &str) -> QueryError {
        let name = echo(name);
        QueryError::new(QueryErrorKind::Unknown, format!("{place}.{name}"), expected, name)
    }

    /// A value that cannot be used.
    pub(crate) fn bad_value(
        param: impl Into<String>,
        expected: impl Into<String>,
        received: &str,
    ) -> QueryError {
        QueryError::new(QueryErrorKind::Value, param, expected, received)
    }

    /// More of something than one request may have.
    pub(crate) fn too_many(param: impl Into<String>, most: usize, received: usize, what: &str) -> QueryError {
        QueryError::bad_value(param, format!("no more than {most} {what}"), &format!("{received} {what}"))
    }

    /// The same with a hint.
    pub(crate) fn with_hint(mut self, hint: &str) -> QueryError {
        self.hint = Some(hint.to_owned());
        self
    }

    /// The same mistake in a control that is offered under another name (ruling W14).
    pub fn renamed(mut self, from: &str, to: &str) -> QueryError {
        if let Some(rest) = self.param.strip_prefix(from)
            && (rest.is_empty() || rest.starts_with('.'))
        {
            self.param = format!("{to}{rest}");
        }
        self
    }
}

#[cfg(test)]
mod tests;
