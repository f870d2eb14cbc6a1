//! Operations whose code is part of the program: a spec and a handler each, as sources by namespace.
//!
//! What a tool of another server gets from its listing, these get from their spec; they are shown and called alike.

use crate::brevity::brief;
use crate::handled;
use crate::input_schema::{SourceTypes, arguments, wired};
use crate::operator_rules;
use crate::public_names::{NameRules, assign, source_name};
use crate::settings::SourceSettings;
use aqueduct_operations::category::Category;
use aqueduct_operations::category::floor::{FloorInput, floor};
use aqueduct_operations::category::verbs::category_of;
use aqueduct_operations::handler::Handler;
use aqueduct_operations::naming::{MAX_OPERATION_NAME, RESERVED, is_adapter_name};
use aqueduct_operations::native::{OperationKind, OperationSpec};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::trust::TrustLevel;
use std::collections::HashSet;
use std::sync::Arc;

/// A spec with its code.
pub type Registered = (OperationSpec, Arc<dyn Handler>);

const NAMES: NameRules = NameRules { longest: MAX_OPERATION_NAME, reserved: RESERVED, noun: "operation" };

/// A source for each namespace, in the order in which they first appear. They are `official` unless the settings say
/// otherwise: what they run is the program itself.
pub fn native(specs: Vec<Registered>, settings: &SourceSettings) -> Vec<LoadedSource> {
    let mut namespaces: Vec<(String, Vec<Registered>)> = Vec::new();
    for (spec, handler) in specs {
        match namespaces.iter_mut().find(|(namespace, _)| *namespace == spec.namespace) {
            Some((_, members)) => members.push((spec, handler)),
            None => namespaces.push((spec.namespace.clone(), vec![(spec, handler)])),
        }
    }
    let mut taken = HashSet::new();
    let mut sources = Vec::with_capacity(namespaces.len());
    for (namespace, members) in namespaces {
        let keeps = is_adapter_name(&namespace) && !taken.contains(&namespace);
        let name = if keeps { namespace } else { source_name(&namespace, &taken) };
        taken.insert(name.clone());
        sources.push(source(name, members, settings));
    }
    sources
}

fn source(name: String, members: Vec<Registered>, settings: &SourceSettings) -> LoadedSource {
    let mut source = handled::source(name, TrustLevel::Official, settings);
    source.description = format!("Operations of the program in {}", source.name);
    let versions = members.iter().filter_map(|(spec, _)| semver::Version::parse(&spec.version).ok());
    source.version = versions.max().map_or_else(|| source.version.clone(), |version| version.to_string());
    let originals: Vec<&str> = members.iter().map(|(spec, _)| spec.name.as_str()).collect();
    let names: Vec<String> = assign(&originals, &NAMES).into_iter().map(|named| named.name).collect();
    let mut types = SourceTypes::default();
    let operations = members
        .into_iter()
        .zip(names)
        .map(|((spec, handler), name)| operation(spec, name, handler, &mut types));
    let operations = operations.collect();
    source.types = types.into_list();
    let mut loaded = LoadedSource { source, operations };
    operator_rules::apply(&mut loaded, settings);
    loaded
}

fn operation(
    spec: OperationSpec,
    name: String,
    handler: Arc<dyn Handler>,
    types: &mut SourceTypes,
) -> Operation {
    let (category, reason, confidence) = category(spec.kind, &name);
    let names = [name.as_str(), spec.name.as_str()];
    let held = floor(category, &FloorInput { names: &names, ..FloorInput::default() });
    let is_doubtful = held.is_some() && category == Category::Read;
    let (category, reason, confidence) = match &held {
        Some(held) => (held.category, format!("{reason}, but {}", held.reason), Confidence::Low),
        None => (category, reason, confidence),
    };
    let taken = arguments(&Arc::new(spec.input_schema), &name, types);
    let mut operation = handled::operation(name, category, "native", wired(handler, taken.wiring));
    if let Some(held) = held {
        operation.danger.hold_floor(held.level);
    }
    operation.params = taken.params;
    operation.description = brief(&spec.description, 300);
    operation.required_scopes = spec.access_control.required_scopes;
    handled::set_output(&mut operation, &spec.output_schema, types);
    operation.origin = Some(ImportOrigin {
        is_unnamed: false,
        place: format!("{}.{}", spec.namespace, spec.name),
        name: spec.name,
        reason,
        confidence,
        needs_review: is_doubtful,
    });
    operation
}

/// What asks or listens reads; what changes something does what its verb says, which is never to read.
fn category(kind: OperationKind, name: &str) -> (Category, String, Confidence) {
    match kind {
        OperationKind::Query => (Category::Read, "it is declared a QUERY".to_owned(), Confidence::High),
        OperationKind::Subscription => {
            (Category::Read, "it is declared a SUBSCRIPTION".to_owned(), Confidence::High)
        }
        OperationKind::Mutation => match category_of(name).filter(|category| *category != Category::Read) {
            Some(category) => {
                let reason = format!("it is declared a MUTATION, and its verb means {}", category.upper());
                (category, reason, Confidence::Medium)
            }
            None => {
                let reason = "it is declared a MUTATION, and its name does not say of which kind";
                (Category::Execute, reason.to_owned(), Confidence::Low)
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::native;
    use crate::settings::SourceSettings;
    use aqueduct_operations::handler::{Boxed, Envelope, Handler, HandlerCall, HandlerError};
    use aqueduct_operations::native::{AccessControl, OperationKind, OperationSpec};
    use aqueduct_operations::target::Target;
    use aqueduct_operations::trust::TrustLevel;
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
        assert_eq!(target.kind, "native");
        assert_eq!(target.handler.preview(json!({"item_id": 1}).as_object().unwrap()), json!({"itemId": 1}));
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
}
