//! The tools of a catalog: names, input schemas, annotations and descriptions, worked out once per catalog
//! (MCP document, sections 2 and 3).

use super::describe::{self, TextLength};
use aqueduct_dispatch::{Catalog, CatalogView, estimated_tokens};
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_operations::category::Category;
use aqueduct_operations::exposure::{Exposure, Family, Mode};
use aqueduct_operations::operation::RegistryEntry;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::Arc;

/// What the five tools, and the single one, may cost: 600 and 250 tokens of o200k, which the estimate makes 5 to 11 in 100 more of.
const MOST_OF_FIVE: u64 = 630;
const MOST_OF_ONE: u64 = 262;

/// Beyond this many names a list in the schema costs more than it helps.
const MOST_ENUMERATED: usize = 100;

/// The tools of one catalog, each with its endpoint.
#[derive(Debug)]
pub struct ToolSet {
    /// Tools and endpoints, in the order in which they are listed.
    pub tools: Vec<(Tool, ToolEndpoint)>,
    /// What a client may show its model about the whole server.
    pub instructions: String,
}

impl ToolSet {
    /// The tool with this name.
    pub fn find(&self, name: &str) -> Option<&(Tool, ToolEndpoint)> {
        self.tools.iter().find(|(tool, _)| tool.name == name)
    }
}

/// Describes every tool of a catalog, as everybody may see it.
pub fn tool_set(catalog: &Catalog) -> ToolSet {
    tool_set_of(&catalog.common_view())
}

/// Describes every tool that there is for one caller, in as many words as a list of tools may cost.
pub fn tool_set_of(view: &CatalogView<'_>) -> ToolSet {
    let [most, shorter @ ..] = TextLength::ALL;
    let mut tools = tools_of(view, most);
    for length in shorter {
        if fits(view, &tools) {
            break;
        }
        tools = tools_of(view, length);
    }
    ToolSet { tools, instructions: describe::instructions(view) }
}

/// Whether tools cost no more than they may, as we estimate it. The families of a profile's own have their operators' words.
fn fits(view: &CatalogView<'_>, tools: &[(Tool, ToolEndpoint)]) -> bool {
    let exposure = view.catalog().exposure();
    let most = match exposure.mode {
        Mode::Semantic if exposure.profile.is_crude() => MOST_OF_FIVE,
        Mode::Single => MOST_OF_ONE,
        Mode::Semantic | Mode::All => return true,
    };
    let written = tools.iter().filter_map(|(tool, _)| serde_json::to_string(tool).ok());
    written.map(|text| estimated_tokens(&text)).sum::<u64>() <= most
}

fn tools_of(view: &CatalogView<'_>, length: TextLength) -> Vec<(Tool, ToolEndpoint)> {
    let exposure = view.catalog().exposure();
    let mut tools = Vec::new();
    if matches!(exposure.mode, Mode::Semantic | Mode::All) {
        for family in &exposure.profile.families {
            let members = members(view, family);
            if members.is_empty() && !exposure.register_empty_families {
                continue;
            }
            tools.push((
                family_tool(view, family, &members, length),
                ToolEndpoint::Family(family.name.clone()),
            ));
        }
    }
    if matches!(exposure.mode, Mode::Single | Mode::All) {
        let members: Vec<&RegistryEntry> = view.visible().collect();
        let description = describe::single(view, length);
        let annotations = ToolAnnotations::new().read_only(false).destructive(true);
        let schema = input_schema(exposure, &members);
        let tool = Tool::new(exposure.single_tool(), description, schema).with_annotations(annotations);
        tools.push((tool, ToolEndpoint::Any));
    }
    tools
}

/// The visible operations of a family.
fn members<'c>(view: &CatalogView<'c>, family: &Family) -> Vec<&'c RegistryEntry> {
    let exposure = view.catalog().exposure();
    view.visible().filter(|entry| exposure.family_of(entry).name == family.name).collect()
}

fn family_tool(
    view: &CatalogView<'_>,
    family: &Family,
    members: &[&RegistryEntry],
    length: TextLength,
) -> Tool {
    let exposure = view.catalog().exposure();
    let description = describe::family(view, family, members, length);
    Tool::new(exposure.family_tool(&family.name), description, input_schema(exposure, members))
        .with_annotations(annotations(family, members))
}

/// A family is annotated by the riskiest thing it holds.
fn annotations(family: &Family, members: &[&RegistryEntry]) -> ToolAnnotations {
    let of_members = members.iter().map(|entry| entry.operation.category);
    let categories: Vec<Category> = family.categories.iter().copied().chain(of_members).collect();
    ToolAnnotations::new()
        .read_only(categories.iter().all(|category| category.read_only()))
        .destructive(categories.iter().any(|category| category.destructive()))
}

fn input_schema(exposure: &Exposure, members: &[&RegistryEntry]) -> Arc<JsonObject> {
    let mut operation = json!({"type": "string", "description": "Operation name"});
    if exposure.expose_operation_enum && members.len() <= MOST_ENUMERATED {
        let names: Vec<&str> = members.iter().map(|entry| entry.public_name.as_str()).collect();
        operation["enum"] = names.into();
    }
    let schema = json!({
        "type": "object",
        "properties": {
            "operation": operation,
            "params": {
                "type": "object",
                "description": "Parameters",
                "additionalProperties": true,
            },
        },
        "required": ["operation"],
    });
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

#[cfg(test)]
pub(super) mod tests;
