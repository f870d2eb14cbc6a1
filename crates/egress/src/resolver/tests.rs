//! Tests of `resolver`.

use super::{AddressLookup, GuardedResolver, LookupFailed, LookupFuture, RefusedAddress};
use aqueduct_operations::address::{AddressKind, AddressScope};
use reqwest::dns::Resolve;
use std::net::IpAddr;
use std::sync::Arc;

/// The same addresses for every name.
#[derive(Debug)]
struct FixedLookup(Vec<IpAddr>);

impl AddressLookup for FixedLookup {
    fn lookup(&self, _: &str) -> LookupFuture {
        Box::pin(std::future::ready(Ok(self.0.clone())))
    }
}

fn resolver(addresses: &[&str], scope: AddressScope) -> GuardedResolver {
    let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
    GuardedResolver { lookup: Arc::new(FixedLookup(addresses)), scope }
}

async fn resolved(
    name: &str,
    addresses: &[&str],
    scope: AddressScope,
) -> Result<Vec<String>, Option<AddressKind>> {
    let found = resolver(addresses, scope).resolve(name.parse().unwrap()).await;
    let found = found.map(|all| all.map(|address| address.ip().to_string()).collect());
    found.map_err(|error| match error.downcast_ref::<RefusedAddress>() {
        Some(RefusedAddress(kind)) => Some(*kind),
        None => {
            assert!(error.is::<LookupFailed>());
            None
        }
    })
}

/// Ruling S7: no matter who names it, no name leads to a metadata service or to the local link; a name that is permitted may
/// lead into its own network.
#[tokio::test]
async fn what_a_name_may_lead_to() {
    use AddressKind::{LinkLocal, Metadata, Private};
    for scope in [AddressScope::Own, AddressScope::Public] {
        for name in ["api.example.com", "intranet", "metadata.google.internal"] {
            for (address, kind) in [
                ("169.254.169.254", Metadata),
                ("::ffff:169.254.169.254", Metadata),
                ("64:ff9b::a9fe:a9fe", Metadata),
                ("169.254.170.2", Metadata),
                ("100.100.100.200", Metadata),
                ("fd00:ec2::254", Metadata),
                ("169.254.7.7", LinkLocal),
                ("fe80::1", LinkLocal),
            ] {
                assert_eq!(resolved(name, &[address], scope).await, Err(Some(kind)), "{name} {address}");
            }
        }
        let mixed = ["169.254.169.254", "203.0.113.7"];
        assert_eq!(resolved("api.example.com", &mixed, scope).await, Ok(vec!["203.0.113.7".to_owned()]));
        assert_eq!(resolved("api.example.com", &[], scope).await, Err(None));
    }
    assert_eq!(resolved("intranet", &["10.0.0.1"], AddressScope::Own).await, Ok(vec!["10.0.0.1".to_owned()]));
    assert_eq!(resolved("api.example.com", &["10.0.0.1"], AddressScope::Public).await, Err(Some(Private)));
}
