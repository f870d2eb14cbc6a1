//! Files that declare one operation whose code is registered in Rust: `*.operation.json`, `*.operation.yaml` (operation
//! sources, sections on the scanner and on modules).
//!
//! Text in; a manifest, or every problem with its place, out. A file that declares nothing is passed over.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::keys::ValueForm::{Any, Block, Either, Filled, Flag, List, Map, OneOf};
use aqueduct_documents::keys::{KeyBlock, check, optional, required};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_documents::{NodeValue, format_by_name};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
use aqueduct_source_kind::operation_manifest::OperationManifest;
use serde_json::Value as Json;

static ACCESS: KeyBlock = KeyBlock::new("access_control", "Who may call it").keys(&[optional(
    "requiredScopes",
    List(&Filled),
    "Scopes that a caller needs, every one of them",
)]);

static OPERATION: KeyBlock = KeyBlock::new("operation", "An operation whose code is registered in Rust")
    .keys(&[
        required("name", Filled, "Its name within its namespace", "Operation name is required"),
        required("namespace", Filled, "The source it belongs to", "Namespace is required"),
        required("version", Filled, "SemVer", "Version is required"),
        required("type", OneOf(OperationKind::NAMES), "What it does", "Type is required"),
        required("description", Filled, "What it does, in words", "Description is required"),
        required(
            "inputSchema",
            Either(&[Map(&Any), Flag]),
            "A JSON Schema of what it takes",
            "Input schema is required",
        ),
        optional(
            "outputSchema",
            Either(&[Map(&Any), Flag]),
            "A JSON Schema of what it gives; anything when absent",
        ),
        optional("accessControl", Block(&ACCESS), "Who may call it"),
        optional("handler", Filled, "The key of its code, when that is not <namespace>.<name>"),
    ]);

/// What reading a file gives.
#[derive(Debug)]
pub enum ManifestRead {
    /// An operation, and warnings about it.
    Declared(Box<OperationManifest>, Vec<Diagnostic>),
    /// Nothing is declared in it.
    Nothing,
    /// It cannot be used, for every one of these reasons.
    Invalid(Vec<Diagnostic>),
}

/// True when a file is one of these by its name.
pub fn is_operation_file(name: &str) -> bool {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    [".operation.json", ".operation.yaml", ".operation.yml"]
        .iter()
        .any(|end| name.strip_suffix(end).is_some_and(|rest| !rest.is_empty()))
}

/// Reads one file.
pub fn read(file: &str, text: &str) -> ManifestRead {
    let mut found = Findings::new(file, text);
    if text.trim().is_empty() {
        return ManifestRead::Nothing;
    }
    let Some(document) = format_by_name::parse(file, text, &mut found) else {
        return ManifestRead::Invalid(found.finish());
    };
    let root = NodeCursor::root(&document.root);
    let declares =
        |entry: &aqueduct_documents::MapEntry| OPERATION.keys.iter().any(|key| key.name == entry.key);
    let is_empty = match &document.root.value {
        NodeValue::Null => true,
        NodeValue::Map(entries) => !entries.iter().any(declares),
        _ => false,
    };
    if is_empty {
        return ManifestRead::Nothing;
    }
    check(&OPERATION, &root, &mut found);
    check_version(&root, &mut found);
    match spec(&root).filter(|_| !found.has_errors()) {
        Some(spec) => {
            let manifest =
                OperationManifest { file: file.to_owned(), spec, handler: root.owned_text("handler") };
            ManifestRead::Declared(Box::new(manifest), found.finish())
        }
        None => ManifestRead::Invalid(found.finish()),
    }
}

fn check_version(root: &NodeCursor<'_>, found: &mut Findings<'_>) {
    if let Some(at) = root.get("version")
        && at.node.text().is_some_and(|text| semver::Version::parse(text).is_err())
    {
        at.error("INVALID_VALUE", "Version must be valid SemVer")
            .expected("a version such as 1.0.0")
            .add_to(found);
    }
}

fn spec(root: &NodeCursor<'_>) -> Option<OperationSpec> {
    let scopes = root.get("accessControl").map(|at| at.texts("requiredScopes"));
    Some(OperationSpec {
        name: root.owned_text("name")?,
        namespace: root.owned_text("namespace")?,
        version: root.owned_text("version")?,
        kind: OperationKind::parse(root.text("type")?)?,
        description: root.owned_text("description")?,
        input_schema: root.get("inputSchema")?.node.to_json(),
        output_schema: root.get("outputSchema").map_or(Json::Bool(true), |at| at.node.to_json()),
        access_control: AccessControl { required_scopes: scopes.unwrap_or_default() },
    })
}

#[cfg(test)]
mod tests;
