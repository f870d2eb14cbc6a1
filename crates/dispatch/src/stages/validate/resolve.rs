//! Finds parameter values in a request: in `params` first, then on top level, under aliases, or along declared paths
//! (core specification, sections 4.2 and 4.6.1). Tells what is left over.
//!
//! A value that comes twice: `params` wins over the top level, snake_case over camelCase; where no rule decides, the
//! request contradicts itself.

use crate::object_fields::object_fields;
use crate::stages::envelope::{RequestEnvelope, may_join};
use aqueduct_operations::controls::Control;
use aqueduct_operations::gatekeeper::QUOTA_TOKEN;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::naming::snake_case;
use aqueduct_operations::operation::{Grouping, Operation, RegistryEntry};
use aqueduct_operations::params::Param;
use aqueduct_operations::params::shape::type_name;
use serde_json::{Map, Value};

/// The parameter by which a call goes on after a paused quota (ruling W7).
pub const QUOTA_CONTINUE: &str = "_quota_continue";
/// The confirmation parameter (ruling W7).
pub const TOKEN: &str = "confirmation_token";
/// The other spelling of it.
pub const TOKEN_ALIAS: &str = "_confirmation";
/// Names the agent that makes a call.
const AGENT: &str = "_agent";

/// Where in a request a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestLevel {
    /// Inside `params`.
    Params,
    /// Beside `params`.
    Top,
}

impl RequestLevel {
    /// What a declared path to a name on this level starts with.
    fn prefix(self) -> &'static str {
        match self {
            RequestLevel::Params => "params.",
            RequestLevel::Top => "",
        }
    }
}

/// A request with its names made canonical.
pub struct CanonicalRequest<'a> {
    entry: &'a RegistryEntry,
    params: Map<String, Value>,
    top_level: Map<String, Value>,
    contradicted: Vec<String>,
    overruled: usize,
}

impl<'a> CanonicalRequest<'a> {
    pub fn new(envelope: RequestEnvelope, entry: &'a RegistryEntry) -> CanonicalRequest<'a> {
        let operation = &entry.operation;
        let known = |name: &str| {
            name == TOKEN
                || (name == "input" && operation.grouping == Grouping::Input)
                || operation.outer_params().any(|param| param.name == name || starts_a_source(param, name))
                || operation.input_params().any(|param| param.name == name)
                || Control::named(name, operation).is_some()
        };
        let params = canonical(envelope.params, entry, &known);
        let top_level = canonical(envelope.top_level, entry, &known);
        let doubled = |(key, value): &(&String, &Value)| {
            known(key) && params.map.get(*key).is_some_and(|other| other != *value)
        };
        let overruled = top_level.map.iter().filter(doubled).count() + params.overruled + top_level.overruled;
        let mut contradicted = params.contradicted;
        contradicted.extend(top_level.contradicted);
        CanonicalRequest { entry, params: params.map, top_level: top_level.map, contradicted, overruled }
    }

    /// Removes the confirmation token, unless the operation has a parameter of that name, and the one by which the call goes on after
    /// a paused quota. The latter may come as the former (ruling W7).
    pub fn take_tokens(&mut self) -> (Option<String>, Option<String>) {
        let mut take = |name: &str| {
            let in_params = self.params.remove(name);
            let on_top = self.top_level.remove(name);
            // Anything but text cannot be a token; as text it fails as an unknown one.
            in_params.or(on_top).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let name = token_name(&self.entry.operation);
        let (token, alias, quota) = (take(name), take(TOKEN_ALIAS), take(QUOTA_CONTINUE));
        if token.is_some() && alias.is_some() && token != alias {
            self.contradicted.push(name.to_owned());
        }
        match token.or(alias) {
            Some(token) if token.starts_with(QUOTA_TOKEN) => (None, quota.or(Some(token))),
            token => (token, quota),
        }
    }

    /// Removes the name of the agent that makes the call.
    pub fn take_agent(&mut self) -> Option<String> {
        let (in_params, on_top) = (self.params.remove(AGENT), self.top_level.remove(AGENT));
        // Anything but text is no one's name; as text it is one that no one has.
        in_params.or(on_top).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// Removes the controls of the operation, each with its value; `params` wins over the top level.
    pub fn take_controls(&mut self) -> Vec<(Control, Value)> {
        let operation = &self.entry.operation;
        let mut taken: Vec<(Control, Value)> = Vec::new();
        for place in [&mut self.params, &mut self.top_level] {
            let named = |key: &String| Some((Control::named(key, operation)?, key.clone()));
            let keys: Vec<(Control, String)> = place.keys().filter_map(named).collect();
            for (control, key) in keys {
                let value = place.remove(&key);
                if !taken.iter().any(|(other, _)| *other == control) {
                    taken.extend(value.map(|value| (control, value)));
                }
            }
        }
        taken
    }

    /// Parameters that came under several names with different values, and no rule says which one counts.
    pub fn contradicted(&self) -> &[String] {
        &self.contradicted
    }

    /// How many values were passed over for another one of the same parameter.
    pub fn overruled(&self) -> usize {
        self.overruled
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

    /// Removes the fields of `input` that stand beside it; `params` wins over the top level.
    pub fn take_misplaced(&mut self) -> Vec<(String, Value)> {
        let operation = &self.entry.operation;
        let is_beside = |name: &str| operation.outer_params().any(|param| param.name == name);
        let mut taken: Vec<(String, Value)> = Vec::new();
        for param in operation.input_params().filter(|param| !is_beside(&param.name)) {
            let in_params = self.params.remove(&param.name);
            let on_top = self.top_level.remove(&param.name);
            taken.extend(in_params.or(on_top).map(|value| (param.name.clone(), value)));
        }
        taken
    }

    /// Moves fields that stand beside an `input` which is the whole body into it, as far as its schema names them. Those moved;
    /// what is there already stays.
    pub fn fold_into_whole(&mut self) -> Vec<String> {
        let operation = &self.entry.operation;
        let whole = operation.param("input").filter(|_| operation.grouping == Grouping::WholeInput);
        let Some(schema) = whole.and_then(|param| param.schema.as_ref()) else { return Vec::new() };
        let is_known = |name: &str| operation.param(name).is_some();
        let names: Vec<String> =
            self.unknown_names().map(|(name, _)| name.to_owned()).filter(|name| !is_known(name)).collect();
        if names.is_empty() {
            return names;
        }
        let fields = object_fields(schema.get());
        let is_field = |name: &String| fields.iter().any(|field| field.name == name);
        let mut input = match self.input() {
            None => Map::new(),
            Some(Value::Object(input)) => input,
            Some(_) => return Vec::new(),
        };
        let mut moved = Vec::new();
        for name in names.into_iter().filter(is_field) {
            if input.contains_key(&name) {
                continue;
            }
            let value = self.params.remove(&name).or_else(|| self.top_level.remove(&name));
            if let Some(value) = value {
                input.insert(name.clone(), value);
                moved.push(name);
            }
        }
        if !moved.is_empty() {
            self.params.insert("input".to_owned(), Value::Object(input));
        }
        moved
    }

    /// The value of `input`.
    pub fn input(&self) -> Option<Value> {
        self.params.get("input").or_else(|| self.top_level.get("input")).cloned()
    }

    /// Parses JSON text where a declared path leads through an object (ruling W10). The names of what was parsed.
    pub fn repair_sources(&mut self, limits: &Limits) -> Vec<String> {
        let mut repaired = Vec::new();
        for place in [&mut self.params, &mut self.top_level] {
            for (key, value) in place.iter_mut() {
                let is_through = self.entry.operation.outer_params().any(|param| leads_through(param, key));
                let Value::String(text) = value else { continue };
                if !is_through || !text.trim_start().starts_with('{') {
                    continue;
                }
                if let Ok(parsed @ Value::Object(_)) = serde_json::from_str::<Value>(text)
                    && may_join(&parsed, 3, limits)
                {
                    *value = parsed;
                    repaired.push(key.clone());
                }
            }
        }
        repaired
    }

    /// Values in the way of a declared path: where, and what stands there instead of an object.
    pub fn blocked_sources(&self) -> Vec<(String, &'static str)> {
        let mut blocked: Vec<(String, &'static str)> = Vec::new();
        for path in self.entry.operation.outer_params().flat_map(|param| &param.sources) {
            let steps: Vec<&str> = path.strip_prefix("params.").unwrap_or(path).split('.').collect();
            let root = if path.starts_with("params.") { &self.params } else { &self.top_level };
            let Some(mut value) = root.get(steps[0]) else { continue };
            for (depth, step) in steps.iter().enumerate().skip(1) {
                if !value.is_object() {
                    let place = steps[..depth].join(".");
                    if !blocked.iter().any(|(known, _)| *known == place) {
                        blocked.push((place, type_name(value)));
                    }
                    break;
                }
                let Some(next) = value.get(step) else { break };
                value = next;
            }
        }
        blocked
    }

    /// Keys inside the objects of declared paths that no path explains, such as `filter.other`.
    pub fn unknown_inside_sources(&self) -> Vec<String> {
        let paths: Vec<&String> =
            self.entry.operation.outer_params().flat_map(|param| &param.sources).collect();
        let mut unknown = Vec::new();
        for (prefix, place) in [("params.", &self.params), ("", &self.top_level)] {
            for (key, value) in place {
                let root = format!("{prefix}{key}");
                let is_value = self.entry.operation.outer_params().any(|param| param.name == *key);
                if !is_value && paths.iter().any(|path| path.starts_with(&format!("{root}."))) {
                    unexplained(value, &root, &paths, &mut unknown);
                }
            }
        }
        unknown.iter().map(|path| path.strip_prefix("params.").unwrap_or(path).to_owned()).collect()
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

    /// Names that no parameter explains, and on which level they stand. Keys that start with an underscore are metadata.
    pub fn unknown_names(&self) -> impl Iterator<Item = (&str, RequestLevel)> {
        let in_params = self.params.keys().map(|key| (key, RequestLevel::Params));
        let on_top = self.top_level.keys().filter(|key| !self.params.contains_key(*key));
        in_params
            .chain(on_top.map(|key| (key, RequestLevel::Top)))
            .filter(|(key, level)| !key.starts_with('_') && !self.explains(key, level.prefix()))
            .map(|(key, level)| (key.as_str(), level))
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

/// True when a declared path of the parameter goes on below this key.
fn leads_through(param: &Param, key: &str) -> bool {
    let goes_on = |path: &String| {
        let rest = path.strip_prefix("params.").unwrap_or(path).strip_prefix(key);
        rest.is_some_and(|rest| rest.starts_with('.'))
    };
    param.sources.iter().any(goes_on)
}

/// Collects the keys below a path that neither are nor lead to a declared path.
fn unexplained(value: &Value, path: &str, paths: &[&String], unknown: &mut Vec<String>) {
    let Value::Object(object) = value else { return };
    for (key, inner) in object {
        let here = format!("{path}.{key}");
        if paths.iter().any(|declared| **declared == here) {
            continue;
        }
        if paths.iter().any(|declared| declared.starts_with(&format!("{here}."))) {
            unexplained(inner, &here, paths, unknown);
        } else {
            unknown.push(here);
        }
    }
}

fn starts_a_source(param: &Param, name: &str) -> bool {
    let root = |path: &String| path.strip_prefix("params.").unwrap_or(path).split('.').next() == Some(name);
    param.sources.iter().any(root)
}

/// Names made canonical, and what that took.
pub struct CanonicalNames {
    /// The values by canonical name.
    pub map: Map<String, Value>,
    /// Names with two camelCase spellings that say different things.
    pub contradicted: Vec<String>,
    /// CamelCase spellings that a different value under the proper name has overruled.
    pub overruled: usize,
}

/// Renames camelCase keys whose snake_case form is known. Where both are there, the snake_case one stays.
pub fn canonical(
    map: Map<String, Value>,
    entry: &RegistryEntry,
    known: &dyn Fn(&str) -> bool,
) -> CanonicalNames {
    let mut made = CanonicalNames { map, contradicted: Vec::new(), overruled: 0 };
    let is_alias =
        |name: &str| name.bytes().any(|b| b.is_ascii_uppercase()) && !known(name) && known(&snake_case(name));
    if !entry.source.camel_case_aliases || !made.map.keys().any(|key| is_alias(key)) {
        return made;
    }
    let (aliases, proper): (Map<_, _>, Map<_, _>) =
        std::mem::take(&mut made.map).into_iter().partition(|(key, _)| is_alias(key));
    let mut spelled: Map<String, Value> = Map::new();
    for (key, value) in aliases {
        let name = snake_case(&key);
        match (proper.get(&name), spelled.get(&name)) {
            (Some(stays), _) => made.overruled += usize::from(*stays != value),
            (None, Some(other)) if *other != value => made.contradicted.push(name),
            (None, _) => {
                spelled.insert(name, value);
            }
        }
    }
    made.map = proper;
    made.map.extend(spelled);
    made
}
