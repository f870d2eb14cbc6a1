//! OpenAPI documents as sources: from a file, from several, from the web; called, imported, filtered and corrected.

use super::harness::{Place, Ran};
use aqueduct::{
    Aqueduct, FromOpenApi, HttpServiceConfig, OpenApiOperation, OpenApiReader, OperationSpec, SourceSettings,
    from_openapi_file,
};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A small document with every kind of thing in it.
fn pets(base_url: &str) -> Value {
    let pet = json!({"$ref": "#/components/schemas/Pet"});
    let body = |schema: &Value| json!({"description": "a pet", "required": true, "content": {"application/json": {"schema": schema}}});
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Pet Shop", "version": "1.2.0"},
        "servers": [{"url": base_url}],
        "paths": {
            "/pets": {
                "get": {
                    "operationId": "listPets", "summary": "List pets", "tags": ["pets"],
                    "parameters": [{"name": "kind", "in": "query", "explode": false,
                                    "schema": {"type": "array", "items": {"type": "string"}}}],
                    "responses": {"200": {"description": "ok", "content":
                        {"application/json": {"schema": {"type": "array", "items": pet}}}}},
                },
                "post": {"operationId": "createPet", "summary": "Add a pet", "requestBody": body(&pet),
                         "responses": {"201": body(&pet)}},
            },
            "/pets/{petId}": {
                "parameters": [{"name": "petId", "in": "path", "required": true, "schema": {"type": "integer"}}],
                "get": {"summary": "One pet", "responses": {"200": body(&pet)}},
                "delete": {"operationId": "removePet", "summary": "Remove a pet", "tags": ["danger"],
                           "responses": {"204": {"description": "gone"}}},
            },
        },
        "webhooks": {"newPet": {"post": {"responses": {"200": {"description": "ok"}}}}},
        "components": {"schemas": {"Pet": {
            "type": "object", "required": ["name"],
            "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0},
                           "friends": {"type": "array", "items": pet}},
        }}},
    })
}

async fn in_front_of(api: &FakeApi) -> (Place, String) {
    let place = Place::new();
    let file = place.write("pets.json", pets(&api.base_url()).to_string());
    (place, file)
}

fn codes(ran: &Ran) -> (i32, Option<String>) {
    (ran.code, ran.json()["error"]["code"].as_str().map(str::to_owned))
}

/// S-openapi-1 S-openapi-2 S-openapi-13 S-openapi-14 S-openapi-15, ruling S1: a document is served as it is, read-only until the
/// operator trusts it; its calls go out as it says.
#[tokio::test]
async fn a_document_is_served() {
    let api = FakeApi::start(|request| match request.method.as_str() {
        "POST" => Answer::json(201, json!({"name": "Rex", "age": 3})),
        _ if request.path() == "/v1/pets" => Answer::json(200, json!([{"name": "Rex"}])),
        _ => Answer::json(200, json!({"name": "Rex", "undeclared": 1})),
    })
    .await;
    let place = Place::new();
    let file = place.write("pets.json", pets(&format!("{}/v1", api.base_url())).to_string());
    let listed = place.run(&["introspect", &file], &[], "").await;
    let names: Vec<&str> = listed.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["list_pets", "get_pets_pet_id", "introspect"], "{listed:?}");
    let all = place.run(&["call", &file, "list_pets", "kind:=[\"cat\",\"dog\"]"], &[], "").await;
    assert_eq!(all.json()["data"]["items"], json!([{"name": "Rex"}]), "{all:?}");
    let one = place.run(&["call", &file, "get_pets_pet_id", "pet_id=7"], &[], "").await.json();
    assert_eq!(one["data"], json!({"name": "Rex", "undeclared": 1}), "as it came");
    let hidden = place.run(&["call", &file, "create_pet", "name=Rex"], &[], "").await;
    assert_eq!(codes(&hidden), (1, Some("PERMISSION_TRUST_LEVEL_INSUFFICIENT".to_owned())));
    let made = ["call", &file, "create_pet", "name=Rex", "age:=3", "--trust", "validated"];
    assert_eq!(place.run(&made, &[], "").await.json()["data"]["age"], 3);
    let wrong =
        ["call", &file, "create_pet", "age:=-1", "friends:=[{\"age\":\"x\"}]", "--trust", "validated"];
    let wrong = place.run(&wrong, &[], "").await;
    assert_eq!(codes(&wrong), (2, Some("VALIDATION_MISSING_PARAM".to_owned())));
    let problems = wrong.json()["error"]["details"]["problems"].as_array().unwrap().len();
    assert!(problems >= 3, "{wrong:?}");
    let sent: Vec<String> = api.requests().iter().map(|r| format!("{} {}", r.method, r.target)).collect();
    assert_eq!(sent, ["GET /v1/pets?kind=cat,dog", "GET /v1/pets/7", "POST /v1/pets"]);
    assert_eq!(api.requests()[2].json(), json!({"name": "Rex", "age": 3}));
}

/// Nothing is lost in silence: what is renamed and left out is told, and what it costs before and after.
#[tokio::test]
async fn an_import_tells_what_became_of_everything() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let (place, file) = in_front_of(&api).await;
    let told =
        place.run(&["import", "openapi", &file, "--report-only", "--format", "json"], &[], "").await.json();
    assert_eq!((&told["found"], &told["loaded"]), (&json!(4), &json!(4)));
    assert_eq!(told["left_out"][0]["what"], "webhook newPet");
    assert!(told["renamed"].as_array().unwrap().iter().any(|each| each["to"] == "list_pets"), "{told}");
    let cost = &told["cost"];
    assert!(cost["one_tool_per_operation"].as_u64() > Some(100), "{cost}");
    assert_eq!(cost["offered"]["tools"], 1, "read-only until it is trusted");
    let nowhere = place.run(&["import", "openapi", &file], &[], "").await;
    assert_eq!(nowhere.code, 2, "{nowhere:?}");
}

/// An adapter file written by `import` loads back to the same operations, and is never overwritten unasked.
#[tokio::test]
async fn an_import_loads_back_to_the_same_operations() {
    let api = FakeApi::always(Answer::json(200, json!({"name": "Rex"}))).await;
    let (place, file) = in_front_of(&api).await;
    let out = place.path().join("pet-shop-adapter.md").display().to_string();
    let import = ["import", "openapi", &file, "-o", &out];
    assert_eq!(place.run(&import, &[], "").await.code, 0);
    let again = place.run(&import, &[], "").await;
    assert_eq!(again.code, 4);
    assert!(again.stderr.contains("--force"), "{again:?}");
    let valid = place.run(&["validate", &out], &[], "").await;
    assert_eq!(valid.code, 0, "{valid:?}");
    for name in ["list_pets", "create_pet", "get_pets_pet_id", "remove_pet"] {
        let ask = |source: &str| {
            let words = ["introspect", source, "--trust", "official", "--name", name, "--format", "json"];
            words.map(str::to_owned)
        };
        let of = async |source: &str| {
            let words = ask(source);
            place.run(&words.each_ref().map(String::as_str), &[], "").await.json()
        };
        assert_eq!(of(&file).await["data"], of(&out).await["data"], "{name}");
    }
    let called = place.run(&["call", &out, "get_pets_pet_id", "pet_id=7"], &[], "").await;
    assert_eq!(called.json()["data"]["name"], "Rex", "{called:?}");
}

/// `--filter` by tag, path and name; corrections by a file and by the configuration; a wrong name is told.
#[tokio::test]
async fn filtered_and_corrected() {
    let api = FakeApi::always(Answer::json(200, json!({"name": "Rex"}))).await;
    let (place, file) = in_front_of(&api).await;
    let listed = async |more: &[&str]| {
        let words = [&["introspect", &file, "--trust", "official"], more].concat();
        let ran = place.run(&words, &[], "").await;
        let rows = ran.stdout.lines().filter_map(|line| line.split_whitespace().next().map(str::to_owned));
        (rows.filter(|name| name != "introspect").collect::<Vec<_>>(), ran)
    };
    assert_eq!(listed(&["--filter", "tag:pets"]).await.0, ["list_pets"]);
    assert_eq!(listed(&["--filter", "path:/pets/*"]).await.0, ["get_pets_pet_id", "remove_pet"]);
    assert_eq!(listed(&["--filter", "name:*_pet", "--filter", "tag:danger"]).await.0, ["remove_pet"]);
    let none = listed(&["--filter", "tag:nope"]).await.1;
    assert_eq!(none.code, 2, "{none:?}");
    assert!(none.stderr.contains("danger"), "{none:?}");
    let overrides =
        "operations:\n  create_pet: {rename: adopt_pet, category: execute}\n  remove_pet: {hide: true}\n";
    let overrides = place.write("fix.yaml", overrides);
    let (names, ran) = listed(&["--overrides", &overrides]).await;
    assert_eq!(names, ["list_pets", "adopt_pet", "get_pets_pet_id"], "{ran:?}");
    let why = listed(&["--overrides", &overrides, "--why"]).await.1;
    assert!(why.stdout.contains("set by the operator"), "{why:?}");
    let wrong = place.write("wrong.yaml", "operations:\n  nope: {hide: true}\n");
    let told = listed(&["--overrides", &wrong]).await.1;
    assert!(told.code == 2 && told.stderr.contains("There is no operation 'nope'"), "{told:?}");
}

/// S-openapi-21 S-openapi-22: a document over several files is one source, and a change in any of them is seen.
#[tokio::test]
async fn a_document_over_several_files() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let place = Place::new();
    let mut document = pets(&api.base_url());
    document["paths"]["/pets"] = json!({"$ref": "paths/pets.yaml"});
    let file = place.write("pets.json", document.to_string());
    let path = "get:\n  operationId: NAME\n  responses: {'200': {description: ok}}\n";
    place.write("paths/pets.yaml", path.replace("NAME", "first_name"));
    let aqueduct = Aqueduct::builder().source(&file, SourceSettings::default()).build().unwrap();
    assert!(knows(&aqueduct, "first_name").await);
    place.write("paths/pets.yaml", path.replace("NAME", "second_name"));
    assert!(aqueduct.reload().is_new);
    assert!(knows(&aqueduct, "second_name").await && !knows(&aqueduct, "first_name").await);
    place.write("paths/pets.yaml", "get: [");
    aqueduct.reload();
    assert!(!aqueduct.reports().is_empty());
}

async fn knows(aqueduct: &Aqueduct, operation: &str) -> bool {
    let mut params = Map::new();
    params.insert("query".to_owned(), json!("operations"));
    params.insert("name".to_owned(), json!(operation));
    let reply = aqueduct.call_operation("introspect", params).await;
    let answer: Value = serde_json::from_str(&reply.to_json()).unwrap();
    !answer["data"]["operation"].is_null()
}

/// S-openapi-24: a document is fetched by its URL, asked for again by its version, and refreshed in place; while it cannot be
/// had, what is known stays in service.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_on_the_web_is_refreshed() {
    let version = Arc::new(AtomicUsize::new(1));
    let current = Arc::clone(&version);
    let api = FakeApi::start(move |request| {
        let now = current.load(Ordering::SeqCst);
        let tag = format!("\"v{now}\"");
        if now == 0 {
            return Answer::json(500, json!({}));
        }
        if request.header("if-none-match") == Some(tag.as_str()) {
            return Answer::empty(304);
        }
        let mut document = pets("/v1");
        document["paths"]["/pets"]["get"]["operationId"] = json!(format!("list_pets_v{now}"));
        Answer::json(200, document).header("etag", &tag)
    })
    .await;
    let url = format!("{}/openapi.json", api.base_url());
    let aqueduct = Aqueduct::builder().source(&url, SourceSettings::default()).build().unwrap();
    assert!(knows(&aqueduct, "list_pets_v1").await);
    assert!(!aqueduct.reload().is_new, "304");
    version.store(2, Ordering::SeqCst);
    assert!(aqueduct.reload().is_new);
    assert!(knows(&aqueduct, "list_pets_v2").await);
    version.store(0, Ordering::SeqCst);
    assert!(!aqueduct.reload().is_new);
    assert!(knows(&aqueduct, "list_pets_v2").await, "what is known stays in service");
}

/// Bad documents get an error that says what is wrong with them and what to do.
#[tokio::test]
async fn bad_documents() {
    let place = Place::new();
    let relative = json!({"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "/v1"}],
                          "paths": {"/x": {"get": {"responses": {}}}}});
    for (name, text, said) in [
        ("relative.json", relative.to_string(), "--base-url"),
        ("broken.json", "{\"openapi\": \"3.0.0\", \"info\": ".to_owned(), "broken.json:1"),
        ("four.yaml", "openapi: 4.0.0\ninfo: {}\n".to_owned(), "4.0.0"),
        ("other.yaml", "a: 1\n".to_owned(), "is no source that is known"),
        ("page.html", "<html></html>".to_owned(), "front matter"),
    ] {
        let file = place.write(name, text);
        let ran = place.run(&["introspect", &file], &[], "").await;
        assert_eq!(ran.code, 2, "{name}: {ran:?}");
        assert!(ran.stderr.to_lowercase().contains(said), "{name}: {ran:?}");
    }
}

/// S-openapi-32: documents, their operations and parameters, the settings and the reader have types with public names.
#[test]
fn public_types() {
    #[derive(Debug)]
    struct InMemory(String);
    impl OpenApiReader for InMemory {
        fn read(&self, _: &str) -> Result<String, String> {
            Ok(self.0.clone())
        }
    }
    let config = HttpServiceConfig::new("pets", "http://127.0.0.1:1");
    let reader = InMemory(pets("http://127.0.0.1:1").to_string());
    let found: FromOpenApi =
        from_openapi_file(std::path::Path::new("pets.json"), &config, Some(&reader)).unwrap();
    let list: &OpenApiOperation = &found.operations[0];
    let spec: &OperationSpec = &list.spec;
    assert_eq!((spec.namespace.as_str(), spec.name.as_str()), ("pets", "list_pets"));
    assert_eq!(spec.input_schema["properties"]["kind"]["type"], "array");
}

/// A guessed name leads to the closest ones, on the command line beside the message; the answer itself stays strict.
#[tokio::test]
async fn a_guessed_name_leads_on() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let (place, file) = in_front_of(&api).await;
    let ran = place.run(&["introspect", &file, "--name", "fetch_pets"], &[], "").await;
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("did you mean list_pets"), "{ran:?}");
    let told =
        place.run(&["introspect", &file, "--name", "fetch_pets", "--format", "json"], &[], "").await.json();
    assert_eq!(told["data"], json!({"operation": null}));
    assert_eq!(told["warnings"][0]["details"]["suggestions"][0], "list_pets", "{told}");
}

/// A source has a short name, and its descriptions no markup; what only looks like markup stays.
#[tokio::test]
async fn names_and_descriptions_are_plain() {
    let place = Place::new();
    let mut document = pets("https://pets.example");
    document["info"]["title"] = json!("The whole long API of the pet shop");
    document["paths"]["/pets"]["get"]["summary"] = json!(
        "<p>List <b>all</b> [pets](https://x.example) of `pet_kind` &amp; more, a < b, *.json, {id}</p>"
    );
    let file = place.write("pet-shop-openapi.json", document.to_string());
    let told = place.run(&["introspect", &file, "--format", "json"], &[], "").await.json();
    let list = &told["data"]["operations"][0];
    assert_eq!(list["description"], "List all pets of pet_kind & more, a < b, *.json, {id}", "{list}");
    let report =
        place.run(&["import", "openapi", &file, "--report-only", "--format", "json"], &[], "").await.json();
    assert_eq!(report["source"], "pet-shop");
    let named = ["import", "openapi", &file, "--report-only", "--format", "json", "--source-name", "animals"];
    assert_eq!(place.run(&named, &[], "").await.json()["source"], "animals");
}
