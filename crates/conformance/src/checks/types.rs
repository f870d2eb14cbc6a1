//! Introspection Fidelity: every operation and type of the lists has details, and they agree with each other.
//!
//! The catalog in; the details of types are asked for here.

use super::check_shape;
use crate::report::TestReport;
use crate::sample_value;
use crate::shapes;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Types that need no description.
const BASIC: [&str; 10] =
    ["string", "integer", "number", "boolean", "array", "object", "any", "null", "", "file"];

/// The most types whose details are read.
const MOST_TYPES: usize = 60;

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![agreement(run), completeness(run), type_details(run).await]
}

/// Lists and details say the same.
fn agreement(run: &Run<'_>) -> TestReport {
    let name = "Details agree with the list of operations";
    let mut check = Check::new(name, "X-intro-26", "the list of operations is empty");
    let listed: BTreeMap<&str, &Value> =
        run.catalog.listed.iter().filter_map(|item| Some((item["name"].as_str()?, item))).collect();
    for detail in &run.catalog.details {
        let wanted = detail.arguments["params"]["name"].as_str().unwrap_or_default();
        let (shown, item) = (&detail.data()["operation"], listed[wanted]);
        check.expect(!shown.is_null(), || format!("'{wanted}' is listed, and has no details."), detail);
        for key in ["name", "semantic_category", "endpoint"].iter().filter(|_| !shown.is_null()) {
            let problem = || {
                format!(
                    "'{key}' of '{wanted}' is {} in the list, and {} in its details.",
                    item[key], shown[key]
                )
            };
            check.expect(shown[key] == item[key], problem, detail);
        }
    }
    check.finish("Every operation that was examined has details that agree with the list.")
}

/// Pages together are the whole list, each item once.
fn completeness(run: &Run<'_>) -> TestReport {
    let name = "Lists of introspection are complete";
    let mut check = Check::new(name, "X-intro-26", "the list of operations is empty");
    let last = run.catalog.first_page();
    let mut seen = BTreeSet::new();
    // That an item has a name is a rule of its shape.
    for name in run.catalog.listed.iter().filter_map(|item| item["name"].as_str()) {
        check.expect(seen.insert(name), || format!("'{name}' is listed twice."), last);
    }
    let total = last.data()["_protocol"]["page"]["total"].as_u64();
    if let Some(total) = total.and_then(|total| usize::try_from(total).ok()) {
        let problem =
            || format!("{total} operations are told of, and {} are listed over all pages.", seen.len());
        check.expect(total == seen.len(), problem, last);
    }
    if !seen.is_empty() && !seen.contains("introspect") {
        check.warn("X-intro-30", "'introspect' is not listed.", Some(last));
    }
    check.finish("Every operation is listed once, 'introspect' among them.")
}

/// Every type that an operation names, and every one of the list, has details of its kind.
async fn type_details(run: &Run<'_>) -> TestReport {
    let name = "Types that operations name have details";
    let mut check = Check::new(name, "C9.2-1", "no operation names a type, and none is listed");
    let named = run.catalog.operations.iter().flat_map(|operation| {
        let returned = operation.raw["returns"]["name"].as_str();
        let taken = operation.parameters.iter().map(|parameter| sample_value::basic(&parameter.kind));
        returned.into_iter().chain(taken)
    });
    let kinds: BTreeMap<&str, &str> = run
        .catalog
        .types
        .iter()
        .filter_map(|item| Some((item["name"].as_str()?, item["kind"].as_str()?)))
        .collect();
    let is_basic = |name: &&str| BASIC.contains(name) || name.contains(['|', '<', '[']);
    let wanted: BTreeSet<&str> = named.filter(|name| !is_basic(name)).chain(kinds.keys().copied()).collect();
    for name in wanted.into_iter().take(MOST_TYPES) {
        let answer = run.conversation.introspect(json!({"query": "types", "name": name})).await;
        let shown = &answer.data()["type"];
        if !answer.is_success() || shown.is_null() {
            check.examine();
            check.fail("C9.2-1", &format!("The type '{name}' is named, and has no details."), Some(&answer));
            continue;
        }
        check_shape(&mut check, &answer, shapes::introspection::type_details);
        if let Some(kind) = kinds.get(name).filter(|kind| shown["kind"] != **kind) {
            let problem =
                format!("'{name}' is of kind '{kind}' in the list, and {} in its details.", shown["kind"]);
            check.fail("X-intro-26", &problem, Some(&answer));
        }
    }
    check.finish("Types that are named or listed have details of their kind.")
}
