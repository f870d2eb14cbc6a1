//! Lists, in one shape for every target: `{items, pageInfo, applied?}` (ruling W15).
//!
//! A page source and the list controls of a request in, a response out. `plan` shares the work with the source, `walk`
//! fetches pages, `stream` responds while it walks, `gather` where all items must be seen first.

mod facts;
mod gather;
mod handler_pages;
mod http_pages;
mod next_page;
mod page;
mod page_builder;
mod page_source;
mod paging_params;
mod plan;
mod position;
mod stream;
mod unknown_fields;
mod walk;
mod warnings;

#[cfg(test)]
mod tests;

pub use handler_pages::HandlerPages;
pub use http_pages::HttpPages;
pub use page::AfterLastPage;
pub use page_builder::shape;
pub use page_source::{FetchedPage, PageRequest, PageSource, PermittedPages};
pub use paging_params::{PagingParams, size_param};
pub use plan::ListPlan;
pub use position::fingerprint;
pub use walk::{PageWalk, WalkContext, WalkStep};

use crate::context::CallContext;
use crate::cursor::{CursorPosition, Fingerprint, ResumePoint};
use crate::failure_map;
use crate::stages::call::CallOutcome;
use crate::stages::gatekeep::Permitted;
use crate::stages::query_options::{FieldChoice, ListControls, PageWindow, QueryOptions};
use crate::worker_pool::{BYTES_IN_A_STEP, LARGE};
use aqueduct_operations::controls::Control;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::response::Paging;
use aqueduct_schema::work::Meter;
use jiff::Timestamp;
use page::PageItem;
use page_builder::{AddedItem, PageBuilder};
use serde_json::{Value, json};

/// A request for a list, with everything that its response depends on.
pub(crate) struct ListQuery<'a> {
    context: &'a CallContext<'a>,
    permitted: &'a Permitted<'a>,
    plan: ListPlan,
    paging_params: PagingParams,
    controls: ListControls,
    choice: &'a FieldChoice,
    budget: u64,
    fingerprint: Fingerprint,
    now: Timestamp,
}

/// Responds to a request for a list; with what came instead where the source gave none.
pub async fn answer(
    context: &CallContext<'_>,
    permitted: &Permitted<'_>,
    mut pages: PermittedPages<'_>,
    options: &QueryOptions,
    controls: ListControls,
    plan: ListPlan,
) -> Result<CallOutcome, Failure> {
    let checked = permitted.checked();
    let choice = &options.choice;
    for param in permitted.pushed() {
        pages.source.push(param);
    }
    let list_query = ListQuery {
        fingerprint: fingerprint(&context.origin.caller, checked.entry, &checked.values, &controls.bound),
        context,
        permitted,
        plan,
        paging_params: PagingParams::of(&checked.entry.operation, &checked.values),
        controls,
        choice,
        budget: options.budget,
        now: context.dispatcher.settings.clock.now(),
    };
    let position = match list_query.position() {
        Err(failure) if checked.entry.operation.may_be_text() => {
            return list_query.text_or(pages, failure).await;
        }
        position => position?,
    };
    if list_query.needs_all(position.as_ref()) {
        gather::answer(&list_query, pages, position).await
    } else {
        stream::answer(&list_query, pages, position).await
    }
}

impl<'a> ListQuery<'a> {
    fn paging(&self) -> Option<&Paging> {
        self.paging_params.paging.as_ref()
    }

    /// The size of the largest page that may be fetched.
    fn largest_page(&self) -> u64 {
        self.paging().map_or(Paging::MAX_LIMIT, |paging| paging.max_limit).clamp(1, Paging::HARD_LIMIT)
    }

    /// The most items that one call looks at.
    fn max_items(&self) -> u64 {
        self.context.dispatcher.settings.limits.max_gathered_items
    }

    fn wants_all(&self) -> bool {
        matches!(self.controls.window, PageWindow::All { .. })
    }

    /// The number of items that are requested.
    fn wanted(&self) -> u64 {
        match &self.controls.window {
            PageWindow::Forward { size, .. }
            | PageWindow::Backward { size, .. }
            | PageWindow::Offset { size, .. } => size.count,
            PageWindow::All { .. } => self.max_items(),
        }
    }

    /// The size of the pages to fetch: long ones where items are left out here.
    fn page_size(&self) -> u64 {
        let largest = self.largest_page();
        if self.wants_all() || self.plan.filters_items() { largest } else { self.wanted().clamp(1, largest) }
    }

    /// A cursor that is none of this list may be one of a long text: then what comes is no list.
    async fn text_or(&self, pages: PermittedPages<'_>, failure: Failure) -> Result<CallOutcome, Failure> {
        let start = ResumePoint::beginning(self.page_size());
        match PageWalk::new(self.walk_context(), pages, start).begin().await? {
            Some(fetched) => self.no_list(fetched),
            None => Err(failure),
        }
    }

    /// What came is no list: controls of lists that were sent would be ignored, so they are refused. One that was sent with its
    /// default asks for what comes without it, and is none of them.
    fn no_list(&self, fetched: FetchedPage) -> Result<CallOutcome, Failure> {
        let checked = self.permitted.checked();
        let operation = &checked.entry.operation;
        let is_of_items = |(control, value): &(Control, &Value)| match control {
            _ if control.default_on(operation).is_some_and(|default| **value == default) => false,
            Control::Fields | Control::Preset | Control::Budget => false,
            // Where a long text goes on.
            Control::After => !operation.may_be_text(),
            _ => true,
        };
        let sent = checked.controls.all().filter(is_of_items);
        let sent: Vec<String> = sent.map(|(control, _)| control.name_on(operation)).collect();
        if sent.is_empty() {
            Ok(CallOutcome::Single { data: fetched.data, etag: fetched.etag })
        } else {
            Err(failure_map::no_list(checked.entry, sent))
        }
    }

    fn walk_context(&self) -> WalkContext<'_> {
        WalkContext {
            context: self.context,
            permitted: self.permitted,
            paging_params: &self.paging_params,
            shows_whole: self.choice.selection.is_none(),
        }
    }

    fn item<'i>(&'i self, text: &'i str) -> aqueduct_query::item::Item<'i> {
        let computed = &self.permitted.checked().entry.operation.answers.computed;
        aqueduct_query::item::Item::new(text, computed, self.now)
    }

    /// Whether an item passes filter and search. A large one is looked through on another thread.
    async fn matches(&self, item: &PageItem) -> Result<bool, Failure> {
        let text = item.as_str();
        self.context.count(self.plan.items.passes_per_item() * text.len() as u64 / BYTES_IN_A_STEP)?;
        if text.len() <= LARGE {
            return Ok(self.plan.items.matches(&self.item(text)));
        }
        let computed = self.permitted.checked().entry.operation.answers.computed.clone();
        let (filters, now, item) = (self.plan.items.clone(), self.now, item.clone());
        let matches =
            move |_: &Meter| filters.matches(&aqueduct_query::item::Item::new(item.as_str(), &computed, now));
        self.context.run_apart(matches).await
    }

    /// Puts an item into a builder, if there is room. A large one is shaped on another thread.
    async fn take(&self, builder: &mut PageBuilder<'_>, item: &PageItem) -> Result<AddedItem, Failure> {
        self.context.count(self.choice.steps(item.as_str()))?;
        if item.as_str().len() <= LARGE {
            return Ok(builder.take(item));
        }
        let (choice, now, item) = (self.choice.clone(), self.now, item.clone());
        let shaped = move |_: &Meter| page_builder::shaped(&item, &choice, now);
        let (text, cost) = self.context.run_apart(shaped).await?;
        Ok(builder.put(&text, cost))
    }

    /// The failure of an item that alone is too much.
    async fn over_budget(&self, item: &PageItem, around: u64) -> Failure {
        let (budget, item) = (self.budget, item.clone());
        let failure = move |_: &Meter| failure_map::over_budget(item.as_str(), budget, around);
        self.context.run_apart(failure).await.unwrap_or_else(|failure| failure)
    }

    /// The position of the cursor in the request.
    fn position(&self) -> Result<Option<CursorPosition>, Failure> {
        let (cursor, control) = match &self.controls.window {
            PageWindow::Forward { after, .. } | PageWindow::All { after } => (after, Control::After),
            PageWindow::Backward { before, .. } => (before, Control::Before),
            PageWindow::Offset { .. } => (&None, Control::After),
        };
        let Some(cursor) = cursor else { return Ok(None) };
        let entry = self.permitted.checked().entry;
        let param = control.name_on(&entry.operation);
        let key = self.context.cursor_key()?;
        let position = key.open(cursor, &self.fingerprint);
        position.map(Some).map_err(|error| failure_map::cursor(error, entry, &param))
    }

    /// True when no item can be given before all have been seen.
    fn needs_all(&self, position: Option<&CursorPosition>) -> bool {
        self.plan.sort.is_some()
            || self.controls.aggregate.is_some()
            || matches!(self.controls.window, PageWindow::Backward { .. })
            || position.is_some_and(|position| position.resume.is_none())
    }

    /// The cursor for a position.
    fn cursor(&self, position: &CursorPosition) -> Result<Value, Failure> {
        let key = self.context.cursor_key()?;
        key.seal(position, &self.fingerprint).map(Value::from).map_err(wording::internal)
    }

    /// `pageInfo`, with cursors where there is something to go on from.
    fn page_info(&self, page: &PageInfo) -> Result<Value, Failure> {
        let mut info = json!({"hasNextPage": page.has_next, "hasPreviousPage": page.has_previous});
        for (name, position) in [("startCursor", &page.start), ("endCursor", &page.end)] {
            if let Some(position) = position {
                info[name] = self.cursor(position)?;
            }
        }
        if let Some(total) = page.total {
            info["totalCount"] = total.into();
        }
        Ok(info)
    }
}

/// What `pageInfo` says of the items that are given.
#[derive(Default)]
struct PageInfo {
    has_next: bool,
    has_previous: bool,
    start: Option<CursorPosition>,
    end: Option<CursorPosition>,
    total: Option<u64>,
}
