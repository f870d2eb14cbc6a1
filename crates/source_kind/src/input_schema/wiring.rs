//! From public names back to the names of the other side, just before a call.
//!
//! Values by public name in, arguments by their own name out. A handler whose names are all the same is left as it is.

use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError, SealedHandler};
use aqueduct_operations::params::Param;
use serde_json::{Map, Value};

/// Which parameter is which argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentWiring {
    /// Public name and own name of each.
    pub names: Vec<(String, String)>,
    /// The parameter, an object, whose members are arguments themselves.
    pub spread: Option<String>,
}

/// The own name of a parameter whose members are arguments themselves.
pub(crate) const SPREAD: &str = "*";

impl ArgumentWiring {
    /// By the own names that parameters have.
    pub fn of(params: &[Param]) -> ArgumentWiring {
        let (spread, plain): (Vec<&Param>, Vec<&Param>) =
            params.iter().partition(|param| param.upstream_name == SPREAD);
        ArgumentWiring {
            names: plain.iter().map(|param| (param.name.clone(), param.upstream_name.clone())).collect(),
            spread: spread.first().map(|param| param.name.clone()),
        }
    }

    fn arguments(&self, values: &Map<String, Value>) -> Map<String, Value> {
        let spread = self.spread.as_ref().and_then(|name| values.get(name)).and_then(Value::as_object);
        let mut arguments = spread.cloned().unwrap_or_default();
        for (name, value) in values.iter().filter(|(name, _)| self.spread.as_ref() != Some(*name)) {
            // What is not declared is a control that the adapter maps to an argument of the tool.
            let own = self.names.iter().find(|(public, _)| public == name).map_or(name, |(_, own)| own);
            arguments.insert(own.clone(), value.clone());
        }
        arguments
    }
}

/// The handler, called with its own names.
pub fn wired(handler: SealedHandler, wiring: ArgumentWiring) -> SealedHandler {
    let changes_nothing = wiring.spread.is_none() && wiring.names.iter().all(|(public, own)| public == own);
    if changes_nothing { handler } else { SealedHandler::new(WiredHandler { handler, wiring }) }
}

#[derive(Debug)]
struct WiredHandler {
    handler: SealedHandler,
    wiring: ArgumentWiring,
}

impl Handler for WiredHandler {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            let values = self.wiring.arguments(run.values);
            run.delegate(&self.handler, &values).await
        })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        self.handler.preview(&self.wiring.arguments(values))
    }

    fn identity(&self) -> Option<Digest> {
        self.handler.identity()
    }
}
