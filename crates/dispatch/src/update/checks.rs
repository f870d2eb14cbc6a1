//! What an API checks a change by, in its own bodies: the `sha` of a file, the `version` of a record, a `resourceVersion`.
//!
//! What is stored and what is given in; what is stored out, without the checks that were not given. A caller that changes a thing
//! says which state of it was seen: a check filled in from a read of our own would pass whatever has happened since.

use aqueduct_operations::naming::letters_of;
use aqueduct_query::peek;
use serde_json::Value;
use std::borrow::Cow;

/// Names of checks, as far as letters and digits go.
const CHECKS: [&str; 14] = [
    "sha",
    "etag",
    "odataetag",
    "rev",
    "revision",
    "revisionid",
    "resourceversion",
    "lockversion",
    "rowversion",
    "versionid",
    "concurrencytoken",
    "concurrencystamp",
    "changetoken",
    "fingerprint",
];

/// Those that mean nothing else inside of other objects either.
const CHECKS_INSIDE: [&str; 4] = ["etag", "odataetag", "resourceversion", "lockversion"];

/// What is stored without the checks that the patch does not give, and their names.
pub fn without<'t>(stored: &'t str, patch: &Value) -> (Cow<'t, str>, Vec<String>) {
    let mut taken = Vec::new();
    let left = go_over(stored, patch, "", &mut taken);
    (left.map_or(Cow::Borrowed(stored), Cow::Owned), taken)
}

/// The object without its checks; nothing when there are none.
fn go_over(object: &str, patch: &Value, place: &str, taken: &mut Vec<String>) -> Option<String> {
    let before = taken.len();
    let mut kept = Vec::new();
    for (name, value) in peek::members(object) {
        let given = patch.get(name.as_ref());
        let here = if place.is_empty() { name.to_string() } else { format!("{place}.{name}") };
        if given.is_none() && is_check(&name, value, place.is_empty()) {
            taken.push(here);
            continue;
        }
        // One level further: that is where some keep what describes the whole.
        let inside = (place.is_empty() && value.starts_with('{'))
            .then(|| go_over(value, given.unwrap_or(&Value::Null), &here, taken))
            .flatten();
        kept.push(format!("{}:{}", Value::from(name.as_ref()), inside.as_deref().unwrap_or(value)));
    }
    (taken.len() > before).then(|| format!("{{{}}}", kept.join(",")))
}

fn is_check(name: &str, value: &str, is_outermost: bool) -> bool {
    let letters = letters_of(name);
    if !is_outermost {
        return CHECKS_INSIDE.contains(&letters.as_str());
    }
    CHECKS.contains(&letters.as_str()) || letters == "version" && !is_release(value)
}

/// A version such as `"1.4.2"`, which is what something is and not which state of it was seen.
fn is_release(value: &str) -> bool {
    let text = value.trim_matches('"');
    let first = text.trim_start_matches('v').split('.').next().unwrap_or_default();
    value.starts_with('"')
        && text.contains('.')
        && !first.is_empty()
        && first.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
