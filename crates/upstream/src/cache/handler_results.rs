//! The cache in front of handlers: tools of MCP servers, functions of the program.
//!
//! A permitted call with the values of one run in, and the run itself; cached or new data out. There are no headers to go
//! by, so that a READ is cached only for a declared time. Whatever may change something ends what is cached of its source.

use super::key::HandlerKeyInput;
use super::{CacheScope, CachedResponse, Freshness, FreshnessVerdict};
use crate::response::UpstreamResponse;
use crate::upstream::Upstream;
use aqueduct_operations::category::Category;
use aqueduct_operations::gatekeeper::GateRecord;
use aqueduct_operations::operation::Declaration;
use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::target::Target;
use http::HeaderMap;
use serde_json::{Map, Value};
use std::time::SystemTime;

/// What a run gave.
#[derive(Debug)]
pub struct HandlerResult {
    /// The data.
    pub data: RawJson,
    /// False when it is for this call alone, such as after a question to the person behind it.
    pub cacheable: bool,
}

impl Upstream {
    /// The result of a permitted call of a handler with these values: from the cache, or by this run. A run that is
    /// under way is not shared: it reports its progress, and may ask the person behind the call.
    pub async fn run_cached<E>(
        &self,
        call: &GateRecord<'_>,
        values: &Map<String, Value>,
        run: impl Future<Output = Result<HandlerResult, E>>,
    ) -> Result<RawJson, E> {
        let (entry, shared) = (call.entry(), self.shared());
        let Declaration { name, category, non_idempotent, invalidates, .. } = &entry.operation.declaration;
        let rule = entry.cache_rule();
        let may_change_something = *category != Category::Read || *non_idempotent;
        let ttl = rule.ttl.filter(|_| rule.enabled);
        if !shared.settings.cache.enabled || !may_change_something && ttl.is_none() {
            return run.await.map(|result| result.data);
        }
        let identity = match &entry.operation.target {
            Target::Handler(target) => target.identity(),
            Target::Http(_) | Target::BuiltIn(_) => None,
        };
        let scope = CacheScope::of_handler(identity.as_ref(), entry);
        let Some(ttl) = ttl.filter(|_| !may_change_something) else {
            let _change = shared.cache.change(scope, invalidates.as_deref());
            return run.await.map(|result| result.data);
        };
        let now = || SystemTime::from(shared.settings.clock.now());
        let key =
            HandlerKeyInput { entry, caller: call.caller(), identity: identity.as_ref(), values, ttl }.key();
        if let Some(cached) = shared.cache.find(&key)
            && matches!(cached.freshness.verdict(&HeaderMap::new(), now()), FreshnessVerdict::Fresh)
        {
            tracing::debug!(operation = name, "cached result used");
            return Ok(cached.response.data.clone());
        }
        let generation = shared.cache.generation(&scope);
        let HandlerResult { data, cacheable } = run.await?;
        if let Some(freshness) = Freshness::lasting(ttl, now()).filter(|_| cacheable) {
            let response = UpstreamResponse::of_data(data.clone());
            shared.cache.insert(key, &scope, generation, CachedResponse { response, freshness });
        }
        Ok(data)
    }
}
