//! One operation: everything that its file would have to say.
//!
//! An operation in; its keys out, or why it cannot be written. What is so by itself is left out.

mod http;

pub(super) use http::{CommonSettings, auth};

use super::schemas::SharedSchemas;
use super::yaml::{YamlEntries, YamlValue};
use super::{lifecycle, param, response};
use crate::mapping::TOOL;
use crate::path_form;
use crate::returns::{kind_of, made_from};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{self, Danger, DangerLevel, DangerOrigin as Rule, NamePattern};
use aqueduct_operations::example;
use aqueduct_operations::naming::is_list_name;
use aqueduct_operations::operation::{Example, Grouping, Operation};
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::{Deprecation, OmittedFields, UpdateRule};
use aqueduct_operations::target::{AnswerKind, HandlerKind, HttpTarget, Method, Target};
use aqueduct_operations::types::TypeDef;
use serde_json::Value as Json;
use std::collections::HashMap;

/// What all operations of a file share while they are written.
pub(super) struct WriteContext<'s> {
    pub common: &'s CommonSettings,
    pub types: HashMap<&'s str, &'s TypeDef>,
    /// The READ operations by GET, by path without the names of its placeholders.
    pub readers: HashMap<String, Vec<&'s Operation>>,
}

impl<'s> WriteContext<'s> {
    pub(super) fn of(loaded: &'s LoadedSource, common: &'s CommonSettings) -> WriteContext<'s> {
        let mut readers: HashMap<String, Vec<&Operation>> = HashMap::new();
        for operation in loaded.operations.iter().filter(|each| each.category == Category::Read) {
            if let Target::Http(target) = &operation.target
                && target.method == Method::Get
            {
                readers.entry(path_form(&target.path)).or_default().push(operation);
            }
        }
        let types = loaded.source.types.iter().map(|each| (each.name.as_str(), each)).collect();
        WriteContext { common, types, readers }
    }

    /// True when a PUT finds this reader by itself: the only one on its path, which needs nothing but the path and shows
    /// the whole.
    fn is_companion(&self, operation: &Operation, read: &str) -> bool {
        let Target::Http(target) = &operation.target else { return false };
        let Some([reader]) = self.readers.get(&path_form(&target.path)).map(Vec::as_slice) else {
            return false;
        };
        let Target::Http(of_reader) = &reader.target else { return false };
        let is_plain =
            |param: &Param| param.place == ParamLocation::Path || !param.required && param.default.is_none();
        target.method == Method::Put
            && operation.params.iter().any(Param::is_body)
            && reader.name == read
            && !reader.answers.collection
            && of_reader.static_query.is_none()
            && reader.params.iter().all(is_plain)
    }
}

/// The element of its list: the operation with a comment for anyone who reviews the file.
pub(super) fn element(
    operation: &Operation,
    context: &WriteContext<'_>,
    shared: &mut SharedSchemas,
) -> Result<YamlValue, String> {
    shared.operation.clone_from(&operation.name);
    let entries = entries(operation, context, shared)?;
    let block = YamlValue::Block(entries);
    Ok(match operation.origin.as_ref().filter(|origin| origin.needs_review) {
        Some(origin) => {
            let note = format!("Needs review: {} because {}", operation.category.upper(), origin.reason);
            YamlValue::Noted(vec![note], Box::new(block))
        }
        None => block,
    })
}

fn entries(
    operation: &Operation,
    context: &WriteContext<'_>,
    shared: &mut SharedSchemas,
) -> Result<YamlEntries, String> {
    let mut entries = YamlEntries::default();
    entries.json("name", operation.name.as_str());
    let http = match &operation.target {
        Target::Http(target) => Some(target),
        Target::Handler(target) if target.kind == HandlerKind::McpTool => None,
        Target::Handler(_) => return Err("it is code, which a file cannot hold".to_owned()),
        Target::BuiltIn(_) => return Err("this server has it built in".to_owned()),
    };
    let mapping = match http {
        Some(target) => http::mapping(target)?,
        None => tool_mapping(operation),
    };
    entries.json("maps_to", mapping.as_str());
    entries.text("description", &operation.description);
    if let Some(target) = http {
        http::put_address(target, context.common, &mut entries);
    }
    entries.words("tags", &operation.tags);
    entries.words("triggers", &operation.triggers);
    entries.maybe_text("when_to_use", operation.when_to_use.as_deref());
    put_params(operation, http, context, shared, &mut entries);
    if let Some(target) = http {
        entries.map("body", http::body(target, &operation.params, context.common));
    }
    put_grouping(operation, http, &mut entries);
    put_response(operation, http, context, shared, &mut entries);
    entries.words("required_scopes", &operation.required_scopes);
    put_danger(operation, &mut entries);
    entries.unless("non_idempotent", operation.non_idempotent, false);
    if operation.category == Category::Read {
        let by_itself = is_taken_for_a_list(operation, http);
        response::put(operation, &context.types, by_itself, &mut entries);
    }
    put_rules(operation, context, &mut entries);
    put_examples(operation, &mut entries);
    if let Some(origin) = &operation.origin {
        entries.put("imported_from", YamlValue::Map(imported_from(origin, &mapping)));
    }
    Ok(entries)
}

/// The tool by the name that its server knows.
fn tool_mapping(operation: &Operation) -> String {
    let name = operation.origin.as_ref().map_or(operation.name.as_str(), |origin| origin.name.as_str());
    format!("{TOOL} {}", if name.trim().is_empty() { &operation.name } else { name })
}

fn put_params(
    operation: &Operation,
    http: Option<&HttpTarget>,
    context: &WriteContext<'_>,
    shared: &mut SharedSchemas,
    entries: &mut YamlEntries,
) {
    let mut params = YamlEntries::default();
    for param in &operation.params {
        let usual = http.map(|target| match param.place {
            ParamLocation::Path => ParamLocation::Path,
            _ if target.method.has_body() => ParamLocation::Body,
            _ => ParamLocation::Query,
        });
        let definition =
            param::definition(param, usual, &|name: &str| context.types.contains_key(name), shared);
        params.put(&param.name, YamlValue::Map(definition));
    }
    entries.block("params", params);
}

/// How the fields are grouped, when not as a reader would group them.
fn put_grouping(operation: &Operation, http: Option<&HttpTarget>, entries: &mut YamlEntries) {
    let whole = http.and_then(|target| target.whole_body.as_deref());
    let mut body = operation.params.iter().filter(|param| param.is_body());
    let (first, is_alone) = (body.next(), body.next().is_none());
    let is_whole = |only: &Param| {
        only.name == "input" && (only.shape.kind == ValueKind::Object || whole == Some("input"))
    };
    let usual = match first {
        Some(only) if http.is_some() && operation.category == Category::Update => {
            if is_alone && is_whole(only) { Grouping::WholeInput } else { Grouping::Input }
        }
        _ => Grouping::Flat,
    };
    entries.unless("grouping", operation.grouping.name(), usual.name());
}

fn put_response(
    operation: &Operation,
    http: Option<&HttpTarget>,
    context: &WriteContext<'_>,
    shared: &mut SharedSchemas,
    entries: &mut YamlEntries,
) {
    let returns = &operation.returns;
    let mut response = YamlEntries::default();
    if returns.name != made_from(&operation.name) {
        response.text("type", &returns.name);
    }
    let declared = context.types.get(returns.name.as_str()).copied();
    response.unless("kind", returns.kind, kind_of(&returns.name, declared));
    response.maybe_text("description", returns.description.as_deref());
    match http.map(|target| target.answer) {
        Some(AnswerKind::Any) => response.json("content_type", "*/*"),
        Some(AnswerKind::Events) => response.json("content_type", "text/event-stream"),
        Some(AnswerKind::Json) | None => {}
    }
    response.maybe_json("schema", operation.output.as_ref().and_then(|output| shared.in_place(output)));
    entries.map("response", response);
}

fn put_danger(operation: &Operation, entries: &mut YamlEntries) {
    let danger = &operation.danger;
    let Danger { level, origin, reasons, confirmation_message, requires_confirmation, .. } = danger;
    let mut details = YamlEntries::default();
    if !reasons.is_empty() {
        details.put("reasons", YamlValue::List(reasons.iter().cloned().map(YamlValue::Text).collect()));
    }
    details.maybe_text("confirmation_message", confirmation_message.as_deref());
    details.unless("cooldown_seconds", danger.cooldown_seconds, 0);
    details.unless("requires_reauth", danger.requires_reauth, false);
    details.words("audit_context", &danger.audit_context);
    details.unless("hook_blockable", danger.hook_blockable, true);
    let is_short = details.0.is_empty();
    // What name, method and path say comes back by itself.
    let is_delete = matches!(&operation.target, Target::Http(target) if target.method == Method::Delete);
    let is_usual = match origin {
        Rule::Word(_) => true,
        Rule::AdapterPattern(pattern) => {
            NamePattern::parse(pattern).is_ok_and(|pattern| pattern.matches(&operation.name))
        }
        Rule::Method => is_delete && *level == DangerLevel::Destructive,
        _ => danger::undeclared(&operation.name, operation.category) == (*level, origin.clone()),
    };
    if is_short && !is_usual {
        entries.json("danger_level", level.name());
    }
    if !is_short {
        let mut block = YamlEntries::default();
        block.json("level", level.name());
        block.0.append(&mut details.0);
        entries.put("danger", YamlValue::Map(block));
    }
    entries.unless("requires_confirmation", *requires_confirmation, false);
}

fn is_taken_for_a_list(operation: &Operation, http: Option<&HttpTarget>) -> bool {
    let is_json = http.is_none_or(|target| target.answer == AnswerKind::Json);
    let name = operation.returns.name.as_str();
    name == "array" || name.ends_with("[]") || is_json && is_list_name(&operation.name)
}

/// What it reads before it writes, what is kept of its answers, and that it will go away.
fn put_rules(operation: &Operation, context: &WriteContext<'_>, entries: &mut YamlEntries) {
    if operation.category == Category::Update {
        let mut update = YamlEntries::default();
        let UpdateRule { read, merge, if_match, leaves_out } = &operation.update;
        let read = read.as_deref().filter(|read| !context.is_companion(operation, read));
        update.maybe_json("read", read);
        update.unless("merge", *merge, true);
        update.unless("if_match", *if_match, true);
        match leaves_out {
            OmittedFields::Nothing => {}
            OmittedFields::These(names) => update.words("leave_out", names),
            OmittedFields::Undeclared => update.json("declared_only", true),
        }
        entries.map("update", update);
    }
    let mut cache = YamlEntries::default();
    if let Some(rule) = &operation.cache {
        cache.json("enabled", rule.enabled);
        cache.maybe_json("ttl_seconds", rule.ttl.map(|ttl| ttl.as_secs()));
    }
    cache.maybe_json("invalidates", operation.invalidates.as_deref());
    entries.map("cache", cache);
    if let Some(rule) = &operation.lifecycle {
        lifecycle::put(rule, entries);
    }
    if let Some(deprecated) = &operation.deprecated {
        let Deprecation { since, removal_date, replacement } = deprecated;
        let mut block = YamlEntries::default();
        block.maybe_text("since", since.as_deref());
        block.maybe_text("removal_date", removal_date.as_deref());
        block.maybe_text("replacement", replacement.as_deref());
        let piece = if block.0.is_empty() { YamlValue::Json(true.into()) } else { YamlValue::Map(block) };
        entries.put("deprecated", piece);
    }
}

/// Examples that someone wrote; those that are made come back by themselves.
fn put_examples(operation: &Operation, entries: &mut YamlEntries) {
    let made =
        Example { description: None, params: example::minimal(&operation.params, operation.grouping).params };
    if operation.examples == [made] {
        return;
    }
    let written = operation.examples.iter().filter(|example| fits(example, operation)).map(|example| {
        let mut one = YamlEntries::default();
        one.maybe_text("description", example.description.as_deref());
        one.json("params", example.params.clone());
        YamlValue::Map(one)
    });
    let written: Vec<YamlValue> = written.collect();
    if !written.is_empty() {
        entries.put("examples", YamlValue::Blocks(written));
    }
}

/// False when an example of a document does not fit its own schema: a file with it would not load.
fn fits(example: &Example, operation: &Operation) -> bool {
    let input = example.params.get("input").and_then(Json::as_object);
    operation.params.iter().all(|param| {
        let is_inner = operation.grouping == Grouping::Input && param.is_body();
        let values = if is_inner { input } else { Some(&example.params) };
        let value = values.and_then(|values| values.get(&param.name));
        match (value, &param.schema) {
            (Some(value), Some(schema)) => schema.get().accepts(value),
            (None, _) => !param.required,
            (Some(_), None) => true,
        }
    })
}

fn imported_from(origin: &ImportOrigin, mapping: &str) -> YamlEntries {
    let mut entries = YamlEntries::default();
    entries.text("name", &origin.name);
    entries.unless("unnamed", origin.is_unnamed, false);
    if origin.place != mapping {
        entries.text("place", &origin.place);
    }
    if !origin.reason.is_empty() {
        entries.text("reason", &origin.reason);
    }
    entries.unless("confidence", origin.confidence.name(), Confidence::High.name());
    entries.unless("needs_review", origin.needs_review, false);
    entries
}
