//! What is counted takes room as items do (ruling W16).
//!
//! Groups without end and a budget in; out, a refusal, or as many items as there is room for beside the groups.

use super::{ask, serve};
use serde_json::{Value, json};

/// A group for every item, two times.
fn groups() -> Value {
    json!({"titles": {"group_by": "title", "count": true}, "days": {"group_by": "created_at", "count": true}})
}

/// Ruling W16: groups that are larger than the whole budget are refused, with their size and what to do.
#[tokio::test]
async fn more_groups_than_fit() {
    let (server, _api) = serve("/page", 100).await;
    for include_items in [false, true] {
        let mut params = json!({"aggregate": groups(), "include_items": include_items, "budget": 300});
        let error = server.error(ask(params.clone())).await;
        assert_eq!(error["code"], "VALIDATION_PAYLOAD_TOO_LARGE", "{error}");
        let details = &error["details"];
        assert_eq!((&details["limit_type"], &details["limit_value"]), (&json!("budget"), &json!(300)));
        let size = details["actual_value"].as_u64().unwrap();
        assert!(size > 300, "{size}");
        assert!(error["message"].as_str().unwrap().contains("'filter'"), "{error}");
        params["budget"] = (size + 1_000).into();
        let fits = server.data(ask(params)).await;
        assert_eq!(fits["aggregations"]["titles"].as_object().unwrap().len(), 100);
    }
}

/// Ruling W16: what the groups take is no longer there for items, so that both together keep to the budget.
#[tokio::test]
async fn groups_beside_items() {
    let (server, _api) = serve("/page", 40).await;
    let asked = json!({"include_items": true, "first": 40, "budget": 2_000});
    let given = |aggregate: Value| {
        let mut params = asked.clone();
        params["aggregate"] = aggregate;
        server.call(ask(params))
    };
    let few = given(json!({"n": {"count": true}})).await;
    let many = given(groups()).await;
    let count = |answer: &Value| answer["data"]["items"].as_array().unwrap().len();
    assert!(0 < count(&many) && count(&many) + 5 < count(&few), "{} {}", count(&many), count(&few));
    for answer in [&few, &many] {
        let tokens = aqueduct_vocabulary::count(&answer["data"].to_string());
        assert!(tokens <= 2_000, "{tokens}");
        assert_eq!(answer["data"]["pageInfo"]["hasNextPage"], true);
        assert_eq!(answer["warnings"][0]["code"], "VALIDATION_TRUNCATED_WARNING");
    }
    assert_eq!(many["data"]["aggregations"]["titles"].as_object().unwrap().len(), 40, "groups are never cut");
}
