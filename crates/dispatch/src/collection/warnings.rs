//! The warnings about a list: what was cut off, not seen, or not read.
//!
//! What happened in, a warning out that says how to go on.

use super::{AfterLastPage, ListQuery};
use crate::stages::query_options::truncated;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::reply::{Warning, WarningSeverity};

const INCOMPLETE: &str = "VALIDATION_INCOMPLETE_WARNING";

/// The budget was spent before the last item.
pub fn over_budget(list_query: &ListQuery<'_>, given: u64, wanted: Option<u64>) -> Warning {
    let budget = list_query.budget;
    let message = format!(
        "Response truncated to {given} items by the budget of {budget} tokens. Go on with pageInfo.endCursor as 'after', or \
         narrow it: choose 'fields', add a 'filter', or 'aggregate'."
    );
    Warning { message, ..truncated("items", wanted.unwrap_or(given + 1), given, budget) }
        .with("unit", "tokens")
}

/// Not all items were seen.
pub fn incomplete(list_query: &ListQuery<'_>, seen: u64) -> Warning {
    let message = format!(
        "Only {seen} items were seen, and there are more: this answer does not know of them. Narrow it with a filter which \
         the API applies itself."
    );
    Warning::new(INCOMPLETE, message)
        .with("items_seen", seen)
        .with("limit", list_query.max_items())
        .rated(WarningSeverity::Medium)
}

/// There are more items, or may be, and no way to them is known.
pub fn lost(list_query: &ListQuery<'_>, remainder: AfterLastPage, seen: u64, total: Option<u64>) -> Warning {
    let what = match (remainder, total) {
        (AfterLastPage::More, Some(total)) => format!("The API has {total} items and gave {seen}"),
        (AfterLastPage::More, None) => format!("The API gave {seen} items and has more"),
        _ => format!("The API gave {seen} items, and does not say whether it has more"),
    };
    let own = &list_query.paging_params.own_params;
    let advice = if own.is_empty() {
        "Narrow it with parameters of the operation".to_owned()
    } else {
        format!("Its own parameters lead on: {}", own.join(", "))
    };
    let message = format!("{what}; how its pages go on is not declared. {advice}.");
    Warning::new(INCOMPLETE, message).with("items_seen", seen).rated(if remainder == AfterLastPage::More {
        WarningSeverity::Medium
    } else {
        WarningSeverity::Low
    })
}

/// Values were no numbers.
pub fn skipped(label: &str, skipped: u64) -> Warning {
    let message = format!("{skipped} values cannot be used in '{}' and were left out", wording::echo(label));
    Warning::new("VALIDATION_SKIPPED_WARNING", message)
        .with("label", label)
        .with("skipped", skipped)
        .rated(WarningSeverity::Low)
}

/// A page could not be read.
pub fn broken(failure: &Failure, given: u64) -> Warning {
    let message = format!("Only {given} items: the next page could not be read. {}", failure.message);
    Warning::new(INCOMPLETE, message)
        .with("code", failure.code.name())
        .with("items", given)
        .rated(WarningSeverity::High)
}

/// There are more items, and the cursor to them is too long to be passed on.
pub fn dead_end(given: u64) -> Warning {
    let message = format!(
        "Only {given} items: there are more, but the API's own cursor is too long to be passed on. Use 'all'."
    );
    Warning::new(INCOMPLETE, message).with("items", given).rated(WarningSeverity::High)
}
