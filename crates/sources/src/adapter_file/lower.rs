//! Puts a checked file together with the operator's settings: the source and its operations.
//!
//! Nothing can fail here any more: all that could has been found by `check`.

use super::base_url::names_private_address;
use super::check::{Checked, Draft, TargetBlock};
use crate::settings::SourceSettings;
use aqueduct_operations::answers::CacheRule;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::Loaded;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{AnswerKind, BodyFormat, HttpTarget, Site, Target};
use aqueduct_operations::trust::TrustLevel;
use std::sync::Arc;

/// Makes the source. The operator's word wins over the file's.
pub(super) fn source(checked: Checked<'_>, prose: &str, settings: &SourceSettings) -> Loaded {
    let body = checked.target.body;
    let site = Arc::new(site(checked.target, checked.auth, settings));
    let header = checked.header;
    let declared_cache = checked.cache.unwrap_or_default();
    let cache =
        settings.cache.map_or(declared_cache, |set| CacheRule { ttl: set.ttl.or(declared_cache.ttl), ..set });
    let declared = checked.trust.or(settings.default_trust).unwrap_or(TrustLevel::Validated);
    let source = Source {
        name: settings.source_name.clone().unwrap_or(header.name),
        version: header.version,
        description: header.description,
        trust: settings.trust.unwrap_or(declared),
        concurrency: settings.concurrency.unwrap_or(checked.concurrency),
        camel_case_aliases: checked.camel_case_aliases,
        types: checked.types,
        info: header.info,
        tags: header.tags,
        documentation: prose.trim().to_owned(),
        cache,
        error_rules: checked.error_rules,
        relationships: checked.relationships,
        max_relationship_depth: checked.max_relationship_depth.unwrap_or(Source::MAX_RELATIONSHIP_DEPTH),
        fits_answers: true,
    };
    let operations =
        checked.operations.into_iter().map(|draft| operation(draft, &site, body, cache)).collect();
    Loaded { source, operations }
}

fn site(target: TargetBlock, auth: Auth, settings: &SourceSettings) -> Site {
    let base_url = settings.base_url.clone().unwrap_or(target.base_url);
    Site {
        // An operator who names an address wants it called, wherever it is.
        names_private_address: settings.base_url.is_some() || names_private_address(&base_url),
        base_url,
        headers: target.headers,
        operator_headers: settings.headers.clone(),
        auth: settings.auth.clone().unwrap_or(auth),
        timeout: target.timeout,
        retries: target.retries,
    }
}

fn operation(draft: Draft<'_>, site: &Arc<Site>, body: BodyFormat, cache: CacheRule) -> Operation {
    Operation {
        name: draft.name,
        description: draft.description,
        category: draft.category,
        params: draft.params,
        grouping: draft.grouping,
        target: Target::Http(HttpTarget {
            site: Arc::clone(site),
            method: draft.method,
            path: draft.path,
            static_query: draft.static_query,
            body,
            content_type: None,
            whole_body: None,
            parts: Vec::new(),
            answer: if draft.text_response { AnswerKind::Any } else { AnswerKind::Json },
            auth: None,
        }),
        danger: draft.danger,
        non_idempotent: draft.non_idempotent,
        returns: draft.returns,
        examples: draft.examples,
        tags: draft.tags,
        when_to_use: draft.when_to_use,
        answers: draft.answers,
        update: draft.update,
        // An operation that says nothing of the time means the source's.
        // Where nothing is kept at all, no operation has an exception.
        cache: draft
            .cache
            .filter(|_| cache.enabled)
            .map(|own| CacheRule { ttl: own.ttl.or(cache.ttl), ..own }),
        deprecated: draft.deprecated,
        required_scopes: Vec::new(),
        output: None,
        origin: None,
    }
}
