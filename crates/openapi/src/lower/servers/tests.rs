//! Tests of `servers`.

use super::choose;
use serde_json::{Value, json};

fn url(servers: Value, place: &str) -> Option<String> {
    choose(Some(&servers), place).ok().map(|chosen| chosen.url.to_string())
}

#[test]
fn variables_take_their_defaults() {
    let server = json!([{
        "url": "https://{region}.example.com:{port}/{base}",
        "variables": {
            "region": {"default": "eu", "enum": ["eu", "us"]},
            "port": {"default": 8443},
            "base": {"enum": ["v2"]},
        },
    }]);
    let chosen = choose(Some(&server), "api.json").unwrap();
    assert_eq!(chosen.url.as_str(), "https://eu.example.com:8443/v2");
    assert!(chosen.warnings.iter().any(|each| each.contains("'region'")), "{:?}", chosen.warnings);
}

#[test]
fn relative_urls_need_a_document_with_an_address() {
    let from = "https://docs.example.com/specs/v1/api.json";
    assert_eq!(url(json!([{"url": "/v1"}]), from).unwrap(), "https://docs.example.com/v1");
    assert_eq!(url(json!([{"url": "../api/"}]), from).unwrap(), "https://docs.example.com/specs/api");
    assert_eq!(url(json!([{"url": "//x.example/y"}]), from).unwrap(), "https://x.example/y");
    assert_eq!(url(json!([]), from).unwrap(), "https://docs.example.com/");
    assert_eq!(url(json!([{"url": "/v1"}]), "specs/api.json"), None);
    assert_eq!(url(json!([]), "specs/api.json"), None);
}

#[test]
fn the_first_usable_one_is_used() {
    let servers = json!([{"url": "wss://x.example"}, {"url": "https://{id}.x.example"}, {"url": "https://y.example/a?b=c"}]);
    let chosen = choose(Some(&servers), "api.json").unwrap();
    assert_eq!(chosen.url.as_str(), "https://y.example/a");
    assert!(chosen.warnings.len() >= 3, "{:?}", chosen.warnings);
    let secret = json!([{"url": "https://user:hunter2@x.example"}]);
    let problems = choose(Some(&secret), "api.json").unwrap_err();
    assert!(!problems.join(" ").contains("hunter2"));
}

/// A document from the public web does not send calls into a private network; one from a file or from within may.
#[test]
fn private_addresses_need_somebody_to_vouch() {
    let public = "https://docs.example.com/api.json";
    for inside in ["http://127.0.0.1:9/", "http://10.1.2.3/", "http://localhost:3000/", "http://db.internal/"]
    {
        let problems = choose(Some(&json!([{"url": inside}])), public).unwrap_err();
        assert!(problems[0].contains("private address"), "{problems:?}");
        let both = json!([{"url": inside}, {"url": "https://api.example.com"}]);
        assert_eq!(url(both, public).unwrap(), "https://api.example.com/", "the next one is used");
        for from in ["api.json", "http://127.0.0.1:8000/api.json", "https://wiki.internal/api.json"] {
            assert_eq!(url(json!([{"url": inside}]), from).unwrap(), inside, "{from}");
        }
    }
}

#[test]
fn odd_forms_do_no_harm() {
    for odd in [json!(null), json!("x"), json!([1, null]), json!([{"url": 3, "variables": []}])] {
        assert!(choose(Some(&odd), "api.json").is_err(), "{odd}");
    }
}
