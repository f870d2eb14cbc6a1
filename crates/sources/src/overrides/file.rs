//! Files of corrections, and the block of them in the configuration.
//!
//! `operations."OP"` is meant for every source that has OP, `sources.NAME.operations."OP"` for one. Text in; rules and
//! findings out.

use super::{Override, OverrideChange, OverrideLocation, SourceNames, change, unknown_in};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::format_by_name;
use aqueduct_documents::keys::ValueForm::{Block, Flag, Like, Map, OneOf};
use aqueduct_documents::keys::{KeyBlock, check, optional};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity, Position};
use aqueduct_operations::operation::ValidationMode;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::DotSegments;
use aqueduct_source_kind::report::ImportReport;

const CATEGORIES: &[&str] =
    &["create", "read", "update", "delete", "execute", "CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"];

/// What can be corrected in one operation.
pub static OVERRIDE: KeyBlock =
    KeyBlock::new("operation_override", "What the operator corrects in an operation").keys(&[
        optional("category", OneOf(CATEGORIES), "Its category"),
        optional("danger_level", OneOf(DangerLevel::NAMES), "The harm it can do"),
        optional("hide", Flag, "It is not offered"),
        optional(
            "dot_segments",
            OneOf(DotSegments::NAMES),
            "What becomes of values in its path that hold '..' or '.'",
        ),
        optional("merge", Flag, "Its PUT is merged into what is stored, or is not"),
        optional(
            "validate",
            OneOf(ValidationMode::NAMES),
            "What happens to requests that are declared otherwise",
        ),
        optional("rename", Like("^[a-z][a-z0-9_]{0,63}$"), "Its name"),
    ]);

static OF_SOURCE: KeyBlock = KeyBlock::new("source_overrides", "Corrections of one source")
    .keys(&[optional("operations", Map(&Block(&OVERRIDE)), "Corrections by operation")]);

static FILE: KeyBlock = KeyBlock::new("overrides", "Corrections of imported sources").keys(&[
    optional("operations", Map(&Block(&OVERRIDE)), "Corrections of every source, by operation"),
    optional("sources", Map(&Block(&OF_SOURCE)), "Corrections of one source"),
]);

/// The corrections of a file.
#[derive(Debug, Clone, Default)]
pub struct OverridesFile {
    everywhere: Vec<Override>,
    by_source: Vec<(String, Vec<Override>)>,
}

impl OverridesFile {
    /// True when nothing is corrected.
    pub fn is_empty(&self) -> bool {
        self.everywhere.is_empty() && self.by_source.is_empty()
    }

    /// Applies what concerns this source. The report, when there is one, is kept true.
    pub fn apply(&self, loaded: &mut LoadedSource, report: Option<&mut ImportReport>) -> Vec<Diagnostic> {
        let names = SourceNames::of(loaded);
        let own = || {
            let of_source = self.by_source.iter().filter(|(source, _)| *source == names.source);
            of_source.flat_map(|(_, rules)| rules)
        };
        let mut found = unknown_in(own(), &names);
        // What is said of this source alone comes last and wins.
        change(self.everywhere.iter().chain(own()), &names, loaded, report, &mut found);
        found
    }

    /// Corrections that concern none of the sources, whose names are those from before they were corrected.
    pub fn unknown(&self, all: &[&SourceNames]) -> Vec<Diagnostic> {
        let is_about_nothing = |rule: &&Override| all.iter().all(|names| rule.targets(names).is_empty());
        let mut found: Vec<Diagnostic> =
            self.everywhere.iter().filter(is_about_nothing).map(|rule| rule.unknown(all)).collect();
        for (name, rules) in &self.by_source {
            if !all.iter().any(|names| names.source == *name) {
                let names = all.iter().map(|names| names.source.as_str());
                let near = aqueduct_operations::suggest::nearest(name, names, 1);
                let hint = near.first().map(|name| format!("did you mean '{name}'?"));
                // One file may serve several, not all of which are there each time.
                let message = format!("There is no source '{name}'");
                found.extend(
                    rules.first().map(|rule| {
                        rule.finding(DiagnosticSeverity::Warning, "UNKNOWN_SOURCE", message, hint)
                    }),
                );
            }
        }
        found
    }
}

/// Reads a file of corrections: YAML, JSON or TOML, as its name says.
pub fn read(file: &str, text: &str) -> (OverridesFile, Vec<Diagnostic>) {
    let mut found = Findings::new(file, text);
    let mut overrides = OverridesFile::default();
    if let Some(document) = format_by_name::parse(file, text, &mut found) {
        let root = NodeCursor::root(&document.root);
        check(&FILE, &root, &mut found);
        overrides.everywhere = read_block(file, &root);
        for (entry, source) in root.get("sources").iter().flat_map(NodeCursor::entries) {
            overrides.by_source.push((entry.key.clone(), read_block(file, &source)));
        }
    }
    (overrides, found.finish())
}

/// Reads the corrections under `operations` of a block, whose keys have been checked against `OVERRIDE`.
pub fn read_block(file: &str, at: &NodeCursor<'_>) -> Vec<Override> {
    let rules = at.get("operations").map(|operations| operations.entries().collect::<Vec<_>>());
    let rules = rules.into_iter().flatten().map(|(entry, rule)| {
        let position = Position {
            file: file.to_owned(),
            line: entry.line,
            column: entry.column,
            source_line: String::new(),
        };
        Override {
            operation: entry.key.clone(),
            change: OverrideChange {
                category: rule.text("category").and_then(Category::parse),
                danger_level: rule.text("danger_level").and_then(DangerLevel::parse),
                hide: rule.flag("hide"),
                rename: rule.owned_text("rename"),
                dot_segments: rule.text("dot_segments").and_then(DotSegments::parse),
                merge: rule.flag("merge"),
                validation: rule.text("validate").and_then(ValidationMode::parse),
            },
            place: OverrideLocation { path: rule.path, position },
        }
    });
    rules.collect()
}
