//! The task that a request speaks of, where it came in another way than a search takes it.
//!
//! The arguments of a request in; the words of the task out, as they can stand in an example of a search.

use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_operations::naming::words;
use aqueduct_operations::registry::introspect_entry::QUERIES;
use serde_json::{Map, Value};

/// Parameters under which clients send what they look for.
const KEYS: [&str; 11] = [
    "search", "query", "q", "text", "task", "request", "prompt", "question", "intent", "keywords", "keyword",
];
/// Words of names that say nothing but that something is looked for.
const LOOKING: &[&str] = &[
    "search",
    "find",
    "query",
    "lookup",
    "discover",
    "discovery",
    "list",
    "introspect",
    "help",
    "tool",
    "tools",
    "operation",
    "operations",
    "api",
    "apis",
    "ask",
    "lookups",
    "finder",
    "do",
    "for",
    "a",
    "the",
    "an",
    "all",
    "available",
];
/// Words of our tools, which clients put before what they look for.
const OWN: [&str; 2] = ["mcp", "aql"];
/// Words of questions that would make a sentence look like a leak, and say nothing of the task.
const LEFT_OUT: &[&str] = &["what", "that", "at"];
/// Characters of a task in an example.
const LONGEST: usize = 120;

/// The task in the first of these places that has one.
pub(crate) fn task_sent(places: &[&Map<String, Value>]) -> Option<String> {
    let text = |key: &&str| places.iter().find_map(|place| place.get(*key).and_then(Value::as_str));
    KEYS.iter().filter_map(text).filter(|text| !QUERIES.contains(&text.trim())).find_map(as_example)
}

/// True for a name that says nothing but that something is looked for: what is looked for stands in the parameters.
pub(crate) fn is_about_looking(name: &str) -> bool {
    let words = words(name);
    !words.is_empty() && without_own(&words).iter().all(|word| LOOKING.contains(&word.as_str()))
}

/// The words without those of our tools before them.
pub(crate) fn without_own(words: &[String]) -> &[String] {
    let own = words.iter().take_while(|word| OWN.contains(&word.as_str())).count();
    &words[own..]
}

/// A text as it can stand in quotes in a message; nothing where it has no words, or would look like a leak.
fn as_example(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() || c == '\\' => ' ',
            c => c,
        })
        .collect();
    let mut task = String::new();
    for word in plain.split_whitespace().filter(|word| !LEFT_OUT.contains(&word.to_lowercase().as_str())) {
        if task.chars().count() + word.chars().count() + 1 > LONGEST {
            break;
        }
        if !task.is_empty() {
            task.push(' ');
        }
        task.push_str(word);
    }
    let is_good = task.chars().any(char::is_alphanumeric) && !looks_like_a_leak(&format!("{task}\"}}."));
    is_good.then_some(task)
}
