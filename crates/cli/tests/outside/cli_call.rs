//! `call`: words into parameters, results and exit codes, and the person who must say yes.

use super::harness::{Place, Ran, TOKEN, shop};
#[cfg(unix)]
use super::terminal::on_a_terminal;
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

/// What is printed has every digit of what the upstream sent, and nothing raw that turns the direction of reading.
#[tokio::test]
async fn digits_are_printed_as_they_came() {
    let sent = r#"{"a":123456789012345678901234567890,"b":1.10,"c":"caf\u00e9 \u202e"}"#;
    let ran = Shell::new(Answer::bytes(200, sent)).await.call(&["get_product", "product_id=7"], "").await;
    let shown = "    \"a\": 123456789012345678901234567890,\n    \"b\": 1.10,\n    \"c\": \"café \\u202e\"\n";
    assert!(ran.stdout.contains(shown), "{}", ran.stdout);
}

/// Pairs as text, as numbers where a number is declared, as JSON, with dots, in camelCase, and fields of an update by
/// themselves.
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
            vec!["update_order", "orderId=5", "Quantity=3", "input.State=paid"],
            "PATCH /orders/5",
            json!({"quantity": 3, "state": "paid"}),
        ),
        (
            vec!["create_order", "productId=7", "gift.quantity=2"],
            "POST /orders",
            json!({"product_id": 7, "quantity": 1, "gift": {"quantity": "2"}}),
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
    let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let (deep, deep_value) = (format!("{{\"a\": {nested}}}"), format!("product_id:={nested}"));
    for (words, said) in [
        (vec!["get_product", "product_id"], "'product_id' is neither key=value nor key:=JSON"),
        (vec!["get_product", "product_id:=x"], "for text use product_id=VALUE"),
        (vec!["get_product", "=5"], "key=value"),
        (vec!["get_product", "--json", "[1]"], "--json is JSON but no object; --json takes one object"),
        (vec!["get_product", "--json", "{"], "--json is not valid JSON"),
        (vec!["get_product", "--json", ""], "--json is empty; --json takes one object"),
        (
            vec!["get_product", "--json", &deep],
            "--json is nested too deeply: it has 201 levels, and a call takes 32 in all",
        ),
        (
            vec!["get_product", &deep_value],
            "the value of 'product_id' is nested too deeply: it has 200 levels",
        ),
        (vec!["get_product", "--json", "-"], "standard input is empty; --json takes one object"),
        (vec!["get_product", "--json", "@p.json"], "use --json - < p.json"),
        (
            vec!["get_product", "--json", "{\"operation\":\"get_product\",\"params\":{\"product_id\":1}}"],
            "--json takes the parameters alone",
        ),
        (vec!["create_order", "gift=x", "gift.text=y"], "'gift' is set both as a value and as an object"),
        (vec!["get_product", "product_id=1", "productId=2"], "'product_id' is given twice"),
    ] {
        let ran = shell.call(&words, "").await;
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    }
    let unknown = shell.call(&["No-Operation"], "").await;
    assert_eq!(
        (unknown.code, &unknown.json()["error"]["code"]),
        (2, &json!("NOT_FOUND_OPERATION")),
        "{unknown:?}"
    );
    assert!(shell.sent().is_empty());
}

/// A failed operation is exit code 1, input that is turned down before anything is sent 2; both with the whole failure on
/// standard output.
#[tokio::test]
async fn failures() {
    let fine = || Answer::json(200, json!({}));
    for (answer, words, exit, expected) in [
        (
            Answer::json(404, json!({"message": "gone"})),
            vec!["get_product", "product_id=7"],
            1,
            "NOT_FOUND_RESOURCE",
        ),
        (
            Answer::json(400, json!({"message": "no"})),
            vec!["get_product", "product_id=7"],
            1,
            "VALIDATION_INVALID_TYPE",
        ),
        (Answer::drop_connection(), vec!["list_products"], 1, "TRANSPORT_"),
        (fine(), vec!["get_product"], 2, "VALIDATION_MISSING_PARAM"),
        (fine(), vec!["get_product", "product_id=x"], 2, "VALIDATION_INVALID_TYPE"),
        (fine(), vec!["get_product", "product_id=1", "colour=red"], 2, "VALIDATION_UNKNOWN_PARAM"),
        (fine(), vec!["list_products", "per_page=1000"], 2, "VALIDATION_INVALID_VALUE"),
        (fine(), vec!["update_order", "order_id=1", "input.colour=red"], 2, "VALIDATION_UNKNOWN_FIELD"),
        (fine(), vec!["get_produkt"], 2, "NOT_FOUND_OPERATION"),
        (fine(), vec!["introspect", "query=nothing"], 2, "INVALID_QUERY_TYPE"),
    ] {
        let shell = Shell::new(answer).await;
        let ran = shell.call(&words, "").await;
        assert_eq!(ran.code, exit, "{ran:?}");
        assert_eq!(shell.sent().len(), usize::from(exit == 1), "{words:?}");
        let failure = ran.json();
        assert!(failure["error"]["code"].as_str().unwrap().starts_with(expected), "{failure}");
    }
}

/// Ruling S3: without a terminal no one can say yes, whatever stands on standard input.
#[tokio::test]
async fn confirmation_needs_a_person() {
    let shell = Shell::new(Answer::empty(204)).await;
    for input in ["", "y\n", "yes\nyes\n"] {
        let ran = shell.call(&["delete_order", "order_id=5"], input).await;
        assert_eq!(ran.code, 1, "{ran:?}");
        let failure = ran.json();
        assert_eq!(failure["error"]["code"], "CONFIRMATION_REQUIRED");
        assert!(
            failure["error"]["message"].as_str().unwrap().ends_with("Run it in a terminal."),
            "{failure}"
        );
        assert!(!ran.stdout.contains("token") && !ran.stdout.contains("expires"), "{}", ran.stdout);
        assert!(ran.stderr.contains("no terminal to ask on; run it in one"), "{}", ran.stderr);
    }
    assert!(shell.sent().is_empty());
}

/// Ruling S3: the person is told the operation, the source and the parameters, and only a yes runs the call.
#[cfg(unix)]
#[tokio::test]
async fn the_person_at_the_terminal() {
    for (typed, is_yes) in [("y\n", true), ("YES\n", true), ("\n", false), ("yep\n", false), ("\u{4}", false)]
    {
        let shell = Shell::new(Answer::json(200, json!({"gone": true}))).await;
        let (shop, url) = (shop(), shell.api.base_url());
        let arguments = ["call", &shop, "delete_order", "order_id=5", "--base-url", &url];
        let ran = on_a_terminal(&arguments, &[("SHOP_TOKEN", TOKEN)], typed).await;
        let asked = "delete_order of shop needs your yes.\n  order_id: \"5\"\nRemove order 5? (the order is gone for good) [y/N] ";
        assert!(ran.stderr.starts_with(asked), "{ran:?}");
        assert_eq!(
            (ran.code, shell.sent().len()),
            if is_yes { (0, 1) } else { (1, 0) },
            "{typed:?}: {ran:?}"
        );
        if is_yes {
            assert_eq!(ran.json()["data"], json!({"gone": true}));
        } else {
            assert!(ran.stderr.ends_with("not confirmed; nothing was sent\n"), "{ran:?}");
            assert!(!ran.stdout.contains("token"), "{ran:?}");
        }
    }
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

/// What is to be said of a file's content is for the person who checks it: a call and `introspect` say only that there is something,
/// and that on a terminal.
#[cfg(unix)]
#[tokio::test]
async fn warnings_about_a_file_are_counted() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let place = Place::new();
    let text = format!(
        "---\nname: odd\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"A file with warnings\"\ntarget: {{ base_url: \
         \"{}\", transport: http, protocol: rest, serialization: json }}\noperations:\n  read:\n    - {{ name: get_x, maps_to: \
         \"GET /x\" }}\n    - {{ name: get_y, maps_to: \"GET /y\" }}\n---\n",
        api.base_url()
    );
    let file = place.write("odd-adapter.md", text);
    let validated = place.run(&["validate", &file], &[], "").await;
    assert_eq!(validated.stdout.matches("warning[").count(), 2, "{validated:?}");
    for words in [&["call", &file, "get_x"][..], &["introspect", &file]] {
        let ran = place.run(words, &[], "").await;
        assert!(ran.code == 0 && !ran.stderr.contains("warning"), "{ran:?}");
        let line = format!("2 warnings: aqueduct validate {file}");
        let seen = crate::outside::terminal::watched_on_a_terminal(words, &[], &line, || ()).await;
        assert!(!seen.contains("warning["), "{seen}");
    }
    // What does not load is told, the caller.
    let broken = place.write("bad-adapter.md", "---\nname: bad\n---\n");
    let ran = place.run(&["call", &broken, "get_x"], &[], "").await;
    assert!(ran.code == 2 && ran.stderr.contains("error["), "{ran:?}");
}
