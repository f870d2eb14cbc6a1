//! Where the pages of a list come from: an HTTP API, a tool of an MCP server, a function of the program.
//!
//! A position and a size in; out, the data of that page, and what the source says of the next page outside of the data.
//! The list engine knows nothing else of a target, so a new kind of target implements this trait and no more.

use crate::cursor::PageStart;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::Permit;
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::response::Paging;
use serde_json::Value;

/// Fetches the pages of one list.
pub trait PageSource: Send + Sync {
    /// Has the source apply a control itself, by a parameter of its own.
    fn push(&mut self, param: &PushedParam);

    /// Fetches a page, by the permit for it.
    fn fetch<'s>(
        &'s self,
        wanted: &'s PageRequest,
        paging: Option<&'s Paging>,
        permit: Permit<'s>,
    ) -> Boxed<'s, Result<FetchedPage, Failure>>;

    /// True when a link that stands in the data leads to a page of this source.
    fn can_follow(&self, link: &str) -> bool;
}

/// The pages of a list, and the permit for the first of them.
pub struct PermittedPages<'a> {
    pub source: Box<dyn PageSource + 'a>,
    pub permit: Permit<'a>,
}

/// Which page is wanted.
#[derive(Debug, Clone)]
pub struct PageRequest {
    /// Where it begins.
    pub start: PageStart,
    /// Items before it.
    pub before: u64,
    /// Items that it should have.
    pub size: u64,
}

impl PageRequest {
    /// The value of the parameter that moves on from page to page; none for the first page, and for links.
    pub fn position(&self) -> Option<Value> {
        match &self.start {
            PageStart::Start | PageStart::Link(_) => None,
            PageStart::Cursor(cursor) => Some(cursor.as_str().into()),
            PageStart::Offset(number) | PageStart::Page(number) => Some((*number).into()),
        }
    }
}

/// A page as its source gave it.
#[derive(Debug, Clone)]
pub struct FetchedPage {
    /// The data.
    pub data: RawJson,
    /// The data is content for people, such as text that is no JSON: there is no list in it.
    pub is_text: bool,
    /// The link to the next page, where it is given outside of the data.
    pub next_link: Option<String>,
    /// The number of all items, where it is given outside of the data.
    pub total: Option<u64>,
    /// The version of the data.
    pub etag: Option<String>,
}

impl FetchedPage {
    /// Data without a word beside it.
    pub fn of(data: RawJson) -> FetchedPage {
        FetchedPage { data, is_text: false, next_link: None, total: None, etag: None }
    }
}
