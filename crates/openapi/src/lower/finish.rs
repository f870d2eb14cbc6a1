//! What is done for a document as a whole, before and after its operations: security schemes, final names, the report.
//!
//! Operations under the names they would have alone in; the same under unique names out, with all of it in the report.

use super::operation::{LoweredOperation, settle_danger};
use crate::read::DocumentSet;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::Target;
use aqueduct_source_kind::operation_names::{self, UnnamedOperation};
use aqueduct_source_kind::report::{ImportReport, ReportNote};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// More than this many warnings of the same words are only counted.
const SAME_WARNINGS: usize = 20;

/// Gives the operations their final names, and reports what happened to each of them.
pub(super) fn finish(made: Vec<LoweredOperation>, report: &mut ImportReport) -> Vec<Operation> {
    let unnamed = made.iter().map(|each| UnnamedOperation {
        operation_id: each.operation_id.as_deref(),
        method: each.method,
        path: &each.path,
    });
    let unnamed: Vec<UnnamedOperation<'_>> = unnamed.collect();
    let (names, renamed) = operation_names::names(&unnamed);
    report.renamed.extend(renamed);
    report.loaded = made.len();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut operations = Vec::with_capacity(made.len());
    for (LoweredOperation { mut operation, warnings, at_least, .. }, name) in made.into_iter().zip(names) {
        operation.name = name;
        settle_danger(&mut operation, at_least);
        if let Some(origin) = operation.origin.as_ref().filter(|origin| origin.needs_review) {
            report
                .needs_review
                .push((operation.name.clone(), format!("{}: {}", origin.place, origin.reason)));
        }
        for what in warnings {
            let count = counts.entry(what.clone()).or_default();
            *count += 1;
            if *count <= SAME_WARNINGS {
                report.warnings.push(ReportNote { operation: Some(operation.name.clone()), what });
            }
        }
        operations.push(*operation);
    }
    let mut repeated: Vec<(String, usize)> =
        counts.into_iter().filter(|(_, count)| *count > SAME_WARNINGS).collect();
    repeated.sort();
    for (what, count) in repeated {
        report.warn(format!("{count} operations in all: {what}"));
    }
    operations
}

pub(super) fn leave_out_webhooks(library: &DocumentSet, report: &mut ImportReport) {
    for (name, _) in library.webhooks() {
        report.leave_out(format!("webhook {name}"), "webhooks are calls that the API makes");
    }
}

/// Every variable that calls of these operations may read.
pub(super) fn variables(operations: &[Operation]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for operation in operations {
        if let Target::Http(target) = &operation.target {
            found.extend(target.auth_in_force().variables().into_iter().map(str::to_owned));
        }
    }
    found.into_iter().collect()
}

/// The security schemes, their references followed.
pub(super) fn schemes(library: &Arc<DocumentSet>) -> Map<String, Value> {
    let mut schemes = Map::new();
    for name in library.component_names("securitySchemes") {
        let Some(node) = library.component("securitySchemes", name) else { continue };
        let value = library.value(&node);
        let found = library.resolve(&value, &node).map(|found| found.value.into_owned());
        schemes.insert(name.to_owned(), found.unwrap_or(Value::Null));
    }
    schemes
}
