//! What an operation calls: an HTTP request template, or something built in.
//!
//! Made from `maps_to` when a file is loaded; upstream fills in the values of a call.

use crate::auth::Auth;
use secrecy::SecretString;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Where a call of the operation goes.
#[derive(Debug, Clone)]
pub enum Target {
    /// An HTTP request.
    Http(HttpTarget),
    /// Answered by this server itself.
    BuiltIn(BuiltIn),
}

/// Operations that this server answers itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltIn {
    /// Describes operations and types.
    Introspect,
    /// Follows the relationships that sources declare.
    QueryRelationships,
}

/// The template of an HTTP request: `maps_to`, parsed once.
#[derive(Debug, Clone)]
pub struct HttpTarget {
    /// The API that the request goes to.
    pub site: Arc<Site>,
    /// The method.
    pub method: Method,
    /// The path, split at its placeholders.
    pub path: Vec<Segment>,
    /// Query text written in `maps_to` itself, kept as it is.
    pub static_query: Option<String>,
    /// How the body is written.
    pub body: BodyFormat,
    /// The answer may be something other than JSON.
    pub text_response: bool,
}

/// How an HTTP API is reached. Shared by all operations of a source.
#[derive(Debug)]
pub struct Site {
    /// Paths are appended to this; its path has no trailing slash.
    pub base_url: Url,
    /// The base URL itself names a private or loopback address, so calls may go there.
    pub names_private_address: bool,
    /// Constant headers from the adapter file.
    pub headers: Vec<(String, String)>,
    /// Headers set by the operator, which may hold secrets.
    pub operator_headers: Vec<(String, SecretString)>,
    /// Where credentials come from.
    pub auth: Auth,
    /// Longest wait for one attempt.
    pub timeout: Duration,
    /// Attempts after the first, where a repeat is safe.
    pub retries: u32,
}

/// A piece of a path template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Text as it is.
    Literal(String),
    /// The value of the parameter with this public name.
    Placeholder(String),
}

/// How a request body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BodyFormat {
    /// `application/json`.
    #[default]
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
}

/// The methods an adapter may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// GET
    Get,
    /// POST
    Post,
    /// PUT
    Put,
    /// PATCH
    Patch,
    /// DELETE
    Delete,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }

    /// Reads a method in any letter case.
    pub fn parse(text: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|m| m.name().eq_ignore_ascii_case(text))
    }

    /// True when undirected parameters form a body, false when they go to the query.
    pub fn has_body(self) -> bool {
        matches!(self, Method::Post | Method::Put | Method::Patch)
    }

    /// True when sending the same request again cannot act twice.
    pub fn is_idempotent(self) -> bool {
        matches!(self, Method::Get | Method::Put | Method::Delete)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
