//! Tests of `edges`.

use super::{check, stale};
use crate::tidy::tests::{file, places};

fn violations(path: &str, manifest: &str) -> Vec<String> {
    places(&check(&[file(path, manifest)]).unwrap())
}

#[test]
fn siblings_do_not_see_each_other() {
    let manifest = "[dependencies]\nserde = \"1\"\naqueduct-safety.workspace = true\n";
    assert_eq!(violations("crates/upstream/Cargo.toml", manifest), ["crates/upstream/Cargo.toml:3"]);
    assert_eq!(violations("crates/sources/Cargo.toml", manifest).len(), 1);
    assert_eq!(violations("crates/aqueduct/Cargo.toml", manifest).len(), 0);
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

/// S-extend-3 S-mcp-4: who does not need MCP servers does not carry the crate that connects to them.
#[test]
fn a_source_with_dependencies_of_its_own_is_optional() {
    let always = "[dependencies]\naqueduct-mcp-client.workspace = true\n";
    let optional = "[dependencies]\naqueduct-mcp-client = { workspace = true, optional = true }\n";
    assert_eq!(violations("crates/aqueduct/Cargo.toml", always), ["crates/aqueduct/Cargo.toml:2"]);
    assert_eq!(violations("crates/aqueduct/Cargo.toml", optional).len(), 0);
}

/// What can send requests is not carried by crates that take no permits.
#[test]
fn few_crates_have_a_client() {
    for client in ["reqwest", "hyper", "hyper-util"] {
        let manifest = format!("[dependencies]\nclient = {{ package = \"{client}\", version = \"1\" }}\n");
        assert_eq!(violations("crates/dispatch/Cargo.toml", &manifest), ["crates/dispatch/Cargo.toml:2"]);
        assert_eq!(violations("crates/aqueduct/Cargo.toml", &manifest).len(), 1);
    }
    let manifest = "[dependencies]\nreqwest.workspace = true\n";
    assert_eq!(violations("crates/egress/Cargo.toml", manifest).len(), 0);
    assert_eq!(
        violations("crates/dispatch/Cargo.toml", "[dev-dependencies]\nreqwest.workspace = true\n").len(),
        0
    );
}

/// S-extend-6: only the shared converter reads JSON Schema; tests may ask another.
#[test]
fn one_crate_converts_schemas() {
    let private = "[dependencies]\njsonschema.workspace = true\n";
    let in_tests = "[dev-dependencies]\njsonschema.workspace = true\n";
    assert_eq!(violations("crates/sources/Cargo.toml", private), ["crates/sources/Cargo.toml:2"]);
    assert_eq!(violations("crates/sources/Cargo.toml", in_tests).len(), 0);
    assert_eq!(violations("crates/schema/Cargo.toml", private).len(), 0);
}

#[test]
fn an_edge_that_nobody_uses_is_told() {
    let told = |manifest: &str| places(&stale(&[file("crates/store/Cargo.toml", manifest)]).unwrap());
    let both =
        "[dependencies]\naqueduct-operations.workspace = true\naqueduct-private-files.workspace = true\n";
    assert_eq!(told(both), Vec::<String>::new());
    assert_eq!(
        told(&both.replace("[dependencies]", "[dev-dependencies]")),
        ["crates/store/Cargo.toml:1", "crates/store/Cargo.toml:1"]
    );
}

#[test]
fn a_new_crate_must_be_given_its_place() {
    assert_eq!(violations("crates/novel/Cargo.toml", "[dependencies]\n").len(), 1);
    assert_eq!(violations("Cargo.toml", "[workspace]\n").len(), 0);
}
