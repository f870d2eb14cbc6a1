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
    let (mut walks, mut unpaged) = (Vec::new(), Vec::new());
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
        } else if whole.is_success() && is_bare_list(whole.data()) {
            unpaged.push((operation, whole));
        }
    }
    vec![page_info(&walks, &unpaged), complete(&walks), refused(run, &walks).await]
}

/// A list that says nothing of its page, in either of the two ways in which it may.
fn is_bare_list(data: &Value) -> bool {
    let is_list = data.is_array() || ["items", "edges"].iter().any(|name| data[*name].is_array());
    is_list && !data["pageInfo"].is_object() && !data["pagination"].is_object()
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

fn page_info(walks: &[Walk<'_>], unpaged: &[(&Operation, Rc<Exchange>)]) -> TestReport {
    let mut check = Check::new("Pages say where they end", "X-page-5", NO_LISTS);
    for (operation, answer) in unpaged {
        let problem =
            || format!("'{}' takes 'first' and 'after', and answers without 'pageInfo'.", operation.name);
        check.expect(false, problem, answer);
    }
    for (_, whole, pages) in walks {
        let all = items(whole);
        let is_whole = whole.data()["pageInfo"]["hasNextPage"] == false;
        // Where items are lost, that is told by the rule on pages together.
        let is_lossless = !is_whole || pages.iter().flat_map(|page| items(page)).eq(all.iter().cloned());
        for (place, page) in pages.iter().enumerate().filter(|(_, page)| page.is_success()) {
            one_page(&mut check, page, place > 0);
            let is_empty = |page: &&Rc<Exchange>| page.is_success() && items(page).is_empty();
            if let Some(next) = pages.get(place + 1).filter(is_empty).filter(|_| is_lossless) {
                let is_told = items(page).is_empty() || next.data()["pageInfo"]["hasNextPage"] == true;
                let problem = || "'hasNextPage' is true, and the next page has no items.".to_owned();
                // An empty page with one after it is another rule.
                check.expect(is_told, problem, page);
            }
        }
        for page in pages.iter().chain([whole]).filter(|page| is_whole && page.is_success()) {
            let total_count = &page.data()["pageInfo"]["totalCount"];
            if !total_count.is_null() {
                check.expect(
                    *total_count == all.len(),
                    || format!("'totalCount' is {total_count}, and the list has {} items.", all.len()),
                    page,
                );
            }
        }
    }
    check.finish("'pageInfo' has its flags and cursors, and they are true.")
}

/// The flags and cursors of one page; the first one has none before it, and each later one has.
fn one_page(check: &mut Check, page: &Exchange, is_later: bool) {
    let info = &page.data()["pageInfo"];
    let has_items = !items(page).is_empty();
    let has_flags = info["hasNextPage"].is_boolean() && info["hasPreviousPage"].is_boolean();
    let has_cursors = info["startCursor"].is_string() && info["endCursor"].is_string();
    let problem = || "'pageInfo' lacks a flag, or the cursors of its items.".to_owned();
    check.expect(has_flags && (has_cursors || !has_items), problem, page);
    if has_flags && has_items && info["hasPreviousPage"] != is_later {
        let problem = format!(
            "'hasPreviousPage' is {}, and there is {} page before it.",
            info["hasPreviousPage"],
            if is_later { "a" } else { "no" }
        );
        check.fail("X-page-5", &problem, Some(page));
    }
    if !has_items && info["hasNextPage"] == true {
        check.fail("X-page-6", "A page without items says that there is another one.", Some(page));
    }
}

/// The items of a page, as text.
fn items(page: &Exchange) -> Vec<String> {
    page.data()["items"].as_array().into_iter().flatten().map(Value::to_string).collect()
}

fn complete(walks: &[Walk<'_>]) -> TestReport {
    let mut check = Check::new("Pages together are the list", "X-page-13", NO_LISTS);
    for (operation, whole, pages) in walks {
        let Some(last) = pages.last() else { continue };
        // What the API behind refuses is not a cursor of this server.
        if pages.len() > 1 && last.is_failure() && last.details()["http_status"].is_null() {
            let problem = format!("'{}' refuses the cursor of its own page.", operation.name);
            check.fail("X-page-13", &problem, Some(last));
        }
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
            distinct.len() < walked.len() && all.iter().collect::<BTreeSet<_>>().len() == all.len();
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
