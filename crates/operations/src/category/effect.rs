//! What the words of a name or of a path say that an operation does: the one table for all sources (ruling N3).
//!
//! Words in, the word that acts out, if there is one. A word acts where a verb stands: in front, after a resource's name, after
//! "and", or at the end of a path. After a verb that looks (`list_runs`, `get_refund`) it is a thing.

mod table;

use super::Category;
use crate::danger::DangerLevel;
use crate::naming::words;
use table::{EffectWord, LOOKING, ONLY_LOOKING, RECORDS, REMOVALS, WordUse};

/// A word that acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordEffect {
    /// The word, in its plain form.
    pub word: &'static str,
    /// DELETE for words that remove, else EXECUTE.
    pub category: Category,
    /// The danger that the word has.
    pub level: DangerLevel,
}

impl WordEffect {
    fn of(row: &EffectWord) -> WordEffect {
        WordEffect { word: row.word, category: row.category, level: row.level }
    }

    fn rank(self) -> (bool, DangerLevel) {
        (self.category == Category::Delete, self.level)
    }
}

/// The word of a name that acts, though the operation claims to look.
pub fn of_name(name: &str) -> Option<WordEffect> {
    let all = words(name);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let looks_later = all.iter().any(|word| ONLY_LOOKING.contains(word)) || last_part_looks(name);
    let looks_somewhere = all.iter().any(|word| is_looking(word));
    // `send_as_list` and `sendAs.list` name a thing first, then what is done with it.
    let looks_last = all.last().is_some_and(|word| is_looking(word)) || last_part_looks(name);
    let acting = all.iter().enumerate().filter_map(|(index, word)| {
        let row = row_of(word)?;
        let (before, rest) = (&all[..index], &all[index + 1..]);
        let acts = if is_joined(before, row) {
            true
        } else if before.iter().any(|word| is_looking(word)) {
            // `get_delete_topic` deletes a topic; `get_delete_log` looks.
            row.usage == WordUse::Verb && index == 1 && !rest.is_empty() && !is_record_of(rest)
        } else {
            match row.usage {
                WordUse::Verb => index == 0 || !looks_last,
                // `transfer_money` acts; `transfer_status` and `transfers_list` are things that are looked at.
                // `db_drop` drops.
                WordUse::Either if row.category == Category::Delete && index > 0 => rest.is_empty(),
                WordUse::Behind if index > 0 => rest.is_empty() && !looks_somewhere,
                WordUse::Either | WordUse::Behind | WordUse::Thing => {
                    let is_command = row.usage != WordUse::Thing || !rest.is_empty();
                    let looks = if row.usage == WordUse::Thing { looks_somewhere } else { looks_later };
                    let is_looked_at = looks && row.category != Category::Delete;
                    index == 0 && is_command && !is_looked_at && !is_thing(rest, row)
                }
            }
        };
        acts.then(|| WordEffect::of(row))
    });
    worst(acting)
}

/// The worst of several: what removes, then what is most dangerous, then the first.
pub fn worst(effects: impl Iterator<Item = WordEffect>) -> Option<WordEffect> {
    effects.reduce(|worst, next| if next.rank() > worst.rank() { next } else { worst })
}

/// `get_and_delete` does both; in `by_route_and_stop` two things are joined.
fn is_joined(before: &[&str], row: &EffectWord) -> bool {
    let is_of_things = before.iter().any(|word| matches!(*word, "by" | "for" | "of" | "with" | "from"));
    match before.last() {
        Some(&"and" | &"then") => !is_of_things,
        Some(&"or") => !is_of_things && row.usage == WordUse::Verb,
        _ => false,
    }
}

/// True when the last part of a name with marks in it (`users.sendAs_list`) begins with a verb that looks.
fn last_part_looks(name: &str) -> bool {
    let is_mixed = name.contains(['.', '/']) || name.chars().any(|c| c.is_ascii_uppercase());
    let last = name.rsplit(['.', '/', '_']).next().unwrap_or_default();
    is_mixed && last.len() < name.len() && words(last).first().is_some_and(|word| is_looking(word))
}

/// The word at the end of a path that acts, though the operation claims to look. `names` are what its author calls it.
pub fn of_path(path: &str, names: &[&str]) -> Option<WordEffect> {
    if let Some(effect) = commanded(path) {
        return Some(effect);
    }
    let end = LastSegment::of(path);
    let all: Vec<&str> = end.words.iter().map(String::as_str).collect();
    // `get_transfer` on `/transfer` looks at one; `get_status` on `/reset` says nothing of what it does.
    let is_looked_at = |row: &EffectWord| {
        names.iter().any(|name| {
            let stem = row.word.trim_end_matches('e');
            let named = words(name);
            named.iter().any(|word| is_looking(word)) && named.iter().any(|word| word.starts_with(stem))
        })
    };
    let (first, rest) = all.split_first()?;
    if let Some(row) = row_of(first) {
        let acts = match row.usage {
            // What is asked of a name that mentions it, the name has answered: `sendAs.list` on `/sendAs`.
            WordUse::Verb => !is_record_of(rest) && (rest.is_empty() || !is_looked_at(row)),
            WordUse::Either | WordUse::Behind => !end.has_item && !is_thing(rest, row) && !is_looked_at(row),
            WordUse::Thing => !end.has_item && !rest.is_empty() && !is_thing(rest, row) && !is_looked_at(row),
        };
        if acts {
            return Some(WordEffect::of(row));
        }
    }
    let last = rest.last().filter(|_| rest.len() == 1 && !is_looking(first))?;
    row_of(last).filter(|row| row.usage == WordUse::Verb && !is_looked_at(row)).map(WordEffect::of)
}

/// The word that a fixed part of the query commands: `?action=delete_user`.
fn commanded(path: &str) -> Option<WordEffect> {
    const KEYS: [&str; 8] = ["action", "method", "cmd", "command", "op", "operation", "func", "do"];
    let (_, query) = path.split_once(['?', '#'])?;
    query.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        KEYS.contains(&key.to_ascii_lowercase().as_str()).then(|| of_name(value))?
    })
}

/// The word that removes, wherever it stands in a name: for operations that do not claim to look.
pub fn removal_in(name: &str) -> Option<WordEffect> {
    words(name).iter().enumerate().find_map(|(index, word)| {
        let word = if REMOVALS.contains(&word.as_str()) { "delete" } else { word };
        let row = row_of(word).filter(|row| row.category == Category::Delete)?;
        (row.usage == WordUse::Verb || index == 0).then(|| WordEffect::of(row))
    })
}

/// The same for the end of a path; `delete-protection` protects.
pub fn removal_at_end(path: &str) -> Option<WordEffect> {
    let end = LastSegment::of(path);
    let all: Vec<&str> = end.words.iter().map(String::as_str).collect();
    all.iter().enumerate().find_map(|(index, word)| {
        let row = row_of(word).filter(|row| row.category == Category::Delete)?;
        let removes = row.usage == WordUse::Verb || index == 0;
        (removes && !is_record_of(&all[index + 1..])).then(|| WordEffect::of(row))
    })
}

/// The words of money and of no return, wherever they stand (ruling S2).
pub fn final_words_in(text: &str) -> Vec<&'static str> {
    let is_final = |word: &String| {
        let word = singular(word);
        table::FINAL.iter().copied().find(|each| *each == word)
    };
    words(text).iter().filter_map(is_final).collect()
}

/// The first of them.
pub fn final_word_in(text: &str) -> Option<&'static str> {
    final_words_in(text).first().copied()
}

/// Those at the end of a path.
pub fn final_words_at_end(path: &str) -> Vec<&'static str> {
    final_words_in(&LastSegment::of(path).words.join("_"))
}

/// True when a word asks or looks.
pub fn is_looking(word: &str) -> bool {
    LOOKING.contains(&word)
}

/// What follows a word that is both verb and noun makes it the noun: a record of what was done.
fn is_thing(rest: &[&str], row: &EffectWord) -> bool {
    row.category != Category::Delete && is_record_of(rest)
}

fn is_record_of(rest: &[&str]) -> bool {
    rest.last().is_some_and(|word| RECORDS.contains(&singular(word).as_str()))
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => {
            word.strip_suffix('s').filter(|stem| !stem.ends_with(['s', 'u', 'i'])).unwrap_or(word).to_owned()
        }
    }
}

/// The row of a word in its plain form.
fn row_of(word: &str) -> Option<&'static EffectWord> {
    // Names without any mark between their words: `deleteuser`, `batchdelete`.
    const JOINED: [&str; 2] = ["delete", "remove"];
    const OTHERWISE: [&str; 8] = ["un", "non", "no", "not", "is", "can", "pre", "post"];
    let is_joined = |verb: &&str| {
        let after = word.strip_prefix(verb).is_some_and(|rest| rest.len() > 2 && !rest.starts_with('d'));
        let before = word.strip_suffix(verb).is_some_and(|rest| rest.len() > 2 && !OTHERWISE.contains(&rest));
        after || before
    };
    table::row(word).or_else(|| JOINED.iter().find(|verb| is_joined(verb)).and_then(|verb| table::row(verb)))
}

/// The path of a request without its query and its last slash.
pub fn bare_path(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/')
}

/// The last part of a path that is no placeholder.
struct LastSegment {
    words: Vec<String>,
    /// A placeholder follows it.
    has_item: bool,
}

impl LastSegment {
    fn of(path: &str) -> LastSegment {
        let path = bare_path(path);
        let mut has_item = false;
        let mut last = "";
        for part in path.rsplit('/') {
            // `/users/{id}:disable` names a method of its own.
            let custom = part.rsplit_once(':').map(|(_, method)| method);
            last = custom.filter(|method| !method.is_empty() && !method.contains(['{', '}'])).unwrap_or(part);
            if last.contains('{') {
                has_item = true;
                continue;
            }
            break;
        }
        let last = if last.contains('{') { "" } else { last };
        let ends = [".json", ".xml", ".php", ".do", ".cgi", ".aspx", ".asp"];
        let last = ends.iter().find_map(|end| last.strip_suffix(end)).unwrap_or(last);
        // `chat.delete` and `graph.send` have a namespace in front.
        LastSegment { words: words(last.rsplit('.').next().unwrap_or(last)), has_item }
    }
}

#[cfg(test)]
mod tests;
