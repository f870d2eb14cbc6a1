//! What an operator corrects in a source: category, danger, name, and whether an operation is there at all.
//!
//! From `[sources.NAME.operations."OP"]` of the configuration or from a file of its own; a source in, the corrected source
//! and findings out. OP is the public name, with or without the namespace, or the name in the document or on the other
//! server; `*` stands for any characters. A rule with a full name wins over one with `*`.

mod file;
mod names;

pub use file::{OVERRIDE, OverridesFile, read, read_block};
pub use names::SourceNames;

use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{DangerLevel, DangerOrigin, undeclared};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity, Position};
use aqueduct_operations::exposure::glob::Glob;
use aqueduct_operations::naming::{MAX_OPERATION_NAME, RESERVED, is_snake_case};
use aqueduct_operations::operation::{Declaration, Grouping, Operation, ValidationMode};
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::suggest::nearest;
use aqueduct_operations::target::{DotSegments, Target};
use aqueduct_source_kind::operator_rules;
use aqueduct_source_kind::pruning;
use aqueduct_source_kind::report::{ImportReport, Renamed};
use names::OperationNames;

/// The reason that a corrected operation gives.
pub const BY_THE_OPERATOR: &str = "set by the operator";

/// The code of a correction that cannot be made.
pub const INVALID_OVERRIDE: &str = "INVALID_OVERRIDE";

/// The code of a correction of an operation that is not there.
const UNKNOWN_OPERATION: &str = "UNKNOWN_OPERATION";

/// True for a correction that somebody relies on and that cannot be made.
pub fn is_unmade(finding: &Diagnostic) -> bool {
    finding.severity == DiagnosticSeverity::Error
        && [INVALID_OVERRIDE, UNKNOWN_OPERATION].contains(&finding.code)
}

/// Lets corrections of operations that are not there pass with a warning: they may be among those that are withheld.
pub fn excuse_unknown(findings: &mut [Diagnostic]) {
    for finding in findings.iter_mut().filter(|finding| finding.code == UNKNOWN_OPERATION) {
        finding.severity = DiagnosticSeverity::Warning;
    }
}

/// One rule.
#[derive(Debug, Clone)]
pub struct Override {
    /// Which operations it is about.
    pub operation: String,
    /// What is changed.
    pub change: OverrideChange,
    /// Where it is written.
    place: OverrideLocation,
}

/// What a rule changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OverrideChange {
    /// The category.
    pub category: Option<Category>,
    /// The danger.
    pub danger_level: Option<DangerLevel>,
    /// Whether the operation is not offered.
    pub hide: Option<bool>,
    /// Its name.
    pub rename: Option<String>,
    /// What becomes of values in its path that hold dot segments.
    pub dot_segments: Option<DotSegments>,
    /// Whether it is merged into what is stored.
    pub merge: Option<bool>,
    /// What happens to requests that are declared otherwise.
    pub validation: Option<ValidationMode>,
}

/// Where a rule is written.
#[derive(Debug, Clone, Default)]
struct OverrideLocation {
    path: String,
    position: Position,
}

impl Override {
    /// A rule that stands in no file.
    pub fn new(operation: impl Into<String>, change: OverrideChange) -> Override {
        Override { operation: operation.into(), change, place: OverrideLocation::default() }
    }

    fn is_pattern(&self) -> bool {
        self.operation.contains('*')
    }

    /// Indices of the operations that it is about. A public name counts before a name of the source's own.
    fn targets(&self, names: &SourceNames) -> Vec<usize> {
        let glob = Glob::of_text(&self.operation);
        let fits = |text: &str| glob.matches(text);
        let public = |operation: &OperationNames| fits(&operation.name) || fits(&names.namespaced(operation));
        let own = |operation: &OperationNames| {
            operation.origin.as_ref().is_some_and(|origin| fits(&origin.name) || fits(&origin.place))
        };
        if self.is_pattern() {
            return names.positions(|operation| public(operation) || own(operation));
        }
        let found = names.positions(public);
        if found.is_empty() { names.positions(own) } else { found }
    }

    fn finding(
        &self,
        severity: DiagnosticSeverity,
        code: &'static str,
        message: String,
        hint: Option<String>,
    ) -> Diagnostic {
        let OverrideLocation { path, position } = self.place.clone();
        Diagnostic { severity, code, path, message, expected: None, received: None, hint, position }
    }

    /// That it is about nothing.
    fn unknown(&self, sources: &[&SourceNames]) -> Diagnostic {
        let known = sources.iter().flat_map(|names| &names.operations).flat_map(|each| {
            [Some(each.name.as_str()), each.origin.as_ref().map(|origin| origin.name.as_str())]
        });
        let near = nearest(&self.operation, known.flatten(), 1)
            .first()
            .map(|name| format!("did you mean '{name}'?"));
        let message = format!("There is no operation '{}': nothing is changed by this", self.operation);
        // A pattern may be meant for what is not there yet; a name is a mistake, and what it should hide would be shown.
        let severity =
            if self.is_pattern() { DiagnosticSeverity::Warning } else { DiagnosticSeverity::Error };
        self.finding(severity, UNKNOWN_OPERATION, message, near)
    }
}

/// Applies the rules of one source to it. The report, when there is one, is kept true.
pub fn apply(
    rules: &[Override],
    loaded: &mut LoadedSource,
    report: Option<&mut ImportReport>,
) -> Vec<Diagnostic> {
    let names = SourceNames::of(loaded);
    let mut found = unknown_in(rules.iter(), &names);
    change(rules.iter(), &names, loaded, report, &mut found);
    found
}

/// What is said of rules that are meant for this source and concern nothing in it.
fn unknown_in<'r>(rules: impl Iterator<Item = &'r Override>, names: &SourceNames) -> Vec<Diagnostic> {
    rules.filter(|rule| rule.targets(names).is_empty()).map(|rule| rule.unknown(&[names])).collect()
}

/// Applies rules that are meant for all sources; what matches none of them is found by `OverridesFile::unknown`.
fn change<'r>(
    rules: impl Iterator<Item = &'r Override>,
    names: &SourceNames,
    loaded: &mut LoadedSource,
    report: Option<&mut ImportReport>,
    found: &mut Vec<Diagnostic>,
) {
    // Whom each is about is settled before names change. Full names come last, so that they win.
    let mut aims: Vec<(&Override, Vec<usize>)> = rules.map(|rule| (rule, rule.targets(names))).collect();
    aims.sort_by_key(|(rule, _)| !rule.is_pattern());
    let mut hidden = vec![false; loaded.operations.len()];
    let mut renamed = Vec::new();
    for (rule, targets) in aims {
        for index in &targets {
            correct(&rule.change, &mut loaded.operations[*index]);
            hidden[*index] = rule.change.hide.unwrap_or(hidden[*index]);
        }
        if let Some(name) = rule.change.rename.as_deref().filter(|_| !targets.is_empty()) {
            match new_name(name, &targets, loaded) {
                Ok(Some(from)) => {
                    pruning::rename(loaded, &from, name);
                    renamed.push(Renamed { from, to: name.to_owned(), why: BY_THE_OPERATOR.to_owned() });
                }
                Ok(None) => {}
                Err(message) => {
                    found.push(rule.finding(DiagnosticSeverity::Error, INVALID_OVERRIDE, message, None))
                }
            }
        }
    }
    let mut flags = hidden.into_iter();
    let removed = pruning::keep(loaded, |_| !flags.next().unwrap_or(false));
    if let Some(report) = report {
        report.renamed.extend(renamed);
        for operation in &removed {
            report.leave_out_operation(&operation.name, "hidden by the operator");
        }
        refresh(report, loaded);
    }
}

/// The name to be replaced; nothing when it is the same already.
fn new_name(name: &str, targets: &[usize], loaded: &LoadedSource) -> Result<Option<String>, String> {
    let &[target] = targets else {
        return Err(format!("{} operations cannot all be named '{name}'", targets.len()));
    };
    if !is_snake_case(name) || name.len() > MAX_OPERATION_NAME {
        return Err(format!("'{name}' is no name of an operation: up to 64 characters, as in get_item"));
    }
    if RESERVED.contains(&name) {
        return Err(format!("'{name}' is a reserved word"));
    }
    let from = &loaded.operations[target].name;
    if from == name {
        return Ok(None);
    }
    if loaded.operations.iter().any(|each| each.name == name) {
        return Err(format!("Another operation is named '{name}'"));
    }
    Ok(Some(from.clone()))
}

fn correct(change: &OverrideChange, operation: &mut Operation) {
    if let (Some(dot_segments), Target::Http(target)) = (change.dot_segments, &mut operation.target) {
        target.dot_segments = dot_segments;
    }
    if let Some(category) = change.category {
        set_category(operation, category);
    }
    if let Some(level) = change.danger_level {
        operation.danger.level = level;
        operation.danger.origin = DangerOrigin::Declared;
        operation.danger.reasons = vec![BY_THE_OPERATOR.to_owned()];
    }
    if let Some(merge) = change.merge {
        operator_rules::set_merge(operation, merge);
    }
    if let Some(validation) = change.validation {
        operation.validation = validation;
    }
}

fn set_category(operation: &mut Operation, category: Category) {
    operation.category = category;
    // What the adapter's own patterns raise stays raised; 'danger_level' lowers it.
    if !matches!(operation.danger.origin, DangerOrigin::Declared | DangerOrigin::AdapterPattern(_)) {
        (operation.danger.level, operation.danger.origin) = undeclared(&operation.name, category);
        let word = operation.final_word();
        operation.danger.raise_to_word(word);
    }
    // What is changed by an UPDATE lies in 'input' (ruling W8); of tools it is unknown what that is.
    if let Target::Http(target) = &operation.target {
        let has_fields = operation.params.iter().any(|param| param.is_body());
        operation.grouping = match (operation.grouping, category) {
            (Grouping::Flat, Category::Update) if has_fields && target.whole_body.is_none() => {
                Grouping::Input
            }
            (Grouping::Input, Category::Update) => Grouping::Input,
            (Grouping::Input, _) => Grouping::Flat,
            (other, _) => other,
        };
    }
    let Operation { declaration: Declaration { name, origin, .. }, target } = operation;
    let origin = origin.get_or_insert_with(|| ImportOrigin {
        is_unnamed: false,
        name: name.clone(),
        place: crate::filter::place_of(target),
        reason: String::new(),
        confidence: Confidence::High,
        needs_review: false,
    });
    BY_THE_OPERATOR.clone_into(&mut origin.reason);
    origin.confidence = Confidence::High;
    origin.needs_review = false;
}

/// Counts again, after operations have gone or been corrected.
pub(crate) fn refresh(report: &mut ImportReport, loaded: &LoadedSource) {
    report.loaded = loaded.operations.len();
    let doubtful = loaded.operations.iter().filter_map(|operation| {
        let origin = operation.origin.as_ref().filter(|origin| origin.needs_review)?;
        Some((operation.name.clone(), origin.reason.clone()))
    });
    report.needs_review = doubtful.collect();
    let is_here = |name: &str| loaded.operations.iter().any(|operation| operation.name == name);
    report.warnings.retain(|warning| warning.operation.as_deref().is_none_or(is_here));
}

#[cfg(test)]
pub(crate) mod tests;
