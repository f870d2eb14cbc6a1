//! What an operation calls: an HTTP request template, a handler, or something built in.
//!
//! Sources make it; upstream fills the values of a call into a request, and dispatch runs handlers.

use crate::auth::Auth;
use crate::consent::Consent;
use crate::digest::Digest;
use crate::handler::SealedHandler;
use crate::named_enum::named_enum;
use crate::named_secret::NamedSecret;
use crate::params::ParamEncoding;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Where a call of the operation goes.
#[derive(Debug, Clone)]
pub enum Target {
    /// An HTTP request.
    Http(HttpTarget),
    /// Code: a tool of another MCP server, or a function of the program.
    Handler(HandlerTarget),
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
    /// Tells the state of an execution.
    GetExecution,
    /// Lists the executions of the caller.
    ListExecutions,
    /// Ends an execution.
    CancelExecution,
    /// Tries a failed execution again.
    RetryExecution,
}

named_enum! {
    /// Whose code a handler is.
    pub enum HandlerKind {
        /// A tool of another MCP server, which may give its data in content blocks.
        McpTool = "mcp",
        /// A function of the program that this library is a part of.
        Function = "native",
    }
}

/// Code that runs the operation.
#[derive(Debug, Clone)]
pub struct HandlerTarget {
    /// Whose code it is.
    pub kind: HandlerKind,
    // Only a permit for the operation runs it.
    handler: SealedHandler,
}

impl HandlerTarget {
    /// This code.
    pub fn new(kind: HandlerKind, handler: impl Into<SealedHandler>) -> HandlerTarget {
        HandlerTarget { kind, handler: handler.into() }
    }

    /// The request as a preview shows it, without credentials.
    pub fn preview(&self, values: &Map<String, Value>) -> Value {
        self.handler.preview(values)
    }

    /// Who runs it.
    pub fn identity(&self) -> Option<Digest> {
        self.handler.identity()
    }

    pub(crate) fn handler(&self) -> &SealedHandler {
        &self.handler
    }
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
    /// The exact media type of the body, when it is not the format's usual one.
    pub content_type: Option<String>,
    /// The parameter, by public name, that is the whole body.
    pub whole_body: Option<String>,
    /// A body is sent even when it has no fields.
    pub needs_body: bool,
    /// Fields, by public name, that must be there as soon as the body has any.
    pub body_needs: Vec<String>,
    /// How single fields of a form or a multipart body are written, by upstream name.
    pub parts: Vec<(String, PartRule)>,
    /// What the response may be.
    pub answer: AnswerKind,
    /// How this operation authenticates, when not as its site does.
    pub auth: Option<Arc<Auth>>,
    /// What becomes of values in the path that hold dot segments.
    pub dot_segments: DotSegments,
}

named_enum! {
    /// What becomes of a value in the path that has a dot segment in it, such as `../admin` (ruling S6).
    #[derive(Default)]
    pub enum DotSegments {
        /// It is encoded whole like any other.
        #[default]
        Encode = "encode",
        /// It is refused: the API decodes before it routes.
        Refuse = "refuse",
    }
}

impl HttpTarget {
    /// A request to this path of a site: JSON in, JSON out, and nothing else that is special about it.
    pub fn new(site: Arc<Site>, method: Method, path: Vec<Segment>) -> HttpTarget {
        HttpTarget {
            site,
            method,
            path,
            static_query: None,
            body: BodyFormat::Json,
            content_type: None,
            whole_body: None,
            needs_body: false,
            body_needs: Vec::new(),
            parts: Vec::new(),
            answer: AnswerKind::Json,
            auth: None,
            dot_segments: DotSegments::Encode,
        }
    }

    /// The path as it is written, with what is fixed of the query: `/users/{id}?full=1`.
    pub fn path_text(&self) -> String {
        let mut text: String = self.path.iter().map(Segment::to_string).collect();
        if let Some(query) = &self.static_query {
            text.push('?');
            text.push_str(query);
        }
        text
    }

    /// How calls authenticate: as the operation says, else as its site does.
    pub fn auth_in_force(&self) -> &Auth {
        self.auth.as_deref().unwrap_or(&self.site.auth)
    }

    /// What of it has to be read from variables: a header that the operator gives stands for the credential that would be
    /// in its place.
    pub fn auth_to_read(&self) -> Cow<'_, Auth> {
        let given: Vec<&str> = self.site.operator_headers.iter().map(|header| header.name.as_str()).collect();
        if given.is_empty() {
            return Cow::Borrowed(self.auth_in_force());
        }
        Cow::Owned(self.auth_in_force().without(&given))
    }
}

/// How one field of a form or of a multipart body is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartRule {
    /// Its media type in a multipart body.
    pub content_type: Option<String>,
    /// How a list or an object in it is written.
    pub writing: Option<ParamEncoding>,
    /// Its value is base64, and its bytes are sent as a file.
    pub is_file: bool,
}

/// What a response may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnswerKind {
    /// JSON alone.
    #[default]
    Json,
    /// JSON, text, or bytes, by its own content type.
    Any,
    /// A stream of events (`text/event-stream`).
    Events,
}

/// How an HTTP API is reached. Shared by all operations of a source.
#[derive(Debug, Clone)]
pub struct Site {
    /// Paths are appended to this; its path has no trailing slash.
    pub base_url: Url,
    /// The base URL itself names a private or loopback address, so calls may go there.
    pub names_private_address: bool,
    /// Constant headers from the adapter file.
    pub headers: Vec<(String, String)>,
    /// Headers set by the operator, which may hold secrets.
    pub operator_headers: Vec<NamedSecret>,
    /// Where credentials come from.
    pub auth: Auth,
    /// Who must allow that they are sent; no one when the operator named them.
    pub consent: Option<Arc<dyn Consent>>,
    /// Longest wait for one attempt.
    pub timeout: Duration,
    /// Attempts after the first, where a repeat is safe.
    pub retries: u32,
}

impl Site {
    /// Longest wait for one attempt, where nothing else is said.
    pub const TIMEOUT: Duration = Duration::from_secs(30);

    /// The API at this address, which is not private: without headers, credentials and retries.
    pub fn new(base_url: Url) -> Site {
        Site {
            base_url,
            names_private_address: false,
            headers: Vec::new(),
            operator_headers: Vec::new(),
            auth: Auth::None,
            consent: None,
            timeout: Site::TIMEOUT,
            retries: 0,
        }
    }
}

/// A piece of a path template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Text as it is.
    Literal(String),
    /// The value of the parameter with this public name.
    Placeholder(String),
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Literal(text) => f.write_str(text),
            Segment::Placeholder(name) => write!(f, "{{{name}}}"),
        }
    }
}

named_enum! {
    /// How a request body is written.
    #[derive(Default)]
    pub enum BodyFormat {
        /// `application/json`.
        #[default]
        Json = "json",
        /// `application/x-www-form-urlencoded`.
        Form = "form",
        /// `multipart/form-data`.
        Multipart = "multipart",
        /// Text as it is.
        Text = "text",
        /// Bytes, which travel here as base64.
        Bytes = "bytes",
    }
}

impl BodyFormat {
    /// Its usual media type.
    pub fn usual_type(self) -> &'static str {
        match self {
            BodyFormat::Json => "application/json",
            BodyFormat::Form => "application/x-www-form-urlencoded",
            BodyFormat::Multipart => "multipart/form-data",
            BodyFormat::Text => "text/plain",
            BodyFormat::Bytes => "application/octet-stream",
        }
    }
}

named_enum! {
    /// The methods an adapter may use.
    #[derive(Hash)]
    pub enum Method {
        /// GET
        Get = "GET",
        /// POST
        Post = "POST",
        /// PUT
        Put = "PUT",
        /// PATCH
        Patch = "PATCH",
        /// DELETE
        Delete = "DELETE",
        /// HEAD
        Head = "HEAD",
        /// OPTIONS
        Options = "OPTIONS",
        /// TRACE
        Trace = "TRACE",
        /// QUERY, a read with a body
        Query = "QUERY",
    }
}

impl Method {
    /// Reads a method in any letter case.
    pub fn parse_any_case(text: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|m| m.name().eq_ignore_ascii_case(text))
    }

    /// True when undirected parameters form a body, false when they go to the query.
    pub fn has_body(self) -> bool {
        matches!(self, Method::Post | Method::Put | Method::Patch | Method::Query)
    }

    /// True when sending the same request again cannot act twice.
    pub fn is_idempotent(self) -> bool {
        !matches!(self, Method::Post | Method::Patch)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
