//! What the tools look like, judged on the JSON that `tools/list` sends.
//!
//! `listing` looks at names, schemas and annotations, `templates` at the texts, `coverage` at what they say of the sources, `budget` at what they cost.

mod budget;
mod coverage;
mod listing;
mod templates;

use super::tool_set;
use aqueduct_dispatch::Catalog;
use aqueduct_operations::exposure::{Exposure, Mode, Prefix, Profile};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::registry::{NamingScheme, Registry};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::Value;

const TRACKER: &str = include_str!("tests/project-tracker-adapter.md");

pub(in crate::mcp) fn catalog(files: &[(&str, &str)], exposure: Exposure) -> Catalog {
    let loaded: Vec<_> = files
        .iter()
        .map(|(file, text)| {
            let outcome = aqueduct_adapter_files::load(file, text.as_bytes(), &SourceSettings::default());
            outcome.loaded.unwrap_or_else(|| panic!("{:?}", outcome.diagnostics))
        })
        .collect();
    let names = if loaded.len() > 1 { NamingScheme::Namespaced } else { NamingScheme::Bare };
    Catalog::build(Registry::build(loaded, names).unwrap(), exposure, &Limits::default())
}

/// Servers by name that say nothing of themselves, with their tools.
fn servers(servers: &[(&str, usize)]) -> Catalog {
    let loaded: Vec<_> = servers
        .iter()
        .map(|(name, tools)| {
            let names: Vec<String> = (0..*tools).map(|n| format!("read_file_{n}")).collect();
            let rows: Vec<_> =
                names.iter().map(|name| ("read", name.as_str(), "GET /t", "tags: []")).collect();
            let text = adapter(&rows).replace("name: sample", &format!("name: {name}"));
            let outcome =
                aqueduct_adapter_files::load("x-adapter.md", text.as_bytes(), &SourceSettings::default());
            let mut loaded = outcome.loaded.unwrap_or_else(|| panic!("{:?}", outcome.diagnostics));
            loaded.source.info.insert("server".to_owned(), serde_json::json!({"name": name}));
            loaded
        })
        .collect();
    let names = if loaded.len() > 1 { NamingScheme::Namespaced } else { NamingScheme::Bare };
    Catalog::build(Registry::build(loaded, names).unwrap(), Exposure::default(), &Limits::default())
}

pub(in crate::mcp) fn tracker(exposure: Exposure) -> Catalog {
    catalog(&[("project-tracker-adapter.md", TRACKER)], exposure)
}

/// An adapter with these operations: `("read", "list_things", "GET /things", "params: {...}")`.
pub(in crate::mcp) fn adapter(operations: &[(&str, &str, &str, &str)]) -> String {
    let mut text = "---\nname: sample\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Sample things\"\ntarget:\n  \
                    base_url: \"https://api.example.com\"\n  transport: http\n  protocol: rest\n  serialization: \
                    json\ntrust: { level: certified }\noperations:\n"
        .to_owned();
    for category in ["create", "read", "update", "delete", "execute"] {
        let members: Vec<_> = operations.iter().filter(|(each, ..)| *each == category).collect();
        if !members.is_empty() {
            text.push_str(&format!("  {category}:\n"));
        }
        for (_, name, maps_to, more) in members {
            let words = name.replace('_', " ");
            text.push_str(&format!(
                "    - {{ name: {name}, maps_to: \"{maps_to}\", description: \"Does {words}\", {more} }}\n"
            ));
        }
    }
    text + "---\n\nSample.\n"
}

fn sample(operations: &[(&str, &str, &str, &str)], exposure: Exposure) -> Catalog {
    catalog(&[("sample-adapter.md", &adapter(operations))], exposure)
}

/// The `tools` array as it goes out.
fn listed(catalog: &Catalog) -> Vec<Value> {
    tool_set(catalog).tools.iter().map(|(tool, _)| serde_json::to_value(tool).unwrap()).collect()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

fn description<'a>(tools: &'a [Value], name: &str) -> &'a str {
    let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    tool["description"].as_str().unwrap()
}

pub(in crate::mcp) fn mode(mode: Mode) -> Exposure {
    Exposure { mode, ..Exposure::default() }
}

fn profile(name: &str) -> Exposure {
    Exposure { profile: Profile::built_in(name).unwrap(), ..Exposure::default() }
}

fn prefixed(prefix: &str) -> Exposure {
    Exposure { prefix: Prefix::parse(prefix).unwrap(), ..Exposure::default() }
}
