//! What is told about calls: about finished ones, for metrics, where they went, how they ended and how long they took;
//! about running ones, to those who wait for them, how far they are.
//!
//! Nothing that a client sent is in it: source and operation are names of the registry, the outcome is a closed set.

use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Entry;
use aqueduct_operations::progress::{Listener, Stage};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// Is told about every call that got an answer.
pub trait Observer: Debug + Send + Sync {
    /// A call is done.
    fn finished(&self, call: &FinishedCall<'_>);
}

/// A call that is done.
#[derive(Debug, Clone, Copy)]
pub struct FinishedCall<'a> {
    /// Source and public name of the operation, once a call was found to be one of ours.
    pub operation: Option<(&'a str, &'a str)>,
    /// `success`, or the failure's code.
    pub outcome: &'static str,
    /// From the arguments to the answer.
    pub took: Duration,
    /// The part of it that was spent calling out, retries included.
    pub upstream: Option<Duration>,
}

/// What a call leaves behind on its way.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    operation: Option<(String, String)>,
    pub upstream: Option<Duration>,
}

impl Trail {
    /// The call is one of this operation.
    pub fn found(&mut self, entry: &Entry) {
        self.operation = Some((entry.source.name.clone(), entry.public_name.clone()));
    }

    /// The end of the trail.
    pub fn finished(&self, outcome: &'static str, took: Duration) -> FinishedCall<'_> {
        let operation =
            self.operation.as_ref().map(|(source, operation)| (source.as_str(), operation.as_str()));
        FinishedCall { operation, outcome, took, upstream: self.upstream }
    }
}

/// Tells whoever waits for an execution how far it is (MCP document, section 5.1). Other calls are over too soon.
pub(crate) struct Teller(Option<Arc<dyn Listener>>);

impl Teller {
    /// For a call of this operation.
    pub fn of(listener: Option<Arc<dyn Listener>>, entry: &Entry) -> Teller {
        Teller(listener.filter(|_| entry.operation.category == Category::Execute))
    }

    /// It has come to this stage.
    pub fn tell(&self, stage: Stage, message: &str) {
        if let Some(listener) = &self.0 {
            listener.told(stage.with(message));
        }
    }
}
