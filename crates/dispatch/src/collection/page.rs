//! One page of an upstream: its items, and where it says that the next one is.
//!
//! An answer and the declared way of paging in, a `Page` out. Nothing is copied: items are places in the answer's text.

use crate::cursor::PageStart;
use aqueduct_operations::answers::{FieldPath, Paging, PagingStyle};
use aqueduct_operations::raw_json::RawJson;
use aqueduct_query::peek;
use aqueduct_upstream::Answer;
use std::ops::Range;

/// Where the next cursor is looked for when nothing is declared.
const NEXT_PATHS: [&str; 7] = [
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "response_metadata.next_cursor",
    "meta.next_cursor",
    "next",
];

/// Bytes of an upstream's cursor, or link, that are passed on: more would cost a model more than the items.
const LONGEST_NEXT: usize = 4 * 1024;

/// A page that came.
#[derive(Debug)]
pub struct Page {
    text: RawJson,
    items: Vec<Range<usize>>,
    /// Where it began.
    pub start: PageStart,
    /// Items that the upstream gave before it.
    pub before: u64,
    /// Where the next one begins, unless this is known to be the last.
    pub next: Option<PageStart>,
    /// Whether there is a next page is known; else `next` is only where it would be.
    pub is_certain: bool,
    /// The number of items in all, where the upstream tells it.
    pub total: Option<u64>,
}

/// One item, as a place in the text of its page.
#[derive(Debug, Clone)]
pub struct Item {
    text: RawJson,
    range: Range<usize>,
}

impl Item {
    /// Its JSON text.
    pub fn as_str(&self) -> &str {
        &self.text.as_str()[self.range.clone()]
    }
}

/// How a page was asked for.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Where it begins.
    pub start: PageStart,
    /// Items before it.
    pub before: u64,
    /// The size that was asked for.
    pub size: u64,
}

impl Page {
    /// Reads an answer. Nothing when there is no list of items in it.
    pub fn read(answer: &Answer, paging: Option<&Paging>, asked: Asked) -> Option<Page> {
        let text = answer.data.clone();
        let whole = text.as_str();
        let items: Vec<Range<usize>> =
            peek::items(whole, paging.and_then(|paging| paging.items_path.as_ref()))?
                .map(|item| {
                    let from = item.as_ptr() as usize - whole.as_ptr() as usize;
                    from..from + item.len()
                })
                .collect();
        let total = paging.and_then(|paging| whole_number(whole, paging.total_path.as_ref()?));
        let (next, is_certain) = next(answer, paging, &asked, items.len() as u64, total);
        Some(Page { text, items, start: asked.start, before: asked.before, next, is_certain, total })
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The item with this number.
    pub fn item(&self, index: usize) -> Option<Item> {
        self.items.get(index).map(|range| Item { text: self.text.clone(), range: range.clone() })
    }

    /// True when it is the page before it once more: it has the same content where that can be no accident, or by the same
    /// way.
    pub fn repeats(&self, before: &Page) -> bool {
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

    /// True when there is a next page, and the way to it is too long to be passed on.
    pub fn next_is_too_long(&self) -> bool {
        self.next.as_ref().is_some_and(|next| length(next) > LONGEST_NEXT)
    }

    /// Tokens that two cursors to places in it take beyond the usual.
    pub fn cursor_cost(&self) -> u64 {
        let longest = self.next.as_ref().map_or(0, length).max(length(&self.start)).min(LONGEST_NEXT);
        // Sealed text is a third longer, and has a token for every two bytes or less.
        longest as u64 * 2
    }

    /// Bytes of the answer.
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

/// Where the next page begins, and whether that is certain.
fn next(
    answer: &Answer,
    paging: Option<&Paging>,
    asked: &Asked,
    got: u64,
    total: Option<u64>,
) -> (Option<PageStart>, bool) {
    // An upstream may page by links without an adapter that says so.
    let link =
        || answer.next_link().or_else(|| answer.header("next-page").map(str::to_owned)).map(PageStart::Link);
    let Some(paging) = paging else { return (link(), true) };
    let seen = asked.before + got;
    let counted = match paging.style {
        PagingStyle::LinkHeader => return (link(), true),
        PagingStyle::Cursor => return (next_cursor(answer, paging), true),
        PagingStyle::Offset => PageStart::Offset(seen),
        PagingStyle::Page => {
            let number = match asked.start {
                PageStart::Page(number) => number,
                _ => paging.first_page,
            };
            PageStart::Page(number + 1)
        }
    };
    let said = paging.has_more_path.as_ref().and_then(|path| flag(answer.data.as_str(), path));
    let is_more = said.or_else(|| total.map(|total| seen < total));
    match is_more {
        _ if got == 0 => (None, true),
        Some(is_more) => (is_more.then_some(counted), true),
        // A page that is not full is the last one, where it is known that the upstream gives as much as was asked for. Else
        // it may have a limit of its own, and only an empty page is the end.
        None if paging.size_param.is_some() && paging.is_max_declared && got < asked.size => (None, true),
        None => (Some(counted), false),
    }
}

fn next_cursor(answer: &Answer, paging: &Paging) -> Option<PageStart> {
    let whole = answer.data.as_str();
    if paging.has_more_path.as_ref().and_then(|path| flag(whole, path)) == Some(false) {
        return None;
    }
    let value = match &paging.next_path {
        Some(path) => peek::value_at(whole, path),
        None => peek::first_of(whole, &NEXT_PATHS),
    };
    let text = value.and_then(peek::text).filter(|text| !text.is_empty() && text != "false")?.into_owned();
    // Some give a whole link in the place of a cursor. A cursor may begin with a slash, but it holds no question mark.
    let is_relative = text.starts_with(['/', '?']) && text.contains('?');
    let is_link = is_relative || text.starts_with("http://") || text.starts_with("https://");
    Some(if is_link { PageStart::Link(text) } else { PageStart::Cursor(text) })
}

fn whole_number(json: &str, path: &FieldPath) -> Option<u64> {
    peek::text_at(json, path)?.parse().ok()
}

fn flag(json: &str, path: &FieldPath) -> Option<bool> {
    peek::value_at(json, path)?.parse().ok()
}
