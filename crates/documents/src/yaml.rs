//! YAML text into a tree. Anchors, nesting and size are capped, so that a hostile file costs an error and no more.
//!
//! Text in; a tree, or the first syntax error with its place and its remedy, out. Keys are text, whatever they look like.

mod limits;
mod lines;
mod misparsed_lines;
mod mistake;
mod outline;

use super::{Document, DocumentNode, LineColumn, MapEntry, NodeValue, SyntaxProblem, take_repeated};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::{AliasLimits, DuplicateKeyPolicy, NonFiniteFloatPolicy, Options};
use std::fmt;

/// Deeper nesting than this is refused.
const MAX_DEPTH: usize = 48;
/// A file of any size may hold so many values, keys counted.
const MAX_NODES: usize = 2_000_000;
/// A larger one may hold one more for so many bytes: files that programs write have fewer.
const BYTES_FOR_A_NODE: usize = 8;
/// More anchors, or more uses of them, are refused.
const MAX_ANCHORS: usize = 10_000;

/// Reads one YAML document.
pub fn parse(text: &str) -> Result<Document, SyntaxProblem> {
    let root: Spanned<YamlContent> = serde_saphyr::from_str_with_options(text, file_options(text.len()))
        .map_err(|error| problem(text, &error))?;
    let root = node(root);
    misparsed_lines::first(text, &root).map_or_else(|| Ok(take_repeated(root)), Err)
}

fn file_options(size: usize) -> Options {
    let most_nodes = MAX_NODES + size / BYTES_FOR_A_NODE;
    let mut options = options(&YamlLimits {
        depth: MAX_DEPTH,
        nodes: most_nodes,
        // A list or a map is a node with two events.
        events: most_nodes * 5 / 2,
        replayed_events: 100_000,
        replay_depth: 16,
    });
    // The tree keeps both, so that each repetition is reported with its place.
    options.duplicate_keys = DuplicateKeyPolicy::LastWins;
    if let Some(budget) = &mut options.budget {
        (budget.max_aliases, budget.max_anchors) = (MAX_ANCHORS, MAX_ANCHORS);
    }
    options
}

/// What reading a text may cost.
#[derive(Debug, Clone, Copy)]
pub struct YamlLimits {
    /// Levels of nesting.
    pub depth: usize,
    /// Values, keys counted.
    pub nodes: usize,
    /// Events of the parser.
    pub events: usize,
    /// Events that aliases repeat, in all.
    pub replayed_events: usize,
    /// Aliases within aliases.
    pub replay_depth: usize,
}

/// How YAML is read, whatever it is read for: values are those of YAML 1.2, a key stands once, and work is bounded.
pub fn options(limits: &YamlLimits) -> Options {
    let mut aliases = AliasLimits::default();
    aliases.max_total_replayed_events = limits.replayed_events;
    aliases.max_replay_stack_depth = limits.replay_depth;
    serde_saphyr::options! {
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::Error,
        alias_limits: aliases,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_depth: limits.depth,
            flow_nesting_limit: limits.depth,
            max_nodes: limits.nodes,
            max_events: limits.events,
        },
    }
}

fn problem(text: &str, error: &serde_saphyr::Error) -> SyntaxProblem {
    let place = error
        .location()
        .map_or(LineColumn::START, |place| LineColumn::new(narrow(place.line()), narrow(place.column())));
    limits::exceeded(error, place)
        .unwrap_or_else(|| mistake::explain(text, place, &error.without_snippet().to_string()))
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX).max(1)
}

/// A value whose place is held by the `Spanned` around it.
struct YamlContent(NodeValue);

fn node(spanned: Spanned<YamlContent>) -> DocumentNode {
    let LineColumn { line, column } = place(&spanned);
    DocumentNode { value: spanned.value.0, line, column }
}

fn place<T>(spanned: &Spanned<T>) -> LineColumn {
    LineColumn::new(narrow(spanned.referenced.line()), narrow(spanned.referenced.column()))
}

impl<'de> Deserialize<'de> for YamlContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<YamlContent, D::Error> {
        deserializer.deserialize_any(AnyContent)
    }
}

struct AnyContent;

impl<'de> Visitor<'de> for AnyContent {
    type Value = YamlContent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<YamlContent, E> {
        Ok(YamlContent(NodeValue::Null))
    }

    fn visit_none<E>(self) -> Result<YamlContent, E> {
        Ok(YamlContent(NodeValue::Null))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<YamlContent, E> {
        Ok(YamlContent(NodeValue::Bool(flag)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<YamlContent, E> {
        Ok(YamlContent(NodeValue::Integer(number)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<YamlContent, E> {
        Ok(YamlContent(i64::try_from(number).map_or(NodeValue::Float(number as f64), NodeValue::Integer)))
    }

    fn visit_f64<E>(self, number: f64) -> Result<YamlContent, E> {
        Ok(YamlContent(NodeValue::Float(number)))
    }

    fn visit_str<E>(self, text: &str) -> Result<YamlContent, E> {
        Ok(YamlContent(NodeValue::String(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<YamlContent, E> {
        Ok(YamlContent(NodeValue::String(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<YamlContent, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element::<Spanned<YamlContent>>()? {
            elements.push(node(element));
        }
        Ok(YamlContent(NodeValue::List(elements)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<YamlContent, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<Spanned<YamlKey>>()? {
            let LineColumn { line, column } = place(&key);
            let node = node(map.next_value()?);
            entries.push(MapEntry { key: key.value.0, line, column, node });
        }
        Ok(YamlContent(NodeValue::Map(entries)))
    }
}

/// A key as text: `404:` and `true:` are the keys "404" and "true".
pub struct YamlKey(pub String);

impl<'de> Deserialize<'de> for YamlKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<YamlKey, D::Error> {
        deserializer.deserialize_str(KeyText)
    }
}

struct KeyText;

impl Visitor<'_> for KeyText {
    type Value = YamlKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain key")
    }

    fn visit_str<E>(self, text: &str) -> Result<YamlKey, E> {
        Ok(YamlKey(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
