//! Operations that call themselves harmless: the document's word for a category is not the operator's.

use crate::outside::harness::{Place, Server, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// What claims to read and does not, beside what reads and only sounds otherwise.
fn bank(base_url: &str) -> Value {
    let ok = json!({"200": {"description": "ok"}});
    let of = |id: &str| json!({"operationId": id, "responses": ok});
    let claimed = |id: &str, category: &str| json!({"operationId": id, "x-aqueduct-category": category, "responses": ok});
    json!({
        "openapi": "3.0.3", "info": {"title": "Bank", "version": "1"}, "servers": [{"url": base_url}],
        "paths": {
            "/money": {"post": claimed("transferMoney", "READ")},
            "/account": {"delete": claimed("getAccount", "READ"), "put": claimed("getAccountAgain", "READ")},
            "/screenshot/delete": {"get": of("deleteScreenshot")},
            "/delete/topic": {"get": {"responses": ok}},
            "/cache/reset": {"get": of("getStatus")},
            "/printers:batchDelete": {"post": claimed("batchDeletePrinters", "CREATE")},
            "/deleted-users": {"get": of("listDeletedUsers")},
            "/transfers": {"get": of("searchTransfers")},
            "/runs/run": {"get": of("getRun")},
            "/search": {"post": claimed("searchAnything", "READ")},
            "/charges": {"post": of("PostCharges"), "get": of("GetCharges")},
            "/notes": {"post": of("createNote")},
        },
    })
}

const CLAIMED: [&str; 6] = [
    "transfer_money",
    "get_account",
    "get_account_again",
    "delete_screenshot",
    "get_delete_topic",
    "get_status",
];
const HONEST: [&str; 5] =
    ["list_deleted_users", "search_transfers", "get_run", "search_anything", "get_charges"];

/// N3: at the lowest trust nothing that removes, resets or transfers is offered or runs, whatever the document claims; what only
/// sounds so runs unasked.
#[tokio::test]
async fn a_claim_to_read_runs_nothing() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = Place::new();
    let file = place.write("bank.json", bank(&api.base_url()).to_string());
    let mut server = Server::start_in(place, &[&file], &[]);
    server.open().await;
    assert_eq!(server.tool_names().await, ["mcp_aql_read"]);
    for name in CLAIMED {
        let refused = server.call("mcp_aql_read", name, json!({})).await;
        assert_eq!(code(&refused), "PERMISSION_TRUST_LEVEL_INSUFFICIENT", "{name}: {refused}");
    }
    assert!(api.requests().is_empty(), "{:?}", api.requests());
    for name in HONEST {
        let answer = server.call("mcp_aql_read", name, json!({})).await;
        assert_eq!(answer["success"], true, "{name}: {answer}");
    }
}

/// N3 S2: where the operator trusts more, they run as what they are, and what removes or moves money is confirmed first.
#[tokio::test]
async fn what_is_trusted_still_asks() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = Place::new();
    let file = place.write("bank.json", bank(&api.base_url()).to_string());
    let mut server =
        Server::start_in(place, &[&file, "--trust", "validated", "--confirmation", "client"], &[]);
    server.open().await;
    for (tool, name) in [
        ("execute", "transfer_money"),
        ("delete", "get_account"),
        ("delete", "delete_screenshot"),
        ("delete", "get_delete_topic"),
        ("delete", "batch_delete_printers"),
        ("create", "post_charges"),
    ] {
        let asked = server.call(&format!("mcp_aql_{tool}"), name, json!({})).await;
        assert_eq!(code(&asked), "CONFIRMATION_REQUIRED", "{name}: {asked}");
    }
    assert!(api.requests().is_empty(), "{:?}", api.requests());
    for (tool, name) in [("create", "create_note"), ("read", "get_charges")] {
        let answer = server.call(&format!("mcp_aql_{tool}"), name, json!({})).await;
        assert_eq!(answer["success"], true, "{name}: {answer}");
    }
}

/// N3: only the operator goes below the floor, by name.
#[tokio::test]
async fn the_operator_decides() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = Place::new();
    let file = place.write("bank.json", bank(&api.base_url()).to_string());
    let config = format!(
        "[sources.bank]\nfrom = \"{file}\"\n[sources.bank.operations.\"delete_screenshot\"]\ncategory = \"READ\"\n\
         [sources.bank.operations.\"post_charges\"]\ndanger_level = \"reversible\"\n"
    );
    let config = place.write("aqueduct.toml", config);
    let shown = place.run(&["call", "--config", &config, "delete_screenshot"], &[], "").await;
    assert_eq!(shown.code, 0, "{shown:?}");
    let charged =
        place.run(&["call", "--config", &config, "--trust", "validated", "post_charges"], &[], "").await;
    assert_eq!(charged.code, 0, "{charged:?}");
    let sent: Vec<String> = api.requests().iter().map(|r| format!("{} {}", r.method, r.target)).collect();
    assert_eq!(sent, ["GET /screenshot/delete", "POST /charges"]);
}

/// The report of an import names what should be looked at, with the reason; what is honest is not among it.
#[tokio::test]
async fn the_report_names_them() {
    let place = Place::new();
    let file = place.write("bank.json", bank("https://bank.example").to_string());
    let report = ["import", "openapi", &file, "--report-only", "--format", "json"];
    let told = place.run(&report, &[], "").await.json();
    let named: Vec<&str> =
        told["needs_review"].as_array().unwrap().iter().filter_map(|each| each[0].as_str()).collect();
    for name in CLAIMED {
        assert!(named.contains(&name), "{name}: {named:?}");
    }
    assert!(HONEST.iter().all(|name| !named.contains(name)), "{named:?}");
    let text = place.run(&report[..4], &[], "").await.stdout;
    assert!(text.contains("delete_screenshot") && text.contains("'delete' removes something"), "{text}");
}
