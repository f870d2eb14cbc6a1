//! Which part of a collection is requested, in any of the forms that there are (pagination document, section 2).
//!
//! The paging controls of a request in, a `PageWindow` out, or what cannot be requested together.

use crate::collection::size_param;
use crate::stages::validate::SentControls;
use aqueduct_operations::controls::Control;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_operations::response::Paging;
use serde_json::{Map, Value};

/// A number of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSize {
    /// As many are given.
    pub count: u64,
    /// What was requested, and by which name, when that was more.
    pub clamped: Option<(String, u64)>,
}

/// A part of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageWindow {
    /// From a cursor, or the beginning, on.
    Forward {
        /// So many.
        size: PageSize,
        /// The cursor.
        after: Option<String>,
    },
    /// Up to a cursor, or the end.
    Backward {
        /// So many.
        size: PageSize,
        /// The cursor.
        before: Option<String>,
    },
    /// Behind so many items.
    Offset {
        /// So many.
        size: PageSize,
        /// To skip.
        skip: u64,
    },
    /// Everything from a cursor, or the beginning, on.
    All {
        /// The cursor.
        after: Option<String>,
    },
}

/// Paging controls that cannot be sent together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagingConflict {
    /// What is wrong, as a sentence without a period.
    pub message: String,
    /// The controls that were sent.
    pub provided: Vec<String>,
    /// What to send instead.
    pub hint: String,
}

const CURSOR: [Control; 4] = [Control::First, Control::After, Control::Last, Control::Before];
const OFFSET: [Control; 2] = [Control::Limit, Control::Offset];
const PAGE: [Control; 2] = [Control::Page, Control::PageSize];

/// The part that is requested.
pub(super) fn window(
    operation: &Operation,
    controls: &SentControls,
    values: &Map<String, Value>,
) -> Result<PageWindow, PagingConflict> {
    let wants_all = controls.is_set(Control::All);
    let has = |control: Control| controls.get(control).is_some();
    let used: Vec<Control> =
        controls.sent().filter(|c| CURSOR.contains(c) || OFFSET.contains(c) || PAGE.contains(c)).collect();
    let conflict = |message: String, hint: String| {
        let all = wants_all.then_some(Control::All);
        let provided = used.iter().copied().chain(all).map(|control| control.name_on(operation)).collect();
        PagingConflict { message, provided, hint }
    };
    let together = |one: Control, other: Control, hint: &str| {
        let (one, other) = (one.name_on(operation), other.name_on(operation));
        conflict(format!("Cannot use '{one}' and '{other}' together"), hint.to_owned())
    };
    let pairs = [
        (Control::First, Control::Last, "send 'first' for the beginning or 'last' for the end"),
        (Control::First, Control::Before, "send 'first' with 'after', or 'last' with 'before'"),
        (Control::Last, Control::After, "send 'first' with 'after', or 'last' with 'before'"),
    ];
    for (one, other, hint) in pairs {
        if has(one) && has(other) {
            return Err(together(one, other, hint));
        }
    }
    let first_of = |family: &[Control]| used.iter().copied().find(|control| family.contains(control));
    let page_styles: Vec<Control> = [&CURSOR[..], &OFFSET, &PAGE].into_iter().filter_map(first_of).collect();
    if let [one, other, ..] = page_styles[..] {
        return Err(together(one, other, "use one way of paging: 'first' with 'after' is the usual one"));
    }
    if wants_all && let Some(other) = used.iter().copied().find(|control| *control != Control::After) {
        return Err(together(Control::All, other, "leave one of them out; 'all' goes with 'after' only"));
    }
    for (cursor, count) in [(Control::After, Control::First), (Control::Before, Control::Last)] {
        // Alone it may be where a long text goes on.
        let is_of_text = cursor == Control::After && operation.may_be_text();
        if has(cursor) && !has(count) && !wants_all && !is_of_text {
            let (cursor, count) = (cursor.name_on(operation), count.name_on(operation));
            let message = format!("Cannot use '{cursor}' without '{count}'");
            return Err(conflict(message, format!("add '{count}', the number of items")));
        }
    }
    let size = |control: Control| size(operation, controls.number(control), &control.name_on(operation));
    let text = |control: Control| controls.text(control).map(str::to_owned);
    Ok(if wants_all {
        PageWindow::All { after: text(Control::After) }
    } else if has(Control::Last) {
        PageWindow::Backward { size: size(Control::Last), before: text(Control::Before) }
    } else if has(Control::Limit) || has(Control::Offset) {
        PageWindow::Offset { size: size(Control::Limit), skip: controls.number(Control::Offset).unwrap_or(0) }
    } else if has(Control::Page) || has(Control::PageSize) {
        let size = size(Control::PageSize);
        let page = controls.number(Control::Page).unwrap_or(1);
        PageWindow::Offset { skip: (page.saturating_sub(1)).saturating_mul(size.count), size }
    } else {
        let size = match (controls.number(Control::First), size_for_the_api(operation, values)) {
            (None, Some((name, wanted))) => self::size(operation, Some(wanted), name),
            _ => size(Control::First),
        };
        PageWindow::Forward { size, after: text(Control::After) }
    })
}

/// The page size that was sent by the parameter of the API itself: it holds here as well.
fn size_for_the_api<'o>(operation: &'o Operation, values: &Map<String, Value>) -> Option<(&'o str, u64)> {
    let param = size_param(operation)?;
    let wanted = values.get(&param.name)?.as_u64().filter(|count| *count > 0)?;
    Some((&param.name, wanted))
}

/// The number of items on a page: as requested, as far as the operation goes.
fn size(operation: &Operation, wanted: Option<u64>, name: &str) -> PageSize {
    let paging = operation.answers.paging.as_ref();
    let most = paging.map_or(Paging::MAX_LIMIT, |paging| paging.max_limit).min(Paging::HARD_LIMIT);
    let usual = paging.map_or(Paging::DEFAULT_LIMIT, |paging| paging.default_limit).min(most);
    match wanted {
        Some(wanted) if wanted > most => PageSize { count: most, clamped: Some((name.to_owned(), wanted)) },
        Some(wanted) => PageSize { count: wanted, clamped: None },
        None => PageSize { count: usual, clamped: None },
    }
}

impl PageWindow {
    /// The warning that a page size was too large.
    pub fn clamped(&self) -> Option<Warning> {
        let (PageWindow::Forward { size, .. }
        | PageWindow::Backward { size, .. }
        | PageWindow::Offset { size, .. }) = self
        else {
            return None;
        };
        let (field, wanted) = size.clamped.as_ref()?;
        Some(truncated(field, *wanted, size.count, size.count))
    }
}

/// `VALIDATION_TRUNCATED_WARNING` (warnings document, section 4.3).
pub fn truncated(field: &str, original: u64, left: u64, limit: u64) -> Warning {
    let lost_most = left.saturating_mul(2) < original;
    Warning::new("VALIDATION_TRUNCATED_WARNING", format!("Response truncated to {left} items"))
        .with("field", field)
        .with("original_count", original)
        .with("truncated_count", left)
        .with("limit", limit)
        .rated(if lost_most { WarningSeverity::Medium } else { WarningSeverity::Low })
}
