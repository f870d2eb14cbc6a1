//! Tests of `permits`.

use super::check;
use crate::tidy::tests::{file, places};

const OWN_CALL: &str = "fn a() {\n    let permit = ProgramPermit::own_call(operation, session);\n}\n";

#[test]
fn the_dispatcher_makes_no_permit_of_its_own() {
    let found = check(&[file("crates/dispatch/src/handler_call.rs", OWN_CALL)]);
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
    assert_eq!(places(&check(&files)), [""; 0]);
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
        "configs.map(ConnectPermit::named_by_operator)",
        "ConnectPermit::allowed_by(consent, config)",
        "use aqueduct_egress::client::GuardedClients;",
    ];
    for way in ways {
        let found = check(&[file("crates/dispatch/src/context.rs", way)]);
        assert_eq!(places(&found), ["crates/dispatch/src/context.rs:1"], "{way}");
    }
    assert!(check(&[file("crates/safety/src/lib.rs", ways[0])]).is_empty());
}
