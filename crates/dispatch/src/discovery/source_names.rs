//! Whether a request names a source.
//!
//! The words of a request and the name of a source in, yes or no out.

use aqueduct_operations::naming::words;

/// Words of a source's name that say nothing of it.
const GENERIC: &[&str] =
    &["api", "apis", "com", "org", "net", "io", "dev", "app", "www", "rest", "local", "the", "server", "mcp"];

/// Words before the place where something is done.
const BEFORE: &[&str] = &["in", "on", "at", "from", "to", "with", "via", "using"];
const ARTICLES: &[&str] = &["the", "my", "our"];

/// True when the words of a request have the name of a source, but for its generic words. A name that is a word of others too is
/// meant only where the request says that it is a place: "in mail", and not "mail addresses".
pub fn is_source_named(source: &str, request: &[String], is_of_others: impl Fn(&str) -> bool) -> bool {
    let own: Vec<String> = words(source)
        .into_iter()
        .filter(|word| !GENERIC.contains(&word.as_str()) && !word.bytes().all(|b| b.is_ascii_digit()))
        .filter(|word| !(word.len() < 4 && word.starts_with('v')))
        .collect();
    let Some(first) = own.first() else { return false };
    let joined = own.concat();
    if request.contains(&joined) && (!is_of_others(&joined) || is_place(&joined, request)) {
        return true;
    }
    let is_said = own.iter().all(|word| request.contains(word));
    is_said && (!own.iter().all(|word| is_of_others(word)) || is_place(first, request))
}

/// True when a word stands behind one that says where.
fn is_place(word: &str, request: &[String]) -> bool {
    let places = request.iter().enumerate().filter(|(_, each)| *each == word);
    let before = |at: usize| {
        let mut earlier = request[..at].iter().rev().map(String::as_str);
        earlier.find(|word| !ARTICLES.contains(word)).is_some_and(|word| BEFORE.contains(&word))
    };
    places.into_iter().any(|(at, _)| before(at))
}
