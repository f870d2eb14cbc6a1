//! One server of a file: how it is reached, or why it is not.
//!
//! A block in; a `ServerConfig`, or the reason to leave the server out, out. Every problem of the block is reported.

use super::self_start;
use super::variables::{at_home, translated};
use super::{USUAL_TIMEOUT, one_server};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described, shortened};
use aqueduct_documents::{DocumentNode, NodeValue};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use std::path::PathBuf;
use std::time::Duration;

/// Keys that have a meaning here.
const READ: &[&str] = &[
    "command",
    "args",
    "env",
    "environment",
    "cwd",
    "url",
    "serverUrl",
    "httpUrl",
    "headers",
    "type",
    "transport",
    "disabled",
    "enabled",
    "timeout",
];

/// Words for a key that are further from it than another key is.
const MEANT: &[(&str, &str)] = &[("cmd", "command"), ("uri", "url"), ("endpoint", "url"), ("dir", "cwd")];

/// Keys that other programs need for themselves.
const OF_OTHERS: &[&str] = &[
    "autoApprove",
    "alwaysAllow",
    "icon",
    "iconPath",
    "description",
    "name",
    "displayName",
    "title",
    "trust",
    "gallery",
    "source",
    "version",
    "$schema",
    "settings",
    "dev",
    "note",
    "notes",
    "comment",
    "_comment",
    "registryUrl",
    "provider",
    "providerUrl",
    "logoUrl",
    "tags",
    "isActive",
];

/// Keys by which other programs keep tools from being used: passing over one in silence would open a door.
const RESTRICTIONS: &[&str] =
    &["disabledTools", "excludeTools", "includeTools", "allowedTools", "enabledTools", "tools"];

/// A number up to this is read as seconds, a larger one as milliseconds: clients have both, none waits longer than an
/// hour, and a wait that is too long does less harm than one too short.
const MOST_SECONDS: i64 = 3_600;

/// What is done with a server.
pub(super) enum ServerDecision {
    Start(Box<ServerConfig>),
    LeaveOut(String),
}

/// Reads one server.
pub(super) fn read(name: &str, at: &NodeCursor<'_>, file: &str, found: &mut Findings<'_>) -> ServerDecision {
    let leave_out = |why: &str| ServerDecision::LeaveOut(why.to_owned());
    let shown = shortened(name, 60);
    if !matches!(at.node.value, NodeValue::Map(_)) {
        let message = format!("The server '{shown}' is described by no map");
        found.add(at.error("WRONG_TYPE", message).expected("a map with 'command' or 'url'"));
        return leave_out("it is described by no map");
    }
    if at.flag("disabled") == Some(true)
        || at.flag("enabled") == Some(false)
        || at.flag("isActive") == Some(false)
    {
        return leave_out("it is switched off in the file");
    }
    warn_about_keys(at, found);
    let timeout = timeout(at, found);
    let Some(reach) = reach(&shown, at, found) else { return leave_out("its description has errors") };
    if let ServerTransport::Stdio { command, args, .. } = &reach
        && let Some(why) = self_start::would_start(command, args, file)
    {
        let message = format!("The server '{shown}' is left out: {why}");
        found.add(at.warning("OWN_SERVER", message).hint("otherwise it would start itself again and again"));
        return ServerDecision::LeaveOut(why);
    }
    // The caller, which knows the other names, gives the name.
    ServerDecision::Start(Box::new(ServerConfig { name: String::new(), reach, timeout }))
}

fn warn_about_keys(at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    for (entry, value) in at.entries() {
        let key = entry.key.as_str();
        if READ.contains(&key) || OF_OTHERS.contains(&key) {
            continue;
        }
        let shown = shortened(key, 60);
        let finding = if RESTRICTIONS.contains(&key) && !value.node.elements().is_empty() {
            let message = format!("'{shown}' is not applied: the tools are served all the same");
            value
                .warning("NOT_APPLIED", message)
                .hint("hide operations with [sources.NAME.operations.\"OP\"]")
        } else if RESTRICTIONS.contains(&key) {
            continue;
        } else if key == "envFile" {
            let message = "'envFile' is not read";
            value
                .warning("NOT_APPLIED", message)
                .hint("set the variables before the start, or write them into 'env'")
        } else {
            let intended = MEANT.iter().find(|(word, _)| *word == key);
            let hint = match intended {
                Some((_, intended)) => Some(format!("did you mean '{intended}'?")),
                None => found.misspelt(key, READ.iter().copied()),
            };
            value.warning("UNKNOWN_KEY", format!("'{shown}' means nothing here")).maybe_hint(hint)
        };
        found.add(finding);
    }
}

fn timeout(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Duration {
    let Some(value) = at.get("timeout") else { return USUAL_TIMEOUT };
    match value.node.value {
        NodeValue::Integer(number @ 1..=MOST_SECONDS) => Duration::from_secs(number.unsigned_abs()),
        NodeValue::Integer(number @ 1..) => Duration::from_millis(number.unsigned_abs()),
        _ => {
            let finding = value.warning("INVALID_VALUE", "This is no length of time: one minute is used");
            found.add(
                finding.expected("seconds, or milliseconds when over 3600").received(described(value.node)),
            );
            USUAL_TIMEOUT
        }
    }
}

/// The way to the server; nothing when an error has been reported.
fn reach(name: &str, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<ServerTransport> {
    let address = ["url", "serverUrl", "httpUrl"].iter().find_map(|key| at.get(key));
    let address = address.filter(|value| value.node.value != NodeValue::Null);
    let command = at.get("command").filter(|value| value.node.value != NodeValue::Null);
    match (command, address) {
        (Some(_), Some(address)) => {
            let message = format!("The server '{name}' has both a 'command' and a 'url'");
            found.add(address.error("CONTRADICTION", message).hint("keep the one by which it is reached"));
            None
        }
        (None, None) => {
            let message = format!("The server '{name}' has neither a 'command' nor a 'url'");
            found.add(at.error("MISSING_KEY", message).expected("one of the two"));
            None
        }
        (Some(command), None) => stdio(name, at, &command, found),
        (None, Some(address)) => http(name, at, &address, found),
    }
}

fn stdio(
    name: &str,
    at: &NodeCursor<'_>,
    command: &NodeCursor<'_>,
    found: &mut Findings<'_>,
) -> Option<ServerTransport> {
    // Some write the command and its arguments as one list, some as a map.
    let (mut line, block) = match &command.node.value {
        NodeValue::List(_) => (texts(command, found)?, at.clone()),
        NodeValue::Map(_) => (text(&command.get("path")?, found).map(|path| vec![path])?, command.clone()),
        _ => (vec![text(command, found)?], at.clone()),
    };
    let args = block.get("args").filter(|value| value.node.value != NodeValue::Null);
    let args = args.map_or(Some(Vec::new()), |value| texts(&value, found));
    let env = [block.get("env"), block.get("environment")].into_iter().flatten().next();
    let env = env.map_or(Some(Vec::new()), |value| pairs(&value, found));
    let cwd = at.get("cwd").filter(|value| value.node.value != NodeValue::Null);
    let cwd =
        cwd.map_or(Some(None), |value| text(&value, found).map(|path| Some(PathBuf::from(at_home(&path)))));
    if line.first().is_none_or(|program| program.trim().is_empty()) {
        let message = format!("The server '{name}' has an empty 'command'");
        found.add(command.error("INVALID_VALUE", message));
        return None;
    }
    let program = at_home(&line.remove(0));
    line.extend(args?);
    Some(ServerTransport::Stdio { command: program, args: line, env: env?, cwd: cwd? })
}

fn http(
    name: &str,
    at: &NodeCursor<'_>,
    address: &NodeCursor<'_>,
    found: &mut Findings<'_>,
) -> Option<ServerTransport> {
    let kind = at.text("type").or_else(|| at.text("transport")).unwrap_or_default().to_ascii_lowercase();
    let headers = at.get("headers").map_or(Some(Vec::new()), |value| pairs(&value, found));
    let text = text(address, found)?;
    if kind == "sse" {
        let message =
            format!("The server '{name}' is reached by the SSE transport, which is no longer part of MCP");
        found.add(at.error("NOT_SUPPORTED", message).hint(
            "most such servers speak streamable HTTP too, often under /mcp instead of /sse: set that url and \
                 type 'http'; else put a bridge before it as a 'command'",
        ));
        return None;
    }
    let url = match one_server::endpoint(&text) {
        Ok(url) => url,
        Err(problem) => {
            found.add(address.error("INVALID_VALUE", format!("The server '{name}': {problem}")));
            return None;
        }
    };
    if kind.is_empty() && url.path().trim_end_matches('/').ends_with("/sse") {
        let message = format!("The address of '{name}' looks like one of the older SSE transport");
        found.add(
            address.warning("NOT_SUPPORTED", message).hint("the streamable HTTP one often ends in /mcp"),
        );
    }
    Some(ServerTransport::Http { url, headers: headers? })
}

fn wrong_type<T>(at: &NodeCursor<'_>, expected: &str, found: &mut Findings<'_>) -> Option<T> {
    let error = at.error("WRONG_TYPE", "The value has the wrong type");
    found.add(error.expected(expected).received(at.node.kind()));
    None
}

/// A text with its variables in our form. Numbers and flags are what they look like.
fn text(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<String> {
    let Some(text) = plain(at.node) else {
        return wrong_type(at, "string", found);
    };
    match translated(&text) {
        Ok(text) => Some(text),
        Err(problem) => {
            found.add(at.error("UNKNOWN_VARIABLE", problem.to_string()).hint(problem.advice()));
            None
        }
    }
}

fn plain(node: &DocumentNode) -> Option<String> {
    match &node.value {
        NodeValue::String(text) => Some(text.clone()),
        NodeValue::Integer(number) => Some(number.to_string()),
        NodeValue::Float(number) => Some(number.to_string()),
        NodeValue::Bool(flag) => Some(flag.to_string()),
        NodeValue::Null | NodeValue::List(_) | NodeValue::Map(_) => None,
    }
}

/// Every text of a list; nothing when one is none, after all have been looked at.
fn texts(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Vec<String>> {
    if !matches!(at.node.value, NodeValue::List(_)) {
        return wrong_type(at, "a list", found);
    }
    let all: Vec<Option<String>> = at.elements().map(|element| text(&element, found)).collect();
    all.into_iter().collect()
}

/// Every name and value of a map. A value of null sets nothing.
fn pairs(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Vec<NamedSecret>> {
    if at.node.value == NodeValue::Null {
        return Some(Vec::new());
    }
    if !matches!(at.node.value, NodeValue::Map(_)) {
        return wrong_type(at, "a map", found);
    }
    let set = at.entries().filter(|(_, value)| value.node.value != NodeValue::Null);
    let all: Vec<Option<NamedSecret>> = set
        .map(|(entry, value)| text(&value, found).map(|text| NamedSecret::new(entry.key.as_str(), text)))
        .collect();
    all.into_iter().collect()
}
