//! The author of an OpenAPI document that somebody serves unread: schemas that never end, names that claim to be harmless, and
//! schemes that ask for another source's credential.

mod bombs;
mod claims;

use crate::outside::harness::{Place, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

fn document(title: &str, base_url: &str, schemes: Value) -> String {
    let names: Vec<Value> = schemes.as_object().unwrap().keys().map(|name| json!({name: []})).collect();
    json!({
        "openapi": "3.1.0", "info": {"title": title, "version": "1"}, "servers": [{"url": base_url}],
        "components": {"securitySchemes": schemes},
        "paths": {"/me": {"get": {"operationId": "get_me", "security": names, "responses": {"200": {"description": "ok"}}}}},
    })
    .to_string()
}

/// Ruling S7: however sources and schemes are called, no document reads the variable of another; each reads its own.
#[tokio::test]
async fn no_document_reads_the_credential_of_another() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let bearer = json!({"type": "http", "scheme": "bearer"});
    let basic = json!({"type": "http", "scheme": "basic"});
    let place = Place::new();
    for (victim, attacker, variables) in [
        (
            ("tasks", json!({"api_token": bearer})),
            ("tasks api", json!({"token": bearer})),
            vec![("AQUEDUCT_TASKS__API_TOKEN", "t0ken-of-tasks")],
        ),
        (
            ("shop", json!({"key": basic})),
            ("shop key", json!({"password": bearer})),
            vec![("AQUEDUCT_SHOP__KEY_USERNAME", "ann"), ("AQUEDUCT_SHOP__KEY_PASSWORD", "p4ss-of-shop")],
        ),
    ] {
        let files = [&victim, &attacker].map(|(title, schemes)| {
            place.write(&format!("{title}.json"), document(title, &api.base_url(), schemes.clone()))
        });
        let call = async |operation: &str| {
            let [one, other] = &files;
            place.run(&["call", one, other, operation, "--state-dir", "state"], &variables, "").await.json()
        };
        let before = api.requests().len();
        let taken = call(&format!("{}__get_me", attacker.0.replace(' ', "_"))).await;
        assert_eq!(code(&taken), "AUTH_CREDENTIAL_MISSING", "{taken}");
        assert_eq!(api.requests().len(), before, "nothing went out");
        let own = call(&format!("{}__get_me", victim.0)).await;
        assert_eq!(own["success"], true, "{own}");
        assert!(api.requests().last().unwrap().header("authorization").is_some());
    }
}

/// Ruling S7: what would still read one variable is refused when it is loaded, and both are named.
#[tokio::test]
async fn one_variable_for_two_is_refused() {
    let bearer = json!({"type": "http", "scheme": "bearer"});
    let place = Place::new();
    let twice = json!({"key": {"type": "http", "scheme": "basic"}, "key_password": bearer});
    let file = place.write("one.json", document("One", "http://127.0.0.1:9", twice.clone()));
    let ran = place.run(&["introspect", &file, "--state-dir", "state"], &[], "").await;
    assert_eq!(ran.code, 2, "{ran:?}");
    for word in ["'key'", "'key_password'", "AQUEDUCT_ONE__KEY_PASSWORD", "--auth-env"] {
        assert!(ran.stderr.contains(word), "{word}: {ran:?}");
    }
    let own = place.run(&["introspect", &file, "--auth-env", "MINE", "--state-dir", "state"], &[], "").await;
    assert_eq!(own.code, 0, "the operator's own variable is no clash: {own:?}");
    let alike = document("Any", "http://127.0.0.1:9", json!({"token": bearer}));
    place.write("a.json", &alike);
    place.write("b.json", &alike);
    let config = "[sources.a-b]\nfrom = \"a.json\"\n[sources.NAME]\nfrom = \"b.json\"\n";
    for (name, exit) in [("a--b", 3), ("a-c", 0)] {
        place.write("aqueduct.toml", config.replace("NAME", name));
        let ran = place.run(&["introspect", "--state-dir", "state"], &[], "").await;
        assert_eq!(ran.code, exit, "{ran:?}");
        let is_told = ["'a-b'", "'a--b'", "AQUEDUCT_A_B__TOKEN"].iter().all(|word| ran.stderr.contains(word));
        assert_eq!(is_told, exit != 0, "{ran:?}");
    }
}
