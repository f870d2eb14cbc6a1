//! One document by its URL, such as an OpenAPI description: read whole up to a cap, or not at all when it has not changed.
//!
//! A URL and the version that is known in; its bytes and version, or that nothing is new, out. What the operator gave for
//! the document's own origin goes there alone, and every hop of a redirect goes through the same guard as a call (ruling S7).

use super::request::HttpRequest;
use super::send::{self, failed, transport};
use super::transport_error;
use crate::credentials::Credentials;
use crate::error::{TransportErrorKind, UpstreamError};
use crate::upstream::UpstreamContext;
use aqueduct_egress::destination::{self, MAX_REDIRECTS};
use aqueduct_egress::response::Response;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::credential_scope::{is_same_origin, without_secrets};
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::target::Site;
use http::StatusCode;
use http::header::{
    ACCEPT, CONTENT_TYPE, ETAG, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION,
    USER_AGENT,
};
use std::time::Duration;
use url::Url;

/// The longest that a document may take, from the first connection to its last byte.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Who named the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The operator, who may mean an address of a private network.
    Operator,
    /// A document: only public addresses are asked.
    Document,
}

/// The version of a document, as its server names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentVersion {
    etag: Option<HeaderValue>,
    modified: Option<HeaderValue>,
}

/// What the operator gives for the fetching of a document: for its own origin, over HTTPS or on this machine.
#[derive(Debug, Clone)]
pub struct DocumentCredentials {
    /// The document.
    pub url: Url,
    /// How to authenticate.
    pub auth: Auth,
    /// Headers to send.
    pub headers: Vec<NamedSecret>,
}

/// What a server has.
#[derive(Debug)]
pub enum FetchedDocument {
    /// The document, and where it was in the end.
    New {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its version.
        version: DocumentVersion,
        /// Its URL, redirects followed.
        url: Url,
    },
    /// What is known already.
    Unchanged,
}

/// Why a document cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The server cannot be reached, or may not be.
    #[error("{}", unreachable_words(.0))]
    Upstream(Box<UpstreamError>),
    /// The place to which it was moved does not have it.
    #[error("it is redirected to {to} (status {status}), {why}; {LOGIN}")]
    Redirected {
        /// Where it is said to be, without a query.
        to: String,
        /// The status that said so.
        status: u16,
        /// What is wrong there.
        why: RedirectedTo,
    },
    /// It answers with something else.
    #[error("{}", status_words(*.0))]
    Status(u16),
    /// It sends to nowhere, or around in circles.
    #[error("the server redirects more than {MAX_REDIRECTS} times, or to no address")]
    Redirect,
    /// There is too much of it.
    #[error("the document is larger than {} MiB, the most that is read", .0 / (1024 * 1024))]
    TooLarge(u64),
}

/// What a document was redirected to instead of being given.
#[derive(Debug, thiserror::Error)]
pub enum RedirectedTo {
    /// A page for people.
    #[error("which is a web page, most likely one to log in")]
    Page,
    /// Nothing.
    #[error("which answers with status {0}")]
    Status(u16),
    /// What cannot be reached, or may not be.
    #[error("where {}", unreachable_words(.0))]
    Upstream(Box<UpstreamError>),
}

/// What to do about a document behind a login.
const LOGIN: &str = "if it is behind a login, give credentials with --auth-env VARIABLE or --header 'NAME: VALUE' (where there are several \
     sources, with the source as it was given and '=' before them)";

fn status_words(status: u16) -> String {
    match status {
        401 | 403 => format!("the server answered with status {status}; {LOGIN}"),
        _ => format!("the server answered with status {status}"),
    }
}

fn unreachable_words(error: &UpstreamError) -> String {
    match error {
        UpstreamError::Transport(error) => format!("it cannot be fetched: {}", error.kind),
        other => format!("it cannot be fetched: {other}"),
    }
}

/// On which terms a document is fetched.
#[derive(Debug, Clone, Copy)]
pub struct DocumentRequest<'a> {
    /// Who named its URL.
    pub named_by: NamedBy,
    /// The version that is known, if there is one.
    pub known: Option<&'a DocumentVersion>,
    /// What the operator gives for it, or for another document of the same origin.
    pub credentials: Option<&'a DocumentCredentials>,
    /// The most bytes that are read.
    pub max_bytes: u64,
}

pub(crate) async fn fetch(
    shared: &UpstreamContext,
    permit: &FetchPermit<'_, Url>,
    document: DocumentRequest<'_>,
) -> Result<FetchedDocument, FetchError> {
    fetch_within(TIMEOUT, shared, permit, document).await
}

/// The whole of it in so much time: a server that sends a byte now and then is as good as one that sends none.
async fn fetch_within(
    timeout: Duration,
    shared: &UpstreamContext,
    permit: &FetchPermit<'_, Url>,
    document: DocumentRequest<'_>,
) -> Result<FetchedDocument, FetchError> {
    let url = permit.place();
    let given = document.credentials.filter(|given| is_same_origin(&given.url, url));
    let site = site(url, document.named_by, given);
    let credentials = given.and_then(|given| read_credentials(shared, &site, given));
    let fetch = DocumentFetch { shared, permit, site: &site, document, credentials: credentials.as_ref() };
    tokio::time::timeout(timeout, fetch.follow()).await.unwrap_or_else(|_| {
        let error = transport(&site, TransportErrorKind::Timeout { after: timeout });
        Err(FetchError::Upstream(Box::new(error)))
    })
}

/// One fetch, through all its redirects.
struct DocumentFetch<'a> {
    shared: &'a UpstreamContext,
    permit: &'a FetchPermit<'a, Url>,
    site: &'a Site,
    document: DocumentRequest<'a>,
    credentials: Option<&'a Credentials>,
}

impl DocumentFetch<'_> {
    async fn follow(&self) -> Result<FetchedDocument, FetchError> {
        let mut url = self.site.base_url.clone();
        let mut redirected_by = None;
        for _ in 0..=MAX_REDIRECTS {
            let redirected = |why| {
                redirected_by.map(|status| FetchError::Redirected { to: without_secrets(&url), status, why })
            };
            let response = match self.get(&url).await {
                Ok(response) => response,
                Err(error) if redirected_by.is_none() => return Err(FetchError::Upstream(Box::new(error))),
                Err(error) => {
                    let why = RedirectedTo::Upstream(Box::new(error));
                    return Err(redirected(why).unwrap_or(FetchError::Redirect));
                }
            };
            match response.status() {
                StatusCode::NOT_MODIFIED => return Ok(FetchedDocument::Unchanged),
                status if status.is_success() => {
                    if let Some(login) = redirected(RedirectedTo::Page).filter(|_| is_page(&response)) {
                        return Err(login);
                    }
                    return read(response, self.site, url, self.document.max_bytes).await;
                }
                status if status.is_redirection() => {
                    let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
                    let to = to.and_then(|to| destination::redirected(&url, to).ok());
                    url = to.ok_or(FetchError::Redirect)?;
                    redirected_by = Some(status.as_u16());
                }
                status => {
                    let status = status.as_u16();
                    return Err(
                        redirected(RedirectedTo::Status(status)).unwrap_or(FetchError::Status(status))
                    );
                }
            }
        }
        Err(FetchError::Redirect)
    }

    async fn get(&self, url: &Url) -> Result<Response, UpstreamError> {
        let DocumentFetch { shared, permit, site, credentials, .. } = *self;
        let known = self.document.known;
        let client = shared.clients.client_for(url, destination::site_scope(site, url));
        let client = client.map_err(|error| failed(&site.base_url, transport_error::no_client(error)))?;
        let mut request = HttpRequest::get(url.clone());
        let accepted = HeaderValue::from_static("application/json, application/yaml;q=0.9, */*;q=0.5");
        request.headers.insert(ACCEPT, accepted);
        request.headers.insert(USER_AGENT, HeaderValue::from_static(super::build::AGENT));
        let etag = known.and_then(|known| known.etag.clone());
        let modified = known.and_then(|known| known.modified.clone());
        request.headers.extend(etag.map(|etag| (IF_NONE_MATCH, etag)));
        request.headers.extend(modified.map(|modified| (IF_MODIFIED_SINCE, modified)));
        // They are for the origin of the document alone, and for no one who listens on the way.
        let is_own = is_same_origin(&site.base_url, url);
        if let Some(credentials) = credentials.filter(|it| is_own && it.check_destination(url).is_ok()) {
            credentials.attach(&mut request)?;
        }
        let outcome = client.execute(permit, send::outgoing(request)).await;
        outcome.map_err(|error| failed(&site.base_url, transport_error::connecting(&error)))
    }
}

/// True for a response that is for people.
fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.trim_start().to_ascii_lowercase();
    kind.starts_with("text/html") || kind.starts_with("application/xhtml")
}

/// What can be sent for the document; nothing when a variable is not set, which the server's answer will show.
fn read_credentials(
    shared: &UpstreamContext,
    site: &Site,
    given: &DocumentCredentials,
) -> Option<Credentials> {
    match Credentials::read(site, &given.auth, &*shared.environment) {
        Ok(credentials) => Some(credentials),
        Err(error) => {
            tracing::warn!(target: "aqueduct::load", %error, "a document is fetched without credentials");
            None
        }
    }
}

fn site(url: &Url, named_by: NamedBy, given: Option<&DocumentCredentials>) -> Site {
    Site {
        names_private_address: named_by == NamedBy::Operator,
        operator_headers: given.map(|given| given.headers.clone()).unwrap_or_default(),
        timeout: TIMEOUT,
        ..Site::new(url.clone())
    }
}

async fn read(
    mut response: Response,
    site: &Site,
    url: Url,
    most: u64,
) -> Result<FetchedDocument, FetchError> {
    let header = |name| response.headers().get(name).cloned();
    let version = DocumentVersion { etag: header(ETAG), modified: header(LAST_MODIFIED) };
    let mut bytes = Vec::new();
    loop {
        let chunk = match response.chunk().await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(FetchedDocument::New { bytes, version, url }),
            Err(error) => {
                tracing::debug!(%error, "the document breaks off");
                let detail = "the document broke off";
                let kind = TransportErrorKind::Network { detail, before_answer: false };
                return Err(FetchError::Upstream(Box::new(transport(site, kind))));
            }
        };
        if bytes.len() as u64 + chunk.len() as u64 > most {
            return Err(FetchError::TooLarge(most));
        }
        bytes.extend_from_slice(&chunk);
    }
}

#[cfg(test)]
mod tests;
