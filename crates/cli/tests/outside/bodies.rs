//! What goes out and what comes back of documents: bodies exactly as they were given, answers as they came, and what the
//! operator may set about both. The documents are small ones in the manner of GitHub's and Stripe's.

use super::harness::{Place, Ran};
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};

fn json_body(schema: Value) -> Value {
    json!({"required": true, "content": {"application/json": {"schema": schema}}})
}

fn answer(schema: Value) -> Value {
    json!({"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}})
}

fn in_path(names: &[&str]) -> Value {
    names
        .iter()
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect()
}

/// Files and branches, as GitHub describes them, and a thing that is read as it is written.
fn repository(base_url: &str) -> Value {
    let text = json!({"type": "string"});
    let thing = json!({"type": "object", "required": ["name"], "properties": {
        "id": {"type": "integer", "readOnly": true}, "name": text, "size": {"type": "integer"}, "sha": text}});
    json!({
        "openapi": "3.0.3", "info": {"title": "Repo", "version": "1.0.0"}, "servers": [{"url": base_url}],
        "components": {"schemas": {"thing": thing}},
        "paths": {
            "/repos/{repo}/contents/{path}": {
                "parameters": in_path(&["repo", "path"]),
                "get": {"operationId": "get_content", "parameters": [
                        {"name": "ref", "in": "query", "schema": text}, {"name": "branch", "in": "query", "schema": text}],
                    "responses": answer(json!({"type": "object", "properties": {
                        "type": text, "name": text, "sha": text, "content": text, "size": {"type": "integer"}}}))},
                "put": {"operationId": "create_or_update_file", "requestBody": json_body(json!({
                        "type": "object", "required": ["message", "content"], "properties": {
                            "message": text, "content": text, "sha": text, "branch": text}})),
                    "responses": answer(json!({"type": "object"}))},
            },
            "/repos/{repo}/branches/{branch}/protection": {
                "parameters": in_path(&["repo", "branch"]),
                "get": {"operationId": "get_branch_protection", "responses": answer(json!({"type": "object", "properties": {
                    "url": text, "enforce_admins": {"type": "object", "properties": {"url": text, "enabled": {"type": "boolean"}}},
                    "required_status_checks": {"type": "object", "properties": {"url": text, "contexts": {"type": "array", "items": text}}},
                    "restrictions": {"type": "object", "properties": {"url": text}}}}))},
                "put": {"operationId": "update_branch_protection", "requestBody": json_body(json!({
                        "type": "object", "required": ["required_status_checks", "enforce_admins", "restrictions"], "properties": {
                            "required_status_checks": {"type": "object", "nullable": true, "properties": {
                                "strict": {"type": "boolean"}, "contexts": {"type": "array", "items": text}}},
                            "enforce_admins": {"type": "boolean", "nullable": true},
                            "restrictions": {"type": "object", "nullable": true, "properties": {"users": {"type": "array", "items": text}}},
                            "allow_deletions": {"type": "boolean"}}})),
                    "responses": answer(json!({"type": "object"}))},
            },
            "/things/{id}": {
                "parameters": in_path(&["id"]),
                "get": {"operationId": "get_thing", "responses": answer(json!({"$ref": "#/components/schemas/thing"}))},
                "put": {"operationId": "update_thing", "requestBody": json_body(json!({"$ref": "#/components/schemas/thing"})),
                    "responses": answer(json!({"$ref": "#/components/schemas/thing"}))},
            },
        },
    })
}

/// Things that are there, as they are shown.
fn stored(request: &Recorded) -> Answer {
    match (request.method.as_str(), request.path()) {
        ("GET", "/repos/r/contents/new.md") => Answer::json(404, json!({"message": "Not Found"})),
        ("GET", "/repos/r/contents/old.md") => Answer::json(
            200,
            json!({"type": "file", "name": "old.md", "sha": "aaa", "content": "b2xk", "size": 3}),
        ),
        ("GET", "/repos/r/branches/main/protection") => Answer::json(
            200,
            json!({"url": "u", "enforce_admins": {"url": "u", "enabled": true}, "required_status_checks": {"url": "u"}}),
        ),
        ("GET", "/things/7") => {
            Answer::json(200, json!({"id": 7, "name": "a", "size": 3, "sha": "s1", "more": [1]}))
        }
        ("GET", _) => Answer::json(404, json!({"message": "no"})),
        _ => Answer::json(200, json!({"ok": true})),
    }
}

async fn served(api: &FakeApi, settings: &str) -> (Place, String) {
    let place = Place::new();
    let file = place.write("repo.json", repository(&api.base_url()).to_string());
    place.write(
        "aqueduct.toml",
        format!("[sources.repo]\nfrom = {file:?}\ntrust = \"certified\"\n{settings}"),
    );
    (place, file)
}

async fn call(place: &Place, sources: &[&str], operation: &str, params: Value) -> Ran {
    let params = params.to_string();
    let mut words = vec!["call"];
    words.extend(sources);
    words.extend([operation, "--json", &params]);
    place.run(&words, &[], "").await
}

fn sent(api: &FakeApi) -> Vec<(String, Value)> {
    let line = |request: &Recorded| format!("{} {}", request.method, request.target);
    let body = |request: &Recorded| if request.body.is_empty() { Value::Null } else { request.json() };
    api.requests().iter().map(|request| (line(request), body(request))).collect()
}

/// W8: of a document whose GET shows something else than its PUT takes, the body is what was given, nulls included: a new file, a
/// changed file with the `sha` that was given, a branch's protection. Nothing is read before.
#[tokio::test]
async fn bodies_go_out_as_they_were_given() {
    let api = FakeApi::start(stored).await;
    let (place, _) = served(&api, "").await;
    let create = json!({"message": "add", "content": "bmV3"});
    let change = json!({"message": "change", "content": "bmV3", "sha": "aaa", "branch": "main"});
    let protect = json!({"required_status_checks": null, "enforce_admins": true, "restrictions": null});
    for (operation, params, line) in [
        (
            "create_or_update_file",
            json!({"repo": "r", "path": "new.md", "input": create}),
            "PUT /repos/r/contents/new.md",
        ),
        (
            "create_or_update_file",
            json!({"repo": "r", "path": "old.md", "input": change}),
            "PUT /repos/r/contents/old.md",
        ),
        (
            "update_branch_protection",
            json!({"repo": "r", "branch": "main", "input": protect}),
            "PUT /repos/r/branches/main/protection",
        ),
    ] {
        let before = api.requests().len();
        let ran = call(&place, &[], operation, params.clone()).await;
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(sent(&api)[before..], [(line.to_owned(), params["input"].clone())]);
    }
    let missing = call(
        &place,
        &[],
        "update_branch_protection",
        json!({"repo": "r", "branch": "main", "input": {"enforce_admins": true}}),
    )
    .await;
    assert_eq!(missing.json()["error"]["code"], "VALIDATION_MISSING_PARAM", "{missing:?}");
    let told =
        place.run(&["introspect", "--name", "update_branch_protection", "--format", "json"], &[], "").await;
    assert!(told.stdout.contains("The whole object is needed"), "{told:?}");
    let told = place.run(&["introspect", "--name", "update_thing", "--format", "json"], &[], "").await;
    assert!(!told.stdout.contains("The whole object is needed"), "{told:?}");
}

/// W8: where the schemas agree, a change is merged into what is stored: read by the identifiers alone, without what is only
/// shown and without what the API checks changes by. The same of the file that an import writes.
#[tokio::test]
async fn what_agrees_is_merged() {
    for is_imported in [false, true] {
        let api = FakeApi::start(stored).await;
        let (place, file) = served(&api, "").await;
        let source = match is_imported {
            true => {
                let out = place.path().join("repo-adapter.md").display().to_string();
                let ran = place.run(&["import", "openapi", &file, "-o", &out], &[], "").await;
                assert_eq!(ran.code, 0, "{ran:?}");
                out
            }
            false => file,
        };
        let trusted = [source.as_str(), "--trust", "certified"];
        let merged = call(&place, &trusted, "update_thing", json!({"id": "7", "input": {"size": 4}})).await;
        assert_eq!(merged.code, 0, "{merged:?}");
        let body = json!({"name": "a", "size": 4, "more": [1]});
        assert_eq!(
            sent(&api),
            [("GET /things/7".to_owned(), Value::Null), ("PUT /things/7".to_owned(), body)]
        );
        assert_eq!(
            merged.json()["warnings"][0]["code"],
            "STORED_FIELDS_OMITTED",
            "the sha is told: {merged:?}"
        );
        let created =
            call(&place, &trusted, "update_thing", json!({"id": "8", "input": {"name": "n", "sha": "x"}}))
                .await;
        assert_eq!(created.code, 0, "{created:?}");
        assert_eq!(
            sent(&api)[3],
            ("PUT /things/8".to_owned(), json!({"name": "n", "sha": "x"})),
            "it creates"
        );
        let whole = json!({"required_status_checks": null, "enforce_admins": null, "restrictions": null});
        let given = call(
            &place,
            &trusted,
            "update_branch_protection",
            json!({"repo": "r", "branch": "b", "input": whole}),
        )
        .await;
        assert_eq!(given.code, 0, "{given:?}");
        assert_eq!(sent(&api)[4..], [("PUT /repos/r/branches/b/protection".to_owned(), whole)]);
    }
}

/// W8: the operator decides, for the source or for one operation.
#[tokio::test]
async fn the_operator_decides_about_merging() {
    let update = json!({"id": "7", "input": {"name": "b"}});
    let change = json!({"repo": "r", "path": "old.md", "input": {"message": "m"}});
    for (settings, thing, file) in [
        ("merge = false", 1, None),
        ("merge = true", 2, Some(2)),
        ("[sources.repo.operations.update_thing]\nmerge = false", 1, None),
        ("[sources.repo.operations.create_or_update_file]\nmerge = true", 2, Some(2)),
    ] {
        let api = FakeApi::start(stored).await;
        let (place, _) = served(&api, settings).await;
        let ran = call(&place, &[], "update_thing", update.clone()).await;
        assert_eq!((ran.code, api.requests().len()), (0, thing), "{settings}: {ran:?}");
        let ran = call(&place, &[], "create_or_update_file", change.clone()).await;
        match file {
            Some(count) => {
                assert_eq!((ran.code, api.requests().len()), (0, thing + count), "{settings}: {ran:?}");
                let (line, body) = sent(&api)[thing].clone();
                assert_eq!(
                    (line.as_str(), body),
                    ("GET /repos/r/contents/old.md", Value::Null),
                    "identifiers only"
                );
                assert_eq!(sent(&api)[thing + 1].1.get("sha"), None, "no check is filled in");
            }
            None => assert_eq!(ran.json()["error"]["code"], "VALIDATION_MISSING_PARAM", "{settings}"),
        }
    }
}

/// W8: fields beside `input` are moved into it and told; an UPDATE without fields takes none; the query stays beside it.
#[tokio::test]
async fn fields_beside_input_are_moved() {
    let api = FakeApi::start(stored).await;
    let (place, _) = served(&api, "").await;
    let ran = call(&place, &[], "update_thing", json!({"id": "9", "name": "n", "input": {"size": 1}})).await;
    assert_eq!(ran.json()["warnings"][0]["code"], "ARGUMENT_REPAIRED", "{ran:?}");
    let ran = call(&place, &[], "update_thing", json!({"id": "9", "name": "m"})).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    let bodies: Vec<Value> =
        sent(&api).into_iter().map(|(_, body)| body).filter(|body| !body.is_null()).collect();
    assert_eq!(bodies, [json!({"name": "n", "size": 1}), json!({"name": "m"})]);
    let twice =
        call(&place, &[], "update_thing", json!({"id": "9", "name": "n", "input": {"name": "m"}})).await;
    assert_eq!(twice.json()["error"]["code"], "VALIDATION_INVALID_VALUE", "which one is meant? {twice:?}");
    let unknown =
        call(&place, &[], "update_thing", json!({"id": "9", "nam": "n", "input": {"size": 1}})).await;
    assert_eq!(unknown.json()["error"]["code"], "VALIDATION_UNKNOWN_PARAM");
}

/// W19: `validate = "warn"` sends what the document refuses, for the source or one operation, and tells the problems; `format`
/// counts among them.
#[tokio::test]
async fn the_operator_lets_requests_through() {
    let document = |base_url: &str| {
        json!({
            "openapi": "3.0.3", "info": {"title": "Dates", "version": "1"}, "servers": [{"url": base_url}],
            "paths": {"/dates": {"post": {"operationId": "create_date", "responses": {"200": {"description": "ok"}},
                "requestBody": json_body(json!({"type": "object", "required": ["on", "who"], "properties": {
                    "on": {"type": "string", "format": "date"}, "who": {"type": "string", "maxLength": 3},
                    "mails": {"type": "array", "items": {"type": "string", "format": "email"}}}}))}}},
        })
    };
    let wrong = json!({"on": "soon", "mails": ["x"], "who": "nobody"});
    for (settings, passes) in [
        ("", false),
        ("validate = \"warn\"", true),
        ("[sources.dates.operations.create_date]\nvalidate = \"warn\"", true),
    ] {
        let api = FakeApi::always(Answer::json(200, json!({"ok": 1}))).await;
        let place = Place::new();
        let file = place.write("dates.json", document(&api.base_url()).to_string());
        place.write(
            "aqueduct.toml",
            format!("[sources.dates]\nfrom = {file:?}\ntrust = \"certified\"\n{settings}"),
        );
        let ran = call(&place, &[], "create_date", wrong.clone()).await;
        let told = ran.json();
        let problems = if passes { &told["warnings"][0]["details"] } else { &told["error"]["details"] };
        let problems = &problems["problems"];
        let params: Vec<&str> =
            problems.as_array().unwrap().iter().filter_map(|each| each["param"].as_str()).collect();
        assert_eq!(params, ["on", "who", "mails[0]"], "{settings}: {ran:?}");
        assert_eq!(api.requests().len(), usize::from(passes));
        if passes {
            assert_eq!(api.only_request().json(), wrong);
            let missing = call(&place, &[], "create_date", json!({"on": "2026-01-01"})).await;
            assert_eq!(
                (missing.code, &missing.json()["warnings"][0]["code"]),
                (0, &json!("VALIDATION_MISMATCH_WARNING"))
            );
        }
        let right = call(
            &place,
            &[],
            "create_date",
            json!({"on": "2026-02-04", "who": "me", "mails": ["a@b.example"]}),
        )
        .await;
        assert_eq!((right.code, right.json().get("warnings")), (0, None), "{right:?}");
    }
}

/// W19: answers pass on as they came; what their schema refuses is left out; `fit_answers` fits them. Filters, sums and fields see
/// what the API sent in each case.
#[tokio::test]
async fn answers_pass_on_as_they_came() {
    let document = |base_url: &str, is_closed: bool| {
        let mut item = json!({"type": "object", "properties": {"id": {"type": "integer"}, "state": {"type": "string", "default": "new"}}});
        if is_closed {
            item["additionalProperties"] = json!(false);
        }
        json!({
            "openapi": "3.0.3", "info": {"title": "Items", "version": "1"}, "servers": [{"url": base_url}],
            "paths": {"/items": {"get": {"operationId": "list_items", "responses": answer(json!({"type": "array", "items": item}))}},
                      "/items/1": {"get": {"operationId": "get_item", "responses": answer(item)}}},
        })
    };
    let items = json!([{"id": 1, "cost": 5, "state": null}, {"id": 2, "cost": 7}]);
    let all = items.clone();
    let api = FakeApi::start(move |request| match request.path() {
        "/items" => Answer::json(200, all.clone()),
        _ => Answer::json(200, all[1].clone()),
    })
    .await;
    for (is_closed, settings, list, one) in [
        (false, "", items.clone(), json!({"id": 2, "cost": 7})),
        (true, "", json!([{"id": 1, "state": null}, {"id": 2}]), json!({"id": 2})),
        (
            false,
            "fit_answers = true",
            json!([{"id": 1, "state": null}, {"id": 2, "state": "new"}]),
            json!({"id": 2, "state": "new"}),
        ),
    ] {
        let place = Place::new();
        let file = place.write("items.json", document(&api.base_url(), is_closed).to_string());
        place.write("aqueduct.toml", format!("[sources.items]\nfrom = {file:?}\n{settings}\n"));
        let data = async |operation: &str, params: Value| {
            call(&place, &[], operation, params).await.json()["data"].clone()
        };
        assert_eq!(data("list_items", json!({})).await["items"], list, "{settings}");
        assert_eq!(data("get_item", json!({})).await, one, "{settings}");
        assert_eq!(data("get_item", json!({"fields": ["cost"]})).await, json!({"cost": 7}));
        let counted =
            data("list_items", json!({"filter": {"cost": {"gt": 5}}, "aggregate": {"s": {"sum": "cost"}}}))
                .await;
        assert_eq!(counted["aggregations"], json!({"s": 7}), "{settings}");
        let chosen = data("list_items", json!({"sort": "-cost", "fields": ["cost"]})).await;
        assert_eq!(chosen["items"], json!([{"cost": 7}, {"cost": 5}]));
    }
}

/// The forms of Stripe's document: half a refund, a subscription that ends with its period, an invoice that is voided.
#[tokio::test]
async fn forms_go_out_as_they_were_given() {
    let form = |schema: Value| json!({"content": {"application/x-www-form-urlencoded": {"schema": schema, "encoding": {}}}});
    let text = json!({"type": "string"});
    let open = |properties: Value| json!({"type": "object", "properties": properties});
    let done = json!({"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}});
    let document = json!({
        "openapi": "3.0.0", "info": {"title": "Pay", "version": "1"}, "servers": [{"url": "https://pay.example"}],
        "paths": {
            "/v1/refunds": {"post": {"operationId": "PostRefunds", "responses": done,
                "requestBody": form(open(json!({"amount": {"type": "integer"}, "charge": text, "metadata": {"type": "object", "additionalProperties": text}})))}},
            "/v1/subscriptions/{id}": {"post": {"operationId": "PostSubscriptionsId", "parameters": in_path(&["id"]), "responses": done,
                "requestBody": form(open(json!({"cancel_at_period_end": {"type": "boolean"}, "description": text})))}},
            "/v1/invoices/{id}/void": {"post": {"operationId": "PostInvoicesIdVoid", "parameters": in_path(&["id"]), "responses": done,
                "requestBody": form(open(json!({"expand": {"type": "array", "items": text}})))}},
        },
    });
    let place = Place::new();
    let file = place.write("pay.json", document.to_string());
    for (operation, params, flat, body) in [
        ("post_refunds", json!({"charge": "ch_1", "amount": 500}), true, json!("charge=ch_1&amount=500")),
        (
            "post_subscriptions_id",
            json!({"cancel_at_period_end": true}),
            false,
            json!("cancel_at_period_end=true"),
        ),
        ("post_invoices_id_void", json!({}), true, Value::Null),
    ] {
        // Whether the fields of a POST stand in 'input' depends on what the operation is taken for; both are understood.
        let mut params = params;
        params["dry_run"] = json!(true);
        if operation != "post_refunds" {
            params["id"] = json!("x_1");
        }
        let ran = call(&place, &[&file, "--trust", "certified"], operation, params).await;
        assert_eq!(ran.code, 0, "{operation} {flat}: {ran:?}");
        let request = &ran.json()["data"]["request"];
        let shown = request.get("body").cloned().unwrap_or_default();
        let shown = shown.as_str().map(|text| {
            let mut pairs: Vec<&str> = text.split('&').collect();
            pairs.sort_unstable();
            pairs.join("&")
        });
        let expected = body.as_str().map(|text| {
            let mut pairs: Vec<&str> = text.split('&').collect();
            pairs.sort_unstable();
            pairs.join("&")
        });
        assert_eq!(shown.filter(|text| !text.is_empty()), expected, "{operation}: {ran:?}");
    }
}
