//! The embedded bookshop: what `demo` says, that it is true, and every kind of operation on it.

use super::harness::{DEADLINE, Place, Server, code, command, run, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_aqueduct");

/// The snippet and the commands that `demo` prints.
async fn printed() -> (Value, Vec<String>) {
    let ran = run(&["demo"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran:?}");
    let start = ran.stderr.find("\n{\n").unwrap();
    let end = ran.stderr.find("\n}\n").unwrap();
    let snippet = serde_json::from_str(&ran.stderr[start..end + 2]).unwrap();
    let lines = ran.stderr.lines().map(str::trim_start);
    (snippet, lines.filter(|line| line.starts_with(PROGRAM)).map(str::to_owned).collect())
}

/// What is printed works as it stands, in an empty directory, with nothing else running.
#[tokio::test]
async fn what_demo_prints_is_true() {
    let (snippet, commands) = printed().await;
    let server = &snippet["mcpServers"]["bookshop"];
    assert_eq!((&server["command"], &server["args"]), (&json!(PROGRAM), &json!(["serve", "demo"])));
    assert_eq!(commands.len(), 3, "{commands:?}");
    for line in commands {
        let place = Place::new();
        let ended = tokio::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(place.path())
            .env_clear()
            .output()
            .await
            .unwrap();
        let result: Value =
            serde_json::from_slice(&ended.stdout).unwrap_or_else(|_| panic!("{line}: {ended:?}"));
        assert_eq!((ended.status.code(), &result["success"]), (Some(0), &json!(true)), "{line}: {result}");
    }
}

async fn opened() -> Server {
    let mut server = Server::start(&["demo"], &[]);
    server.open().await;
    server
}

/// A list, a create, an update, a delete that needs a yes and an execute, in one session on one shop.
#[tokio::test]
async fn every_kind_of_operation() {
    let mut server = opened().await;
    let books = server.call("mcp_aql_read", "list_books", json!({})).await;
    assert_eq!(books["data"].as_array().unwrap().len(), 20);

    let book = json!({"title": "The Invisible Man", "author_id": 8, "year": 1897, "price_cents": 900});
    let created = server.call("mcp_aql_create", "create_book", book).await;
    assert_eq!((&created["data"]["id"], &created["data"]["author"]), (&json!(21), &json!("H. G. Wells")));

    let change = json!({"book_id": 21, "input": {"price_cents": 750, "stock": 3}});
    let updated = server.call("mcp_aql_update", "update_book", change).await;
    let data = &updated["data"];
    assert_eq!((&data["title"], &data["price_cents"]), (&json!("The Invisible Man"), &json!(750)));
    let found = server.call("mcp_aql_read", "search_books", json!({"q": "WELLS invisible"})).await;
    assert_eq!(found["data"], json!([data]));

    let asked = server.call("mcp_aql_delete", "delete_book", json!({"book_id": 21})).await;
    assert_eq!(code(&asked), "CONFIRMATION_REQUIRED");
    let still = server.call("mcp_aql_read", "get_book", json!({"book_id": 21})).await;
    assert_eq!(still["success"], true);
    let token = &asked["error"]["details"]["confirmation_token"];
    let with_yes = json!({"book_id": 21, "confirmation_token": token});
    let deleted = server.call("mcp_aql_delete", "delete_book", with_yes).await;
    assert_eq!(deleted["success"], true, "{deleted}");
    let gone = server.call("mcp_aql_read", "get_book", json!({"book_id": 21})).await;
    assert_eq!(code(&gone), "NOT_FOUND_RESOURCE");
}

/// The long job goes on after its answer, and has the month's figures when it is done.
#[tokio::test]
async fn a_report_takes_its_time() {
    let mut server = opened().await;
    let started = server.call("mcp_aql_execute", "execute_report", json!({"month": "2026-02"})).await;
    let id = &started["data"]["id"];
    assert_eq!(started["data"]["state"], "running", "{started}");
    let report = loop {
        let report = server.call("mcp_aql_read", "get_report", json!({"report_id": id})).await;
        match report["data"]["state"].as_str() {
            Some("running") => assert!(report["data"]["percent"].as_u64().unwrap() < 100, "{report}"),
            _ => break report,
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let figures =
        json!({"orders": 3, "copies": 5, "revenue_cents": 5450, "best_seller": "Pride and Prejudice"});
    assert_eq!(report["data"]["result"], figures, "{report}");
    let none = server.call("mcp_aql_read", "get_report", json!({"report_id": 9})).await;
    assert_eq!(code(&none), "NOT_FOUND_RESOURCE");
}

/// Orders take copies out of stock, and no more than there are.
#[tokio::test]
async fn orders() {
    let mut server = opened().await;
    let order = |quantity: i64| json!({"book_id": 6, "quantity": quantity, "customer": "Me"});
    let refused = server.call("mcp_aql_create", "create_order", order(3)).await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("Only 2 of book 6"), "{refused}");
    let placed = server.call("mcp_aql_create", "create_order", order(2)).await;
    assert_eq!((&placed["data"]["total_cents"], &placed["data"]["id"]), (&json!(2780), &json!(7)));
    let shown = server.call("mcp_aql_read", "get_order", json!({"order_id": 7})).await;
    assert_eq!(shown["data"], placed["data"]);
    let book = server.call("mcp_aql_read", "get_book", json!({"book_id": 6})).await;
    assert_eq!(book["data"]["stock"], 0);
    let orders = server.call("mcp_aql_read", "list_orders", json!({})).await;
    assert_eq!(orders["data"].as_array().unwrap().len(), 7);
    let authors = server.call("mcp_aql_read", "list_authors", json!({})).await;
    assert_eq!(authors["data"][4], json!({"id": 5, "name": "Jules Verne", "books": 3}));
}

/// Every process has a shop of its own.
#[tokio::test]
async fn a_new_shop_is_stocked_anew() {
    let first = run(&["call", "demo", "create_book", "title=A", "author_id=1"]).await.json();
    let second = run(&["call", "demo", "create_book", "title=B", "author_id=1"]).await.json();
    assert_eq!((&first["data"]["id"], &second["data"]["id"]), (&json!(21), &json!(21)));
}

/// The word is a source like others: beside them, with another address, in every command.
#[tokio::test]
async fn the_word_among_other_sources() {
    let both = run(&["introspect", "demo", &shop()]).await;
    assert!(
        both.stdout.contains("bookshop__list_books") && both.stdout.contains("shop__list_products"),
        "{both:?}"
    );
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let ran = run(&["call", "demo", "list_books", "--base-url", &api.base_url()]).await;
    assert_eq!((ran.code, api.only_request().target.as_str()), (0, "/books"), "{ran:?}");
}

/// A file or directory of that name comes first, and an operation may have it too.
#[tokio::test]
async fn other_things_called_demo() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap().replace("list_products", "demo");
    let file = place.write("shop-adapter.md", &text);
    let arguments = ["call", &file, "demo", "--base-url", &api.base_url()];
    let ran = place.run(&arguments, &[("SHOP_TOKEN", "t")], "").await;
    assert_eq!((ran.code, api.only_request().path()), (0, "/products"), "{ran:?}");
    place.write("demo/shop-adapter.md", &text);
    let listed = place.run(&["introspect", "demo"], &[], "").await;
    assert!(listed.stdout.contains("shop__demo") && !listed.stdout.contains("book"), "{listed:?}");
}

/// Over HTTP the address comes first, then the same advice.
#[tokio::test]
async fn over_http() {
    let place = Place::new();
    let mut child = command(&["demo", "--http", "127.0.0.1:0"], &[], &place.path()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap().unwrap();
    let address = first.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/mcp"));
    let address = address.unwrap_or_else(|| panic!("{first}"));
    let second = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap().unwrap();
    assert!(
        second.starts_with("A sample bookshop is open") && second.ends_with("served over HTTP."),
        "{second}"
    );
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(DEADLINE, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
