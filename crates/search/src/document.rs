//! What the index is told about an operation.
//!
//! Texts as their source has them; the index cleans and cuts them.

use crate::verbs::OperationClass;
use std::borrow::Cow;

/// One operation as its author describes it. What is not known stays empty.
#[derive(Debug, Clone, Default)]
pub struct SearchDocument<'a> {
    /// The name by which it is called.
    pub name: Cow<'a, str>,
    /// The HTTP method; empty for what is no HTTP request.
    pub method: Cow<'a, str>,
    /// The template of the path, such as `/users/{id}`; empty for what is no HTTP request.
    pub path: Cow<'a, str>,
    /// What the operation does, where there is no method that tells.
    pub class: Option<OperationClass>,
    /// One line.
    pub summary: Cow<'a, str>,
    /// Any number of lines; may have markup.
    pub description: Cow<'a, str>,
    /// Groups that the author put it into.
    pub tags: Vec<Cow<'a, str>>,
    /// Parameters and properties of the body.
    pub parameters: Vec<Parameter<'a>>,
    /// Words by which a person would ask for it.
    pub triggers: Vec<Cow<'a, str>>,
    /// When the author advises to use it.
    pub when_to_use: Cow<'a, str>,
    /// Requests in a person's words.
    pub examples: Vec<Cow<'a, str>>,
    /// Whether its author advises against it.
    pub is_deprecated: bool,
}

/// One parameter.
#[derive(Debug, Clone, Default)]
pub struct Parameter<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Whether it stands in the path, which names it already.
    pub is_in_path: bool,
    /// The values that it may have, if they are few.
    pub values: Vec<Cow<'a, str>>,
    /// What its author says about it.
    pub description: Cow<'a, str>,
}
