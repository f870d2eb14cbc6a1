//! The nearest known words to one that is not known: for unknown keys, operations and parameters.
//!
//! A word and the known ones come in; a few of those go out, best first.

use crate::naming::words;
use std::cmp::Reverse;

/// Thousandths of likeness from which on a word may be meant.
const LEAST: u32 = 550;

/// Longer words are not compared: no name is so long, and the work grows with the square of the length.
const LONGEST_WORD: usize = 200;

/// Up to `most` candidates that resemble the word, best first; nothing when none does. A candidate's namespace may be
/// left out.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    if word.len() > LONGEST_WORD {
        return Vec::new();
    }
    let mut scored: Vec<(u32, &str)> = candidates
        .into_iter()
        .map(|candidate| {
            let bare = candidate.split_once("__").map_or(candidate, |(_, name)| name);
            (likeness(word, candidate).max(likeness(word, bare)), candidate)
        })
        .filter(|(score, _)| *score >= LEAST)
        .collect();
    scored.sort_by_key(|(score, candidate)| (Reverse(*score), *candidate));
    scored.truncate(most);
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Verbs that count as one (ruling W3).
const VERBS: &[&[&str]] = &[
    &["get", "list", "fetch", "show", "retrieve", "read", "view", "describe"],
    &["search", "find", "query", "lookup"],
    &["create", "add", "post", "make", "insert", "new"],
    &["update", "edit", "patch", "modify", "change", "put", "set"],
    &["delete", "remove", "destroy"],
];
/// The first two look, and are nearer to each other than to the others.
const LOOKING_VERBS: usize = 2;
/// The last remove.
const DELETING_VERBS: usize = 4;
/// In thousandths, for a name that goes on where the word ends: nearer than another verb for the same thing.
const CONTINUED: u32 = 950;
/// A word that is cut short has this many letters left.
const SHORTEST_STEM: usize = 4;

/// Words that say nothing about what is meant.
const EMPTY: &[&str] = &["my", "all", "the", "a", "an"];

/// An operation that may be suggested.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Its public name.
    pub name: &'a str,
    /// It belongs to the family that was called.
    pub is_of_family: bool,
}

/// Up to `most` names of operations that may be meant, best first (ruling W3). Those of the family that was called come first,
/// but for a slip of one letter, and for the same words in another order; verbs of the same meaning count as one. What does the opposite is not meant: anyone who wants to
/// list is not led to what deletes, unless it is in the family that was called.
pub fn operations<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = Candidate<'a>>,
    most: usize,
) -> Vec<&'a str> {
    if word.len() > LONGEST_WORD {
        return Vec::new();
    }
    let word = word.to_lowercase();
    let meaning = NameMeaning::of(&word);
    let mut scored: Vec<(bool, u32, &str)> = Vec::new();
    for Candidate { name: candidate, is_of_family } in candidates {
        let bare = candidate.split_once("__").map_or(candidate, |(_, name)| name);
        let is_slip = [candidate, bare].iter().any(|name| strsim::damerau_levenshtein(&word, name) <= 1);
        let other = NameMeaning::of(bare);
        let is_it = is_slip || meaning.has_same_words(&other);
        if !is_it && !is_of_family && meaning.is_opposed_to(&other) {
            continue;
        }
        let continues = bare.strip_prefix(word.as_str()).is_some_and(|rest| rest.starts_with('_'));
        let least = if continues { CONTINUED } else { 0 };
        let score = meaning.likeness(&other).max(meaning.likeness(&NameMeaning::of(candidate))).max(least);
        if score >= LEAST {
            scored.push((is_it || is_of_family, score, candidate));
        }
    }
    scored.sort_by_key(|(comes_first, score, candidate)| (Reverse((*comes_first, *score)), *candidate));
    scored.truncate(most);
    scored.into_iter().map(|(_, _, candidate)| candidate).collect()
}

/// True when a name, by its verbs, does the opposite of what is wanted: it changes where one looks, or removes where one does not.
pub fn is_opposed(wanted: &str, name: &str) -> bool {
    NameMeaning::of(&wanted.to_lowercase()).is_opposed_to(&NameMeaning::of(name))
}

/// What a name means: what is done, and with what. `get_charges_search` does two things with charges.
struct NameMeaning<'n> {
    name: &'n str,
    /// The verbs as they are written, each with the others of its meaning.
    verbs: Vec<(String, usize)>,
    things: Vec<String>,
}

impl NameMeaning<'_> {
    fn of(name: &str) -> NameMeaning<'_> {
        let mut verbs = Vec::new();
        let mut things = Vec::new();
        for word in words(name) {
            match VERBS.iter().position(|class| class.contains(&word.as_str())) {
                Some(class) => verbs.push((word, class)),
                None if EMPTY.contains(&word.as_str()) => {}
                None => things.push(word.strip_suffix('s').map_or(word.clone(), str::to_owned)),
            }
        }
        NameMeaning { name, verbs, things }
    }

    /// True when both have the same words, in whatever order: `create_issue` and `issues_create`.
    fn has_same_words(&self, other: &NameMeaning<'_>) -> bool {
        let sorted = |name: &NameMeaning<'_>| {
            let verbs = name.verbs.iter().map(|(verb, _)| verb.clone());
            let mut words: Vec<String> = verbs.chain(name.things.iter().cloned()).collect();
            words.sort_unstable();
            words
        };
        !self.verbs.is_empty() && sorted(self) == sorted(other)
    }

    /// True when one looks and the other changes, or one removes and the other does not.
    fn is_opposed_to(&self, other: &NameMeaning<'_>) -> bool {
        let kind = |class: usize| match class {
            _ if class < LOOKING_VERBS => 0,
            DELETING_VERBS => 1,
            _ => 2,
        };
        let Some((_, class)) = self.verbs.first() else { return false };
        !other.verbs.is_empty() && other.verbs.iter().all(|(_, another)| kind(*class) != kind(*another))
    }

    /// In thousandths: what is done counts for a third, and either spelling may be near.
    fn likeness(&self, other: &NameMeaning<'_>) -> u32 {
        let looks = |verbs: &[(String, usize)]| verbs.iter().any(|(_, class)| *class < LOOKING_VERBS);
        let verbs = match (self.verbs.first(), other.verbs.as_slice()) {
            (None, _) | (_, []) => 0.6,
            (Some((verb, _)), [(only, _)]) if verb == only => 1.0,
            (Some((_, class)), [(_, only)]) if class == only => 0.95,
            (Some((_, class)), several) if several.iter().any(|(_, each)| each == class) => 0.9,
            (Some(_), others) if looks(&self.verbs) && looks(others) => 0.8,
            _ => 0.2,
        };
        let things = likeness(&self.things.join("_"), &other.things.join("_")).max(self.shared_with(other));
        let thing = f64::from(things) * (0.7 + 0.3 * verbs);
        let name = f64::from(likeness(self.name, other.name)) * (0.8 + 0.2 * verbs);
        // Most of a name must be there: every name has some verb.
        if things >= LEAST { thing.max(name) as u32 } else { name as u32 }
    }

    /// In thousandths: all the words of one are among those of the other, as in `merge_pull_request` and `pulls_merge`. Of a name
    /// that was made up, half the words at least must be known.
    fn shared_with(&self, other: &NameMeaning<'_>) -> u32 {
        let is_within = |some: &[String], all: &[String]| {
            !some.is_empty() && some.iter().all(|word| all.iter().any(|each| is_same_word(word, each)))
        };
        let (few, many) =
            (self.things.len().min(other.things.len()), self.things.len().max(other.things.len()));
        let is_near = is_within(&self.things, &other.things) && few * 4 >= many
            || is_within(&other.things, &self.things) && few * 2 >= many;
        if is_near { 600 + u32::try_from(380 * few / many.max(1)).unwrap_or(0) } else { 0 }
    }
}

/// The same word, or one cut short: `repo` is `repository`.
fn is_same_word(one: &str, other: &str) -> bool {
    let short = one.len().min(other.len());
    one == other || short >= SHORTEST_STEM && (one.starts_with(other) || other.starts_with(one))
}

/// The candidate that the word is a slip of: one letter in four, and one in a short word, may differ. For words that
/// must not be guessed, such as levels of trust and danger, where a likely word may say the opposite.
pub fn misspelt<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let word = word.to_lowercase();
    let most = (word.chars().count() / 4).max(1);
    let distance = |candidate: &str| strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
    let near = candidates.into_iter().map(|candidate| (distance(candidate), candidate));
    near.filter(|(distance, _)| *distance <= most).min().map(|(_, candidate)| candidate)
}

/// Likeness in thousandths. Sharing whole words counts as much as sharing letters, so that `delete_repository` finds
/// `delete_repo` and `repo_get` finds `get_repo`.
fn likeness(word: &str, candidate: &str) -> u32 {
    let (word, candidate) = (word.to_lowercase(), candidate.to_lowercase());
    let letters = strsim::jaro_winkler(&word, &candidate);
    let words = strsim::sorensen_dice(&sorted_words(&word), &sorted_words(&candidate));
    let edits = strsim::normalized_damerau_levenshtein(&word, &candidate);
    let blend = letters * 0.35 + words * 0.4 + edits * 0.25;
    (blend * 1000.0) as u32
}

fn sorted_words(text: &str) -> String {
    let mut words: Vec<&str> = text.split(['_', '-', '.', ' ']).collect();
    words.sort_unstable();
    words.join(" ")
}

#[cfg(test)]
mod tests;
