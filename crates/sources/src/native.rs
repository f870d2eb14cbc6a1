//! Operations whose code is part of the program: a spec and a handler each, as sources by namespace.
//!
//! What a tool of another server gets from its listing, these get from their spec; they are shown and called alike.

use aqueduct_documents::summary::brief;
use aqueduct_operations::category::Category;
use aqueduct_operations::category::floor::{FloorInput, floor};
use aqueduct_operations::category::verbs::category_of;
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::naming::{MAX_OPERATION_NAME, RESERVED, is_adapter_name};
use aqueduct_operations::native::{OperationKind, OperationSpec};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::HandlerKind;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::handler_operations;
use aqueduct_source_kind::input_schema::{ArgumentReader, argument_reader, arguments, wired};
use aqueduct_source_kind::operator_rules;
use aqueduct_source_kind::public_names::{NameRules, assign, source_name};
use aqueduct_source_kind::settings::SourceSettings;
use std::collections::HashSet;
use std::sync::Arc;

/// A spec with its code.
pub type RegisteredOperation = (OperationSpec, SealedHandler);

const NAMES: NameRules = NameRules { longest: MAX_OPERATION_NAME, reserved: RESERVED, noun: "operation" };

/// A source for each namespace, in the order in which they first appear. They are `official` unless the settings say
/// otherwise: what they run is the program itself.
pub fn native(
    specs: Vec<(OperationSpec, impl Into<SealedHandler>)>,
    settings: &SourceSettings,
) -> Vec<LoadedSource> {
    let mut namespaces: Vec<(String, Vec<RegisteredOperation>)> = Vec::new();
    for (spec, handler) in specs {
        let handler = handler.into();
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

fn source(name: String, members: Vec<RegisteredOperation>, settings: &SourceSettings) -> LoadedSource {
    let mut source = settings.new_source(name, TrustLevel::Official);
    source.description = format!("Operations of the program in {}", source.name);
    let versions = members.iter().filter_map(|(spec, _)| semver::Version::parse(&spec.version).ok());
    source.version = versions.max().map_or_else(|| source.version.clone(), |version| version.to_string());
    let originals: Vec<&str> = members.iter().map(|(spec, _)| spec.name.as_str()).collect();
    let names: Vec<String> = assign(&originals, &NAMES).into_iter().map(|named| named.name).collect();
    let mut reader = argument_reader();
    let operations = members
        .into_iter()
        .zip(names)
        .map(|((spec, handler), name)| operation(spec, name, handler, &mut reader));
    let operations = operations.collect();
    source.types = reader.finish();
    let mut loaded = LoadedSource { source, operations };
    operator_rules::apply(&mut loaded, settings);
    loaded
}

fn operation(
    spec: OperationSpec,
    name: String,
    handler: SealedHandler,
    reader: &mut ArgumentReader,
) -> Operation {
    let (category, reason, confidence) = category(spec.kind, &name);
    let names = [name.as_str(), spec.name.as_str()];
    let floor_found = floor(category, &FloorInput { names: &names, ..FloorInput::default() });
    let is_doubtful = floor_found.is_some() && category == Category::Read;
    let (category, reason, confidence) = match &floor_found {
        Some(floor_found) => {
            (floor_found.category, format!("{reason}, but {}", floor_found.reason), Confidence::Low)
        }
        None => (category, reason, confidence),
    };
    let taken = arguments(&Arc::new(spec.input_schema), &name, reader);
    let mut operation =
        handler_operations::operation(name, category, HandlerKind::Function, wired(handler, taken.wiring));
    if let Some(floor_found) = floor_found {
        operation.danger.raise_to_floor(floor_found.level);
    }
    operation.params = taken.params;
    operation.description = brief(&spec.description, 300);
    operation.required_scopes = spec.access_control.required_scopes;
    handler_operations::set_output(&mut operation, &spec.output_schema, reader);
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
mod tests;
