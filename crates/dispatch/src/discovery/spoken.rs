//! The optional parameters that a request speaks of, so that they are shown with an operation and others are not.
//!
//! A request and an operation in, parameters out.

use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_search::stems;
use serde_json::Value;
use std::collections::HashSet;

/// More parameters than these are not meant by one request.
const MOST: usize = 6;

/// The optional parameters of which the request has the name or a value. Words that name the operation itself do not count.
pub(crate) fn spoken_of<'o>(request: &str, operation: &'o Operation) -> Vec<&'o Param> {
    let said: HashSet<String> = stems(request).into_iter().collect();
    let mut own: HashSet<String> = stems(&operation.name.replace('_', " ")).into_iter().collect();
    own.extend(stems(&operation.path_text().replace(['/', '{', '}', '_'], " ")));
    let is_said = |text: &str| {
        let words = stems(&text.replace('_', " "));
        !words.is_empty()
            && words.iter().all(|word| said.contains(word))
            && !words.iter().all(|word| own.contains(word))
    };
    let is_meant = |param: &&Param| {
        let mut values = param.shape.allowed.iter().flatten().filter_map(Value::as_str);
        is_said(&param.name) || values.any(is_said)
    };
    let optional = operation.params.iter().filter(|param| !param.required && !param.sensitive);
    optional.filter(is_meant).take(MOST).collect()
}
