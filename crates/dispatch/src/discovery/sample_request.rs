//! A request that a person could make of this server, to show how the search is used.
//!
//! A catalog and some of its operations in, a few words out: what a harmless operation about the commonest topic says of itself.

use super::groups::topic;
use super::resource::{Resource, ResourceRole};
use super::task_sent::without_own;
use crate::catalog::Catalog;
use crate::catalog_view::CatalogView;
use aqueduct_operations::category::Category;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_operations::harmless::{is_delicate, is_harmless};
use aqueduct_operations::naming::words;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::short_text::first_sentence;
use aqueduct_operations::target::Target;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Characters and words of a sample.
const LONGEST: usize = 24;
const MOST_WORDS: usize = 3;
/// Characters of a request that is made of a name.
const LONGEST_OF_NAME: usize = 80;

/// Said where no operation lends itself.
const ANY: &str = "your task in plain words";

/// A request in the words of this server that reads.
pub(crate) fn sample_request(view: &CatalogView<'_>) -> String {
    let reads = |entry: &RegistryEntry| entry.operation.category == Category::Read;
    sample_request_for(view, reads).unwrap_or_else(|| ANY.to_owned())
}

/// The words of a name that no operation has, as a request to search with; else any request of this server.
pub(crate) fn request_of_name(catalog: &Catalog, name: &str) -> String {
    let words = without_own(&words(name)).join(" ");
    let is_good = !words.is_empty()
        && words.len() <= LONGEST_OF_NAME
        && words.chars().all(|c| c.is_alphanumeric() || c == ' ')
        && !looks_like_a_leak(&format!("{words} x"));
    if is_good { words } else { catalog.sample_request().to_owned() }
}

/// A request for one of the operations that are admitted, which reads or creates and does no harm: of the commonest topic, in the
/// fewest words.
pub(crate) fn sample_request_for(
    view: &CatalogView<'_>,
    admits: impl Fn(&RegistryEntry) -> bool,
) -> Option<String> {
    let resources = view.catalog().resources();
    let candidates: Vec<(usize, &RegistryEntry)> = view
        .placed()
        .filter(|(index, entry)| {
            let operation = &entry.operation;
            matches!(operation.category, Category::Read | Category::Create)
                && is_harmless(operation)
                && view.is_for_everybody(*index)
                && !matches!(operation.target, Target::BuiltIn(_))
                && admits(entry)
        })
        .collect();
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, entry) in &candidates {
        *counts.entry((&entry.source.name, topic(entry, resources.at(*index)))).or_default() += 1;
    }
    // Nearly all fall behind by what is known without a look at their words.
    let mut ranked: Vec<_> = candidates
        .iter()
        .map(|(index, entry)| {
            let resource = resources.at(*index);
            let topic = topic(entry, resource);
            let is_plain = !matches!(resource.role, ResourceRole::Get | ResourceRole::Other);
            let count = counts[&(entry.source.name.as_str(), topic)];
            ((Reverse(is_plain), Reverse(is_about(&resource.noun, topic)), Reverse(count)), *index, *entry)
        })
        .collect();
    ranked.sort_by_key(|(rank, index, _)| (*rank, *index));
    ranked.chunk_by(|(one, ..), (other, ..)| one == other).find_map(|equals| {
        let requests = equals.iter().filter_map(|(_, index, entry)| {
            let request = request_for(entry, resources.at(*index))?;
            Some(((request.split(' ').count(), request.len()), *index, request))
        });
        requests.min().map(|(.., request)| request)
    })
}

/// What an operation says of itself, else its role, else its name, if one of them is a request.
fn request_for(entry: &RegistryEntry, resource: &Resource) -> Option<String> {
    let by_role = || request_of(&resource_phrase(resource)?);
    let by_name = || request_of(&entry.operation.name.replace('_', " "));
    request_of(&entry.operation.description).or_else(by_role).or_else(by_name)
}

/// True when the noun is what the topic is named after: `issue` of `Issues`, but not `app` of `repos`.
fn is_about(noun: &str, topic: &str) -> bool {
    let topic = topic.to_lowercase().replace(['-', ' '], "_");
    !noun.is_empty() && (topic.starts_with(noun) || noun.starts_with(topic.trim_end_matches('s')))
}

/// What is done with which things: `list issues`, `create issue`.
fn resource_phrase(resource: &Resource) -> Option<String> {
    let (verb, noun) = (resource.role.verb()?, resource.noun.replace('_', " "));
    Some(match resource.role {
        ResourceRole::List => format!("{verb} {}", plural(&noun)),
        _ => format!("{verb} {noun}"),
    })
}

/// Several of a thing: `issues`, `boxes`, `categories`.
fn plural(noun: &str) -> String {
    let ends = |ends: &[&str]| ends.iter().any(|end| noun.ends_with(end));
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ends(&["ss", "x", "z", "ch", "sh", "tus", "ias"]) => format!("{noun}es"),
        _ if noun.ends_with('s') => noun.to_owned(),
        _ => format!("{noun}s"),
    }
}

/// A short sentence as a request, if it is one. A part of a longer one asks for something else.
fn request_of(description: &str) -> Option<String> {
    let sentence = first_sentence(description, description.len());
    let is_plain = sentence.chars().all(|c| c.is_ascii_alphabetic() || c == ' ' || c == '-');
    let request = without_articles(&sentence.to_lowercase());
    let is_harmless = !is_delicate(&request) && !looks_like_a_leak(&format!("{request} x"));
    let is_good = (2..=MOST_WORDS).contains(&request.split(' ').count())
        && sentence.len() <= LONGEST
        && is_plain
        && is_harmless;
    is_good.then_some(request)
}

fn without_articles(request: &str) -> String {
    let words: Vec<&str> =
        request.split(' ').filter(|word| !["a", "an", "the", "one"].contains(word)).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests;
