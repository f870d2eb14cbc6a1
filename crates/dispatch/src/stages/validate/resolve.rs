//! Finds parameter values in a request: in `params` first, then on top level, under aliases, or along declared paths
//! (core specification, sections 4.2 and 4.6.1). Tells what is left over.

use crate::stages::envelope::Envelope;
use aqueduct_operations::naming::snake_case;
use aqueduct_operations::operation::{Entry, Grouping, Operation};
use aqueduct_operations::params::Param;
use serde_json::{Map, Value};

/// The confirmation parameter; `_confirmation` is the other spelling (ruling W7).
const TOKEN: &str = "confirmation_token";
const TOKEN_ALIAS: &str = "_confirmation";

/// A request with its names made canonical.
pub struct Request<'a> {
    entry: &'a Entry,
    params: Map<String, Value>,
    top_level: Map<String, Value>,
}

impl<'a> Request<'a> {
    pub fn new(envelope: Envelope, entry: &'a Entry) -> Request<'a> {
        let operation = &entry.operation;
        let known = |name: &str| {
            name == TOKEN
                || (name == "input" && operation.grouping == Grouping::Input)
                || operation.outer_params().any(|param| param.name == name || starts_a_source(param, name))
        };
        Request {
            entry,
            params: canonical(envelope.params, entry, &known),
            top_level: canonical(envelope.top_level, entry, &known),
        }
    }

    /// Removes the confirmation token, unless the operation has a parameter of that name.
    pub fn take_token(&mut self) -> Option<String> {
        let mut token = None;
        for name in [token_name(&self.entry.operation), TOKEN_ALIAS] {
            for place in [&mut self.params, &mut self.top_level] {
                if let Some(value) = place.remove(name) {
                    // Anything but text cannot be a token; as text it fails as an unknown one.
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    token.get_or_insert(text);
                }
            }
        }
        token
    }

    /// `_meta.http: true` asks for the HTTP facts (ruling W11).
    pub fn wants_http(&self) -> bool {
        [&self.top_level, &self.params]
            .iter()
            .any(|place| place.get("_meta").and_then(|meta| meta.get("http")) == Some(&Value::Bool(true)))
    }

    /// The value of a parameter, where the request has one: along its declared paths, then under its own name, which
    /// introspection shows and which therefore always works.
    pub fn value_of(&self, param: &Param) -> Option<Value> {
        let along_paths = param.sources.iter().find_map(|path| self.along(path));
        along_paths
            .or_else(|| self.params.get(&param.name))
            .or_else(|| self.top_level.get(&param.name))
            .cloned()
    }

    /// The value of `input`.
    pub fn input(&self) -> Option<Value> {
        self.params.get("input").or_else(|| self.top_level.get("input")).cloned()
    }

    fn along(&self, path: &str) -> Option<&Value> {
        let mut steps = path.split('.');
        let first = steps.next()?;
        let mut value =
            if first == "params" { self.params.get(steps.next()?)? } else { self.top_level.get(first)? };
        for step in steps {
            value = value.get(step)?;
        }
        Some(value)
    }

    /// Names that no parameter explains. Keys that start with an underscore are metadata.
    pub fn unknown_names(&self) -> impl Iterator<Item = &str> {
        let in_params = self.params.keys().map(|key| (key, "params."));
        let on_top = self.top_level.keys().filter(|key| !self.params.contains_key(*key)).map(|key| (key, ""));
        in_params
            .chain(on_top)
            .filter(|(key, place)| !key.starts_with('_') && !self.explains(key, place))
            .map(|(key, _)| key.as_str())
    }

    fn explains(&self, key: &str, place: &str) -> bool {
        let operation = &self.entry.operation;
        if key == "input" && operation.grouping == Grouping::Input {
            return true;
        }
        operation.outer_params().any(|param| {
            let leads_through = |path: &String| {
                let rest = path.strip_prefix(place).and_then(|path| path.strip_prefix(key));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            param.name == key || param.sources.iter().any(leads_through)
        })
    }
}

/// The name under which an operation takes a confirmation token.
pub fn token_name(operation: &Operation) -> &'static str {
    if operation.param(TOKEN).is_some() { TOKEN_ALIAS } else { TOKEN }
}

fn starts_a_source(param: &Param, name: &str) -> bool {
    let root = |path: &String| path.strip_prefix("params.").unwrap_or(path).split('.').next() == Some(name);
    param.sources.iter().any(root)
}

/// Renames camelCase keys whose snake_case form is known. Where both are there, the snake_case one stays.
pub fn canonical(map: Map<String, Value>, entry: &Entry, known: &dyn Fn(&str) -> bool) -> Map<String, Value> {
    let is_alias =
        |name: &str| name.bytes().any(|b| b.is_ascii_uppercase()) && !known(name) && known(&snake_case(name));
    if !entry.source.camel_case_aliases || !map.keys().any(|key| is_alias(key)) {
        return map;
    }
    let mut renamed = Map::new();
    let mut aliases = Vec::new();
    for (key, value) in map {
        if is_alias(&key) {
            aliases.push((snake_case(&key), value));
        } else {
            renamed.insert(key, value);
        }
    }
    for (name, value) in aliases {
        renamed.entry(name).or_insert(value);
    }
    renamed
}
