//! Files that name MCP servers, as Claude Desktop, Cursor, Windsurf, VS Code, Zed and others write them.
//!
//! Text in; one `ServerConfig` for each server that can be started, and a finding with its place for each that cannot,
//! out. The files belong to other programs: what we do not know in them is said and passed over, and one bad server does
//! not take the others with it. Values may be secrets, so no line that holds one is ever shown.

mod command_line;
mod one_server;
mod self_start;
mod server;
mod variables;

pub use command_line::OpenQuote;
pub use one_server::{OneServerProblem, one_server};

use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_documents::{DocumentNode, LineColumn, NodeValue, jsonc};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_source_kind::public_names::source_name;
use server::ServerDecision;
use std::collections::HashSet;
use std::time::Duration;

/// How long an answer is waited for where nothing is said: as long as the clients of the protocol's authors do.
pub const USUAL_TIMEOUT: Duration = Duration::from_secs(60);

/// Where servers stand in a file, the most common first.
const PLACES: [&[&str]; 5] =
    [&["mcpServers"], &["servers"], &["mcp.servers"], &["mcp", "servers"], &["context_servers"]];

/// The servers of a file.
#[derive(Debug, Default)]
pub struct ServerList {
    /// Those that can be started, in the order of the file.
    pub servers: Vec<ServerConfig>,
    /// Those that are not to be started, and why.
    pub left_out: Vec<LeftOutServer>,
    /// Every finding. An error takes out the server that it is about, and only that one.
    pub diagnostics: Vec<Diagnostic>,
}

/// A server that is not started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutServer {
    /// Its name in the file.
    pub name: String,
    /// Why.
    pub why: String,
}

/// True when the text names MCP servers, in one of the ways that clients have.
pub fn looks_like_servers(text: &str) -> bool {
    // A document of an API may be large and has 'servers' too.
    let mentions = PLACES.iter().any(|place| text.contains(place[0]));
    mentions && jsonc::parse(text).is_ok_and(|document| block(&document.root).is_some())
}

/// Reads the servers of a file. `file` is its name as the user wrote it.
pub fn read_servers(file: &str, text: &str) -> ServerList {
    let mut found = Findings::new(file, text);
    let document = match jsonc::parse(text) {
        Ok(document) => document,
        Err(problem) => {
            // The line may hold anything.
            found.hide_line(problem.line);
            found.add_syntax("JSON_SYNTAX", problem);
            return ServerList { diagnostics: found.finish(), ..ServerList::default() };
        }
    };
    // The file is another program's: which of two keys that program takes is not known.
    document.repeated.iter().for_each(|repeated| found.hide_line(repeated.line));
    found.add_repeated(&document, DiagnosticSeverity::Warning);
    let mut outcome = ServerList::default();
    match block(&document.root) {
        Some(servers) => read_block(file, &servers, &mut outcome, &mut found),
        None => {
            let (severity, message) = (DiagnosticSeverity::Error, "This file names no MCP servers");
            let missing = Finding::new(severity, "MISSING_KEY", "", LineColumn::START, message);
            found.add(missing.expected("a map of servers under 'mcpServers' or 'servers'"));
        }
    }
    ServerList { diagnostics: found.finish(), ..outcome }
}

fn read_block(file: &str, servers: &NodeCursor<'_>, outcome: &mut ServerList, found: &mut Findings<'_>) {
    let mut taken = HashSet::new();
    for (entry, at) in servers.entries() {
        hide_values(at.node, found);
        match server::read(&entry.key, &at, file, found) {
            ServerDecision::Start(mut config) => {
                config.name = source_name(&entry.key, &taken);
                if !is_alike(&entry.key, &config.name) {
                    let message = format!(
                        "The server '{}' is called '{}' here",
                        shortened(&entry.key, 60),
                        config.name
                    );
                    found.add(at.warning("SERVER_RENAMED", message).hint(
                        "names of sources are of letters, digits and '-', begin with a letter and have two characters or \
                         more",
                    ));
                }
                taken.insert(config.name.clone());
                outcome.servers.push(*config);
            }
            ServerDecision::LeaveOut(why) => {
                // It keeps its name, so that the others do not change theirs when it is switched on.
                taken.insert(source_name(&entry.key, &taken));
                outcome.left_out.push(LeftOutServer { name: entry.key.clone(), why });
            }
        }
    }
}

/// True when a name is the key but for capitals and what parts its words: no one would look for another.
fn is_alike(key: &str, name: &str) -> bool {
    let words = key.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase() == name
}

/// The map of servers. An API document has a list under 'servers'.
fn block(root: &DocumentNode) -> Option<NodeCursor<'_>> {
    if root.get("openapi").is_some() || root.get("swagger").is_some() {
        return None;
    }
    PLACES.iter().find_map(|place| {
        let at = place.iter().try_fold(NodeCursor::root(root), |at, key| at.get(key))?;
        matches!(at.node.value, NodeValue::Map(_)).then_some(at)
    })
}

/// Keeps every line that may hold a secret out of what is shown: variables, headers, arguments and addresses do.
fn hide_values(server: &DocumentNode, found: &mut Findings<'_>) {
    const MAY_HOLD_SECRETS: [&str; 9] =
        ["env", "environment", "headers", "args", "url", "serverUrl", "httpUrl", "command", "requestInit"];
    for entry in server.entries() {
        let last = last_line(&entry.node);
        if MAY_HOLD_SECRETS.contains(&entry.key.as_str()) {
            (entry.node.line..=last).for_each(|line| found.hide_line(line));
        }
    }
}

fn last_line(node: &DocumentNode) -> u32 {
    let below = node.elements().iter().chain(node.entries().iter().map(|entry| &entry.node));
    below.map(last_line).max().unwrap_or(0).max(node.line)
}

#[cfg(test)]
mod tests;
