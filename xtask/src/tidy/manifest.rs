//! The dependencies that a manifest names.
//!
//! In: a parsed `Cargo.toml`. Out: its dependencies of the kinds that are asked for, those of one platform too.

use toml::{Table, Value};

/// What the product is built of.
pub(super) const PRODUCT: &[&str] = &["dependencies", "build-dependencies"];
/// That, and what only tests use.
pub(super) const ALL: &[&str] = &["dependencies", "build-dependencies", "dev-dependencies"];

/// One dependency.
pub(super) struct Dependency {
    /// The name that the code uses for it.
    pub key: String,
    /// The name of its package.
    pub package: String,
    /// Set for the workspace's own crates.
    pub folder: Option<String>,
    pub is_optional: bool,
}

impl Dependency {
    pub(super) fn leads_to(&self, folder: &str) -> bool {
        self.folder.as_deref() == Some(folder)
    }
}

/// The dependencies of these kinds.
pub(super) fn dependencies(manifest: &Table, kinds: &[&str]) -> Vec<Dependency> {
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let sections = std::iter::once(manifest).chain(targets.filter_map(Value::as_table));
    let mut found = Vec::new();
    for section in sections {
        for kind in kinds {
            let entries = section.get(*kind).and_then(Value::as_table).into_iter().flatten();
            for (key, value) in entries {
                let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
                let folder = match package.strip_prefix("aqueduct-") {
                    Some(name) => Some(name.replace('-', "_")),
                    None => matches!(package, "aqueduct" | "xtask").then(|| package.to_owned()),
                };
                let is_optional = value.get("optional").and_then(Value::as_bool).unwrap_or(false);
                found.push(Dependency { key: key.clone(), package: package.to_owned(), folder, is_optional });
            }
        }
    }
    found
}
