//! Walks through a list item by item, fetching the pages of its source when it comes to them.
//!
//! A page source in, items out. A walk knows its position, so that a later one can resume there.

use super::page::{PageItem, Remainder, UpstreamPage};
use super::page_source::{FetchOrder, FetchedPage, PageRequest, PageSource};
use super::paging_params::PagingParams;
use crate::context::CallContext;
use crate::cursor::Resume;
use crate::failure_map;
use crate::stages::gatekeep::Permitted;
use crate::worker_pool::{BYTES_IN_A_STEP, LARGE};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::progress::Stage;
use aqueduct_schema::work::Meter;

/// Pages that one call fetches: empty ones count too.
const MOST_PAGES: u64 = 1_000;

/// Bytes of answers that one call reads.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Bytes of items that are looked at before other calls have a turn.
const PAUSE_AFTER: usize = 128 * 1024;

/// A walk through a collection.
pub struct PageWalk<'a> {
    context: &'a CallContext<'a>,
    permitted: &'a Permitted<'a>,
    source: Box<dyn PageSource + 'a>,
    ways: &'a PagingParams,
    shows_whole: bool,
    /// Items to ask for in one page.
    size: u64,
    page: Option<UpstreamPage>,
    index: usize,
    /// The page to fetch next.
    ahead: Option<PageRequest>,
    pages: u64,
    most_pages: u64,
    bytes: usize,
    /// Items to expect in all, for those who wait.
    most: u64,
    tells: bool,
    /// Bytes of items gone through since others had their turn.
    since_pause: usize,
    /// How many times each item is gone through.
    weight: usize,
}

/// What the upstream answered at first.
pub enum FirstPage {
    /// There is a list in it.
    List,
    /// There is none.
    NoList(Box<FetchedPage>),
}

/// What comes next in a walk.
pub enum WalkStep {
    /// An item.
    Item(PageItem),
    /// There are no more.
    End,
    /// There may be more, but one call goes no further.
    Enough,
    /// There is more, or may be, and no way to it is known.
    Lost(Remainder),
}

/// What a walk goes through.
pub struct WalkContext<'a> {
    pub context: &'a CallContext<'a>,
    pub permitted: &'a Permitted<'a>,
    pub source: Box<dyn PageSource + 'a>,
    pub ways: &'a PagingParams,
    /// Items go on whole: nobody chose from them.
    pub shows_whole: bool,
}

impl<'a> PageWalk<'a> {
    /// A walk from here on, in pages of the size that `from` names.
    pub fn new(ground: WalkContext<'a>, from: Resume) -> PageWalk<'a> {
        let WalkContext { context, permitted, source, ways, shows_whole } = ground;
        let skip = usize::try_from(from.skip).unwrap_or(usize::MAX);
        PageWalk {
            context,
            permitted,
            source,
            ways,
            shows_whole,
            size: from.size,
            page: None,
            index: skip,
            ahead: Some(PageRequest { start: from.page, before: from.before, size: from.size }),
            pages: 0,
            most_pages: MOST_PAGES,
            bytes: 0,
            most: 0,
            tells: false,
            since_pause: 0,
            weight: 1,
        }
    }

    /// Tells those who wait about every page, on the way to this number of items.
    pub fn telling(mut self, most: u64) -> PageWalk<'a> {
        (self.most, self.tells) = (most, true);
        self
    }

    /// Gives others their turn after less, because each item is gone through so many times.
    pub fn weighing(self, times: u64) -> PageWalk<'a> {
        PageWalk { weight: usize::try_from(times.max(1)).unwrap_or(usize::MAX), ..self }
    }

    /// Fetches no more than so many pages.
    pub fn within(self, most_pages: u64) -> PageWalk<'a> {
        PageWalk { most_pages: most_pages.min(MOST_PAGES), ..self }
    }

    /// How many pages it has fetched.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Fetches the first page.
    pub async fn begin(&mut self) -> Result<FirstPage, Failure> {
        let Some(asked) = self.ahead.take() else { return Ok(FirstPage::List) };
        let answer = self.fetch(&asked).await?;
        match self.read(&answer, asked).await? {
            Some(page) => {
                self.turn_to(page);
                Ok(FirstPage::List)
            }
            None => Ok(FirstPage::NoList(Box::new(answer))),
        }
    }

    /// The next item.
    pub async fn next(&mut self) -> Result<WalkStep, Failure> {
        loop {
            if let Some(item) = self.page.as_ref().and_then(|page| page.item(self.index)) {
                self.index += 1;
                self.since_pause += item.as_str().len().saturating_mul(self.weight);
                if self.since_pause > PAUSE_AFTER {
                    // What is done with items takes time, and other calls share the thread.
                    self.since_pause = 0;
                    tokio::task::yield_now().await;
                }
                return Ok(WalkStep::Item(item));
            }
            if self.ahead.is_none() {
                return Ok(match self.rest() {
                    Remainder::End => WalkStep::End,
                    rest => WalkStep::Lost(rest),
                });
            }
            if self.pages >= self.most_pages || self.bytes >= MOST_BYTES {
                return Ok(WalkStep::Enough);
            }
            self.next_page().await?;
        }
    }

    /// Whether there is an item ahead. A page that must exist is not fetched for it.
    pub async fn has_more(&mut self) -> Result<bool, Failure> {
        loop {
            if self.page.as_ref().is_some_and(|page| self.index < page.len()) {
                return Ok(true);
            }
            let is_certain = self.page.as_ref().is_none_or(|page| page.is_certain);
            match self.ahead {
                None => return Ok(self.rest() != Remainder::End),
                Some(_) if is_certain || self.pages >= self.most_pages => return Ok(true),
                Some(_) => self.next_page().await?,
            }
        }
    }

    async fn next_page(&mut self) -> Result<(), Failure> {
        let Some(asked) = self.ahead.take() else { return Ok(()) };
        let answer = self.fetch(&asked).await?;
        let page = self
            .read(&answer, asked)
            .await?
            .ok_or_else(|| failure_map::page_without_items(self.permitted.checked().entry))?;
        if self.page.as_ref().is_some_and(|last| page.repeats(last)) {
            // Nobody said that it pages like this.
            if self.ways.is_guessed {
                return Ok(());
            }
            return Err(failure_map::repeated_page(self.permitted.checked().entry));
        }
        self.index = 0;
        self.turn_to(page);
        Ok(())
    }

    /// The page in an answer; a large one is read on another thread. Where items go on whole, what is taken out of them is
    /// taken out now and told.
    async fn read(&self, answer: &FetchedPage, asked: PageRequest) -> Result<Option<UpstreamPage>, Failure> {
        let size = answer.data.as_str().len();
        self.context.count(size as u64 / BYTES_IN_A_STEP)?;
        let page = if size <= LARGE {
            UpstreamPage::read(answer, self.ways, asked)
        } else {
            let (answer, ways) = (answer.clone(), self.ways.clone());
            let read = move |_: &Meter| UpstreamPage::read(&answer, &ways, asked);
            self.context.workers.run(&self.context.meter, read).await?
        };
        let leads_on = |link: &str| self.source.can_follow(link);
        let page = match page.map(|page| page.leading_on(leads_on)) {
            Some(page) if self.shows_whole => page,
            page => return Ok(page),
        };
        Ok(Some(match self.context.fitted(self.permitted.checked().entry, &answer.data).await? {
            Some(shown) => page.shown_as(shown, self.ways),
            None => page,
        }))
    }

    fn turn_to(&mut self, page: UpstreamPage) {
        self.bytes += page.size();
        let before = page.before + page.len() as u64;
        self.ahead = page.next.clone().map(|start| PageRequest { start, before, size: self.size });
        if self.tells {
            let steps = page.total.unwrap_or(self.most).max(before);
            self.context.reporter.report(
                Stage::Running { done: before, steps },
                &format!("Read {before} items in {} pages", self.pages),
            );
        }
        self.page = Some(page);
    }

    async fn fetch(&mut self, wanted: &PageRequest) -> Result<FetchedPage, Failure> {
        let order = if self.pages == 0 { FetchOrder::First } else { FetchOrder::Further };
        self.pages += 1;
        self.source.fetch(wanted, self.ways.paging.as_ref(), order).await
    }

    /// Where another walk goes on behind the item that came last.
    pub fn resume(&self) -> Option<Resume> {
        let page = self.page.as_ref()?;
        let size = self.size;
        match &self.ahead {
            Some(ahead) if self.index >= page.len() => {
                Some(Resume { page: ahead.start.clone(), skip: 0, size, before: ahead.before })
            }
            _ => {
                Some(Resume { page: page.start.clone(), skip: self.index as u64, size, before: page.before })
            }
        }
    }

    /// True when the way on is too long to be passed on.
    pub fn is_at_a_dead_end(&self) -> bool {
        self.page.as_ref().is_some_and(|page| self.index >= page.len() && page.next_is_too_long())
    }

    /// What is known of what comes behind the last page that could be reached.
    pub fn rest(&self) -> Remainder {
        self.page.as_ref().map_or(Remainder::End, |page| page.rest)
    }

    /// True when all items of the last page were given, and nothing leads on although there may be more.
    pub fn is_lost(&self) -> bool {
        let is_over = self.page.as_ref().is_some_and(|page| self.index >= page.len());
        is_over && self.ahead.is_none() && self.rest() != Remainder::End
    }

    /// Tokens that cursors take beyond the usual.
    pub fn cursor_cost(&self) -> u64 {
        self.page.as_ref().map_or(0, UpstreamPage::cursor_cost)
    }

    /// The number of items in all, where the upstream tells it.
    pub fn total(&self) -> Option<u64> {
        self.page.as_ref().and_then(|page| page.total)
    }
}
