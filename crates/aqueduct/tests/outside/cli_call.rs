//! `call`: words into parameters, results and exit codes, and the person who must say yes.

use super::harness::{Place, Ran, TOKEN, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

struct Shell {
    api: FakeApi,
    place: Place,
}

impl Shell {
    async fn new(answer: Answer) -> Shell {
        Shell { api: FakeApi::always(answer).await, place: Place::new() }
    }

    async fn call(&self, words: &[&str], input: &str) -> Ran {
        let (shop, url) = (shop(), self.api.base_url());
        let mut arguments = vec!["call", shop.as_str()];
        arguments.extend(words);
        arguments.extend(["--base-url", url.as_str()]);
        self.place.run(&arguments, &[("SHOP_TOKEN", TOKEN)], input).await
    }

    fn sent(&self) -> Vec<(String, Value)> {
        let requests = self.api.requests();
        requests.iter().map(|each| (format!("{} {}", each.method, each.target), each.json())).collect()
    }
}

/// Pairs as text, as numbers where a number is declared, as JSON, with dots, and fields of an update by themselves.
#[tokio::test]
async fn words_become_parameters() {
    for (words, line, body) in [
        (vec!["get_product", "product_id=7"], "GET /products/7", Value::Null),
        (vec!["list_products", "category=12"], "GET /products?category=12&per_page=20", Value::Null),
        (
            vec!["list_products", "category=a=b&c"],
            "GET /products?category=a%3Db%26c&per_page=20",
            Value::Null,
        ),
        (
            vec!["create_order", "product_id:=7", "gift.text=hello", "gift.lines:=2"],
            "POST /orders",
            json!({"product_id": 7, "quantity": 1, "gift": {"text": "hello", "lines": 2}}),
        ),
        (
            vec!["create_order", "product_id=7", "gift:={\"a\":[1,null]}", "note="],
            "POST /orders",
            json!({"product_id": 7, "quantity": 1, "note": "", "gift": {"a": [1, null]}}),
        ),
        (
            vec!["update_order", "order_id=5", "state=paid", "quantity=3"],
            "PATCH /orders/5",
            json!({"state": "paid", "quantity": 3}),
        ),
        (
            vec!["update_order", "order_id=5", "address.city=Bern", "input.state=paid"],
            "PATCH /orders/5",
            json!({"state": "paid", "address": {"city": "Bern"}}),
        ),
        (
            vec!["update_order", "--json", "{\"order_id\":\"5\",\"input\":{\"quantity\":2}}"],
            "PATCH /orders/5",
            json!({"quantity": 2}),
        ),
    ] {
        let shell = Shell::new(Answer::json(200, json!({"ok": true}))).await;
        let ran = shell.call(&words, "").await;
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
        assert_eq!(ran.json(), json!({"success": true, "data": {"ok": true}}));
        assert_eq!(shell.sent(), [(line.to_owned(), body)], "{words:?}");
    }
}

/// Pairs win over the JSON object, also inside `input`.
#[tokio::test]
async fn json_from_standard_input() {
    let shell = Shell::new(Answer::json(200, json!({}))).await;
    let input = r#"{"order_id": "5", "input": {"state": "open", "quantity": 2}}"#;
    let ran = shell.call(&["update_order", "state=paid", "--json", "-"], input).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let (line, body) = shell.sent().remove(0);
    assert_eq!((line.as_str(), body), ("PATCH /orders/5", json!({"state": "paid", "quantity": 2})));
}

#[tokio::test]
async fn wrong_words() {
    let shell = Shell::new(Answer::json(200, json!({}))).await;
    for (words, said) in [
        (vec!["get_product", "product_id"], "'product_id' is neither key=value nor key:=JSON"),
        (vec!["get_product", "product_id:=x"], "for text use product_id=VALUE"),
        (vec!["get_product", "=5"], "key=value"),
        (vec!["get_product", "--json", "[1]"], "--json takes a JSON object"),
        (vec!["get_product", "--json", "{"], "--json is not valid JSON"),
        (vec!["create_order", "gift=x", "gift.text=y"], "'gift' is set both as a value and as an object"),
        (vec!["No-Operation"], "no operation was named"),
    ] {
        let ran = shell.call(&words, "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    }
    assert!(shell.sent().is_empty());
}

/// A failed operation is exit code 1, with the whole failure on standard output.
#[tokio::test]
async fn failures() {
    for (answer, words, expected) in [
        (
            Answer::json(404, json!({"message": "gone"})),
            vec!["get_product", "product_id=7"],
            "NOT_FOUND_RESOURCE",
        ),
        (Answer::json(200, json!({})), vec!["get_product"], "VALIDATION_MISSING_PARAM"),
        (Answer::json(200, json!({})), vec!["get_produkt"], "NOT_FOUND_OPERATION"),
        (Answer::drop_connection(), vec!["list_products"], "TRANSPORT_"),
    ] {
        let shell = Shell::new(answer).await;
        let ran = shell.call(&words, "").await;
        assert_eq!(ran.code, 1, "{ran:?}");
        let failure = ran.json();
        assert!(failure["error"]["code"].as_str().unwrap().starts_with(expected), "{failure}");
    }
}

/// Ruling S3: without a terminal nobody can say yes, whatever stands on standard input.
#[tokio::test]
async fn confirmation_needs_a_person() {
    let shell = Shell::new(Answer::empty(204)).await;
    for input in ["", "y\n", "yes\nyes\n"] {
        let ran = shell.call(&["delete_order", "order_id=5"], input).await;
        assert_eq!(ran.code, 1, "{ran:?}");
        assert_eq!(ran.json()["error"]["code"], "CONFIRMATION_REQUIRED");
        assert!(ran.stderr.contains("no terminal to ask on"), "{}", ran.stderr);
    }
    assert!(shell.sent().is_empty());
}

/// The operation is the first word that is no file: a file of that name is a source.
#[tokio::test]
async fn a_source_and_an_operation_of_the_same_name() {
    let shell = Shell::new(Answer::json(200, json!({}))).await;
    shell.place.write("list_products", "not an adapter");
    let ran = shell.call(&["list_products"], "").await;
    assert_eq!(ran.code, 2, "{ran:?}");
}

/// `introspect` can be called like any operation.
#[tokio::test]
async fn introspect_by_call() {
    let shell = Shell::new(Answer::json(200, json!({}))).await;
    let ran = shell.call(&["introspect", "query=operations", "name=get_product"], "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.json()["data"]["operation"]["name"], "get_product");
}
