//! Tests of `client`.

use super::{settings, with_authorities};
use crate::environment::Environment;
use crate::resolver::{GuardedResolver, SystemLookup};
use crate::tls::{authorities_of_mozilla, ready};
use aqueduct_operations::address::AddressScope;
use reqwest::Client;
use secrecy::SecretString;
use std::cell::Cell;
use std::sync::Arc;

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
