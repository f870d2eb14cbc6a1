//! Ruling S7 as a call meets it. Wherever a guard that is not there would let a connection through, it would be one to this
//! machine.

use crate::error::{DestinationError, UpstreamError};
use crate::test_support::{TestNames, call, program_call, upstream_with};
use aqueduct_operations::address::AddressKind;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::operation::{get, with_site};
use serde_json::{Map, json};

/// R11.3-5: ruling S7, a public name that resolves to a private address is not connected to, and the address is not told.
#[tokio::test]
async fn names_of_private_addresses() {
    let api = FakeApi::always(Answer::json(200, json!("private"))).await;
    let operation = with_site(get("g", &format!("http://api.example.com:{}", api.port()), "/x"), |site| {
        site.names_private_address = false;
    });
    for lists in [[&["127.0.0.1"][..]], [&["::ffff:127.0.0.1"]], [&["0.0.0.0", "127.0.0.1"]]] {
        let upstream = upstream_with(TestNames::of(&lists), &[]);
        let error = program_call(&upstream, &operation, &Map::new()).await.unwrap_err();
        assert!(matches!(error, UpstreamError::Destination(DestinationError::Address { .. })), "{error:?}");
        assert!(!error.to_string().contains("127.0") && error.to_string().contains("api.example.com"));
    }
    assert_eq!(api.connection_count(), 0);
}

/// Ruling S7: the address that is used is the one that was checked: a name that changes its mind is looked at again for
/// every connection.
#[tokio::test]
async fn rebinding() {
    let api = FakeApi::always(Answer::json(200, json!("private")).header("Connection", "close")).await;
    let own = with_site(get("g", &format!("http://intranet:{}", api.port()), "/x"), |site| {
        site.names_private_address = true;
    });
    let upstream = upstream_with(TestNames::of(&[&["127.0.0.1"], &["0.0.0.0"]]), &[]);
    program_call(&upstream, &own, &Map::new()).await.unwrap();
    let error = program_call(&upstream, &own, &Map::new()).await.unwrap_err();
    let expected = DestinationError::Address { host: "intranet".into(), kind: AddressKind::Unspecified };
    assert_eq!(error, expected.into());
    assert_eq!(api.connection_count(), 1);
}

/// Ruling S7: a private address is called only when the base URL itself names it.
#[tokio::test]
async fn literal_private_addresses() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let mapped = format!("http://[::ffff:127.0.0.1]:{}", api.port());
    let decimal = format!("http://2130706433:{}", api.port());
    for base_url in [api.base_url(), mapped, decimal] {
        let operation = with_site(get("g", &base_url, "/x"), |site| site.names_private_address = false);
        let error = call(&operation, &[], json!({})).await.unwrap_err();
        assert!(
            matches!(
                error,
                UpstreamError::Destination(DestinationError::Address { kind: AddressKind::Loopback, .. })
            ),
            "{error:?}"
        );
    }
    assert_eq!(api.connection_count(), 0);
    let localhost = get("g", &format!("http://localhost:{}", api.port()), "/x");
    assert!(call(&localhost, &[], json!({})).await.is_ok());
}
