//! Finding operations on the command line, and what the configuration adds to it.

use super::harness::{Place, Server, shop};
use serde_json::{Value, json};

/// Lists and searches are whole on the command line, however long they are; what `--first` leaves out is told.
#[tokio::test]
async fn long_lists_are_whole() {
    let place = Place::new();
    let about = "Lists the people who were there in the year of that number, with the names of all that they brought along";
    let rows: String = (0..1_200)
        .map(|n| {
            format!("    - {{name: list_guests_{n}, maps_to: GET /guests/{n}, description: \"{about}\"}}\n")
        })
        .collect();
    let head = std::fs::read_to_string(shop()).unwrap();
    let head = head.split("operations:").next().unwrap().replace("name: shop", "name: party");
    let file = place.write("party-adapter.md", format!("{head}operations:\n  read:\n{rows}---\n"));
    let listed = place.run(&["introspect", &file], &[], "").await;
    let lines = listed.stdout.lines().filter(|line| line.contains("list_guests_")).count();
    assert!(lines == 1_200 && !listed.stderr.contains("listed"), "{lines} {}", listed.stderr);
    let search = ["introspect", &file, "--search", "list guests", "--first", "1100"];
    let found = place.run(&search, &[], "").await;
    let lines = found.stdout.lines().filter(|line| line.starts_with("list_guests_")).count();
    assert_eq!(lines, 1_100, "{}", found.stderr);
    let some = place.run(&["introspect", &file, "--first", "5"], &[], "").await;
    assert!(some.stderr.contains("5 of 1201 operations are listed; --first says how many"), "{some:?}");
}

/// X-intro-35: a task in words finds its operation, with a request to call it; `--why` says what the score is made of.
#[tokio::test]
async fn search_on_the_command_line() {
    let place = Place::new();
    let file = shop();
    let found = place.run(&["introspect", &file, "--search", "list all products"], &[], "").await;
    let first = found.stdout.lines().next().unwrap_or_default();
    assert!(found.code == 0 && first.starts_with("list_products"), "{found:?}");
    assert!(found.stdout.contains(r#"{"operation":"list_products""#), "{found:?}");
    let order = place.run(&["introspect", &file, "--search", "create an order"], &[], "").await;
    let first = order.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with("create_order") && first.contains("product_id: integer"), "{order:?}");
    assert_eq!(order.stdout.lines().last(), Some("confidence: clear"), "{order:?}");
    let nothing = "qwx zzv yyq xxv wwq vvz uuq ttz";
    let weak = place.run(&["introspect", &file, "--search", nothing], &[], "").await;
    assert!(weak.code == 0 && weak.stdout.contains(r#"{"shop":{"#), "{weak:?}");
    assert!(!weak.stdout.contains("null") && weak.stdout.ends_with("confidence: weak\n"), "{weak:?}");
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

/// W3: anyone who does not know an operation is given the closest by meaning and spelling and the search as a request, in every
/// mode and on every way in: alone, as a preview, in a batch, by `introspect`, as a tool, and on the command line.
#[tokio::test]
async fn every_way_to_an_unknown_operation_leads_on() {
    // What is searched for are the words of the name.
    let is_search = |request: &Value, words: &str| {
        request["operation"] == "introspect"
            && request["params"]["query"] == "search"
            && request["params"]["search"] == words
    };
    for (mode, read, create) in
        [("semantic", "mcp_aql_read", "mcp_aql_create"), ("single", "mcp_aql", "mcp_aql")]
    {
        let mut server = Server::start(&[&shop(), "--mode", mode], &[]);
        server.open().await;
        let check = |failure: &Value, best: &str, words: &str| {
            let error = &failure["error"];
            assert_eq!(error["code"], "NOT_FOUND_OPERATION", "{failure}");
            assert_eq!(error["details"]["suggestions"][0], best, "{mode}: {failure}");
            assert!(is_search(&error["details"]["search"], words), "{failure}");
            assert!(error["message"].as_str().unwrap().contains(r#"query:"search""#), "{failure}");
        };
        check(&server.call(read, "list_prodcuts", json!({})).await, "list_products", "list prodcuts");
        let lost = server.call(create, "place_purchase", json!({"dry_run": true})).await;
        check(&lost, "create_order", "place purchase");
        let items = json!({"operations": [{"operation": "list_prodcuts"}]});
        let batch = server.call(read, "batch", items).await;
        check(&batch["results"][0]["result"], "list_products", "list prodcuts");
        let described =
            server.call(read, "introspect", json!({"query": "operations", "name": "lst_products"})).await;
        assert_eq!(described["data"]["operation"], Value::Null, "{described}");
        let warning = &described["warnings"][0];
        assert_eq!(warning["details"]["suggestions"][0], "list_products", "{described}");
        assert!(warning["message"].as_str().unwrap().contains(r#"query:"search""#), "{described}");
        let tool = server.call_raw("find_product", json!({})).await;
        assert_eq!(tool["error"]["data"]["name"], read, "{tool}");
        assert!(is_search(&tool["error"]["data"]["arguments"], "find product"), "{tool}");
        let incomplete = server.call(create, "create_order", json!({})).await;
        let example = &incomplete["error"]["details"]["example"];
        assert_eq!(
            *example,
            json!({"operation": "create_order", "params": {"product_id": 1}}),
            "{incomplete}"
        );
    }
    let place = Place::new();
    let file = shop();
    let called = place.run(&["call", &file, "list_prodcuts"], &[], "").await;
    assert!(
        called.code != 0 && is_search(&called.json()["error"]["details"]["search"], "list prodcuts"),
        "{called:?}"
    );
    let shown = place.run(&["introspect", &file, "--name", "list_prodcuts"], &[], "").await;
    assert!(shown.code != 0 && shown.stderr.contains("did you mean list_products"), "{shown:?}");
    assert!(shown.stderr.contains("--search \"list prodcuts\""), "{shown:?}");
}

/// A list with a search has every operation that fits, over all its pages.
#[tokio::test]
async fn a_list_with_a_search_is_complete() {
    let place = Place::new();
    let rows: String = (0..150)
        .map(|n| {
            format!(
                "    - {{name: list_things_{n}, maps_to: GET /things/{n}, description: \"List things\"}}\n"
            )
        })
        .collect();
    let text = format!(
        "---\nname: many\ntype: adapter\nversion: \"1.0.0\"\ndescription: Many things\ntarget: {{base_url: \"https://api.example.com\", transport: http, protocol: rest, serialization: json}}\noperations:\n  read:\n{rows}---\n"
    );
    let file = place.write("many-adapter.md", text);
    let mut server = Server::start_in(place, &[&file], &[]);
    server.open().await;
    let mut params = json!({"query": "operations", "search": "list things"});
    let mut seen: Vec<Value> = Vec::new();
    loop {
        let list = server.call("mcp_aql_read", "introspect", params.clone()).await;
        seen.extend(list["data"]["operations"].as_array().unwrap().iter().map(|each| each["name"].clone()));
        let page = &list["data"]["_protocol"]["page"];
        assert_eq!(page["total"], 150, "{page}");
        let Some(after) = page["after"].as_str() else { break };
        params["after"] = after.into();
    }
    seen.sort_by_key(Value::to_string);
    seen.dedup();
    assert_eq!(seen.len(), 150);
}
