//! Responses that need all items first: an order made here, an aggregate, the end of a list.
//!
//! Gathers as many items as one call may, filters, aggregates and sorts them, and gives the part that was requested. When not
//! all could be seen the response says so, and what would be wrong then is refused.

use super::page::{AfterLastPage, PageItem};
use super::page_builder::{AddedItem, PageBuilder};
use super::unknown_fields::UnknownFields;
use super::walk::{PageWalk, WalkStep};
use super::{ListQuery, PageInfo, PermittedPages, warnings as list_warnings};
use crate::cursor::{CursorPosition, ResumePoint};
use crate::failure_map;
use crate::stages::call::CallOutcome;
use crate::stages::query_options::PageWindow;
use crate::worker_pool::{BYTES_IN_A_STEP, LARGE};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use aqueduct_operations::response::ComputedField;
use aqueduct_query::aggregate::Aggregate;
use aqueduct_query::sort::Sort;
use aqueduct_query::{item as query, measure};
use aqueduct_schema::work::Meter;
use jiff::Timestamp;
use serde_json::Value;
use std::ops::Range;

/// What was gathered.
#[derive(Default)]
struct GatheredItems {
    /// The items that pass the filter, in their order.
    items: Vec<PageItem>,
    /// How many were looked at.
    seen: u64,
    /// They are all there are.
    complete: bool,
    /// There are more after them, or perhaps, that nothing leads to.
    lost: Option<AfterLastPage>,
    /// What was counted in them.
    aggregate: Option<Aggregate>,
    /// The number of items in all, as the source gives it.
    total: Option<u64>,
    /// What is to be said about them.
    warnings: Vec<Warning>,
}

/// Responds to a request that needs all items.
pub async fn answer(
    list_query: &ListQuery<'_>,
    pages: PermittedPages<'_>,
    position: Option<CursorPosition>,
) -> Result<CallOutcome, Failure> {
    let start = ResumePoint::beginning(list_query.largest_page());
    let mut walk = PageWalk::new(list_query.walk_context(), pages, start);
    if list_query.wants_all() {
        walk = walk.reporting_progress(list_query.max_items());
    }
    walk = walk.reading_items(list_query.plan.items.passes_per_item() + aggregate_keys(list_query));
    if let Some(fetched) = walk.begin().await? {
        return list_query.no_list(fetched);
    }
    let mut gathered = gather(list_query, &mut walk).await?;
    let has_an_end = gathered.complete
        || gathered.lost == Some(AfterLastPage::Perhaps)
        || list_query.paging_params.begins_elsewhere;
    if !has_an_end && matches!(list_query.controls.window, PageWindow::Backward { .. }) {
        return Err(failure_map::no_end_in_sight(list_query.permitted.checked().entry, gathered.seen));
    }
    gathered.items = sorted(list_query, gathered.items).await?;
    write(list_query, gathered, position).await
}

/// Looks at all items, as far as one call may.
async fn gather(list_query: &ListQuery<'_>, walk: &mut PageWalk<'_>) -> Result<GatheredItems, Failure> {
    let wants_items = list_query.controls.aggregate.is_none() || list_query.controls.include_items;
    let aggregate = list_query.controls.aggregate.clone();
    let mut gathered = GatheredItems { aggregate, ..GatheredItems::default() };
    let mut unknown = UnknownFields::of(list_query);
    while gathered.seen < list_query.max_items() {
        // The walk knows why it gives no more items.
        let WalkStep::Item(item) = walk.next().await? else { break };
        gathered.seen += 1;
        unknown.look(item.as_str());
        if list_query.matches(&item).await? {
            if let Some(aggregate) = gathered.aggregate.take() {
                gathered.aggregate = Some(add(list_query, aggregate, &item).await?);
            }
            if wants_items {
                gathered.items.push(item);
            }
        }
    }
    let has_more = walk.has_more().await?;
    gathered.lost = (has_more && walk.is_lost()).then(|| walk.remainder());
    gathered.complete = !has_more && !list_query.paging_params.begins_elsewhere;
    gathered.total = walk.total();
    gathered.warnings = unknown.warnings();
    Ok(gathered)
}

/// How many times an item is read for the aggregate.
fn aggregate_keys(list_query: &ListQuery<'_>) -> u64 {
    list_query.controls.aggregate.as_ref().map_or(0, |aggregate| aggregate.keys().count() as u64)
}

/// Counts an item. A large one is looked through on another thread.
async fn add(
    list_query: &ListQuery<'_>,
    mut aggregate: Aggregate,
    item: &PageItem,
) -> Result<Aggregate, Failure> {
    let text = item.as_str();
    list_query.context.count(aggregate_keys(list_query) * text.len() as u64 / BYTES_IN_A_STEP)?;
    if text.len() <= LARGE {
        aggregate.add(&list_query.item(text));
        return Ok(aggregate);
    }
    let computed = list_query.permitted.checked().entry.operation.answers.computed.clone();
    let (now, item) = (list_query.now, item.clone());
    let add = move |_: &Meter| {
        aggregate.add(&query::Item::new(item.as_str(), &computed, now));
        aggregate
    };
    list_query.context.run_apart(add).await
}

/// The items in their order. Many of them are put into it on another thread.
async fn sorted(list_query: &ListQuery<'_>, items: Vec<PageItem>) -> Result<Vec<PageItem>, Failure> {
    let Some(sort) = &list_query.plan.sort else { return Ok(items) };
    let size: usize = items.iter().map(|item| item.as_str().len()).sum();
    list_query.context.count(size as u64 / BYTES_IN_A_STEP)?;
    let order = |sort: &Sort, items: &[PageItem], computed: &[ComputedField], now: Timestamp| {
        let read = items.iter().map(|item| query::Item::new(item.as_str(), computed, now));
        sort.positions(read).into_iter().filter_map(|at| items.get(at).cloned()).collect()
    };
    let (now, computed) = (list_query.now, &list_query.permitted.checked().entry.operation.answers.computed);
    if size <= LARGE {
        return Ok(order(sort, &items, computed, now));
    }
    let (sort, computed) = (sort.clone(), computed.clone());
    list_query.context.run_apart(move |_| order(&sort, &items, &computed, now)).await
}

/// Which of the items are requested.
fn part(list_query: &ListQuery<'_>, position: Option<&CursorPosition>, length: u64) -> Range<u64> {
    let after = position.map_or(0, |position| position.number + 1).min(length);
    match &list_query.controls.window {
        PageWindow::Forward { size, .. } => after..(after + size.count).min(length),
        PageWindow::All { .. } => after..length,
        PageWindow::Offset { size, skip } => {
            let from = (*skip).min(length);
            from..(from + size.count).min(length)
        }
        PageWindow::Backward { size, .. } => {
            let end = position.map_or(length, |position| position.number).min(length);
            end.saturating_sub(size.count)..end
        }
    }
}

/// Puts the response together.
async fn write(
    list_query: &ListQuery<'_>,
    gathered: GatheredItems,
    position: Option<CursorPosition>,
) -> Result<CallOutcome, Failure> {
    let GatheredItems { items, seen, complete, lost, aggregate, total, mut warnings } = gathered;
    let skipped = aggregate.iter().flat_map(Aggregate::skipped);
    warnings.extend(skipped.map(|(label, skipped)| list_warnings::skipped(label, skipped)));
    let aggregations = aggregate.map(|aggregate| RawJson::of(&Value::Object(aggregate.finish())));
    let applied = list_query.plan.applied(seen, complete).map(|applied| RawJson::of(&applied));
    match lost {
        Some(remainder) => warnings.push(list_warnings::lost(list_query, remainder, seen, total)),
        None if !complete && !list_query.paging_params.begins_elsewhere => {
            warnings.push(list_warnings::incomplete(list_query, seen));
        }
        None => {}
    }
    let mut members: Vec<(&str, &RawJson)> = Vec::new();
    members.extend(aggregations.as_ref().map(|aggregations| ("aggregations", aggregations)));
    members.extend(applied.as_ref().map(|applied| ("applied", applied)));
    let cost = aggregations.as_ref().map_or(0, |aggregations| measure::tokens(aggregations.as_str()));
    if cost > list_query.budget {
        return Err(failure_map::too_many_groups(cost, list_query.budget));
    }
    if list_query.controls.aggregate.is_some() && !list_query.controls.include_items {
        return Ok(CallOutcome::Collected(RawJson::object(&members), warnings));
    }
    let length = items.len() as u64;
    let part = part(list_query, position.as_ref(), length);
    let mut builder = PageBuilder::new(list_query.choice, list_query.now, list_query.budget);
    builder.spend(cost);
    let mut end = part.start;
    let wanted = items.iter().skip(part.start as usize).take((part.end - part.start) as usize);
    for item in wanted {
        if list_query.take(&mut builder, item).await? == AddedItem::Full {
            if builder.count() == 0 {
                return Err(list_query.over_budget(item, builder.around()).await);
            }
            warnings.push(list_warnings::over_budget(
                list_query,
                builder.count(),
                Some(part.end - part.start),
            ));
            break;
        }
        end += 1;
    }
    let given = part.start..end;
    // What comes before the caller's own position is nothing that comes next.
    let is_at_the_end = lost.is_none() && list_query.paging_params.begins_elsewhere;
    let leads_on = end < length || lost.is_none();
    let at = |number: u64| Some(CursorPosition { number, resume: None });
    let page = PageInfo {
        has_next: !given.is_empty() && (given.end < length || !complete && !is_at_the_end),
        has_previous: !given.is_empty() && given.start > 0,
        start: if given.is_empty() { None } else { at(given.start) },
        end: if given.is_empty() || !leads_on { None } else { at(given.end - 1) },
        total: complete.then_some(length),
    };
    let info = RawJson::of(&list_query.page_info(&page)?);
    let shown = RawJson::spliced(builder.into_text());
    let mut whole = vec![("items", &shown), ("pageInfo", &info)];
    whole.extend(members);
    Ok(CallOutcome::Collected(RawJson::object(&whole), warnings))
}
