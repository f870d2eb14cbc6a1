//! What a request about a job is made in, where no call asks for it: the caller is the owner of the execution.
//!
//! An execution and the operation that started it in; the context of a request of its own out.

use super::index::Starter;
use crate::catalog::Catalog;
use crate::context::CallContext;
use crate::dispatcher::Dispatcher;
use crate::observe::CallRecord;
use crate::stages::validate::CheckedRequest;
use aqueduct_operations::call::CallOrigin;
use aqueduct_operations::execution::Execution;
use aqueduct_schema::work::Meter;
use serde_json::Map;
use std::sync::Arc;

/// A request about a job.
pub struct JobRequest<'c> {
    dispatcher: &'c Dispatcher,
    catalog: &'c Arc<Catalog>,
    checked: CheckedRequest<'c>,
    origin: CallOrigin,
    record: CallRecord<'c>,
}

impl<'c> JobRequest<'c> {
    /// One about the job of this execution.
    pub fn new(
        dispatcher: &'c Dispatcher,
        catalog: &'c Arc<Catalog>,
        starter: &Starter,
        execution: &Execution,
    ) -> JobRequest<'c> {
        let checked = CheckedRequest::subrequest(catalog.placed(starter.entry), Map::new());
        let origin = execution.spec.owner.origin();
        JobRequest { dispatcher, catalog, checked, origin, record: CallRecord::default() }
    }

    /// The context that it is sent in, with work of its own.
    pub fn context(&self) -> CallContext<'_> {
        let meter = Arc::new(Meter::new(self.dispatcher.limits().max_work_steps));
        self.dispatcher.context(&self.checked, &self.origin, self.catalog, meter, &self.record)
    }
}
