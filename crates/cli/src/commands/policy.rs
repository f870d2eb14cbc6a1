//! `policy test`: a table of calls against trust, danger and the rules of the operator. Nothing is called.
//!
//! A file of calls with what is expected of each in; a line each, and how many are otherwise, out.

use super::{build_to_show, counted, pretty};
use crate::cli::{OutputFormat, PolicyTestArgs, ReportArgs};
use crate::config;
use crate::report::{self, CommandError, Exit};
use aqueduct_dispatch::{Catalog, take_pushed};
use aqueduct_documents::disk::{self, MAX_ADAPTER_FILE};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::format_by_name;
use aqueduct_documents::keys::ValueForm::{Any, Block, Filled, List, Map as MapOf, OneOf};
use aqueduct_documents::keys::{KeyBlock, check, optional, required};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::call::{Caller, Scopes};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::gatekeeper::{GateDecision, GateRule};
use aqueduct_operations::operation::{Grouping, RegistryEntry};
use aqueduct_operations::suggest::nearest;
use serde_json::{Map, Value, json};
use std::path::Path;

static CALL: KeyBlock = KeyBlock::new("call", "One call").keys(&[
    optional("source", Filled, "The source; needed where several have such an operation"),
    required("operation", Filled, "The operation", "Each call has an operation"),
    optional("caller", Filled, "Who calls; the one who runs the server if absent"),
    optional("scopes", List(&Filled), "What the caller may do; everything if absent"),
    optional("params", MapOf(&Any), "Its parameters, and controls such as filter"),
    required(
        "expect",
        OneOf(&["allow", "confirm", "deny"]),
        "What should become of it",
        "Each call has what is expected",
    ),
]);

static FILE: KeyBlock = KeyBlock::new("policy test", "Calls, and what is expected of each")
    .keys(&[required("calls", List(&Block(&CALL)), "The calls", "The file has a list of calls")]);

/// A call, and what should become of it.
struct ExpectedCall {
    source: Option<String>,
    operation: String,
    caller: Option<String>,
    scopes: Scopes,
    params: Map<String, Value>,
    expected: String,
}

/// What becomes of a call, and by which rule.
struct PolicyResult {
    decision: &'static str,
    rule: GateRule,
}

/// Tries every call of a file. 1 when one is otherwise.
pub fn test(args: &PolicyTestArgs) -> Result<Exit, CommandError> {
    let calls = read(&args.file)?;
    let ReportArgs { sources, format, shared } = &args.report;
    let aqueduct = build_to_show(config::builder(shared, sources)?)?;
    let catalog = aqueduct.catalog();
    let mut results = Vec::new();
    for call in &calls {
        results.push((call, decision(&catalog, call)?));
    }
    let wrong = results.iter().filter(|(call, result)| result.decision != call.expected).count();
    if *format == OutputFormat::Json {
        report::data(&pretty(&Value::from_iter(results.iter().map(|(call, result)| shown(call, result)))));
    } else {
        for (call, result) in &results {
            report::data(&report::terminal_safe(&line(call, result)));
        }
        report::data(&format!("{}, {wrong} not as expected", counted(results.len(), "call")));
    }
    Ok(if wrong == 0 { Exit::Done } else { Exit::Failed })
}

fn read(path: &Path) -> Result<Vec<ExpectedCall>, CommandError> {
    let file = path.display().to_string();
    let bytes =
        disk::read(path, MAX_ADAPTER_FILE).map_err(|error| CommandError::io(format!("{file}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| CommandError::invalid(format!("{file} is not UTF-8")))?;
    let mut found = Findings::new(&file, &text);
    let document = format_by_name::parse(&file, &text, &mut found);
    let mut calls = Vec::new();
    if let Some(document) = &document {
        let root = NodeCursor::root(&document.root);
        check(&FILE, &root, &mut found);
        calls =
            root.get("calls").iter().flat_map(NodeCursor::elements).filter_map(|at| expected(&at)).collect();
    }
    let failed = found.has_errors();
    report::findings(&found.finish(), DiagnosticSeverity::Warning);
    if failed { Err(CommandError::invalid(format!("{file} cannot be used"))) } else { Ok(calls) }
}

fn expected(at: &NodeCursor<'_>) -> Option<ExpectedCall> {
    Some(ExpectedCall {
        source: at.owned_text("source"),
        operation: at.owned_text("operation")?,
        caller: at.owned_text("caller"),
        scopes: at.get("scopes").map_or_else(Scopes::unrestricted, |_| Scopes::only(at.texts("scopes"))),
        params: at.get("params").and_then(|at| at.node.to_json().as_object().cloned()).unwrap_or_default(),
        expected: at.owned_text("expect")?,
    })
}

/// The decision on a call, with the defaults that it would be sent with.
fn decision(catalog: &Catalog, call: &ExpectedCall) -> Result<PolicyResult, CommandError> {
    let entry = find(catalog, call)?;
    let caller = call.caller.as_deref().filter(|name| *name != "local");
    let caller = caller.map_or_else(Caller::local, Caller::named);
    let mut params = call.params.clone();
    let pushed = take_pushed(entry, &mut params).map_err(|error| {
        CommandError::invalid(format!("'{}' cannot be called so: {error}", entry.public_name))
    })?;
    let mut values = values(entry, params)?;
    for param in &entry.operation.params {
        if let (Some(default), false) = (&param.default, values.contains_key(&param.name)) {
            values.insert(param.name.clone(), default.clone());
        }
    }
    let decision = GateDecision::of_call(catalog.rules(), entry, &caller, &values, &pushed);
    let missing = call.scopes.missing(&entry.operation.required_scopes);
    Ok(match missing {
        // As for a call: trust and rules come first.
        Some(scope) if decision.denial().is_none() => {
            PolicyResult { decision: "deny", rule: GateRule::Scope(scope.clone()) }
        }
        _ => PolicyResult { decision: decision.name(), rule: decision.rule },
    })
}

/// The values of a call by the names of their parameters, those of an update's `input` among them. A parameter that there is none of
/// would never be judged, so that a table with a slip in it would prove nothing.
fn values(entry: &RegistryEntry, mut values: Map<String, Value>) -> Result<Map<String, Value>, CommandError> {
    let operation = &entry.operation;
    if operation.grouping == Grouping::Input
        && let Some(Value::Object(fields)) = values.remove("input")
    {
        values.extend(fields);
    }
    let Some(unknown) = values.keys().find(|name| operation.param(name).is_none()) else { return Ok(values) };
    let names = operation.params.iter().map(|param| param.name.as_str());
    let near = nearest(unknown, names, 1);
    let near = near.first().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
    Err(CommandError::invalid(format!("'{}' has no parameter '{unknown}'{near}", entry.public_name)))
}

fn find<'c>(catalog: &'c Catalog, call: &ExpectedCall) -> Result<&'c RegistryEntry, CommandError> {
    let entries = || catalog.registry().entries().iter().map(|entry| &**entry);
    let is_of_source =
        |entry: &RegistryEntry| call.source.as_ref().is_none_or(|source| *source == entry.source.name);
    let is_meant = |entry: &&RegistryEntry| {
        is_of_source(entry) && (entry.public_name == call.operation || entry.operation.name == call.operation)
    };
    let found: Vec<&RegistryEntry> = entries().filter(is_meant).collect();
    match found.as_slice() {
        [entry] => Ok(entry),
        [] => {
            let names = entries().map(|entry| entry.public_name.as_str());
            let near = nearest(&call.operation, names, 1);
            let near = near.first().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
            let source =
                call.source.as_ref().map(|source| format!(" of the source '{source}'")).unwrap_or_default();
            Err(CommandError::invalid(format!("there is no operation '{}'{source}{near}", call.operation)))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|entry| entry.public_name.as_str()).collect();
            let message = format!("'{}' is one of {}; name its source", call.operation, names.join(", "));
            Err(CommandError::invalid(message))
        }
    }
}

fn line(call: &ExpectedCall, PolicyResult { decision, rule }: &PolicyResult) -> String {
    let (mark, expected) = if *decision == call.expected {
        ("ok   ", String::new())
    } else {
        ("WRONG", format!(", expected {}", call.expected))
    };
    let caller = call.caller.as_ref().map(|caller| format!(" by {caller}")).unwrap_or_default();
    let source = call.source.as_ref().map(|source| format!("{source} ")).unwrap_or_default();
    format!("{mark}  {source}{}{caller}: {decision}{expected} ({rule})", call.operation)
}

fn shown(call: &ExpectedCall, PolicyResult { decision, rule }: &PolicyResult) -> Value {
    json!({
        "source": call.source,
        "operation": call.operation,
        "caller": call.caller,
        "expected": call.expected,
        "decision": decision,
        "rule": rule.to_string(),
        "as_expected": *decision == call.expected,
    })
}
