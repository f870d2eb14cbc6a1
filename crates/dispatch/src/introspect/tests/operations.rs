//! Operations, listed and in detail, and the facts of the server beside them.
//!
//! What is shown is what the adapter file declares and what a call accepts.

use super::{ask, detail, everything, names};
use crate::test_server::{LIBRARY_OPERATIONS, Setup, TestServer};
use aqueduct_operations::exposure::{Mode, Profile};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

/// O1-3 C7.3-1 O9.3-1 O9.4-1 O9.4-2 R9.1-2 R9.2-1 R9.3-1 X-intro-6 X-intro-26 C10.1-3: every operation is listed once, by
/// noun, with category and family, and `introspect` itself last. O1-4 O6.1-1 O6.1-7: by default each is in the family of its
/// category.
#[tokio::test]
async fn the_list() {
    let (server, _api) = everything().await;
    let expected = [
        ("create_book", "create"),
        ("get_book", "read"),
        ("list_books", "read"),
        ("update_book", "update"),
        ("touch_book", "update"),
        ("delete_book", "delete"),
        ("delete_all_books", "delete"),
        ("update_hours", "update"),
        ("update_layout", "update"),
        ("get_secret_note", "read"),
        ("send_reminder", "execute"),
        ("start_scan", "execute"),
        ("cancel_scan", "execute"),
        ("find_shelf", "read"),
        ("get_status", "read"),
        ("introspect", "read"),
    ];
    assert_eq!(expected.len(), LIBRARY_OPERATIONS.len() + 1);
    assert_eq!(names(&server).await, expected.map(|(name, _)| name));
    let list = ask(&server, json!({"query": "operations"})).await;
    assert_eq!(
        list["operations"][1],
        json!({"name": "get_book", "semantic_category": "READ", "endpoint": "read", "description": "Read one book"})
    );
    let listed = list["operations"].as_array().unwrap();
    let families: Vec<&str> = listed.iter().map(|each| each["endpoint"].as_str().unwrap()).collect();
    let expected = expected.map(|(_, family)| family);
    assert_eq!(families, expected);
    for (listed, family) in list["operations"].as_array().unwrap().iter().zip(expected) {
        assert_eq!(listed["semantic_category"], family.to_uppercase(), "{listed}");
        assert!(listed["description"].is_string(), "{listed}");
    }
}

/// C7.3-2 O9.3-2 O9.5-1 O9.5-2 O9.5-3 O9.5-4 O9.5-5 R9.2-2 R9.3-2 R9.3-3 C1.4-1 C7.1-1 C10.2-2 R1.3-13 O4.3-1 O5.1-1
/// X-intro-9 X-intro-10 X-intro-27: one operation in detail, exactly as its file declares it.
#[tokio::test]
async fn one_operation() {
    let (server, _api) = everything().await;
    let mut shown = detail(&server, "create_book").await;
    let parameters = shown["parameters"].take();
    assert_eq!(
        shown,
        json!({
            "name": "create_book",
            "semantic_category": "CREATE",
            "endpoint": "create",
            "mcpTool": "mcp_aql_create",
            "description": "Add a book. See also: list_books, get_book, update_book, delete_book.",
            "permissions": {"readOnly": false, "destructive": false},
            "parameters": null,
            "returns": {"name": "Book", "kind": "object", "description": "The new book"},
            "examples": [{
                "description": "A short novel",
                "request": {"operation": "create_book", "params": {"title": "Candide", "genre": "novel", "pages": 94}},
            }],
        })
    );
    assert_eq!(
        parameters,
        json!([
            {"name": "title", "type": "string", "required": true, "description": "Its title", "minLength": 1, "maxLength": 40},
            {"name": "genre", "type": "string", "required": true, "description": "Its kind", "enum": ["novel", "essay", "poetry"]},
            {"name": "pages", "type": "integer", "required": false, "description": "How long it is", "minimum": 1, "maximum": 5000},
            {"name": "language", "type": "string", "required": false, "description": "What it is written in", "default": "en", "enum": ["en", "fr"]},
            {"name": "rating", "type": "number", "required": false, "description": "Stars", "minimum": 0, "maximum": 5},
            {"name": "isbn", "type": "string", "required": false, "description": "Thirteen digits", "pattern": "^\\d{13}$"},
            {"name": "published", "type": "string", "required": false, "description": "When it came out", "format": "date"},
            {"name": "tags", "type": "string[]", "required": false, "description": "Words"},
            {"name": "keywords", "type": "string | string[]", "required": false, "description": "One word or several"},
            {"name": "metadata", "type": "object", "required": false, "description": "Anything"},
            {"name": "chapters", "type": "array", "required": false, "description": "Their titles", "items": {"type": "string", "maxLength": 10}},
            {"name": "in_print", "type": "boolean", "required": false, "description": "Still sold"},
            {"name": "donor_code", "type": "string", "required": false, "description": "Who gave it", "minLength": 8, "sensitive": true},
            {"name": "dry_run", "type": "boolean", "required": false, "description": "Show the request instead of sending it"},
        ])
    );
}

/// R9.3-2 R9.3-3 X-intro-27 X-intro-28: the parameters of a READ, the one it needs and the one it does not.
#[tokio::test]
async fn required_and_optional_parameters() {
    let (server, _api) = everything().await;
    assert_eq!(
        detail(&server, "get_book").await["parameters"],
        json!([
            {"name": "book_id", "type": "integer", "required": true, "description": "Its number"},
            {"name": "verbose", "type": "boolean", "required": false, "description": "Say more"},
            {"name": "fields", "type": "string | string[]", "required": false,
             "description": "Fields to return: a preset or a list of paths (presets minimal, standard, full)"},
            {"name": "preset", "type": "string", "required": false, "description": "Older name of a preset in fields"},
            {"name": "after", "type": "string", "required": false, "description": "pageInfo.endCursor of the part before, in a long text"},
            {"name": "budget", "type": "integer", "required": false, "description": "Most tokens of the answer", "minimum": 1},
        ])
    );
}

/// O9.5-2 C6.1-1 C6.1-2 C6.1-3 C6.1-4 C6.1-5 X-modes-21: whether an operation only reads, and whether it may destroy, by its category.
#[tokio::test]
async fn permissions() {
    let (server, _api) = everything().await;
    for (name, read_only, destructive) in [
        ("create_book", false, false),
        ("get_book", true, false),
        ("update_book", false, true),
        ("delete_book", false, true),
        ("start_scan", false, true),
    ] {
        let shown = detail(&server, name).await["permissions"].take();
        assert_eq!(shown, json!({"readOnly": read_only, "destructive": destructive}), "{name}");
    }
}

/// O4.4.2-7 O4.4.5-1: shared parameters are written out in place, whole, with their defaults.
#[tokio::test]
async fn shared_parameters_are_expanded() {
    let (server, _api) = everything().await;
    let shown = detail(&server, "list_books").await;
    assert_eq!(
        shown["parameters"].as_array().unwrap()[1..3],
        [
            json!({"name": "page", "type": "number", "required": false, "description": "Page, from 1", "default": 1, "minimum": 1}),
            json!({"name": "page_size", "type": "number", "required": false, "description": "Books on a page", "default": 25}),
        ]
    );
    assert!(!shown.to_string().contains("$ref"));
}

/// The cross-cutting parameters of the operations document, with the type that each has wherever it is offered.
const CROSS_CUTTING: [(&str, &str); 20] = [
    ("fields", "string | string[]"),
    ("preset", "string"),
    ("filter", "object"),
    ("sort", "string | object"),
    ("order", "string"),
    ("query", "string | object"),
    ("aggregate", "object"),
    ("include_items", "boolean"),
    ("first", "integer"),
    ("after", "string"),
    ("last", "integer"),
    ("before", "string"),
    ("limit", "integer"),
    ("offset", "integer"),
    ("page", "integer"),
    ("page_size", "integer"),
    ("all", "boolean"),
    ("budget", "integer"),
    ("dry_run", "boolean"),
    ("if_match", "string"),
];

/// C7.2-1 O9.1-1 C1.3-1 M2.1.1-11: in every mode and profile `introspect` is there without being declared, a READ, and its answer has
/// nothing else that the adapter does not declare; it is taken by the family that it belongs to and by the one of READ.
#[tokio::test]
async fn introspection_in_every_mode() {
    let (_, api) = everything().await;
    let ask = json!({"operation": "introspect", "params": {"query": "operations"}});
    let setups = [
        (Setup::mode(Mode::Semantic), &["read"][..], &["create", "delete"][..]),
        (Setup::mode(Mode::Single), &[], &[]),
        (Setup::mode(Mode::All), &["read"], &["create"]),
        (Setup::profile(Profile::discover()), &["discover", "query"], &["manage", "operate"]),
    ];
    for (setup, endpoints, others) in setups {
        let server = setup.serve_library(&api);
        let any = server.call(ask.clone()).await;
        let listed = any["data"]["operations"].as_array().unwrap();
        let own: Vec<&Value> = listed.iter().filter(|each| each["name"] == "introspect").collect();
        assert_eq!((own.len(), &own[0]["semantic_category"]), (1, &json!("READ")));
        let declared = |each: &&Value| LIBRARY_OPERATIONS.contains(&each["name"].as_str().unwrap());
        assert_eq!(listed.iter().filter(declared).count() + 1, listed.len());
        for endpoint in endpoints {
            let answer = server.call_by(endpoint, ask.clone()).await;
            assert_eq!(answer["data"]["operations"], any["data"]["operations"], "{endpoint}");
        }
        for endpoint in others {
            let answer = server.call_by(endpoint, ask.clone()).await;
            assert_eq!(answer["error"]["code"], "VALIDATION_ENDPOINT_MISMATCH", "{endpoint}: {answer}");
        }
    }
}

/// C6.2-2: each operation is taken by the tool of exactly one family, and refused by all others.
#[tokio::test]
async fn one_endpoint_for_each_operation() {
    let (_, api) = everything().await;
    for (profile, families) in [
        (Profile::crude(), &["create", "read", "update", "delete", "execute"][..]),
        (Profile::discover(), &["discover", "query", "manage", "operate"]),
    ] {
        let server =
            Setup { trust: Setup::trust("certified").trust, ..Setup::profile(profile) }.serve_library(&api);
        for name in LIBRARY_OPERATIONS {
            let endpoint = detail(&server, name).await["endpoint"].as_str().unwrap().to_owned();
            for family in families {
                let answer = server.call_by(family, json!({"operation": name})).await;
                let is_refused = answer["error"]["code"] == "VALIDATION_ENDPOINT_MISMATCH";
                assert_eq!(!is_refused, *family == endpoint, "{name} by {family}: {answer}");
            }
        }
    }
}

/// O4.4.4-1 O4.4.4-2: a cross-cutting parameter has one name and one type in every operation that has it; only where the
/// source declares that name itself it makes way.
#[tokio::test]
async fn cross_cutting_parameters_are_the_same_everywhere() {
    let (server, _api) = everything().await;
    let mut met: std::collections::BTreeMap<&str, usize> = Default::default();
    for name in names(&server).await {
        if name == "introspect" {
            continue;
        }
        let shown = detail(&server, &name).await;
        let params = shown["parameters"].as_array().unwrap();
        let find = |wanted: &str| params.iter().find(|each| each["name"] == wanted);
        for (control, kind) in CROSS_CUTTING {
            let other = format!("aql_{control}");
            let Some(found) = find(&other).or_else(|| find(control)) else { continue };
            *met.entry(control).or_default() += 1;
            assert_eq!(found["type"], kind, "{control} of {name}");
            assert_eq!(found["required"], false, "{control} of {name}");
            assert!(found["description"].is_string(), "{control} of {name}");
        }
    }
    for (control, _) in CROSS_CUTTING {
        assert!(met.contains_key(control), "no operation has {control}");
    }
    assert!(met["fields"] > 2 && met["dry_run"] > 2 && met["if_match"] > 2, "{met:?}");
}

/// X-intro-28: how many there are when nothing is said is published as the default of each of the sizes.
#[tokio::test]
async fn sizes_have_their_defaults() {
    let (server, _api) = everything().await;
    let shown = detail(&server, "list_books").await;
    for (name, default) in
        [("first", 25), ("limit", 25), ("aql_page", 1), ("aql_page_size", 25), ("offset", 0)]
    {
        let found = shown["parameters"].as_array().unwrap().iter().find(|each| each["name"] == name);
        assert_eq!(found.unwrap_or_else(|| panic!("{name}: {shown}"))["default"], default, "{name}");
    }
}

/// C4.3-2 O2.2-4 X-intro-28 O4.1-3 O4.5-1: what is accepted is what is listed, by its canonical name, and what is not listed is
/// refused: every name that means something anywhere is tried on every operation. An UPDATE shows its `input` with the
/// fields, an operation that asks first its token.
#[tokio::test]
async fn parameters_are_what_is_accepted() {
    let (server, _api) = everything().await;
    let listed = |shown: &Value| -> Vec<String> {
        shown["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut details = Vec::new();
    for name in names(&server).await {
        details.push((name.clone(), detail(&server, &name).await));
    }
    let mut words: std::collections::BTreeSet<String> =
        details.iter().flat_map(|(_, each)| listed(each)).collect();
    for (control, _) in CROSS_CUTTING {
        words.extend([control.to_owned(), format!("aql_{control}")]);
    }
    words.insert("no_such_parameter".to_owned());
    for (name, shown) in details.iter().filter(|(name, _)| name != "introspect") {
        let listed = listed(shown);
        assert!(listed.iter().all(|name| aqueduct_operations::naming::is_snake_case(name)));
        // A token is taken wherever one could be asked for, and needed only where it is; a field of `input` has its place there.
        let input = shown["parameters"].as_array().unwrap().iter().find(|each| each["name"] == "input");
        let is_of_input = |word: &str| {
            let fields = input.and_then(|input| input["items"]["fields"].as_array());
            fields.is_some_and(|fields| fields.iter().any(|field| field["name"] == word))
        };
        for word in words.iter().filter(|word| *word != "confirmation_token" && !is_of_input(word)) {
            let mut request = shown["examples"][0]["request"].clone();
            // No parameter takes this, and none is missing for it.
            request["params"][word] = json!([[[]]]);
            let answer = server.call(request).await;
            let unknown =
                answer["error"]["details"]["unknown_params"].as_array().cloned().unwrap_or_default();
            let problems = answer["error"]["details"]["problems"].as_array().cloned().unwrap_or_default();
            let is_refused = unknown.contains(&json!(word))
                || problems
                    .iter()
                    .any(|each| each["param"] == word.as_str() && each["code"] == "VALIDATION_UNKNOWN_PARAM");
            assert_eq!(!is_refused, listed.contains(word), "{word} of {name}: {answer}");
        }
        let asks = shown["description"].as_str().unwrap().to_lowercase().contains("needs confirmation");
        assert_eq!(listed.contains(&"confirmation_token".to_owned()), asks, "{name}");
    }
    let update = detail(&server, "update_book").await;
    assert_eq!(listed(&update), ["book_id", "notify", "input", "dry_run", "if_match"]);
    let input = &update["parameters"][2];
    assert_eq!((&input["type"], &input["required"]), (&json!("object"), &json!(true)));
    let fields: Vec<&Value> =
        input["items"]["fields"].as_array().unwrap().iter().map(|field| &field["name"]).collect();
    assert_eq!(fields, ["title", "page_count", "language", "metadata"]);
    assert_eq!(input["items"]["fields"][2].get("default"), None, "it is not filled in there");
    assert_eq!(
        listed(&detail(&server, "delete_book").await),
        ["book_id", "reason", "dry_run", "confirmation_token"]
    );
}

/// C4.7.6-3: that null removes a field is said where the fields are described.
#[tokio::test]
async fn null_is_documented() {
    let (server, _api) = everything().await;
    let update = detail(&server, "update_book").await;
    assert!(update["parameters"][2]["description"].as_str().unwrap().contains("Null removes a field"));
}

/// X-intro-30 O9.5-5: every operation has an example and every parameter a description, and every example is a
/// request that our own validator lets through.
#[tokio::test]
async fn every_example_passes() {
    let api = FakeApi::start(|request| match (request.method.as_str(), request.path()) {
        ("GET", "/books") => Answer::json(200, json!([{"id": 1}])),
        _ => Answer::json(200, json!({"ok": true})),
    })
    .await;
    let server = Setup::trust("certified").serve_library(&api);
    for name in names(&server).await {
        let shown = detail(&server, &name).await;
        for parameter in shown["parameters"].as_array().unwrap() {
            assert!(parameter["description"].is_string(), "{name} {parameter}");
        }
        let examples = shown["examples"].as_array().unwrap();
        assert!(!examples.is_empty(), "{name}");
        for example in examples {
            let answer = server.call(example["request"].clone()).await;
            let asks = answer["error"]["code"] == "CONFIRMATION_REQUIRED";
            assert!(asks || answer["success"] == true, "{example} {answer}");
        }
    }
}

/// C7.2-2 C7.2-3 O9.2-1 O9.2-2 X-intro-37: `introspect` describes itself like any other operation.
#[tokio::test]
async fn introspect_itself() {
    let (server, _api) = everything().await;
    let shown = detail(&server, "introspect").await;
    assert_eq!(shown["permissions"], json!({"readOnly": true, "destructive": false}));
    assert_eq!(
        (&shown["returns"]["name"], &shown["returns"]["kind"]),
        (&json!("IntrospectionData"), &json!("union"))
    );
    let query = &shown["parameters"][0];
    assert_eq!(
        (&query["name"], &query["type"], &query["required"]),
        (&json!("query"), &json!("string"), &json!(true))
    );
    assert_eq!(query["enum"].as_array().unwrap()[..2], [json!("operations"), json!("types")]);
    let name = &shown["parameters"][1];
    assert_eq!(
        (&name["name"], &name["type"], &name["required"]),
        (&json!("name"), &json!("string"), &json!(false))
    );
}

/// C10.1-3 M2.2.1-4: the tool to call, by mode and profile; the family stays the family.
#[tokio::test]
async fn tools_by_mode() {
    let (_, api) = everything().await;
    for (setup, endpoint, tool) in [
        (Setup::mode(Mode::Semantic), "read", "mcp_aql_read"),
        (Setup::mode(Mode::All), "read", "mcp_aql_read"),
        (Setup::mode(Mode::Single), "read", "mcp_aql"),
        (Setup::profile(Profile::discover()), "query", "mcp_aql_query"),
    ] {
        let shown = detail(&setup.serve_library(&api), "get_book").await;
        assert_eq!((&shown["endpoint"], &shown["mcpTool"]), (&json!(endpoint), &json!(tool)));
    }
}

/// C0-1 C10.2-3 X-intro-19 X-intro-21 X-intro-22 X-modes-5 C10.2-1: `_protocol` has the version, level, mode, profile,
/// capabilities and extensions, in fewer than 200 tokens; C4.6.2-3: it does not tell of strict mode.
#[tokio::test]
async fn facts_of_the_server() {
    let (_, api) = TestServer::library().await;
    for setup in [Setup::default(), Setup::lenient()] {
        let server = setup.serve_library(&api);
        let list = ask(&server, json!({"query": "operations"})).await;
        let protocol = &list["_protocol"];
        assert_eq!(protocol["version"], "1.0.0-draft");
        assert_eq!((&protocol["conformance"], &protocol["mode"]), (&json!("level-2"), &json!("semantic")));
        assert_eq!(protocol["modes"], json!(["semantic", "single"]));
        assert_eq!(protocol["profile"], "crude");
        assert_eq!(
            protocol["capabilities"],
            json!({"batch": true, "confirmation": true, "dangerous_operations": true, "field_selection": true, "warnings": true, "execution_safety_loop": "disabled"})
        );
        assert_eq!(
            protocol["extensions"],
            json!(["search", "adapter_info", "danger", "capabilities", "quota_status"])
        );
        let tokens = aqueduct_vocabulary::count(&protocol.to_string());
        assert!(tokens < 200, "{tokens} tokens");
        for name in names(&server).await {
            assert!(!detail(&server, &name).await.to_string().contains("strict"));
        }
        assert!(!list.to_string().contains("strict"));
    }
    let server = Setup::profile(Profile::discover()).serve_library(&api);
    assert_eq!(ask(&server, json!({"query": "operations"})).await["_protocol"]["profile"], "discover");
    for (mode, name) in [(Mode::Single, "single"), (Mode::All, "all")] {
        let server = Setup::mode(mode).serve_library(&api);
        assert_eq!(ask(&server, json!({"query": "operations"})).await["_protocol"]["mode"], name);
    }
}

/// When to use an operation is part of what a model reads.
#[tokio::test]
async fn when_to_use_is_told() {
    let (server, _api) = everything().await;
    assert_eq!(detail(&server, "cancel_scan").await["description"], "End a scan. When a scan takes too long");
}

/// R9.3-1: a list that the budget cut says so, and has `introspect` on its first page; a whole one has it too, and no warning.
#[tokio::test]
async fn a_list_that_is_cut() {
    let (server, _api) = TestServer::library().await;
    let list = |more: serde_json::Value| {
        let mut params = json!({"query": "operations"});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"operation": "introspect", "params": params})
    };
    let cut = server.call(list(json!({"budget": 200}))).await;
    let names: Vec<&str> = cut["data"]["operations"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|each| each["name"].as_str())
        .collect();
    assert!(names.contains(&"introspect"), "{names:?}");
    assert_eq!(cut["warnings"][0]["code"], "VALIDATION_TRUNCATED_WARNING", "{cut}");
    let whole = server.call(list(json!({}))).await;
    assert_eq!(whole.get("warnings"), None);
    assert_eq!(whole["data"]["operations"].as_array().unwrap().last().unwrap()["name"], "introspect");
    let asked = server.call(list(json!({"first": 2}))).await;
    assert_eq!(asked.get("warnings"), None, "as many as were asked for");
}
