//! An operation as introspection describes it, read leniently: what is wrong about the description is found elsewhere.
//!
//! `data.operation` of an answer in, what requests are made from out.

use serde_json::{Map, Value};

/// An operation.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// Its name.
    pub name: String,
    /// CREATE, READ, UPDATE, DELETE or EXECUTE.
    pub category: String,
    /// The family.
    pub endpoint: String,
    /// The tool.
    pub tool: String,
    /// It changes nothing.
    pub is_read_only: bool,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Parameters of its examples.
    pub examples: Vec<Map<String, Value>>,
    /// The description, as it came.
    pub raw: Value,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    /// Its name.
    pub name: String,
    /// The type, as it is written.
    pub kind: String,
    /// It cannot be left out.
    pub is_required: bool,
    /// What it is when it is left out.
    pub default: Option<Value>,
    /// The description, as it came.
    pub raw: Value,
}

impl Operation {
    /// Reads `data.operation`; nothing when there is no name.
    pub fn read(raw: &Value) -> Option<Operation> {
        let text = |key: &str| raw[key].as_str().unwrap_or_default().to_owned();
        let list = |key: &str| raw[key].as_array().map(Vec::as_slice).unwrap_or_default();
        Some(Operation {
            name: raw["name"].as_str()?.to_owned(),
            category: text("semantic_category"),
            endpoint: text("endpoint"),
            tool: text("mcpTool"),
            is_read_only: raw["permissions"]["readOnly"] == true,
            parameters: list("parameters").iter().filter_map(Parameter::read).collect(),
            examples: list("examples").iter().filter_map(example_params).collect(),
            raw: raw.clone(),
        })
    }

    /// It may be called by anyone who is not allowed to change anything.
    pub fn is_safe(&self) -> bool {
        self.category == "READ" && self.is_read_only
    }

    /// The parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The parameters that cannot be left out.
    pub fn required(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.is_required)
    }

    /// Introspection itself.
    pub fn is_introspection(&self) -> bool {
        self.name == "introspect"
    }

    /// Its verb and its noun, without the name of a source before them: `shop__get_books` is `get` and `book`.
    pub fn words(&self) -> (&str, String) {
        let bare = self.name.rsplit("__").next().unwrap_or(&self.name);
        let (verb, noun) = bare.split_once('_').unwrap_or((bare, ""));
        let noun = noun.strip_suffix("_by_id").unwrap_or(noun);
        (verb, noun.strip_suffix('s').unwrap_or(noun).to_owned())
    }

    /// The name of the source before its own name.
    pub fn source(&self) -> &str {
        self.name.rsplit_once("__").map_or("", |(source, _)| source)
    }
}

impl Parameter {
    fn read(raw: &Value) -> Option<Parameter> {
        Some(Parameter {
            name: raw["name"].as_str()?.to_owned(),
            kind: raw["type"].as_str().unwrap_or_default().to_owned(),
            is_required: raw["required"] == true,
            default: raw.get("default").cloned(),
            raw: raw.clone(),
        })
    }

    /// The values that it may have.
    pub fn allowed(&self) -> &[Value] {
        self.raw["enum"].as_array().map(Vec::as_slice).unwrap_or_default()
    }
}

/// The parameters of an example: those in `params`, and those beside it.
fn example_params(example: &Value) -> Option<Map<String, Value>> {
    let request = example["request"].as_object()?;
    let mut params: Map<String, Value> = request
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "operation" | "params"))
        .map(owned)
        .collect();
    params.extend(request.get("params").and_then(Value::as_object).into_iter().flatten().map(owned));
    Some(params)
}

fn owned((key, value): (&String, &Value)) -> (String, Value) {
    (key.clone(), value.clone())
}
