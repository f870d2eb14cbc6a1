//! A parameter: its name, its shape, where its value is looked for and where it goes.
//!
//! `shape` and `format` are those of the schema reader; `check` finds every problem of a value.

pub mod check;
pub mod writing;

pub use aqueduct_schema::shape::{Shape, ValueKind};
pub use aqueduct_schema::{format, shape};
pub use writing::{ParamEncoding, ParamStyle};

use crate::named_enum::named_enum;
use crate::secrets::names::{NamePlace, is_secret};
use aqueduct_schema::LazySchema;
use serde_json::Value;
use std::sync::Arc;

/// One declared parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// The public name, snake_case.
    pub name: String,
    /// Which values it takes.
    pub shape: Shape,
    /// Must be sent.
    pub required: bool,
    /// Used when it is not sent.
    pub default: Option<Value>,
    /// What it means, in words.
    pub description: Option<String>,
    /// Never logged, echoed or stored.
    pub sensitive: bool,
    /// Where the value goes in the request.
    pub place: ParamLocation,
    /// The name it has upstream.
    pub upstream_name: String,
    /// Where it is looked for in a request, first match first; empty means `params.<name>`, then `<name>`.
    pub sources: Vec<String>,
    /// How a list or an object is written, when not in the plain way of its place.
    pub writing: Option<ParamEncoding>,
    /// Which values it takes, in full: checked instead of the shape, which then only says so in short.
    pub schema: Option<Arc<LazySchema>>,
}

named_enum! {
    /// Where a parameter goes in an HTTP request.
    #[derive(Hash)]
    pub enum ParamLocation {
        /// Into a placeholder of the path.
        Path = "path",
        /// Into the query string.
        Query = "query",
        /// Into a header.
        Header = "header",
        /// Into a cookie.
        Cookie = "cookie",
        /// Into the body.
        Body = "body",
    }
}

impl Param {
    /// A plain optional parameter, to be changed field by field.
    pub fn new(name: impl Into<String>, kind: ValueKind) -> Param {
        let name = name.into();
        Param {
            upstream_name: name.clone(),
            name,
            shape: Shape::of(kind),
            required: false,
            default: None,
            description: None,
            sensitive: false,
            place: ParamLocation::Query,
            sources: Vec::new(),
            writing: None,
            schema: None,
        }
    }

    /// True when the value is shown to no one and kept nowhere: it is declared sensitive, or one of its names means a credential.
    pub fn is_secret(&self) -> bool {
        let is_named_so = |name: &str| is_secret(name, NamePlace::Parameter);
        self.sensitive
            || is_named_so(&self.name)
            || self.upstream_name != self.name && is_named_so(&self.upstream_name)
    }

    /// True when the value becomes a part of the body.
    pub fn is_body(&self) -> bool {
        self.place == ParamLocation::Body
    }
}
