//! The caller: one value for the whole process, cheap to clone, with the connection pools inside.
//!
//! An operation with its target and checked values comes in, an `UpstreamResponse` or an `UpstreamError` goes out. Nothing about a
//! call is kept once it is over (plugin contracts, sections 3 to 7), but for responses that HTTP allows to keep, and tokens.

use crate::cache::{Cache, CacheSettings, ReadOptions};
use crate::credentials::Credentials;
use crate::error::{CredentialError, RequestBuildError, UpstreamError};
use crate::http::events::EventStream;
use crate::http::fetch::{DocumentRequest, FetchError, FetchedDocument};
use crate::http::{self, oauth::TokenCache};
use crate::prepared::PreparedRequest;
use crate::response::UpstreamResponse;
use aqueduct_egress::client::GuardedClients;
use aqueduct_egress::environment::Environment;
use aqueduct_egress::resolver::{AddressLookup, SystemLookup};
use aqueduct_operations::auth::Auth;
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::gatekeeper::{FetchPermit, Permit, ProgramOperation, ProgramPermit};
use aqueduct_operations::limits::Limits;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::{HttpTarget, Site, Target};
use serde_json::{Map, Value};
use std::sync::Arc;
use url::Url;

/// Calls APIs over HTTP.
#[derive(Debug, Clone)]
pub struct Upstream {
    shared: Arc<UpstreamContext>,
}

/// What every call needs.
#[derive(Debug)]
pub(crate) struct UpstreamContext {
    pub(crate) settings: UpstreamSettings,
    pub(crate) environment: Arc<dyn Environment>,
    pub(crate) clients: GuardedClients,
    pub(crate) cache: Cache,
    pub(crate) tokens: Arc<TokenCache>,
}

/// What can be set.
#[derive(Debug, Clone)]
pub struct UpstreamSettings {
    /// Bytes of a response, after decompression.
    pub max_response_size: u64,
    /// Tells the time, for `Retry-After` dates and the age of cached responses.
    pub clock: Arc<dyn Clock>,
    /// Which responses are cached.
    pub cache: CacheSettings,
}

impl Default for UpstreamSettings {
    fn default() -> UpstreamSettings {
        UpstreamSettings {
            max_response_size: Limits::default().max_response_size,
            clock: Arc::new(SystemClock),
            cache: CacheSettings::default(),
        }
    }
}

impl Upstream {
    /// A caller that resolves names with the system's resolver.
    pub fn new(settings: UpstreamSettings, environment: Arc<dyn Environment>) -> Upstream {
        Upstream::with_lookup(settings, environment, Arc::new(SystemLookup))
    }

    /// A caller that resolves names with this lookup; every address it gives is still checked.
    pub fn with_lookup(
        settings: UpstreamSettings,
        environment: Arc<dyn Environment>,
        lookup: Arc<dyn AddressLookup>,
    ) -> Upstream {
        let clients = GuardedClients::new(lookup);
        let cache = Cache::new(settings.cache);
        let tokens = Arc::default();
        Upstream { shared: Arc::new(UpstreamContext { settings, environment, clients, cache, tokens }) }
    }

    pub(crate) fn shared(&self) -> &UpstreamContext {
        &self.shared
    }

    /// Makes the request of these values, without sending it.
    pub fn prepare<'a>(
        operation: &'a Operation,
        values: &Arc<Map<String, Value>>,
    ) -> Result<PreparedRequest<'a>, RequestBuildError> {
        let Target::Http(target) = &operation.target else { return Err(RequestBuildError::NotHttp) };
        PreparedRequest::new(operation, target, Arc::clone(values))
    }

    /// The path that these values make: the same for every spelling of the same resource.
    pub fn path_of(target: &HttpTarget, values: &Map<String, Value>) -> Option<String> {
        http::path_template::fill(&target.path, values, &[], target.dot_segments).ok()
    }

    /// Runs the operation of the permit for the program itself. `values` maps public parameter names to checked values, defaults
    /// filled in; the fields of an UPDATE's `input` are flat in it too. Dropping the future closes the connection.
    pub async fn call(
        &self,
        permit: ProgramPermit<'_, ProgramOperation>,
        values: &Map<String, Value>,
    ) -> Result<UpstreamResponse, UpstreamError> {
        let prepared = Upstream::prepare(permit.operation(), &Arc::new(values.clone()))?;
        http::call(&self.shared, &permit, &prepared, &ReadOptions::fresh()).await
    }

    /// Sends what was prepared for a permitted call, and reads the response. A read may be answered from the cache, or by the
    /// same read of the same caller that is in flight; whatever may change something ends what is cached of it.
    ///
    /// Without a permit nothing is sent, and no other kind of permit will do. A permit for another operation, or for other values,
    /// is refused when it is used.
    ///
    /// ```compile_fail,E0308
    /// use aqueduct_operations::gatekeeper::FetchPermit;
    /// use aqueduct_upstream::{PreparedRequest, ReadOptions, Upstream};
    /// use url::Url;
    ///
    /// async fn as_document(upstream: &Upstream, url: &Url, prepared: &PreparedRequest<'_>) {
    ///     let _ = upstream.send(FetchPermit::document(url), prepared, &ReadOptions::fresh()).await;
    /// }
    /// ```
    ///
    /// ```compile_fail,E0308
    /// use aqueduct_operations::gatekeeper::{ProgramOperation, ProgramPermit};
    /// use aqueduct_upstream::{PreparedRequest, ReadOptions, Upstream};
    ///
    /// type OfProgram<'a> = ProgramPermit<'a, ProgramOperation>;
    ///
    /// async fn as_program(upstream: &Upstream, permit: OfProgram<'_>, prepared: &PreparedRequest<'_>) {
    ///     let _ = upstream.send(permit, prepared, &ReadOptions::fresh()).await;
    /// }
    /// ```
    ///
    /// ```
    /// use aqueduct_operations::gatekeeper::Permit;
    /// use aqueduct_upstream::{PreparedRequest, ReadOptions, Upstream};
    ///
    /// async fn permitted(upstream: &Upstream, permit: Permit<'_>, prepared: &PreparedRequest<'_>) {
    ///     let _ = upstream.send(permit, prepared, &ReadOptions::fresh()).await;
    /// }
    /// ```
    ///
    /// It is used up by it: the same request is not sent twice by one permit.
    ///
    /// ```compile_fail,E0382
    /// use aqueduct_operations::gatekeeper::Permit;
    /// use aqueduct_upstream::{PreparedRequest, ReadOptions, Upstream};
    ///
    /// async fn twice(upstream: &Upstream, permit: Permit<'_>, prepared: &PreparedRequest<'_>) {
    ///     let _ = upstream.send(permit, prepared, &ReadOptions::fresh()).await;
    ///     let _ = upstream.send(permit, prepared, &ReadOptions::fresh()).await;
    /// }
    /// ```
    pub async fn send(
        &self,
        permit: Permit<'_>,
        prepared: &PreparedRequest<'_>,
        reading: &ReadOptions,
    ) -> Result<UpstreamResponse, UpstreamError> {
        http::call(&self.shared, &permit, permitted(&permit, prepared)?, reading).await
    }

    /// Opens a stream of events (`text/event-stream`) with what was prepared for a permitted call. Events come as they arrive;
    /// dropping the stream closes the connection. The site's timeout bounds the wait for the response's head and every silence
    /// after it, not the whole stream.
    ///
    /// ```compile_fail,E0308
    /// use aqueduct_operations::gatekeeper::{ProgramOperation, ProgramPermit};
    /// use aqueduct_upstream::{PreparedRequest, Upstream};
    ///
    /// type OfProgram<'a> = ProgramPermit<'a, ProgramOperation>;
    ///
    /// async fn as_program(upstream: &Upstream, permit: OfProgram<'_>, prepared: &PreparedRequest<'_>) {
    ///     let _ = upstream.events(permit, prepared).await;
    /// }
    /// ```
    pub async fn events(
        &self,
        permit: Permit<'_>,
        prepared: &PreparedRequest<'_>,
    ) -> Result<EventStream, UpstreamError> {
        http::events::open(&self.shared, &permit, permitted(&permit, prepared)?).await
    }

    /// A stream of events for the program itself.
    pub async fn subscribe(
        &self,
        permit: ProgramPermit<'_, ProgramOperation>,
        values: &Map<String, Value>,
    ) -> Result<EventStream, UpstreamError> {
        let prepared = Upstream::prepare(permit.operation(), &Arc::new(values.clone()))?;
        http::events::open(&self.shared, &permit, &prepared).await
    }

    /// The request as it would be sent: `{method, url, headers, body}`, with a mark in the place of every credential and of
    /// every value of a sensitive parameter. Nothing is sent, and no credential has to be there (ruling W17).
    pub fn preview(&self, prepared: &PreparedRequest<'_>) -> Value {
        http::preview::preview(prepared, &*self.shared.environment)
    }

    /// Sends one GET to the base URL of the permit's site, without credentials. The status, whatever it is, when the site answers.
    pub async fn probe(&self, permit: FetchPermit<'_, Site>) -> Result<u16, UpstreamError> {
        http::probe::probe(&self.shared, &permit).await
    }

    /// Fetches the document that the permit is for, unless it is still the version that is known.
    ///
    /// ```compile_fail,E0560
    /// use aqueduct_operations::gatekeeper::FetchPermit;
    /// use aqueduct_upstream::{DocumentRequest, NamedBy, Upstream};
    /// use url::Url;
    ///
    /// async fn from_elsewhere(upstream: &Upstream, url: &Url, other: &Url) {
    ///     let named_by = NamedBy::Operator;
    ///     let request = DocumentRequest { url: other, named_by, known: None, credentials: None, max_bytes: 1 };
    ///     let _ = upstream.fetch(FetchPermit::document(url), request).await;
    /// }
    /// ```
    pub async fn fetch(
        &self,
        permit: FetchPermit<'_, Url>,
        document: DocumentRequest<'_>,
    ) -> Result<FetchedDocument, FetchError> {
        http::fetch::fetch(&self.shared, &permit, document).await
    }

    /// Says whether calls of a site that authenticate in this way would find credentials that can be sent there. Nothing is sent.
    pub fn check_credentials(&self, site: &Site, auth: &Auth) -> Result<(), CredentialError> {
        Credentials::read(site, auth, &*self.shared.environment)?.check_destination(&site.base_url)
    }
}

/// The request, when the permit is for its operation and its values.
fn permitted<'p, 'a>(
    permit: &Permit<'_>,
    prepared: &'p PreparedRequest<'a>,
) -> Result<&'p PreparedRequest<'a>, RequestBuildError> {
    let is_covered = permit.covers(prepared.operation, &prepared.values);
    is_covered.then_some(prepared).ok_or(RequestBuildError::NotPermitted)
}

#[cfg(test)]
mod tests;
