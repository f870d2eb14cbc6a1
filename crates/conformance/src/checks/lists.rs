//! Lists and Batches: pages that together are the list, and pages that say where they end.
//!
//! Lists that change while they are walked are left out: they would tell nothing.

use crate::exchange::Exchange;
use crate::identifiers;
use crate::operation::Operation;
use crate::report::TestReport;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The size of the pages that a list is walked in.
const SIZE: usize = 2;

/// The most pages of a list that are walked, and the most lists.
const MOST_PAGES: usize = 30;
const MOST_LISTS: usize = 5;

const NO_LISTS: &str =
    "no operation that changes nothing answers with 'items' and 'pageInfo', and takes 'first' and 'after'";

pub(super) async fn checks(run: &Run<'_>) -> Vec<TestReport> {
    let mut walks = Vec::new();
    let is_paged =
        |operation: &&Operation| ["first", "after"].iter().all(|name| operation.parameter(name).is_some());
    for operation in run.catalog.safe().filter(is_paged) {
        let whole = ask(run, operation, json!({"first": SIZE * MOST_PAGES})).await;
        if whole.is_success() && identifiers::is_collection(whole.data()) && walks.len() < MOST_LISTS {
            let pages = walk(run, operation).await;
            let again = ask(run, operation, json!({"first": SIZE * MOST_PAGES})).await;
            // A list that somebody changes meanwhile tells nothing.
            if again.data()["items"] == whole.data()["items"] {
                walks.push((operation, whole, pages));
            }
        }
    }
    vec![page_info(&walks), complete(&walks), refused(run, &walks).await]
}

/// An operation, all of its list, and the same in small pages.
type Walk<'a> = (&'a Operation, Rc<Exchange>, Vec<Rc<Exchange>>);

async fn ask(run: &Run<'_>, operation: &Operation, more: Value) -> Rc<Exchange> {
    let mut params = run.listed.request(operation);
    params.extend(more.as_object().cloned().unwrap_or_default());
    run.conversation.operate(operation, params).await
}

async fn walk(run: &Run<'_>, operation: &Operation) -> Vec<Rc<Exchange>> {
    let (mut pages, mut more) = (Vec::new(), json!({"first": SIZE}));
    while pages.len() < MOST_PAGES {
        let page = ask(run, operation, more.clone()).await;
        let info = page.data()["pageInfo"].clone();
        pages.push(page);
        match info["endCursor"].as_str().filter(|_| info["hasNextPage"] == true) {
            Some(cursor) => more["after"] = cursor.into(),
            None => break,
        }
    }
    pages
}

fn page_info(walks: &[Walk<'_>]) -> TestReport {
    let mut check = Check::new("Pages say where they end", "X-page-5", NO_LISTS);
    for (_, _, pages) in walks {
        for page in pages.iter().filter(|page| page.is_success()) {
            let info = &page.data()["pageInfo"];
            let has_flags = info["hasNextPage"].is_boolean() && info["hasPreviousPage"].is_boolean();
            let has_items = page.data()["items"].as_array().is_some_and(|items| !items.is_empty());
            let has_cursors = info["startCursor"].is_string() && info["endCursor"].is_string();
            let problem = || "'pageInfo' lacks a flag, or the cursors of its items.".to_owned();
            check.expect(has_flags && (has_cursors || !has_items), problem, page);
        }
    }
    check.finish("'pageInfo' has its flags and cursors.")
}

fn complete(walks: &[Walk<'_>]) -> TestReport {
    let mut check = Check::new("Pages together are the list", "X-page-13", NO_LISTS);
    for (operation, whole, pages) in walks {
        let items = |page: &Exchange| -> Vec<String> {
            page.data()["items"].as_array().into_iter().flatten().map(Value::to_string).collect()
        };
        let Some(last) = pages.last() else { continue };
        let walked: Vec<String> = pages.iter().flat_map(|page| items(page)).collect();
        let all = items(whole);
        let is_short = whole.data()["pageInfo"]["hasNextPage"] == false;
        let is_walked = last.data()["pageInfo"]["hasNextPage"] == false;
        if is_short && is_walked {
            let problem = || {
                format!(
                    "'{}' has {} items in one page, and {} other ones in pages of {SIZE}.",
                    operation.name,
                    all.len(),
                    walked.len()
                )
            };
            check.expect(walked == all, problem, last);
        }
        let is_small = pages.iter().all(|page| items(page).len() <= SIZE);
        check.expect(
            is_small,
            || format!("A page of '{}' has more than {SIZE} items.", operation.name),
            last,
        );
        let distinct: BTreeSet<&String> = walked.iter().collect();
        let has_repeats =
            distinct.len() < walked.len() && items(whole).iter().collect::<BTreeSet<_>>().len() == all.len();
        if has_repeats && !(is_short && is_walked) {
            check.fail("X-page-13", &format!("Pages of '{}' repeat items.", operation.name), Some(last));
        }
    }
    check.finish("Pages together are the whole list, in its order.")
}

async fn refused(run: &Run<'_>, walks: &[Walk<'_>]) -> TestReport {
    let mut check = Check::new("Pages that contradict themselves are refused", "X-page-3", NO_LISTS);
    for (operation, ..) in walks.iter().filter(|(operation, ..)| operation.parameter("last").is_some()) {
        let answer = ask(run, operation, json!({"first": 1, "last": 1})).await;
        check.expect(
            answer.is_failure(),
            || format!("'{}' takes 'first' with 'last'.", operation.name),
            &answer,
        );
    }
    check.finish("'first' with 'last' is refused.")
}
