//! Operations as the search reads them.
//!
//! An operation in, a document of texts out: names as their author has them, what is said about it and about its parameters,
//! and the words under which it is to be found.

use aqueduct_operations::category::Category;
use aqueduct_operations::operation::{Example, Operation};
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Target;
use aqueduct_search::{OperationClass, Parameter, SearchDocument};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// The words under which all operations of a source are to be found: its name, tags and triggers. The tags of a document are
/// the topics of its parts: one that operations have themselves says nothing of the others.
pub fn source_words<'s>(source: &'s Source, operations: &[Arc<Operation>]) -> Vec<&'s str> {
    let topics: HashSet<&String> = operations.iter().flat_map(|operation| &operation.tags).collect();
    let tags = source.tags.iter().filter(|tag| !topics.contains(tag)).map(String::as_str);
    let triggers = source.info.get("triggers").and_then(Value::as_array).into_iter().flatten();
    [source.name.as_str()].into_iter().chain(tags).chain(triggers.filter_map(Value::as_str)).collect()
}

/// The texts of an operation. The words of its source are among its tags, so that the name of an API finds its operations.
pub fn document<'o>(operation: &'o Operation, source_words: &[&'o str]) -> SearchDocument<'o> {
    let (method, path) = place(operation);
    let (summary, description) = texts(operation, path.is_empty());
    let name = operation
        .origin
        .as_ref()
        .filter(|origin| !origin.is_unnamed)
        .map_or(&operation.name, |origin| &origin.name);
    let tags = operation.tags.iter().map(String::as_str).chain(source_words.iter().copied());
    SearchDocument {
        name: name.into(),
        method,
        path,
        class: Some(class(operation.category)),
        summary,
        description,
        tags: tags.map(Cow::from).collect(),
        parameters: operation.params.iter().map(parameter).collect(),
        triggers: operation.triggers.iter().map(Cow::from).collect(),
        when_to_use: operation.when_to_use.as_deref().unwrap_or_default().into(),
        examples: operation.examples.iter().filter_map(example).collect(),
        is_deprecated: operation.deprecated.is_some(),
    }
}

/// Method and path, as the document that it was imported from writes them.
fn place(operation: &Operation) -> (Cow<'_, str>, Cow<'_, str>) {
    let Target::Http(target) = &operation.target else { return Default::default() };
    let written = operation.origin.as_ref().and_then(|origin| origin.place.split_once(' '));
    match written.filter(|(method, _)| *method == target.method.name()) {
        Some((method, path)) => (method.into(), path.into()),
        None => (target.method.name().into(), operation.path_text().into()),
    }
}

/// The line that says what it does, and the rest. What a tool says of itself is all one text.
fn texts(operation: &Operation, is_tool: bool) -> (Cow<'_, str>, Cow<'_, str>) {
    if let Some(text) = &operation.document_text {
        return (text.summary.as_str().into(), text.description.as_str().into());
    }
    let whole = operation.description.as_str();
    match whole.split_once(". ").filter(|_| !is_tool) {
        Some((summary, rest)) => (summary.into(), rest.into()),
        None if is_tool => (Cow::default(), whole.into()),
        None => (whole.into(), Cow::default()),
    }
}

fn parameter(param: &Param) -> Parameter<'_> {
    let values = param.shape.allowed.iter().flatten().filter_map(Value::as_str);
    Parameter {
        name: param.name.as_str().into(),
        is_in_path: param.place == ParamLocation::Path,
        values: values.map(Cow::from).collect(),
        description: param.description.as_deref().unwrap_or_default().into(),
    }
}

fn example(example: &Example) -> Option<Cow<'_, str>> {
    example.description.as_deref().map(Cow::from)
}

fn class(category: Category) -> OperationClass {
    match category {
        Category::Create => OperationClass::Create,
        Category::Read => OperationClass::Get,
        Category::Update => OperationClass::Update,
        Category::Delete => OperationClass::Delete,
        Category::Execute => OperationClass::Act,
    }
}
