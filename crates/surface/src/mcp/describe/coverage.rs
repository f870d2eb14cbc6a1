//! What is behind the server, in one line as a person would write it: what each source is and which things it has.
//!
//! A catalog in, a line out; never an address, markup or the words of a licence. The operator's own words come first.

use aqueduct_dispatch::{CatalogView, NounGroup};
use aqueduct_operations::naming::words;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::sanitize::one_line;
use aqueduct_operations::short_text::{first_sentence, shortened};
use aqueduct_operations::source::Source;
use std::collections::HashSet;
use std::sync::Arc;

/// Characters of the operator's own words.
const LONGEST_OWN: usize = 400;
/// Characters of an address.
const LONGEST_ADDRESS: usize = 60;
/// Characters that a few nouns take: what every source has where there is less room for each, unless there are more sources than
/// this.
const LEAST_ROOM: usize = 24;
const FEW_SOURCES: usize = 4;
/// The commonest things that are tried.
const MOST_NOUNS: usize = 8;
/// Sources that are named.
pub(super) const MOST_SOURCES: usize = 5;
/// Sentences that are about something else than what an API does.
const BESIDE: &[&str] = &[
    "licen",
    "copyright",
    "terms of",
    "warrant",
    "www.",
    "http",
    "documentation",
    "please",
    "welcome",
    "openapi",
    "swagger",
    "specification",
    " spec",
    "changelog",
    "version",
];

/// Words with which a text speaks to its reader, or of whom it is read by: what others have written tells a model what there is, and
/// never what to do.
const TO_THE_READER: &[&str] = &[
    "you",
    "your",
    "yours",
    "yourself",
    "must",
    "should",
    "shall",
    "always",
    "never",
    "do",
    "don",
    "not",
    "ignore",
    "disregard",
    "forget",
    "obey",
    "prefer",
    "instead",
    "assistant",
    "model",
    "prompt",
    "instruction",
    "instructions",
    "important",
    "warning",
    "attention",
    "before",
];
/// First words of orders.
const ORDERS: &[&str] = &[
    "call", "use", "send", "run", "tell", "say", "read", "write", "open", "make", "ensure", "note",
    "remember", "after", "when", "if", "to", "delete", "remove", "execute", "go", "stop", "ask", "answer",
    "reply", "respond", "pass", "include", "give", "put", "post", "get", "invoke", "follow", "be",
];

/// How much is said of what is behind the server.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoverageBudget {
    /// Characters for things, of all sources together.
    pub(super) characters: usize,
    /// Sources that are named.
    pub(super) sources: usize,
}

impl CoverageBudget {
    /// So many characters, for as many sources as are ever named.
    pub(super) fn of(characters: usize) -> CoverageBudget {
        CoverageBudget { characters, sources: MOST_SOURCES }
    }
}

/// What is behind the server, ending in a period.
pub(super) fn coverage(view: &CatalogView<'_>, room: CoverageBudget) -> String {
    let CoverageBudget { characters: most, sources: most_sources } = room;
    let catalog = view.catalog();
    if let Some(own) = &catalog.exposure().description {
        return with_period(shortened(&one_line(own), LONGEST_OWN));
    }
    let sources = view.sources();
    if let Some(all) = all_names(view, &sources, room) {
        return format!("{all}.");
    }
    let named = sources.len().clamp(1, most_sources);
    let each = match most / named {
        _ if most == 0 => 0,
        room if room >= LEAST_ROOM => room,
        _ if named <= FEW_SOURCES || named * LEAST_ROOM <= most + most / 2 => LEAST_ROOM,
        _ => 0,
    };
    // How many more there are costs as much as a name.
    let shown =
        if each == 0 && sources.len() > most_sources { FEW_SOURCES.min(most_sources) } else { most_sources };
    let lines: Vec<String> = sources.iter().take(shown).map(|source| of_source(view, source, each)).collect();
    match (lines.is_empty(), sources.len().saturating_sub(shown)) {
        (true, _) => "nothing yet.".to_owned(),
        (false, 0) => format!("{}.", lines.join("; ")),
        (false, more) => format!("{}; {more} more.", lines.join("; ")),
    }
}

/// The names of more sources than are told of, where all of them have room: what is not named is not asked for. The first ones with
/// their commonest things, as far as there is room for these.
fn all_names(view: &CatalogView<'_>, sources: &[&Arc<Source>], room: CoverageBudget) -> Option<String> {
    let names: usize = sources.iter().map(|source| source.name.chars().count() + 2).sum();
    let mut left = (room.characters + room.characters / 2).checked_sub(names)?;
    if sources.len() <= room.sources {
        return None;
    }
    let told = sources.iter().map(|source| {
        let each = if left < LEAST_ROOM { 0 } else { LEAST_ROOM };
        left -= each;
        let nouns = nouns(view, source, each);
        if nouns.is_empty() { source.name.clone() } else { format!("{}: {nouns}", source.name) }
    });
    Some(told.collect::<Vec<_>>().join("; "))
}

/// The sources by name.
pub(super) fn domain(view: &CatalogView<'_>, most: usize) -> String {
    let sources = view.sources();
    let names: Vec<&str> = sources.iter().take(most).map(|source| source.name.as_str()).collect();
    match sources.len() {
        0 => "this server".to_owned(),
        all if all <= most => names.join(", "),
        more => format!("{} and {} more", names.join(", "), more - most),
    }
}

/// One source: its own sentence where that is short and about what it does, and its commonest things where there is room. Its
/// name alone where there is none.
fn of_source(view: &CatalogView<'_>, source: &Source, most: usize) -> String {
    if most == 0 {
        return source.name.clone();
    }
    if source.info.get("server").is_some_and(|server| server.get("description").is_none()) {
        return format!("{}: {}", source.name, tools(view, source, most));
    }
    let sentence = sentence_of(source).filter(|sentence| sentence.chars().count() <= most);
    let room = most - sentence.as_ref().map_or(0, |sentence| sentence.chars().count());
    let nouns =
        if sentence.is_some() && room < LEAST_ROOM { String::new() } else { nouns(view, source, room) };
    match (sentence, nouns.is_empty()) {
        (Some(sentence), true) => format!("{}: {sentence}", source.name),
        (Some(sentence), false) => format!("{}: {sentence} ({nouns})", source.name),
        (None, true) => source.name.clone(),
        (None, false) => format!("{}: {nouns}", source.name),
    }
}

/// What the author says of it, on the first line.
fn sentence_of(source: &Source) -> Option<String> {
    let line = source.description.lines().find(|line| !line.trim().is_empty())?;
    let sentence = first_sentence(line, LONGEST_OWN);
    let lower = sentence.to_lowercase();
    // A sentence that had an address in it has lost its sense with it.
    let beginning: String = line.chars().take(sentence.chars().count() + LONGEST_ADDRESS).collect();
    let is_about_it = sentence.split(' ').count() > 1
        && !beginning.contains("://")
        && !BESIDE.iter().any(|word| lower.contains(word))
        && !speaks_to_the_reader(&sentence)
        && says_more_than_a_name(&lower, &source.name);
    is_about_it.then_some(sentence)
}

/// Whether a sentence says what to do, or might. Nobody vouches for what documents and other servers say of themselves.
fn speaks_to_the_reader(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let first = lower.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    // Somebody who speaks has a colon behind the name.
    sentence.contains([':', '_', '`', '<', '{', '[', '!', '?'])
        || first.is_some_and(|first| ORDERS.contains(&first))
        || names_the_reader(&lower)
}

/// Whether a text has words of orders, wherever they stand.
pub(super) fn names_the_reader(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| TO_THE_READER.contains(&word))
}

/// Words with which a sentence says no more than that there is an API.
const ANY_API: &[&str] = &[
    "this", "is", "the", "a", "an", "of", "for", "our", "public", "official", "rest", "restful", "http",
    "web", "json", "api", "apis", "service", "services",
];

/// Whether a sentence has more than the name of its source: "This is the public Twilio REST API" has not.
fn says_more_than_a_name(sentence: &str, source: &str) -> bool {
    let name = words(source);
    let mut sentence_words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    sentence_words.any(|word| !ANY_API.contains(&word) && !name.iter().any(|own| own == word))
}

/// What another server does that has no words for itself: the names of its tools, and how many more there are.
fn tools(view: &CatalogView<'_>, source: &Source, most: usize) -> String {
    let entries = view.visible().filter(|entry| entry.source.name == source.name);
    let names: Vec<&str> = entries.map(|entry| entry.operation.name.as_str()).collect();
    let mut shown = names.first().copied().unwrap_or_default().to_owned();
    for (index, name) in names.iter().enumerate().skip(1) {
        if shown.len() + name.len() > most {
            return format!("{shown}, +{}", names.len() - index);
        }
        shown = format!("{shown}, {name}");
    }
    shown
}

/// The commonest things of a source that fit.
fn nouns(view: &CatalogView<'_>, source: &Source, room: usize) -> String {
    joined(view.topics(|entry| entry.source.name == source.name), room)
}

/// The commonest things of these operations that fit.
pub(super) fn nouns_of(view: &CatalogView<'_>, members: &[&RegistryEntry], room: usize) -> String {
    let members: HashSet<&str> = members.iter().map(|entry| entry.public_name.as_str()).collect();
    joined(view.topics(|entry| members.contains(entry.public_name.as_str())), room)
}

fn joined(groups: Vec<NounGroup<'_>>, room: usize) -> String {
    let mut shown = String::new();
    for group in groups.iter().take(MOST_NOUNS) {
        let noun = group.noun.replace('_', " ");
        if shown.chars().count() + noun.chars().count() + 2 > room {
            continue;
        }
        if !shown.is_empty() {
            shown.push_str(", ");
        }
        shown.push_str(&noun);
    }
    shown
}

fn with_period(text: String) -> String {
    if text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}
