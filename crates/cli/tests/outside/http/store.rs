//! Two instances on one PostgreSQL: what one confirms the other knows; and what goes on when the database is gone.

use super::super::harness::{Place, TOKEN, code, shop};
use super::server::{ANN, BOB, HttpServer, TOKENS, call, delete, token_in};
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::postgres::Postgres;
use serde_json::json;

const KEY: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

/// One of several instances on a database.
pub async fn instance(api: &FakeApi, url: &str) -> HttpServer {
    let place = Place::new();
    place.write("aqueduct.toml", TOKENS);
    let (shop, base_url) = (shop(), api.base_url());
    let variables = [("SHOP_TOKEN", TOKEN), ("AQUEDUCT_STORE_URL", url), ("AQUEDUCT_AUDIT_KEY", KEY)];
    HttpServer::start(place, &[&shop, "--base-url", &base_url, "--state-dir", "state"], &variables).await
}

#[tokio::test]
async fn shared_and_lost() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let database = Postgres::start();
    let url = database.database();
    let (one, two) = (instance(&api, &url).await, instance(&api, &url).await);
    assert_eq!(one.ask("GET", "/readyz", &[]).await.status, 200);
    let token = token_in(&one.stateless(&[ANN], &delete(None)).await.inside());
    let other = two.stateless(&[BOB], &delete(Some(&token))).await.inside();
    assert_eq!(code(&other), "TOKEN_INVALID");
    let done = two.stateless(&[ANN], &delete(Some(&token))).await.inside();
    assert_eq!(done["success"], true, "{done}");
    let again = one.stateless(&[ANN], &delete(Some(&token))).await.inside();
    assert_eq!(code(&again), "TOKEN_ALREADY_USED");
    assert_eq!(api.requests().len(), 1);
    database.crash();
    let lost = one.stateless(&[ANN], &delete(None)).await.inside();
    assert_eq!(
        (code(&lost), &lost["error"]["details"]["reason"]),
        ("INTERNAL_ERROR", &json!("store_unavailable")),
        "{lost}"
    );
    let read = one.stateless(&[ANN], &call(6, "mcp_aql_read", "list_products", json!({}))).await.inside();
    assert_eq!(read["success"], true, "{read}");
    assert_eq!(two.ask("GET", "/readyz", &[]).await.status, 503);
    assert_eq!(two.ask("GET", "/healthz", &[]).await.status, 200);
    database.restart();
    token_in(&one.stateless(&[ANN], &delete(None)).await.inside());
}
