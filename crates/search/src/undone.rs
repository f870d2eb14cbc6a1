//! What a request says is not to be done: "but do not cancel it", "without deleting it".
//!
//! A sentence in; what it asks for and the clauses that forbid something out. Who "does not log in" is only described, and whoever is
//! told "not to notify me" is to do just that: a clause forbids where it is an order of its own.

use regex::{Captures, Regex};
use std::sync::LazyLock;

use crate::query::is_stop_word;
use crate::term::Term;
use crate::text::{each_word, stem};
use crate::verbs::Verbs;

static FORBIDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:^|[,;:(]|\b(?:and|but|please|just|also)\b)\s*(?:do not|don't|dont|never)\s+(?:ever\s+)?(?P<order>[a-z]+)",
        r"|\b(?:sure|certain|care|careful)\s+(?:not to|to not|to never)\s+(?P<aim>[a-z]+)",
        r"|\b(?:(?P<without>without)|no)\s+(?P<doing>[a-z]+ing)\b",
    ))
    .expect("the patterns are tested")
});
static CLAUSE_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)[,.;:()]|\b(?:but|just|only|instead)\b").expect("the patterns are tested")
});
static PRONOUN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:it|them)\b").expect("the patterns are tested"));

/// A clause that forbids something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forbidden<'t> {
    /// What is not to be done.
    pub verb: &'t str,
    /// What it is not to be done with.
    pub object: &'t str,
    /// Whether it is an order, and no circumstance of something else: "without deleting it".
    pub is_order: bool,
}

/// What a sentence asks for, in its parts, and what it forbids.
pub fn forbidden(sentence: &str) -> (Vec<&str>, Vec<Forbidden<'_>>) {
    let (mut asked, mut clauses, mut rest) = (Vec::new(), Vec::new(), sentence);
    while let Some((start, verb, end, is_order)) =
        FORBIDS.captures_iter(rest).find_map(|found| verb_of(&found))
    {
        let clause = &rest[end..];
        let length = CLAUSE_END.find(clause).map_or(clause.len(), |end| end.start());
        asked.push(&rest[..start]);
        clauses.push(Forbidden { verb: &rest[verb..end], object: &clause[..length], is_order });
        rest = &clause[length..];
    }
    asked.push(rest);
    (asked, clauses)
}

/// Where such a clause begins, where its verb does, where that ends, and whether it is an order; nothing where it is no verb.
fn verb_of(found: &Captures<'_>) -> Option<(usize, usize, usize, bool)> {
    let verb = found.name("order").or_else(|| found.name("aim")).or_else(|| found.name("doing"))?;
    let is_known = is_verb(verb.as_str());
    // An order needs no verb that is known, because nothing else stands there.
    let is_order = found.name("order").is_some() && !is_stop_word(&verb.as_str().to_lowercase());
    // Nor does what follows "without" and is longer than "being": "without touching the settings".
    let is_circumstance = found.name("without").is_some() && verb.as_str().len() > "being".len();
    (is_known || is_order || is_circumstance)
        .then(|| (found.get_match().start(), verb.start(), verb.end(), found.name("doing").is_none()))
}

/// Whether a text says what to do, and with what. What begins with a word that says something, and has another one, does so even
/// where that is no verb that is known: "duplicate the folder".
pub fn says_what_to_do(text: &str) -> bool {
    let (mut has_verb, mut begins, mut count) = (false, None, usize::from(refers_back(text)));
    // A noun may be a verb elsewhere: "close the issue".
    each_word(text, |word| {
        let says = is_verb(word) || !is_stop_word(word);
        has_verb |= is_verb(word);
        begins.get_or_insert(says);
        count += usize::from(says);
    });
    (has_verb || begins == Some(true)) && count > 1
}

/// Whether a text speaks of a thing without its name, as of one that was named before: "just close it".
pub fn refers_back(text: &str) -> bool {
    PRONOUN.is_match(text)
}

fn is_verb(word: &str) -> bool {
    Verbs::get().votes(Term::of(&stem(&word.to_lowercase()))).is_some()
}
