//! The SBOM: what the program is made of, as CycloneDX 1.5 in JSON.
//!
//! In: the tree of dependencies as cargo resolves it for this program, and the lock file. Out: every crate with its version,
//! licence, checksum and dependencies. What only helps to build it is not listed. The same sources make the same text.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Release, program};

/// What separates the columns of a line.
const COLUMN: char = '\t';

/// A crate: what is known of it, and the references of those that it needs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Component {
    name: String,
    version: String,
    licence: String,
    needs: BTreeSet<String>,
}

/// Writes the text.
pub fn write(release: &Release<'_>) -> Result<String> {
    let mut cargo = program::cargo(release.root);
    cargo.args(["tree", "--locked", "--offline", "-p", "aqueduct-cli", "-e", "normal,no-proc-macro"]);
    cargo.args(["--prefix", "depth", "--format", &format!("{COLUMN}{{p}}{COLUMN}{{l}}{COLUMN}")]);
    let tree = program::output(&mut cargo)?;
    let lock = crate::repo::read(&release.root.join("Cargo.lock"))?;
    let (main, components) = parse(&tree)?;
    let text = serde_json::to_string_pretty(&document(&main, &components, &checksums(&lock)?)?)?;
    Ok(text + "\n")
}

/// Reads the tree: the reference of the program, and all crates by theirs.
fn parse(tree: &str) -> Result<(String, BTreeMap<String, Component>)> {
    let mut components: BTreeMap<String, Component> = BTreeMap::new();
    let mut above: Vec<String> = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let mut columns = line.split(COLUMN);
        let (depth, package, licence) = (columns.next(), columns.next(), columns.next());
        let depth: usize = depth.unwrap_or_default().parse().with_context(|| line.to_owned())?;
        let mut words = package.unwrap_or_default().split(' ');
        let name = words.next().unwrap_or_default().to_owned();
        let version =
            words.next().and_then(|word| word.strip_prefix('v')).with_context(|| line.to_owned())?;
        let reference = format!("pkg:cargo/{name}@{version}");
        above.truncate(depth);
        if let Some(parent) = above.last().and_then(|parent| components.get_mut(parent)) {
            parent.needs.insert(reference.clone());
        }
        let component = components.entry(reference.clone()).or_default();
        (component.name, component.version) = (name, version.to_owned());
        // Some crates still write the form of before SPDX.
        component.licence = licence.unwrap_or_default().replace('/', " OR ");
        above.push(reference);
    }
    let main = above.first().cloned().context("cargo shows no tree")?;
    Ok((main, components))
}

/// The checksums of the lock file, by name and version.
fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table = lock.parse()?;
    let packages = lock.get("package").and_then(toml::Value::as_array).context("an empty lock file")?;
    let text = |package: &toml::Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let of =
        |package| Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?));
    Ok(packages.iter().filter_map(of).collect())
}

fn document(
    main: &str,
    components: &BTreeMap<String, Component>,
    checksums: &BTreeMap<(String, String), String>,
) -> Result<Value> {
    let described = |(reference, component): (&String, &Component), kind: &str| {
        let mut found = json!({
            "type": kind,
            "bom-ref": reference,
            "name": component.name,
            "version": component.version,
            "purl": reference,
            "licenses": [{ "expression": component.licence }],
        });
        if let Some(sum) = checksums.get(&(component.name.clone(), component.version.clone())) {
            found["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        found
    };
    let program = components.get_key_value(main).context("the program is not in its tree")?;
    let libraries = components.iter().filter(|(reference, _)| *reference != main);
    let libraries: Vec<Value> = libraries.map(|each| described(each, "library")).collect();
    let dependencies: Vec<Value> = components
        .iter()
        .map(|(reference, component)| json!({ "ref": reference, "dependsOn": component.needs }))
        .collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": described(program, "application") },
        "components": libraries,
        "dependencies": dependencies,
    }))
}

#[cfg(test)]
mod tests;
