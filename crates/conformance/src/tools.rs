//! The tools of a server: which of them speak the protocol, in which mode, and which one an operation belongs to.
//!
//! Items of `tools/list` in. A tool is one of ours when its schema has `operation`. The one whose name ends with `mcp_aql` is the
//! single one; the others are families, told by the end of their names. Names may have a prefix.

use crate::exchange::{Exchange, Received};
use crate::operation::Operation;
use serde_json::{Map, Value};

/// The end of the name of the single tool.
pub(crate) const SINGLE: &str = "mcp_aql";

/// The five families of the CRUDE profile, with their hints: read-only, destructive.
pub(crate) const CRUDE: [(&str, bool, bool); 5] = [
    ("create", false, false),
    ("read", true, false),
    ("update", false, true),
    ("delete", false, true),
    ("execute", false, true),
];

/// One tool.
#[derive(Debug, Clone)]
pub(crate) struct Tool {
    /// Its name.
    pub name: String,
    /// What comes after `mcp_aql_` in it; nothing for the single tool.
    pub family: Option<String>,
    /// As it was listed.
    pub listed: Map<String, Value>,
}

/// All tools of the protocol.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tools {
    /// In the order of the list.
    pub all: Vec<Tool>,
    /// The name of the tool that takes introspection.
    pub introspection: String,
}

impl Tools {
    /// Reads the list.
    pub fn read(listed: &[Value]) -> Tools {
        let all = listed.iter().filter_map(Value::as_object).filter_map(tool).collect();
        Tools { all, introspection: String::new() }
    }

    /// The tools in the order in which they are tried for introspection: the single one, those that say that they only read, the
    /// others.
    pub fn for_introspection(&self) -> Vec<String> {
        let mut tools: Vec<&Tool> = self.all.iter().collect();
        tools.sort_by_key(|tool| (tool.family.is_some(), tool.hint("readOnlyHint") != Some(true)));
        tools.into_iter().map(|tool| tool.name.clone()).collect()
    }

    /// The single tool.
    pub fn single(&self) -> Option<&Tool> {
        self.all.iter().find(|tool| tool.family.is_none())
    }

    /// The families.
    pub fn families(&self) -> impl Iterator<Item = &Tool> {
        self.all.iter().filter(|tool| tool.family.is_some())
    }

    /// The mode that these tools make.
    pub fn mode(&self) -> &'static str {
        match (self.single().is_some(), self.families().next().is_some()) {
            (true, true) => "all",
            (true, false) => "single",
            (false, _) => "semantic",
        }
    }

    /// The tool that an operation is called by: the one that introspection names, else the one of its family.
    pub fn of(&self, operation: &Operation) -> String {
        let by_name = self.all.iter().find(|tool| tool.name == operation.tool);
        let of_family = |tool: &&Tool| tool.family.as_deref() == Some(operation.endpoint.as_str());
        let found = by_name.or_else(|| self.all.iter().find(of_family)).or_else(|| self.single());
        found.map_or_else(|| self.introspection.clone(), |tool| tool.name.clone())
    }
}

impl Tool {
    /// A hint of its annotations.
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.listed.get("annotations")?.get(name)?.as_bool()
    }

    /// The request for the tools, and of the answer to it what this tool has under a key.
    pub fn shown(&self, key: &str) -> Exchange {
        let shown = self.listed.iter().filter(|(name, _)| *name == "name" || *name == key);
        let shown: Map<String, Value> = shown.map(|(name, value)| (name.clone(), value.clone())).collect();
        let answer = Received::Listed(Value::Object(shown));
        Exchange { tool: "tools/list".to_owned(), arguments: Map::new(), answer }
    }
}

fn tool(listed: &Map<String, Value>) -> Option<Tool> {
    listed.get("inputSchema")?.get("properties")?.get("operation")?;
    let name = listed.get("name")?.as_str()?;
    let family = match name.rfind(SINGLE) {
        Some(start) if name.len() == start + SINGLE.len() => None,
        Some(start) => Some(name[start + SINGLE.len()..].trim_start_matches('_').to_owned()),
        None => Some(name.rsplit('_').next().unwrap_or(name).to_owned()),
    };
    Some(Tool { name: name.to_owned(), family, listed: listed.clone() })
}
