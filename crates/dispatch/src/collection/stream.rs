//! Answers while it walks: the next items of a collection, in the order in which the upstream has them.
//!
//! Ends when the page is full, the budget is spent, the items are at an end, or enough of them have been looked at.

use super::page_builder::{AddedItem, PageBuilder};
use super::position::{self, WalkStart};
use super::unknown_fields::UnknownFields;
use super::walk::{FirstPage, PageWalk, WalkStep};
use super::{ListAnswer, ListQuery, PageInfo};
use crate::cursor::CursorPosition;
use crate::stages::query_options::{Window, truncated};
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;
use serde_json::Value;

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WalkEnd {
    /// With the page full.
    PageFull,
    /// With the budget spent.
    BudgetSpent,
    /// With the last item.
    End,
    /// With as many items looked at as one call may.
    Enough,
    /// With a page that could not be read.
    Broken,
    /// With items behind the last one, or perhaps, that nothing leads to.
    Lost,
}

/// Answers a question about the next items.
pub async fn answer(
    list_query: &ListQuery<'_>,
    place: Option<CursorPosition>,
) -> Result<ListAnswer, Failure> {
    let most_seen = list_query.context.settings.limits.max_gathered_items;
    let (want, is_all) = match &list_query.question.window {
        Window::Forward { size, .. } | Window::Backward { size, .. } | Window::Offset { size, .. } => {
            (size.count, false)
        }
        Window::All { .. } => (most_seen, true),
    };
    let largest = list_query.largest_page();
    let size = if is_all || list_query.plan.picks() { largest } else { want.clamp(1, largest) };
    let place_is_none = place.is_none();
    let WalkStart { resume, number: first_number, mut pass } = position::beginning(list_query, place, size);
    let mut walk = PageWalk::new(list_query.ground(), resume);
    if is_all {
        walk = walk.telling(most_seen);
    }
    walk = walk.weighing(list_query.plan.weight());
    if let FirstPage::NoList(answer) = walk.begin().await? {
        return Ok(ListAnswer::NoList(answer));
    }
    let mut builder = PageBuilder::new(list_query.choice, list_query.now, list_query.budget);
    builder.spend(walk.cursor_cost());
    let mut page = PageInfo::default();
    let mut unknown = UnknownFields::of(list_query);
    let is_from_start = place_is_none
        && !list_query.ways.begins_elsewhere
        && matches!(
            list_query.question.window,
            Window::Forward { .. } | Window::All { .. } | Window::Offset { skip: 0, .. }
        );
    let (mut walked, mut seen, mut number) = (0, 0, first_number);
    let mut broken = None;
    let ended = loop {
        if builder.count() >= want {
            break WalkEnd::PageFull;
        }
        if walked >= most_seen {
            break WalkEnd::Enough;
        }
        let item = match walk.next().await {
            Ok(WalkStep::Item(item)) => item,
            Ok(WalkStep::End) => break WalkEnd::End,
            Ok(WalkStep::Enough) => break WalkEnd::Enough,
            Ok(WalkStep::Lost(_)) => break WalkEnd::Lost,
            // What was read is not lost because the next page cannot be: the cursor leads there again.
            Err(failure) if builder.count() > 0 && failure.code != Code::PermissionDenied => {
                broken = Some(failure);
                break WalkEnd::Broken;
            }
            Err(failure) => return Err(failure),
        };
        walked += 1;
        unknown.look(item.as_str());
        // What is only passed over counts as little as what an upstream skips by itself.
        seen += u64::from(pass == 0 || list_query.plan.picks());
        if list_query.keeps(&item).await? {
            let own = number;
            number += 1;
            if pass > 0 {
                pass -= 1;
            } else if list_query.take(&mut builder, &item).await? == AddedItem::Full {
                if builder.count() == 0 {
                    return Err(list_query.over_budget(&item, builder.around()).await);
                }
                number = own;
                break WalkEnd::BudgetSpent;
            } else {
                let place = CursorPosition { number: own, resume: walk.resume() };
                page.start.get_or_insert_with(|| place.clone());
                page.end = Some(place);
            }
        }
    };
    let (has_next, complete) = match ended {
        // Nothing to go on from: whoever reads on until there is no more must come to an end.
        WalkEnd::PageFull if want == 0 => (false, false),
        WalkEnd::PageFull if !list_query.plan.picks() => {
            let more = may_have_more(&mut walk).await;
            (more, !more)
        }
        WalkEnd::PageFull => {
            look_ahead(list_query, &mut walk, &mut seen, most_seen.saturating_sub(walked)).await
        }
        WalkEnd::BudgetSpent | WalkEnd::Broken => (true, false),
        WalkEnd::End => (false, true),
        WalkEnd::Lost => (true, false),
        WalkEnd::Enough => (may_have_more(&mut walk).await, false),
    };
    // Without an item to hold on to, going on is still possible from where the walk stopped.
    if ended == WalkEnd::Enough && has_next {
        page.end = Some(CursorPosition { number: number.saturating_sub(1), resume: walk.resume() });
    }
    let is_cut_off = has_next && walk.is_at_a_dead_end();
    let is_lost = has_next && walk.is_lost();
    page.has_next = has_next && !is_cut_off;
    page.end = page.end.filter(|_| !is_cut_off && !is_lost);
    page.has_previous = builder.count() > 0 && number - builder.count() > 0;
    page.total = if list_query.plan.picks() { None } else { walk.total().filter(|total| *total >= number) };
    if complete && !list_query.ways.begins_elsewhere && (builder.count() > 0 || is_from_start) {
        page.total = Some(number);
    }
    // All that one call gathers is the most that 'all' gives.
    let ended = if is_all && ended == WalkEnd::PageFull && has_next { WalkEnd::Enough } else { ended };
    let mut warnings =
        warnings(list_query, ended, &builder, page.total.map(|total| total.saturating_sub(first_number)));
    if is_cut_off {
        warnings.push(super::dead_end_warning(builder.count()));
    }
    if is_lost {
        warnings.push(super::lost_warning(list_query, walk.rest(), walked, walk.total()));
    }
    warnings.extend(unknown.warnings());
    warnings.extend(broken.map(|failure| super::broken_warning(&failure, builder.count())));
    let complete = complete && is_from_start;
    finish(list_query, builder, &page, list_query.plan.applied(seen, complete), warnings)
}

/// Looks for one more item that stays. Whether there is one, or may be one; and whether all have been seen.
async fn look_ahead(
    list_query: &ListQuery<'_>,
    walk: &mut PageWalk<'_>,
    seen: &mut u64,
    most: u64,
) -> (bool, bool) {
    for _ in 0..most {
        match walk.next().await {
            Ok(WalkStep::End) => return (false, true),
            Ok(WalkStep::Enough | WalkStep::Lost(_)) | Err(_) => return (true, false),
            Ok(WalkStep::Item(item)) => {
                *seen += 1;
                if list_query.keeps(&item).await.unwrap_or(true) {
                    return (true, false);
                }
            }
        }
    }
    let more = may_have_more(walk).await;
    (more, !more)
}

/// A page that is only looked at to know whether it is there may be out of reach: then there may be one.
async fn may_have_more(walk: &mut PageWalk<'_>) -> bool {
    walk.has_more().await.unwrap_or(true)
}

fn warnings(
    list_query: &ListQuery<'_>,
    ended: WalkEnd,
    builder: &PageBuilder<'_>,
    left: Option<u64>,
) -> Vec<Warning> {
    let count = builder.count();
    match ended {
        WalkEnd::BudgetSpent => {
            vec![super::over_budget_warning(list_query, count, left)]
        }
        WalkEnd::Enough => {
            let most = list_query.context.settings.limits.max_gathered_items;
            let mut warning = truncated("items", left.unwrap_or(most), count, most);
            warning.message = format!(
                "Response truncated to {count} items: one call goes no further than this. Go on with first and after: \
                 pageInfo.endCursor, or narrow it with a filter."
            );
            vec![warning]
        }
        WalkEnd::PageFull | WalkEnd::End | WalkEnd::Broken | WalkEnd::Lost => Vec::new(),
    }
}

fn finish(
    list_query: &ListQuery<'_>,
    builder: PageBuilder<'_>,
    page: &PageInfo,
    applied: Option<Value>,
    warnings: Vec<Warning>,
) -> Result<ListAnswer, Failure> {
    let info = list_query.page_info(page)?;
    let items = RawJson::spliced(builder.into_text());
    let info = RawJson::of(&info);
    let applied = applied.map(|applied| RawJson::of(&applied));
    let mut members = vec![("items", &items), ("pageInfo", &info)];
    members.extend(applied.as_ref().map(|applied| ("applied", applied)));
    Ok(ListAnswer::Answer(RawJson::object(&members), warnings))
}
