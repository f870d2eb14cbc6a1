//! `[sources.NAME]`: where a source is and what the operator sets for it.
//!
//! The tree in, settings by name out. `auth` and `headers` are held against the same rules as those of adapter files: names
//! of environment variables only, and no credential anywhere.

use aqueduct_adapter_files::{check_auth, check_base_url, check_headers, check_rate_limits};
use aqueduct_documents::LineColumn;
use aqueduct_documents::credentials;
use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::naming::is_adapter_name;
use aqueduct_operations::operation::ValidationMode;
use aqueduct_operations::rate_limits::DeclaredLimits;
use aqueduct_operations::response::CacheRule;
use aqueduct_operations::target::DotSegments;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::base_url;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::overrides::{Override, read_block};
use std::time::Duration;
use url::Url;

/// A source of the file.
#[derive(Debug)]
pub struct FileSource {
    /// Its name.
    pub name: String,
    /// Where it is, relative to the file.
    pub from: Option<String>,
    /// What is set for it.
    pub settings: SourceSettings,
    /// What is corrected in it.
    pub corrections: Vec<Override>,
}

/// Reads every source, reporting what is wrong.
pub fn read(file: &str, root: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<FileSource> {
    let Some(block) = root.get("sources") else { return Vec::new() };
    credentials::scan(&block, found);
    let mut sources = Vec::new();
    for (entry, source) in block.entries() {
        if !is_adapter_name(&entry.key) {
            let place = LineColumn::new(entry.line, entry.column);
            let message = "This is not a valid name of a source";
            found.add(
                Finding::new(DiagnosticSeverity::Error, "INVALID_VALUE", &source.path, place, message)
                    .expected("2 to 64 lower-case letters, digits and hyphens, starting with a letter"),
            );
        }
        let settings = settings(&source, found);
        let corrections = read_block(file, &source);
        sources.push(FileSource {
            name: entry.key.clone(),
            from: source.owned_text("from"),
            settings,
            corrections,
        });
    }
    sources
}

/// `cache = false`, or the block that adapter files have.
fn cache(source: &NodeCursor<'_>) -> Option<CacheRule> {
    if let Some(enabled) = source.flag("cache") {
        return Some(CacheRule { enabled, ttl: None });
    }
    let block = source.get("cache")?;
    let seconds = block.whole("ttl_seconds").and_then(|seconds| u64::try_from(seconds).ok());
    Some(CacheRule { enabled: block.flag("enabled").unwrap_or(true), ttl: seconds.map(Duration::from_secs) })
}

/// `rate_limits = false`, or the block that adapter files have.
fn rate_limits(source: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<DeclaredLimits> {
    if let Some(is_on) = source.flag("rate_limits") {
        return (!is_on).then(|| DeclaredLimits { lifts_all: true, ..DeclaredLimits::default() });
    }
    source.get("rate_limits").map(|at| check_rate_limits(&at, found))
}

/// `credential_origins`: whole origins, such as `https://uploads.example.com`, and nothing that looks like more.
fn origins(source: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<Url> {
    let Some(list) = source.get("credential_origins") else { return Vec::new() };
    let mut origins = Vec::new();
    for each in list.elements() {
        let url = each.node.text().and_then(|text| base_url::parse(text).ok());
        match url.filter(|url| url.path() == "/") {
            Some(url) => origins.push(url),
            None => found.add(
                each.error("INVALID_VALUE", "This is not an origin")
                    .expected("scheme and host alone, such as https://uploads.example.com"),
            ),
        }
    }
    origins
}

fn settings(source: &NodeCursor<'_>, found: &mut Findings<'_>) -> SourceSettings {
    let headers = source.get("headers").map_or_else(Vec::new, |at| check_headers(&at, found));
    SourceSettings {
        base_url: source.get("base_url").and_then(|at| check_base_url(&at, found)),
        trust: source.text("trust").and_then(TrustLevel::parse),
        concurrency: source.text("concurrency").and_then(Concurrency::parse),
        cache: cache(source),
        allow_refs: source.texts("allow_refs"),
        credential_origins: origins(source, found),
        fit_answers: source.flag("fit_answers"),
        dot_segments: source.text("dot_segments").and_then(DotSegments::parse),
        merge: source.flag("merge"),
        validation: source.text("validate").and_then(ValidationMode::parse),
        rate_limits: rate_limits(source, found),
        auth: source.get("auth").and_then(|at| check_auth(&at, found)),
        headers: headers.into_iter().map(|(name, value)| NamedSecret::new(name, value)).collect(),
        ..SourceSettings::default()
    }
}

#[cfg(test)]
mod tests;
