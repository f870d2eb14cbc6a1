//! The embedded bookshop: what `demo` says, that it is true, and every kind of operation on it.

use super::harness::{DEADLINE, Place, Server, code, command, run, shop};
#[cfg(unix)]
use super::terminal::with_terminal;
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Child;
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_aqueduct");

/// A running `demo` and everything it said before it waited.
struct Demo {
    _child: Child,
    address: String,
    said: String,
}

async fn started() -> Demo {
    let place = Place::new();
    let mut child = command(&["demo", "--http", "127.0.0.1:0"], &[], &place.path()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap().unwrap();
    let address = first.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/mcp"));
    let address = address.unwrap_or_else(|| panic!("{first}")).to_owned();
    let mut said = String::new();
    while said.lines().filter(|line| line.trim_start().starts_with(PROGRAM)).count() < 3 {
        said += &timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap().unwrap();
        said.push('\n');
    }
    Demo { _child: child, address, said }
}

/// Over HTTP the address comes first, then what to paste and what to try; and it is served.
#[tokio::test]
async fn what_demo_says_first() {
    let demo = started().await;
    assert!(demo.said.starts_with("A sample bookshop is open on this machine"), "{}", demo.said);
    let mut stream = tokio::net::TcpStream::connect(&demo.address).await.unwrap();
    let address = &demo.address;
    let request = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(DEADLINE, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// The three commands work as they stand, pasted into a shell in an empty directory: a search, a change, and a removal
/// that runs when the person says yes.
#[cfg(unix)]
#[tokio::test]
async fn the_commands_that_demo_prints() {
    let demo = started().await;
    let lines: Vec<&str> =
        demo.said.lines().map(str::trim_start).filter(|line| line.starts_with(PROGRAM)).collect();
    let [search, change, removal] = lines[..] else { panic!("{lines:?}") };
    let place = Place::new();
    let shell = |line: &str| {
        let mut command = tokio::process::Command::new("sh");
        command.args(["-c", line]).current_dir(place.path()).env_clear();
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    };
    let found = with_terminal(shell(search), "").await;
    assert_eq!((found.code, found.stderr.as_str()), (0, ""), "{found:?}");
    let books = found.json()["data"]["items"].clone();
    let books = books.as_array().unwrap();
    assert!(books.len() == 3 && books.iter().all(|book| book["author"] == "Jules Verne"), "{books:?}");
    let changed = with_terminal(shell(change), "").await.json();
    assert_eq!(
        (&changed["data"]["id"], &changed["data"]["price_cents"]),
        (&json!(10), &json!(1290)),
        "{changed}"
    );
    let removed = with_terminal(shell(removal), "y\n").await;
    assert!(
        removed.stderr.starts_with("delete_book of bookshop needs your yes.\n  book_id: 3\n"),
        "{removed:?}"
    );
    assert_eq!((removed.code, &removed.json()["success"]), (0, &json!(true)), "{removed:?}");
}

/// A client that starts programs, with the snippet that is printed.
#[tokio::test]
async fn the_snippet_that_demo_prints() {
    let said = started().await.said;
    let start = said.find("\n{\n").unwrap();
    let end = said.find("\n}\n").unwrap();
    let snippet: Value = serde_json::from_str(&said[start..end + 2]).unwrap();
    let server = &snippet["mcpServers"]["bookshop"];
    assert_eq!((&server["command"], &server["args"]), (&json!(PROGRAM), &json!(["serve", "demo"])));
    let mut server = opened().await;
    assert_eq!(server.tool_names().await.len(), 5);
}

/// `--todos` runs the API that the samples call: it lists, makes, changes and removes, and tells what is not there.
#[tokio::test]
async fn the_to_do_list_of_the_samples() {
    let place = Place::new();
    let mut child = command(&["demo", "--todos", "127.0.0.1:0"], &[], &place.path()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap().unwrap();
    let base = first.strip_prefix("listening on ").unwrap_or_else(|| panic!("{first}")).to_owned();
    let adapter = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/todo-adapter.md");
    let adapter = adapter.display().to_string();
    let call = async |words: &[&str]| {
        let all = [&["call", &adapter, "--base-url", &base], words].concat();
        run(&all).await.json()
    };
    let listed = call(&["list_todos"]).await;
    assert_eq!(listed["data"]["items"].as_array().unwrap().len(), 2, "{listed}");
    let open = call(&["list_todos", "done:=false", "fields=title"]).await;
    assert_eq!(open["data"]["items"], json!([{"title": "Buy milk"}]));
    let made = call(&["create_todo", "title=Water the plants", "due=2026-03-01"]).await;
    let todo = json!({"id": "3", "title": "Water the plants", "done": false, "due": "2026-03-01"});
    assert_eq!(made["data"], todo);
    let changed = call(&["update_todo", "todo_id=3", "done:=true", "due:=null"]).await;
    assert_eq!(changed["data"], json!({"id": "3", "title": "Water the plants", "done": true}));
    let missing = call(&["get_todo", "todo_id=4"]).await;
    assert_eq!(missing["error"]["code"], "NOT_FOUND_RESOURCE", "{missing}");
    let other = run(&["demo", "--todos", &base["http://".len()..]]).await;
    assert!(
        other.code == 4 && other.stderr.contains("choose another address with --todos ADDR"),
        "{other:?}"
    );
}

/// Without a flag it is always the same address; where that is taken, the remedy is named.
#[tokio::test]
async fn the_address_of_demo() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = run(&["demo", "--http", &address]).await;
    let said =
        format!("error: {address} is taken by another program; choose another address with --http ADDR");
    assert!(ran.code == 4 && ran.stderr.starts_with(&said), "{ran:?}");
    let wrong = run(&["demo", "--http", "here"]).await;
    assert!(wrong.code == 2 && wrong.stderr.contains("'here' is no address to listen on"), "{wrong:?}");
    let place = Place::new();
    let mut child = command(&["demo"], &[], &place.path()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = timeout(DEADLINE, lines.next_line()).await.unwrap().unwrap().unwrap();
    // Something else on this machine may have it just now.
    let is_told =
        first == "listening on http://127.0.0.1:7300/mcp" || first.contains("127.0.0.1:7300 is taken");
    assert!(is_told, "{first}");
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
    let books = server.call("mcp_aql_read", "list_books", json!({"all": true})).await;
    assert_eq!(books["data"]["items"].as_array().unwrap().len(), 20);

    let book = json!({"title": "The Invisible Man", "author_id": 8, "year": 1897, "price_cents": 900});
    let created = server.call("mcp_aql_create", "create_book", book).await;
    assert_eq!((&created["data"]["id"], &created["data"]["author"]), (&json!(21), &json!("H. G. Wells")));

    let change = json!({"book_id": 21, "input": {"price_cents": 750, "stock": 3}});
    let updated = server.call("mcp_aql_update", "update_book", change).await;
    let data = &updated["data"];
    assert_eq!((&data["title"], &data["price_cents"]), (&json!("The Invisible Man"), &json!(750)));
    let search = json!({"q": "WELLS invisible", "fields": "full"});
    let found = server.call("mcp_aql_read", "search_books", search).await;
    assert_eq!(found["data"]["items"], json!([data]));

    for (field, named) in [("title", "title"), ("price_cents", "price"), ("stock", "stock")] {
        let change = json!({"book_id": 21, "input": {field: null, "year": null}});
        let refused = server.call("mcp_aql_update", "update_book", change).await;
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("Every book has a {named}")), "{refused}");
    }
    let same =
        server.call("mcp_aql_update", "update_book", json!({"book_id": 21, "input": {"stock": 3}})).await;
    assert!(data["year"].is_i64() && same["data"] == *data, "what is left out stays: {same}");
    let change = json!({"book_id": 21, "input": {"year": null}});
    let without = server.call("mcp_aql_update", "update_book", change).await;
    assert_eq!((&without["data"]["year"], &without["data"]["stock"]), (&Value::Null, &json!(3)));

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

/// Orders take copies out of stock, and no more than there are. Authors are listed, and shown one by one.
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
    assert_eq!(orders["data"]["items"].as_array().unwrap().len(), 7);
    let authors = server.call("mcp_aql_read", "list_authors", json!({})).await;
    let verne = json!({"id": 5, "name": "Jules Verne", "books": 3});
    assert_eq!(authors["data"]["items"][4], verne);
    let author = server.call("mcp_aql_read", "get_author", json!({"author_id": 5})).await;
    assert_eq!(author["data"], verne);
    let none = server.call("mcp_aql_read", "get_author", json!({"author_id": 9})).await;
    assert_eq!(code(&none), "NOT_FOUND_RESOURCE");
}

/// Books come in pages of ten; the shop itself filters by author, and everything else is done over its pages.
#[tokio::test]
async fn questions_about_books() {
    let mut server = opened().await;
    let page = server.call("mcp_aql_read", "list_books", json!({})).await["data"].take();
    let info = &page["pageInfo"];
    assert_eq!((&info["hasNextPage"], &info["totalCount"]), (&json!(true), &json!(20)), "{page}");
    assert_eq!(page["items"].as_array().unwrap().len(), 10);
    let rest = json!({"first": 20, "after": info["endCursor"]});
    let rest = server.call("mcp_aql_read", "list_books", rest).await["data"].take();
    assert_eq!((&rest["items"][0]["id"], &rest["pageInfo"]["hasNextPage"]), (&json!(11), &json!(false)));

    let austen = json!({"filter": {"author": "Jane Austen"}, "fields": ["_computed.stock_value_cents"]});
    let austen = server.call("mcp_aql_read", "list_books", austen).await["data"].take();
    assert_eq!(austen["applied"]["filter"], "upstream", "{austen}");
    assert_eq!(austen["items"].as_array().unwrap().len(), 4);
    assert_eq!(austen["items"][0]["_computed"]["stock_value_cents"], 7630);

    let late = json!({"filter": {"year": {"gte": 1880}}, "aggregate": {"copies": {"sum": "stock"}}});
    let late = server.call("mcp_aql_read", "list_books", late).await["data"].take();
    assert_eq!(late["aggregations"], json!({"copies": 34}), "{late}");
    assert_eq!(late["applied"]["complete"], true);
}

/// From an author to the books, and from an order to its book and on to the author.
#[tokio::test]
async fn links_between_things() {
    let mut server = opened().await;
    let root = json!({"element_type": "Author", "element_name": "4"});
    let params = json!({"root": root, "direction": "outgoing", "include": ["relationships"]});
    let wrote = server.call("mcp_aql_read", "query_relationships", params).await["data"].take();
    let names: Vec<&Value> = wrote["relationships"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| &link["target"]["element_name"])
        .collect();
    assert_eq!(names, [&json!("10"), &json!("11")], "{wrote}");
    let root = json!({"element_type": "Book", "element_name": "10"});
    let params = json!({"root": root, "direction": "incoming", "relationship": "wrote"});
    let by = server.call("mcp_aql_read", "query_relationships", params).await["data"].take();
    assert_eq!(by["graph"]["nodes"][1]["element_name"], "4", "{by}");
    let root = json!({"element_type": "Order", "element_name": "1"});
    let params = json!({"root": root, "direction": "both", "depth": 2});
    let order = server.call("mcp_aql_read", "query_relationships", params).await["data"].take();
    let ids: Vec<&Value> =
        order["graph"]["nodes"].as_array().unwrap().iter().map(|node| &node["id"]).collect();
    assert_eq!(ids, [&json!("Order:1"), &json!("Book:2"), &json!("Author:1")], "{order}");
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
    assert_eq!((ran.code, api.only_request().target.as_str()), (0, "/books?limit=10"), "{ran:?}");
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
