//! How many operations there are of each noun: what a server has, in few words.
//!
//! Operations in, groups by source and noun with their counts out, the largest first; and as JSON, as many as there is room for.

use super::resource::{Resource, Resources};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_query::measure;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Groups that are tried where room is left.
const MOST_TRIED: usize = 30;

/// The operations of one noun in one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NounGroup<'c> {
    /// The source.
    pub source: &'c str,
    /// The noun, in the singular.
    pub noun: &'c str,
    /// How many operations there are.
    pub count: usize,
}

/// The groups of these operations by noun, each with its place in the registry; the largest first.
pub(crate) fn groups<'c>(
    operations: impl Iterator<Item = (usize, &'c RegistryEntry)>,
    resources: &'c Resources,
) -> Vec<NounGroup<'c>> {
    grouped(operations.map(|(index, entry)| (entry, resources.at(index).noun.as_str())))
}

/// The groups that these operations are in, those with most of them first, each with the count of all operations in it.
pub(crate) fn near_groups<'c>(
    near: impl Iterator<Item = (usize, &'c RegistryEntry)>,
    all: impl Iterator<Item = (usize, &'c RegistryEntry)>,
    resources: &'c Resources,
) -> Vec<NounGroup<'c>> {
    let (near, all) = (groups(near, resources), groups(all, resources));
    let whole = |group: &NounGroup<'c>| {
        all.iter().find(|each| each.source == group.source && each.noun == group.noun).cloned()
    };
    let mut found: Vec<(usize, NounGroup<'c>)> =
        near.iter().filter_map(|group| Some((group.count, whole(group)?))).collect();
    found.sort_by_key(|(near, group)| Reverse((*near, group.count)));
    found.into_iter().map(|(_, group)| group).collect()
}

/// The groups by topic, which is what an API is about at large: issues, and not the comments on them.
pub(crate) fn topics<'c>(
    operations: impl Iterator<Item = (usize, &'c RegistryEntry)>,
    resources: &'c Resources,
) -> Vec<NounGroup<'c>> {
    grouped(operations.map(|(index, entry)| (entry, topic(entry, resources.at(index)))))
}

/// The topic of an operation: its first tag, else where its path begins, else its noun. A tag with a date or a number in it, such as
/// `Api20100401Account`, is a word of programs: its operation is about its noun.
pub(crate) fn topic<'c>(entry: &'c RegistryEntry, resource: &'c Resource) -> &'c str {
    // Some write a tag below another one: `Albums\\Videos`.
    let tags =
        entry.operation.tags.iter().map(|tag| tag.split(['\\', '/', '>']).next().unwrap_or_default().trim());
    let tag = tags.into_iter().find(|tag| !tag.is_empty());
    if tag.is_some_and(is_of_programs) {
        return &resource.noun;
    }
    let begins = || resource.collection.split('/').find(|segment| !segment.starts_with('{'));
    tag.or_else(begins).unwrap_or(&resource.noun)
}

/// Digits in a row that no word has.
const LONGEST_NUMBER: usize = 3;

fn is_of_programs(tag: &str) -> bool {
    let numbers = tag.split(|c: char| !c.is_ascii_digit());
    numbers.map(str::len).any(|digits| digits > LONGEST_NUMBER)
}

fn grouped<'c>(named: impl Iterator<Item = (&'c RegistryEntry, &'c str)>) -> Vec<NounGroup<'c>> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (entry, noun) in named {
        *counts.entry((&entry.source.name, noun)).or_default() += 1;
    }
    let mut groups: Vec<NounGroup<'c>> =
        counts.into_iter().map(|((source, noun), count)| NounGroup { source, noun, count }).collect();
    groups.sort_by_key(|group| Reverse(group.count));
    groups
}

/// One group of each source in turn, the largest first, so that every source is among the first.
pub(crate) fn by_turns(groups: Vec<NounGroup<'_>>) -> Vec<NounGroup<'_>> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut placed: Vec<(usize, NounGroup<'_>)> = Vec::with_capacity(groups.len());
    for group in groups {
        let turn = seen.entry(group.source).or_default();
        placed.push((*turn, group));
        *turn += 1;
    }
    placed.sort_by_key(|(turn, _)| *turn);
    placed.into_iter().map(|(_, group)| group).collect()
}

/// As many of the first groups as so many tokens have room for: `{"github": {"issue": 54}}`.
pub(crate) fn as_json(groups: &[NounGroup<'_>], budget: u64) -> Option<Value> {
    let mut shown: Map<String, Value> = Map::new();
    for NounGroup { source, noun, count } in groups.iter().take(MOST_TRIED) {
        let mut more = shown.clone();
        let nouns = more.entry((*source).to_owned()).or_insert_with(|| Value::Object(Map::new()));
        nouns[*noun] = (*count).into();
        if measure::tokens(&json!(more).to_string()) <= budget {
            shown = more;
        }
    }
    (!shown.is_empty()).then_some(Value::Object(shown))
}
