//! Lists, in one shape for every target: `{items, pageInfo, applied?}` (ruling W15).
//!
//! A page source and the list controls of a request in, a response out. `plan` shares the work with the source, `walk`
//! fetches pages, `stream` responds while it walks, `gather` where all items must be seen first.

mod facts;
mod gather;
mod handler_pages;
mod http_pages;
mod page;
mod page_builder;
mod page_source;
mod paging_params;
mod plan;
mod position;
mod stream;
mod unknown_fields;
mod walk;

#[cfg(test)]
mod tests;

pub use handler_pages::HandlerPages;
pub use http_pages::HttpPages;
pub use page::Remainder;
pub use page_builder::shape;
pub use page_source::{FetchedPage, PageSource};
pub use paging_params::{PagingParams, size_param};
pub use position::fingerprint;
pub use walk::{FirstPage, PageWalk, WalkContext, WalkStep};

use crate::context::CallContext;
use crate::cursor::{CursorPosition, Fingerprint, PageStart, Resume};
use crate::failure_map;
use crate::stages::gatekeep::Permitted;
use crate::stages::query_options::{FieldChoice, ListControls, QueryOptions, Window, truncated};
use crate::worker_pool::{BYTES_IN_A_STEP, LARGE};
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_operations::response::Paging;
use aqueduct_schema::work::Meter;
use jiff::Timestamp;
use page::PageItem;
use page_builder::{AddedItem, PageBuilder};
use plan::ListPlan;
use serde_json::{Map, Value};

/// A question on its way.
pub(crate) struct ListQuery<'a> {
    context: &'a CallContext<'a>,
    permitted: &'a Permitted<'a>,
    plan: ListPlan,
    ways: PagingParams,
    question: ListControls,
    choice: &'a FieldChoice,
    budget: u64,
    fingerprint: Fingerprint,
    now: Timestamp,
}

/// An answer about a collection, or what came instead of one.
pub enum ListAnswer {
    /// Items, or what was counted in them.
    Answer(RawJson, Vec<Warning>),
    /// The upstream gave no list.
    NoList(Box<FetchedPage>),
}

/// Answers a question.
pub async fn answer(
    context: &CallContext<'_>,
    permitted: &Permitted<'_>,
    mut source: Box<dyn PageSource + '_>,
    asked: &QueryOptions,
    mut question: ListControls,
) -> Result<ListAnswer, Failure> {
    let checked = permitted.checked();
    let choice = &asked.choice;
    let plan = ListPlan::of(&checked.entry.operation, &mut question, choice);
    for (name, value) in &plan.pairs {
        source.push(name, value);
    }
    let list_query = ListQuery {
        fingerprint: fingerprint(context.caller, checked.entry, &checked.values, &question.bound),
        context,
        permitted,
        plan,
        ways: PagingParams::of(&checked.entry.operation, &checked.values),
        question,
        choice,
        budget: asked.budget,
        now: context.settings.clock.now(),
    };
    let place = match list_query.place() {
        Err(failure) if checked.entry.operation.may_be_text() => {
            return list_query.text_or(source, failure).await;
        }
        place => place?,
    };
    if list_query.needs_all(place.as_ref()) {
        gather::answer(&list_query, source, place).await
    } else {
        stream::answer(&list_query, source, place).await
    }
}

impl<'a> ListQuery<'a> {
    fn paging(&self) -> Option<&Paging> {
        self.ways.paging.as_ref()
    }

    /// The size of the largest page.
    fn largest_page(&self) -> u64 {
        self.paging().map_or(Paging::MAX_LIMIT, |paging| paging.max_limit).clamp(1, Paging::HARD_LIMIT)
    }

    /// The most items that one call looks at.
    fn most_seen(&self) -> u64 {
        self.context.settings.limits.max_gathered_items
    }

    fn wants_all(&self) -> bool {
        matches!(self.question.window, Window::All { .. })
    }

    /// The number of items to give.
    fn wanted(&self) -> u64 {
        match &self.question.window {
            Window::Forward { size, .. } | Window::Backward { size, .. } | Window::Offset { size, .. } => {
                size.count
            }
            Window::All { .. } => self.most_seen(),
        }
    }

    /// The size of the pages to fetch: long ones where items are left out here.
    fn page_size(&self) -> u64 {
        let largest = self.largest_page();
        if self.wants_all() || self.plan.picks() { largest } else { self.wanted().clamp(1, largest) }
    }

    /// A cursor that is none of this list may be one of a long text: then what comes is no list.
    async fn text_or(
        &self,
        source: Box<dyn PageSource + '_>,
        failure: Failure,
    ) -> Result<ListAnswer, Failure> {
        let start = Resume { page: PageStart::Start, skip: 0, size: self.page_size(), before: 0 };
        match PageWalk::new(self.ground(source), start).begin().await? {
            FirstPage::NoList(fetched) => Ok(ListAnswer::NoList(fetched)),
            FirstPage::List => Err(failure),
        }
    }

    fn ground<'w>(&'w self, source: Box<dyn PageSource + 'w>) -> WalkContext<'w> {
        WalkContext {
            context: self.context,
            permitted: self.permitted,
            source,
            ways: &self.ways,
            shows_whole: self.choice.selection.is_none(),
        }
    }

    fn item<'i>(&'i self, text: &'i str) -> aqueduct_query::item::Item<'i> {
        let computed = &self.permitted.checked().entry.operation.answers.computed;
        aqueduct_query::item::Item::new(text, computed, self.now)
    }

    /// Whether an item stays. A large one is looked through on another thread.
    async fn keeps(&self, item: &PageItem) -> Result<bool, Failure> {
        let text = item.as_str();
        self.context.count(self.plan.weight() * text.len() as u64 / BYTES_IN_A_STEP)?;
        if text.len() <= LARGE {
            return Ok(self.plan.keeps(&self.item(text)));
        }
        let computed = self.permitted.checked().entry.operation.answers.computed.clone();
        let (picks, now, item) = (self.plan.picks_alone(), self.now, item.clone());
        let keeps =
            move |_: &Meter| picks.keeps(&aqueduct_query::item::Item::new(item.as_str(), &computed, now));
        self.context.workers.run(&self.context.meter, keeps).await
    }

    /// Puts an item into a builder, if there is room. A large one is shaped on another thread.
    async fn take(&self, builder: &mut PageBuilder<'_>, item: &PageItem) -> Result<AddedItem, Failure> {
        self.context.count(self.choice.steps(item.as_str()))?;
        if item.as_str().len() <= LARGE {
            return Ok(builder.take(item));
        }
        let (choice, now, item) = (self.choice.clone(), self.now, item.clone());
        let shaped = move |_: &Meter| page_builder::shaped(&item, &choice, now);
        let (text, cost) = self.context.workers.run(&self.context.meter, shaped).await?;
        Ok(builder.put(&text, cost))
    }

    /// The failure of an item that alone is too much.
    async fn over_budget(&self, item: &PageItem, around: u64) -> Failure {
        let (budget, item) = (self.budget, item.clone());
        let failure = move |_: &Meter| failure_map::item_over_budget(item.as_str(), budget, around);
        self.context.workers.run(&self.context.meter, failure).await.unwrap_or_else(|failure| failure)
    }

    /// The place of the cursor that came with the question.
    fn place(&self) -> Result<Option<CursorPosition>, Failure> {
        let (cursor, control) = match &self.question.window {
            Window::Forward { after, .. } | Window::All { after } => (after, Control::After),
            Window::Backward { before, .. } => (before, Control::Before),
            Window::Offset { .. } => (&None, Control::After),
        };
        let Some(cursor) = cursor else { return Ok(None) };
        let entry = self.permitted.checked().entry;
        let param = control.name_on(&entry.operation);
        let key = self.context.cursor_key()?;
        let place = key.open(cursor, &self.fingerprint);
        place.map(Some).map_err(|error| failure_map::cursor(error, entry, &param))
    }

    /// True when no item can be given before all have been seen.
    fn needs_all(&self, place: Option<&CursorPosition>) -> bool {
        self.plan.sort.is_some()
            || self.question.aggregate.is_some()
            || matches!(self.question.window, Window::Backward { .. })
            || place.is_some_and(|place| place.resume.is_none())
    }

    /// The cursor for a place.
    fn cursor(&self, place: &CursorPosition) -> Result<Value, Failure> {
        let key = self.context.cursor_key()?;
        key.seal(place, &self.fingerprint).map(Value::from).map_err(wording::internal)
    }

    /// `pageInfo`, with cursors where there is something to go on from.
    fn page_info(&self, page: &PageInfo) -> Result<Value, Failure> {
        let mut info = Map::new();
        info.insert("hasNextPage".to_owned(), page.has_next.into());
        info.insert("hasPreviousPage".to_owned(), page.has_previous.into());
        if let Some(start) = &page.start {
            info.insert("startCursor".to_owned(), self.cursor(start)?);
        }
        if let Some(end) = &page.end {
            info.insert("endCursor".to_owned(), self.cursor(end)?);
        }
        if let Some(total) = page.total {
            info.insert("totalCount".to_owned(), total.into());
        }
        Ok(Value::Object(info))
    }
}

/// What is known about the part of a collection that is given.
#[derive(Default)]
struct PageInfo {
    has_next: bool,
    has_previous: bool,
    start: Option<CursorPosition>,
    end: Option<CursorPosition>,
    total: Option<u64>,
}

/// The remark that the budget was spent before the items were at an end.
fn over_budget_warning(list_query: &ListQuery<'_>, given: u64, asked: Option<u64>) -> Warning {
    let mut warning = truncated("items", asked.unwrap_or(given + 1), given, list_query.budget);
    warning.message = format!(
        "Response truncated to {given} items by the budget of {} tokens. Go on with pageInfo.endCursor as 'after', or \
         narrow it: choose 'fields', add a 'filter', or 'aggregate'.",
        list_query.budget
    );
    warning.with("unit", "tokens")
}

/// The remark that not all items were seen.
fn incomplete_warning(list_query: &ListQuery<'_>, seen: u64) -> Warning {
    let most = list_query.most_seen();
    Warning::new(
        "VALIDATION_INCOMPLETE_WARNING",
        format!(
            "Only {seen} items were seen, and there are more: this answer does not know of them. Narrow it with a filter \
             which the API applies itself."
        ),
    )
    .with("items_seen", seen)
    .with("limit", most)
    .rated(WarningSeverity::Medium)
}

/// The remark that there are more items, or may be, and that no way to them is known.
fn lost_warning(list_query: &ListQuery<'_>, rest: Remainder, seen: u64, total: Option<u64>) -> Warning {
    let what = match (rest, total) {
        (Remainder::More, Some(total)) => format!("The API has {total} items and gave {seen}"),
        (Remainder::More, None) => format!("The API gave {seen} items and has more"),
        _ => format!("The API gave {seen} items, and does not say whether it has more"),
    };
    let own = &list_query.ways.own_params;
    let advice = if own.is_empty() {
        "Narrow it with parameters of the operation".to_owned()
    } else {
        format!("Its own parameters lead on: {}", own.join(", "))
    };
    let message = format!("{what}; how its pages go on is not declared. {advice}.");
    Warning::new("VALIDATION_INCOMPLETE_WARNING", message)
        .with("items_seen", seen)
        .rated(if rest == Remainder::More { WarningSeverity::Medium } else { WarningSeverity::Low })
}

/// The remark that values were no numbers.
fn skipped_warning(label: &str, skipped: u64) -> Warning {
    let message = format!("{skipped} values cannot be used in '{}' and were left out", wording::echo(label));
    Warning::new("VALIDATION_SKIPPED_WARNING", message)
        .with("label", label)
        .with("skipped", skipped)
        .rated(WarningSeverity::Low)
}

/// The remark that a page could not be read.
fn broken_warning(failure: &Failure, given: u64) -> Warning {
    Warning::new(
        "VALIDATION_INCOMPLETE_WARNING",
        format!("Only {given} items: the next page could not be read. {}", failure.message),
    )
    .with("code", failure.code.name())
    .with("items", given)
    .rated(WarningSeverity::High)
}

/// The remark that there is more, and no way to it.
fn dead_end_warning(given: u64) -> Warning {
    Warning::new(
        "VALIDATION_INCOMPLETE_WARNING",
        format!("Only {given} items: there are more, but the API's own cursor is too long to be passed on. Use 'all'."),
    )
    .with("items", given)
    .rated(WarningSeverity::High)
}
