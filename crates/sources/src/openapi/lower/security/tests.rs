//! Security schemes and requirements in, the names of variables and which of them a call needs out.
//!
//! No secret is read from a document: only names of variables are compared.

use super::{Lowered, Schemes};
use aqueduct_operations::auth::{Auth, KeyPlace};
use serde_json::{Value, json};

fn lower(schemes: Value, requirements: Value) -> Lowered {
    Schemes::new("pet-store", schemes.as_object().unwrap().clone(), None).lower(&requirements)
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
    assert_eq!(of("key"), key("PET_STORE_KEY", KeyPlace::Header("X-Key".into())));
    assert_eq!(of("queryKey"), key("PET_STORE_QUERY_KEY", KeyPlace::Query("key".into())));
    assert_eq!(of("cookie_key"), key("PET_STORE_COOKIE_KEY", KeyPlace::Cookie("sid".into())));
    assert_eq!(of("bearerAuth"), bearer("PET_STORE_BEARER_AUTH"));
    assert_eq!(of("petStoreToken"), bearer("PET_STORE_TOKEN"), "no doubled prefix");
    assert_eq!(of("oidc"), bearer("PET_STORE_OIDC_TOKEN"));
    assert_eq!(
        of("basicAuth"),
        Auth::Basic {
            username_env: "PET_STORE_BASIC_AUTH_USERNAME".into(),
            password_env: "PET_STORE_BASIC_AUTH_PASSWORD".into()
        }
    );
}

#[test]
fn alternatives_and_combinations() {
    let schemes = json!({
        "a": {"type": "http", "scheme": "bearer"},
        "b": {"type": "http", "scheme": "bearer"},
    });
    let (a, b) = (bearer("PET_STORE_A"), bearer("PET_STORE_B"));
    let of = |requirements: Value| lower(schemes.clone(), requirements).auth;
    assert_eq!(of(json!([{"a": []}, {"b": []}])), Auth::AnyOf(vec![a.clone(), b.clone()]));
    assert_eq!(of(json!([{"a": [], "b": []}])), Auth::All(vec![a.clone(), b.clone()]));
    assert_eq!(of(json!([{}, {"a": []}])), Auth::AnyOf(vec![a.clone(), Auth::None]), "without comes last");
    assert_eq!(of(json!([])), Auth::None);
    assert_eq!(of(json!([{}])), Auth::None);
    let any = Schemes::new("pet-store", schemes.as_object().unwrap().clone(), None).any().auth;
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
    assert_eq!(ways[0], bearer("PET_STORE_LOGIN_TOKEN"));
    let (Auth::OAuth2(refresh), Auth::OAuth2(own)) = (&ways[1], &ways[2]) else { panic!("{ways:?}") };
    assert_eq!(refresh.token_url.as_str(), "https://x.example/r");
    assert_eq!(refresh.refresh_token_env.as_deref(), Some("PET_STORE_LOGIN_REFRESH_TOKEN"));
    assert!(refresh.scopes.is_empty(), "a refresh token has its scopes already");
    assert_eq!((own.token_url.as_str(), &own.refresh_token_env), ("https://x.example/c", &None));
    assert_eq!(own.scopes, ["read"]);
    assert_eq!(own.client_id_env, "PET_STORE_LOGIN_CLIENT_ID");
    assert_eq!(own.client_secret_env, "PET_STORE_LOGIN_CLIENT_SECRET");
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
    assert_eq!(tls.auth, bearer("PET_STORE_A"));
    assert_eq!(tls.remarks.len(), 1);
    for unsupported in ["digest", "missing", "odd"] {
        let lowered = of(json!([{unsupported: []}]));
        assert_eq!(lowered.auth, Auth::None);
        assert_eq!(lowered.remarks.len(), 2, "{:?}", lowered.remarks);
    }
    assert_eq!(of(json!([{"digest": []}, {"a": []}])).auth, bearer("PET_STORE_A"));
    assert_eq!(of(json!([{"implicit": []}])).auth, bearer("PET_STORE_IMPLICIT_TOKEN"));
    assert_eq!(of(json!([{"broken": []}])).auth, bearer("PET_STORE_BROKEN_TOKEN"));
    assert_eq!(of(json!("odd")).auth, Auth::None);
}
