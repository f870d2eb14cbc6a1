//! Tests of `native`.

use super::native;
use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
use aqueduct_operations::target::{HandlerKind, Target};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::{Map, Value, json};
use std::sync::Arc;

#[derive(Debug)]
struct Nothing;

impl Handler for Nothing {
    fn run<'a>(&'a self, _: HandlerCall<'a>) -> Boxed<'a, Result<Envelope, HandlerError>> {
        Box::pin(async { Err(HandlerError::Refused { message: "no".to_owned() }) })
    }

    fn preview(&self, values: &Map<String, Value>) -> Value {
        Value::Object(values.clone())
    }
}

fn spec(namespace: &str, name: &str, kind: OperationKind) -> (OperationSpec, Arc<dyn Handler>) {
    let spec = OperationSpec {
        name: name.into(),
        namespace: namespace.into(),
        version: "1.2.0".into(),
        kind,
        description: "Does it".into(),
        input_schema: json!({"type": "object", "properties": {"itemId": {"type": "integer"}}, "required": ["itemId"]}),
        output_schema: json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
        access_control: AccessControl { required_scopes: vec!["shop:write".into()] },
    };
    (spec, Arc::new(Nothing))
}

/// S-registry-1: what the spec says is what the operation has, parameters, output, scopes and version.
#[test]
fn spec_to_operation() {
    let mut sources =
        native(vec![spec("shop", "createItem", OperationKind::Mutation)], &SourceSettings::default());
    let loaded = sources.remove(0);
    assert_eq!((loaded.source.name.as_str(), loaded.source.version.as_str()), ("shop", "1.2.0"));
    assert_eq!(loaded.source.trust, TrustLevel::Official);
    let operation = &loaded.operations[0];
    assert_eq!((operation.name.as_str(), operation.category.upper()), ("create_item", "CREATE"));
    assert_eq!(operation.origin.as_ref().unwrap().place, "shop.createItem");
    assert_eq!(operation.required_scopes, ["shop:write"]);
    assert!((operation.params[0].name == "item_id") && operation.params[0].required);
    assert!(operation.output.as_ref().unwrap().get().accepts(&json!({"n": 1})));
    assert!(!operation.output.as_ref().unwrap().get().accepts(&json!({"n": "x"})));
    let Target::Handler(target) = &operation.target else { panic!() };
    assert_eq!(target.kind, HandlerKind::Function);
    assert_eq!(target.preview(json!({"item_id": 1}).as_object().unwrap()), json!({"itemId": 1}));
}

/// S-registry-2: a kind is a category; what changes something never reads.
#[test]
fn kinds() {
    let specs = [
        ("sum", OperationKind::Query),
        ("watch", OperationKind::Subscription),
        ("delete_it", OperationKind::Mutation),
        ("get_it", OperationKind::Mutation),
    ];
    let specs = specs.map(|(name, kind)| spec("shop", name, kind)).into();
    let sources = native(specs, &SourceSettings::default());
    let shown: Vec<_> = sources[0].operations.iter().map(|each| each.category.upper()).collect();
    assert_eq!(shown, ["READ", "READ", "DELETE", "EXECUTE"]);
    let kinds: Vec<_> = sources[0].operations.iter().map(OperationKind::of).collect();
    assert_eq!(kinds[0], OperationKind::Query);
    assert_eq!(kinds[3], OperationKind::Mutation);
    let repeatable: Vec<_> = sources[0].operations.iter().map(|each| !each.non_idempotent).collect();
    assert_eq!(repeatable, [true, true, false, false]);
}

#[test]
fn one_source_for_each_namespace() {
    let specs = vec![
        spec("shop", "a", OperationKind::Query),
        spec("My Shop", "b", OperationKind::Query),
        spec("shop", "c", OperationKind::Query),
        spec("my-shop", "d", OperationKind::Query),
    ];
    let settings = SourceSettings { trust: Some(TrustLevel::Generated), ..SourceSettings::default() };
    let sources = native(specs, &settings);
    let shown: Vec<_> =
        sources.iter().map(|each| (each.source.name.as_str(), each.operations.len())).collect();
    assert_eq!(shown, [("shop", 2), ("my-shop", 1), ("my-shop-2", 1)]);
    assert_eq!(sources[0].source.trust, TrustLevel::Generated);
}
