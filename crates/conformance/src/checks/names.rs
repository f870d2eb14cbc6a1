//! Introspection Fidelity: the facts about the protocol, names, unknown names and queries, and answers that stay the same.
//!
//! Asked once more, besides what the catalog has: names and queries that there are not, and the list again.

use super::check_shape;
use crate::report::TestReport;
use crate::shapes::{self, is_snake_case};
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Value, json};

/// The most characters of the facts: about 200 tokens.
const MOST_FACTS: usize = 1_000;

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![
        version(run),
        facts(run),
        operation_names(run),
        unknown_names(run).await,
        unknown_query(run).await,
        constancy(run).await,
    ]
}

fn version(run: &Run<'_>) -> TestReport {
    let name = "The operations list tells the protocol version";
    let mut check = Check::new(name, "X-intro-19", "there was no answer");
    let page = run.catalog.first_page();
    check.expect(
        run.catalog.protocol()["version"].is_string(),
        || "'_protocol.version' is missing.".to_owned(),
        page,
    );
    check.finish("'_protocol.version' is there.")
}

fn facts(run: &Run<'_>) -> TestReport {
    let name = "The facts about the protocol are true and short";
    let mut check = Check::new(name, "X-intro-21", "the server tells no facts about the protocol");
    let (page, protocol) = (run.catalog.first_page(), run.catalog.protocol());
    if let Some(mode) = protocol["mode"].as_str() {
        let seen = run.conversation.tools.mode();
        check.expect(
            mode == seen,
            || format!("'_protocol.mode' is '{mode}', and the tools are those of '{seen}'."),
            page,
        );
    }
    if let Some(written) = protocol.as_object().map(|facts| Value::Object(facts.clone()).to_string()) {
        let length = written.chars().count();
        check.examine();
        if length > MOST_FACTS {
            check.warn(
                "W2",
                &format!("'_protocol' has {length} characters, which every client pays for."),
                Some(page),
            );
        }
    }
    check.finish("'_protocol' agrees with the tools.")
}

fn operation_names(run: &Run<'_>) -> TestReport {
    let mut check =
        Check::new("Operation names use snake_case", "C8.5.2-1", "the list of operations is empty");
    let page = run.catalog.first_page();
    for name in run.catalog.listed.iter().filter_map(|item| item["name"].as_str()) {
        check.expect(is_snake_case(name), || format!("'{name}' is no snake_case name."), page);
    }
    check.finish("Names of operations are snake_case.")
}

async fn unknown_names(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Unknown names give null", "X-intro-18", "there was no answer");
    for (query, key) in [("operations", "operation"), ("types", "type")] {
        let answer =
            run.conversation.introspect(json!({"query": query, "name": "no_such_name_anywhere"})).await;
        let is_right = answer.is_success() && *answer.data() == json!({key: null});
        let problem = || format!("An unknown name does not give a success with exactly {{{key}: null}}.");
        check.expect(is_right, problem, &answer);
    }
    check.finish("Unknown names succeed with null.")
}

async fn unknown_query(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Unknown queries are refused", "X-intro-3", "there was no answer");
    let answer = run.conversation.introspect(json!({"query": "no_such_query"})).await;
    check.expect(answer.is_failure(), || "An unknown query is not refused.".to_owned(), &answer);
    if answer.is_failure() {
        check_shape(&mut check, &answer, shapes::introspection::failure);
        let is_known = ["INVALID_QUERY_TYPE", "INTROSPECTION_ERROR", "VALIDATION_INVALID_VALUE"]
            .contains(&answer.code());
        check.expect(
            is_known,
            || format!("The code '{}' does not say that the query is unknown.", answer.code()),
            &answer,
        );
    }
    check.finish("Unknown queries are refused with code and message alone.")
}

/// What is told once is told again.
async fn constancy(run: &Run<'_>) -> TestReport {
    let name = "Introspection stays the same within a session";
    let mut check = Check::new(name, "X-intro-34", "there was no answer");
    let again = run.conversation.introspect(json!({"query": "operations"})).await;
    let is_same = again.data()["operations"] == run.catalog.first_page().data()["operations"];
    check.prefer(is_same, || "The list of operations differs from the one before.".to_owned(), &again);
    let session = |data: &Value| data["_protocol"]["session_id"].clone();
    let (before, after) = (session(run.catalog.first_page().data()), session(again.data()));
    if !before.is_null() {
        check.examine();
        if before != after {
            let problem = format!("'_protocol.session_id' is {after} on a connection where it was {before}.");
            check.fail("C2.3.2-4", &problem, Some(&again));
        }
    }
    check.finish("The list of operations, and the session, are those of before.")
}
