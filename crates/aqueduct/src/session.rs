//! Calls of a program that belong together: one caller, one session, so that a confirmation holds from one to the next.
//!
//! An `Aqueduct` in; calls and their replies out. The session ends when it is dropped, and so do its tokens.

use crate::Aqueduct;
use aqueduct_operations::call::{Call, CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::handler::Elicitor;
use aqueduct_operations::progress::ProgressListener;
use aqueduct_operations::reply::Reply;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The parameter of a confirmation (ruling W7).
const CONFIRMATION: &str = "confirmation_token";

/// Calls that belong together. Dropping it ends the session; dropping the future of a call cancels that call.
///
/// ```
/// use aqueduct::serde_json::{Map, Value, json};
/// use aqueduct::{Aqueduct, HandlerError, OperationKind, OperationSpec};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let spec = OperationSpec::new("shop", "delete_book", OperationKind::Mutation, "Delete a book");
/// let delete = |_: Map<String, Value>| async { Ok::<_, HandlerError>(json!({"deleted": true})) };
/// let aqueduct = Aqueduct::builder().operation(spec, delete).build()?;
///
/// let session = aqueduct.session();
/// let asked = session.call("delete_book", Map::new()).await;
/// let token = asked.confirmation_token().ok_or("a person has to agree")?;
/// let done = session.confirm("delete_book", Map::new(), token).await;
/// assert_eq!(done.read::<Value>()?, json!({"deleted": true}));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Session {
    aqueduct: Aqueduct,
    id: SessionId,
    caller: Caller,
    scopes: Scopes,
    listener: Option<Arc<dyn ProgressListener>>,
    asker: Option<Arc<dyn Elicitor>>,
    /// It goes on when this is dropped.
    lasts: bool,
}

impl Session {
    pub(crate) fn new(aqueduct: Aqueduct) -> Session {
        Session {
            aqueduct,
            id: Session::new_id(),
            caller: Caller::local(),
            scopes: Scopes::unrestricted(),
            listener: None,
            asker: None,
            lasts: false,
        }
    }

    /// One that goes on as long as the program does.
    pub(crate) fn lasting(aqueduct: Aqueduct, id: SessionId) -> Session {
        let mut session = Session::new(aqueduct);
        (session.id, session.lasts) = (id, true);
        session
    }

    /// An identifier that cannot be guessed.
    pub(crate) fn new_id() -> SessionId {
        SessionId::new(format!("sess_{}", uuid::Uuid::new_v4().simple()))
    }

    /// Calls for someone else, who has these scopes alone.
    #[must_use]
    pub fn of_caller(mut self, name: &str, scopes: impl IntoIterator<Item = String>) -> Session {
        self.caller = Caller::named(name);
        self.scopes = Scopes::only(scopes.into_iter().collect::<Vec<String>>());
        self
    }

    /// Tells how far calls are.
    #[must_use]
    pub fn telling(mut self, listener: Arc<dyn ProgressListener>) -> Session {
        self.listener = Some(listener);
        self
    }

    /// Passes on what handlers and MCP servers ask on the way.
    #[must_use]
    pub fn asking(mut self, asker: Arc<dyn Elicitor>) -> Session {
        self.asker = Some(asker);
        self
    }

    /// Its identifier.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Runs one operation by name.
    pub async fn call(&self, operation: &str, params: Map<String, Value>) -> Reply {
        let mut request = Map::new();
        request.insert("operation".to_owned(), operation.into());
        request.insert("params".to_owned(), Value::Object(params));
        self.send(request).await
    }

    /// Runs the same call once more, now that a person has agreed to it. The token is that of the reply before.
    pub async fn confirm(&self, operation: &str, mut params: Map<String, Value>, token: &str) -> Reply {
        params.insert(CONFIRMATION.to_owned(), token.into());
        self.call(operation, params).await
    }

    /// Runs a whole request, as a client would send it: an operation with its parameters, or a batch.
    pub async fn send(&self, request: Map<String, Value>) -> Reply {
        let call = Call {
            arguments: request,
            origin: CallOrigin {
                progress: self.listener.clone(),
                asker: self.asker.clone(),
                ..CallOrigin::new(self.id.clone(), self.caller.clone(), self.scopes.clone())
            },
        };
        self.aqueduct.call(call).await
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.lasts {
            self.aqueduct.end_session(&self.id, &self.caller);
        }
    }
}

#[cfg(test)]
mod tests;
