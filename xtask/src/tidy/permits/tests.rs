//! Tests of `permits`.

use super::check;
use crate::tidy::tests::{file, places};

const OWN_CALL: &str = "fn a() {\n    let permit = ProgramPermit::own_call(operation, session);\n}\n";

#[test]
fn the_dispatcher_makes_no_permit_of_its_own() {
    let found = check(&[file("crates/dispatch/src/handler_call.rs", OWN_CALL)]).unwrap();
    assert_eq!(places(&found), ["crates/dispatch/src/handler_call.rs:2"]);
}

#[test]
fn programs_tests_examples_and_comments_may() {
    let comment = OWN_CALL.replace("    let", "/// let");
    let files = [
        file("crates/aqueduct/src/from_openapi.rs", OWN_CALL),
        file("crates/dispatch/src/handler_call/tests.rs", OWN_CALL),
        file("crates/mcp_client/examples/try.rs", OWN_CALL),
        file("crates/dispatch/src/handler_call.rs", &comment),
    ];
    assert_eq!(places(&check(&files).unwrap()), [""; 0]);
}

#[test]
fn every_other_way_is_held_too() {
    let ways = [
        "Gatekeeper::new(confirmations)",
        "ProgramOperation::of_source(loaded)",
        "ProgramPermit::within(operation, &call)",
        "ProgramPermit::of_handler(&handler, session)",
        "call.delegate(&handler, values)",
        "gatekeeper.admit_further(&record, purpose)",
        "FetchPermit::document(url)",
        "FetchPermit::probe(site)",
        "FetchPermit::token(url)",
        "configs.map(ConnectPermit::named_by_operator)",
        "ConnectPermit::allowed_by(consent, config)",
        "use hyper_util::client::legacy;",
        "use hyper_util::{client, rt};",
        "use hyper_util::{rt, client::{legacy as old}};",
        "use hyper_util::*;",
        "use hyper_util as out;",
        "use hyper_util::{self as out};",
        "let pool = hyper_util::client::legacy::pool();",
        "ProgramPermit::<'_, ProgramOperation>::own_call(operation, session)",
        "<ProgramPermit<'_, ProgramOperation>>::own_call(operation, session)",
        "let permit = ProgramPermit /* of whom? */ :: own_call(operation, session);",
        "HandlerCall::delegate(call, &handler, values)",
        "reqwest::Client::new()",
        "use reqwest::{ClientBuilder, Response};",
        "reqwest::get(url)",
    ];
    for way in ways {
        let found = check(&[file("crates/dispatch/src/context.rs", way)]).unwrap();
        assert_eq!(places(&found), ["crates/dispatch/src/context.rs:1"], "{way}");
    }
    assert!(check(&[file("crates/safety/src/lib.rs", ways[0])]).unwrap().is_empty());
}

/// Another name for a type or a crate would hide what is made of it.
#[test]
fn what_is_held_has_one_name() {
    for way in ["use gatekeeper::Gatekeeper as Judge;", "pub type Own<'a> = ProgramOperation;"] {
        let found = check(&[file("crates/dispatch/src/context.rs", way)]).unwrap();
        assert_eq!(places(&found), ["crates/dispatch/src/context.rs:1"], "{way}");
    }
}

#[test]
fn what_only_looks_alike_is_left_alone() {
    let alike = "use hyper_util::rt::client;\nfn delegate() {}\nlet text = \"ProgramPermit::own_call\";\n\
                 let of = SomeGatekeeper::new();\nuse reqwest::{Response, StatusCode};\nlet client: &Client = x;\n";
    assert_eq!(places(&check(&[file("crates/dispatch/src/context.rs", alike)]).unwrap()), [""; 0]);
}
