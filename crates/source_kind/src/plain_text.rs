//! The texts of documents and servers as a model may read them: nothing in them that a person would not see.
//!
//! A source in; the same with plain descriptions, tags and documentation out. Names and values stay as they are: they are
//! what the API knows.

use aqueduct_operations::markup::unmarked;
use aqueduct_operations::operation::Declaration;
use aqueduct_operations::params::Param;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::sanitize::plain;
use aqueduct_operations::types::TypeBody;
use serde_json::Value;
use std::borrow::Cow;

/// Makes every text of a source plain.
pub fn make_plain(loaded: &mut LoadedSource) {
    let source = &mut loaded.source;
    [&mut source.description, &mut source.documentation].into_iter().for_each(text);
    source.tags.iter_mut().for_each(text);
    source.info.values_mut().for_each(value);
    for each in &mut source.types {
        each.description.iter_mut().for_each(text);
        each.description.take_if(|text| text.trim().is_empty());
        if let TypeBody::Object(fields) = &mut each.body {
            fields.iter_mut().for_each(param);
        }
    }
    for operation in &mut loaded.operations {
        text(&mut operation.description);
        operation.when_to_use.iter_mut().for_each(text);
        let Declaration { tags, triggers, .. } = &mut operation.declaration;
        tags.iter_mut().chain(triggers).for_each(text);
        operation.returns.description.iter_mut().for_each(text);
        operation.params.iter_mut().for_each(param);
        operation.examples.iter_mut().filter_map(|each| each.description.as_mut()).for_each(text);
        operation.danger.reasons.iter_mut().for_each(text);
        if let Some(deprecated) = &mut operation.deprecated {
            deprecated.since.iter_mut().for_each(text);
        }
    }
}

/// Takes HTML and Markdown out of what a file says of its operations, parameters and types.
pub fn unmark(loaded: &mut LoadedSource) {
    let source = &mut loaded.source;
    words(&mut source.description);
    for each in &mut source.types {
        each.description.iter_mut().for_each(words);
        if let TypeBody::Object(fields) = &mut each.body {
            fields.iter_mut().filter_map(|field| field.description.as_mut()).for_each(words);
        }
    }
    for operation in &mut loaded.operations {
        words(&mut operation.description);
        operation.when_to_use.iter_mut().for_each(words);
        operation.returns.description.iter_mut().for_each(words);
        operation.params.iter_mut().filter_map(|param| param.description.as_mut()).for_each(words);
    }
}

fn words(text: &mut String) {
    if let Cow::Owned(better) = unmarked(text) {
        *text = better;
    }
}

fn param(param: &mut Param) {
    param.description.iter_mut().for_each(text);
    param.description.take_if(|text| text.trim().is_empty());
}

fn text(text: &mut String) {
    if let Cow::Owned(better) = plain(text) {
        *text = better.trim().to_owned();
    }
}

fn value(value: &mut Value) {
    match value {
        Value::String(words) => text(words),
        Value::Array(elements) => elements.iter_mut().for_each(self::value),
        Value::Object(members) => members.values_mut().for_each(self::value),
        _ => {}
    }
}
