//! One document by its URL, such as an OpenAPI description: read whole up to a cap, or not at all when it has not changed.
//!
//! A URL and the version that is known in; its bytes and version, or that nothing is new, out. What the operator gave for
//! the document's own origin goes there alone, and every hop of a redirect goes through the same guard as a call (ruling S7).

use super::request::HttpRequest;
use super::send::{refused, transport};
use crate::address_guard;
use crate::credentials::Credentials;
use crate::error::{TransportErrorKind, UpstreamError};
use crate::upstream::UpstreamContext;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::target::Site;
use http::StatusCode;
use http::header::{
    ACCEPT, CONTENT_TYPE, ETAG, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION,
    USER_AGENT,
};
use secrecy::SecretString;
use std::time::Duration;
use url::Url;

/// The longest that a document may take, from the first connection to its last byte.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_HOPS: usize = 5;

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
    pub headers: Vec<(String, SecretString)>,
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
    #[error("the server redirects more than {MOST_HOPS} times, or to no address")]
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
        UpstreamError::Transport(error) => format!("it cannot be fetched: {}", error.trouble),
        other => format!("it cannot be fetched: {other}"),
    }
}

pub(crate) async fn fetch(
    shared: &UpstreamContext,
    url: &Url,
    asked: (NamedBy, Option<&DocumentVersion>),
    given: Option<&DocumentCredentials>,
    most: u64,
) -> Result<FetchedDocument, FetchError> {
    within(PATIENCE, shared, url, asked, (given, most)).await
}

/// The whole of it in so much time: a server that sends a byte now and then is as good as one that sends none.
async fn within(
    patience: Duration,
    shared: &UpstreamContext,
    url: &Url,
    (named_by, known): (NamedBy, Option<&DocumentVersion>),
    (given, most): (Option<&DocumentCredentials>, u64),
) -> Result<FetchedDocument, FetchError> {
    let site = site(url, named_by, given);
    let credentials = given.and_then(|given| read_credentials(shared, &site, given));
    let late =
        || FetchError::Upstream(Box::new(transport(&site, TransportErrorKind::Timeout { after: patience })));
    tokio::time::timeout(patience, follow(shared, &site, url, (known, credentials.as_ref()), most))
        .await
        .unwrap_or_else(|_| Err(late()))
}

async fn follow(
    shared: &UpstreamContext,
    site: &Site,
    first: &Url,
    (known, credentials): (Option<&DocumentVersion>, Option<&Credentials>),
    most: u64,
) -> Result<FetchedDocument, FetchError> {
    let mut url = first.clone();
    let mut redirected_by = None;
    for _ in 0..=MOST_HOPS {
        let redirected =
            |why| redirected_by.map(|status| FetchError::Redirected { to: shown(&url), status, why });
        let response = match get(shared, site, &url, (known, credentials)).await {
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
                return read(response, site, url, most).await;
            }
            status if status.is_redirection() => {
                let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
                url = to.and_then(|to| next(&url, to)).ok_or(FetchError::Redirect)?;
                redirected_by = Some(status.as_u16());
            }
            status => {
                let status = status.as_u16();
                return Err(redirected(RedirectedTo::Status(status)).unwrap_or(FetchError::Status(status)));
            }
        }
    }
    Err(FetchError::Redirect)
}

/// True for an answer that is for people.
fn is_page(response: &reqwest::Response) -> bool {
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

/// Where a redirect leads, if it may be followed. Whoever asks over TLS must not be led to plain text, where anyone could
/// change the document.
fn next(from: &Url, to: &str) -> Option<Url> {
    let next = from.join(to).ok()?;
    let is_worse = from.scheme() == "https" && next.scheme() != "https";
    (!is_worse && matches!(next.scheme(), "http" | "https")).then_some(next)
}

/// A URL without what may be secret about it.
fn shown(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

fn site(url: &Url, named_by: NamedBy, given: Option<&DocumentCredentials>) -> Site {
    Site {
        base_url: url.clone(),
        names_private_address: named_by == NamedBy::Operator,
        headers: Vec::new(),
        operator_headers: given.map(|given| given.headers.clone()).unwrap_or_default(),
        auth: Auth::None,
        consent: None,
        timeout: PATIENCE,
        retries: 0,
    }
}

async fn get(
    shared: &UpstreamContext,
    site: &Site,
    url: &Url,
    (known, credentials): (Option<&DocumentVersion>, Option<&Credentials>),
) -> Result<reqwest::Response, UpstreamError> {
    let reach = address_guard::reach(site, url);
    address_guard::check_host(url, reach).map_err(|kind| refused(site, kind, true))?;
    let client = shared.clients.of(url, reach).map_err(|error| {
        tracing::error!(%error, "no https client");
        transport(
            site,
            TransportErrorKind::Tls { detail: "the trusted certificates of this machine cannot be loaded" },
        )
    })?;
    let mut wanted = HttpRequest::get(url.clone());
    let accepted = HeaderValue::from_static("application/json, application/yaml;q=0.9, */*;q=0.5");
    wanted.headers.insert(ACCEPT, accepted);
    wanted.headers.insert(USER_AGENT, HeaderValue::from_static(super::build::AGENT));
    let etag = known.and_then(|known| known.etag.clone());
    let modified = known.and_then(|known| known.modified.clone());
    wanted.headers.extend(etag.map(|etag| (IF_NONE_MATCH, etag)));
    wanted.headers.extend(modified.map(|modified| (IF_MODIFIED_SINCE, modified)));
    // They are for the origin of the document alone, and for nobody who listens on the way.
    let is_own = url.origin() == site.base_url.origin();
    if let Some(credentials) = credentials.filter(|it| is_own && it.check_destination(url).is_ok()) {
        credentials.attach(&mut wanted)?;
    }
    let mut request = reqwest::Request::new(reqwest::Method::GET, wanted.url);
    *request.headers_mut() = wanted.headers;
    client.execute(request).await.map_err(|error| match super::classify::connecting(&error) {
        Ok(trouble) => transport(site, trouble),
        Err(kind) => refused(site, kind, true),
    })
}

async fn read(
    mut response: reqwest::Response,
    site: &Site,
    url: Url,
    most: u64,
) -> Result<FetchedDocument, FetchError> {
    let header = |name| response.headers().get(name).cloned();
    let version = DocumentVersion { etag: header(ETAG), modified: header(LAST_MODIFIED) };
    let mut bytes = Vec::new();
    let broken = |trouble| FetchError::Upstream(Box::new(transport(site, trouble)));
    loop {
        let chunk = match response.chunk().await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(FetchedDocument::New { bytes, version, url }),
            Err(error) => {
                tracing::debug!(%error, "the document breaks off");
                let detail = "the document broke off";
                return Err(broken(TransportErrorKind::Network { detail, before_answer: false }));
            }
        };
        if bytes.len() as u64 + chunk.len() as u64 > most {
            return Err(FetchError::TooLarge(most));
        }
        bytes.extend_from_slice(&chunk);
    }
}

#[cfg(test)]
mod tests {
    use super::{Auth, DocumentCredentials, FetchError, FetchedDocument, NamedBy, next};
    use crate::test_support::upstream;
    use aqueduct_testkit::api::{Answer, FakeApi};
    use serde_json::json;
    use url::Url;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    /// S-openapi-24: a document is fetched by its URL, redirects followed; the same version is not fetched again.
    #[tokio::test]
    async fn once_per_version() {
        let api = FakeApi::in_turn(vec![
            Answer::json(302, json!({})).header("location", "/v2/openapi.json"),
            Answer::json(200, json!({"openapi": "3.1.0"})).header("etag", "\"v7\""),
            Answer::empty(304),
        ])
        .await;
        let caller = upstream(&[]);
        let place = url(&format!("{}/openapi.json", api.base_url()));
        let first = caller.fetch(&place, (NamedBy::Operator, None), 1_000).await.unwrap();
        let FetchedDocument::New { bytes, version, url } = first else { panic!("{first:?}") };
        assert_eq!(
            (bytes.as_slice(), url.path()),
            (br#"{"openapi":"3.1.0"}"#.as_slice(), "/v2/openapi.json")
        );
        let again = caller.fetch(&url, (NamedBy::Operator, Some(&version)), 1_000).await.unwrap();
        assert!(matches!(again, FetchedDocument::Unchanged));
        assert_eq!(api.requests()[2].header("if-none-match"), Some("\"v7\""));
        assert_eq!(api.requests()[0].header("authorization"), None);
    }

    /// S-openapi-24: a server that only knows dates is asked by the date.
    #[tokio::test]
    async fn once_per_date() {
        let date = "Sun, 15 Nov 2026 10:30:00 GMT";
        let api = FakeApi::in_turn(vec![
            Answer::json(200, json!({"openapi": "3.1.0"})).header("last-modified", date),
            Answer::empty(304),
        ])
        .await;
        let caller = upstream(&[]);
        let place = url(&format!("{}/openapi.json", api.base_url()));
        let first = caller.fetch(&place, (NamedBy::Operator, None), 1_000).await.unwrap();
        let FetchedDocument::New { version, .. } = first else { panic!("{first:?}") };
        let again = caller.fetch(&place, (NamedBy::Operator, Some(&version)), 1_000).await.unwrap();
        assert!(matches!(again, FetchedDocument::Unchanged));
        let asked = &api.requests()[1];
        assert_eq!((asked.header("if-modified-since"), asked.header("if-none-match")), (Some(date), None));
    }

    #[test]
    fn redirects_that_are_followed() {
        let to = |from: &str, to: &str| next(&url(from), to).map(String::from);
        assert_eq!(to("https://a.example/x/y", "../z").as_deref(), Some("https://a.example/z"));
        assert_eq!(to("http://a.example/x", "https://b.example/").as_deref(), Some("https://b.example/"));
        for (from, there) in [
            ("https://a.example/x", "http://a.example/x"),
            ("https://a.example/x", "file:///etc/passwd"),
            ("http://a.example/x", "file:///etc/passwd"),
            ("http://a.example/x", "http://[broken"),
        ] {
            assert_eq!(to(from, there), None, "{from} to {there}");
        }
    }

    /// Ruling S7: a document cannot lead us to addresses of a private network; only the operator can name one.
    #[tokio::test]
    async fn documents_name_no_private_address() {
        let api = FakeApi::always(Answer::json(200, json!({}))).await;
        let place = url(&api.base_url());
        let refused = upstream(&[]).fetch(&place, (NamedBy::Document, None), 1_000).await;
        assert!(matches!(refused, Err(FetchError::Upstream(_))), "{refused:?}");
        assert!(api.requests().is_empty());
    }

    /// PEERS 7: a server that sends a byte now and then does not keep us longer than one that sends none.
    #[tokio::test]
    async fn one_deadline_for_the_whole() {
        use std::time::Duration;
        use tokio::io::AsyncWriteExt;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let place = url(&format!("http://{}/slow.json", listener.local_addr().unwrap()));
        let dripping = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").await.unwrap();
            while stream.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        let caller = upstream(&[]);
        let asked = (NamedBy::Operator, None);
        let fetching =
            super::within(Duration::from_millis(300), caller.shared(), &place, asked, (None, 1_000_000));
        let error = tokio::time::timeout(Duration::from_secs(20), fetching).await.unwrap().unwrap_err();
        assert!(error.to_string().starts_with("it cannot be fetched: "), "{error}");
        dripping.abort();
    }

    /// Where a document was moved to is told when that is what is wrong.
    #[tokio::test]
    async fn a_bad_redirect_says_where_it_leads() {
        let to = "http://169.254.169.254/latest?key=secret-1";
        let api = FakeApi::always(Answer::json(302, json!({})).header("location", to)).await;
        let place = url(&format!("{}/openapi.json", api.base_url()));
        let error =
            upstream(&[]).fetch(&place, (NamedBy::Operator, None), 1_000).await.unwrap_err().to_string();
        assert!(
            error.starts_with("it is redirected to http://169.254.169.254/latest (status 302), "),
            "{error}"
        );
        assert!(!error.contains("secret-1"));
    }

    /// A document behind a login is told as that, with the host, the status and what to do.
    #[tokio::test]
    async fn a_login_is_told() {
        let page =
            Answer::bytes(200, "<html>Log in</html>").header("content-type", "text/html; charset=utf-8");
        let to_login = Answer::json(302, json!({})).header("location", "/login?next=secret-1");
        let api = FakeApi::in_turn(vec![to_login.clone(), page, to_login, Answer::empty(403)]).await;
        let place = url(&format!("{}/openapi.json", api.base_url()));
        for why in ["web page", "status 403"] {
            let told =
                upstream(&[]).fetch(&place, (NamedBy::Operator, None), 1_000).await.unwrap_err().to_string();
            let login = format!("{}/login (status 302)", api.base_url());
            for word in [login.as_str(), why, "--auth-env", "--header"] {
                assert!(told.contains(word) && !told.contains("secret-1"), "{word}: {told}");
            }
        }
        let closed = FakeApi::always(Answer::empty(401)).await;
        let place = url(&closed.base_url());
        let told =
            upstream(&[]).fetch(&place, (NamedBy::Operator, None), 1_000).await.unwrap_err().to_string();
        assert!(told.contains("status 401") && told.contains("--auth-env"), "{told}");
    }

    /// What the operator gives for a document goes to its own origin, and along no redirect to another.
    #[tokio::test]
    async fn credentials_are_for_the_documents_origin() {
        let other = FakeApi::always(Answer::json(200, json!({}))).await;
        let away = format!("{}/x.json", other.base_url().replace("127.0.0.1", "localhost"));
        let api = FakeApi::in_turn(vec![
            Answer::json(302, json!({})).header("location", "/moved.json"),
            Answer::json(302, json!({})).header("location", &away),
        ])
        .await;
        let place = url(&format!("{}/openapi.json", api.base_url()));
        let given = DocumentCredentials {
            url: place.clone(),
            auth: Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() },
            headers: vec![("X-Team".into(), "blue".into())],
        };
        let caller = upstream(&[("TOKEN", "t0ken-value")]);
        let asked = (NamedBy::Operator, None);
        caller.fetch_with(&place, asked, Some(&given), 1_000).await.unwrap_err();
        let sent = api.requests();
        assert_eq!(sent.len(), 2);
        for request in sent {
            let headers = (request.header("authorization"), request.header("x-team"));
            assert_eq!(headers, (Some("Bearer t0ken-value"), Some("blue")));
        }
        assert!(other.requests().iter().all(|request| request.header("authorization").is_none()));
        // Without the variable it is fetched as it is, for it may be there for everybody.
        let open = FakeApi::always(Answer::json(200, json!({}))).await;
        let place = url(&open.base_url());
        let given = DocumentCredentials { url: place.clone(), ..given };
        upstream(&[]).fetch_with(&place, asked, Some(&given), 1_000).await.unwrap();
        assert_eq!(open.only_request().header("authorization"), None);
    }

    #[tokio::test]
    async fn bounds() {
        let place = |api: &FakeApi| url(&api.base_url());
        let large = FakeApi::always(Answer::json(200, json!("x".repeat(2_000)))).await;
        let error = upstream(&[]).fetch(&place(&large), (NamedBy::Operator, None), 1_000).await.unwrap_err();
        assert!(matches!(error, FetchError::TooLarge(1_000)));
        let gone = FakeApi::always(Answer::json(404, json!({}))).await;
        let error = upstream(&[]).fetch(&place(&gone), (NamedBy::Operator, None), 1_000).await.unwrap_err();
        assert_eq!(error.to_string(), "the server answered with status 404");
        let circle = FakeApi::always(Answer::json(301, json!({})).header("location", "/again")).await;
        let error = upstream(&[]).fetch(&place(&circle), (NamedBy::Operator, None), 1_000).await.unwrap_err();
        assert!(matches!(error, FetchError::Redirect));
        assert_eq!(circle.requests().len(), 6);
    }
}
