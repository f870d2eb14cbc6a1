//! Which category a tool of another server belongs to, and how much harm it can do (ruling N3: annotations, then the
//! verb; unsure is EXECUTE).
//!
//! A tool's name and annotations in; category, danger, how sure that is and why, out. Annotations are claims of the other
//! side: one that plays down what the name says is not believed.

use aqueduct_operations::category::Category::{self, Create, Delete, Execute, Read, Update};
use aqueduct_operations::category::floor::{FloorInput, floor};
use aqueduct_operations::category::verbs::category_of;
use aqueduct_operations::danger::{Danger, DangerLevel, DangerOrigin, final_word, undeclared};
use aqueduct_operations::origin::{CategoryDecision, Confidence};
use aqueduct_source_kind::category_names::CategoryNames;
use serde_json::Value;

/// Verbs that tools have and our own names have not.
const MORE_VERBS: &[(&str, Category)] = &[
    ("read", Read),
    ("fetch", Read),
    ("show", Read),
    ("view", Read),
    ("describe", Read),
    ("lookup", Read),
    ("write", Update),
    ("replace", Update),
    ("modify", Update),
    ("change", Update),
    ("append", Update),
    ("send", Execute),
    ("call", Execute),
    ("deploy", Execute),
    ("launch", Execute),
];

/// What was found out about a tool.
#[derive(Debug)]
pub(super) struct Classification {
    pub decision: CategoryDecision,
    pub danger: Danger,
    /// A repeat does nothing more.
    pub idempotent: bool,
}

/// What a tool says about itself; `None` is silence, which is not the protocol's default.
#[derive(Debug, Clone, Copy, Default)]
struct Hints {
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
}

/// Judges one tool by its public name and its own. `prefix` is the word with which all tools of the server begin, if there is one.
pub(super) fn classify(
    name: &str,
    original: &str,
    prefix: Option<&str>,
    annotations: Option<&Value>,
) -> Classification {
    let hint = |key: &str| annotations.and_then(|all| all.get(key)).and_then(Value::as_bool);
    let hints = Hints {
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
    };
    let rest = prefix.and_then(|word| name.strip_prefix(word)).and_then(|rest| rest.strip_prefix('_'));
    let name_without = rest.unwrap_or(name);
    let verb = name_without.split('_').next().unwrap_or_default();
    let by_verb = category_of(name_without)
        .or_else(|| MORE_VERBS.iter().find(|(known, _)| *known == verb).map(|(_, category)| *category));
    let decided = decide(hints, by_verb, verb);
    // `file_delete` deletes, and so does `run_delete` whatever it claims; `get_delete_log` looks.
    let names = CategoryNames::of_tool(name, original);
    let whole = names.floor_input(None, "");
    let names = [original, name_without];
    let floor_found = floor(decided.category, &FloorInput { names: &names, ..whole });
    let decision = match floor_found {
        Some(floor_found) if decided.category == Read => {
            CategoryDecision::from_floor(floor_found, &decided.reason, true)
        }
        Some(floor_found) => {
            let reason = floor_found.reason.clone();
            CategoryDecision { reason, ..CategoryDecision::from_floor(floor_found, "", false) }
        }
        None => decided,
    };
    let category = decision.category;
    let mut danger = danger_of(name, category, hints);
    danger.raise_to_word(final_word(&[name, original], "", category));
    danger.raise_to_floor(decision.at_least);
    Classification { decision, danger, idempotent: category == Read || hints.idempotent == Some(true) }
}

/// What annotations and verb say together.
fn decide(hints: Hints, by_verb: Option<Category>, verb: &str) -> CategoryDecision {
    use Confidence::{High, Low, Medium};
    let reason_of = |category: Category| format!("the verb '{verb}' means {}", category.upper());
    let say = |category, reason, confidence, needs_review| {
        CategoryDecision::new(category, confidence, needs_review, reason)
    };
    match (hints.read_only, by_verb) {
        (Some(true), Some(other @ (Create | Update | Delete))) => {
            say(Read, format!("the server says it only reads, though {}", reason_of(other)), Medium, true)
        }
        (Some(true), _) => say(Read, "the server says it only reads".to_owned(), High, false),
        (Some(false), Some(Read)) => say(
            Execute,
            format!("the server says it changes something, though {}", reason_of(Read)),
            Low,
            true,
        ),
        (_, Some(Read)) if hints.destructive == Some(true) => say(
            Execute,
            format!("the server says it destroys something, though {}", reason_of(Read)),
            Low,
            true,
        ),
        (None, Some(category)) => say(category, reason_of(category), Medium, false),
        (Some(false), Some(category)) => {
            let reason = format!("the server says it changes something, and {}", reason_of(category));
            say(category, reason, High, false)
        }
        (Some(false), None) => {
            let reason = "the server says it changes something, and its name does not say in which way";
            say(Execute, reason.to_owned(), Medium, true)
        }
        (None, None) => {
            say(Execute, "neither the server nor its name tells its effect".to_owned(), Low, true)
        }
    }
}

/// By the name and the category; what the server says can only make it worse.
fn danger_of(name: &str, category: Category, hints: Hints) -> Danger {
    let (level, origin) = undeclared(name, category);
    if hints.destructive == Some(true) && category != Read && level < DangerLevel::Destructive {
        let mut danger = Danger::new(DangerLevel::Destructive, DangerOrigin::Declared);
        danger.reasons.push("The server says it may destroy something".to_owned());
        return danger;
    }
    Danger::new(level, origin)
}

/// The word with which every one of several names begins.
pub(super) fn common_prefix<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let (first, _) = names.clone().next()?.split_once('_')?;
    let is_shared = |name: &str| name.split_once('_').is_some_and(|(word, _)| word == first);
    (names.clone().count() > 1 && names.clone().all(is_shared) && category_of(first).is_none())
        .then_some(first)
}

#[cfg(test)]
mod tests;
