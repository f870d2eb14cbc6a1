//! Which authorities a client trusts.

use super::{OF_THE_OPERATOR, authorities_of_mozilla, client, ready};
use crate::environment::Environment;
use reqwest::ClientBuilder;
use secrecy::SecretString;
use std::cell::Cell;

/// An environment in which one variable is set, or none.
#[derive(Debug)]
struct Set(Option<&'static str>);

impl Environment for Set {
    fn get(&self, name: &str) -> Option<SecretString> {
        (self.0 == Some(name)).then(|| SecretString::from("/nothing/here"))
    }
}

/// What is built first fails, as it does on a machine without authorities.
fn failing_first(tries: &Cell<u32>) -> ClientBuilder {
    ready();
    tries.set(tries.get() + 1);
    let builder = ClientBuilder::new();
    if tries.get() == 1 { builder.user_agent("\u{0}") } else { builder }
}

#[test]
fn those_of_mozilla_are_trusted_where_the_machine_has_none() {
    let tries = Cell::new(0);
    assert!(client(|| failing_first(&tries), &Set(None)).is_ok());
    assert_eq!(tries.get(), 2);
}

#[test]
fn nothing_replaces_what_the_operator_has_said() {
    for name in OF_THE_OPERATOR {
        let tries = Cell::new(0);
        assert!(client(|| failing_first(&tries), &Set(Some(name))).is_err(), "{name}");
        assert_eq!(tries.get(), 1);
    }
}

#[test]
fn all_those_of_mozilla_can_be_used() {
    ready();
    let authorities = authorities_of_mozilla().unwrap();
    assert!(authorities.len() > 100, "{}", authorities.len());
    assert!(ClientBuilder::new().tls_certs_only(authorities).build().is_ok());
}
