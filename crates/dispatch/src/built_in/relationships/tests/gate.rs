//! Every hop passes the gate (ruling S10).
//!
//! A policy, a trust or a danger that forbids one operation in; out, the failure of the whole call.

use super::{BLOCKS, ask, served, world};
use crate::test_server::{Setup, adapter, error_of};
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial, Purpose};
use aqueduct_testkit::api::FakeApi;
use serde_json::json;
use std::sync::Arc;

/// Forbids hops by one operation.
#[derive(Debug)]
struct NoHops(&'static str);

impl Policy for NoHops {
    fn denies(&self, application: &GateRequest<'_>) -> Option<PolicyDenial> {
        let is_meant = application.purpose == Purpose::Hop && application.entry.operation.name == self.0;
        is_meant.then(|| PolicyDenial::new("test", "not along links"))
    }
}

/// S10: a hop that the operator's policy forbids fails the whole call, and its request is never sent.
#[tokio::test]
async fn a_policy_denies_a_hop() {
    for (operation, sent) in [("get_agent", 0), ("list_agent_skills", 1)] {
        let (server, api) =
            served(Setup { policy: Some(Arc::new(NoHops(operation))), ..Setup::default() }).await;
        let error = server.error(ask("Agent", "ada", "outgoing", json!({}))).await;
        assert_eq!(error["code"], "PERMISSION_DENIED");
        assert_eq!(error["details"]["needs"], operation);
        assert_eq!(error["details"]["operation"], "query_relationships");
        assert_eq!(api.requests().len(), sent, "{operation}");
        let called = json!({"operation": operation, "params": {"agent": "ada"}});
        assert_eq!(server.call(called).await["success"], true, "the same operation may be called");
    }
}

/// S10: a thing that is read on the way is a hop too.
#[tokio::test]
async fn a_policy_denies_a_read_on_the_way() {
    let (server, _api) =
        served(Setup { policy: Some(Arc::new(NoHops("get_agent"))), ..Setup::default() }).await;
    let near = ask("Skill", "write", "incoming", json!({}));
    assert_eq!(server.call(near).await["success"], true);
    let far = ask("Skill", "write", "both", json!({"depth": 2}));
    assert_eq!(error_of(server.call(far).await)["details"]["needs"], "get_agent");
}

/// S10: a hop by an operation that the trust denies, or that a person must confirm, is not taken.
#[tokio::test]
async fn trust_and_danger_hold_for_hops() {
    let api = FakeApi::start(world).await;
    let line = "- { name: list_agent_skills, description: List";
    for (trust, danger, code) in [
        ("generated", "danger_level: dangerous", "PERMISSION_DANGER_LEVEL_DENIED"),
        ("official", "requires_confirmation: true", "PERMISSION_DENIED"),
    ] {
        let blocks = BLOCKS.replace(line, &format!("{line}, {danger}"));
        let server = Setup::trust(trust).serve(&[adapter("agents", &api.base_url(), &blocks)]);
        let before = api.requests().len();
        let error = server.error(ask("Agent", "ada", "outgoing", json!({}))).await;
        assert_eq!((&error["code"], &error["details"]["needs"]), (&json!(code), &json!("list_agent_skills")));
        assert_eq!(api.requests().len(), before + 1, "the root alone was read");
        let other = ask("Agent", "ada", "outgoing", json!({"relationship": "triggers"}));
        assert_eq!(server.call(other).await["success"], true);
    }
}
