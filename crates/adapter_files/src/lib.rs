//! Adapter files: Markdown with YAML front matter in, operations and diagnostics out (runtime specification, sections 3
//! and 4).
//!
//! `front_matter` splits the file, `keys` is the form it must have, `check` judges each block, `lower` puts the source
//! together. Every problem of a file is reported at once, and a file with an error gives no operations.

pub mod file_servers;
pub mod operation_file;
pub mod schema;
pub mod write;

mod check;
mod front_matter;
mod keys;
mod kind;
mod lower;

pub(crate) use check::response::items;
pub(crate) use check::response::pagination::SIZES;
pub(crate) use check::siblings::path_form;
pub(crate) use check::{body, mapping, returns};

pub use check::{check_auth, check_base_url, check_headers, check_rate_limits};
pub use keys::{AUTH, RATE_LIMITS};
pub use kind::{AdapterFileKind, location};

use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_documents::{DocumentNode, LineColumn, credentials, keys as form, yaml};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::credential_scope::origin_text;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::mcp::ServerTransport;
use aqueduct_source_kind::credential_headers::credential_headers;
use aqueduct_source_kind::kind::LoadedContent;
use aqueduct_source_kind::settings::{ALLOW_ORIGINS, LoadOutcome, SourceSettings, withheld};
use file_servers::{FileServers, NoServers};
use front_matter::AdapterFileParts;
use std::sync::Arc;

const SUFFIX: &str = "-adapter.md";

/// The part of a file's name before `-adapter.md`; nothing when the file is no adapter by its name.
pub fn name_prefix(file: &str) -> Option<&str> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(SUFFIX).filter(|prefix| !prefix.is_empty())
}

/// Loads one adapter file from its bytes, and connects to nothing. `file` is its name as the user wrote it.
pub fn load(file: &str, bytes: &[u8], settings: &SourceSettings) -> LoadOutcome {
    let context = FileContext { settings: &|_| settings.clone(), servers: &(Arc::new(NoServers) as _) };
    let LoadedContent { loaded, diagnostics, .. } = load_with(file, bytes, &context);
    LoadOutcome { loaded, diagnostics }
}

/// What a file is loaded with.
pub(crate) struct FileContext<'a> {
    /// What is set for the source that the file calls so.
    pub settings: &'a dyn Fn(&str) -> SourceSettings,
    /// The connector to the server that it names.
    pub servers: &'a Arc<dyn FileServers>,
}

pub(crate) fn load_with(file: &str, bytes: &[u8], context: &FileContext<'_>) -> LoadedContent {
    let text = match front_matter::decode(bytes) {
        Ok(text) => text,
        Err(problem) => {
            let mut found = Findings::new(file, "");
            found.add_syntax("FILE_CONTENT", problem);
            return LoadedContent { diagnostics: found.finish(), ..LoadedContent::default() };
        }
    };
    let mut found = Findings::new(file, text);
    let content = read(file, text, context, &mut found).unwrap_or_default();
    LoadedContent { diagnostics: found.finish(), ..content }
}

/// The source, and the server that it names; nothing when there is an error.
fn read(
    file: &str,
    text: &str,
    context: &FileContext<'_>,
    found: &mut Findings<'_>,
) -> Option<LoadedContent> {
    let prefix = name_prefix(file);
    if prefix.is_none() {
        let message = "An adapter file's name ends in '-adapter.md'";
        Finding::new(DiagnosticSeverity::Error, "FILE_NAME", "", LineColumn::START, message)
            .hint("rename it, for example to github-api-adapter.md")
            .add_to(found);
    }
    let (parts, root) = parse(text, found)?;
    let root = NodeCursor::root(&root);
    credentials::scan(&root, found);
    credentials::scan_comments(parts.yaml, found);
    credentials::scan_prose(parts.prose, parts.prose_line, found);
    form::check(&keys::ADAPTER, &root, found);
    let checked = check::adapter(&root, prefix, found)?;
    let settings = (context.settings)(&checked.source.name);
    check_server(&root, &checked, &settings, found);
    check_origins(&root, &checked, &settings, found);
    if found.has_errors() {
        return None;
    }
    Some(lower::source(checked, parts.prose, &settings, context.servers))
}

/// What keeps a file of an MCP server from loading with these settings.
fn check_server(
    root: &NodeCursor<'_>,
    checked: &check::CheckedFile<'_>,
    settings: &SourceSettings,
    found: &mut Findings<'_>,
) {
    let check::Address::Server(reach) = &checked.target.address else { return };
    let auth = settings.auth.as_ref().unwrap_or(&checked.auth);
    let at = root.get("auth").unwrap_or_else(|| root.clone());
    match reach {
        ServerTransport::Stdio { .. } if *auth != Auth::None => {
            let message = "A server that is started here gets its credentials by 'target.env'";
            at.warning("NO_EFFECT", message).hint("write env: {NAME: ${VAR}}").add_to(found);
        }
        ServerTransport::Http { .. } if credential_headers(auth).is_none() => {
            let message = "An MCP server takes credentials in headers only";
            at.error("AUTH_NOT_POSSIBLE", message)
                .expected("bearer, basic, or api_key with header_name")
                .add_to(found);
        }
        _ => {}
    }
}

/// Warns of operations that are called elsewhere, where the operator's credentials do not go.
fn check_origins(
    root: &NodeCursor<'_>,
    checked: &check::CheckedFile<'_>,
    settings: &SourceSettings,
    found: &mut Findings<'_>,
) {
    let check::Address::Api(base) = &checked.target.address else { return };
    if settings.base_url.is_some() || !settings.has_credentials() {
        return;
    }
    let others = checked.operations.iter().filter_map(|draft| draft.operation.target.base_url.as_ref());
    let others = others.filter(|url| !settings.may_go_to(url, base));
    let others = others.map(origin_text).collect();
    let at = root.get("target").unwrap_or_else(|| root.clone());
    if let Some(message) = withheld(&others) {
        at.warning("CREDENTIALS_WITHHELD", message).hint(ALLOW_ORIGINS).add_to(found);
    }
}

fn parse<'t>(text: &'t str, found: &mut Findings<'_>) -> Option<(AdapterFileParts<'t>, DocumentNode)> {
    let parts =
        front_matter::split(text).map_err(|problem| found.add_syntax("FRONT_MATTER", problem)).ok()?;
    let document =
        yaml::parse(parts.yaml).map_err(|problem| found.add_syntax("YAML_SYNTAX", problem)).ok()?;
    found.add_repeated(&document, DiagnosticSeverity::Error);
    Some((parts, document.root))
}

#[cfg(test)]
mod tests;
