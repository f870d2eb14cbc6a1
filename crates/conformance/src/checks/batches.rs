//! Lists and Batches: the shape of batches, their order, failures within them, and empty ones.
//!
//! A server that takes no batches is not judged by them here: that it should take them is a test of the features.

use super::hold;
use crate::exchange::Exchange;
use crate::report::TestReport;
use crate::shapes;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Value, json};
use std::rc::Rc;

const NO_BATCHES: &str = "the server takes no batches";

/// A request that succeeds, without anything to be warned of.
fn right() -> Value {
    json!({"operation": "introspect", "params": {"query": "operations", "name": "introspect"}})
}

/// A batch of two requests.
pub(super) async fn two(run: &Run<'_>) -> Rc<Exchange> {
    send(run, json!([right(), right()])).await
}

async fn send(run: &Run<'_>, operations: Value) -> Rc<Exchange> {
    run.conversation.send(&run.conversation.tools.introspection, json!({"operations": operations})).await
}

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    let unknown = json!({"operation": "no_such_operation", "params": {}});
    let mixed = send(run, json!([right(), unknown, right()])).await;
    let is_taken = mixed.is_success() && mixed.result()["results"].is_array();
    vec![
        closed(run, is_taken, &mixed).await,
        order(is_taken, &mixed),
        failures(is_taken, &mixed),
        empty(run, is_taken).await,
    ]
}

async fn closed(run: &Run<'_>, is_taken: bool, mixed: &Exchange) -> TestReport {
    let mut check = Check::new("Batch answers have their closed shape", "X-conf-13", NO_BATCHES);
    if is_taken {
        hold(&mut check, mixed, shapes::batch::batch);
        hold(&mut check, &*two(run).await, shapes::batch::batch);
    }
    check.finish("Batches and their items have their closed shape.")
}

fn order(is_taken: bool, mixed: &Exchange) -> TestReport {
    let mut check = Check::new("Batch items run in their order", "O7.3-1", NO_BATCHES);
    if is_taken {
        let results = mixed.result()["results"].as_array().map(Vec::as_slice).unwrap_or_default();
        let indexes: Vec<Option<u64>> = results.iter().map(|item| item["index"].as_u64()).collect();
        let names: Vec<&str> = results.iter().filter_map(|item| item["operation"].as_str()).collect();
        let is_right = indexes == [Some(0), Some(1), Some(2)]
            && names == ["introspect", "no_such_operation", "introspect"];
        check.expect(
            is_right,
            || format!("The results have the indexes {indexes:?} and the operations {names:?}."),
            mixed,
        );
    }
    check.finish("Results are in the order of the requests.")
}

fn failures(is_taken: bool, mixed: &Exchange) -> TestReport {
    let mut check = Check::new("A failing item leaves the others alone", "O7.3-2", NO_BATCHES);
    if is_taken {
        let outcome = |index: u64| {
            let results = mixed.result()["results"].as_array().into_iter().flatten();
            results.filter(|item| item["index"] == index).find_map(|item| item["result"]["success"].as_bool())
        };
        let outcomes = [outcome(0), outcome(1), outcome(2)];
        let is_right = outcomes == [Some(true), Some(false), Some(true)];
        check.expect(
            is_right,
            || format!("Of three items the second is wrong, and they succeed as {outcomes:?}."),
            mixed,
        );
        let summary = &mixed.result()["summary"];
        if is_right && (summary["total"] != 3 || summary["succeeded"] != 2 || summary["failed"] != 1) {
            check.fail("O7.2-3", &format!("The summary is {summary}, not of 3 with 2 and 1."), Some(mixed));
        }
    }
    check.finish("The items around a failing one run, and the summary counts them.")
}

async fn empty(run: &Run<'_>, is_taken: bool) -> TestReport {
    let mut check = Check::new("Empty batches are refused", "X-conf-12", NO_BATCHES);
    if is_taken {
        let answer = send(run, json!([])).await;
        check.expect(answer.is_failure(), || "An empty batch is not refused.".to_owned(), &answer);
        if answer.is_failure() {
            hold(&mut check, &answer, shapes::batch::refusal);
        }
    }
    check.finish("Empty batches are refused as a whole, with code and message alone.")
}
