//! One request, as a surface hands it to dispatch: the arguments as they came, who sent them and by which tool.
//!
//! Nothing has been checked yet, and printing one shows the operation's name only.

use crate::handler::Elicitor;
use crate::named_enum::named_enum;
use crate::progress::ProgressListener;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// Identifies a session. Made by this server, never taken from a client.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// Wraps an identifier that this server made.
    pub fn new(id: impl Into<Arc<str>>) -> SessionId {
        SessionId(id.into())
    }

    /// The identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

named_enum! {
    /// How a session ended (core specification, section 2.3.2).
    pub enum SessionEnd {
        /// The client closed it, or this server stopped.
        Graceful = "graceful",
        /// The transport broke, or the client was not heard of any more.
        Abrupt = "abrupt",
    }
}

/// Who sends requests, across sessions and restarts: the owner of a token by name, or the one who runs this server. There is no
/// default: its creator says which it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller(Option<Arc<str>>);

impl Caller {
    /// The one who runs this server: over stdio, from a program of their own, or over HTTP where no tokens are set.
    pub const fn local() -> Caller {
        Caller(None)
    }

    /// The owner of the token of this name.
    pub fn named(token: impl Into<Arc<str>>) -> Caller {
        Caller(Some(token.into()))
    }

    /// The name of the token; none for the one who runs this server.
    pub fn token(&self) -> Option<&Arc<str>> {
        self.0.as_ref()
    }

    /// The name for logs: the token's name, else `local`.
    pub fn name(&self) -> &str {
        self.0.as_deref().unwrap_or("local")
    }
}

/// What a caller may do, where operations ask for scopes. There is no default, and everything is had by one name only, so
/// that no path through the code gives it away by leaving something out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scopes(GrantedScopes);

#[derive(Debug, Clone, PartialEq, Eq)]
enum GrantedScopes {
    Everything,
    Only(Arc<[String]>),
}

impl Scopes {
    /// Everything: for the one who runs this server, which is every caller where no tokens are set.
    pub fn unrestricted() -> Scopes {
        Scopes(GrantedScopes::Everything)
    }

    /// These alone.
    pub fn only(scopes: impl Into<Arc<[String]>>) -> Scopes {
        Scopes(GrantedScopes::Only(scopes.into()))
    }

    /// None at all.
    pub fn none() -> Scopes {
        Scopes::only([])
    }

    /// The only ones that are had; nothing when it is everything.
    pub fn restricted(&self) -> Option<&[String]> {
        match &self.0 {
            GrantedScopes::Everything => None,
            GrantedScopes::Only(held) => Some(held),
        }
    }

    /// The first of the needed scopes that is not among these.
    pub fn missing<'a>(&self, needed: &'a [String]) -> Option<&'a String> {
        match &self.0 {
            GrantedScopes::Everything => None,
            GrantedScopes::Only(held) => needed.iter().find(|scope| !held.contains(scope)),
        }
    }
}

/// By which endpoint a call came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolEndpoint {
    /// The one tool that takes every operation, or a library call.
    Any,
    /// The tool of this family: other families' operations are refused.
    Family(String),
}

/// A request to run one operation.
#[derive(Clone)]
pub struct Call {
    /// The tool arguments, untouched.
    pub arguments: Map<String, Value>,
    /// Where it comes from.
    pub origin: CallOrigin,
}

/// Where a call comes from: by which endpoint, in which session, from whom. All operations of a batch share it.
#[derive(Clone)]
pub struct CallOrigin {
    /// The endpoint.
    pub endpoint: ToolEndpoint,
    /// The session it belongs to.
    pub session: SessionId,
    /// Who sends it.
    pub caller: Caller,
    /// Who receives its progress.
    pub progress: Option<Arc<dyn ProgressListener>>,
    /// What it may do.
    pub scopes: Scopes,
    /// Whom to ask questions while it runs.
    pub asker: Option<Arc<dyn Elicitor>>,
}

impl CallOrigin {
    /// From this caller, by the endpoint that takes every operation; no one receives progress, and no one can be asked.
    pub fn new(session: SessionId, caller: Caller, scopes: Scopes) -> CallOrigin {
        CallOrigin { endpoint: ToolEndpoint::Any, session, caller, progress: None, scopes, asker: None }
    }

    /// The same from the one who runs this server.
    pub fn local(session: SessionId) -> CallOrigin {
        CallOrigin::new(session, Caller::local(), Scopes::unrestricted())
    }
}

impl Call {
    /// The operation's name as sent, for logs; empty when there is none.
    pub fn operation(&self) -> &str {
        self.arguments.get("operation").and_then(Value::as_str).unwrap_or_default()
    }
}

// Arguments may hold sensitive values: only the operation's name is ever printed.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &self.operation())
            .field("endpoint", &self.origin.endpoint)
            .field("session", &self.origin.session)
            .finish_non_exhaustive()
    }
}
