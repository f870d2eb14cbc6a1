//! Files that declare one operation whose code is registered in Rust: `*.operation.json`, `*.operation.yaml` (operation
//! sources, sections on the scanner and on modules).
//!
//! Text in; a manifest, or every problem with its place, out. A file that declares nothing is passed over.

use crate::document::cursor::NodeCursor;
use crate::document::findings::Findings;
use crate::document::keys::{KeyBlock, KeySpec, ValueForm, check};
use crate::document::{NodeValue, by_name};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
use serde_json::Value as Json;

static ACCESS: KeyBlock = KeyBlock {
    name: "access_control",
    about: "Who may call it",
    keys: &[KeySpec::optional(
        "requiredScopes",
        ValueForm::List(&ValueForm::Filled),
        "Scopes that a caller needs, every one of them",
    )],
};

static OPERATION: KeyBlock = KeyBlock {
    name: "operation",
    about: "An operation whose code is registered in Rust",
    keys: &[
        KeySpec::required(
            "name",
            ValueForm::Filled,
            "Its name within its namespace",
            "Operation name is required",
        ),
        KeySpec::required(
            "namespace",
            ValueForm::Filled,
            "The source it belongs to",
            "Namespace is required",
        ),
        KeySpec::required("version", ValueForm::Filled, "SemVer", "Version is required"),
        KeySpec::required(
            "type",
            ValueForm::OneOf(&["QUERY", "MUTATION", "SUBSCRIPTION"]),
            "What it does",
            "Type is required",
        ),
        KeySpec::required(
            "description",
            ValueForm::Filled,
            "What it does, in words",
            "Description is required",
        ),
        KeySpec::required(
            "inputSchema",
            ValueForm::Either(&[ValueForm::Map(&ValueForm::Any), ValueForm::Flag]),
            "A JSON Schema of what it takes",
            "Input schema is required",
        ),
        KeySpec::optional(
            "outputSchema",
            ValueForm::Either(&[ValueForm::Map(&ValueForm::Any), ValueForm::Flag]),
            "A JSON Schema of what it gives; anything when absent",
        ),
        KeySpec::optional("accessControl", ValueForm::Block(&ACCESS), "Who may call it"),
        KeySpec::optional(
            "handler",
            ValueForm::Filled,
            "The key of its code, when that is not <namespace>.<name>",
        ),
    ],
};

/// What a file declares.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationManifest {
    /// The file, as it was named.
    pub file: String,
    /// The operation.
    pub spec: OperationSpec,
    /// The key of its code, when the file names one.
    pub handler: Option<String>,
}

impl OperationManifest {
    /// The key under which its code is registered: `<namespace>.<name>` where nothing else is said.
    pub fn handler_key(&self) -> String {
        self.handler.clone().unwrap_or_else(|| format!("{}.{}", self.spec.namespace, self.spec.name))
    }
}

/// What reading a file gives.
#[derive(Debug)]
pub enum Manifest {
    /// An operation, and remarks on it.
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
pub fn read(file: &str, text: &str) -> Manifest {
    let mut found = Findings::new(file, text);
    if text.trim().is_empty() {
        return Manifest::Nothing;
    }
    let Some(document) = by_name::parse(file, text, &mut found) else {
        return Manifest::Invalid(found.finish());
    };
    let root = NodeCursor::root(&document.root);
    let declares = |entry: &crate::document::MapEntry| OPERATION.keys.iter().any(|key| key.name == entry.key);
    let is_empty = match &document.root.value {
        NodeValue::Null => true,
        NodeValue::Map(entries) => !entries.iter().any(declares),
        _ => false,
    };
    if is_empty {
        return Manifest::Nothing;
    }
    check(&OPERATION, &root, &mut found);
    check_version(&root, &mut found);
    match spec(&root).filter(|_| !found.has_errors()) {
        Some(spec) => {
            let manifest =
                OperationManifest { file: file.to_owned(), spec, handler: root.owned_text("handler") };
            Manifest::Declared(Box::new(manifest), found.finish())
        }
        None => Manifest::Invalid(found.finish()),
    }
}

fn check_version(root: &NodeCursor<'_>, found: &mut Findings<'_>) {
    if let Some(at) = root.get("version")
        && at.node.text().is_some_and(|text| semver::Version::parse(text).is_err())
    {
        found.add(
            at.error("INVALID_VALUE", "Version must be valid SemVer").expected("a version such as 1.0.0"),
        );
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
mod tests {
    use super::{Manifest, OperationManifest, is_operation_file, read};
    use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
    use serde_json::json;

    const GOOD: &str = "name: sum\nnamespace: maths\nversion: 1.0.0\ntype: QUERY\ndescription: Adds\n\
        inputSchema: {type: object, properties: {a: {type: number}}}\noutputSchema: {type: number}\n\
        accessControl: {requiredScopes: [maths]}\n";

    fn declared(file: &str, text: &str) -> OperationManifest {
        match read(file, text) {
            Manifest::Declared(manifest, found) => {
                assert!(found.is_empty(), "{found:?}");
                *manifest
            }
            other => panic!("{other:#?}"),
        }
    }

    fn invalid(text: &str) -> Vec<(&'static str, String, u32)> {
        let Manifest::Invalid(found) = read("x.operation.yaml", text) else { panic!("{text}") };
        found.into_iter().map(|each| (each.code, each.path, each.position.line)).collect()
    }

    /// S-registry-1 S-registry-2 S-registry-3 S-scanner-13: the eight fields, in YAML and in JSON.
    #[test]
    fn eight_fields() {
        let manifest = declared("x.operation.yaml", GOOD);
        assert_eq!(
            manifest.spec,
            OperationSpec {
                name: "sum".into(),
                namespace: "maths".into(),
                version: "1.0.0".into(),
                kind: OperationKind::Query,
                description: "Adds".into(),
                input_schema: json!({"type": "object", "properties": {"a": {"type": "number"}}}),
                output_schema: json!({"type": "number"}),
                access_control: AccessControl { required_scopes: vec!["maths".into()] },
            }
        );
        assert_eq!(manifest.handler_key(), "maths.sum");
        let json = "{\"name\": \"x\", \"namespace\": \"n\", \"version\": \"1.0.0\", \"type\": \"MUTATION\", \"description\": \"d\",\
            \"inputSchema\": true, \"handler\": \"other.key\"}";
        let manifest = declared("x.operation.json", json);
        assert_eq!(
            (manifest.spec.output_schema.clone(), manifest.spec.kind),
            (json!(true), OperationKind::Mutation)
        );
        assert!(manifest.spec.access_control.required_scopes.is_empty());
        assert_eq!(manifest.handler_key(), "other.key");
    }

    /// S-scanner-4: every error of a file is reported, each with its place.
    #[test]
    fn all_errors_together() {
        let found = invalid(
            "name: 7\nversion: one\ntype: READ\ndescription: ''\ninputSchema: []\nspare: 1\naccessControl: {requiredScopes: x}\n",
        );
        let expected = [
            ("MISSING_KEY", "namespace", 1),
            ("WRONG_TYPE", "name", 1),
            ("INVALID_VALUE", "version", 2),
            ("INVALID_VALUE", "type", 3),
            ("INVALID_VALUE", "description", 4),
            ("WRONG_TYPE", "inputSchema", 5),
            ("UNKNOWN_KEY", "spare", 6),
            ("WRONG_TYPE", "accessControl.requiredScopes", 7),
        ];
        let found: Vec<_> = found.iter().map(|(code, path, line)| (*code, path.as_str(), *line)).collect();
        assert_eq!(found, expected);
        assert_eq!(invalid("a: [1")[0].0, "YAML_SYNTAX");
        assert_eq!(invalid("[1]")[0].0, "WRONG_TYPE");
    }

    /// S-scanner-5: a file that declares nothing is passed over.
    #[test]
    fn nothing_declared() {
        for text in ["", "\n", "null", "{}", "# soon\n", "title: notes\n"] {
            assert!(matches!(read("x.operation.yaml", text), Manifest::Nothing), "{text}");
        }
    }

    /// S-scanner-3: the ending tells.
    #[test]
    fn by_name() {
        for name in ["a.operation.json", "x/a.b.operation.yaml", "a.operation.yml"] {
            assert!(is_operation_file(name), "{name}");
        }
        for name in [".operation.json", "operation.json", "a.operation.md", "a.json", "a.operation.json.bak"]
        {
            assert!(!is_operation_file(name), "{name}");
        }
    }
}
