//! One page of an upstream: its items, where it says that the next one is, and what it says of the whole.
//!
//! An answer and the way of paging in, a `Page` out. Nothing is copied: items are places in the answer's text. What an
//! answer does not say is not taken for granted: a list without a word about its end may go on.

use super::ways::Ways;
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

/// Where the number of all items is looked for when nothing is declared. Some mean the items of the page by the last ones.
const TOTAL_PATHS: [&str; 16] = [
    "total_count",
    "totalCount",
    "total",
    "total_results",
    "totalResults",
    "total_items",
    "totalItems",
    "totalElements",
    "meta.total",
    "meta.total_count",
    "meta.totalCount",
    "pagination.total",
    "pagination.total_count",
    "page.totalElements",
    "meta.count",
    "count",
];
/// Of these, those that may mean the items of the page.
const COUNT_PATHS: [&str; 2] = ["meta.count", "count"];
/// Headers with the number of all items.
const TOTAL_HEADERS: [&str; 2] = ["x-total-count", "x-total"];
/// Where it is looked for whether there is more.
const MORE_PATHS: [&str; 8] = [
    "has_more",
    "hasMore",
    "has_next",
    "hasNext",
    "has_next_page",
    "hasNextPage",
    "meta.has_more",
    "pagination.has_more",
];
/// Where links to a next page are, besides those of cursors.
const LINK_PATHS: [&str; 3] = ["links.next", "_links.next.href", "paging.next"];

/// APIs that give less than they are asked for do so by a round number, and not by a small one.
const LEAST_CAP: u64 = 10;

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
    /// What is known of what comes behind it, where there is no way on.
    pub rest: Rest,
    /// The page as it goes on where nobody chooses fields, when that differs.
    shown: Option<(RawJson, Vec<Range<usize>>)>,
}

/// What is behind the last page that can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Nothing: it is the end.
    End,
    /// More items, by the API's own word.
    More,
    /// Perhaps more: the page is as large as it was asked to be, or as the API makes them.
    Perhaps,
}

/// One item, as a place in the text of its page.
#[derive(Debug, Clone)]
pub struct Item {
    text: RawJson,
    range: Range<usize>,
    shown: Option<(RawJson, Range<usize>)>,
}

impl Item {
    /// Its JSON text, as the API sent it.
    pub fn as_str(&self) -> &str {
        &self.text.as_str()[self.range.clone()]
    }

    /// Its JSON text as it goes on where nobody chooses fields.
    pub fn shown(&self) -> &str {
        match &self.shown {
            Some((text, range)) => &text.as_str()[range.clone()],
            None => self.as_str(),
        }
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
    pub fn read(answer: &Answer, ways: &Ways, asked: Asked) -> Option<Page> {
        let paging = ways.paging.as_ref();
        let text = answer.data.clone();
        let items = places(&text, paging)?;
        let got = items.len() as u64;
        let facts = Facts::of(&text, paging);
        let total = total(answer, ways, asked.before + got, &facts);
        let Ahead { next, is_certain, rest } = ahead(answer, ways, &asked, (got, total, &facts));
        let (start, before) = (asked.start, asked.before);
        Some(Page { text, items, start, before, next, is_certain, total, rest, shown: None })
    }

    /// The same page, whose items go on as they are in this text.
    pub fn shown_as(mut self, shown: RawJson, ways: &Ways) -> Page {
        let items = places(&shown, ways.paging.as_ref()).filter(|items| items.len() == self.items.len());
        self.shown = items.map(|items| (shown, items));
        self
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The item with this number.
    pub fn item(&self, index: usize) -> Option<Item> {
        let shown =
            self.shown.as_ref().and_then(|(text, items)| Some((text.clone(), items.get(index)?.clone())));
        self.items.get(index).map(|range| Item { text: self.text.clone(), range: range.clone(), shown })
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

/// Where the items are in an answer.
fn places(text: &RawJson, paging: Option<&Paging>) -> Option<Vec<Range<usize>>> {
    let whole = text.as_str();
    let items = peek::items(whole, paging.and_then(|paging| paging.items_path.as_ref()))?;
    let place = |item: &str| {
        let from = item.as_ptr() as usize - whole.as_ptr() as usize;
        from..from + item.len()
    };
    Some(items.map(place).collect())
}

/// What an answer says beside its items: its small members alone, so that a large one is gone over once.
struct Facts(String);

impl Facts {
    /// Bytes of a member that is still a fact.
    const LARGEST: usize = 4 * 1024;

    fn of(text: &RawJson, paging: Option<&Paging>) -> Facts {
        let whole = text.as_str();
        // A cursor says by itself whether there is more, and a number beside it may mean anything.
        let is_told = paging.is_some_and(|paging| paging.style == PagingStyle::Cursor);
        if is_told || !whole.starts_with('{') {
            return Facts(String::new());
        }
        let is_fact = |value: &str| value.len() <= Facts::LARGEST && !value.starts_with('[');
        let small: Vec<String> = peek::members(whole)
            .filter(|(_, value)| is_fact(value))
            .map(|(name, value)| format!("{}:{value}", serde_json::Value::from(name.as_ref())))
            .collect();
        Facts(format!("{{{}}}", small.join(",")))
    }

    fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is known of what comes behind a page.
struct Ahead {
    next: Option<PageStart>,
    is_certain: bool,
    rest: Rest,
}

impl Ahead {
    fn at(next: Option<PageStart>) -> Ahead {
        Ahead { next, is_certain: true, rest: Rest::End }
    }

    fn nowhere(rest: Rest) -> Ahead {
        Ahead { next: None, is_certain: true, rest }
    }
}

/// Where the next page begins, and what is known where there is no way to it.
fn ahead(
    answer: &Answer,
    ways: &Ways,
    asked: &Asked,
    (got, total, facts): (u64, Option<u64>, &Facts),
) -> Ahead {
    // An upstream may page by links without an adapter that says so.
    let link =
        || answer.next_link().or_else(|| answer.header("next-page").map(str::to_owned)).map(PageStart::Link);
    let seen = asked.before + got;
    let Some(paging) = &ways.paging else {
        return link().map_or_else(
            || Ahead::nowhere(rest(facts, ways, (asked.size, got, seen), total)),
            |link| Ahead::at(Some(link)),
        );
    };
    let counted = match paging.style {
        PagingStyle::LinkHeader => {
            return match link() {
                Some(link) => Ahead::at(Some(link)),
                None => Ahead::nowhere(rest(facts, ways, (asked.size, got, seen), total)),
            };
        }
        PagingStyle::Cursor => return Ahead::at(next_cursor(answer, paging)),
        PagingStyle::Offset => PageStart::Offset(seen),
        PagingStyle::Page => {
            let number = match asked.start {
                PageStart::Page(number) => number,
                _ => paging.first_page,
            };
            PageStart::Page(number + 1)
        }
    };
    if ways.is_guessed
        && let Some(link) = link()
    {
        return Ahead::at(Some(link));
    }
    let said = match &paging.has_more_path {
        Some(path) => flag(answer.data.as_str(), path),
        None if ways.is_guessed => says_more(facts),
        None => None,
    };
    let is_more = said.or_else(|| total.map(|total| seen < total));
    let is_sized = paging.size_param.is_some() && got < asked.size;
    let is_less = |got: u64| ways.size_told(asked.size).is_none_or(|size| got < size) && !may_be_a_cap(got);
    match is_more {
        _ if got == 0 => Ahead::at(None),
        Some(is_more) => Ahead::at(is_more.then_some(counted)),
        // A page that is not full is the last one, where it is known that the upstream gives as much as was asked for. Else
        // it may have a limit of its own, and only an empty page is the end.
        None if paging.is_max_declared && is_sized => Ahead::at(None),
        None if ways.is_guessed && is_less(got) => Ahead::at(None),
        None => Ahead { next: Some(counted), is_certain: false, rest: Rest::End },
    }
}

/// What is behind a page that leads nowhere: what the answer says of it counts, else the size that was asked for.
fn rest(facts: &Facts, ways: &Ways, (size, got, seen): (u64, u64, u64), total: Option<u64>) -> Rest {
    let is_behind = |total: u64| got > 0 && seen < total;
    let by_total = total.filter(|_| !ways.begins_elsewhere).map(is_behind);
    match says_more(facts).or(by_total) {
        Some(true) => return Rest::More,
        Some(false) => return Rest::End,
        None => {}
    }
    match ways.size_told(size) {
        // Where links are declared, the page without one is the last.
        _ if !ways.is_guessed => Rest::End,
        Some(size) if got >= size && got > 0 => Rest::Perhaps,
        Some(_) if may_be_a_cap(got) && !is_size_kept(ways) => Rest::Perhaps,
        _ => Rest::End,
    }
}

/// True when the API says up to which size it gives what it is asked for.
fn is_size_kept(ways: &Ways) -> bool {
    ways.paging.as_ref().is_some_and(|paging| paging.is_max_declared)
}

fn may_be_a_cap(got: u64) -> bool {
    got >= LEAST_CAP && got.is_multiple_of(5)
}

/// Whether an answer says that there is more.
fn says_more(facts: &Facts) -> Option<bool> {
    let whole = facts.as_str();
    let flagged = MORE_PATHS.iter().find_map(|path| flag(whole, &FieldPath::parse(path)?));
    let leads_on = |paths: &[&str]| {
        let text = peek::first_of(whole, paths).and_then(peek::text);
        text.is_some_and(|text| !text.is_empty() && text != "false")
    };
    flagged.or_else(|| (leads_on(&NEXT_PATHS) || leads_on(&LINK_PATHS)).then_some(true))
}

/// The number of items in all. Where nothing is declared about it, what answers usually call it counts, if it can be.
fn total(answer: &Answer, ways: &Ways, seen: u64, facts: &Facts) -> Option<u64> {
    let paging = ways.paging.as_ref();
    if let Some(path) = paging.and_then(|paging| paging.total_path.as_ref()) {
        return whole_number(answer.data.as_str(), path);
    }
    // Whoever declares a way that counts, and no total, may have a reason.
    let is_declared =
        paging.is_some_and(|paging| paging.style != PagingStyle::LinkHeader) && !ways.is_guessed;
    if is_declared {
        return None;
    }
    let whole = facts.as_str();
    let in_head = || TOTAL_HEADERS.iter().find_map(|name| answer.header(name)?.trim().parse().ok());
    let in_body = TOTAL_PATHS.iter().find_map(|text| {
        let found = whole_number(whole, &FieldPath::parse(text)?)?;
        (found > seen || found == seen && !COUNT_PATHS.contains(text)).then_some(found)
    });
    in_body.or_else(in_head).filter(|total| *total >= seen)
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
