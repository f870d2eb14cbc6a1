//! Where the next page of a list begins: by a link, a cursor, an offset or a page number.
//!
//! A page as it was fetched, and the paging parameters in; the start of the next page out, or what is known of the items
//! that nothing leads to.

use super::facts::{self, ListFacts};
use super::page::AfterLastPage;
use super::page_source::{FetchedPage, PageRequest};
use super::paging_params::PagingParams;
use crate::cursor::PageStart;
use aqueduct_operations::response::{FieldPath, Paging, PagingStyle};
use aqueduct_query::peek;

/// APIs that cap the size of a page do so by a round number, and not by a small one.
const LEAST_CAP: u64 = 10;

/// What is known of what comes after a page.
pub struct NextPage {
    /// Where the next page begins, unless there is none.
    pub next: Option<PageStart>,
    /// Whether there is a next page is known.
    pub is_certain: bool,
    /// What comes after the page where nothing leads on.
    pub remainder: AfterLastPage,
}

impl NextPage {
    /// There is a next page, or none.
    pub fn at(next: Option<PageStart>) -> NextPage {
        NextPage { next, is_certain: true, remainder: AfterLastPage::End }
    }

    fn nowhere(remainder: AfterLastPage) -> NextPage {
        NextPage { next: None, is_certain: true, remainder }
    }
}

/// Finds out where the next page begins.
pub struct NextPageReader<'p> {
    fetched: &'p FetchedPage,
    paging_params: &'p PagingParams,
    request: &'p PageRequest,
    facts: &'p ListFacts,
    /// Items of this page.
    count: u64,
    /// Items up to its end.
    seen: u64,
    /// Items in all, where that is known.
    pub total: Option<u64>,
}

impl<'p> NextPageReader<'p> {
    /// A page with so many items.
    pub fn new(
        fetched: &'p FetchedPage,
        paging_params: &'p PagingParams,
        request: &'p PageRequest,
        count: u64,
        facts: &'p ListFacts,
    ) -> NextPageReader<'p> {
        let seen = request.before + count;
        let total = total(fetched, paging_params, seen, facts);
        NextPageReader { fetched, paging_params, request, facts, count, seen, total }
    }

    /// Where the next page begins, and what is known where there is no way to it.
    pub fn next_page(&self) -> NextPage {
        let is_guessed = self.paging_params.is_guessed;
        // A source may page by links without an adapter that says so.
        let link = || self.fetched.next_link.clone().map(|link| NextPage::at(Some(PageStart::Link(link))));
        let nowhere = || NextPage::nowhere(self.remainder());
        let Some(paging) = &self.paging_params.paging else { return link().unwrap_or_else(nowhere) };
        let counted = match paging.style {
            PagingStyle::LinkHeader => return link().unwrap_or_else(nowhere),
            PagingStyle::Cursor if is_guessed => return self.behind_guessed_cursor(paging),
            PagingStyle::Cursor => return NextPage::at(next_cursor(self.fetched, paging)),
            PagingStyle::Offset => PageStart::Offset(self.seen),
            PagingStyle::Page => {
                let number = match self.request.start {
                    PageStart::Page(number) => number,
                    _ => paging.first_page,
                };
                PageStart::Page(number + 1)
            }
        };
        if is_guessed && let Some(link) = link() {
            return link;
        }
        match self.has_more(paging) {
            _ if self.count == 0 => NextPage::at(None),
            Some(is_more) => NextPage::at(is_more.then_some(counted)),
            None if self.is_last_by_size(paging) => NextPage::at(None),
            None => NextPage { next: Some(counted), is_certain: false, remainder: AfterLastPage::End },
        }
    }

    /// The next page where no one has declared which field of the response holds its cursor.
    fn behind_guessed_cursor(&self, paging: &Paging) -> NextPage {
        let is_reached_by_cursor = matches!(self.request.start, PageStart::Cursor(_));
        match (next_cursor(self.fetched, paging), self.facts.has_more()) {
            (_, Some(false)) => NextPage::at(None),
            (Some(next), _) => NextPage::at(Some(next)),
            // The cursor of the page before was found, so this page would have one in the same place.
            (None, None) if is_reached_by_cursor => NextPage::at(None),
            (None, _) => NextPage::nowhere(self.remainder()),
        }
    }

    /// Whether there is more, as the response says it.
    fn has_more(&self, paging: &Paging) -> Option<bool> {
        let is_guessed = self.paging_params.is_guessed;
        let flagged = match &paging.has_more_path {
            Some(path) => flag(self.fetched.data.as_str(), path),
            None if is_guessed => self.facts.has_more(),
            None => None,
        };
        let by_total = || self.total.map(|total| self.seen < total);
        flagged.or_else(by_total).or_else(|| self.facts.is_last().filter(|_| is_guessed))
    }

    /// A page that is not full is the last one, where it is known that the source gives as much as was requested. Else it
    /// may have a limit of its own, and only an empty page is the end.
    fn is_last_by_size(&self, paging: &Paging) -> bool {
        if paging.is_max_declared && paging.size_param.is_some() && self.count < self.request.size {
            return true;
        }
        let requested = self.paging_params.requested_size(self.request.size);
        let is_less = requested.is_none_or(|size| self.count < size) && !may_be_a_cap(self.count);
        self.paging_params.is_guessed && is_less
    }

    /// What comes after a page that leads nowhere: what the response says of it counts, else the size that was requested.
    fn remainder(&self) -> AfterLastPage {
        let paging_params = self.paging_params;
        let is_behind = |total: u64| self.count > 0 && self.seen < total;
        let by_total = self.total.filter(|_| !paging_params.begins_elsewhere).map(is_behind);
        match self.facts.has_more().or(by_total).or(self.facts.is_last()) {
            Some(true) => return AfterLastPage::More,
            Some(false) => return AfterLastPage::End,
            None => {}
        }
        match paging_params.requested_size(self.request.size) {
            // Where links are declared, the page without one is the last.
            _ if !paging_params.is_guessed => AfterLastPage::End,
            Some(size) if self.count >= size && self.count > 0 => AfterLastPage::Perhaps,
            Some(_) if may_be_a_cap(self.count) && !is_size_kept(paging_params) => AfterLastPage::Perhaps,
            _ => AfterLastPage::End,
        }
    }
}

/// True when the source says up to which size it gives what is requested.
fn is_size_kept(paging_params: &PagingParams) -> bool {
    paging_params.paging.as_ref().is_some_and(|paging| paging.is_max_declared)
}

fn may_be_a_cap(count: u64) -> bool {
    count >= LEAST_CAP && count.is_multiple_of(5)
}

/// The number of items in all. Where nothing is declared about it, what responses usually call it counts, if it can be.
fn total(fetched: &FetchedPage, paging_params: &PagingParams, seen: u64, facts: &ListFacts) -> Option<u64> {
    let paging = paging_params.paging.as_ref();
    if let Some(path) = paging.and_then(|paging| paging.total_path.as_ref()) {
        return peek::text_at(fetched.data.as_str(), path)?.parse().ok();
    }
    // A number beside a cursor may mean anything.
    if paging.is_some_and(|paging| paging.style == PagingStyle::Cursor) {
        return None;
    }
    // An adapter that declares paging by numbers, and no total, may have a reason.
    let is_declared =
        paging.is_some_and(|paging| paging.style != PagingStyle::LinkHeader) && !paging_params.is_guessed;
    if is_declared {
        return None;
    }
    facts.total(seen).or(fetched.total).filter(|total| *total >= seen)
}

fn next_cursor(fetched: &FetchedPage, paging: &Paging) -> Option<PageStart> {
    let whole = fetched.data.as_str();
    if paging.has_more_path.as_ref().and_then(|path| flag(whole, path)) == Some(false) {
        return None;
    }
    let value = match &paging.next_path {
        Some(path) => peek::value_at(whole, path),
        None => peek::first_of(whole, &facts::NEXT_PATHS),
    };
    let text = value.and_then(peek::text).filter(|text| !text.is_empty() && text != "false")?.into_owned();
    // Some give a whole link in the place of a cursor.
    Some(if facts::is_link(&text) { PageStart::Link(text) } else { PageStart::Cursor(text) })
}

fn flag(json: &str, path: &FieldPath) -> Option<bool> {
    peek::value_at(json, path)?.parse().ok()
}
