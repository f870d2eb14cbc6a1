//! `import`: a source of any kind as an adapter file of its own, and a report of what became of it.
//!
//! A source in; a file, perhaps a discovery bundle, and the report out. Nothing of it is called: what a connection offers is
//! listed, no more. What is written was read back first. An existing file is not replaced unless asked for.

mod import_report;
mod write_file;

use super::{exit_of, pretty};
use crate::cli::{ImportArgs, ImportRequest, OutputFormat};
use crate::config;
use crate::cost::ToolCost;
use crate::progress::ProgressLine;
use crate::report::{self, CommandError, Exit};
use aqueduct::tooling::RecognisedSource;
use aqueduct::{Aqueduct, BuildError};
use aqueduct_adapter_files::write::{self, SourceToWrite, WriteOptions, WriteProgress};
use aqueduct_operations::clock::{Clock, SystemClock, iso8601};
use aqueduct_operations::credential_scope::without_secrets;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::connection::Connection;
use aqueduct_source_kind::kind::{ContentLocation, ImportInfo};
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::kind_table::KindTable;
use serde_json::Value;
use std::path::{Path, PathBuf};
use write_file::put;

/// The tools of more operations than this are not written out to be counted: each holds all that it leads to.
const MOST_COUNTED: usize = 1_500;

/// Imports what one of these kinds knows.
pub fn import(request: ImportRequest, kinds: &KindTable) -> Result<Exit, CommandError> {
    let ImportRequest { import: ImportInfo { command, takes_several, .. }, given, bundle, args } = request;
    if given.len() > 1 && !args.report_only {
        return Err(CommandError::invalid(
            "one document makes one adapter file; several only with --report-only",
        ));
    }
    // Of several, one that is no good does not keep the others from being reported; a program wants a line for each.
    let reports_each =
        given.len() > 1 || takes_several && args.report_only && args.format == OutputFormat::Json;
    let mut worst = Exit::Done;
    for given in &given {
        let source = import_source(given, command, kinds);
        // What is wrong with it is said when it is loaded.
        let found = RecognisedSource::of(&source, kinds).ok();
        let given = ImportedSource { path: &source, command, found: found.as_ref(), kinds };
        match given.check_kind().and_then(|()| one(&given, bundle.as_deref(), &args)) {
            Ok(exit) => worst = worst.max(exit),
            Err(stop) if reports_each => {
                import_report::failed(&source.display().to_string(), &stop.message, args.format);
                worst = worst.max(stop.exit);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(worst)
}

/// The source that is meant, where its kind lets a shorter form be given.
fn import_source(given: &Path, command: &str, kinds: &KindTable) -> PathBuf {
    kinds.imported_by(command).map_or_else(|| given.to_owned(), |kind| kind.import_source(given))
}

/// What is imported.
struct ImportedSource<'a> {
    path: &'a Path,
    /// The word of the subcommand.
    command: &'a str,
    /// What it is, as far as that is known before it is loaded.
    found: Option<&'a RecognisedSource>,
    kinds: &'a KindTable,
}

impl ImportedSource<'_> {
    /// What the subcommand imports, in a word.
    fn noun(&self) -> &'static str {
        self.kinds.imported_by(self.command).map_or("source", |kind| kind.explain().bare_noun())
    }

    /// Where it came from, without what may be secret about it.
    fn shown(&self, connection: Option<&dyn Connection>) -> String {
        let location = match self.found {
            Some(RecognisedSource::Content { location, .. }) => Some(location),
            Some(RecognisedSource::List { .. }) | None => None,
        };
        match (connection.and_then(Connection::url), location) {
            (Some(url), _) | (None, Some(ContentLocation::Web(url))) => without_secrets(url),
            // A command may hold secrets; the name of a file does not.
            (None, Some(ContentLocation::Connection(given))) => {
                let name = connection.map_or(given.name(), Connection::name);
                format!("the {} {name}", self.noun())
            }
            (None, Some(ContentLocation::File { .. }) | None) => self.path.display().to_string(),
        }
    }

    /// Refuses a source of another kind than the command imports, before anything is started for it.
    fn check_kind(&self) -> Result<(), CommandError> {
        // What a document on the web is, is seen when it has come.
        let (Some(RecognisedSource::List { kind, .. })
        | Some(RecognisedSource::Content { kind: Some(kind), .. })) = self.found
        else {
            return Ok(());
        };
        let info = kind.explain();
        let Some(other) = info.import.filter(|other| other.command != self.command) else { return Ok(()) };
        let shown = self.path.display().to_string();
        let hint = other.hint.replace("{source}", &shown);
        let message = format!("{shown} is {}, no {}; {hint}", info.noun, self.noun());
        Err(CommandError::invalid(report::terminal_safe(&message)))
    }
}

/// Refuses what would be written in vain: a file that cannot be loaded by its name.
fn check_output(output: &Path) -> Result<(), CommandError> {
    if output == Path::new("-") || aqueduct_adapter_files::name_prefix(&output.to_string_lossy()).is_some() {
        return Ok(());
    }
    let stem = output.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.trim_end_matches("-adapter");
    let stem = if stem.is_empty() { "api" } else { stem };
    let better = output.with_file_name(format!("{stem}-adapter.md"));
    let message = format!(
        "{} could not be loaded: adapter files are named *-adapter.md; write -o {}",
        output.display(),
        better.display()
    );
    Err(CommandError::invalid(report::terminal_safe(&message)))
}

fn one(source: &ImportedSource<'_>, bundle: Option<&Path>, args: &ImportArgs) -> Result<Exit, CommandError> {
    if args.output.is_none() && !args.report_only {
        return Err(CommandError::invalid(
            "say where to write with -o NAME-adapter.md, or use --report-only",
        ));
    }
    if let Some(output) = args.output.as_deref().filter(|_| !args.report_only) {
        check_output(output)?;
    }
    let mut shared = args.shared.clone();
    if args.report_only && shared.base_url.is_empty() {
        // Nothing is called, so it does not matter where the API is.
        shared.base_url.push("https://api.invalid".to_owned());
    }
    let progress = ProgressLine::new("reading");
    let builder = config::builder(&shared, &[source.path.to_owned()])?;
    let aqueduct = builder.kinds(source.kinds.clone()).build().map_err(refused)?;
    if !args.report_only {
        report::findings(aqueduct.diagnostics(), DiagnosticSeverity::Warning);
    }
    let mut loaded = aqueduct.loaded();
    let Some(mut only) = loaded.pop().filter(|_| loaded.is_empty()) else {
        let names: Vec<String> = aqueduct.loaded().iter().map(|each| each.source.name.clone()).collect();
        let message = match names.is_empty() {
            true => "nothing was loaded; see the findings above".to_owned(),
            false => format!("this holds several sources ({}); import one of them", names.join(", ")),
        };
        return Err(CommandError::invalid(message));
    };
    // What a file claims is its author's word; an import has been looked at by no one yet.
    if args.shared.trust.is_empty() {
        only.source.trust = TrustLevel::Generated;
    }
    let mut reports = aqueduct.reports();
    let mut found = if reports.is_empty() { None } else { Some(reports.swap_remove(0)) };
    let cost = (only.operations.len() <= MOST_COUNTED).then(|| {
        progress.set("counting", 0, 0);
        ToolCost::of(&aqueduct.catalog())
    });
    let connection = aqueduct.connection();
    let bundle = match bundle {
        Some(path) => Some((path, bundle_of(&aqueduct)?)),
        None => None,
    };
    // Of a large document it is several times the file that is written.
    drop(aqueduct);
    if let Some(output) = args.output.as_deref().filter(|_| !args.report_only) {
        let from = source.shown(connection.as_deref());
        let target = connection.as_ref().and_then(|connection| connection.adapter_target());
        let how = WriteOptions { imported_from: Some(&from), target: target.as_ref() };
        let mut report = found.clone().unwrap_or_default();
        target.iter().flat_map(|target| &target.warnings).for_each(|warning| report.warn(warning));
        let file = match output == Path::new("-") {
            true => format!("{}-adapter.md", only.source.name),
            false => output.display().to_string(),
        };
        let settings = SourceSettings::default();
        let tell = |step: WriteProgress| progress.set(step.phase, step.done, step.total);
        let source = SourceToWrite { file: &file, loaded: &only, report: &report };
        let proven = write::proven(source, &how, &settings, &tell)
            .map_err(|error| CommandError::failed(format!("nothing was written: {error}")))?;
        put(output, &proven.text, args.force)?;
        found = found.map(|_| proven.report);
    }
    if let Some((path, bundle)) = bundle {
        put(path, &format!("{}\n", pretty(&bundle)), args.force)?;
    }
    drop(progress);
    if let Some(found) = &found {
        import_report::report(found, cost.as_ref(), args.format, args.output.as_deref());
    }
    Ok(Exit::Done)
}

/// What was seen on the other side of a connection, as the interface has it.
fn bundle_of(aqueduct: &Aqueduct) -> Result<Value, CommandError> {
    let bundle = aqueduct.bundle(&iso8601(SystemClock.now()));
    bundle.ok_or_else(|| CommandError::invalid("there is nothing to make a discovery bundle of"))
}

/// Why nothing can be imported, in one line where a program may read it.
fn refused(error: BuildError) -> CommandError {
    let message = match &error {
        BuildError::Invalid(diagnostics) => {
            let first = diagnostics.iter().find(|each| each.severity == DiagnosticSeverity::Error);
            first.map_or_else(|| error.to_string(), |first| format!("{first}"))
        }
        _ => error.to_string(),
    };
    CommandError::new(exit_of(&error), message)
}

#[cfg(test)]
mod tests;
