//! Introspection Fidelity, the tests of the specification: both lists, the details, and whether they tell the truth about
//! parameters.

use super::check_shape;
use crate::exchange::Exchange;
use crate::operation::Operation;
use crate::report::TestReport;
use crate::sample_value;
use crate::shapes;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Value, json};
use std::rc::Rc;

/// Parameters that many servers take on many operations: one that is taken must be documented.
const CROSS_CUTTING: [&str; 12] = [
    "fields",
    "filter",
    "sort",
    "query",
    "first",
    "after",
    "last",
    "before",
    "limit",
    "offset",
    "page",
    "aggregate",
];

/// Codes that contradict what introspection says about a request that it was made from.
const CONTRADICTIONS: [&str; 3] =
    ["VALIDATION_MISSING_PARAM", "VALIDATION_INVALID_TYPE", "VALIDATION_UNKNOWN_PARAM"];

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![operations_list(run), types_list(run), details(run), completeness(run).await, accuracy(run).await]
}

fn operations_list(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Operations query is implemented", "X-conf-53", "there was no answer");
    for page in &run.catalog.operation_pages {
        check_shape(&mut check, page, shapes::introspection::operations);
    }
    run.evidence.borrow_mut().operations_list = run.catalog.first_page().result().clone();
    check.finish("The list of operations has its closed shape on every page.")
}

fn types_list(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Types query is implemented", "X-conf-54", "there was no answer");
    for page in &run.catalog.type_pages {
        check_shape(&mut check, page, shapes::introspection::types);
    }
    if let Some(page) = run.catalog.type_pages.first() {
        run.evidence.borrow_mut().types_list = page.result().clone();
    }
    check.finish("The list of types has its closed shape on every page.")
}

fn details(run: &Run<'_>) -> TestReport {
    let mut check =
        Check::new("Operation detail payloads validate", "X-conf-55", "the list of operations is empty");
    for detail in &run.catalog.details {
        // A name of the list without details is another rule.
        if !(detail.is_success() && detail.data()["operation"].is_null()) {
            check_shape(&mut check, detail, shapes::introspection::operation);
        }
    }
    check.finish("The details of operations have their closed shape.")
}

/// Every documented parameter is taken, and none that is not documented.
async fn completeness(run: &Run<'_>) -> TestReport {
    let why = "no operation that changes nothing was found";
    let name = "Introspection completeness matches accepted parameters";
    let mut check = Check::new(name, "X-conf-56", why);
    let examined = run.catalog.operations.iter().filter(|operation| operation.is_safe());
    for operation in examined {
        for parameter in &operation.parameters {
            let answer = with_parameter(run, operation, &parameter.name).await;
            let is_taken = !answer.refuses_as_unknown(&parameter.name);
            if is_taken && !answer.is_malformed() {
                run.evidence.borrow_mut().accepts(operation, &parameter.name);
            }
            let problem =
                || format!("'{}' documents '{}', and does not take it.", operation.name, parameter.name);
            check.examine();
            if !is_taken {
                check.warn("X-conf-26", &problem(), Some(&answer));
            }
        }
        for name in CROSS_CUTTING.iter().filter(|name| operation.parameter(name).is_none()) {
            let answer = with_parameter(run, operation, name).await;
            let is_silent =
                answer.is_success() && answer.result()["warnings"].as_array().is_none_or(Vec::is_empty);
            if is_silent {
                run.evidence.borrow_mut().accepts(operation, name);
                let problem = format!("'{}' takes '{name}', and does not document it.", operation.name);
                check.fail("X-conf-26", &problem, Some(&answer));
            }
        }
    }
    accepted_by_changes(run);
    check.finish("Documented parameters are taken, and no others.")
}

/// A request with one parameter more.
async fn with_parameter(run: &Run<'_>, operation: &Operation, name: &str) -> Rc<Exchange> {
    let mut params = run.listed.request(operation);
    let value = match operation.parameter(name) {
        Some(parameter) => sample_value::right(operation, parameter),
        None => usual_value(name),
    };
    params.entry(name.to_owned()).or_insert(value);
    run.conversation.operate(operation, params).await
}

fn usual_value(name: &str) -> Value {
    match name {
        "fields" => json!(["id"]),
        "filter" | "sort" | "aggregate" => json!({}),
        "query" | "after" | "before" => json!(sample_value::MARK),
        _ => json!(1),
    }
}

/// What operations that change something took when things were made, changed and deleted: whatever was not refused before its turn.
fn accepted_by_changes(run: &Run<'_>) {
    let mut evidence = run.evidence.borrow_mut();
    let exchanges = run.conversation.exchanges();
    for operation in run.histories.iter().flat_map(|history| history.cycle.changing()) {
        let is_judged = |exchange: &&Rc<Exchange>| {
            exchange.operation() == operation.name && !CONTRADICTIONS.contains(&exchange.code())
        };
        for exchange in exchanges.iter().filter(is_judged) {
            let params = exchange.arguments.get("params").and_then(Value::as_object);
            let documented =
                params.into_iter().flatten().filter(|(name, _)| operation.parameter(name).is_some());
            documented.for_each(|(name, _)| evidence.accepts(operation, name));
        }
    }
}

/// A request made from introspection alone succeeds, or fails with something that introspection could not tell.
async fn accuracy(run: &Run<'_>) -> TestReport {
    let why = "no operation that changes nothing was found";
    let mut check = Check::new("Requests made from introspection are taken", "X-conf-25", why);
    let mut judge = |operation: &Operation, answer: &Exchange| {
        // What the API behind refuses is not what introspection got wrong.
        let is_ours = answer.details()["http_status"].is_null();
        let is_contradicted = answer.is_failure() && is_ours && CONTRADICTIONS.contains(&answer.code());
        let problem = || format!("'{}' refuses a request that its description allows.", operation.name);
        check.expect(!is_contradicted, problem, answer);
    };
    for operation in run.catalog.operations.iter().filter(|operation| operation.is_safe()) {
        judge(operation, &*run.conversation.operate(operation, run.listed.request(operation)).await);
    }
    for history in run.histories {
        if let Some(answer) = &history.created_with_least {
            judge(history.cycle.create, answer);
        }
    }
    check.finish("What introspection describes is taken.")
}
