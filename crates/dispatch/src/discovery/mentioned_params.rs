//! The optional parameters that a request speaks of, so that they are shown with an operation and others are not.
//!
//! A request and an operation in, parameters out.

use super::stated_values::{amount_said, stem};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_search::stems;
use serde_json::Value;
use std::collections::HashSet;

/// More parameters than these are not meant by one request.
const MOST: usize = 6;
/// How a parameter is written, not what it is about: people speak of a price, names of `price_cents`.
const UNITS: &[&str] =
    &["cents", "id", "ids", "at", "url", "usd", "eur", "seconds", "minutes", "days", "ms", "bytes"];

/// The optional parameters of which the request has the name or a value. Words that name the operation itself do not count.
pub(crate) fn mentioned_params<'o>(request: &str, operation: &'o Operation) -> Vec<&'o Param> {
    let mut request_words: HashSet<String> = stems(request).into_iter().collect();
    request_words.extend(request.split_whitespace().map(str::to_lowercase));
    let mut own: HashSet<String> = stems(&operation.name.replace('_', " ")).into_iter().collect();
    own.extend(stems(&operation.path_text().replace(['/', '{', '}', '_'], " ")));
    let is_said = |text: &str| {
        // Words that say little count as they are: a page is not meant by `per_page`.
        let words: Vec<String> =
            text.split(['_', ' ', '-']).filter(|word| !word.is_empty()).map(stem).collect();
        !words.is_empty()
            && words.iter().all(|word| request_words.contains(word))
            && !words.iter().all(|word| own.contains(word))
    };
    let is_meant = |param: &&Param| {
        let mut values = param.shape.allowed.iter().flatten().filter_map(Value::as_str);
        is_said(&without_unit(&param.name)) || values.any(is_said)
    };
    let optional = operation.params.iter().filter(|param| !param.required && !param.sensitive);
    let optional: Vec<&Param> = optional.collect();
    let of_money = amount_said(request, &optional);
    let candidates = optional.iter().copied().filter(is_meant).chain(of_money);
    let mut mentioned: Vec<&Param> = Vec::new();
    for param in candidates {
        if mentioned.len() < MOST && !mentioned.iter().any(|each| each.name == param.name) {
            mentioned.push(param);
        }
    }
    mentioned
}

fn without_unit(name: &str) -> String {
    let words: Vec<&str> = name.split('_').collect();
    match words.split_last() {
        Some((last, before)) if !before.is_empty() && UNITS.contains(last) => before.join("_"),
        _ => name.to_owned(),
    }
}
