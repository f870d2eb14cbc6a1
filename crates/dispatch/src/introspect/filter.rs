//! Which operations a list or a search is about: of one category, one source, one tag.
//!
//! Checked values of a request and a catalog in; a filter out, or what is unknown with the closest and the known words.

use crate::catalog_view::CatalogView;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::suggest::nearest;
use serde_json::{Map, Value};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The chosen operations; all of them when nothing is set.
#[derive(Debug, Default)]
pub struct ListingFilter<'v> {
    category: Option<Category>,
    source: Option<&'v str>,
    tag: Option<&'v str>,
    /// The sources in which the tag is a topic: operations have it themselves, and it says nothing of the others there.
    topic_of: Vec<String>,
}

/// A word that nothing is called by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// What it should be: `source`, `tag` or `category`.
    pub what: &'static str,
    /// The word.
    pub word: String,
    /// The closest known one.
    pub closest: Option<String>,
    /// The known ones, the commonest first.
    pub known: Vec<String>,
}

impl<'v> ListingFilter<'v> {
    /// Reads what a request wants.
    pub fn of(
        values: &'v Map<String, Value>,
        view: &CatalogView<'_>,
    ) -> Result<ListingFilter<'v>, UnknownWord> {
        let text = |key: &str| values.get(key).and_then(Value::as_str);
        let category = text("category").map(category).transpose()?;
        let mut filter = ListingFilter { category, ..ListingFilter::default() };
        if let Some(source) = text("source") {
            filter.source = Some(known("source", source, source_names(view))?);
        }
        if let Some(tag) = text("tag") {
            filter.tag = Some(known("tag", tag, tags(view))?);
            let has_it = |entry: &&RegistryEntry| has_tag(&entry.operation.tags, tag);
            filter.topic_of = view.visible().filter(has_it).map(|entry| entry.source.name.clone()).collect();
            filter.topic_of.dedup();
        }
        Ok(filter)
    }

    /// True when nothing is set.
    pub fn is_open(&self) -> bool {
        self.category.is_none() && self.source.is_none() && self.tag.is_none()
    }

    /// True for an operation that is meant.
    pub fn admits(&self, entry: &RegistryEntry) -> bool {
        self.category.is_none_or(|category| entry.operation.category == category)
            && self.source.is_none_or(|source| is_same(source, &entry.source.name))
            && self.tag.is_none_or(|tag| self.is_tagged(entry, tag))
    }

    /// True for an operation that has the tag itself, or by its source.
    fn is_tagged(&self, entry: &RegistryEntry, tag: &str) -> bool {
        has_tag(&entry.operation.tags, tag)
            || has_tag(&entry.source.tags, tag) && !self.topic_of.contains(&entry.source.name)
    }
}

fn category(word: &str) -> Result<Category, UnknownWord> {
    let names = Category::ALL.map(Category::upper);
    Category::parse(word).ok_or_else(|| unknown("category", word, names.map(str::to_owned).to_vec()))
}

/// The word, if something is called so.
fn known<'v>(what: &'static str, word: &'v str, all: Vec<&str>) -> Result<&'v str, UnknownWord> {
    if all.iter().any(|each| is_same(word, each)) {
        return Ok(word);
    }
    Err(unknown(what, word, all.into_iter().map(str::to_owned).collect()))
}

fn unknown(what: &'static str, word: &str, known: Vec<String>) -> UnknownWord {
    let closest = nearest(&word.to_lowercase(), known.iter().map(String::as_str), 1)
        .first()
        .map(|near| (*near).to_owned());
    UnknownWord { what, word: word.to_owned(), closest, known }
}

/// Names are the same in any letter case, and with either of the signs that join words.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |c: char| if c == '_' { '-' } else { c.to_ascii_lowercase() };
    one.chars().map(plain).eq(other.chars().map(plain))
}

fn source_names<'c>(view: &CatalogView<'c>) -> Vec<&'c str> {
    view.sources().into_iter().map(|source| source.name.as_str()).collect()
}

fn has_tag(tags: &[String], tag: &str) -> bool {
    tags.iter().any(|each| is_same(tag, each))
}

/// Every tag that chooses something, by how many operations it chooses.
fn tags<'c>(view: &CatalogView<'c>) -> Vec<&'c str> {
    let of_operations =
        || view.visible().flat_map(|entry| entry.operation.tags.iter().map(move |tag| (entry, tag)));
    let topics: HashSet<(&str, &String)> =
        of_operations().map(|(entry, tag)| (entry.source.name.as_str(), tag)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, tag) in of_operations() {
        *counts.entry(tag).or_default() += 1;
    }
    for entry in view.visible() {
        let is_topic = |tag: &&String| topics.contains(&(entry.source.name.as_str(), *tag));
        for tag in entry.source.tags.iter().filter(|tag| !is_topic(tag)) {
            *counts.entry(tag).or_default() += 1;
        }
    }
    let mut tags: Vec<(&str, usize)> = counts.into_iter().collect();
    tags.sort_by_key(|(tag, count)| (Reverse(*count), *tag));
    tags.into_iter().map(|(tag, _)| tag).collect()
}
