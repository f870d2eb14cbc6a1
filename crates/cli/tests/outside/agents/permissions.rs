//! What the gatekeeper keeps an agent from, as the agent is told of it in its next directive.

use super::{Watched, kinds};
use crate::outside::harness::{DEADLINE, Place, code, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Instant;

const CONFIG: &str = "[confirmation]\nmode = \"operator\"\n[safety]\nmode = \"enforcing\"\n[[policy]]\noperation = \"get_product\"\n\
                      decision = \"confirm\"\nreason = \"prices are secret\"\n";

/// The directive on a report that has as many notifications as expected: what is noted of calls is not waited for.
async fn told(watched: &mut Watched, hint: &str, count: usize) -> Value {
    let start = Instant::now();
    loop {
        let directive = watched.directive("bot", hint).await;
        if kinds(&directive).len() == count {
            return directive;
        }
        assert!(start.elapsed() < DEADLINE, "{directive}");
    }
}

/// X-gate-9 C8.7.3-4: a call that waits for a confirmation shows as `permission_pending` in the next directive, until it has run by an
/// operator's yes; nothing that the agent says ends it.
#[tokio::test]
async fn what_waits_shows_in_the_next_directive() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "7"}))).await;
    let (shop, base_url, place) = (shop(), api.base_url(), Place::new());
    let config = place.write("aqueduct.toml", CONFIG);
    let mut watched = Watched::open(&[&shop, "--base-url", &base_url, "--config", &config]).await;
    let execute = json!({"element_name": "bot"});
    let asked = watched.call("mcp_aql_execute", "execute_agent", execute.clone()).await;
    let id =
        asked["error"]["details"]["approval_id"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    assert_eq!(watched.operator(&["approve", &id]).await.code, 0);
    let running = watched.call("mcp_aql_execute", "execute_agent", execute).await;
    assert_eq!(running["success"], true, "{running}");
    let hint = "calling get_product for product 7";
    assert_eq!(kinds(&watched.directive("bot", hint).await), [""; 0]);
    let product = json!({"product_id": 7});
    let waits = watched.call("mcp_aql_read", "get_product", product.clone()).await;
    assert_eq!(code(&waits), "CONFIRMATION_REQUIRED", "{waits}");
    let id = waits["error"]["details"]["approval_id"].as_str().unwrap().to_owned();
    let directive = told(&mut watched, hint, 1).await;
    assert_eq!(kinds(&directive), ["permission_pending"]);
    let pending = &directive["notifications"][0]["metadata"];
    assert_eq!(
        (&pending["operation"], &pending["level"]),
        (&json!("get_product"), &json!("CONFIRM_SINGLE_USE")),
        "{directive}"
    );
    let mut with_token = product.clone();
    with_token["confirmation_token"] = json!(id);
    for params in [product.clone(), with_token] {
        let again = watched.call("mcp_aql_read", "get_product", params).await;
        assert_eq!(again["success"], false, "{again}");
    }
    assert_eq!(
        kinds(&told(&mut watched, hint, 1).await),
        ["permission_pending"],
        "once, however often it was tried"
    );
    assert_eq!(api.requests().len(), 0);
    assert_eq!(watched.operator(&["approve", &id]).await.code, 0);
    let done = watched.call("mcp_aql_read", "get_product", product).await;
    assert_eq!(done["success"], true, "{done}");
    told(&mut watched, hint, 0).await;
    assert_eq!(api.requests().len(), 1);
}
