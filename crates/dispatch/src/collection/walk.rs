//! Walks through a list item by item, fetching the pages of its source when it comes to them.
//!
//! A page source in, items out. A walk knows its position, so that a later one can resume there.

use super::page::{AfterLastPage, PageItem, UpstreamPage};
use super::page_source::{FetchedPage, PageRequest, PageSource, PermittedPages};
use super::paging_params::PagingParams;
use crate::context::CallContext;
use crate::cursor::ResumePoint;
use crate::failure_map;
use crate::stages::gatekeep::{self, Permitted};
use crate::worker_pool::{BYTES_IN_A_STEP, LARGE};
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::{Permit, Purpose};
use aqueduct_operations::progress::ProgressStage;
use aqueduct_schema::work::Meter;

/// Pages that one call fetches: empty ones count too.
const MAX_PAGES: u64 = 1_000;

/// Bytes of responses that one call reads.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Bytes of items that are looked at before other calls have a turn.
const PAUSE_AFTER: usize = 128 * 1024;

/// A walk through a list.
pub struct PageWalk<'a> {
    list: WalkContext<'a>,
    source: Box<dyn PageSource + 'a>,
    /// The permit of the call, for its first request; the gatekeeper decides about each of the others.
    first: Option<Permit<'a>>,
    /// Items to ask for in one page.
    size: u64,
    page: Option<UpstreamPage>,
    index: usize,
    /// The page to fetch next.
    next_request: Option<PageRequest>,
    pages: u64,
    max_pages: u64,
    bytes: usize,
    /// Items to expect in all, where progress is reported.
    expected_items: Option<u64>,
    /// Bytes of items read since other calls had a turn.
    since_pause: usize,
    /// How many times each item is read.
    reads_per_item: usize,
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
    Lost(AfterLastPage),
}

/// The list that a walk goes through.
pub struct WalkContext<'a> {
    pub context: &'a CallContext<'a>,
    pub permitted: &'a Permitted<'a>,
    pub paging_params: &'a PagingParams,
    /// Items are given whole: no field was chosen.
    pub shows_whole: bool,
}

impl<'a> PageWalk<'a> {
    /// A walk from here on, in pages of the size that `from` names.
    pub fn new(list: WalkContext<'a>, pages: PermittedPages<'a>, from: ResumePoint) -> PageWalk<'a> {
        PageWalk {
            list,
            source: pages.source,
            first: Some(pages.permit),
            size: from.size,
            page: None,
            index: usize::try_from(from.skip).unwrap_or(usize::MAX),
            next_request: Some(PageRequest { start: from.page, before: from.before, size: from.size }),
            pages: 0,
            max_pages: MAX_PAGES,
            bytes: 0,
            expected_items: None,
            since_pause: 0,
            reads_per_item: 1,
        }
    }

    /// Reports progress with every page, on the way to this number of items.
    pub fn reporting_progress(self, expected_items: u64) -> PageWalk<'a> {
        PageWalk { expected_items: Some(expected_items), ..self }
    }

    /// Lets other calls have a turn after fewer items, because each is read so many times.
    pub fn reading_items(self, times: u64) -> PageWalk<'a> {
        PageWalk { reads_per_item: usize::try_from(times.max(1)).unwrap_or(usize::MAX), ..self }
    }

    /// Fetches no more than so many pages.
    pub fn with_max_pages(self, max_pages: u64) -> PageWalk<'a> {
        PageWalk { max_pages: max_pages.min(MAX_PAGES), ..self }
    }

    /// How many pages it has fetched.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Fetches the first page. Gives it back when there is no list in it.
    pub async fn begin(&mut self) -> Result<Option<FetchedPage>, Failure> {
        let Some(request) = self.next_request.take() else { return Ok(None) };
        let fetched = self.fetch(&request).await?;
        let Some(page) = self.read(&fetched, request).await? else { return Ok(Some(fetched)) };
        self.turn_to(page);
        Ok(None)
    }

    /// The next item.
    pub async fn next(&mut self) -> Result<WalkStep, Failure> {
        loop {
            if let Some(item) = self.page.as_ref().and_then(|page| page.item(self.index)) {
                self.index += 1;
                self.since_pause += item.as_str().len().saturating_mul(self.reads_per_item);
                if self.since_pause > PAUSE_AFTER {
                    // What is done with items takes time, and other calls share the thread.
                    self.since_pause = 0;
                    tokio::task::yield_now().await;
                }
                return Ok(WalkStep::Item(item));
            }
            if self.next_request.is_none() {
                return Ok(match self.remainder() {
                    AfterLastPage::End => WalkStep::End,
                    remainder => WalkStep::Lost(remainder),
                });
            }
            if self.pages >= self.max_pages || self.bytes >= MAX_BYTES {
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
            match self.next_request {
                None => return Ok(self.remainder() != AfterLastPage::End),
                Some(_) if is_certain || self.pages >= self.max_pages => return Ok(true),
                Some(_) => self.next_page().await?,
            }
        }
    }

    async fn next_page(&mut self) -> Result<(), Failure> {
        let Some(request) = self.next_request.take() else { return Ok(()) };
        let entry = self.list.permitted.checked().entry;
        let fetched = self.fetch(&request).await?;
        let page =
            self.read(&fetched, request).await?.ok_or_else(|| failure_map::page_without_items(entry))?;
        if self.page.as_ref().is_some_and(|last| page.repeats(last)) {
            // No one said that it pages like this.
            if self.list.paging_params.is_guessed {
                return Ok(());
            }
            return Err(failure_map::repeated_page(entry));
        }
        self.index = 0;
        self.turn_to(page);
        Ok(())
    }

    /// The page in what was fetched; a large one is read on another thread. Where items are given whole, what the schema
    /// refuses is taken out of them now, with a warning.
    async fn read(
        &self,
        fetched: &FetchedPage,
        request: PageRequest,
    ) -> Result<Option<UpstreamPage>, Failure> {
        let WalkContext { context, permitted, paging_params, shows_whole } = &self.list;
        let size = fetched.data.as_str().len();
        context.count(size as u64 / BYTES_IN_A_STEP)?;
        let page = if size <= LARGE {
            UpstreamPage::read(fetched, paging_params, request)
        } else {
            let (fetched, paging_params) = (fetched.clone(), (*paging_params).clone());
            let read = move |_: &Meter| UpstreamPage::read(&fetched, &paging_params, request);
            context.run_apart(read).await?
        };
        let page = match page.map(|page| page.leading_on(|link| self.source.can_follow(link))) {
            Some(page) if *shows_whole => page,
            page => return Ok(page),
        };
        Ok(Some(match context.fitted(permitted.checked().entry, &fetched.data).await? {
            Some(shown) => page.shown_as(shown, paging_params),
            None => page,
        }))
    }

    fn turn_to(&mut self, page: UpstreamPage) {
        self.bytes += page.size();
        let before = page.before + page.len() as u64;
        self.next_request = page.next.clone().map(|start| PageRequest { start, before, size: self.size });
        if let Some(expected) = self.expected_items {
            let steps = page.total.unwrap_or(expected).max(before);
            self.list.context.reporter.report(
                ProgressStage::Running { done: before, steps },
                &format!("Read {before} items in {} pages", self.pages),
            );
        }
        self.page = Some(page);
    }

    async fn fetch(&mut self, request: &PageRequest) -> Result<FetchedPage, Failure> {
        let WalkContext { context, permitted, paging_params, .. } = &self.list;
        self.pages += 1;
        let permit = match self.first.take() {
            Some(permit) => permit,
            None => gatekeep::further(context, permitted, Purpose::Page)?,
        };
        self.source.fetch(request, paging_params.paging.as_ref(), permit).await
    }

    /// Where another walk resumes after the last item.
    pub fn resume(&self) -> Option<ResumePoint> {
        let page = self.page.as_ref()?;
        let size = self.size;
        match &self.next_request {
            Some(next) if self.index >= page.len() => {
                Some(ResumePoint { page: next.start.clone(), skip: 0, size, before: next.before })
            }
            _ => Some(ResumePoint {
                page: page.start.clone(),
                skip: self.index as u64,
                size,
                before: page.before,
            }),
        }
    }

    /// True when the way on is too long to be passed on.
    pub fn is_at_a_dead_end(&self) -> bool {
        self.page.as_ref().is_some_and(|page| self.index >= page.len() && page.next_is_too_long())
    }

    /// What is known of what comes after the last page that could be reached.
    pub fn remainder(&self) -> AfterLastPage {
        self.page.as_ref().map_or(AfterLastPage::End, |page| page.remainder)
    }

    /// True when all items of the last page were given, and nothing leads on although there may be more.
    pub fn is_lost(&self) -> bool {
        let is_over = self.page.as_ref().is_some_and(|page| self.index >= page.len());
        is_over && self.next_request.is_none() && self.remainder() != AfterLastPage::End
    }

    /// Tokens that cursors take beyond the usual.
    pub fn cursor_cost(&self) -> u64 {
        self.page.as_ref().map_or(0, UpstreamPage::cursor_cost)
    }

    /// The number of items in all, where the source gives it.
    pub fn total(&self) -> Option<u64> {
        self.page.as_ref().and_then(|page| page.total)
    }
}
