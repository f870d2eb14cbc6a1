//! Tests of `operation_file`.

use super::{ManifestRead, OperationManifest, is_operation_file, read};
use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
use serde_json::json;

const GOOD: &str = "name: sum\nnamespace: maths\nversion: 1.0.0\ntype: QUERY\ndescription: Adds\n\
        inputSchema: {type: object, properties: {a: {type: number}}}\noutputSchema: {type: number}\n\
        accessControl: {requiredScopes: [maths]}\n";

fn declared(file: &str, text: &str) -> OperationManifest {
    match read(file, text) {
        ManifestRead::Declared(manifest, found) => {
            assert!(found.is_empty(), "{found:?}");
            *manifest
        }
        other => panic!("{other:#?}"),
    }
}

fn invalid(text: &str) -> Vec<(&'static str, String, u32)> {
    let ManifestRead::Invalid(found) = read("x.operation.yaml", text) else { panic!("{text}") };
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
        assert!(matches!(read("x.operation.yaml", text), ManifestRead::Nothing), "{text}");
    }
}

/// S-scanner-3: the ending tells.
#[test]
fn by_name() {
    for name in ["a.operation.json", "x/a.b.operation.yaml", "a.operation.yml"] {
        assert!(is_operation_file(name), "{name}");
    }
    for name in [".operation.json", "operation.json", "a.operation.md", "a.json", "a.operation.json.bak"] {
        assert!(!is_operation_file(name), "{name}");
    }
}
