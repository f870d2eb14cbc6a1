//! Which crate may depend on which.
//!
//! In: the manifests of the workspace. Out: a violation for every edge that is not in the table. The edges point one
//! way, along the path of a call; `sources`, `safety` and `upstream` do not see each other, and `testkit` is for tests.

use anyhow::{Context, Result};
use toml::{Table, Value};

use super::Violation;
use crate::repo::File;

/// Folder of a crate, and the folders it may depend on outside its tests.
const EDGES: &[(&str, &[&str])] = &[
    ("schema", &[]),
    ("operations", &["schema"]),
    ("sources", &["operations", "schema"]),
    ("mcp_client", &["operations", "schema"]),
    ("safety", &["operations"]),
    ("upstream", &["operations"]),
    ("query", &["operations"]),
    ("dispatch", &["safety", "upstream", "query", "operations", "schema"]),
    ("surface", &["dispatch", "operations"]),
    ("conformance", &["operations"]),
    (
        "aqueduct",
        &[
            "surface",
            "dispatch",
            "safety",
            "upstream",
            "sources",
            "mcp_client",
            "conformance",
            "operations",
            "schema",
        ],
    ),
    ("testkit", &["operations", "upstream", "schema"]),
    ("xtask", &[]),
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
        for dependency in workspace_dependencies(&manifest) {
            if !allowed.contains(&dependency.as_str()) {
                violations.push(forbidden_edge(file, folder, &dependency));
            }
        }
    }
    Ok(violations)
}

fn forbidden_edge(file: &File, folder: &str, dependency: &str) -> Violation {
    let package = package_name(dependency);
    let line = file.text.lines().position(|line| line.contains(&package)).map_or(1, |index| index + 1);
    let fix = if dependency == "testkit" {
        "move it to [dev-dependencies]".to_owned()
    } else {
        format!("let the crate above both join '{folder}' and '{dependency}', or move the shared part down")
    };
    Violation::new(&file.path, line, format!("'{folder}' must not depend on '{dependency}'"), fix)
}

/// `crates/dispatch/Cargo.toml` gives `dispatch`.
fn crate_folder(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("/Cargo.toml")?;
    let folder = folder.strip_prefix("crates/").unwrap_or(folder);
    (!folder.contains('/')).then_some(folder)
}

fn package_name(folder: &str) -> String {
    if folder == "aqueduct" || folder == "xtask" {
        folder.to_owned()
    } else {
        format!("aqueduct-{}", folder.replace('_', "-"))
    }
}

/// Folders of the workspace's own crates among the dependencies of every kind but the tests'.
fn workspace_dependencies(manifest: &Table) -> Vec<String> {
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let sections = std::iter::once(manifest).chain(targets.filter_map(Value::as_table));
    let mut found = Vec::new();
    for section in sections {
        for kind in ["dependencies", "build-dependencies"] {
            let entries = section.get(kind).and_then(Value::as_table).into_iter().flatten();
            for (key, value) in entries {
                let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
                match package.strip_prefix("aqueduct-") {
                    Some(name) => found.push(name.replace('-', "_")),
                    None if package == "aqueduct" || package == "xtask" => found.push(package.to_owned()),
                    None => {}
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tests::{file, places};

    fn violations(path: &str, manifest: &str) -> Vec<String> {
        places(&check(&[file(path, manifest)]).unwrap())
    }

    #[test]
    fn siblings_do_not_see_each_other() {
        let manifest = "[dependencies]\nserde = \"1\"\naqueduct-safety.workspace = true\n";
        assert_eq!(violations("crates/upstream/Cargo.toml", manifest), ["crates/upstream/Cargo.toml:3"]);
        assert_eq!(violations("crates/sources/Cargo.toml", manifest).len(), 1);
        assert_eq!(violations("crates/dispatch/Cargo.toml", manifest).len(), 0);
    }

    #[test]
    fn edges_never_point_up_the_path_of_a_call() {
        for package in ["aqueduct", "aqueduct-surface", "aqueduct-dispatch"] {
            let manifest = format!("[dependencies]\n{package}.workspace = true\n");
            assert_eq!(violations("crates/safety/Cargo.toml", &manifest).len(), 1, "{package}");
        }
    }

    #[test]
    fn the_testkit_is_for_tests_only() {
        let in_tests = "[dev-dependencies]\naqueduct-testkit.workspace = true\n";
        let in_product = "[dependencies]\naqueduct-testkit.workspace = true\n";
        assert_eq!(violations("crates/aqueduct/Cargo.toml", in_tests).len(), 0);
        assert_eq!(violations("crates/aqueduct/Cargo.toml", in_product).len(), 1);
    }

    #[test]
    fn a_renamed_or_platform_dependency_is_seen_too() {
        let renamed = "[dependencies]\nguard = { package = \"aqueduct-safety\", path = \"../safety\" }\n";
        let platform = "[target.'cfg(unix)'.dependencies]\naqueduct-safety.workspace = true\n";
        let build = "[build-dependencies]\naqueduct-safety.workspace = true\n";
        for manifest in [renamed, platform, build] {
            assert_eq!(violations("crates/sources/Cargo.toml", manifest).len(), 1, "{manifest}");
        }
    }

    #[test]
    fn a_new_crate_must_be_given_its_place() {
        assert_eq!(violations("crates/novel/Cargo.toml", "[dependencies]\n").len(), 1);
        assert_eq!(violations("Cargo.toml", "[workspace]\n").len(), 0);
    }
}
