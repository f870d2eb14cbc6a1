//! A path item of Swagger 2.0 with its operations: body and form parameters become a `requestBody`, `produces` the
//! content of responses.
//!
//! Parameters and responses are put in place of the references to them, because the words around them change.

use super::super::library::{DocumentSet, PartLocation};
use super::super::references::anchor_references;
use super::{parameter, strings};
use serde_json::{Map, Value, json};

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";
const JSON: &str = "application/json";

/// The path item in the words of OpenAPI 3.
pub(in super::super) fn path_item(library: &DocumentSet, node: &PartLocation) -> Value {
    let Value::Object(mut item) = library.plain(node) else { return library.plain(node) };
    let translator = Translator { library, node };
    let shared = translator.parameters(item.get("parameters"));
    for method in METHODS {
        if let Some(Value::Object(operation)) = item.get_mut(method) {
            translator.operation(operation, &shared);
        }
    }
    if item.contains_key("parameters") {
        let plain = shared.iter().filter_map(Translated::plain).collect();
        item.insert("parameters".to_owned(), Value::Array(plain));
    }
    Value::Object(item)
}

struct Translator<'l> {
    library: &'l DocumentSet,
    node: &'l PartLocation,
}

/// A parameter after its references were followed.
enum Translated {
    Known(Map<String, Value>),
    /// It cannot be understood and stays as it is written.
    Odd(Value),
}

impl Translated {
    fn text(&self, key: &str) -> &str {
        match self {
            Translated::Known(members) => members.get(key).and_then(Value::as_str).unwrap_or_default(),
            Translated::Odd(_) => "",
        }
    }

    fn is_of_body(&self) -> bool {
        matches!(self.text("in"), "body" | "formData")
    }

    fn plain(&self) -> Option<Value> {
        match self {
            Translated::Known(_) if self.is_of_body() => None,
            Translated::Known(members) => Some(parameter::plain(members)),
            Translated::Odd(value) => Some(value.clone()),
        }
    }
}

impl Translator<'_> {
    /// What a value refers to, with its own references still leading to where they led.
    fn here(&self, value: &Value) -> Option<Value> {
        let found = self.library.resolve(value, self.node).ok()?;
        let mut value = found.value.into_owned();
        if found.location.document != self.node.document {
            anchor_references(&mut value, found.location.document);
        }
        Some(value)
    }

    fn parameters(&self, list: Option<&Value>) -> Vec<Translated> {
        let list = list.and_then(Value::as_array).into_iter().flatten();
        list.map(|written| match self.here(written) {
            Some(Value::Object(members)) => Translated::Known(members),
            _ => Translated::Odd(written.clone()),
        })
        .collect()
    }

    /// Media types that the operation, or the whole document, names.
    fn types(&self, operation: &mut Map<String, Value>, key: &str) -> Vec<String> {
        let own = operation.remove(key);
        let list = own.as_ref().or_else(|| self.library.root().get(key));
        strings(list).map(str::to_owned).collect()
    }

    fn operation(&self, operation: &mut Map<String, Value>, shared: &[Translated]) {
        let consumes = self.types(operation, "consumes");
        let produces = self.types(operation, "produces");
        let own = self.parameters(operation.get("parameters"));
        let same = |one: &Translated, other: &Translated| {
            let (kind, other_kind) = (one.text("in"), other.text("in"));
            kind == other_kind && (kind == "body" || one.text("name") == other.text("name"))
        };
        let inherited = shared.iter().filter(|each| !own.iter().any(|own| same(own, each)));
        let of_body: Vec<&Map<String, Value>> = inherited
            .chain(&own)
            .filter(|each| each.is_of_body())
            .filter_map(|each| match each {
                Translated::Known(members) => Some(members),
                Translated::Odd(_) => None,
            })
            .collect();
        if let Some(body) = request_body(&of_body, &consumes) {
            operation.insert("requestBody".to_owned(), body);
        }
        if operation.contains_key("parameters") {
            let plain = own.iter().filter_map(Translated::plain).collect();
            operation.insert("parameters".to_owned(), Value::Array(plain));
        }
        if let Some(Value::Object(responses)) = operation.get_mut("responses") {
            for (_, response) in responses.iter_mut().filter(|(status, _)| !status.starts_with("x-")) {
                if let Some(Value::Object(found)) = self.here(response) {
                    *response = translated_response(found, &produces);
                }
            }
        }
    }
}

fn request_body(of_body: &[&Map<String, Value>], consumes: &[String]) -> Option<Value> {
    let is = |each: &Map<String, Value>, kind: &str| each.get("in").and_then(Value::as_str) == Some(kind);
    if let Some(body) = of_body.iter().find(|each| is(each, "body")) {
        let schema = body.get("schema").cloned().unwrap_or_else(|| json!({}));
        let types = if consumes.is_empty() { vec![JSON.to_owned()] } else { consumes.to_vec() };
        let mut out = Map::new();
        for key in ["description", "required"] {
            if let Some(value) = body.get(key) {
                out.insert(key.to_owned(), value.clone());
            }
        }
        out.insert("content".to_owned(), content(&types, &json!({ "schema": schema })));
        return Some(Value::Object(out));
    }
    let fields: Vec<_> = of_body.iter().filter(|each| is(each, "formData")).copied().collect();
    (!fields.is_empty()).then(|| form(&fields, consumes))
}

fn form(fields: &[&Map<String, Value>], consumes: &[String]) -> Value {
    let (mut properties, mut encoding, mut required) = (Map::new(), Map::new(), Vec::new());
    let mut has_file = false;
    for field in fields {
        let Some(name) = field.get("name").and_then(Value::as_str) else { continue };
        has_file |= field.get("type").and_then(Value::as_str) == Some("file");
        let mut schema = parameter::schema(field);
        if let (Value::Object(schema), Some(description)) = (&mut schema, field.get("description")) {
            schema.insert("description".to_owned(), description.clone());
        }
        properties.insert(name.to_owned(), schema);
        if let Some((style, explode)) = parameter::style(field) {
            encoding.insert(name.to_owned(), json!({"style": style, "explode": explode}));
        }
        if field.get("required") == Some(&Value::Bool(true)) {
            required.push(json!(name));
        }
    }
    let is_form = |each: &&String| each.starts_with(MULTIPART) || (!has_file && each.starts_with(FORM));
    let mut types: Vec<String> = consumes.iter().filter(is_form).cloned().collect();
    if types.is_empty() {
        types.push(if has_file { MULTIPART } else { FORM }.to_owned());
    }
    let any_required = !required.is_empty();
    let mut schema = json!({"type": "object", "properties": properties});
    if any_required {
        schema["required"] = Value::Array(required);
    }
    let mut medium = json!({ "schema": schema });
    if !encoding.is_empty() {
        medium["encoding"] = Value::Object(encoding);
    }
    json!({"required": any_required, "content": content(&types, &medium)})
}

fn translated_response(mut response: Map<String, Value>, produces: &[String]) -> Value {
    response.remove("examples");
    if let Some(schema) = response.remove("schema") {
        let is_file = schema.get("type").and_then(Value::as_str) == Some("file");
        let schema = if is_file { json!({"type": "string", "format": "binary"}) } else { schema };
        let fallback = if is_file { "application/octet-stream" } else { JSON };
        let types = if produces.is_empty() { vec![fallback.to_owned()] } else { produces.to_vec() };
        response.insert("content".to_owned(), content(&types, &json!({ "schema": schema })));
    } else if produces.iter().any(|each| each.starts_with("text/event-stream")) {
        response.insert("content".to_owned(), content(produces, &json!({})));
    }
    if let Some(Value::Object(headers)) = response.get_mut("headers") {
        for header in headers.values_mut() {
            if let Value::Object(members) = header {
                let mut out = json!({ "schema": parameter::schema(members) });
                if let Some(description) = members.get("description") {
                    out["description"] = description.clone();
                }
                *header = out;
            }
        }
    }
    Value::Object(response)
}

fn content(types: &[String], medium: &Value) -> Value {
    Value::Object(types.iter().map(|each| (each.clone(), medium.clone())).collect())
}
