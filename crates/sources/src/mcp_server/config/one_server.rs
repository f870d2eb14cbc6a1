//! One MCP server named on the command line: `mcp+https://host/mcp`, or `mcp:COMMAND ARGS…`.
//!
//! A text in; a `ServerConfig`, or why it is none, out. No shell reads the command.

use super::USUAL_TIMEOUT;
use super::command_line::{OpenQuote, split_words};
use super::variables::{VariableProblem, at_home, translated};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_source_kind::public_names::source_name;
use std::collections::HashSet;
use url::Url;

/// Why a text does not lead to a server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OneServerProblem {
    /// The address is no URL.
    #[error("its address is no URL of the form http(s)://host/path")]
    Address,
    /// A variable stands in a part of the address that must be known.
    #[error("its address holds a variable before the query; put it into a header or write the address out")]
    VariableInAddress,
    /// There is no command.
    #[error("there is no command after 'mcp:'")]
    NoCommand,
    /// A quote is not closed.
    #[error(transparent)]
    Quote(#[from] OpenQuote),
    /// A variable that only an editor knows.
    #[error("{0}")]
    Variable(String),
}

/// The server that a text names; nothing when the text names something else.
pub fn one_server(text: &str) -> Option<Result<ServerConfig, OneServerProblem>> {
    if let Some(address) = text.strip_prefix("mcp+").filter(|rest| rest.starts_with("http")) {
        return Some(endpoint(address).map(|url| {
            let name = named(url.host_str().unwrap_or_default().trim_start_matches("www."));
            ServerConfig {
                name,
                reach: ServerTransport::Http { url, headers: Vec::new() },
                timeout: USUAL_TIMEOUT,
            }
        }));
    }
    text.strip_prefix("mcp:").map(stdio)
}

fn stdio(line: &str) -> Result<ServerConfig, OneServerProblem> {
    let mut words = split_words(line)?
        .iter()
        .map(|word| translated(word))
        .collect::<Result<Vec<String>, VariableProblem>>()
        .map_err(|problem| OneServerProblem::Variable(problem.to_string()))?;
    if words.first().is_none_or(String::is_empty) {
        return Err(OneServerProblem::NoCommand);
    }
    let command = at_home(&words.remove(0));
    let name = named(&program_of(&command, &words));
    let reach = ServerTransport::Stdio { command, args: words, env: Vec::new(), cwd: None };
    Ok(ServerConfig { name, reach, timeout: USUAL_TIMEOUT })
}

/// The word that says most about what is started: `npx -y @scope/server-memory` is `server-memory`.
fn program_of(command: &str, args: &[String]) -> String {
    let last_part = |word: &str| {
        let word = word.trim_end_matches(['/', '\\']);
        let part = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let (name, _) = part.split_once('@').unwrap_or((part, ""));
        [".exe", ".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".cmd"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name)
            .to_owned()
    };
    let program = last_part(command);
    let starters =
        ["npx", "uvx", "bunx", "node", "deno", "bun", "python", "python3", "pipx", "uv", "docker", "sh"];
    let is_name =
        |word: &&String| !word.starts_with('-') && !["run", "exec", "tool"].contains(&word.as_str());
    match args.iter().find(is_name) {
        Some(word) if starters.contains(&program.as_str()) => last_part(word),
        _ => program,
    }
}

fn named(text: &str) -> String {
    source_name(text, &HashSet::new())
}

/// An address of a server, with its variables in our form. Those in the query stay as they are until it is called.
pub(super) fn endpoint(text: &str) -> Result<Url, OneServerProblem> {
    let text = translated(text).map_err(|problem| OneServerProblem::Variable(problem.to_string()))?;
    let before_query = text.split('?').next().unwrap_or_default();
    if before_query.contains("${") {
        return Err(OneServerProblem::VariableInAddress);
    }
    let url = Url::parse(text.trim()).map_err(|_| OneServerProblem::Address)?;
    let is_http = matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
    if is_http { Ok(url) } else { Err(OneServerProblem::Address) }
}

#[cfg(test)]
mod tests;
