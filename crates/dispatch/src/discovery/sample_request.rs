//! A request that a person could make of this server, to show how the search is used.
//!
//! A catalog in, a few words out: what a harmless operation of the commonest noun says of itself.

use super::groups::{NounGroup, groups};
use super::resource::ResourceRole;
use crate::catalog::Catalog;
use aqueduct_operations::category::Category;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_operations::short_text::first_sentence;
use aqueduct_operations::target::Target;

/// Characters and words of a sample.
const LONGEST: usize = 40;
const MOST_WORDS: usize = 5;

/// What nobody should be led to.
const DELICATE: &[&str] = &["token", "secret", "password", "credential", "key", "session", "payment", "log"];

/// Said where no operation lends itself.
const ANY: &str = "your task in plain words";

/// A request in the words of this server.
pub(crate) fn sample_request(catalog: &Catalog) -> String {
    let resources = catalog.resources();
    let readable = || {
        let all = catalog.registry().entries().iter().map(AsRef::as_ref).enumerate();
        all.filter(|(index, entry)| {
            let operation = &entry.operation;
            !catalog.decision(*index).is_hidden()
                && operation.category == Category::Read
                && operation.required_scopes.is_empty()
                && operation.deprecated.is_none()
                && !matches!(operation.target, Target::BuiltIn(_))
        })
    };
    let said = |group: &NounGroup<'_>| {
        let of_group = readable().filter(|(index, entry)| {
            resources.at(*index).noun == group.noun && entry.source.name == group.source
        });
        let lists_first = |(index, _): &(usize, _)| resources.at(*index).role != ResourceRole::List;
        let mut of_group: Vec<_> = of_group.collect();
        of_group.sort_by_key(lists_first);
        let described = of_group.iter().find_map(|(_, entry)| request_of(&entry.operation.description));
        described.or_else(|| {
            of_group.iter().find_map(|(_, entry)| request_of(&entry.operation.name.replace('_', " ")))
        })
    };
    groups(readable(), resources).iter().find_map(said).unwrap_or_else(|| ANY.to_owned())
}

/// A short sentence as a request, if it is one.
fn request_of(description: &str) -> Option<String> {
    let sentence = first_sentence(description, LONGEST + 1);
    let words = sentence.split(' ').count();
    let is_plain = sentence.chars().all(|c| c.is_ascii_alphabetic() || c == ' ' || c == '-');
    let request = sentence.to_lowercase();
    let is_harmless =
        !DELICATE.iter().any(|word| request.contains(word)) && !looks_like_a_leak(&format!("{request} x"));
    let is_good = (2..=MOST_WORDS).contains(&words) && sentence.len() <= LONGEST && is_plain && is_harmless;
    is_good.then_some(request)
}
