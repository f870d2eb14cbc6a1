//! Talking to the server: requests go out one after the other, and all of them are remembered.
//!
//! Invariant: after a stop nothing is sent any more but what cleans up.

use crate::exchange::{Exchange, Received};
use crate::operation::Operation;
use crate::server::{Server, StrayOutput};
use crate::suite::StopFlag;
use crate::tools::Tools;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// The conversation with one server.
pub(crate) struct Conversation<'a> {
    server: &'a dyn Server,
    stop: &'a StopFlag,
    /// The tools of the server.
    pub tools: Tools,
    exchanges: RefCell<Vec<Rc<Exchange>>>,
}

impl<'a> Conversation<'a> {
    /// Begins to talk to a server with these tools.
    pub fn new(server: &'a dyn Server, stop: &'a StopFlag, tools: Tools) -> Conversation<'a> {
        Conversation { server, stop, tools, exchanges: RefCell::default() }
    }

    /// Sends arguments to a tool.
    pub async fn send(&self, tool: &str, arguments: Value) -> Rc<Exchange> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        if self.stop.is_set() {
            return Rc::new(Exchange { tool: tool.to_owned(), arguments, answer: Received::NotSent });
        }
        self.send_regardless(tool, arguments).await
    }

    /// Sends arguments to a tool, after a stop too.
    async fn send_regardless(&self, tool: &str, arguments: Map<String, Value>) -> Rc<Exchange> {
        let answer = Received::read(self.server.call(tool, arguments.clone()).await);
        let exchange = Rc::new(Exchange { tool: tool.to_owned(), arguments, answer });
        self.exchanges.borrow_mut().push(Rc::clone(&exchange));
        exchange
    }

    /// Calls an operation by its own tool.
    pub async fn operate(&self, operation: &Operation, params: Map<String, Value>) -> Rc<Exchange> {
        let tool = self.tools.of(operation);
        self.send(&tool, json!({"operation": operation.name, "params": params})).await
    }

    /// Calls an operation that cleans up: a stop does not keep it from being sent.
    pub async fn clean_up(&self, operation: &Operation, params: Map<String, Value>) -> Rc<Exchange> {
        let arguments = json!({"operation": operation.name, "params": params});
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        self.send_regardless(&self.tools.of(operation), arguments).await
    }

    /// Asks for introspection.
    pub async fn introspect(&self, params: Value) -> Rc<Exchange> {
        self.send(&self.tools.introspection, json!({"operation": "introspect", "params": params})).await
    }

    /// Everything that was said so far.
    pub fn exchanges(&self) -> Vec<Rc<Exchange>> {
        self.exchanges.borrow().clone()
    }

    /// What the server wrote on its standard output besides messages.
    pub fn stray_output(&self) -> Option<StrayOutput> {
        self.server.stray_output()
    }

    /// The run has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }
}
