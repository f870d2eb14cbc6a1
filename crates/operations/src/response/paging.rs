//! How an upstream gives out a collection piece by piece.
//!
//! Declared in an adapter file, or recognised from a document; dispatch walks by it.

use super::FieldPath;
use crate::named_enum::named_enum;

named_enum! {
    /// The way of paging.
    pub enum PagingStyle {
        /// The `Link` header with `rel="next"` leads on.
        LinkHeader = "link_header",
        /// The response holds a cursor that the next request sends.
        Cursor = "cursor",
        /// The request says how many items to skip.
        Offset = "offset",
        /// The request says the number of the page.
        Page = "page",
    }
}

/// A declared way of paging.
#[derive(Debug, Clone)]
pub struct Paging {
    /// Which way.
    pub style: PagingStyle,
    /// The upstream's query parameter that moves on: a cursor, an offset or a page number.
    pub param: Option<String>,
    /// The upstream's query parameter for the size of a page.
    pub size_param: Option<String>,
    /// The size when the request names none.
    pub default_limit: u64,
    /// The largest size that the upstream gives.
    pub max_limit: u64,
    /// The largest size is the author's word: a page that has less than was requested is then the last one.
    pub is_max_declared: bool,
    /// The number of the first page.
    pub first_page: u64,
    /// Where the items are in a response.
    pub items_path: Option<FieldPath>,
    /// Where the next cursor is.
    pub next_path: Option<FieldPath>,
    /// Where the total number of items is.
    pub total_path: Option<FieldPath>,
    /// Where it says whether there is more.
    pub has_more_path: Option<FieldPath>,
}

impl Paging {
    /// The default page size.
    pub const DEFAULT_LIMIT: u64 = 25;
    /// The default of the largest page size.
    pub const MAX_LIMIT: u64 = 100;
    /// Larger pages are not requested, whatever an adapter says.
    pub const HARD_LIMIT: u64 = 1000;

    /// This style with the defaults of everything else.
    pub fn of(style: PagingStyle) -> Paging {
        Paging {
            style,
            param: None,
            size_param: None,
            default_limit: Paging::DEFAULT_LIMIT,
            max_limit: Paging::MAX_LIMIT,
            is_max_declared: false,
            first_page: 1,
            items_path: None,
            next_path: None,
            total_path: None,
            has_more_path: None,
        }
    }
}
