//! Where a walk begins: from a cursor, behind a number of items, or in front.
//!
//! A window and the paging in, a position to resume from out. A source that can jump to it does.

use super::ListQuery;
use crate::cursor::{CursorPosition, FINGERPRINT, Fingerprint, PageStart, ResumePoint};
use crate::stages::query_options::PageWindow;
use aqueduct_operations::call::Caller;
use aqueduct_operations::canonical::canonical;
use aqueduct_operations::digest::Sha256;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::response::{Paging, PagingStyle};
use serde_json::{Map, Value};

/// The beginning of a walk.
pub struct WalkStart {
    /// From here.
    pub resume: ResumePoint,
    /// The number of the first item there.
    pub number: u64,
    /// Items to skip before the first that is given.
    pub skip: u64,
}

/// What cursors of this request are bound to.
pub fn fingerprint(
    caller: &Caller,
    entry: &RegistryEntry,
    values: &Map<String, Value>,
    bound: &Map<String, Value>,
) -> Fingerprint {
    let mut hash = Sha256::new();
    let mut add = |part: &str| hash.update_part(part);
    match caller.token() {
        Some(name) => {
            add("caller");
            add(name);
        }
        None => add("local"),
    }
    add(&entry.source.name);
    add(&entry.operation.name);
    add(&canonical(values));
    add(&canonical(bound));
    let mut part = [0; FINGERPRINT];
    part.copy_from_slice(&hash.finish().bytes()[..FINGERPRINT]);
    Fingerprint(part)
}

/// Where a walk begins that gives `size` items to a page.
pub fn beginning(list_query: &ListQuery<'_>, position: Option<CursorPosition>, size: u64) -> WalkStart {
    if let Some(CursorPosition { number, resume: Some(resume) }) = position {
        return WalkStart { resume: resized(resume, list_query, size), number: number + 1, skip: 0 };
    }
    let start = ResumePoint::beginning(size);
    let PageWindow::Offset { skip, .. } = list_query.controls.window else {
        return WalkStart { resume: start, number: 0, skip: 0 };
    };
    let sized = |paging: &Paging| paging.size_param.is_some() && paging.is_max_declared;
    let style = list_query.paging().map(|paging| (paging.style, paging.first_page, sized(paging)));
    match style {
        _ if list_query.plan.filters_items() || skip == 0 => WalkStart { resume: start, number: 0, skip },
        Some((PagingStyle::Offset, ..)) => {
            let resume = ResumePoint { page: PageStart::Offset(skip), skip: 0, size, before: skip };
            WalkStart { resume, number: skip, skip: 0 }
        }
        // Without a size that the upstream keeps to, it is unknown which page an item is on.
        Some((PagingStyle::Page, first_page, true)) => {
            let pages = skip / size;
            let page = if pages == 0 { PageStart::Start } else { PageStart::Page(first_page + pages) };
            let resume = ResumePoint { page, skip: skip % size, size, before: pages * size };
            WalkStart { resume, number: skip, skip: 0 }
        }
        // Who must walk takes long steps.
        _ => {
            let resume = ResumePoint { size: list_query.largest_page(), ..start };
            WalkStart { resume, number: 0, skip }
        }
    }
}

/// The same position with pages of another size, where that does not move it.
fn resized(resume: ResumePoint, list_query: &ListQuery<'_>, size: u64) -> ResumePoint {
    let style = list_query.paging().map(|paging| paging.style);
    match (&resume.page, style) {
        (PageStart::Offset(_) | PageStart::Start, Some(PagingStyle::Offset)) => {
            let before = resume.before + resume.skip;
            ResumePoint { page: PageStart::Offset(before), skip: 0, size, before }
        }
        // A page number, and many a cursor, means another position with another size.
        _ => resume,
    }
}
