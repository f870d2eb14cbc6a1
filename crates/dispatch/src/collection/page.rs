//! One page of a list: its items, where it says that the next one is, and what it says of the whole.
//!
//! What a source fetched and the paging parameters in, an `UpstreamPage` out. Nothing is copied: items are places in the answer's text. What an
//! answer does not say is not taken for granted: a list without a word about its end may go on.

use super::facts::{self, Facts};
use super::page_source::{FetchedPage, PageRequest};
use super::paging_params::PagingParams;
use crate::cursor::PageStart;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::response::{FieldPath, Paging, PagingStyle};
use aqueduct_query::peek;
use std::ops::Range;

/// APIs that give less than they are asked for do so by a round number, and not by a small one.
const LEAST_CAP: u64 = 10;

/// Bytes of an upstream's cursor, or link, that are passed on: more would cost a model more than the items.
const LONGEST_NEXT: usize = 4 * 1024;

/// A page that came.
#[derive(Debug)]
pub struct UpstreamPage {
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
    pub rest: Remainder,
    /// The way on stands in the body, and nobody has declared that it does.
    is_found: bool,
    /// The page as it goes on where nobody chooses fields, when that differs.
    shown: Option<(RawJson, Vec<Range<usize>>)>,
}

/// What is behind the last page that can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remainder {
    /// Nothing: it is the end.
    End,
    /// More items, by the API's own word.
    More,
    /// Perhaps more: the page is as large as it was asked to be, or as the API makes them.
    Perhaps,
}

/// One item, as a place in the text of its page.
#[derive(Debug, Clone)]
pub struct PageItem {
    text: RawJson,
    range: Range<usize>,
    shown: Option<(RawJson, Range<usize>)>,
}

impl PageItem {
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

impl UpstreamPage {
    /// Reads what was fetched. Nothing when there is no list of items in it.
    pub fn read(fetched: &FetchedPage, ways: &PagingParams, asked: PageRequest) -> Option<UpstreamPage> {
        if fetched.is_text {
            return None;
        }
        let paging = ways.paging.as_ref();
        let text = fetched.data.clone();
        let items = places(&text, paging)?;
        let got = items.len() as u64;
        let facts = Facts::of(&text, paging);
        let total = total(fetched, ways, asked.before + got, &facts);
        let mut ahead = ahead(fetched, ways, &asked, (got, total, &facts));
        let is_over = got == 0 || facts.says_more() == Some(false);
        let link = facts.link().filter(|_| ways.is_guessed && !is_over);
        let leads_elsewhere = link.is_some() && !matches!(ahead.next, Some(PageStart::Link(_)));
        if leads_elsewhere {
            ahead = NextPage::at(link.map(PageStart::Link));
        }
        let is_cursor = paging.is_some_and(|paging| paging.style == PagingStyle::Cursor);
        let is_found = leads_elsewhere || ways.is_guessed && is_cursor;
        let NextPage { next, is_certain, rest } = ahead;
        let (start, before) = (asked.start, asked.before);
        Some(UpstreamPage {
            text,
            items,
            start,
            before,
            next,
            is_certain,
            total,
            rest,
            is_found,
            shown: None,
        })
    }

    /// The same page; where a way on was found in the body and does not lead to a page of this API, there is more and no
    /// way to it.
    pub fn leading_on(mut self, leads_on: impl Fn(&str) -> bool) -> UpstreamPage {
        let is_dead = matches!(&self.next, Some(PageStart::Link(link)) if self.is_found && !leads_on(link));
        if is_dead {
            (self.next, self.rest) = (None, Remainder::More);
        }
        self
    }

    /// The same page, whose items go on as they are in this text.
    pub fn shown_as(mut self, shown: RawJson, ways: &PagingParams) -> UpstreamPage {
        let items = places(&shown, ways.paging.as_ref()).filter(|items| items.len() == self.items.len());
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

/// What is known of what comes behind a page.
struct NextPage {
    next: Option<PageStart>,
    is_certain: bool,
    rest: Remainder,
}

impl NextPage {
    fn at(next: Option<PageStart>) -> NextPage {
        NextPage { next, is_certain: true, rest: Remainder::End }
    }

    fn nowhere(rest: Remainder) -> NextPage {
        NextPage { next: None, is_certain: true, rest }
    }
}

/// Where the next page begins, and what is known where there is no way to it.
fn ahead(
    fetched: &FetchedPage,
    ways: &PagingParams,
    asked: &PageRequest,
    (got, total, facts): (u64, Option<u64>, &Facts),
) -> NextPage {
    // An upstream may page by links without an adapter that says so.
    let link = || fetched.next_link.clone().map(PageStart::Link);
    let seen = asked.before + got;
    let Some(paging) = &ways.paging else {
        return link().map_or_else(
            || NextPage::nowhere(rest(facts, ways, (asked.size, got, seen), total)),
            |link| NextPage::at(Some(link)),
        );
    };
    let counted = match paging.style {
        PagingStyle::LinkHeader => {
            return match link() {
                Some(link) => NextPage::at(Some(link)),
                None => NextPage::nowhere(rest(facts, ways, (asked.size, got, seen), total)),
            };
        }
        PagingStyle::Cursor => {
            return match next_cursor(fetched, paging) {
                None if ways.is_guessed => {
                    NextPage::nowhere(rest(facts, ways, (asked.size, got, seen), total))
                }
                next => NextPage::at(next),
            };
        }
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
        return NextPage::at(Some(link));
    }
    let said = match &paging.has_more_path {
        Some(path) => flag(fetched.data.as_str(), path),
        None if ways.is_guessed => facts.says_more(),
        None => None,
    };
    let is_more = said.or_else(|| total.map(|total| seen < total));
    let is_more = is_more.or_else(|| facts.says_end().filter(|_| ways.is_guessed));
    let is_sized = paging.size_param.is_some() && got < asked.size;
    let is_less = |got: u64| ways.size_told(asked.size).is_none_or(|size| got < size) && !may_be_a_cap(got);
    match is_more {
        _ if got == 0 => NextPage::at(None),
        Some(is_more) => NextPage::at(is_more.then_some(counted)),
        // A page that is not full is the last one, where it is known that the upstream gives as much as was asked for. Else
        // it may have a limit of its own, and only an empty page is the end.
        None if paging.is_max_declared && is_sized => NextPage::at(None),
        None if ways.is_guessed && is_less(got) => NextPage::at(None),
        None => NextPage { next: Some(counted), is_certain: false, rest: Remainder::End },
    }
}

/// What is behind a page that leads nowhere: what the answer says of it counts, else the size that was asked for.
fn rest(
    facts: &Facts,
    ways: &PagingParams,
    (size, got, seen): (u64, u64, u64),
    total: Option<u64>,
) -> Remainder {
    let is_behind = |total: u64| got > 0 && seen < total;
    let by_total = total.filter(|_| !ways.begins_elsewhere).map(is_behind);
    match facts.says_more().or(by_total).or(facts.says_end()) {
        Some(true) => return Remainder::More,
        Some(false) => return Remainder::End,
        None => {}
    }
    match ways.size_told(size) {
        // Where links are declared, the page without one is the last.
        _ if !ways.is_guessed => Remainder::End,
        Some(size) if got >= size && got > 0 => Remainder::Perhaps,
        Some(_) if may_be_a_cap(got) && !is_size_kept(ways) => Remainder::Perhaps,
        _ => Remainder::End,
    }
}

/// True when the API says up to which size it gives what it is asked for.
fn is_size_kept(ways: &PagingParams) -> bool {
    ways.paging.as_ref().is_some_and(|paging| paging.is_max_declared)
}

fn may_be_a_cap(got: u64) -> bool {
    got >= LEAST_CAP && got.is_multiple_of(5)
}

/// The number of items in all. Where nothing is declared about it, what answers usually call it counts, if it can be.
fn total(fetched: &FetchedPage, ways: &PagingParams, seen: u64, facts: &Facts) -> Option<u64> {
    let paging = ways.paging.as_ref();
    if let Some(path) = paging.and_then(|paging| paging.total_path.as_ref()) {
        return whole_number(fetched.data.as_str(), path);
    }
    // Whoever declares a way that counts, and no total, may have a reason.
    let is_declared =
        paging.is_some_and(|paging| paging.style != PagingStyle::LinkHeader) && !ways.is_guessed;
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

fn whole_number(json: &str, path: &FieldPath) -> Option<u64> {
    peek::text_at(json, path)?.parse().ok()
}

fn flag(json: &str, path: &FieldPath) -> Option<bool> {
    peek::value_at(json, path)?.parse().ok()
}
