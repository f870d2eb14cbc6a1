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

/// How much is said of what is behind the server.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoverageRoom {
    /// Characters for things, of all sources together.
    pub(super) characters: usize,
    /// Sources that are named.
    pub(super) sources: usize,
}

impl CoverageRoom {
    /// So many characters, for as many sources as are ever named.
    pub(super) fn of(characters: usize) -> CoverageRoom {
        CoverageRoom { characters, sources: MOST_SOURCES }
    }
}

/// What is behind the server, ending in a period.
pub(super) fn coverage(view: &CatalogView<'_>, room: CoverageRoom) -> String {
    let CoverageRoom { characters: most, sources: most_sources } = room;
    let catalog = view.catalog();
    if let Some(own) = &catalog.exposure().description {
        return with_period(shortened(&one_line(own), LONGEST_OWN));
    }
    let sources = view.sources();
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
        && says_more_than_a_name(&lower, &source.name);
    is_about_it.then_some(sentence)
}

/// Words with which a sentence says no more than that there is an API.
const ANY_API: &[&str] = &[
    "this", "is", "the", "a", "an", "of", "for", "our", "public", "official", "rest", "restful", "http",
    "web", "json", "api", "apis", "service", "services",
];

/// Whether a sentence has more than the name of its source: "This is the public Twilio REST API" has not.
fn says_more_than_a_name(sentence: &str, source: &str) -> bool {
    let name = words(source);
    let mut said = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    said.any(|word| !ANY_API.contains(&word) && !name.iter().any(|own| own == word))
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
