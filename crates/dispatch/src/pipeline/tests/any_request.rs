//! Any request at all gets a well-formed answer, and never a panic.
//!
//! Requests are made from the names of the sample adapter and from anything JSON can hold.

use crate::test_server::{LIBRARY_OPERATIONS, Setup, TestServer, lint};
use aqueduct_operations::call::ToolEndpoint;
use aqueduct_testkit::api::{Answer, FakeApi};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::select;
use proptest::{prop_oneof, proptest};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;
use tokio::runtime::Runtime;

/// Names that are no operations of the sample, and `introspect`.
const OTHER_NAMES: &[&str] = &["introspect", "get_shop", "batch", ""];

const KEYS: &[&str] = &[
    "query",
    "name",
    "title",
    "genre",
    "pages",
    "language",
    "rating",
    "isbn",
    "published",
    "tags",
    "keywords",
    "metadata",
    "chapters",
    "donor_code",
    "book_id",
    "bookId",
    "bookID",
    "verbose",
    "page",
    "page_size",
    "shelf",
    "shelfCode",
    "shelf_code",
    "pin",
    "notify",
    "input",
    "opens",
    "reader",
    "scan_id",
    "confirmation_token",
    "_confirmation",
    "_meta",
    "params",
    "operation",
    "nope",
    "op",
    "arguments",
    "token",
    "format in",
    "",
    "a\u{0}",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-3..10).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        select(vec![
            "novel",
            "en",
            "operations",
            "types",
            "danger",
            "{}",
            "[1]",
            "{\"a\":",
            "..",
            "2026-02-30",
            "flat white",
            "\u{0}"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((select(KEYS), inner), 0..5).prop_map(|pairs| object(pairs).into()),
        ]
    })
}

fn object(pairs: Vec<(&str, Value)>) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn request() -> impl Strategy<Value = Value> {
    let names = [LIBRARY_OPERATIONS, OTHER_NAMES].concat();
    let name = prop_oneof![8 => select(names).prop_map(Value::from), 1 => value()];
    let members = vec((select(KEYS), value()), 0..6);
    let params = prop_oneof![8 => members.prop_map(|pairs| Value::Object(object(pairs))), 1 => value()];
    let top_level = vec((select(KEYS), value()), 0..3);
    (name, params, top_level).prop_map(|(name, params, top_level)| {
        let mut request = object(top_level);
        request.insert("operation".to_owned(), name);
        request.insert("params".to_owned(), params);
        Value::Object(request)
    })
}

fn fixture() -> &'static (Runtime, TestServer, FakeApi) {
    static FIXTURE: OnceLock<(Runtime, TestServer, FakeApi)> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let runtime = Runtime::new().unwrap();
        let api = runtime.block_on(FakeApi::always(Answer::json(200, json!({"ok": true}))));
        let server = Setup::default().serve_library(&api);
        (runtime, server, api)
    })
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(1_000))]

    /// O1-2 C5.1-1 O3.1-1 X-errors-5 X-conf-6 X-conf-7 X-conf-8 X-conf-17 R5.2-5: whatever is sent, one of the two arms comes back.
    #[test]
    fn any_request_has_a_well_formed_answer(request in request(), family in select(vec!["", "read", "create"])) {
        let (runtime, server, _) = fixture();
        let endpoint = if family.is_empty() { ToolEndpoint::Any } else { ToolEndpoint::Family(family.to_owned()) };
        let reply = runtime.block_on(server.reply("session-1", endpoint, request.clone()));
        let answer: Value = serde_json::from_str(&reply.to_json()).unwrap();
        lint(&answer);
        if let Some(code) = answer["error"]["code"].as_str() {
            assert_ne!(code, "INTERNAL_ERROR", "{request} {answer}");
            let is_plan = [&request, &request["params"]].iter().any(|holder| holder.get("plan").is_some());
            let is_no_batch = code == "BATCH_VALIDATION_ERROR" && !is_plan;
            let is_bare = request["operation"] == "introspect" || is_no_batch;
            assert_eq!(answer["error"].get("details").is_none(), is_bare, "{answer}");
        }
    }
}
