//! The head of a file: what the adapter says of itself, its target, trust, types and links.
//!
//! A source in; the keys before and after its operations out.

use super::operation::{CommonSettings, auth};
use super::param::field;
use super::response::presets;
use super::yaml::{YamlEntries, YamlValue};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::naming::is_adapter_name;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::{FieldPath, Relationship, RelationshipOperation};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::BodyFormat;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_operations::types::{TypeBody, TypeDef};
use aqueduct_source_kind::connection::AdapterTarget;
use serde_json::{Map, Value as Json};
use std::collections::HashSet;
use std::time::Duration;

/// The usual wait and the usual number of further attempts.
const TIMEOUT_MS: u64 = 30_000;
const RETRIES: u32 = 2;

/// Everything that stands before the operations.
pub(super) fn head(
    loaded: &LoadedSource,
    common: &CommonSettings,
    target: Option<&AdapterTarget>,
) -> YamlEntries {
    let source = &loaded.source;
    let mut entries = YamlEntries::default();
    entries.json("name", adapter_name(&source.name));
    entries.json("type", "adapter");
    entries.json("version", source.version.as_str());
    let description = source.description.trim();
    entries.text(
        "description",
        if description.is_empty() { "An API without a description" } else { description },
    );
    for key in ["author", "created", "modified"] {
        entries.maybe_text(key, source.info.get(key).and_then(Json::as_str));
    }
    let triggers: Vec<&str> = texts(&source.info, "triggers");
    entries.words("tags", source.tags.iter().map(String::as_str));
    entries.words("triggers", triggers.iter().copied());
    entries.maybe_text("when_to_use", source.info.get("when_to_use").and_then(Json::as_str));
    match target {
        Some(AdapterTarget { keys, auth, timeout, .. }) => {
            let mut target = YamlEntries::of(keys);
            put_timeout(*timeout, &mut target);
            entries.put("target", YamlValue::Block(target));
            put_auth(auth, &mut entries);
        }
        None => put_api(common, &mut entries),
    }
    entries.put("trust", YamlValue::Map(trust(loaded)));
    entries.maybe_json("danger_patterns", source.info.get("danger_patterns").cloned());
    entries.unless("concurrency", source.concurrency.name(), Concurrency::default().name());
    let mut compat = YamlEntries::default();
    compat.unless("camel_case", source.camel_case_aliases, true);
    entries.map("compat", compat);
    let mut cache = YamlEntries::default();
    cache.unless("enabled", source.cache.enabled, true);
    cache.maybe_json("ttl_seconds", source.cache.ttl.map(|ttl| ttl.as_secs()));
    entries.map("cache", cache);
    entries.maybe_json("rate_limits", source.rate_limits.as_deref().map(super::rate_limits::written));
    entries.maybe_json("safety", source.autonomy.as_ref().map(super::safety::written));
    put_errors(source, &mut entries);
    put_types(&source.types, &mut entries);
    put_relationships(source, &mut entries);
    entries
}

/// The name itself, or what is left of it in the letters that names are made of.
fn adapter_name(name: &str) -> String {
    if is_adapter_name(name) {
        return name.to_owned();
    }
    let plain: String = name
        .to_ascii_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(60)
        .collect();
    let plain = plain.trim_matches('-').trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    if is_adapter_name(plain) { plain.to_owned() } else { "api".to_owned() }
}

fn texts<'i>(info: &'i Map<String, Json>, key: &str) -> Vec<&'i str> {
    info.get(key).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect()
}

fn put_api(common: &CommonSettings, entries: &mut YamlEntries) {
    let mut target = YamlEntries::default();
    let site = common.site.as_deref();
    target.json("base_url", site.map_or("https://api.invalid", |site| site.base_url.as_str()));
    target.json("transport", "http");
    target.json("protocol", "rest");
    target.json("serialization", if common.body == BodyFormat::Form { "form" } else { "json" });
    if let Some(site) = site {
        let mut headers = YamlEntries::default();
        site.headers.iter().for_each(|(name, value)| headers.json(name, value.as_str()));
        target.map("headers", headers);
        put_timeout(site.timeout, &mut target);
        target.unless("retries", site.retries.min(5), RETRIES);
    }
    entries.put("target", YamlValue::Block(target));
    put_auth(site.map_or(&Auth::None, |site| &site.auth), entries);
}

/// The longest wait for one attempt.
fn put_timeout(timeout: Duration, target: &mut YamlEntries) {
    let timeout = u64::try_from(timeout.as_millis()).unwrap_or(600_000).clamp(1, 600_000);
    target.unless("timeout_ms", timeout, TIMEOUT_MS);
}

fn put_auth(operation_entries: &Auth, entries: &mut YamlEntries) {
    if *operation_entries != Auth::None {
        entries.put("auth", YamlValue::Map(auth(operation_entries)));
    }
}

/// The level in force, and what else the author says of it.
fn trust(loaded: &LoadedSource) -> YamlEntries {
    let LoadedSource { source, operations } = loaded;
    let mut entries = YamlEntries::default();
    entries.json("level", source.trust.name());
    let declared = source.info.get("trust").and_then(Json::as_object);
    let claimed = declared
        .and_then(|declared| declared.get("level"))
        .and_then(Json::as_str)
        .and_then(TrustLevel::parse);
    // What led to another level is not the history of this one.
    let left_out: &[&str] = if claimed == Some(source.trust) { &[] } else { OF_THE_LEVEL };
    for (key, value) in declared.into_iter().flatten() {
        if !["level", OVERRIDES].contains(&key.as_str()) && !left_out.contains(&key.as_str()) {
            entries.json(key, value.clone());
        }
    }
    let overrides = declared.and_then(|declared| declared.get(OVERRIDES)).and_then(Json::as_object);
    let mut written = YamlEntries::default();
    let mut lowered: Vec<_> = operations.iter().filter_map(|each| Some((each, each.trust?))).collect();
    lowered.sort_by_key(|(operation, _)| operation.name.as_str());
    for (operation, level) in lowered {
        let declared = overrides.and_then(|overrides| overrides.get(&operation.name));
        let mut one = YamlEntries::default();
        one.json("level", level.name());
        one.maybe_text("reason", declared.and_then(|declared| declared.get("reason")).and_then(Json::as_str));
        written.put(&operation.name, YamlValue::Map(one));
    }
    entries.map(OVERRIDES, written);
    entries
}

const OVERRIDES: &str = "operation_overrides";
const OF_THE_LEVEL: &[&str] =
    &["promoted_from", "promotion_history", "certification", "composite", "components", "effective_level"];

fn put_errors(source: &Source, entries: &mut YamlEntries) {
    let mut errors = YamlEntries::default();
    for rule in &source.error_rules {
        let mut one = YamlEntries::default();
        one.json("code", rule.code.name());
        one.maybe_text("message_template", rule.message_template.as_deref());
        errors.put(&rule.status.to_string(), YamlValue::Map(one));
    }
    entries.block("error_mapping", errors);
}

fn put_types(types: &[TypeDef], entries: &mut YamlEntries) {
    let names: HashSet<&str> = types.iter().map(|each| each.name.as_str()).collect();
    let mut block = YamlEntries::default();
    for each in types {
        let mut one = YamlEntries::default();
        // A kind with nothing in it is not told from a plain value.
        let is_empty = match &each.body {
            TypeBody::Enum(values) => values.is_empty(),
            TypeBody::Union(members) => members.is_empty(),
            _ => false,
        };
        one.json("kind", if is_empty { "scalar" } else { each.body.kind() });
        one.maybe_text("description", each.description.as_deref());
        match &each.body {
            TypeBody::Enum(values) => one.words("values", values),
            TypeBody::Union(members) => one.words("members", members),
            TypeBody::Object(fields) => {
                let mut block = YamlEntries::default();
                fields.iter().for_each(|each| {
                    block.put(&each.name, YamlValue::Map(field(each, &|name: &str| names.contains(name))))
                });
                one.put("fields", YamlValue::Block(block));
            }
            TypeBody::Scalar => {}
        }
        one.map("presets", presets(&each.presets));
        if let Some(fetch) = &each.fetch {
            one.put("fetch", YamlValue::Map(operation_entries("operation", &fetch.operation, &fetch.params)));
        }
        block.put(&each.name, YamlValue::Map(one));
    }
    entries.block("types", block);
}

fn operation_entries(key: &str, operation: &str, params: &[(String, FieldPath)]) -> YamlEntries {
    let mut entries = YamlEntries::default();
    entries.json(key, operation);
    let mut paths = YamlEntries::default();
    params.iter().for_each(|(name, path)| paths.json(name, path.to_string()));
    entries.put("params", YamlValue::Map(paths));
    entries
}

fn put_relationships(source: &Source, entries: &mut YamlEntries) {
    let usual_depth = Source::MAX_RELATIONSHIP_DEPTH;
    entries.unless("max_relationship_depth", source.max_relationship_depth, usual_depth);
    let one = |link: &Relationship| {
        let mut entries = YamlEntries::default();
        entries.json("type", link.name.as_str());
        entries.json("from", link.from.as_str());
        entries.json("to", link.to.as_str());
        entries.0.extend(operation_entries("via", &link.forward.operation, &link.forward.params).0);
        if let Some(RelationshipOperation { operation, params }) = &link.inverse {
            entries.put("inverse", YamlValue::Map(operation_entries("via", operation, params)));
        }
        YamlValue::Map(entries)
    };
    if !source.relationships.is_empty() {
        entries.put("relationships", YamlValue::Blocks(source.relationships.iter().map(one).collect()));
    }
}
