//! How much harm an operation can do: the level, where it came from, and how it is worked out (danger-level document).
//!
//! A declared level wins; else the name's pattern; else the category's default. Words of money and of no return are at least
//! destructive on anything that is no READ (ruling S2).

use crate::category::Category;
use crate::category::effect::{final_word_in, final_words_at_end, final_words_in};
use crate::exposure::glob::{BadGlob, Glob};
use crate::named_enum::named_enum;
use serde::Serialize;
use std::sync::Arc;

named_enum! {
    /// Five levels, mildest first.
    #[derive(PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DangerLevel {
        /// Reads only.
        Safe = "safe",
        /// Changes one thing, usually undoable.
        Reversible = "reversible",
        /// Deletes or overwrites.
        Destructive = "destructive",
        /// Bulk work, or work that bypasses checks.
        Dangerous = "dangerous",
        /// Catastrophic.
        Forbidden = "forbidden",
    }
}

impl DangerLevel {
    /// The level as a number from 0 to 4.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The level of a number; the worst for one that is none.
    pub fn of_number(number: i64) -> DangerLevel {
        let level = usize::try_from(number).ok().and_then(|index| DangerLevel::ALL.get(index));
        level.copied().unwrap_or(DangerLevel::Forbidden)
    }
}

/// Which rule gave an operation its level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DangerOrigin {
    /// The adapter file says so.
    Declared,
    /// The operation's name matches this pattern.
    Pattern(&'static str),
    /// The operation's name matches this pattern, which its adapter brings along.
    AdapterPattern(Arc<str>),
    /// The default of its category.
    Category,
    /// Its method and its name, which say more than the category that it is given.
    Method,
    /// A word of money or of no return, in its name or at the end of its path.
    Word(&'static str),
}

/// An operation's danger, as the gatekeeper needs it.
#[derive(Debug, Clone)]
pub struct Danger {
    /// The effective level.
    pub level: DangerLevel,
    /// Which rule gave the level.
    pub origin: DangerOrigin,
    /// Why, for the person who confirms.
    pub reasons: Vec<String>,
    /// What to ask, with `{param}` slots filled from the request.
    pub confirmation_message: Option<String>,
    /// Asks for a confirmation whatever the level.
    pub requires_confirmation: bool,
    /// The least time between a token and its use.
    pub cooldown_seconds: u64,
    /// The person who confirms it signs in for it, as the operator does: no token and no answer through a client will do.
    pub requires_reauth: bool,
    /// Parameters whose values its author wants in the audit; none of them is sensitive.
    pub audit_context: Vec<String>,
    /// Its author lets hooks stop it. No hook of this server stops anything: they are told.
    pub hook_blockable: bool,
}

const DANGEROUS: &[&str] =
    &["force_*", "*_permanently", "bulk_delete*", "override_*", "bypass_*", "*_without_backup", "purge_*"];
const FORBIDDEN: &[&str] =
    &["drop_*", "delete_all*", "truncate_*", "reset_*", "destroy_*", "wipe_*", "*_production"];

/// The level of an operation that declares none.
pub fn undeclared(name: &str, category: Category) -> (DangerLevel, DangerOrigin) {
    if category != Category::Read {
        for (level, patterns) in [(DangerLevel::Forbidden, FORBIDDEN), (DangerLevel::Dangerous, DANGEROUS)] {
            if let Some(pattern) = patterns.iter().find(|p| matches_at_underscore(p, name)) {
                return (level, DangerOrigin::Pattern(pattern));
            }
        }
    }
    match final_word_in(name) {
        Some(word) if category != Category::Read && by_category(category) < DangerLevel::Destructive => {
            (DangerLevel::Destructive, DangerOrigin::Word(word))
        }
        _ => (by_category(category), DangerOrigin::Category),
    }
}

/// The word of money or of no return that makes an operation at least destructive. A plain READ only names it.
pub fn final_word(names: &[&str], path: &str, category: Category) -> Option<&'static str> {
    if category == Category::Read {
        return None;
    }
    // The word that an author may declare harmless hides no other.
    let found = || names.iter().flat_map(|name| final_words_in(name)).chain(final_words_at_end(path));
    found().find(|word| *word != MAY_BE_DECLARED).or_else(|| found().next())
}

/// The one word of these that an author may call harmless: the danger-level document has `force_sync` declared safe.
const MAY_BE_DECLARED: &str = "force";

impl Danger {
    /// A danger without further words.
    pub fn new(level: DangerLevel, origin: DangerOrigin) -> Danger {
        Danger {
            level,
            origin,
            reasons: Vec::new(),
            confirmation_message: None,
            requires_confirmation: false,
            cooldown_seconds: 0,
            requires_reauth: false,
            audit_context: Vec::new(),
            hook_blockable: true,
        }
    }

    /// That of an operation of which nothing is declared but its name and its category.
    pub fn undeclared(name: &str, category: Category) -> Danger {
        let (level, origin) = undeclared(name, category);
        Danger::new(level, origin)
    }

    /// Raises the level to that of such a word, over what the author declares.
    pub fn raise_to_word(&mut self, word: Option<&'static str>) {
        let is_declared = self.origin == DangerOrigin::Declared;
        let word = word.filter(|word| !(is_declared && *word == MAY_BE_DECLARED));
        if let Some(word) = word.filter(|_| self.level < DangerLevel::Destructive) {
            (self.level, self.origin) = (DangerLevel::Destructive, DangerOrigin::Word(word));
        }
    }

    /// Raises the level to that of a pattern of the adapter's own.
    pub fn raise_to_pattern(&mut self, level: DangerLevel, pattern: &NamePattern) {
        if self.level < level {
            (self.level, self.origin) = (level, DangerOrigin::AdapterPattern(Arc::clone(&pattern.text)));
        }
    }

    /// Raises the level to what method and name make of the operation, over what the author declares.
    pub fn raise_to_floor(&mut self, level: DangerLevel) {
        if self.level < level {
            (self.level, self.origin) = (level, DangerOrigin::Method);
        }
    }
}

/// A pattern that an adapter brings along. With a star it matches as ours do: from one underscore of a name to another.
#[derive(Debug, Clone)]
pub struct NamePattern {
    text: Arc<str>,
    glob: Option<Glob>,
}

impl NamePattern {
    /// Reads a pattern: `ship_*`, `*_all`, or a whole name.
    pub fn parse(text: &str) -> Result<NamePattern, BadGlob> {
        Glob::parse(text)?;
        let glob = text.contains('*').then(|| Glob::of_text(&format!("*_{text}_*")));
        Ok(NamePattern { text: text.into(), glob })
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True for names that the pattern means.
    pub fn matches(&self, name: &str) -> bool {
        match &self.glob {
            Some(glob) => glob.matches(&format!("_{name}_")),
            None => *self.text == *name,
        }
    }
}

fn by_category(category: Category) -> DangerLevel {
    match category {
        Category::Read => DangerLevel::Safe,
        Category::Create | Category::Update | Category::Execute => DangerLevel::Reversible,
        Category::Delete => DangerLevel::Destructive,
    }
}

/// Matches a one-star pattern starting and ending at any underscore boundary of the name, so that
/// `force_delete_all` meets `delete_all*`.
fn matches_at_underscore(pattern: &str, name: &str) -> bool {
    if let Some(tail) = pattern.strip_prefix('*') {
        let word = tail.trim_start_matches('_');
        return words_from_each_start(name).skip(1).any(|rest| starts_with_words(rest, word));
    }
    let head = pattern.trim_end_matches('*');
    let needs_more = head.ends_with('_');
    let word = head.trim_end_matches('_');
    words_from_each_start(name)
        .any(|rest| starts_with_words(rest, word) && (!needs_more || rest.len() > word.len()))
}

fn words_from_each_start(name: &str) -> impl Iterator<Item = &str> {
    std::iter::once(name).chain(name.match_indices('_').map(|(i, _)| &name[i + 1..]))
}

fn starts_with_words(rest: &str, words: &str) -> bool {
    rest.strip_prefix(words).is_some_and(|after| after.is_empty() || after.starts_with('_'))
}

#[cfg(test)]
mod tests;
