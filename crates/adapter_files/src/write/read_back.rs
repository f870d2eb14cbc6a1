//! What was written, read back before anyone has it: a file that does not load, or loads to something else, helps no one.
//!
//! A source in; the text of its file out, with a report of what is not in it or is not the same. An operation or an optional
//! parameter that no file can hold is left out and named; if the file still does not load, there is none.

mod compare;

use super::{WriteListener, WriteOptions, WriteProgress, WrittenFile, written};
use aqueduct_operations::category::Category;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::Param;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::response::UpdateRule;
use aqueduct_operations::target::Target;
use aqueduct_source_kind::pruning;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::SourceSettings;
use compare::ComparedSchemas;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// So often something is left out before it is given up.
const ROUNDS: usize = 4;

/// What is to be a file.
#[derive(Debug, Clone, Copy)]
pub struct SourceToWrite<'l> {
    /// The name of the file.
    pub file: &'l str,
    /// The source.
    pub loaded: &'l LoadedSource,
    /// What was said of its import.
    pub report: &'l ImportReport,
}

/// A file that loads.
#[derive(Debug)]
pub struct ProvenFile<'l> {
    /// Its text.
    pub text: String,
    /// The report, with what is not in the file or not the same there.
    pub report: ImportReport,
    /// The source without what no file can hold.
    pub loaded: Cow<'l, LoadedSource>,
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
#[error("the file would not load, which is a defect of aqueduct: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
pub struct ReadBackFailure(pub Vec<Diagnostic>);

/// Writes a source as a file, and reads it back with these settings.
pub fn proven<'l>(
    source: SourceToWrite<'l>,
    how: &WriteOptions<'_>,
    settings: &SourceSettings,
    listener: WriteListener<'_>,
) -> Result<ProvenFile<'l>, ReadBackFailure> {
    let mut loaded = Cow::Borrowed(source.loaded);
    let mut report = source.report.clone();
    let mut errors = Vec::new();
    for _ in 0..ROUNDS {
        let mut written = written(&loaded, how, listener);
        written.put_prose(&loaded.source.documentation, Some(&report));
        listener(WriteProgress { phase: "reading back", done: 0, total: 0 });
        let outcome = crate::load(source.file, written.text.as_bytes(), settings);
        if let Some(again) = outcome.loaded {
            let known = report.warnings.len();
            warn_of_differences(&loaded, &again, &written, &mut report, listener);
            if report.warnings.len() > known {
                written.put_prose(&loaded.source.documentation, Some(&report));
            }
            report_what_is_missing(&written, &mut report);
            return Ok(ProvenFile { text: written.text, report, loaded });
        }
        errors = outcome.diagnostics;
        errors.retain(|each| each.severity == DiagnosticSeverity::Error);
        if !leave_out(&errors, &written.lists, loaded.to_mut(), &mut report) {
            break;
        }
    }
    Err(ReadBackFailure(errors))
}

/// Reports what is not in the file; its text says so already.
fn report_what_is_missing(written: &WrittenFile, report: &mut ImportReport) {
    for (operation, why) in &written.unwritten {
        report.leave_out_operation(operation, why);
        report.loaded = report.loaded.saturating_sub(1);
    }
    for (operation, what) in &written.notes {
        report.warn_about(operation, what);
    }
}

/// Takes out what the errors are about; false when that cannot be said of all of them.
fn leave_out(
    errors: &[Diagnostic],
    lists: &[(Category, Vec<String>)],
    loaded: &mut LoadedSource,
    report: &mut ImportReport,
) -> bool {
    let mut lost: BTreeMap<String, String> = BTreeMap::new();
    for error in errors {
        let Some((operation, param)) = place(&error.path, lists) else { return false };
        let Some(at) = loaded.operations.iter_mut().find(|each| each.name == operation) else { continue };
        let optional = param.filter(|name| at.param(name).is_some_and(|param| !param.required));
        match optional {
            Some(name) => {
                at.params.retain(|param| param.name != name);
                report
                    .warn_about(&operation, format!("the parameter '{name}' is left out: {}", error.message));
            }
            None => {
                lost.entry(operation).or_insert_with(|| error.message.clone());
            }
        }
    }
    pruning::keep(loaded, |operation| !lost.contains_key(&operation.name));
    for (operation, why) in lost {
        report.leave_out_operation(operation, format!("no file can hold it: {why}"));
    }
    report.loaded = loaded.operations.len();
    !errors.is_empty()
}

/// The operation that a path such as `operations.read[3].params.id` leads to, and the parameter.
fn place(path: &str, lists: &[(Category, Vec<String>)]) -> Option<(String, Option<String>)> {
    let (category, rest) = path.strip_prefix("operations.")?.split_once('[')?;
    let (index, rest) = rest.split_once(']')?;
    let (_, names) = lists.iter().find(|(each, _)| each.lower() == category)?;
    let name = names.get(index.parse::<usize>().ok()?)?;
    let param = rest.strip_prefix(".params.").map(|rest| rest.split('.').next().unwrap_or_default());
    Some((name.clone(), param.map(str::to_owned)))
}

/// Names every operation that does not come back as it was.
fn warn_of_differences(
    before: &LoadedSource,
    after: &LoadedSource,
    written: &WrittenFile,
    report: &mut ImportReport,
    listener: WriteListener<'_>,
) {
    let again: HashMap<&str, &Operation> =
        after.operations.iter().map(|operation| (operation.name.as_str(), operation)).collect();
    let mut notes: HashMap<&str, Vec<&str>> = HashMap::new();
    for (operation, note) in &written.notes {
        notes.entry(operation).or_default().push(note);
    }
    let mut schemas = ComparedSchemas::of(before, after);
    for (done, operation) in before.operations.iter().enumerate() {
        listener(WriteProgress { phase: "comparing", done, total: before.operations.len() });
        let Some(other) = again.get(operation.name.as_str()) else { continue };
        let notes = notes.get(operation.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let is_reported = |what: &String| notes.iter().any(|note| note.contains(what.as_str()));
        let differing: Vec<String> = differences(operation, other, &mut schemas)
            .into_iter()
            .filter(|what| !is_reported(what))
            .collect();
        if !differing.is_empty() {
            report.warn_about(&operation.name, format!("not the same in the file: {}", differing.join(", ")));
        }
    }
}

/// What two operations differ in: parameters by their names in quotes.
fn differences(one: &Operation, other: &Operation, schemas: &mut ComparedSchemas<'_>) -> Vec<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for param in &one.params {
        if other.param(&param.name).is_none_or(|again| !is_same_param(param, again, schemas)) {
            found.insert(format!("'{}'", param.name));
        }
    }
    found.extend(
        other.params.iter().filter(|p| one.param(&p.name).is_none()).map(|param| format!("'{}'", param.name)),
    );
    let mut note = |is_same: bool, what: &str| {
        if !is_same {
            found.insert(what.to_owned());
        }
    };
    note(one.category == other.category, "its category");
    note(one.description == other.description, "its description");
    note(one.grouping == other.grouping, "the grouping of its parameters");
    note(is_same_target(one, other), "its request");
    note(one.danger.level == other.danger.level, "its danger");
    note(one.trust == other.trust, "how far it is trusted");
    note(one.non_idempotent == other.non_idempotent, "whether it may be repeated");
    note(one.returns == other.returns, "what it returns");
    note(answers(one) == answers(other), "what is said of its answers");
    note(one.lifecycle == other.lifecycle, "how its work is followed");
    note(is_same_update(&one.update, &other.update), "how it updates");
    note(one.required_scopes == other.required_scopes, "its scopes");
    note(schemas.are_same(one.output.as_ref(), other.output.as_ref()), "the schema of its answer");
    found.into_iter().collect()
}

/// What is said of its answers; a comma between names is what is meant when nothing is.
fn answers(operation: &Operation) -> String {
    let mut answers = operation.answers.clone();
    if answers.fields.join.is_empty() {
        answers.fields.join = ",".to_owned();
    }
    format!("{answers:?}")
}

/// A reader that is found by itself is not written.
fn is_same_update(one: &UpdateRule, other: &UpdateRule) -> bool {
    let read = one.read.as_ref().zip(other.read.as_ref());
    one.merge == other.merge && one.if_match == other.if_match && read.is_none_or(|(one, other)| one == other)
}

fn is_same_param(one: &Param, other: &Param, schemas: &mut ComparedSchemas<'_>) -> bool {
    let Param { name, shape, required, default, description, sensitive, .. } = one;
    let Param { place, upstream_name, sources, writing, schema, .. } = one;
    (name, required, default, description) == (&other.name, &other.required, &other.default, &other.description)
        && (sensitive, place, upstream_name) == (&other.sensitive, &other.place, &other.upstream_name)
        && sources == &other.sources
        // Patterns among them are compared as they are written.
        && format!("{shape:?} {writing:?}") == format!("{:?} {:?}", other.shape, other.writing)
        && schemas.are_same(schema.as_ref(), other.schema.as_ref())
}

fn is_same_target(one: &Operation, other: &Operation) -> bool {
    let shown = |operation: &Operation| {
        let Target::Http(target) = &operation.target else { return None };
        let mut target = target.clone();
        if !operation.params.iter().any(Param::is_body) {
            target.body = Default::default();
        }
        Some(format!("{target:?}"))
    };
    shown(one) == shown(other)
}

#[cfg(test)]
mod tests;
