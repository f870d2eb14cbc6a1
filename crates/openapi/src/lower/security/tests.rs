//! Security schemes and requirements in, the names of variables and which of them a call needs out.
//!
//! No secret is read from a document: only names of variables are compared.

use super::{LoweredAuth, SecuritySchemes};
use aqueduct_operations::auth::{Auth, KeyPlace};
use serde_json::{Value, json};

fn lower(schemes: Value, requirements: Value) -> LoweredAuth {
    SecuritySchemes::new("pet-store", schemes.as_object().unwrap().clone(), None, true).lower(&requirements)
}

fn bearer(variable: &str) -> Auth {
    Auth::Bearer { token_env: variable.into(), prefix: "Bearer ".into() }
}

/// S-openapi-16 S-openapi-28 S-openapi-30: each kind of scheme reads its own variables.
#[test]
fn kinds_of_schemes() {
    let schemes = json!({
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "queryKey": {"type": "apiKey", "in": "query", "name": "key"},
        "cookie_key": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "bearerAuth": {"type": "http", "scheme": "Bearer"},
        "basicAuth": {"type": "http", "scheme": "basic"},
        "petStoreToken": {"type": "http", "scheme": "bearer"},
        "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://x.example"},
    });
    let of = |name: &str| lower(schemes.clone(), json!([{name: []}])).auth;
    let key = |variable: &str, place| Auth::ApiKey { key_env: variable.into(), place };
    assert_eq!(of("key"), key("AQUEDUCT_PET_STORE__KEY", KeyPlace::Header("X-Key".into())));
    assert_eq!(of("queryKey"), key("AQUEDUCT_PET_STORE__QUERY_KEY", KeyPlace::Query("key".into())));
    assert_eq!(of("cookie_key"), key("AQUEDUCT_PET_STORE__COOKIE_KEY", KeyPlace::Cookie("sid".into())));
    assert_eq!(of("bearerAuth"), bearer("AQUEDUCT_PET_STORE__BEARER_AUTH"));
    assert_eq!(of("petStoreToken"), bearer("AQUEDUCT_PET_STORE__PET_STORE_TOKEN"));
    assert_eq!(of("oidc"), bearer("AQUEDUCT_PET_STORE__OIDC_TOKEN"));
    assert_eq!(
        of("basicAuth"),
        Auth::Basic {
            username_env: "AQUEDUCT_PET_STORE__BASIC_AUTH_USERNAME".into(),
            password_env: "AQUEDUCT_PET_STORE__BASIC_AUTH_PASSWORD".into()
        }
    );
}

#[test]
fn alternatives_and_combinations() {
    let schemes = json!({
        "a": {"type": "http", "scheme": "bearer"},
        "b": {"type": "http", "scheme": "bearer"},
    });
    let (a, b) = (bearer("AQUEDUCT_PET_STORE__A"), bearer("AQUEDUCT_PET_STORE__B"));
    let of = |requirements: Value| lower(schemes.clone(), requirements).auth;
    assert_eq!(of(json!([{"a": []}, {"b": []}])), Auth::AnyOf(vec![a.clone(), b.clone()]));
    assert_eq!(of(json!([{"a": [], "b": []}])), Auth::All(vec![a.clone(), b.clone()]));
    assert_eq!(of(json!([{}, {"a": []}])), Auth::AnyOf(vec![a.clone(), Auth::None]), "without comes last");
    assert_eq!(of(json!([])), Auth::None);
    assert_eq!(of(json!([{}])), Auth::None);
    let any = SecuritySchemes::new("pet-store", schemes.as_object().unwrap().clone(), None, true).any().auth;
    assert_eq!(any, Auth::AnyOf(vec![a, b, Auth::None]));
}

#[test]
fn oauth2_takes_a_ready_token_or_fetches_one() {
    let schemes = json!({"login": {"type": "oauth2", "flows": {
        "authorizationCode": {"authorizationUrl": "https://x.example/a", "tokenUrl": "https://x.example/t",
            "refreshUrl": "https://x.example/r", "scopes": {}},
        "clientCredentials": {"tokenUrl": "https://x.example/c", "refreshUrl": "https://x.example/r", "scopes": {}},
    }}});
    let Auth::AnyOf(ways) = lower(schemes, json!([{"login": ["read"]}])).auth else { panic!() };
    assert_eq!(ways[0], bearer("AQUEDUCT_PET_STORE__LOGIN_TOKEN"));
    let (Auth::OAuth2(refresh), Auth::OAuth2(own)) = (&ways[1], &ways[2]) else { panic!("{ways:?}") };
    assert_eq!(refresh.token_url.as_str(), "https://x.example/r");
    assert_eq!(refresh.refresh_token_env.as_deref(), Some("AQUEDUCT_PET_STORE__LOGIN_REFRESH_TOKEN"));
    assert!(refresh.scopes.is_empty(), "a refresh token has its scopes already");
    assert_eq!((own.token_url.as_str(), &own.refresh_token_env), ("https://x.example/c", &None));
    assert_eq!(own.scopes, ["read"]);
    assert_eq!(own.client_id_env, "AQUEDUCT_PET_STORE__LOGIN_CLIENT_ID");
    assert_eq!(own.client_secret_env, "AQUEDUCT_PET_STORE__LOGIN_CLIENT_SECRET");
}

/// A document cannot ask for what other programs have in their variables, whatever it calls itself and its schemes.
#[test]
fn variables_are_our_own() {
    for (source, scheme) in [("github", "token"), ("aws", "secret_access_key"), ("openai", "openai-api-key")]
    {
        let schemes = json!({scheme: {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://x.example/t"}}}});
        let schemes = SecuritySchemes::new(source, schemes.as_object().unwrap().clone(), None, true);
        let auth = schemes.any().auth;
        assert!(auth.variables().iter().all(|name| name.starts_with("AQUEDUCT_")), "{auth:?}");
        assert_eq!(auth.variables().len(), 3);
    }
}

/// What cannot be sent is not supported: names that are no names of HTTP, and headers that the client sets itself.
#[test]
fn schemes_that_cannot_be_sent() {
    let key = |place: &str, name: &str| json!({"type": "apiKey", "in": place, "name": name});
    for scheme in [
        key("header", "Host"),
        key("header", "Content-Length"),
        key("header", "X\r\nEvil"),
        key("header", "bad name"),
        key("header", ""),
        key("cookie", "a;b"),
        key("query", "a\nb"),
        json!({"type": "http", "scheme": "x\r\nEvil: 1"}),
        json!({"type": "http", "scheme": "two words"}),
        json!({"type": "http", "scheme": "x".repeat(100)}),
    ] {
        let lowered = lower(json!({"s": scheme}), json!([{"s": []}]));
        assert_eq!(lowered.auth, Auth::None, "{scheme}");
        assert!(lowered.warnings[0].contains("not supported"), "{:?}", lowered.warnings);
    }
}

/// However many ways a document offers, there are not more than a few, and what is left out is said.
#[test]
fn alternatives_have_a_limit() {
    let flows = json!({"type": "oauth2", "flows": {
        "password": {"tokenUrl": "https://x.example/t"}, "clientCredentials": {"tokenUrl": "https://x.example/t"},
    }});
    let names: Vec<String> = (0..500).map(|number| format!("s{number}")).collect();
    let schemes: Value =
        names.iter().map(|name| (name.clone(), flows.clone())).collect::<serde_json::Map<_, _>>().into();
    let all: Value =
        names.iter().map(|name| (name.clone(), json!([]))).collect::<serde_json::Map<_, _>>().into();
    let lowered = lower(schemes.clone(), Value::Array(vec![all; 500]));
    assert_eq!(lowered.auth, Auth::None);
    assert!(lowered.warnings[0].starts_with("500 of the ways"), "{:?}", lowered.warnings);
    let each = names.iter().map(|name| json!({name: []})).collect();
    let lowered = lower(schemes, Value::Array(each));
    let Auth::AnyOf(ways) = lowered.auth else { panic!() };
    assert_eq!(ways.len(), 64);
    assert!(lowered.warnings[0].contains("are left out"), "{:?}", lowered.warnings);
}

/// Only a document from here, or the operator, vouches for a private address that tokens are fetched from.
#[test]
fn token_urls_in_private_networks() {
    let of = |token_url: &str, base: &str, vouches: bool| {
        let schemes =
            json!({"s": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": token_url}}}});
        let schemes = SecuritySchemes::new(
            "x",
            schemes.as_object().unwrap().clone(),
            url::Url::parse(base).ok(),
            vouches,
        );
        let lowered = schemes.lower(&json!([{"s": []}]));
        matches!(lowered.auth, Auth::AnyOf(ways) if ways.len() == 2)
    };
    let (public, private) = ("https://api.example.com/", "http://10.0.0.7/");
    assert!(of("https://auth.example.com/t", public, false));
    for inside in
        ["http://127.0.0.1:8080/t", "http://10.0.0.7/t", "http://localhost/t", "http://vault.internal/t"]
    {
        assert!(!of(inside, public, false), "{inside}");
        assert!(of(inside, public, true), "{inside}");
    }
    assert!(of("/t", private, false), "the operator's own address");
}

#[test]
fn what_is_not_supported_is_said() {
    let schemes = json!({
        "tls": {"type": "mutualTLS"},
        "digest": {"type": "http", "scheme": "digest"},
        "a": {"type": "http", "scheme": "bearer"},
        "implicit": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://x.example"}}},
        "broken": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/relative"}}},
        "odd": 7,
    });
    let of = |requirements: Value| lower(schemes.clone(), requirements);
    let tls = of(json!([{"tls": [], "a": []}]));
    assert_eq!(tls.auth, bearer("AQUEDUCT_PET_STORE__A"));
    assert_eq!(tls.warnings.len(), 1);
    for unsupported in ["digest", "missing", "odd"] {
        let lowered = of(json!([{unsupported: []}]));
        assert_eq!(lowered.auth, Auth::None);
        assert_eq!(lowered.warnings.len(), 2, "{:?}", lowered.warnings);
    }
    assert_eq!(of(json!([{"digest": []}, {"a": []}])).auth, bearer("AQUEDUCT_PET_STORE__A"));
    assert_eq!(of(json!([{"implicit": []}])).auth, bearer("AQUEDUCT_PET_STORE__IMPLICIT_TOKEN"));
    assert_eq!(of(json!([{"broken": []}])).auth, bearer("AQUEDUCT_PET_STORE__BROKEN_TOKEN"));
    assert_eq!(of(json!("odd")).auth, Auth::None);
}
