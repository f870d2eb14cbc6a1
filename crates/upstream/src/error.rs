//! Why a call to an upstream gave no response, as data. Dispatch turns each of these into a failure with code and text.
//!
//! Nothing in here holds a credential, a resolved address or a redirect target: hosts are those of the source's own
//! base URL, and the upstream's words have passed `redact`.

use aqueduct_operations::address::AddressKind;
use aqueduct_operations::consent::ConsentRequest;
use aqueduct_operations::rate_limits::metering::LimitRefusal;
use serde_json::Value;
use std::time::Duration;

/// Why a call gave no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UpstreamError {
    /// The values do not make a request; nothing was sent.
    #[error(transparent)]
    Build(#[from] RequestBuildError),
    /// The credentials cannot be used; nothing was sent.
    #[error(transparent)]
    Credential(#[from] CredentialError),
    /// The destination is not one that we call.
    #[error(transparent)]
    Destination(#[from] DestinationError),
    /// The network gave no whole response.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The upstream answered with a status other than 2xx.
    #[error(transparent)]
    Status(Box<StatusError>),
    /// The response is not what an API answers.
    #[error(transparent)]
    Unreadable(Box<UnreadableError>),
    /// A limit of the source keeps it from being sent now; nothing was sent.
    #[error("a limit of the source")]
    Limited(Box<LimitRefusal>),
    /// The response is over the limit.
    #[error("answer of {actual} bytes or more exceeds {limit}")]
    TooLarge {
        /// Bytes allowed.
        limit: u64,
        /// Bytes announced, or seen until reading stopped.
        actual: u64,
    },
}

impl UpstreamError {
    /// The HTTP status that came back, where one did.
    pub fn http_status(&self) -> Option<u16> {
        match self {
            UpstreamError::Status(status) => Some(status.status),
            UpstreamError::Unreadable(unreadable) => Some(unreadable.http_status),
            _ => None,
        }
    }

    /// How long the upstream asks to wait, where it does.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            UpstreamError::Status(status) => status.retry_after,
            UpstreamError::Unreadable(unreadable) => unreadable.retry_after,
            _ => None,
        }
    }
}

/// A request that cannot be built. Parameters are named as the client knows them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestBuildError {
    /// The operation is not called over HTTP.
    #[error("the operation is not called over HTTP")]
    NotHttp,
    /// The permit is for another operation, or for other values.
    #[error("the permit is for another request")]
    NotPermitted,
    /// A placeholder of the path has no value, or null.
    #[error("missing path parameter {0}")]
    MissingPathParam(String),
    /// An object, or an array that holds one, where text is needed.
    #[error("parameter {0} cannot be written as text")]
    InvalidType(String),
    /// Nothing in the place of a value, which would be the path of something else.
    #[error("path parameter {0} is empty")]
    EmptyPathParam(String),
    /// A dot segment inside of the value, where the operator has that refused.
    #[error("parameter {0} holds a dot segment")]
    HiddenDotSegment(String),
    /// `.` or `..`, which would change the path.
    #[error("parameter {0} is a dot segment")]
    DotSegment(String),
    /// NUL, also when percent-encoded.
    #[error("parameter {0} holds a NUL character")]
    NulCharacter(String),
    /// Bytes are wanted, and this is no base64 with padding.
    #[error("parameter {0} is not base64")]
    NotBase64(String),
    /// A line break or another control character in a header.
    #[error("parameter {0} holds a line break or control character")]
    HeaderValue(String),
    /// A header that only the HTTP client itself may set, or no header name at all.
    #[error("header {0} cannot be set")]
    HeaderName(String),
    /// A constant header of the adapter that is not valid.
    #[error("constant header {0} has an invalid value")]
    ConstantHeader(String),
    /// The template and the base URL do not make a URL on the source's own site.
    #[error("the path template does not make a url of the site")]
    Url,
}

/// A link to another page that is not followed. Nothing was sent, and nothing of the link is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// No URL.
    #[error("the link is not a url")]
    Unusable,
    /// Longer than any honest link.
    #[error("the link has {actual} bytes, more than {limit}")]
    TooLong {
        /// Bytes allowed.
        limit: usize,
        /// Bytes found.
        actual: usize,
    },
    /// Another origin or scheme, or a path outside of the base URL's.
    #[error("the link leads away from the site")]
    Elsewhere,
    /// A name or password is written into it.
    #[error("the link holds a user name or password")]
    UserInfo,
    /// Only the pages of a GET have links.
    #[error("links are followed for GET only")]
    Method,
}

/// Credentials that cannot be used. Variables are named, values never.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    /// The variable is not set, or empty.
    #[error("environment variable {0} is not set")]
    Missing(String),
    /// The value holds a line break or something else that cannot be sent.
    #[error("environment variable {0} holds characters that cannot be sent")]
    Malformed(String),
    /// The value is a reference that whoever set it should have filled in.
    #[error("environment variable {0} holds a placeholder that was not filled in")]
    Placeholder(String),
    /// The same in a header of the operator's.
    #[error("operator header {0} holds a placeholder that was not filled in")]
    PlaceholderHeader(String),
    /// The file that names the credential is not the operator's, and the operator has not allowed it.
    #[error("{}", ask.refusal(source_name))]
    NotAllowed {
        /// What is asked for.
        ask: ConsentRequest,
        /// The source.
        source_name: String,
    },
    /// The place for the key is not a valid name.
    #[error("{0} is not a valid name for a credential")]
    Place(String),
    /// An operator's header is not valid.
    #[error("operator header {0} is not valid")]
    OperatorHeader(String),
    /// Of several alternatives none has all of its variables set.
    #[error("none of these is set: {}", in_words(.0))]
    NoAlternative(Vec<Vec<String>>),
    /// The token server gave no token that can be used.
    #[error("{host} gave no token: {why}")]
    Token {
        /// The host of the token URL.
        host: String,
        /// In fixed words, or what the server said: redacted, one line, at most 300 characters.
        why: String,
    },
    /// Plain http to a host other than this machine.
    #[error("credentials are not sent over plain http to {0}")]
    Unencrypted(String),
}

/// Alternatives as a reader would list them: `A; B and C`.
pub fn in_words(alternatives: &[Vec<String>]) -> String {
    alternatives.iter().map(|variables| variables.join(" and ")).collect::<Vec<_>>().join("; ")
}

/// A destination that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DestinationError {
    /// The source's host is, or resolves to, an address that is not public.
    #[error("{host} is a {kind} address")]
    Address {
        /// The host of the base URL.
        host: String,
        /// What kind of address.
        kind: AddressKind,
    },
    /// A redirect leads to an address that is not public.
    #[error("a redirect of {host} leads to a {kind} address")]
    RedirectAddress {
        /// The host of the base URL, not of the redirect.
        host: String,
        /// What kind of address.
        kind: AddressKind,
    },
    /// A redirect leads from https to http, or to something else than http.
    #[error("a redirect of {host} leads to an unencrypted or unknown scheme")]
    RedirectScheme {
        /// The host of the base URL.
        host: String,
    },
    /// More redirects than we follow, or one with no usable location.
    #[error("a redirect of {host} cannot be followed")]
    RedirectUnusable {
        /// The host of the base URL.
        host: String,
    },
}

/// A network failure between us and the site's own host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} ({host}:{port})")]
pub struct TransportError {
    /// What went wrong.
    pub kind: TransportErrorKind,
    /// The host of the base URL.
    pub host: String,
    /// Its port.
    pub port: u16,
}

/// Kinds of network failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TransportErrorKind {
    /// The name does not resolve.
    #[error("could not resolve host")]
    Dns,
    /// Nothing listens there.
    #[error("connection refused")]
    Refused,
    /// No whole response in time.
    #[error("timed out after {} ms", after.as_millis())]
    Timeout {
        /// The time allowed.
        after: Duration,
    },
    /// TLS failed.
    #[error("tls: {detail}")]
    Tls {
        /// In fixed words, fit for a message.
        detail: &'static str,
    },
    /// Anything else.
    #[error("network: {detail}")]
    Network {
        /// In fixed words, fit for a message.
        detail: &'static str,
        /// The connection ended before any byte of a response.
        before_answer: bool,
    },
}

/// A status other than 2xx.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("status {status}")]
pub struct StatusError {
    /// The status.
    pub status: u16,
    /// The upstream's words, redacted, one line, at most 300 characters; else `404 Not Found`.
    pub words: String,
    /// The words come from the body, not from the status.
    pub words_from_body: bool,
    /// The beginning of the body, redacted, when it says more than the words.
    pub excerpt: Option<Value>,
    /// How long the upstream asks to wait.
    pub retry_after: Option<Duration>,
    /// The body complains of a parameter that was not sent.
    pub missing_parameter: bool,
    /// The content type, as sent; empty when there is none.
    pub content_type: String,
}

/// Why a response cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadableKind {
    /// A web page.
    Html,
    /// Not JSON, or JSON cut short.
    Json,
    /// A content type that is not text.
    Binary,
    /// The compression or the character encoding is broken.
    Encoding,
    /// Something else than a stream of events, where one was asked for.
    NotEvents,
}

/// A response that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unreadable answer ({kind:?}, status {http_status})")]
pub struct UnreadableError {
    /// Why.
    pub kind: UnreadableKind,
    /// The status it came with.
    pub http_status: u16,
    /// The content type as sent, empty when there is none.
    pub content_type: String,
    /// The first 200 characters, redacted; empty for a binary answer.
    pub body_preview: String,
    /// What the parser said, for details only.
    pub parser_message: Option<String>,
    /// How long the upstream asks to wait.
    pub retry_after: Option<Duration>,
}
