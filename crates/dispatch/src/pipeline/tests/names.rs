//! Operation names: the grammar, what is near an unknown one, bare and namespaced ones.
//!
//! No name but that of an operation reaches the API, and no hint names an operation that is hidden.

use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// O2.2-3 O2.4-1 O8.1-5 R5.2-1 R11.4-1 X-errors-16 X-modes-8: a name that is no operation is refused by its own code,
/// whatever is wrong with it, and nothing is sent.
#[tokio::test]
async fn unknown_operations() {
    let (server, api) = TestServer::library().await;
    for name in
        ["get_shop", "Get_Book", "GET_BOOK", " get_book", "get-book", "get_book ", "../x", "9", "naïve"]
    {
        let error = server.error(json!({"operation": name, "params": {"book_id": 1}})).await;
        assert_eq!(error["code"], "NOT_FOUND_OPERATION", "{name}");
        assert!(
            error["message"].as_str().unwrap().starts_with(&format!("Unknown operation: '{name}'")),
            "{error}"
        );
        assert_eq!(error["details"]["operation"], name);
    }
    assert!(api.requests().is_empty());
}

/// O8.4-1: an unknown name is answered with the nearest known ones, best first, at most five, none of them hidden.
#[tokio::test]
async fn suggestions() {
    let (server, _) = TestServer::library().await;
    let suggestions = |error: &Value| -> Vec<String> {
        error["details"]["suggestions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s.as_str().unwrap().to_owned())
            .collect()
    };
    let error = server.error(json!({"operation": "get_boook"})).await;
    assert_eq!(suggestions(&error)[0], "get_book");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("Did you mean 'get_book'?"), "{error}");
    assert!(message.ends_with("Search with introspect {query:\"search\", search:\"get boook\"}."), "{error}");
    assert!(suggestions(&error).len() <= 5);
    let hidden = server.error(json!({"operation": "delete_all_bookz"})).await;
    assert!(!hidden.to_string().contains("delete_all_books"), "{hidden}");
    let nothing = server.error(json!({"operation": "qqqq"})).await;
    assert!(suggestions(&nothing).is_empty());
    assert!(nothing["message"].as_str().unwrap().contains("introspect"), "{nothing}");
    assert_eq!(nothing["details"]["introspect_tool"], "mcp_aql_read");
    let endless = server.error(json!({"operation": "get_book".repeat(10_000)})).await;
    assert!(endless.to_string().len() < 2_000, "cut short");
}

/// W3: the family of the tool that was called comes first, and verbs of one meaning count as one.
#[tokio::test]
async fn suggestions_of_the_family_that_was_called() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let text = "operations:
  create:
    - {name: post_charges, maps_to: POST /charges, description: Charge}
  read:
    - {name: get_charges, maps_to: GET /charges, description: Charges}
    - {name: get_charges_search, maps_to: GET /charges/search, description: Search}
";
    let server = Setup::default().serve(&[adapter("money", &api.base_url(), text)]);
    let error = server.error(json!({"operation": "list_charges"})).await;
    let near = error["details"]["suggestions"].as_array().unwrap();
    assert_eq!(near[..2], [json!("get_charges"), json!("get_charges_search")], "{error}");
    assert!(error["message"].as_str().unwrap().contains("'get_charges'"), "{error}");
}

/// With several sources names carry their source's name; a bare one works while it is the only one (ruling N2).
#[tokio::test]
async fn namespaces() {
    let api = FakeApi::always(Answer::json(200, json!(1))).await;
    let operations = |names: &[&str], path: &str| {
        let list: String = names
            .iter()
            .map(|name| {
                format!("    - name: {name}\n      maps_to: GET /{path}/{name}\n      description: \"Get\"\n")
            })
            .collect();
        format!("operations:\n  read:\n{list}")
    };
    let server = Setup::default().serve(&[
        adapter("shop-one", &api.base_url(), &operations(&["get_item", "get_cart"], "one")),
        adapter("two", &api.base_url(), &operations(&["get_item"], "two")),
    ]);
    for (name, target) in [
        ("shop_one__get_item", "/one/get_item"),
        ("two__get_item", "/two/get_item"),
        ("get_cart", "/one/get_cart"),
        ("shop_one__get_cart", "/one/get_cart"),
    ] {
        server.data(json!({"operation": name})).await;
        assert_eq!(api.requests().pop().unwrap().target, target);
    }
    let error = server.error(json!({"operation": "get_item"})).await;
    assert_eq!(error["code"], "NOT_FOUND_OPERATION");
    let mut suggested: Vec<&Value> = error["details"]["suggestions"].as_array().unwrap().iter().collect();
    suggested.sort_by_key(|name| name.as_str());
    assert!(
        suggested.contains(&&json!("shop_one__get_item")) && suggested.contains(&&json!("two__get_item"))
    );
    let detail =
        server.data(json!({"operation": "introspect", "query": "operations", "name": "get_cart"})).await;
    assert_eq!(detail["operation"]["name"], "shop_one__get_cart");
    assert_eq!(detail["operation"]["examples"][0]["request"]["operation"], "shop_one__get_cart");
}

/// The name that an operation had where it was imported from leads to the one that it has.
#[tokio::test]
async fn original_names() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let things = "operations:
  read:
    - {name: one_of_them, maps_to: GET /things, description: One, imported_from: {name: getThing}}
";
    let server = Setup::default().serve(&[adapter("things", &api.base_url(), things)]);
    for name in ["getThing", "things__getThing"] {
        let error = server.error(json!({"operation": name})).await;
        assert_eq!(error["details"]["suggestions"], json!(["one_of_them"]), "{error}");
    }
}
