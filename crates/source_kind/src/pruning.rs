//! Operations taken out of a source, or given another name, with all that spoke of them.
//!
//! A source and what to keep in; the source without the rest out, and nothing in it that leads nowhere.

use aqueduct_operations::lifecycle::{Lifecycle, StatusSource};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::{Relationship, RelationshipFetch, RelationshipOperation};
use aqueduct_operations::types::{TypeBody, TypeDef};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Keeps the operations for which this is true and gives back the others.
pub fn keep(loaded: &mut LoadedSource, mut is_kept: impl FnMut(&Operation) -> bool) -> Vec<Operation> {
    let is_kept: Vec<bool> = loaded.operations.iter().map(&mut is_kept).collect();
    if is_kept.iter().all(|is_kept| *is_kept) {
        return Vec::new();
    }
    let used_before = used_types(loaded);
    let mut is_kept = is_kept.into_iter();
    // They are large: those that stay are not copied into a list of their own.
    let removed: Vec<Operation> =
        loaded.operations.extract_if(.., |_| is_kept.next().is_some_and(|is_kept| !is_kept)).collect();
    let names: HashSet<&str> = removed.iter().map(|operation| operation.name.as_str()).collect();
    let is_gone = |name: &str| names.contains(name);
    for operation in &mut loaded.operations {
        operation.update.read.take_if(|name| is_gone(name));
        operation.invalidates.iter_mut().for_each(|names| names.retain(|name| !is_gone(name)));
        if let Some(deprecated) = &mut operation.deprecated {
            deprecated.replacement.take_if(|name| is_gone(name));
        }
        forget_steps(&mut operation.lifecycle, is_gone);
    }
    loaded.source.relationships.retain(|each| !is_gone(&each.forward.operation));
    for each in &mut loaded.source.relationships {
        each.inverse.take_if(|way| is_gone(&way.operation));
    }
    for each in &mut loaded.source.types {
        each.fetch.take_if(|fetch| is_gone(&fetch.operation));
    }
    // A type that its author declared for no operation stays; one that served only those stays not.
    let used_now = used_types(loaded);
    loaded.source.types.retain(|each| used_now.contains(&each.name) || !used_before.contains(&each.name));
    removed
}

/// Gives an operation another name, wherever it is spoken of.
pub fn rename(loaded: &mut LoadedSource, from: &str, to: &str) {
    let change = |name: &mut String| {
        if name == from {
            to.clone_into(name);
        }
    };
    for operation in &mut loaded.operations {
        change(&mut operation.name);
        operation.update.read.iter_mut().for_each(change);
        operation.invalidates.iter_mut().flatten().for_each(change);
        let replacement = operation.deprecated.as_mut().and_then(|each| each.replacement.as_mut());
        replacement.into_iter().for_each(change);
        if let Some(lifecycle) = operation.lifecycle.as_mut().map(Arc::make_mut) {
            let Lifecycle { status, cancel, retry, events, .. } = lifecycle;
            let status = match status {
                StatusSource::Operation(step) => Some(step),
                StatusSource::Location => None,
            };
            let steps = status.into_iter().chain(cancel).chain(retry).chain(events);
            steps.for_each(|step| change(&mut step.operation));
        }
    }
    for Relationship { forward, inverse, .. } in &mut loaded.source.relationships {
        std::iter::once(forward)
            .chain(inverse)
            .for_each(|RelationshipOperation { operation, .. }| change(operation));
    }
    for TypeDef { fetch, .. } in &mut loaded.source.types {
        fetch.iter_mut().for_each(|RelationshipFetch { operation, .. }| change(operation));
    }
}

/// Work whose state no one tells any more is not followed; other steps that are gone are left out.
fn forget_steps(lifecycle: &mut Option<Arc<Lifecycle>>, is_gone: impl Fn(&str) -> bool) {
    lifecycle
        .take_if(|rule| matches!(&rule.status, StatusSource::Operation(step) if is_gone(&step.operation)));
    let Some(rule) = lifecycle else { return };
    if rule.steps().any(|(_, step)| is_gone(&step.operation)) {
        let Lifecycle { cancel, retry, events, .. } = Arc::make_mut(rule);
        for step in [cancel, retry, events] {
            step.take_if(|step| is_gone(&step.operation));
        }
    }
}

/// Names of the types that operations and relationships lead to.
fn used_types(loaded: &LoadedSource) -> HashSet<String> {
    let mut used = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    let types: HashMap<&str, &TypeBody> =
        loaded.source.types.iter().rev().map(|each| (each.name.as_str(), &each.body)).collect();
    for operation in &loaded.operations {
        open.push(operation.returns.name.trim_end_matches("[]"));
        open.extend(references(&operation.params));
    }
    for each in &loaded.source.relationships {
        open.extend([each.from.as_str(), each.to.as_str()]);
    }
    while let Some(name) = open.pop() {
        if !used.insert(name.to_owned()) {
            continue;
        }
        match types.get(name) {
            Some(TypeBody::Object(fields)) => open.extend(references(fields)),
            Some(TypeBody::Union(members)) => open.extend(members.iter().map(String::as_str)),
            Some(TypeBody::Enum(_) | TypeBody::Scalar) | None => {}
        }
    }
    used
}

fn references(params: &[Param]) -> impl Iterator<Item = &str> {
    params.iter().filter_map(|param| param.shape.reference.as_deref())
}
