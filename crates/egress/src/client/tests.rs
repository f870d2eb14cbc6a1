//! Tests of `client`.

use super::{ServerClient, ServerRequestError, settings, with_authorities};
use crate::environment::Environment;
use crate::resolver::{GuardedResolver, SystemLookup};
use crate::tls::{authorities_of_mozilla, ready};
use aqueduct_operations::address::AddressScope;
use aqueduct_operations::gatekeeper::ConnectPermit;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_testkit::api::{Answer, FakeApi};
use reqwest::Client;
use reqwest::header::HeaderMap;
use secrecy::SecretString;
use serde_json::json;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Small requests are not held back for more data. The client tells its settings only as text.
#[test]
fn connections_do_not_wait_for_more_data() {
    let resolver = GuardedResolver { lookup: Arc::new(SystemLookup), scope: AddressScope::Public };
    let shown = format!("{:?}", settings(&resolver));
    assert!(shown.contains("tcp_nodelay: true"), "{shown}");
}

/// An environment in which one variable is set, or none.
#[derive(Debug)]
struct Set(Option<&'static str>);

impl Environment for Set {
    fn get(&self, name: &str) -> Option<SecretString> {
        (self.0 == Some(name)).then(|| SecretString::from("/nothing/here"))
    }
}

/// What is built first fails, as it does on a machine without authorities.
fn failing_first(tries: &Cell<u32>) -> reqwest::ClientBuilder {
    ready();
    tries.set(tries.get() + 1);
    let builder = Client::builder();
    if tries.get() == 1 { builder.user_agent("\u{0}") } else { builder }
}

#[test]
fn those_of_mozilla_are_trusted_where_the_machine_has_none() {
    let tries = Cell::new(0);
    assert!(with_authorities(|| failing_first(&tries), &Set(None)).is_ok());
    assert_eq!(tries.get(), 2);
}

#[test]
fn nothing_replaces_what_the_operator_has_said() {
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
        let tries = Cell::new(0);
        assert!(with_authorities(|| failing_first(&tries), &Set(Some(name))).is_err(), "{name}");
        assert_eq!(tries.get(), 1);
    }
}

#[test]
fn all_those_of_mozilla_can_be_used() {
    ready();
    let authorities = authorities_of_mozilla().unwrap();
    assert!(authorities.len() > 100, "{}", authorities.len());
    assert!(Client::builder().tls_certs_only(authorities).build().is_ok());
}

/// The client of a server sends to that server, and to no other, whatever URL it is given.
#[tokio::test]
async fn posts_to_its_own_server_alone() {
    let (own, other) = (
        FakeApi::always(Answer::json(200, json!({}))).await,
        FakeApi::always(Answer::json(200, json!({}))).await,
    );
    let url = Url::parse(&own.base_url()).unwrap();
    let reach = ServerTransport::Http { url: url.clone(), headers: Vec::new() };
    let config = ServerConfig { name: "s".into(), reach, timeout: Duration::from_secs(1) };
    let permit = Arc::new(ConnectPermit::named_by_operator(config));
    let client = ServerClient::new(&permit, &url, AddressScope::Own, Duration::from_secs(1)).unwrap();
    let body = || b"{}".to_vec();
    let page = url.join("/mcp?x=1").unwrap();
    let response = client.post(page.as_str(), HeaderMap::new(), body()).await.unwrap();
    assert_eq!(response.status(), 200);
    let elsewhere = client.post(&other.base_url(), HeaderMap::new(), body()).await.unwrap_err();
    assert!(matches!(elsewhere, ServerRequestError::Elsewhere), "{elsewhere:?}");
    assert_eq!((own.requests().len(), other.requests().len()), (1, 0));
}
