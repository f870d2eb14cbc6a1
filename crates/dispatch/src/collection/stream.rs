//! Responds while it walks: the next items of a list, in the order in which the source has them.
//!
//! A page source and a position in, `{items, pageInfo}` out. Ends when the page is full, the budget is spent, there are no
//! more items, or as many were looked at as one call may.

use super::page::PageItem;
use super::page_builder::{AddedItem, PageBuilder};
use super::position::{self, WalkStart};
use super::unknown_fields::UnknownFields;
use super::walk::{PageWalk, WalkStep};
use super::{ListQuery, PageInfo, PermittedPages, warnings as list_warnings};
use crate::cursor::CursorPosition;
use crate::stages::call::CallOutcome;
use crate::stages::query_options::{PageWindow, truncated};
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::reply::Warning;

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
    /// With more items after the last one, or perhaps, that nothing leads to.
    Lost,
}

/// Responds with the next items of a list.
pub async fn answer(
    list_query: &ListQuery<'_>,
    pages: PermittedPages<'_>,
    position: Option<CursorPosition>,
) -> Result<CallOutcome, Failure> {
    let is_from_start = position.is_none()
        && !list_query.paging_params.begins_elsewhere
        && matches!(
            list_query.controls.window,
            PageWindow::Forward { .. } | PageWindow::All { .. } | PageWindow::Offset { skip: 0, .. }
        );
    let start = position::beginning(list_query, position, list_query.page_size());
    let mut stream = ListStream::new(list_query, pages, start);
    if let Some(fetched) = stream.walk.begin().await? {
        return list_query.no_list(fetched);
    }
    stream.builder.spend(stream.walk.cursor_cost());
    let ended = stream.fill().await?;
    let rest = stream.look_behind(ended).await;
    stream.finish(ended, rest, is_from_start)
}

/// The items that are given, and how far the walk has come for them.
struct ListStream<'q> {
    list_query: &'q ListQuery<'q>,
    walk: PageWalk<'q>,
    builder: PageBuilder<'q>,
    unknown: UnknownFields,
    /// The number of the first item that the walk comes to, among those that pass the filter.
    first_number: u64,
    /// The number of the next one.
    number: u64,
    /// Items that pass the filter and are still to be skipped.
    skip: u64,
    /// Items that the walk gave.
    walked: u64,
    /// Of these, those that `applied` counts.
    seen: u64,
    /// The cursors of the first and of the last item that is given.
    cursors: Option<(CursorPosition, CursorPosition)>,
    /// Why the next page could not be read.
    broken: Option<Failure>,
}

/// What is behind the items that are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListRest {
    /// There is another item, or may be.
    More,
    /// All items have been seen.
    Nothing,
    /// No one is to read on, and not all items have been seen.
    Unasked,
}

impl ListRest {
    fn more_if(may_have_more: bool) -> ListRest {
        if may_have_more { ListRest::More } else { ListRest::Nothing }
    }
}

impl<'q> ListStream<'q> {
    fn new(list_query: &'q ListQuery<'q>, pages: PermittedPages<'q>, start: WalkStart) -> ListStream<'q> {
        let mut walk = PageWalk::new(list_query.walk_context(), pages, start.resume)
            .reading_items(list_query.plan.items.passes_per_item());
        if list_query.wants_all() {
            walk = walk.reporting_progress(list_query.max_items());
        }
        ListStream {
            list_query,
            walk,
            builder: PageBuilder::new(list_query.choice, list_query.now, list_query.budget),
            unknown: UnknownFields::of(list_query),
            first_number: start.number,
            number: start.number,
            skip: start.skip,
            walked: 0,
            seen: 0,
            cursors: None,
            broken: None,
        }
    }

    /// Takes items until the page is full, or something else ends the walk.
    async fn fill(&mut self) -> Result<WalkEnd, Failure> {
        loop {
            if self.builder.count() >= self.list_query.wanted() {
                return Ok(WalkEnd::PageFull);
            }
            if self.walked >= self.list_query.max_items() {
                return Ok(WalkEnd::Enough);
            }
            let item = match self.walk.next().await {
                Ok(WalkStep::Item(item)) => item,
                Ok(WalkStep::End) => return Ok(WalkEnd::End),
                Ok(WalkStep::Enough) => return Ok(WalkEnd::Enough),
                Ok(WalkStep::Lost(_)) => return Ok(WalkEnd::Lost),
                // What was read is not lost because the next page cannot be: the cursor leads there again.
                Err(failure) if self.builder.count() > 0 && failure.code != Code::PermissionDenied => {
                    self.broken = Some(failure);
                    return Ok(WalkEnd::Broken);
                }
                Err(failure) => return Err(failure),
            };
            if self.add(&item).await? == AddedItem::Full {
                return Ok(WalkEnd::BudgetSpent);
            }
        }
    }

    /// Adds an item, if it passes the filter and is not skipped.
    async fn add(&mut self, item: &PageItem) -> Result<AddedItem, Failure> {
        self.walked += 1;
        self.unknown.look(item.as_str());
        // What is only skipped counts as little as what an upstream skips by itself.
        self.seen += u64::from(self.skip == 0 || self.list_query.plan.filters_items());
        if !self.list_query.matches(item).await? {
            return Ok(AddedItem::Yes);
        }
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.list_query.take(&mut self.builder, item).await? == AddedItem::Full {
            if self.builder.count() == 0 {
                return Err(self.list_query.over_budget(item, self.builder.around()).await);
            }
            return Ok(AddedItem::Full);
        } else {
            let position = CursorPosition { number: self.number, resume: self.walk.resume() };
            match &mut self.cursors {
                Some((_, end)) => *end = position,
                None => self.cursors = Some((position.clone(), position)),
            }
        }
        self.number += 1;
        Ok(AddedItem::Yes)
    }

    /// What is known of the items behind those that are given.
    async fn look_behind(&mut self, ended: WalkEnd) -> ListRest {
        match ended {
            // Nothing to go on from: a client that reads on until there is no more must come to an end.
            WalkEnd::PageFull if self.list_query.wanted() == 0 => ListRest::Unasked,
            WalkEnd::PageFull if !self.list_query.plan.filters_items() => {
                ListRest::more_if(may_have_more(&mut self.walk).await)
            }
            WalkEnd::PageFull => self.look_ahead().await,
            WalkEnd::BudgetSpent | WalkEnd::Broken | WalkEnd::Lost => ListRest::More,
            WalkEnd::End => ListRest::Nothing,
            WalkEnd::Enough if may_have_more(&mut self.walk).await => ListRest::More,
            WalkEnd::Enough => ListRest::Unasked,
        }
    }

    /// Looks for one more item that passes the filter.
    async fn look_ahead(&mut self) -> ListRest {
        for _ in self.walked..self.list_query.max_items() {
            match self.walk.next().await {
                Ok(WalkStep::End) => return ListRest::Nothing,
                Ok(WalkStep::Enough | WalkStep::Lost(_)) | Err(_) => return ListRest::More,
                Ok(WalkStep::Item(item)) => {
                    self.seen += 1;
                    if self.list_query.matches(&item).await.unwrap_or(true) {
                        return ListRest::More;
                    }
                }
            }
        }
        ListRest::more_if(may_have_more(&mut self.walk).await)
    }

    /// Puts the response together.
    fn finish(self, ended: WalkEnd, rest: ListRest, is_from_start: bool) -> Result<CallOutcome, Failure> {
        let (list_query, given, has_next) = (self.list_query, self.builder.count(), rest == ListRest::More);
        let is_cut_off = has_next && self.walk.is_at_a_dead_end();
        let is_lost = has_next && self.walk.is_lost();
        let page = self.page_info(ended, rest, is_from_start);
        // All that one call gathers is the most that 'all' gives.
        let is_full = ended == WalkEnd::PageFull && list_query.wants_all() && has_next;
        let ended = if is_full { WalkEnd::Enough } else { ended };
        let left = page.total.map(|total| total.saturating_sub(self.first_number));
        let mut warnings: Vec<Warning> = ended_warning(list_query, ended, given, left).into_iter().collect();
        if is_cut_off {
            warnings.push(list_warnings::dead_end(given));
        }
        if is_lost {
            let (remainder, total) = (self.walk.remainder(), self.walk.total());
            warnings.push(list_warnings::lost(list_query, remainder, self.walked, total));
        }
        warnings.extend(self.unknown.warnings());
        warnings.extend(self.broken.map(|failure| list_warnings::broken(&failure, given)));
        let info = RawJson::of(&list_query.page_info(&page)?);
        let items = RawJson::spliced(self.builder.into_text());
        let applied = list_query.plan.applied(self.seen, rest == ListRest::Nothing && is_from_start);
        let applied = applied.map(|applied| RawJson::of(&applied));
        let mut members = vec![("items", &items), ("pageInfo", &info)];
        members.extend(applied.as_ref().map(|applied| ("applied", applied)));
        Ok(CallOutcome::Collected(RawJson::object(&members), warnings))
    }

    fn page_info(&self, ended: WalkEnd, rest: ListRest, is_from_start: bool) -> PageInfo {
        let (list_query, given, has_next) = (self.list_query, self.builder.count(), rest == ListRest::More);
        let (start, mut end) = self.cursors.clone().unzip();
        // Without an item to hold on to, going on is still possible from where the walk stopped.
        if ended == WalkEnd::Enough && has_next {
            end = Some(CursorPosition { number: self.number.saturating_sub(1), resume: self.walk.resume() });
        }
        let is_cut_off = has_next && self.walk.is_at_a_dead_end();
        let is_lost = has_next && self.walk.is_lost();
        let is_counted = rest == ListRest::Nothing
            && !list_query.paging_params.begins_elsewhere
            && (given > 0 || is_from_start);
        let total = match self.walk.total() {
            _ if is_counted => Some(self.number),
            total => total.filter(|total| !list_query.plan.filters_items() && *total >= self.number),
        };
        PageInfo {
            has_next: has_next && !is_cut_off,
            has_previous: given > 0 && self.number - given > 0,
            start,
            end: end.filter(|_| !is_cut_off && !is_lost),
            total,
        }
    }
}

/// A page that is only looked at to know whether it is there may be out of reach: then there may be one.
async fn may_have_more(walk: &mut PageWalk<'_>) -> bool {
    walk.has_more().await.unwrap_or(true)
}

/// The warning that the items were not at an end.
fn ended_warning(
    list_query: &ListQuery<'_>,
    ended: WalkEnd,
    given: u64,
    left: Option<u64>,
) -> Option<Warning> {
    match ended {
        WalkEnd::BudgetSpent => Some(list_warnings::over_budget(list_query, given, left)),
        WalkEnd::Enough => {
            let most = list_query.max_items();
            let message = format!(
                "Response truncated to {given} items: one call goes no further than this. Go on with first and after: \
                 pageInfo.endCursor, or narrow it with a filter."
            );
            Some(Warning { message, ..truncated("items", left.unwrap_or(most), given, most) })
        }
        WalkEnd::PageFull | WalkEnd::End | WalkEnd::Broken | WalkEnd::Lost => None,
    }
}
