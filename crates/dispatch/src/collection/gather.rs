//! Answers that need all items first: an order made here, a count, the end of a collection.
//!
//! Gathers as many as one call may, keeps those that stay, counts, sorts, and gives the part that was asked for. When not
//! all could be seen the answer says so, and what would be wrong then is refused.

use super::page::{PageItem, Remainder};
use super::page_builder::{AddedItem, PageBuilder};
use super::unknown_fields::UnknownFields;
use super::walk::{FirstPage, PageWalk, WalkStep};
use super::{ListAnswer, ListQuery, PageInfo, PageSource};
use crate::cursor::{CursorPosition, PageStart, Resume};
use crate::failure_map;
use crate::stages::query_options::Window;
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
struct GatheredItems {
    /// The items that stay, in their order.
    items: Vec<PageItem>,
    /// Those looked at.
    seen: u64,
    /// They are all there are.
    complete: bool,
    /// There are more behind them, or perhaps, that nothing leads to.
    lost: Option<Remainder>,
}

/// Answers a question about all items.
pub async fn answer(
    list_query: &ListQuery<'_>,
    source: Box<dyn PageSource + '_>,
    place: Option<CursorPosition>,
) -> Result<ListAnswer, Failure> {
    let start = Resume { page: PageStart::Start, skip: 0, size: list_query.largest_page(), before: 0 };
    let mut walk = PageWalk::new(list_query.ground(source), start);
    if list_query.wants_all() {
        walk = walk.telling(list_query.most_seen());
    }
    walk = walk.weighing(list_query.plan.weight() + counted_keys(list_query));
    if let FirstPage::NoList(answer) = walk.begin().await? {
        return Ok(ListAnswer::NoList(answer));
    }
    let wants_items = list_query.question.aggregate.is_none() || list_query.question.include_items;
    let mut counting = list_query.question.aggregate.clone();
    let mut gathered = GatheredItems { items: Vec::new(), seen: 0, complete: false, lost: None };
    let mut unknown = UnknownFields::of(list_query);
    while gathered.seen < list_query.most_seen() {
        let item = match walk.next().await? {
            WalkStep::Item(item) => item,
            WalkStep::End => {
                gathered.complete = true;
                break;
            }
            WalkStep::Enough => break,
            WalkStep::Lost(rest) => {
                gathered.lost = Some(rest);
                break;
            }
        };
        gathered.seen += 1;
        unknown.look(item.as_str());
        if list_query.keeps(&item).await? {
            if let Some(before) = counting.take() {
                counting = Some(add(list_query, before, &item).await?);
            }
            if wants_items {
                gathered.items.push(item);
            }
        }
    }
    gathered.complete = gathered.complete || !walk.has_more().await?;
    if !gathered.complete && walk.is_lost() {
        gathered.lost = Some(walk.rest());
    }
    gathered.complete &= !list_query.ways.begins_elsewhere;
    let entry = list_query.permitted.checked().entry;
    let has_an_end =
        gathered.complete || gathered.lost == Some(Remainder::Perhaps) || list_query.ways.begins_elsewhere;
    if !has_an_end && matches!(list_query.question.window, Window::Backward { .. }) {
        return Err(failure_map::no_end_in_sight(entry, gathered.seen));
    }
    gathered.items = sorted(list_query, gathered.items).await?;
    write(list_query, &gathered, (counting, place), (unknown.warnings(), walk.total())).await
}

/// How many times an item is gone through to count what is asked for.
fn counted_keys(list_query: &ListQuery<'_>) -> u64 {
    list_query.question.aggregate.as_ref().map_or(0, |aggregate| aggregate.keys().count() as u64)
}

/// Counts an item. A large one is looked through on another thread.
async fn add(
    list_query: &ListQuery<'_>,
    mut counting: Aggregate,
    item: &PageItem,
) -> Result<Aggregate, Failure> {
    let text = item.as_str();
    list_query.context.count(counted_keys(list_query) * text.len() as u64 / BYTES_IN_A_STEP)?;
    if text.len() <= LARGE {
        counting.add(&list_query.item(text));
        return Ok(counting);
    }
    let computed = list_query.permitted.checked().entry.operation.answers.computed.clone();
    let (now, item) = (list_query.now, item.clone());
    let add = move |_: &Meter| {
        counting.add(&query::Item::new(item.as_str(), &computed, now));
        counting
    };
    list_query.context.workers.run(&list_query.context.meter, add).await
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
    list_query
        .context
        .workers
        .run(&list_query.context.meter, move |_| order(&sort, &items, &computed, now))
        .await
}

/// Which of the items are asked for.
fn part(list_query: &ListQuery<'_>, place: Option<&CursorPosition>, length: u64) -> Range<u64> {
    let behind = place.map_or(0, |place| place.number + 1).min(length);
    match &list_query.question.window {
        Window::Forward { size, .. } => behind..(behind + size.count).min(length),
        Window::All { .. } => behind..length,
        Window::Offset { size, skip } => {
            let from = (*skip).min(length);
            from..(from + size.count).min(length)
        }
        Window::Backward { size, .. } => {
            let end = place.map_or(length, |place| place.number).min(length);
            end.saturating_sub(size.count)..end
        }
    }
}

async fn write(
    list_query: &ListQuery<'_>,
    gathered: &GatheredItems,
    (counted, place): (Option<Aggregate>, Option<CursorPosition>),
    (mut warnings, said_total): (Vec<Warning>, Option<u64>),
) -> Result<ListAnswer, Failure> {
    let skipped = counted.iter().flat_map(Aggregate::skipped);
    warnings.extend(skipped.map(|(label, skipped)| super::skipped_warning(label, skipped)));
    let aggregations = counted.map(|counted| RawJson::of(&Value::Object(counted.finish())));
    let applied =
        list_query.plan.applied(gathered.seen, gathered.complete).map(|applied| RawJson::of(&applied));
    match gathered.lost {
        Some(rest) => warnings.push(super::lost_warning(list_query, rest, gathered.seen, said_total)),
        None if !gathered.complete && !list_query.ways.begins_elsewhere => {
            warnings.push(super::incomplete_warning(list_query, gathered.seen));
        }
        None => {}
    }
    let mut members: Vec<(&str, &RawJson)> = Vec::new();
    members.extend(aggregations.as_ref().map(|counted| ("aggregations", counted)));
    members.extend(applied.as_ref().map(|applied| ("applied", applied)));
    let counted_cost = aggregations.as_ref().map_or(0, |counted| measure::tokens(counted.as_str()));
    if counted_cost > list_query.budget {
        return Err(failure_map::too_many_groups(counted_cost, list_query.budget));
    }
    if list_query.question.aggregate.is_some() && !list_query.question.include_items {
        return Ok(ListAnswer::Answer(RawJson::object(&members), warnings));
    }
    let length = gathered.items.len() as u64;
    let part = part(list_query, place.as_ref(), length);
    let mut builder = PageBuilder::new(list_query.choice, list_query.now, list_query.budget);
    builder.spend(counted_cost);
    let mut end = part.start;
    let asked = gathered.items.iter().skip(part.start as usize).take((part.end - part.start) as usize);
    for item in asked {
        if list_query.take(&mut builder, item).await? == AddedItem::Full {
            if builder.count() == 0 {
                return Err(list_query.over_budget(item, builder.around()).await);
            }
            warnings.push(super::over_budget_warning(
                list_query,
                builder.count(),
                Some(part.end - part.start),
            ));
            break;
        }
        end += 1;
    }
    let given = part.start..end;
    // What the caller's own place leaves before it is nothing that comes next.
    let is_at_the_end = gathered.lost.is_none() && list_query.ways.begins_elsewhere;
    let leads_on = end < length || gathered.lost.is_none();
    let at = |number: u64| Some(CursorPosition { number, resume: None });
    let page = PageInfo {
        has_next: !given.is_empty() && (given.end < length || !gathered.complete && !is_at_the_end),
        has_previous: !given.is_empty() && given.start > 0,
        start: if given.is_empty() { None } else { at(given.start) },
        end: if given.is_empty() || !leads_on { None } else { at(given.end - 1) },
        total: gathered.complete.then_some(length),
    };
    let info = RawJson::of(&list_query.page_info(&page)?);
    let items = RawJson::spliced(builder.into_text());
    let mut whole = vec![("items", &items), ("pageInfo", &info)];
    whole.extend(members);
    Ok(ListAnswer::Answer(RawJson::object(&whole), warnings))
}
