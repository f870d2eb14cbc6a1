//! The tools that a server listed, as operations.
//!
//! A listing in; a source with one operation for each tool, and a report of what was renamed, left out or shortened, out.
//! Nothing here fails: a tool that cannot be used is named in the report.

use super::classify::{Classification, classify, common_prefix};
use aqueduct_documents::summary::brief;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::handler::SealedHandler;
use aqueduct_operations::mcp::ServerListing;
use aqueduct_operations::naming::{MAX_OPERATION_NAME, RESERVED};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::HandlerKind;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_schema::references::without_lost_references;
use aqueduct_source_kind::handler_operations;
use aqueduct_source_kind::input_schema::{ArgumentReader, argument_reader, arguments, wired};
use aqueduct_source_kind::operator_rules;
use aqueduct_source_kind::plain_text::make_plain;
use aqueduct_source_kind::public_names::{NameRules, PublicName, assign, source_name};
use aqueduct_source_kind::report::{ImportReport, Renamed};
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_source_kind::unusable_patterns::{
    self, PatternChecker, UNUSABLE_PATTERN, UnusablePattern, in_schema,
};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// Characters of the names of tools that stand in for a description of the server.
const LONGEST_NAMES: usize = 120;

/// Longer descriptions of tools are cut, so that lists stay cheap; the whole text is kept in the documentation.
const LONGEST_DESCRIPTION: usize = 300;

const NAMES: NameRules = NameRules { longest: MAX_OPERATION_NAME, reserved: RESERVED, noun: "tool" };

/// A server's tools as a source.
#[derive(Debug)]
pub struct ImportedServer {
    /// The source and its operations, in the order of the listing.
    pub loaded: LoadedSource,
    /// What was done to get there.
    pub report: ImportReport,
    /// Findings about what was listed.
    pub diagnostics: Vec<Diagnostic>,
}

/// Makes a source of what the server of this name listed. `handler` gives the code that calls the tool of this name.
pub fn load(
    name: &str,
    listing: &ServerListing,
    settings: &SourceSettings,
    handler: &dyn Fn(&str) -> SealedHandler,
) -> ImportedServer {
    let name = settings.source_name.clone().unwrap_or_else(|| name.to_owned());
    let mut report =
        ImportReport { source: name.clone(), found: listing.tools.len(), ..ImportReport::default() };
    let tools = usable(&listing.tools, &mut report);
    let originals: Vec<&str> = tools.iter().map(|(name, _)| *name).collect();
    let named = assign(&originals, &NAMES);
    let prefix = common_prefix(named.iter().map(|each| each.name.as_str()));
    let mut source = source(name, listing, &named, settings);
    let mut reader = argument_reader();
    let mut operations = Vec::with_capacity(tools.len());
    for ((original, tool), named) in tools.iter().zip(&named) {
        let class = classify(&named.name, original, prefix, tool.get("annotations"));
        let made = ImportedTool { original, tool, named, class }.lower(handler, &mut reader, &mut report);
        document(&made, tool, &mut source.documentation, &mut report);
        operations.push(made);
    }
    let diagnostics = warn_about_patterns(&tools, &operations, &source.name, &mut report);
    source.types = reader.finish();
    report.loaded = operations.len();
    let mut loaded = LoadedSource { source, operations };
    make_plain(&mut loaded);
    operator_rules::apply(&mut loaded, settings);
    ImportedServer { loaded, report, diagnostics }
}

/// Tells of patterns that no value can be held against.
fn warn_about_patterns(
    tools: &[(&str, &Value)],
    operations: &[Operation],
    source: &str,
    report: &mut ImportReport,
) -> Vec<Diagnostic> {
    let mut checker = PatternChecker::default();
    let mut found = Vec::new();
    for ((original, tool), operation) in tools.iter().zip(operations) {
        for key in ["inputSchema", "outputSchema"] {
            for UnusablePattern { place, words } in
                tool.get(key).map(|it| in_schema(it, &mut checker)).unwrap_or_default()
            {
                report.warn_about(&operation.name, format!("{key}.{place}: {words}"));
                found.push(UnusablePattern { place: format!("{original}.{key}.{place}"), words });
            }
        }
    }
    let warnings = unusable_patterns::first_of(found).into_iter().map(|UnusablePattern { place, words }| {
        let mut about = Diagnostic::about(source, DiagnosticSeverity::Warning, UNUSABLE_PATTERN, words);
        about.path = place;
        about
    });
    warnings.collect()
}

/// The server's own name, as a source's, when it gives one.
pub(super) fn own_name(listing: &ServerListing) -> Option<String> {
    let name = listing.server.get("name")?.as_str()?;
    name.chars().any(|c| c.is_ascii_alphanumeric()).then(|| source_name(name, &HashSet::new()))
}

/// The name of the operation that a tool becomes, as long as no other tool has it.
pub fn operation_name(tool: &str) -> String {
    let named = assign(&[tool], &NAMES).pop();
    named.map_or_else(|| tool.to_owned(), |named| named.name)
}

/// Tools with a name of their own; the others are left out.
fn usable<'l>(tools: &'l [Value], report: &mut ImportReport) -> Vec<(&'l str, &'l Value)> {
    let mut seen = HashSet::new();
    let mut usable = Vec::with_capacity(tools.len());
    for (index, tool) in tools.iter().enumerate() {
        match tool.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) {
            None => report
                .leave_out_operation(format!("tool number {}", index + 1), "it has no name to call it by"),
            Some(name) if seen.insert(name) => usable.push((name, tool)),
            Some(name) => report.leave_out_operation(name, "another tool of the server has the same name"),
        }
    }
    usable
}

struct ImportedTool<'l> {
    original: &'l str,
    tool: &'l Value,
    named: &'l PublicName,
    class: Classification,
}

impl ImportedTool<'_> {
    fn lower(
        self,
        handler: &dyn Fn(&str) -> SealedHandler,
        reader: &mut ArgumentReader,
        report: &mut ImportReport,
    ) -> Operation {
        let ImportedTool { original, tool, named, class } = self;
        let decision = class.decision;
        let name = named.name.clone();
        if let Some(why) = named.why {
            report.renamed.push(Renamed { from: original.to_owned(), to: name.clone(), why: why.to_owned() });
        }
        let schema = tool.get("inputSchema").cloned().unwrap_or(Value::Null);
        let schema = Arc::new(without_lost_references(schema));
        let taken = arguments(&schema, &name, reader);
        for Renamed { from, to, why } in taken.renamed {
            let (from, to) = (format!("{original}.{from}"), format!("{name}.{to}"));
            report.renamed.push(Renamed { from, to, why });
        }
        for warning in taken.warnings {
            report.warn_about(&name, warning);
        }
        if tool.pointer("/execution/taskSupport").and_then(Value::as_str) == Some("required") {
            report.warn_about(
                &name,
                "it runs only as a task, which is not supported; the server will refuse calls",
            );
        }
        if decision.needs_review {
            report.needs_review.push((name.clone(), decision.reason.clone()));
        }
        let code = wired(handler(original), taken.wiring);
        let mut operation =
            handler_operations::operation(name, decision.category, HandlerKind::McpTool, code);
        operation.params = taken.params;
        operation.description = brief(description(tool, original), LONGEST_DESCRIPTION);
        operation.danger = class.danger;
        operation.non_idempotent = !class.idempotent;
        operation.origin = Some(decision.origin(Some(original), original, format!("TOOL {original}")));
        if let Some(output) = tool.get("outputSchema") {
            let output = without_lost_references(output.clone());
            handler_operations::set_output(&mut operation, &output, reader);
        }
        if operation.output.is_none() {
            operation.returns.description = Some(CONTENT.to_owned());
        }
        operation
    }
}

/// What a tool gives that declares nothing.
const CONTENT: &str =
    "A list of content blocks, such as {type: text, text}, or the tool's structured content";

/// What a tool does, in its own words; its title or its name when it has no others.
fn description<'t>(tool: &'t Value, name: &'t str) -> &'t str {
    let texts = [tool.get("description"), tool.get("title"), tool.pointer("/annotations/title")];
    let mut texts =
        texts.into_iter().flatten().filter_map(Value::as_str).filter(|text| !text.trim().is_empty());
    texts.next().unwrap_or(name)
}

/// Keeps a description that was cut whole, where there is room for it.
fn document(operation: &Operation, tool: &Value, documentation: &mut String, report: &mut ImportReport) {
    let whole = tool.get("description").and_then(Value::as_str).unwrap_or_default().trim();
    let length = whole.split_whitespace().map(|word| word.chars().count() + 1).sum::<usize>();
    if length <= LONGEST_DESCRIPTION + 1 {
        return;
    }
    documentation.push_str(&format!("\n\n## {}\n\n{whole}", operation.name));
    let shown = operation.description.chars().count();
    report.warn_about(
        &operation.name,
        format!("its description is cut from {} characters to {shown}", length - 1),
    );
}

fn source(name: String, listing: &ServerListing, named: &[PublicName], settings: &SourceSettings) -> Source {
    let text =
        |key: &str| listing.server.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let instructions = listing.instructions.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let mut source = settings.new_source(name, TrustLevel::Generated);
    source.version = semantic(text("version").unwrap_or_default());
    // Instructions are for anyone who uses the server; what it does they seldom say.
    source.description = match text("description") {
        Some(description) => brief(description, 200),
        None => some_of(named.iter().map(|each| each.name.as_str())),
    };
    source.documentation = instructions.unwrap_or_default().to_owned();
    source.info = info(listing);
    source
}

/// The first names, and how many more there are.
fn some_of<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let (mut shown, all) = (String::new(), names.len());
    for (index, name) in names.enumerate() {
        if index > 0 && shown.len() + name.len() > LONGEST_NAMES {
            return format!("{shown}, +{}", all - index);
        }
        shown.push_str(if index > 0 { ", " } else { "" });
        shown.push_str(name);
    }
    if shown.is_empty() { "No tools".to_owned() } else { shown }
}

fn info(listing: &ServerListing) -> Map<String, Value> {
    let known = ["name", "title", "version", "websiteUrl", "description"];
    let server: Map<String, Value> =
        known.iter().filter_map(|key| Some(((*key).to_owned(), listing.server.get(*key)?.clone()))).collect();
    if server.is_empty() {
        Map::new()
    } else {
        Map::from_iter([("server".to_owned(), Value::Object(server))])
    }
}

/// A version as SemVer: `1.2` is `1.2.0`, and what is no version at all is `0.0.0`.
fn semantic(text: &str) -> String {
    let text = text.trim().trim_start_matches(['v', 'V']);
    [text.to_owned(), format!("{text}.0"), format!("{text}.0.0")]
        .into_iter()
        .find(|each| semver::Version::parse(each).is_ok())
        .unwrap_or_else(|| "0.0.0".to_owned())
}
