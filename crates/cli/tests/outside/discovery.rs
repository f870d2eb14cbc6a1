//! Finding operations on the command line, and what the configuration adds to it.

use super::harness::{Place, Server, shop};
use serde_json::{Value, json};

/// X-intro-35: a task in words finds its operation, with a request to call it; `--why` says what the score is made of.
#[tokio::test]
async fn search_on_the_command_line() {
    let place = Place::new();
    let file = shop();
    let found = place.run(&["introspect", &file, "--search", "list all products"], &[], "").await;
    let first = found.stdout.lines().next().unwrap_or_default();
    assert!(found.code == 0 && first.starts_with("list_products"), "{found:?}");
    assert!(found.stdout.contains(r#"{"operation":"list_products""#), "{found:?}");
    let words = ["introspect", &file, "--search", "list all products", "--format", "json"];
    let answer: Value = serde_json::from_str(&place.run(&words, &[], "").await.stdout).unwrap();
    assert_eq!(answer["data"]["matches"][0]["tool"], "mcp_aql_read", "{answer}");
    let why = place
        .run(&["introspect", &file, "--search", "list all products", "--why", "--first", "2"], &[], "")
        .await;
    let lines: Vec<&str> = why.stdout.lines().collect();
    assert!(
        lines.len() == 3 && lines[0].starts_with("score") && lines[1].contains("list_products"),
        "{why:?}"
    );
    let some = place.run(&["introspect", &file, "--category", "create"], &[], "").await;
    assert!(some.code == 0 && some.stdout.lines().all(|line| line.contains("CREATE")), "{some:?}");
    let wrong = place.run(&["introspect", &file, "--category", "reed"], &[], "").await;
    assert!(wrong.code == 2 && wrong.stderr.contains("--category 'reed' is not known"), "{wrong:?}");
    let empty = place.run(&["introspect", &file, "--search", " "], &[], "").await;
    assert!(empty.code == 2 && empty.stderr.contains("--search is empty; describe the task"), "{empty:?}");
}

/// The operator's words: for the search, and for what the server covers.
#[tokio::test]
async fn words_of_the_operator() {
    let place = Place::new();
    let file = shop();
    let settings =
        "[server]\ndescription = \"Our little shop\"\n[search]\nsynonyms = [\"zorp -> products\"]\n";
    let config = place.write("aqueduct.toml", settings);
    let found = place.run(&["introspect", &file, "--search", "list zorp"], &[], "").await;
    assert!(found.stdout.starts_with("list_products"), "{found:?}");
    let mut server = Server::start(&[&file, "--config", &config], &[]);
    let instructions = server.open().await["instructions"].clone();
    assert!(instructions.as_str().unwrap().starts_with("Covers Our little shop. "), "{instructions}");
    place.write("aqueduct.toml", "[search]\nsynonyms = [\"alone\"]\n");
    let wrong = place.run(&["introspect", &file], &[], "").await;
    assert!(wrong.code == 3 && wrong.stderr.contains("says nothing of two words"), "{wrong:?}");
}

/// A model that does not know a name is led to the search, and the search to a call.
#[tokio::test]
async fn from_an_error_to_a_call() {
    let mut server = Server::start(&[&shop()], &[]);
    server.open().await;
    let lost = server.call("mcp_aql_read", "qqqq", json!({})).await;
    let search = &lost["error"]["details"]["search"];
    assert_eq!(search["params"]["query"], "search", "{lost}");
    let found = server.call("mcp_aql_read", "introspect", search["params"].clone()).await;
    assert!(found["data"]["matches"][0]["example"]["operation"].is_string(), "{found}");
}

/// What a model pays, as a table, as data and as a chart.
#[tokio::test]
async fn tokens_of_a_task() {
    let place = Place::new();
    let file = shop();
    let table = place.run(&["tokens", &file], &[], "").await;
    assert!(
        table.code == 0 && table.stdout.contains("discovery") && table.stdout.contains("o200k_base"),
        "{table:?}"
    );
    let json = place.run(&["tokens", &file, "--format", "json"], &[], "").await;
    let cost: Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(cost["sources"][0]["task"]["discovery"].as_u64().is_some_and(|tokens| tokens < 700), "{cost}");
    let svg = place.run(&["tokens", &file, "--format", "svg"], &[], "").await;
    assert!(svg.stdout.starts_with("<svg ") && svg.stdout.trim_end().ends_with("</svg>"), "{svg:?}");
}
