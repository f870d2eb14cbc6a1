//! Updates: what is there is read, merged and written back, and nothing is lost (core specification, 4.5.1 and 9.3.2).
//!
//! A document with a version, kept as a real API keeps it, stands behind; its final state is what counts.

mod versions;

use crate::test_server::{Setup, TestServer, adapter, error_of};
use aqueduct_operations::gatekeeper::{GateRequest, Policy, PolicyDenial, Purpose};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const DOCS: &str = "operations:
  read:
    - {name: get_doc, maps_to: 'GET /docs/{id}', description: One, params: {id: {type: integer, required: true}}}
  update:
    - name: update_doc
      maps_to: PUT /docs/{doc_id}
      description: Changes it
      params:
        doc_id: {type: integer, required: true}
        title: {type: string}
        count: {type: integer}
        metadata: {type: object}
    - name: patch_doc
      maps_to: PATCH /docs/{doc_id}
      description: Changes it
      params:
        doc_id: {type: integer, required: true}
        title: {type: string}
";

/// A document with a version, as a real API keeps it.
#[derive(Debug)]
struct Store {
    body: Value,
    version: u64,
    has_versions: bool,
}

impl Store {
    fn of(body: Value, has_versions: bool) -> Arc<Mutex<Store>> {
        Arc::new(Mutex::new(Store { body, version: 1, has_versions }))
    }

    fn answer(&mut self, request: &Recorded) -> Answer {
        let etag = |version: u64| format!("\"v{version}\"");
        let versioned = |answer: Answer, store: &Store| {
            if store.has_versions { answer.header("ETag", &etag(store.version)) } else { answer }
        };
        if request.method == "GET" {
            return versioned(Answer::json(200, self.body.clone()), self);
        }
        if let Some(wanted) = request.header("if-match").filter(|_| self.has_versions)
            && wanted != etag(self.version)
        {
            return Answer::json(412, json!({"message": "changed"}));
        }
        if request.method == "PUT" {
            self.body = request.json();
        } else {
            let Value::Object(patch) = request.json() else { return Answer::empty(400) };
            patch.into_iter().for_each(|(key, value)| self.body[key] = value);
        }
        self.version += 1;
        versioned(Answer::json(200, self.body.clone()), self)
    }
}

async fn serve(store: &Arc<Mutex<Store>>, setup: Setup) -> (TestServer, FakeApi) {
    let shared = Arc::clone(store);
    let api = FakeApi::start(move |request| shared.lock().unwrap().answer(request)).await;
    let server = setup.serve(&[adapter("docs", &api.base_url(), DOCS)]);
    (server, api)
}

fn update(input: Value) -> Value {
    json!({"operation": "update_doc", "params": {"doc_id": 1, "input": input}})
}

/// C4.5.1-1 C4.5.1-2 C4.5.1-3 C4.5.1-4 C4.5.1-5 C4.5.1-6 C4.7.6-1 O4.5-2: the given keys change, at any depth; lists are
/// replaced; null removes; everything else is as it was.
#[tokio::test]
async fn deep_merge() {
    let stored = json!({"title": "Old Title", "metadata": {"priority": "low", "tags": ["draft"], "author": "alice"}, "count": 3});
    let store = Store::of(stored, true);
    let (server, api) = serve(&store, Setup::default()).await;
    let input =
        json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"]}});
    server.data(update(input)).await;
    let expected = json!({"title": "New Title", "count": 3,
        "metadata": {"priority": "high", "tags": ["published", "reviewed"], "author": "alice"}});
    assert_eq!(store.lock().unwrap().body, expected);
    server.data(update(json!({"count": null, "metadata": {"author": null}}))).await;
    let expected =
        json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"]}});
    assert_eq!(
        store.lock().unwrap().body,
        expected,
        "null removes, on top and inside; what is left out stays"
    );
    let sent: Vec<String> = api.requests().iter().map(|r| format!("{} {}", r.method, r.target)).collect();
    assert_eq!(sent, ["GET /docs/1", "PUT /docs/1", "GET /docs/1", "PUT /docs/1"]);
    assert_eq!(api.requests()[1].header("if-match"), Some("\"v1\""), "the version that was read");
}

/// An API that wraps what is asked for, and takes it without the wrapper: the object itself is merged and written. What may be meant
/// otherwise stays as it is.
#[tokio::test]
async fn an_object_in_a_wrapper() {
    let inside = json!({"title": "Old", "count": 3, "metadata": {"a": 1}, "author": "alice"});
    let merged = json!({"title": "New", "count": 3, "metadata": {"a": 1, "b": 2}, "author": "alice"});
    for stored in [
        json!({"data": inside}),
        json!({"doc": inside, "links": {"self": "/docs/1"}, "meta": {"took": 1}, "success": true}),
    ] {
        let store = Store::of(stored.clone(), true);
        let (server, _api) = serve(&store, Setup::default()).await;
        server.data(update(json!({"title": "New", "metadata": {"b": 2}}))).await;
        assert_eq!(store.lock().unwrap().body, merged, "{stored}");
    }
    for stored in [
        json!({"author": {"title": "Dr."}, "id": 1}),
        json!({"author": {"title": "Dr."}, "status": "open"}),
        json!({"data": inside, "count": 5}),
        json!({"data": {"author": "alice"}}),
        json!({"data": inside, "other": inside}),
    ] {
        let store = Store::of(stored.clone(), true);
        let (server, _api) = serve(&store, Setup::default()).await;
        server.data(update(json!({"title": "New"}))).await;
        let mut whole = stored;
        whole["title"] = json!("New");
        assert_eq!(store.lock().unwrap().body, whole);
    }
}

/// A thousand updates at once, each on the version that was there at the beginning: one is accepted, the others are told; and
/// a thousand without a version, against an API that has none: all are in the final state.
#[tokio::test]
async fn a_thousand_at_once() {
    let store = Store::of(json!({"metadata": {}}), true);
    let (server, _api) = serve(&store, Setup::default()).await;
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..1_000 {
        let server = server.clone();
        calls.spawn(async move {
            // Ten generations: each takes the version of its own round, which only one of a hundred still meets.
            let version = format!("\"v{}\"", n % 10 + 1);
            let params =
                json!({"doc_id": 1, "if_match": version, "input": {"metadata": {format!("k{n}"): n}}});
            (n, server.call(json!({"operation": "update_doc", "params": params})).await)
        });
    }
    let mut accepted = Vec::new();
    while let Some(done) = calls.join_next().await {
        let (n, answer) = done.unwrap();
        match answer["success"].as_bool().unwrap() {
            true => accepted.push(n),
            false => assert_eq!(error_of(answer)["code"], "CONFLICT_VERSION_MISMATCH"),
        }
    }
    let body = store.lock().unwrap().body.clone();
    assert!(!accepted.is_empty());
    assert_eq!(body["metadata"].as_object().unwrap().len(), accepted.len());
    for n in accepted {
        assert_eq!(body["metadata"][format!("k{n}")], n);
    }
    let plain = Store::of(json!({"metadata": {}}), false);
    let (server, _api) = serve(&plain, Setup::default()).await;
    let calls: tokio::task::JoinSet<Value> = (0..1_000)
        .map(|n| {
            let server = server.clone();
            async move { server.call(update(json!({"metadata": {format!("k{n}"): n}}))).await }
        })
        .collect();
    assert!(calls.join_all().await.iter().all(|answer| answer["success"] == true));
    assert_eq!(plain.lock().unwrap().body["metadata"].as_object().unwrap().len(), 1_000);
}

/// Forbids the read before a write.
#[derive(Debug)]
struct NoReading;

impl Policy for NoReading {
    fn denies(&self, application: &GateRequest<'_>) -> Option<PolicyDenial> {
        (application.purpose == Purpose::ReadBeforeWrite).then(|| PolicyDenial::new("test", "no looking"))
    }
}

/// Ruling S10: the read before a write passes the gate; denied, nothing is sent at all.
#[tokio::test]
async fn the_read_passes_the_gate() {
    let store = Store::of(json!({"title": "a"}), true);
    let (server, api) = serve(&store, Setup { policy: Some(Arc::new(NoReading)), ..Setup::default() }).await;
    let error = server.error(update(json!({"title": "b"}))).await;
    assert_eq!(error["code"], "PERMISSION_DENIED");
    assert_eq!(error["details"]["needs"], "get_doc");
    assert!(api.requests().is_empty());
    let confirmed = DOCS.replace("description: One,", "description: One, requires_confirmation: true,");
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &confirmed)]);
    let error = server.error(update(json!({"title": "b"}))).await;
    assert_eq!(error["code"], "PERMISSION_DENIED", "its confirmation would be another one");
    assert!(error["details"].get("confirmation_token").is_none());
    assert!(api.requests().is_empty());
}

/// Ruling W8: without a companion a PUT goes out as it is; with `if_match: false` no version is sent.
#[tokio::test]
async fn without_a_companion() {
    let store = Store::of(json!({"title": "a", "count": 1}), true);
    let (_server, api) = serve(&store, Setup::default()).await;
    let alone = DOCS.replace("get_doc, maps_to: 'GET /docs/{id}'", "get_doc, maps_to: 'GET /elsewhere/{id}'");
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &alone)]);
    server.data(update(json!({"title": "b"}))).await;
    assert_eq!(store.lock().unwrap().body, json!({"title": "b"}));
    let trusting = DOCS.replace("      description: Changes it\n      params:\n        doc_id: {type: integer, required: true}\n        title: {type: string}\n        count",
        "      description: Changes it\n      update: {if_match: false}\n      params:\n        doc_id: {type: integer, required: true}\n        title: {type: string}\n        count");
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &trusting)]);
    server.data(update(json!({"count": 2}))).await;
    assert_eq!(store.lock().unwrap().body, json!({"title": "b", "count": 2}));
    assert_eq!(api.requests().last().unwrap().header("if-match"), None);
}

/// What an update does not touch is written back as it was, to the last digit.
#[tokio::test]
async fn untouched_members_keep_their_text() {
    let body = r#"{"n":12345678901234567890123,"x":0.1000000000000000055511151231257827,"title":"a"}"#;
    let api =
        FakeApi::start(move |_| Answer::text(200, body).header("Content-Type", "application/json")).await;
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), DOCS)]);
    server.data(update(json!({"title": "b"}))).await;
    assert_eq!(api.requests()[1].body_text(), body.replace("\"a\"", "\"b\""));
}

/// Nothing is written over what is no object: an empty answer is not an empty resource.
#[tokio::test]
async fn nothing_to_merge_into() {
    for answer in [
        Answer::json(200, json!([1])),
        Answer::json(200, json!(null)),
        Answer::empty(204),
        Answer::json(200, json!("x")),
    ] {
        let api = FakeApi::always(answer).await;
        let server = Setup::default().serve(&[adapter("docs", &api.base_url(), DOCS)]);
        let error = server.error(update(json!({"title": "b"}))).await;
        assert_eq!(error["code"], "PROTOCOL_INVALID_MAPPING", "{error}");
        assert!(api.requests().iter().all(|request| request.method == "GET"));
    }
}

/// A GET that always asks for something beside the identifiers may show a part: it is no companion, unless it is named.
#[tokio::test]
async fn a_part_is_no_companion() {
    for (from, to) in [
        ("'GET /docs/{id}'", "'GET /docs/{id}?view=summary'"),
        (
            "params: {id: {type: integer, required: true}}}",
            "params: {id: {type: integer, required: true}, view: {type: string, default: summary}}}",
        ),
    ] {
        let store = Store::of(json!({"title": "a", "count": 1}), true);
        let (_server, api) = serve(&store, Setup::default()).await;
        let partial = DOCS.replacen(from, to, 1);
        let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &partial)]);
        server.data(update(json!({"title": "b"}))).await;
        assert!(api.requests().iter().all(|request| request.method == "PUT"), "sent as it is: {to}");
        let named = partial.replacen(
            "      description: Changes it\n",
            "      description: Changes it\n      update: {read: get_doc}\n",
            1,
        );
        let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &named)]);
        server.data(update(json!({"count": 2}))).await;
        assert_eq!(store.lock().unwrap().body, json!({"title": "b", "count": 2}), "{to}");
    }
}

/// The read before a write is never one that was kept: it would bring back what others have changed since.
#[tokio::test]
async fn the_read_is_fresh() {
    let store = Store::of(json!({"title": "a", "count": 1}), true);
    let shared = Arc::clone(&store);
    let api = FakeApi::start(move |request| {
        shared.lock().unwrap().answer(request).header("Cache-Control", "max-age=3600")
    })
    .await;
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), DOCS)]);
    server.data(json!({"operation": "get_doc", "params": {"id": 1}})).await;
    {
        let mut store = store.lock().unwrap();
        store.body = json!({"title": "a", "count": 2});
        store.version = 9;
    }
    server.data(update(json!({"title": "b"}))).await;
    assert_eq!(store.lock().unwrap().body, json!({"title": "b", "count": 2}));
}

/// Ruling W8: what is stored is written back, but for what the API only shows or does not take; the latter is told. What
/// is there already need not be sent.
#[tokio::test]
async fn what_is_written_back() {
    let stored = json!({"title": "a", "count": 1, "extra": true, "seen": "now"});
    for (rule, back, told) in [
        ("{}", json!({"title": "b", "count": 1, "extra": true, "seen": "now"}), None),
        ("{leave_out: [seen]}", json!({"title": "b", "count": 1, "extra": true}), None),
        ("{declared_only: true}", json!({"title": "b", "count": 1}), Some(json!(["extra", "seen"]))),
    ] {
        let store = Store::of(stored.clone(), false);
        let shared = Arc::clone(&store);
        let api = FakeApi::start(move |request| shared.lock().unwrap().answer(request)).await;
        let docs = DOCS.replace(
            "      maps_to: PUT /docs/{doc_id}\n",
            &format!(
                "      maps_to: PUT /docs/{{doc_id}}\n      update: {rule}\n      body: {{needs: [count]}}\n"
            ),
        );
        let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &docs)]);
        let answer = server.call(update(json!({"title": "b"}))).await;
        assert_eq!(answer["success"], true, "{answer}");
        assert_eq!(store.lock().unwrap().body, back, "{rule}");
        let warning = answer["warnings"]
            .as_array()
            .and_then(|all| all.iter().find(|each| each["code"] == "STORED_FIELDS_OMITTED"));
        assert_eq!(warning.map(|warning| warning["details"]["fields"].clone()), told, "{rule}");
    }
    let (api, patch) =
        (FakeApi::always(Answer::json(200, json!({}))).await, "      maps_to: PATCH /docs/{doc_id}\n");
    let docs = DOCS.replace(patch, &format!("{patch}      body: {{needs: [tag]}}\n")).replace(
        "        title: {type: string}\n",
        "        title: {type: string}\n        tag: {type: string}\n",
    );
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &docs)]);
    let error = server
        .error(json!({"operation": "patch_doc", "params": {"doc_id": 1, "input": {"title": "b"}}}))
        .await;
    assert_eq!(
        (&error["code"], &error["details"]["param_name"]),
        (&json!("VALIDATION_MISSING_PARAM"), &json!("input.tag"))
    );
}

/// Ruling W8: the read before is told the identifiers and nothing else, whatever the fields and the query are called; when
/// there is nothing yet, the update is sent as it is.
#[tokio::test]
async fn the_read_before_is_told_identifiers_only() {
    let api = FakeApi::start(|request| match (request.method.as_str(), request.path()) {
        ("GET", "/notes/1") => Answer::json(200, json!({"format": "old", "content": "x", "extra": 1})),
        ("GET", _) => Answer::json(404, json!({"message": "no"})),
        _ => Answer::json(201, json!({"ok": 1})),
    })
    .await;
    let notes = "operations:
  read:
    - name: get_note
      maps_to: GET /notes/{id}
      description: One
      params: {id: {type: integer, required: true}, format: {type: string, in: query}, content: {type: integer, in: query}, notify: {type: boolean, in: query}}
  update:
    - name: save_note
      maps_to: PUT /notes/{number}
      description: Saves it
      params:
        number: {type: integer, required: true}
        notify: {type: boolean, in: query}
        format: {type: string}
        content: {type: string}
";
    let server = Setup::default().serve(&[adapter("notes", &api.base_url(), notes)]);
    let save = |number: u64| json!({"operation": "save_note", "params": {"number": number, "notify": true, "input": {"format": "text", "content": null}}});
    server.data(save(1)).await;
    server.data(save(2)).await;
    let sent: Vec<(String, Value)> = api
        .requests()
        .iter()
        .map(|r| {
            (format!("{} {}", r.method, r.target), if r.body.is_empty() { Value::Null } else { r.json() })
        })
        .collect();
    let expected = [
        ("GET /notes/1", Value::Null),
        ("PUT /notes/1?notify=true", json!({"format": "text", "extra": 1})),
        ("GET /notes/2", Value::Null),
        ("PUT /notes/2?notify=true", json!({"format": "text", "content": null})),
    ];
    assert_eq!(sent, expected.map(|(line, body)| (line.to_owned(), body)));
    let mut seen = save(3);
    seen["params"]["if_match"] = json!("\"v1\"");
    server.data(seen).await;
    assert_eq!(api.requests().last().unwrap().header("if-match"), Some("\"v1\""), "the API's own check");
}

/// C4.5.1-1 C4.5.1-3 C4.5.1-4 C4.5.1-5 C4.5.1-6: a PATCH that names what it reads has the objects that are given merged into the
/// stored ones; only what was given goes out.
#[tokio::test]
async fn a_patch_that_names_its_read() {
    let stored = json!({"title": "Old Title", "metadata": {"priority": "low", "tags": ["draft"], "author": "alice"}, "count": 3});
    let store = Store::of(stored, true);
    let shared = Arc::clone(&store);
    let api = FakeApi::start(move |request| shared.lock().unwrap().answer(request)).await;
    let docs = "operations:
  read:
    - {name: get_doc, maps_to: 'GET /docs/{doc_id}', description: One, params: {doc_id: {type: integer, required: true}}}
  update:
    - name: patch_doc
      maps_to: PATCH /docs/{doc_id}
      description: Changes it
      update: {read: get_doc}
      params: {doc_id: {type: integer, required: true}, title: {type: string}, metadata: {type: object}}
";
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), docs)]);
    let patch =
        json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"]}});
    server.data(json!({"operation": "patch_doc", "params": {"doc_id": 1, "input": patch}})).await;
    let sent = api.requests();
    assert_eq!(sent.len(), 2);
    let body = json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"], "author": "alice"}});
    assert_eq!((sent[1].method.as_str(), sent[1].json()), ("PATCH", body));
    assert_eq!(sent[1].header("if-match"), Some("\"v1\""));
    assert_eq!(store.lock().unwrap().body["count"], 3);
}

/// Ruling W8: `merge: false` sends what is given, nulls included, and introspection says that all of it is needed.
#[tokio::test]
async fn not_merged() {
    let store = Store::of(json!({"title": "a", "count": 1}), false);
    let shared = Arc::clone(&store);
    let api = FakeApi::start(move |request| shared.lock().unwrap().answer(request)).await;
    let put = "      maps_to: PUT /docs/{doc_id}\n";
    let docs = DOCS.replace(put, &format!("{put}      update: {{merge: false}}\n"));
    let server = Setup::default().serve(&[adapter("docs", &api.base_url(), &docs)]);
    server.data(update(json!({"title": "b", "count": null}))).await;
    assert_eq!(api.only_request().json(), json!({"title": "b", "count": null}));
    let told = async |server: &TestServer| {
        let detail = server
            .data(json!({"operation": "introspect", "params": {"query": "operations", "name": "update_doc"}}))
            .await;
        let input = detail["operation"]["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .find(|each| each["name"] == "input")
            .cloned();
        input.unwrap()["description"].as_str().unwrap().to_owned()
    };
    assert!(told(&server).await.starts_with("The whole object is needed"));
    let merged = Setup::default().serve(&[adapter("docs", &api.base_url(), DOCS)]);
    assert!(told(&merged).await.starts_with("Fields to change"));
}
