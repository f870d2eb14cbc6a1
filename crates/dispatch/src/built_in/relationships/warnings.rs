//! What the client should know besides the response: what was not followed, and why; where the response was cut.
//!
//! Words of adapters and of clients stand in quotes. Names of elements are in no message.

use super::explore::{MAX_NODES, MAX_REQUESTS};
use super::index::{LinkDirection, LinkedType, RelationshipLink};
use super::reader::MissingRequest;
use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::reply::{Warning, WarningSeverity};

use crate::stages::query_options::truncated;

const SKIPPED: &str = "VALIDATION_SKIPPED_WARNING";
const INCOMPLETE: &str = "VALIDATION_INCOMPLETE_WARNING";

/// Links are followed no further.
pub fn depth_clamped(requested: u64, max: u64) -> Warning {
    let message = format!("Links are followed {max} in a row, not {requested}: the adapter allows no more");
    Warning { message, ..truncated("depth", requested, max, max) }
}

/// There is no way along a link in this direction.
pub fn no_way(link: &RelationshipLink, element: &LinkedType) -> Warning {
    let (name, of) = (echo(&link.name), echo(&element.name));
    let message = match link.direction {
        LinkDirection::Outgoing => {
            format!("'{name}' from '{of}' was not followed: its operation is not served")
        }
        LinkDirection::Incoming => {
            format!("'{name}' was not followed back from '{of}': the adapter declares no 'inverse'")
        }
    };
    of_link(INCOMPLETE, message, link, element)
        .with("direction", link.direction.name())
        .rated(WarningSeverity::Medium)
}

/// An element does not have what a link needs.
pub fn missing(missing: &MissingRequest, link: &RelationshipLink, element: &LinkedType) -> Warning {
    let (path, why) = match missing {
        MissingRequest::Missing(path) => (path, "is missing"),
        MissingRequest::Unfit { path, .. } => (path, "does not fit the parameter"),
        MissingRequest::Uneven(path) => (path, "has another number of values"),
    };
    let (name, of) = (echo(&link.name), echo(&element.name));
    let message =
        format!("'{name}' was not followed from a thing of type '{of}': '{}' {why}", echo(&path.to_string()));
    of_link(SKIPPED, message, link, element).with("path", path.to_string()).rated(WarningSeverity::Low)
}

/// A link leads to what the API does not have, or cannot be requested.
pub fn leads_nowhere(link: &RelationshipLink, element: &LinkedType) -> Warning {
    let (name, of) = (echo(&link.name), echo(&element.name));
    let message = format!("'{name}' leads nowhere from a thing of type '{of}': the API has nothing there");
    of_link(SKIPPED, message, link, element).with("reason", "not_found").rated(WarningSeverity::Low)
}

/// Something at the other end of a link cannot be distinguished from others.
pub fn nameless(link: &RelationshipLink, element: &LinkedType) -> Warning {
    let (name, of) = (echo(&link.name), echo(&element.name));
    let message = format!("'{name}' from '{of}' leads to something without a name, which was left out");
    of_link(SKIPPED, message, link, element).with("reason", "nameless").rated(WarningSeverity::Low)
}

fn of_link(code: &'static str, message: String, link: &RelationshipLink, element: &LinkedType) -> Warning {
    Warning::new(code, message)
        .with("relationship", link.name.as_str())
        .with("element_type", element.name.as_str())
}

/// One call went as far as it may.
pub fn not_all(nodes: usize, requests: u64) -> Warning {
    let message = format!(
        "Not all links were followed: one call goes to {MAX_NODES} things and sends {MAX_REQUESTS} requests. Start from \
         another root, follow one 'relationship' only, or lower 'depth'."
    );
    Warning::new(INCOMPLETE, message)
        .with("complete", false)
        .with("nodes_seen", nodes)
        .with("requests", requests)
        .rated(WarningSeverity::Medium)
}

/// The response was cut: by `first`, or by the budget when one is given.
pub fn cut(found: u64, given: u64, budget: Option<u64>, after: String) -> Warning {
    let by = budget.map_or_else(String::new, |budget| format!(" by the budget of {budget} tokens"));
    let message = format!("Response truncated to {given} items{by}. Go on with details.after as 'after'.");
    Warning { message, ..truncated("relationships", found, given, budget.unwrap_or(given)) }
        .with("after", after)
}
