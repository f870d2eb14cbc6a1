//! One page of a list: its items, where the next one is, and what it says of the whole.
//!
//! What a source fetched and the paging parameters in, an `UpstreamPage` out. Nothing is copied: items are ranges in the text of
//! the response. What a response does not say is not taken for granted: a list without a word about its end may go on.

use super::facts::ListFacts;
use super::next_page::{NextPage, NextPageReader};
use super::page_source::{FetchedPage, PageRequest};
use super::paging_params::PagingParams;
use crate::cursor::PageStart;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::response::{Paging, PagingStyle};
use aqueduct_query::peek;
use std::ops::Range;

/// Bytes of an upstream's cursor, or link, that are passed on: more would cost a model more than the items.
const LONGEST_NEXT: usize = 4 * 1024;

/// A page that came.
#[derive(Debug)]
pub struct UpstreamPage {
    text: RawJson,
    items: Vec<Range<usize>>,
    /// Where it began.
    pub start: PageStart,
    /// Items that the source gave before it.
    pub before: u64,
    /// Where the next one begins, unless this is known to be the last.
    pub next: Option<PageStart>,
    /// Whether there is a next page is known; else `next` is only where it would be.
    pub is_certain: bool,
    /// The number of items in all, where the source gives it.
    pub total: Option<u64>,
    /// What is known of what comes after it, where no next page is known.
    pub remainder: AfterLastPage,
    /// The next page was found in the body, and no one has declared that it is there.
    is_found: bool,
    /// The page as it is given where no fields are chosen, when that differs.
    shown: Option<(RawJson, Vec<Range<usize>>)>,
}

/// What comes after the last page that can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterLastPage {
    /// Nothing: it is the end.
    End,
    /// More items, as the source says.
    More,
    /// Perhaps more: the page is as large as was requested, or as the source makes them.
    Perhaps,
}

/// One item, as a range in the text of its page.
#[derive(Debug, Clone)]
pub struct PageItem {
    text: RawJson,
    range: Range<usize>,
    shown: Option<(RawJson, Range<usize>)>,
}

impl PageItem {
    /// Its JSON text, as the source gave it.
    pub fn as_str(&self) -> &str {
        &self.text.as_str()[self.range.clone()]
    }

    /// Its JSON text as it is given where no fields are chosen.
    pub fn shown(&self) -> &str {
        match &self.shown {
            Some((text, range)) => &text.as_str()[range.clone()],
            None => self.as_str(),
        }
    }
}

impl UpstreamPage {
    /// Reads what was fetched. Nothing when there is no list of items in it.
    pub fn read(
        fetched: &FetchedPage,
        paging_params: &PagingParams,
        request: PageRequest,
    ) -> Option<UpstreamPage> {
        if fetched.is_text {
            return None;
        }
        let paging = paging_params.paging.as_ref();
        let text = fetched.data.clone();
        let items = ranges(&text, paging)?;
        let facts = ListFacts::of(&text);
        let reader = NextPageReader::new(fetched, paging_params, &request, items.len() as u64, &facts);
        let mut next_page = reader.next_page();
        let is_over = items.is_empty() || facts.has_more() == Some(false);
        let link = facts.link().filter(|_| paging_params.is_guessed && !is_over);
        // A link or a cursor in its own place counts more than a link somewhere in the body.
        let is_led_on = matches!(next_page.next, Some(PageStart::Link(_) | PageStart::Cursor(_)));
        let leads_elsewhere = link.is_some() && !is_led_on;
        if leads_elsewhere {
            next_page = NextPage::at(link.map(PageStart::Link));
        }
        let is_cursor = paging.is_some_and(|paging| paging.style == PagingStyle::Cursor);
        Some(UpstreamPage {
            total: reader.total,
            text,
            items,
            start: request.start,
            before: request.before,
            next: next_page.next,
            is_certain: next_page.is_certain,
            remainder: next_page.remainder,
            is_found: leads_elsewhere || paging_params.is_guessed && is_cursor,
            shown: None,
        })
    }

    /// The same page; where a link was found in the body and does not lead to a page of this source, there is more and no
    /// way to it.
    pub fn leading_on(mut self, leads_on: impl Fn(&str) -> bool) -> UpstreamPage {
        let is_dead = matches!(&self.next, Some(PageStart::Link(link)) if self.is_found && !leads_on(link));
        if is_dead {
            (self.next, self.remainder) = (None, AfterLastPage::More);
        }
        self
    }

    /// The same page, whose items are given as they are in this text.
    pub fn shown_as(mut self, shown: RawJson, paging_params: &PagingParams) -> UpstreamPage {
        let items =
            ranges(&shown, paging_params.paging.as_ref()).filter(|items| items.len() == self.items.len());
        self.shown = items.map(|items| (shown, items));
        self
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The item with this number.
    pub fn item(&self, index: usize) -> Option<PageItem> {
        let shown =
            self.shown.as_ref().and_then(|(text, items)| Some((text.clone(), items.get(index)?.clone())));
        self.items.get(index).map(|range| PageItem { text: self.text.clone(), range: range.clone(), shown })
    }

    /// True when it is the page before it once more: it has the same content where that can be no accident, or by the same
    /// way.
    pub fn repeats(&self, before: &UpstreamPage) -> bool {
        let is_same = !self.items.is_empty() && self.text == before.text;
        let first = self.item(0);
        let are_distinct = (1..self.len()).all(|index| {
            self.item(index)
                .is_some_and(|item| first.as_ref().is_some_and(|first| item.as_str() != first.as_str()))
        });
        let is_telling =
            self.len() > 1 && are_distinct && first.is_some_and(|first| first.as_str().starts_with('{'));
        is_same && (is_telling || self.start == before.start)
    }

    /// True when there is a next page, and the link or cursor to it is too long to be passed on.
    pub fn next_is_too_long(&self) -> bool {
        self.next.as_ref().is_some_and(|next| length(next) > LONGEST_NEXT)
    }

    /// Tokens that two cursors to positions in it take beyond the usual.
    pub fn cursor_cost(&self) -> u64 {
        let longest = self.next.as_ref().map_or(0, length).max(length(&self.start)).min(LONGEST_NEXT);
        // Sealed text is a third longer, and has a token for every two bytes or less.
        longest as u64 * 2
    }

    /// Bytes of the response.
    pub fn size(&self) -> usize {
        self.text.as_str().len()
    }
}

fn length(start: &PageStart) -> usize {
    match start {
        PageStart::Link(text) | PageStart::Cursor(text) => text.len(),
        PageStart::Start | PageStart::Offset(_) | PageStart::Page(_) => 0,
    }
}

/// Where the items are in a response.
fn ranges(text: &RawJson, paging: Option<&Paging>) -> Option<Vec<Range<usize>>> {
    let whole = text.as_str();
    let items = peek::items(whole, paging.and_then(|paging| paging.items_path.as_ref()))?;
    let range = |item: &str| {
        let from = item.as_ptr() as usize - whole.as_ptr() as usize;
        from..from + item.len()
    };
    Some(items.map(range).collect())
}
