//! Which crate may depend on which.
//!
//! In: the manifests of the workspace. Out: a violation for every edge that is not in the table. The edges point one
//! way, along the path of a call; `sources`, `safety` and `upstream` do not see each other, `egress` is beneath whatever
//! calls out, and `testkit` is for tests.

use anyhow::{Context, Result};
use toml::Table;

use super::Violation;
use super::manifest::{PRODUCT, dependencies};
use crate::repo::File;

/// Folder of a crate, and the folders it may depend on outside its tests.
const EDGES: &[(&str, &[&str])] = &[
    ("schema", &[]),
    ("vocabulary", &[]),
    ("private_files", &[]),
    ("search", &[]),
    ("operations", &["schema"]),
    ("conformance", &["operations"]),
    ("documents", &["operations"]),
    ("source_kind", &["documents", "operations", "schema"]),
    ("adapter_files", &["documents", "operations", "schema", "source_kind"]),
    ("openapi", &["documents", "operations", "schema", "source_kind"]),
    ("sources", &["adapter_files", "documents", "openapi", "operations", "schema", "source_kind"]),
    ("egress", &["operations"]),
    ("mcp_client", &["egress", "operations", "private_files", "schema"]),
    ("store", &["operations", "private_files"]),
    ("safety", &["operations", "store"]),
    ("upstream", &["egress", "operations"]),
    ("query", &["operations", "schema"]),
    ("limiter", &["operations", "query"]),
    ("dispatch", &["limiter", "upstream", "query", "search", "operations", "schema"]),
    ("surface", &["dispatch", "documents", "egress", "limiter", "operations"]),
    (
        "aqueduct",
        &[
            "surface",
            "dispatch",
            "limiter",
            "safety",
            "store",
            "upstream",
            "adapter_files",
            "documents",
            "openapi",
            "source_kind",
            "sources",
            "mcp_client",
            "operations",
            "private_files",
            "schema",
        ],
    ),
    (
        "cli",
        &[
            "aqueduct",
            "conformance",
            "surface",
            "dispatch",
            "safety",
            "upstream",
            "egress",
            "adapter_files",
            "documents",
            "openapi",
            "source_kind",
            "sources",
            "mcp_client",
            "operations",
            "private_files",
            "vocabulary",
        ],
    ),
    ("testkit", &["egress", "operations"]),
    ("xtask", &["vocabulary"]),
];

/// Crates that must be optional for those above them, because they bring dependencies that not everybody needs.
const OPTIONAL: &[&str] = &["mcp_client", "store"];

/// A crate from outside that only some of ours may use outside their tests.
struct OutsideCrate {
    name: &'static str,
    users: &'static [&'static str],
    fix: &'static str,
}

const GUARDED: &str = "send through 'aqueduct_upstream' or 'aqueduct_mcp_client', which take permits";

/// JSON Schema is read in one place. What can send requests is for those crates that take permits, with the clients of `egress`.
const OUTSIDE: &[OutsideCrate] = &[
    OutsideCrate {
        name: "jsonschema",
        users: &["schema"],
        fix: "convert with 'aqueduct_schema::from_schema', as the others do",
    },
    OutsideCrate { name: "reqwest", users: &["egress", "upstream", "mcp_client", "xtask"], fix: GUARDED },
    OutsideCrate { name: "hyper", users: &["egress", "surface", "upstream"], fix: GUARDED },
    OutsideCrate { name: "hyper-util", users: &["egress", "surface"], fix: GUARDED },
];

/// Checks every manifest.
pub(super) fn check(files: &[File]) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for file in files {
        let Some(folder) = crate_folder(&file.path) else { continue };
        let manifest: Table = file.text.parse().with_context(|| file.path.clone())?;
        let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == folder) else {
            violations.push(Violation::new(
                &file.path,
                1,
                format!("the crate '{folder}' has no place in the order of crates"),
                "add it and its edges to xtask/src/tidy/edges.rs and to the architecture page",
            ));
            continue;
        };
        for dependency in dependencies(&manifest, PRODUCT) {
            let Some(name) = &dependency.folder else {
                let restricted = OUTSIDE.iter().find(|outside| outside.name == dependency.package);
                if let Some(outside) = restricted.filter(|outside| !outside.users.contains(&folder)) {
                    violations.push(wrong_user(file, outside));
                }
                continue;
            };
            if !allowed.contains(&name.as_str()) {
                violations.push(forbidden_edge(file, folder, name));
            }
            if OPTIONAL.contains(&name.as_str()) && !dependency.is_optional {
                violations.push(always_there(file, name));
            }
        }
    }
    Ok(violations)
}

/// Finds edges of the table that no manifest has.
pub(super) fn stale(files: &[File]) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for file in files {
        let Some(folder) = crate_folder(&file.path) else { continue };
        let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == folder) else { continue };
        let manifest: Table = file.text.parse().with_context(|| file.path.clone())?;
        let dependencies = dependencies(&manifest, PRODUCT);
        for edge in allowed.iter().filter(|edge| !dependencies.iter().any(|found| found.leads_to(edge))) {
            let problem = format!("'{folder}' does not depend on '{edge}', and the table allows it");
            let fix = "take the edge out of xtask/src/tidy/edges.rs";
            violations.push(Violation::new(&file.path, 1, problem, fix));
        }
    }
    Ok(violations)
}

fn forbidden_edge(file: &File, folder: &str, dependency: &str) -> Violation {
    let line = line_of(file, &package_name(dependency));
    let fix = if dependency == "testkit" {
        "move it to [dev-dependencies]".to_owned()
    } else {
        format!("let the crate above both join '{folder}' and '{dependency}', or move the shared part down")
    };
    Violation::new(&file.path, line, format!("'{folder}' must not depend on '{dependency}'"), fix)
}

fn always_there(file: &File, dependency: &str) -> Violation {
    let line = line_of(file, &package_name(dependency));
    let problem = format!("'{dependency}' is carried by those who do not need it");
    Violation::new(&file.path, line, problem, "make it 'optional = true', behind a feature")
}

fn wrong_user(file: &File, outside: &OutsideCrate) -> Violation {
    let problem = format!("'{}' is for '{}' alone", outside.name, outside.users.join("', '"));
    Violation::new(&file.path, line_of(file, outside.name), problem, outside.fix)
}

fn line_of(file: &File, package: &str) -> usize {
    file.text.lines().position(|line| line.contains(package)).map_or(1, |index| index + 1)
}

/// `crates/dispatch/Cargo.toml` gives `dispatch`. `fuzz` is a workspace of its own, which feeds everything.
fn crate_folder(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("/Cargo.toml")?;
    let folder = folder.strip_prefix("crates/").unwrap_or(folder);
    (!folder.contains('/') && folder != "fuzz").then_some(folder)
}

fn package_name(folder: &str) -> String {
    if folder == "aqueduct" || folder == "xtask" {
        folder.to_owned()
    } else {
        format!("aqueduct-{}", folder.replace('_', "-"))
    }
}

#[cfg(test)]
mod tests;
