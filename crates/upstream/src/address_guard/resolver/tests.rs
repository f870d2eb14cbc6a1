//! Tests of `resolver`.

use super::super::{AddressKind, AddressScope};
use super::{GuardedResolver, LookupFailed, RefusedAddress, settings};
use crate::test_support::TestNames;
use reqwest::dns::Resolve;

fn resolver(addresses: &[&str], reach: AddressScope) -> GuardedResolver {
    GuardedResolver { lookup: TestNames::of(&[addresses]), reach }
}

async fn resolved(
    name: &str,
    addresses: &[&str],
    reach: AddressScope,
) -> Result<Vec<String>, Option<AddressKind>> {
    let found = resolver(addresses, reach).resolve(name.parse().unwrap()).await;
    let found = found.map(|all| all.map(|address| address.ip().to_string()).collect());
    found.map_err(|error| match error.downcast_ref::<RefusedAddress>() {
        Some(RefusedAddress(kind)) => Some(*kind),
        None => {
            assert!(error.is::<LookupFailed>());
            None
        }
    })
}

/// Ruling S7: whoever names it, no name leads to a metadata service or to the local link; a name that is permitted may
/// lead into its own network.
#[tokio::test]
async fn what_a_name_may_lead_to() {
    use AddressKind::{LinkLocal, Metadata, Private};
    for reach in [AddressScope::Own, AddressScope::Public] {
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
                assert_eq!(resolved(name, &[address], reach).await, Err(Some(kind)), "{name} {address}");
            }
        }
        let mixed = ["169.254.169.254", "203.0.113.7"];
        assert_eq!(resolved("api.example.com", &mixed, reach).await, Ok(vec!["203.0.113.7".to_owned()]));
        assert_eq!(resolved("api.example.com", &[], reach).await, Err(None));
    }
    assert_eq!(resolved("intranet", &["10.0.0.1"], AddressScope::Own).await, Ok(vec!["10.0.0.1".to_owned()]));
    assert_eq!(resolved("api.example.com", &["10.0.0.1"], AddressScope::Public).await, Err(Some(Private)));
}

/// Small requests are not held back for more data. The client tells its settings only as text.
#[test]
fn connections_do_not_wait_for_more_data() {
    let shown = format!("{:?}", settings(&resolver(&[], AddressScope::Public)));
    assert!(shown.contains("tcp_nodelay: true"), "{shown}");
}
