//! A source kind of one's own, as `docs/adding-a-source-kind.md` tells of it: services of gRPC, by what they declare of
//! themselves. Nothing in Aqueduct knows of it.
//!
//! Descriptions of methods and a channel come in; specifications with handlers go out. The channel is a trait, so that
//! this file needs no gRPC library and its tests no server.

use aqueduct::{
    AccessControl, Aqueduct, Boxed, BuildError, Builder, Envelope, Handler, HandlerCall, HandlerError,
    OperationKind, OperationSpec,
};
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::sync::Arc;

fn main() -> Result<(), BuildError> {
    let methods = [Method {
        path: "/library.Books/GetBook".to_owned(),
        only_reads: true,
        takes: json!({ "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" } } }),
        gives: json!({ "type": "object", "properties": { "title": { "type": "string" } } }),
    }];
    served("library", &methods, Arc::new(NoChannel)).map(drop)
}

/// A method of a service, as reflection gives it, its messages written as JSON Schema.
#[derive(Debug, Clone)]
pub struct Method {
    /// `/package.Service/Method`.
    pub path: String,
    /// It is marked as one without side effects.
    pub only_reads: bool,
    /// What it takes.
    pub takes: Value,
    /// What it gives.
    pub gives: Value,
}

/// The way to a server; a real one has a connection inside.
pub trait Channel: Debug + Send + Sync {
    /// Calls a method. The error is what the server says.
    fn call<'a>(&'a self, path: &'a str, message: Value) -> Boxed<'a, Result<Value, String>>;
}

/// Specifications with their handlers: all that a source kind has to give.
pub fn from_grpc(
    namespace: &str,
    methods: &[Method],
    channel: &Arc<dyn Channel>,
) -> Vec<(OperationSpec, Arc<dyn Handler>)> {
    let made = methods.iter().map(|method| {
        let name = method.path.rsplit('/').next().unwrap_or_default().to_owned();
        let spec = OperationSpec {
            name,
            namespace: namespace.to_owned(),
            version: "1.0.0".to_owned(),
            kind: if method.only_reads { OperationKind::Query } else { OperationKind::Mutation },
            description: format!("Calls {}", method.path),
            input_schema: method.takes.clone(),
            output_schema: method.gives.clone(),
            access_control: AccessControl::default(),
        };
        let call = GrpcCall { path: method.path.clone(), channel: Arc::clone(channel) };
        (spec, Arc::new(call) as Arc<dyn Handler>)
    });
    made.collect()
}

/// Runs one method.
#[derive(Debug)]
struct GrpcCall {
    path: String,
    channel: Arc<dyn Channel>,
}

impl Handler for GrpcCall {
    fn run<'a>(&'a self, run: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async move {
            let message = Value::Object(run.values.clone());
            let data = self.channel.call(&self.path, message).await;
            let data = data.map_err(|words| HandlerError::Failed { message: words, details: None })?;
            Ok(Envelope::of("grpc", &self.path, data))
        })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        json!({ "method": self.path, "message": values })
    }
}

/// Everything of a service, registered.
pub fn served(
    namespace: &str,
    methods: &[Method],
    channel: Arc<dyn Channel>,
) -> Result<Aqueduct, BuildError> {
    let operations = from_grpc(namespace, methods, &channel).into_iter();
    let register = |builder: Builder, (spec, handler): (OperationSpec, Arc<dyn Handler>)| {
        let key = format!("{}.{}", spec.namespace, spec.name);
        builder.operation_spec(spec).handler(key, handler)
    };
    operations.fold(Aqueduct::builder(), register).build()
}

/// A channel to nowhere.
#[derive(Debug)]
struct NoChannel;

impl Channel for NoChannel {
    fn call<'a>(&'a self, _: &'a str, _: Value) -> Boxed<'a, Result<Value, String>> {
        Box::pin(async { Err("There is no server".to_owned()) })
    }
}
