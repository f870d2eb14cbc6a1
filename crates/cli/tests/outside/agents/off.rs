//! Where the loop is off, and how it is turned on.

use super::Watched;
use crate::outside::harness::{Place, Server, TOKEN, code, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;

/// Names and values in the environment of a server.
type Variables<'a> = &'a [(&'a str, &'a str)];

/// C8.6.1-1 C8.6.1-2 C8.6.1-9 C8.6.7-1 C8.6.7-3 X-loop-2: off, by default, by flag, environment or configuration, everything runs that runs otherwise, no report is
/// asked for, and introspection says so; on, the same operations are there beside the loop's.
#[tokio::test]
async fn nothing_is_watched_unless_somebody_says_so() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "7"}))).await;
    let (shop, base_url, place) = (shop(), api.base_url(), Place::new());
    let on = place.write("on.toml", "[safety]\nmode = \"enforcing\"\n");
    let off = place.write("off.toml", "[safety]\nmode = \"disabled\"\n");
    let cases: [(&[&str], Variables, &str); 7] = [
        (&[], &[], "disabled"),
        (&["--config", &off], &[], "disabled"),
        (&["--config", &on, "--safety", "disabled"], &[], "disabled"),
        (&["--config", &on], &[("MCPAQL_SAFETY_LOOP", "disabled")], "disabled"),
        (&["--config", &on], &[], "enforcing"),
        (&[], &[("MCPAQL_SAFETY_LOOP", "logging")], "logging"),
        (&["--safety", "monitoring"], &[("MCPAQL_SAFETY_LOOP", "logging")], "monitoring"),
    ];
    for (arguments, variables, mode) in cases {
        let all = [&[shop.as_str(), "--base-url", &base_url], arguments].concat();
        let mut server = Server::start(&all, &[&[("SHOP_TOKEN", TOKEN)], variables].concat());
        server.open().await;
        let shown = server.call("mcp_aql_read", "introspect", json!({"query": "capabilities"})).await;
        let data = &shown["data"];
        assert_eq!(data["capabilities"]["execution_safety_loop"], mode, "{arguments:?} {variables:?}");
        assert_eq!(data.get("autonomy").is_some(), mode != "disabled", "{data}");
        let done = server.call("mcp_aql_execute", "execute_recount", json!({"order_id": "7"})).await;
        assert_eq!(done["success"], true, "no agent runs: {done}");
        let report = json!({"element_name": "bot", "next_action_hint": "rm -rf /"});
        let report = server.call("mcp_aql_create", "record_execution_step", report).await;
        let wanted = if mode == "disabled" { "NOT_FOUND_OPERATION" } else { "PERMISSION_DENIED" };
        assert_eq!(code(&report), wanted, "{arguments:?} {report}");
    }
}

/// C8.6.1-3: a server that watches asks nothing of a session until an agent is started in it, and again when that has ended.
#[tokio::test]
async fn an_agent_turns_it_on() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "7"}))).await;
    let (shop, base_url) = (shop(), api.base_url());
    let mut watched = Watched::open(&[&shop, "--base-url", &base_url, "--safety", "enforcing"]).await;
    let order = json!({"order_id": "7"});
    for (runs, is_good) in [(false, true), (true, false), (false, true)] {
        if runs {
            watched.run("bot").await;
        }
        let done = watched.call("mcp_aql_execute", "execute_recount", order.clone()).await;
        assert_eq!(done["success"], is_good, "{done}");
        if runs {
            let ended =
                watched.call("mcp_aql_execute", "complete_execution", json!({"element_name": "bot"})).await;
            assert_eq!(ended["success"], true, "{ended}");
        }
    }
}
