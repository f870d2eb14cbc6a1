//! Level 2 Features: both modes, field selection, batches, and parameters that are the same everywhere.
//!
//! What a server offers is tried where it can be, and else taken from what it tells of itself.

use super::batches;
use crate::exchange::Exchange;
use crate::identifiers;
use crate::operation::Operation;
use crate::report::TestReport;
use crate::shapes;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Parameters that many operations share.
const SHARED: [&str; 11] =
    ["query", "filter", "sort", "fields", "first", "after", "last", "before", "limit", "offset", "aggregate"];

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![modes(run), field_selection(run).await, batch_operations(run).await, uniform(run)]
}

/// Both modes are seen among the tools, or told of in `_protocol.modes`.
fn modes(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Both endpoint modes are documented", "X-conf-66", "there was no answer");
    let (tools, page) = (&run.conversation.tools, run.catalog.first_page());
    let lists_mode = |mode: &str| {
        run.catalog.protocol()["modes"]
            .as_array()
            .is_some_and(|modes| modes.iter().any(|lists_mode| lists_mode == mode))
    };
    let has_semantic = tools.families().next().is_some() || lists_mode("semantic");
    let has_single = tools.single().is_some() || lists_mode("single");
    check.expect(
        has_semantic,
        || "Semantic mode is neither seen nor told of in '_protocol.modes'.".to_owned(),
        page,
    );
    check.expect(
        has_single,
        || "Single mode is neither seen nor told of in '_protocol.modes'.".to_owned(),
        page,
    );
    let mut evidence = run.evidence.borrow_mut();
    evidence.modes.extend(has_semantic.then_some("crude"));
    evidence.modes.extend(has_single.then_some("single"));
    check.finish("Semantic and single mode are offered or told of.")
}

/// An answer that has fields, the operation that gave it, and the names of its fields.
async fn fielded<'a>(run: &'a Run<'_>) -> Vec<(&'a Operation, Rc<Exchange>, Vec<String>)> {
    let mut found = Vec::new();
    for operation in run.catalog.safe().filter(|operation| operation.parameter("fields").is_some()) {
        let answer = run.conversation.operate(operation, run.listed.request(operation)).await;
        let items = identifiers::items(answer.data());
        let names: Vec<String> = items
            .first()
            .and_then(|item| item.as_object())
            .into_iter()
            .flatten()
            .filter(|(name, value)| shapes::is_snake_case(name) && !value.is_null())
            .map(|(name, _)| name.clone())
            .collect();
        if answer.is_success() && names.len() > 1 {
            found.push((operation, answer, names));
        }
    }
    found
}

async fn field_selection(run: &Run<'_>) -> TestReport {
    let why = "no operation that changes nothing, takes 'fields' and answers with several fields was found";
    let mut check = Check::new("Field selection is supported", "X-fields-1", why);
    for (operation, _, names) in fielded(run).await {
        let mut params = run.listed.request(operation);
        params.insert("fields".to_owned(), json!([names[0]]));
        let answer = run.conversation.operate(operation, params).await;
        let items = identifiers::items(answer.data());
        let is_only = |item: &&Value| {
            item.as_object().is_some_and(|item| item.len() == 1 && item.contains_key(&names[0]))
        };
        let is_right = answer.is_success() && !items.is_empty() && items.iter().all(is_only);
        let problem =
            || format!("'{}' with fields ['{}'] gives other fields, or none.", operation.name, names[0]);
        check.expect(is_right, problem, &answer);
        run.evidence.borrow_mut().field_selection |= is_right;
    }
    let is_documented = run.catalog.safe().any(|operation| operation.parameter("fields").is_some());
    if let Some(first) = run.catalog.safe().next().filter(|_| !is_documented) {
        let problem = "No READ operation documents 'fields'; this is the first of them.";
        check.fail("X-fields-1", problem, run.catalog.detail(first));
    }
    run.evidence.borrow_mut().field_selection |= is_documented;
    check.finish("Chosen fields are given, and no others.")
}

async fn batch_operations(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Batch operations are supported", "X-conf-66", "there was no answer");
    let answer = batches::two(run).await;
    check.expect(
        answer.is_success() && answer.result()["results"].is_array(),
        || "A batch is not processed.".to_owned(),
        &answer,
    );
    if run.catalog.protocol()["capabilities"].is_object() && !run.catalog.claims("batch") {
        check.fail(
            "X-intro-22",
            "'_protocol.capabilities' does not claim 'batch'.",
            Some(run.catalog.first_page()),
        );
    }
    if answer.is_success() {
        let mut evidence = run.evidence.borrow_mut();
        evidence.batches = true;
        evidence.batch_example = Some(answer.result().clone());
    }
    check.finish("A batch is processed.")
}

/// What many operations share has the same type in all of them.
fn uniform(run: &Run<'_>) -> TestReport {
    let why = "no two operations share a parameter such as 'fields' or 'first'";
    let mut check = Check::new("Shared parameters are documented alike", "O4.4.4-2", why);
    let mut types: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for operation in run.catalog.safe() {
        let shared =
            operation.parameters.iter().filter(|parameter| SHARED.contains(&parameter.name.as_str()));
        // A parameter that is required is the operation's own.
        for parameter in shared.filter(|parameter| !parameter.is_required) {
            let first = *types.entry(&parameter.name).or_insert((&parameter.kind, &operation.name));
            if first.1 == operation.name {
                continue;
            }
            let problem = || {
                format!(
                    "'{}' is {} in '{}' and {} in '{}'.",
                    parameter.name, first.0, first.1, parameter.kind, operation.name
                )
            };
            check.prefer(first.0 == parameter.kind, problem, run.catalog.first_page());
        }
    }
    check.finish("Shared parameters have one type everywhere.")
}
