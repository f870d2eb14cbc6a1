//! The HTTP request behind an operation: method and path, address, credentials, body.
//!
//! A target in; keys out, without what all operations of the file have in common.

use crate::body::{format_of, word_of};
use crate::mapping::is_mapping_of;
use crate::write::param::put_writing;
use crate::write::yaml::{YamlEntries, YamlValue};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::params::Param;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::secrets::names::{NamePlace, is_secret};
use aqueduct_operations::target::{BodyFormat, HttpTarget, PartRule, Segment, Site, Target};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What most requests of a file have in common.
#[derive(Debug)]
pub(in crate::write) struct CommonSettings {
    /// The site of most of them; nothing when none is an HTTP request.
    pub site: Option<Arc<Site>>,
    /// The format of most of their bodies: JSON or a form.
    pub body: BodyFormat,
}

impl CommonSettings {
    pub(in crate::write) fn of(loaded: &LoadedSource) -> CommonSettings {
        let targets = || {
            loaded.operations.iter().filter_map(|operation| match &operation.target {
                Target::Http(target) => Some(target),
                _ => None,
            })
        };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for target in targets() {
            *counts.entry(target.site.base_url.as_str()).or_default() += 1;
        }
        let most = counts.iter().max_by_key(|(url, count)| (**count, Reverse(**url))).map(|(url, _)| *url);
        let site = targets().find(|target| Some(target.site.base_url.as_str()) == most);
        let forms = targets().filter(|target| target.body == BodyFormat::Form).count();
        let jsons = targets().filter(|target| target.body == BodyFormat::Json).count();
        CommonSettings {
            site: site.map(|target| Arc::clone(&target.site)),
            body: if forms > jsons { BodyFormat::Form } else { BodyFormat::Json },
        }
    }
}

/// `METHOD /path?query`, or why there is no such text.
pub(super) fn mapping(target: &HttpTarget) -> Result<String, String> {
    let mut text = format!("{} ", target.method);
    for segment in &target.path {
        match segment {
            Segment::Literal(literal) => text.push_str(literal),
            Segment::Placeholder(name) => text.push_str(&format!("{{{name}}}")),
        }
    }
    if let Some(query) = &target.static_query {
        text.push('?');
        text.push_str(query);
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        if pairs.any(|(name, value)| !value.is_empty() && is_secret(name, NamePlace::Parameter)) {
            return Err("its address carries a credential".to_owned());
        }
    }
    if is_mapping_of(&text, target.method, &target.path, target.static_query.as_deref()) {
        Ok(text)
    } else {
        Err("its path cannot be written as a mapping".to_owned())
    }
}

/// Address and credentials, when not those of the others.
pub(super) fn put_address(target: &HttpTarget, common: &CommonSettings, entries: &mut YamlEntries) {
    let Some(site) = &common.site else { return };
    entries.unless("base_url", target.site.base_url.as_str(), site.base_url.as_str());
    let own = target.auth.as_deref().or((target.site.auth != site.auth).then_some(&target.site.auth));
    if let Some(own) = own {
        entries.put("auth", YamlValue::Map(auth(own)));
    }
}

/// An `auth` block.
pub(in crate::write) fn auth(given: &Auth) -> YamlEntries {
    let mut entries = YamlEntries::default();
    if !matches!(given, Auth::All(_) | Auth::AnyOf(_)) {
        entries.json("type", given.kind());
    }
    match given {
        Auth::None => {}
        Auth::Bearer { token_env, prefix } => {
            entries.json("token_env", token_env.as_str());
            entries.unless("prefix", prefix.as_str(), "Bearer ");
        }
        Auth::ApiKey { key_env, place } => {
            entries.json("key_env", key_env.as_str());
            let (key, name) = match place {
                KeyPlace::Header(name) => ("header_name", name),
                KeyPlace::Query(name) => ("query_name", name),
                KeyPlace::Cookie(name) => ("cookie_name", name),
            };
            entries.json(key, name.as_str());
        }
        Auth::Basic { username_env, password_env } => {
            entries.json("username_env", username_env.as_str());
            entries.json("password_env", password_env.as_str());
        }
        Auth::OAuth2(oauth2) => {
            entries.json("token_url", oauth2.token_url.as_str());
            entries.json("client_id_env", oauth2.client_id_env.as_str());
            entries.json("client_secret_env", oauth2.client_secret_env.as_str());
            entries.maybe_text("refresh_token_env", oauth2.refresh_token_env.as_deref());
            entries.words("scopes", &oauth2.scopes);
        }
        Auth::All(ways) | Auth::AnyOf(ways) => {
            let ways = ways.iter().map(|way| YamlValue::Map(auth(way))).collect();
            entries.put(given.kind(), YamlValue::List(ways));
        }
    }
    entries
}

/// The `body` block, when there is something to say.
pub(super) fn body(target: &HttpTarget, params: &[Param], common: &CommonSettings) -> YamlEntries {
    let mut entries = YamlEntries::default();
    if !params.iter().any(Param::is_body) {
        return entries;
    }
    match &target.content_type {
        Some(media) => {
            entries.json("content_type", media.as_str());
            if format_of(media) != target.body {
                entries.json("format", target.body.name());
            }
        }
        None if target.body != common.body || !target.method.has_body() => {
            entries.json("content_type", word_of(target.body));
        }
        None => {}
    }
    entries.maybe_json("param", target.whole_body.as_deref());
    entries.unless("required", target.needs_body, false);
    entries.words("needs", &target.body_needs);
    let mut parts = YamlEntries::default();
    for (name, PartRule { content_type, writing, is_file }) in &target.parts {
        let mut part = YamlEntries::default();
        part.maybe_text("content_type", content_type.as_deref());
        part.unless("file", *is_file, false);
        if let Some(writing) = writing {
            put_writing(writing, None, &mut part);
        }
        parts.put(name, YamlValue::Map(part));
    }
    entries.map("parts", parts);
    entries
}
