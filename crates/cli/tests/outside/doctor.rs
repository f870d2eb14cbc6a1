//! `doctor`: what it looks at, what it says, and what it never shows or sends.

use super::harness::{Place, Ran, TOKEN, run, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

async fn examined(base_url: &str, variables: &[(&str, &str)]) -> (Ran, Value) {
    let shop = shop();
    let arguments = ["doctor", &shop, "--base-url", base_url];
    let text = Place::new().run(&arguments, variables, "").await;
    let arguments = ["doctor", &shop, "--base-url", base_url, "--format", "json"];
    let machine = Place::new().run(&arguments, variables, "").await;
    assert_eq!(text.code, machine.code, "{text:?} {machine:?}");
    let found = machine.json();
    assert_eq!(found["ok"], json!(machine.code == 0), "{found}");
    (text, found)
}

/// Everything in order: exit code 0. The API was asked without credentials, and no value was shown.
#[tokio::test]
async fn all_is_well() {
    let api = FakeApi::always(Answer::json(401, json!({}))).await;
    let (text, found) = examined(&format!("{}/v1", api.base_url()), &[("SHOP_TOKEN", TOKEN)]).await;
    assert_eq!(text.code, 0, "{text:?}");
    let expected = "ok    shop  loaded, 7 operations\nok    shop  SHOP_TOKEN is set\n\
                    ok    shop  127.0.0.1 answers (status 401 without credentials)\nAll is well.\n";
    assert_eq!(text.stdout, expected);
    assert_eq!(found["findings"].as_array().unwrap().len(), 3);
    assert!(!format!("{text:?}{found}").contains(TOKEN));
    for request in api.requests() {
        assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/v1"));
        assert_eq!(request.header("authorization"), None);
    }
    assert_eq!(api.requests().len(), 2);
}

/// What is wrong is named with what to do, and is exit code 3.
#[tokio::test]
async fn what_to_fix() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (here, closed) = (api.base_url(), format!("http://127.0.0.1:{free}"));
    let refused = format!("127.0.0.1 refuses connections on port {free}");
    let set = vec![("SHOP_TOKEN", TOKEN)];
    for (url, variables, said) in [
        (here.as_str(), vec![], "SHOP_TOKEN is not set"),
        (&here, vec![("SHOP_TOKEN", "")], "SHOP_TOKEN is set to nothing"),
        (&here, vec![("SHOP_TOKEN", "split\nvalue")], "SHOP_TOKEN holds characters that cannot be sent"),
        (&closed, set.clone(), &refused),
        ("https://shop.invalid", set.clone(), "shop.invalid cannot be resolved"),
        ("http://shop.invalid", set, "credentials are not sent over plain http to shop.invalid"),
    ] {
        let (text, found) = examined(url, &variables).await;
        assert_eq!(text.code, 3, "{text:?}");
        assert!(text.stdout.contains("FIX") && text.stdout.contains(said), "{said}: {}", text.stdout);
        let fixes = found["findings"].as_array().unwrap().iter().filter(|each| each["state"] == "fix");
        let hinted: Vec<_> =
            fixes.filter(|each| each["message"] == said && each["hint"].is_string()).collect();
        assert_eq!(hinted.len(), 1, "{said}: {found}");
        assert!(!format!("{text:?}{found}").contains(TOKEN) && !text.stdout.contains("split"));
    }
}

/// A server that answers, but with a failure of its own, is worth a note.
#[tokio::test]
async fn an_api_that_is_out_of_order() {
    let api = FakeApi::always(Answer::json(503, json!({}))).await;
    let (text, _) = examined(&api.base_url(), &[("SHOP_TOKEN", TOKEN)]).await;
    assert_eq!(text.code, 0, "{text:?}");
    assert!(text.stdout.contains("note  shop  127.0.0.1 answers with status 503"), "{}", text.stdout);
}

/// Files that do not load: every problem is a finding.
#[tokio::test]
async fn files_with_problems() {
    let place = Place::new();
    let text = std::fs::read_to_string(shop()).unwrap();
    let bad = text.replace("type: adapter", "type: adaptor").replace("GET /search", "FETCH search");
    let file = place.write("shop-adapter.md", bad);
    let ran = place.run(&["doctor", &file], &[], "").await;
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("FIX ")).count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains(":3:") && ran.stdout.ends_with("2 things to fix.\n"), "{}", ran.stdout);
    place.write("aqueduct.toml", "mod = \"single\"\n");
    let ran = place.run(&["doctor", "demo"], &[], "").await;
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.contains("FIX   configuration  aqueduct.toml has errors"), "{ran:?}");
    place.write("aqueduct.toml", "mode = \"single\"\n");
    let ran = place.run(&["doctor", "demo"], &[], "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("ok    configuration  aqueduct.toml is in order"), "{}", ran.stdout);
    let missing = place.run(&["doctor", "none-adapter.md"], &[], "").await;
    assert_eq!(missing.code, 3, "{missing:?}");
    assert!(missing.stdout.contains("none-adapter.md does not exist"), "{}", missing.stdout);
}

#[tokio::test]
async fn nothing_to_look_at_and_wrong_usage() {
    let nothing = run(&["doctor"]).await;
    assert_eq!(nothing.code, 3, "{nothing:?}");
    assert!(nothing.stdout.contains("no source was given"), "{}", nothing.stdout);
    let wrong = run(&["doctor", "demo", "--header", "no colon"]).await;
    assert_eq!((wrong.code, wrong.stdout.as_str()), (2, ""), "{wrong:?}");
}

/// What is kept between runs is looked at: where `serve` would fail, there is something to fix, and nothing is left behind.
#[tokio::test]
async fn what_is_kept() {
    let damaged = |name: &str, text: &str| {
        let place = Place::new();
        place.write(&format!("state/{name}"), text);
        place
    };
    let plain_file = Place::new();
    plain_file.write("state", "a file");
    for (place, said) in [
        (plain_file, "FIX   state "),
        (damaged("cursor.key", "short"), "FIX   key "),
        (damaged("mcp-tools.json", "{"), "FIX   mcp tools "),
        (damaged("store.sqlite", &"no database ".repeat(1000)), "FIX   store "),
    ] {
        let ran = place.run(&["doctor", "demo"], &[], "").await;
        assert_eq!(ran.code, 3, "{said}: {ran:?}");
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
        assert!(!ran.stdout.contains("All is well"), "{}", ran.stdout);
    }
    let place = Place::new();
    let ran = place.run(&["doctor", "demo"], &[], "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}
