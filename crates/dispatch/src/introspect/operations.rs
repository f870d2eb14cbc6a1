//! Operations as introspection shows them: one line in the list, everything in the detail.
//!
//! Both shapes are closed: facts that have no field are words in the description (ruling W2).

use super::parameters::{self, InputHandling};
use super::put_some;
use crate::catalog_view::CatalogView;
use crate::discovery::related_operations;
use aqueduct_operations::controls::Control;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::example::request_showing;
use aqueduct_operations::execution::ExecutionState;
use aqueduct_operations::lifecycle::Lifecycle;
use aqueduct_operations::operation::{Example, RegistryEntry};
use aqueduct_operations::response::{AggregateFunction, AggregateRule, ComputedField, Paging, PushFilter};
use aqueduct_operations::short_text::first_sentence;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{BuiltIn, Target};
use serde_json::{Value, json};

/// The four fields of a list item and nothing more.
pub fn item(view: &CatalogView<'_>, index: usize) -> Value {
    let entry = view.catalog().placed(index);
    json!({
        "name": entry.public_name,
        "semantic_category": entry.operation.category.upper(),
        "endpoint": view.catalog().exposure().family_of(entry).name,
        "description": line(view, index),
    })
}

/// The details of one operation, in the closed shape of the introspection schema.
pub fn detail(view: &CatalogView<'_>, index: usize, sent: InputHandling) -> Value {
    let (entry, exposure) = (view.catalog().placed(index), view.catalog().exposure());
    let operation = &entry.operation;
    let mut returns = json!({"name": operation.returns.name, "kind": operation.returns.kind});
    put_some(&mut returns, "description", operation.returns.description.as_deref());
    let needs_confirmation = view.decision(index).needs_confirmation();
    let mut detail = json!({
        "name": entry.public_name,
        "semantic_category": operation.category.upper(),
        "endpoint": exposure.family_of(entry).name,
        "mcpTool": exposure.tool_of(entry),
        "description": description(view, index),
        "permissions": {
            "readOnly": operation.category.read_only(),
            "destructive": operation.category.destructive(),
        },
        "parameters": parameters::list(operation, needs_confirmation, sent),
        "returns": returns,
        "examples": examples(entry),
    });
    if operation.is_list() {
        detail["aggregation_support"] = aggregation(&operation.answers.aggregate);
    }
    if matches!(operation.target, Target::BuiltIn(BuiltIn::QueryRelationships)) {
        detail["relationship_capabilities"] = relationships(&entry.source);
    }
    if let Some(rule) = &operation.lifecycle {
        detail["lifecycle"] = lifecycle(rule);
    }
    if !operation.answers.computed.is_empty() {
        detail["computed_fields"] =
            operation.answers.computed.iter().map(computed).collect::<Vec<_>>().into();
    }
    detail
}

/// Which links there are, and how far they are followed.
fn relationships(source: &Source) -> Value {
    let mut types: Vec<&str> = source.relationships.iter().map(|each| each.name.as_str()).collect();
    types.sort_unstable();
    types.dedup();
    let goes_back = source.relationships.iter().any(|each| each.inverse.is_some());
    let directions: &[&str] = if goes_back { &["outgoing", "incoming", "both"] } else { &["outgoing"] };
    json!({"supported": true, "directions": directions, "relationship_types": types,
           "max_depth": source.max_relationship_depth})
}

/// The states of an operation's executions, and what can be done with them (core specification, section 8.4.5). Every execution
/// can be cancelled; `supports_cancel` tells whether that ends the job itself.
fn lifecycle(rule: &Lifecycle) -> Value {
    let core = ExecutionState::ALL.into_iter().map(|state| state.name().to_owned());
    let states: Vec<String> = core.chain(rule.custom_states().into_iter().map(|(name, _)| name)).collect();
    json!({"states": states, "supports_cancel": rule.cancel.is_some(), "supports_retry": rule.retry.is_some(),
           "progress_reporting": rule.progress.is_some()})
}

/// What may be counted and summed.
fn aggregation(rule: &AggregateRule) -> Value {
    let functions = match &rule.functions {
        Some(functions) => functions.iter().map(|function| function.name()).collect::<Vec<_>>(),
        None => AggregateFunction::NAMES.to_vec(),
    };
    let mut support = json!({"supported": true, "default_mode": "summary_only", "functions": functions});
    put_some(&mut support, "groupable_fields", rule.groupable_fields.clone());
    put_some(&mut support, "numeric_fields", rule.numeric_fields.clone());
    support
}

fn computed(field: &ComputedField) -> Value {
    let mut shown = json!({"name": field.name, "type": field.type_name});
    put_some(&mut shown, "description", field.description.as_deref());
    shown["filterable"] = field.filterable.into();
    shown["sortable"] = field.sortable.into();
    shown
}

/// Characters of an operation's line in a list.
const LINE: usize = 100;

/// One short sentence, and a warning where a model must not act on its own.
pub fn line(view: &CatalogView<'_>, index: usize) -> String {
    let operation = &view.catalog().placed(index).operation;
    let candidates =
        [&operation.description, operation.when_to_use.as_ref().unwrap_or(&operation.description)];
    // A name in place of words, `getBoards()`, or a path tells no more than the name of the operation does.
    let tells = |line: &String| match line.split_once(' ') {
        Some((_, rest)) => !rest.starts_with('/'),
        None => !line.is_empty() && line.chars().all(char::is_alphabetic),
    };
    let line = candidates.map(|text| first_sentence(text, LINE)).into_iter().find(tells);
    with_warnings(line.unwrap_or_else(|| capitalised(&operation.name.replace('_', " "))), view, index)
}

/// The author's words, when to use it, what else is done with the same thing, and a warning where a model must not act on
/// its own.
fn description(view: &CatalogView<'_>, index: usize) -> String {
    let operation = &view.catalog().placed(index).operation;
    let related = related_operations(view, index);
    let mut text = operation.description.trim().to_owned();
    if let Some(when) = &operation.when_to_use {
        text = format!("{} {when}", with_period(text));
    }
    if !related.is_empty() {
        text = format!("{} See also: {}.", with_period(text), related.join(", "));
    }
    with_warnings(text, view, index)
}

/// The text with what must be known before a call. Only what this caller may call is named as a replacement.
fn with_warnings(mut text: String, view: &CatalogView<'_>, index: usize) -> String {
    let (operation, decision) = (&view.catalog().placed(index).operation, view.decision(index));
    if operation.deprecated.is_some() {
        text = match view.replacement_of(index) {
            Some(replacement) => format!("{} Deprecated: use {replacement}.", with_period(text)),
            None => format!("{} Deprecated.", with_period(text)),
        };
    }
    if !decision.needs_confirmation() {
        return text;
    }
    let level = operation.danger.level;
    // A mild level is no reason to ask, so it is not reported as one.
    let warning = match level >= DangerLevel::Destructive {
        true => format!("{}; needs confirmation.", capitalised(level.name())),
        false => "Needs confirmation.".to_owned(),
    };
    format!("{} {warning}", with_period(text)).trim_start().to_owned()
}

fn with_period(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The author's examples, or the smallest request that works; for a list also one with several controls, where the author's
/// have none.
fn examples(entry: &RegistryEntry) -> Vec<Value> {
    let written = &entry.operation.examples;
    let mut shown: Vec<Value> = written.iter().map(|each| example(entry, each)).collect();
    if shown.is_empty() {
        shown.push(json!({"request": request_showing(entry, &[])}));
    }
    let is_control = |name: &String| Control::named(name, &entry.operation).is_some();
    if !written.iter().any(|each| each.params.keys().any(is_control)) {
        shown.extend(combined(entry));
    }
    shown
}

/// Controls in one request of a list, from what is known of it: what the API filters and sorts by, a short page, few fields.
fn combined(entry: &RegistryEntry) -> Option<Value> {
    let operation = &entry.operation;
    if !Control::First.is_offered_on(operation) {
        return None;
    }
    let push = &operation.answers.push;
    let known = |filter: &PushFilter| Some(json!({filter.key.as_str(): filter.values.as_ref()?.first()?}));
    let sorted = push.sort.iter().flat_map(|sort| &sort.fields).next();
    let most = operation.answers.paging.as_ref().map_or(Paging::MAX_LIMIT, |paging| paging.max_limit);
    let mut request = request_showing(entry, &[]);
    for (control, value) in [
        (Control::Filter, push.filters.iter().find_map(known)),
        (Control::Sort, sorted.map(|(field, _)| json!({"field": field}))),
        (Control::First, Some(most.min(5).into())),
        (Control::Fields, Some("minimal".into())),
    ] {
        put_some(&mut request["params"], &control.name_on(operation), value);
    }
    Some(json!({"description": "Several controls together", "request": request}))
}

fn example(entry: &RegistryEntry, example: &Example) -> Value {
    let mut shown = json!({});
    put_some(&mut shown, "description", example.description.as_deref());
    shown["request"] = json!({"operation": entry.public_name, "params": example.params});
    shown
}
