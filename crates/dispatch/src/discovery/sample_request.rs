//! A request that a person could make of this server, to show how the search is used.
//!
//! A catalog and some of its operations in, a few words out: what a harmless operation about the commonest topic says of itself.

use super::groups::topic;
use super::resource::{Resource, ResourceRole};
use crate::catalog::Catalog;
use aqueduct_operations::category::Category;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::short_text::first_sentence;
use aqueduct_operations::target::Target;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Characters and words of a sample.
const LONGEST: usize = 24;
const MOST_WORDS: usize = 3;

/// What nobody should be led to.
const DELICATE: &[&str] = &["token", "secret", "password", "credential", "key", "session", "payment", "log"];

/// Said where no operation lends itself.
const ANY: &str = "your task in plain words";

/// A request in the words of this server that reads.
pub(crate) fn sample_request(catalog: &Catalog) -> String {
    let reads = |entry: &RegistryEntry| entry.operation.category == Category::Read;
    sample_request_for(catalog, reads).unwrap_or_else(|| ANY.to_owned())
}

/// A request for one of the operations that are admitted: of the commonest topic, in the fewest words.
pub(crate) fn sample_request_for(
    catalog: &Catalog,
    admits: impl Fn(&RegistryEntry) -> bool,
) -> Option<String> {
    let resources = catalog.resources();
    let all = catalog.registry().entries().iter().map(AsRef::as_ref).enumerate();
    let candidates: Vec<(usize, &RegistryEntry)> = all
        .filter(|(index, entry)| {
            let operation = &entry.operation;
            !catalog.decision(*index).is_hidden()
                && operation.required_scopes.is_empty()
                && operation.deprecated.is_none()
                && !matches!(operation.target, Target::BuiltIn(_))
                && admits(entry)
        })
        .collect();
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, entry) in &candidates {
        *counts.entry((&entry.source.name, topic(entry, resources.at(*index)))).or_default() += 1;
    }
    let requests = candidates.iter().filter_map(|(index, entry)| -> Option<_> {
        let resource = resources.at(*index);
        let by_role = || request_of(&spoken(resource)?);
        let by_name = || request_of(&entry.operation.name.replace('_', " "));
        let request = request_of(&entry.operation.description).or_else(by_role).or_else(by_name)?;
        let topic = topic(entry, resource);
        let count = counts[&(entry.source.name.as_str(), topic)];
        let is_plain = !matches!(resource.role, ResourceRole::Get | ResourceRole::Other);
        let is_about_it = is_about(&resource.noun, topic);
        let length = (request.split(' ').count(), request.len());
        Some((Reverse(is_plain), Reverse(is_about_it), Reverse(count), length, *index, request))
    });
    requests.min().map(|(.., request)| request)
}

/// True when the noun is what the topic is named after: `issue` of `Issues`, but not `app` of `repos`.
fn is_about(noun: &str, topic: &str) -> bool {
    let topic = topic.to_lowercase().replace(['-', ' '], "_");
    !noun.is_empty() && (topic.starts_with(noun) || noun.starts_with(topic.trim_end_matches('s')))
}

/// What is done with which things: `list issues`, `create issue`.
fn spoken(resource: &Resource) -> Option<String> {
    let (verb, noun) = (resource.role.verb()?, resource.noun.replace('_', " "));
    Some(match (resource.role, noun.strip_suffix('y')) {
        (ResourceRole::List, Some(stem)) => format!("{verb} {stem}ies"),
        (ResourceRole::List, None) if !noun.ends_with('s') => format!("{verb} {noun}s"),
        _ => format!("{verb} {noun}"),
    })
}

/// A short sentence as a request, if it is one.
fn request_of(description: &str) -> Option<String> {
    let sentence = first_sentence(description, LONGEST + 1);
    let is_plain = sentence.chars().all(|c| c.is_ascii_alphabetic() || c == ' ' || c == '-');
    let request = without_articles(&sentence.to_lowercase());
    let is_harmless =
        !DELICATE.iter().any(|word| request.contains(word)) && !looks_like_a_leak(&format!("{request} x"));
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
