//! A configuration file that was understood: its profiles and sources, and the tree with everything else.
//!
//! Text in; the file, if nothing is wrong with it, and every finding with its place out.

use super::raw::CONFIG;
use super::{http, policy, profiles, sources, synonyms};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::keys::check;
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_documents::{DocumentNode, toml};
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::exposure::{Prefix, Profile};
use aqueduct_operations::gatekeeper::PolicyRules;
use aqueduct_source_kind::autonomy;
use aqueduct_surface::http::HttpSettings;
use sources::FileSource;

/// What a file says.
#[derive(Debug)]
pub struct ConfigFile {
    /// All of it, checked.
    pub root: DocumentNode,
    /// Its own profiles.
    pub profiles: Vec<Profile>,
    /// Its sources.
    pub sources: Vec<FileSource>,
    /// The HTTP listener.
    pub http: HttpSettings,
    /// Words for the search, as its lexicon reads them.
    pub synonyms: Vec<String>,
    /// The rules of the operator.
    pub policy: PolicyRules,
}

/// Reads and checks a configuration file. It is there if and only if there is no error.
pub fn parse(file: &str, text: &str) -> (Option<ConfigFile>, Vec<Diagnostic>) {
    let document = match toml::parse(file, text) {
        Ok(document) => document,
        Err(diagnostics) => return (None, diagnostics),
    };
    let mut found = Findings::new(file, text);
    found.add_repeated(&document, DiagnosticSeverity::Error);
    let root = NodeCursor::root(&document.root);
    check(&CONFIG, &root, &mut found);
    let profiles = profiles::read(&root, &mut found);
    check_profile(&root, &mut found);
    check_prefix(&root, &mut found);
    if let Some(block) = root.get("safety") {
        autonomy::check_patterns(&block, &mut found);
    }
    let sources = sources::read(file, &root, &mut found);
    let http = http::read(file, &root, &mut found);
    let synonyms = synonyms::read(&root, &mut found);
    let policy = policy::read(&root, &mut found);
    let failed = found.has_errors();
    let diagnostics = found.finish();
    (
        if failed {
            None
        } else {
            Some(ConfigFile { root: document.root, profiles, sources, http, synonyms, policy })
        },
        diagnostics,
    )
}

/// The chosen profile is built in, or in the same file.
fn check_profile(root: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let Some(at) = root.get("profile") else { return };
    let Some(name) = at.node.filled_text() else { return };
    let own = root.get("profiles");
    let known: Vec<&str> = Profile::BUILT_IN
        .into_iter()
        .chain(own.iter().flat_map(|at| at.node.entries()).map(|entry| entry.key.as_str()))
        .collect();
    if !known.contains(&name) {
        let hint = found.nearest(name, known.iter().copied());
        found.add(
            at.error("INVALID_VALUE", "There is no such profile")
                .expected(format!("one of {}", known.join(", ")))
                .received(described(at.node))
                .maybe_hint(hint),
        );
    }
}

fn check_prefix(root: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let Some(at) = root.get("prefix") else { return };
    if at.node.text().is_some_and(|text| Prefix::parse(text).is_err()) {
        found.add(
            at.error("INVALID_VALUE", "This is not a valid prefix of tool names")
                .expected(
                    "lower-case letters, digits and underscores, with an underscore last, such as github_",
                )
                .received(described(at.node)),
        );
    }
}
