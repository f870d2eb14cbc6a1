//! Tests of `probe`.

use crate::error::{CredentialError, DestinationError, TransportErrorKind, UpstreamError};
use crate::test_support::{site, upstream};
use aqueduct_operations::address::AddressKind;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::gatekeeper::FetchPermit;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;
use std::time::Duration;

fn bearer() -> Auth {
    Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() }
}

/// Whatever the status, the site is there; no credential and no constant header was sent to find out.
#[tokio::test]
async fn any_answer_counts_and_nothing_secret_is_sent() {
    for status in [200, 301, 401, 503] {
        let api = FakeApi::always(Answer::json(status, json!({}))).await;
        let mut site = site(&format!("{}/v1", api.base_url()));
        site.auth = bearer();
        site.operator_headers = vec![NamedSecret::new("x-key", "sk-secret")];
        assert_eq!(upstream(&[("T", "token-1")]).probe(FetchPermit::probe(&site)).await, Ok(status));
        let seen = api.only_request();
        assert_eq!((seen.method.as_str(), seen.target.as_str()), ("GET", "/v1"));
        assert_eq!((seen.header("authorization"), seen.header("x-key")), (None, None));
    }
}

#[tokio::test]
async fn silence_and_closed_doors_are_told_apart() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let api = FakeApi::always(Answer::hang()).await;
    let mut silent = site(&api.base_url());
    silent.timeout = Duration::from_millis(100);
    for (site, expected) in [
        (site(&format!("http://127.0.0.1:{free}")), TransportErrorKind::Refused),
        (silent, TransportErrorKind::Timeout { after: Duration::from_millis(100) }),
    ] {
        match upstream(&[]).probe(FetchPermit::probe(&site)).await {
            Err(UpstreamError::Transport(error)) => assert_eq!(error.kind, expected),
            other => panic!("{other:?}"),
        }
    }
}

/// Ruling S7: a probe reaches no further than a call.
#[tokio::test]
async fn the_address_guard_holds() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let mut site = site(&api.base_url());
    site.names_private_address = false;
    let host = "127.0.0.1".to_owned();
    let refused = DestinationError::Address { host, kind: AddressKind::Loopback };
    assert_eq!(upstream(&[]).probe(FetchPermit::probe(&site)).await, Err(refused.into()));
    assert_eq!(api.connection_count(), 0);
}

#[test]
fn credentials_are_judged_without_a_call() {
    let mut site = site("https://api.example.com");
    site.auth = bearer();
    assert_eq!(upstream(&[("T", "token-1")]).check_credentials(&site, &site.auth), Ok(()));
    let variable = "T".to_owned();
    assert_eq!(
        upstream(&[]).check_credentials(&site, &site.auth),
        Err(CredentialError::Missing(variable.clone()))
    );
    assert_eq!(
        upstream(&[("T", "a\nb")]).check_credentials(&site, &site.auth),
        Err(CredentialError::Malformed(variable))
    );
    site.base_url = url::Url::parse("http://api.example.com").unwrap();
    let host = "api.example.com".to_owned();
    assert_eq!(
        upstream(&[("T", "token-1")]).check_credentials(&site, &site.auth),
        Err(CredentialError::Unencrypted(host))
    );
}
