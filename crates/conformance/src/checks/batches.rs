//! Lists and Batches: the shape of batches, their order, failures within them, and empty ones.
//!
//! A server that takes no batches is not judged by them here: that it should take them is a test of the features.

use super::check_shape;
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
        check_shape(&mut check, mixed, shapes::batch::batch);
        check_shape(&mut check, &*two(run).await, shapes::batch::batch);
    }
    check.finish("Batches and their items have their closed shape.")
}

/// The operations of the mixed batch, and whether each succeeds.
const MIXED: [(&str, bool); 3] = [("introspect", true), ("no_such_operation", false), ("introspect", true)];

/// What the answer has, its results before what a budget left pending, as it should be: all of it is there, in its order.
fn parts(answer: &Exchange) -> Vec<(&Value, &Value)> {
    let list = |key: &str| answer.result()[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let pending = if shapes::batch::is_cut_short(answer.result()) { list("pending_operations") } else { &[] };
    list("results").iter().chain(pending).map(|part| (&part["index"], &part["operation"])).collect()
}

fn order(is_taken: bool, mixed: &Exchange) -> TestReport {
    let mut check = Check::new("Batch items run in their order", "O7.3-1", NO_BATCHES);
    if is_taken {
        let parts = parts(mixed);
        let is_right =
            parts.len() == MIXED.len()
                && parts.iter().zip(MIXED).enumerate().all(|(place, ((index, operation), (wanted, _)))| {
                    **index == place && **operation == wanted
                });
        check.expect(is_right, || format!("The results are those of {parts:?}."), mixed);
    }
    check.finish("Results are in the order of the requests.")
}

fn failures(is_taken: bool, mixed: &Exchange) -> TestReport {
    let mut check = Check::new("A failing item leaves the others alone", "O7.3-2", NO_BATCHES);
    if is_taken {
        let outcome = |index: usize| {
            let results = mixed.result()["results"].as_array().into_iter().flatten();
            results.filter(|item| item["index"] == index).find_map(|item| item["result"]["success"].as_bool())
        };
        // What a budget left pending did not run.
        let pending = mixed.result()["pending_operations"].as_array().map_or(0, Vec::len);
        let is_cut = shapes::batch::is_cut_short(mixed.result());
        let run = MIXED.len().saturating_sub(if is_cut { pending } else { 0 });
        let outcomes: Vec<Option<bool>> = (0..run).map(outcome).collect();
        let wanted: Vec<bool> = MIXED.iter().take(run).map(|(_, succeeds)| *succeeds).collect();
        let is_right = outcomes.iter().zip(&wanted).all(|(outcome, wanted)| *outcome == Some(*wanted));
        check.expect(
            is_right,
            || format!("Of three items the second is wrong, and they succeed as {outcomes:?}."),
            mixed,
        );
        let count = |succeeds: bool| wanted.iter().filter(|wanted| **wanted == succeeds).count();
        let summary = &mixed.result()["summary"];
        // That there is a summary at all is a rule of the shape.
        let is_counted = ["total", "succeeded", "failed"].iter().all(|key| summary[*key].is_u64());
        let is_wrong = summary["total"] != MIXED.len()
            || summary["succeeded"] != count(true)
            || summary["failed"] != count(false);
        if is_right && is_counted && is_wrong {
            let problem = format!(
                "The summary is {summary}, of {} with {} and {}.",
                MIXED.len(),
                count(true),
                count(false)
            );
            check.fail("O7.2-3", &problem, Some(mixed));
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
            check_shape(&mut check, &answer, shapes::batch::refusal);
        }
    }
    check.finish("Empty batches are refused as a whole, with code and message alone.")
}
