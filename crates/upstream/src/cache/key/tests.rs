//! Tests of `key`.

use super::{CacheKey, CacheKeyInput, ReadOptions};
use crate::credentials::Credentials;
use crate::http::build::build;
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::category::Category;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::response::CacheRule;
use aqueduct_operations::target::{AnswerKind, Method};
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::operation::{
    get, http_target, operation, param, site, target, with_param, with_site, with_target,
};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Duration;

/// A key of no request.
pub(in crate::cache) fn any_key(number: u8) -> CacheKey {
    CacheKey([number; 32])
}

fn key(operation: &Operation, values: Value, token: &str, reading: &ReadOptions) -> CacheKey {
    let target = http_target(operation);
    let request = build(operation, target, values.as_object().unwrap()).unwrap();
    let credentials = Credentials::resolve(&target.site, &TestEnvironment::with(&[("T", token)])).unwrap();
    CacheKeyInput { operation, target, request: &request, credentials: &credentials, reading }.key()
}

fn read() -> Operation {
    let operation = get("g", "https://api.example.com", "/x");
    let operation = with_param(operation, param("q", ValueKind::String, ParamLocation::Query));
    let operation = with_param(operation, param("x-lang", ValueKind::String, ParamLocation::Header));
    with_param(operation, param("sid", ValueKind::String, ParamLocation::Cookie))
}

fn with_auth(auth: Auth) -> Operation {
    with_site(read(), |site| site.auth = auth)
}

fn by(caller: Option<&str>) -> ReadOptions {
    ReadOptions { caller: caller.map(Into::into), ..ReadOptions::default() }
}

/// R10.5-1: a read with a body is another for every body and every media type of it.
#[test]
fn bodies_make_keys() {
    let search = |content_type: Option<&str>| {
        let target = target(site("https://api.example.com"), Method::Query, "/x");
        let operation = operation("find", Category::Read, target);
        let operation = with_param(operation, param("q", ValueKind::String, ParamLocation::Body));
        with_target(operation, |target| target.content_type = content_type.map(str::to_owned))
    };
    let key = |content_type, values| key(&search(content_type), values, "", &by(None));
    let all: HashSet<CacheKey> = [
        key(None, json!({"q": "1"})),
        key(None, json!({"q": "2"})),
        key(None, json!({})),
        key(Some("application/x+json"), json!({"q": "1"})),
    ]
    .into_iter()
    .collect();
    assert_eq!(all.len(), 4);
    assert!(all.contains(&key(None, json!({"q": "1"}))));
}

/// R10.5-1: everything that could make another answer makes another key, and nothing else does.
#[test]
fn what_makes_a_key() {
    let plain = by(None);
    let none = json!({});
    let bearer = || with_auth(Auth::Bearer { token_env: "T".into(), prefix: "Bearer ".into() });
    let in_place = |place| with_auth(Auth::ApiKey { key_env: "T".into(), place });
    let operator = |name: &str, value: &str| {
        with_site(read(), |site| site.operator_headers = vec![NamedSecret::new(name, value)])
    };
    let mut all = vec![
        key(&read(), none.clone(), "", &plain),
        key(&read(), none.clone(), "", &by(Some(""))),
        key(&read(), none.clone(), "", &by(Some("ann"))),
        key(&read(), none.clone(), "", &by(Some("bob"))),
        key(&read(), json!({"q": "1"}), "", &plain),
        key(&read(), json!({"x-lang": "1"}), "", &plain),
        key(&read(), json!({"sid": "1"}), "", &plain),
        key(&get("g", "https://api.example.com", "/y"), none.clone(), "", &plain),
        key(&bearer(), none.clone(), "one", &plain),
        key(&bearer(), none.clone(), "two", &plain),
        key(&in_place(KeyPlace::Header("X-K".into())), none.clone(), "one", &plain),
        key(&in_place(KeyPlace::Query("k".into())), none.clone(), "one", &plain),
        key(&in_place(KeyPlace::Cookie("k".into())), none.clone(), "one", &plain),
        key(&operator("X-A", "one"), none.clone(), "", &plain),
        key(&operator("X-A", "two"), none.clone(), "", &plain),
        key(&operator("X-B", "one"), none.clone(), "", &plain),
        key(&with_target(read(), |target| target.answer = AnswerKind::Any), none.clone(), "", &plain),
    ];
    let rule = CacheRule { enabled: true, ttl: Some(Duration::from_secs(1)) };
    all.push(key(&read(), none.clone(), "", &ReadOptions { rule, ..by(None) }));
    let mut hidden = read();
    hidden.params[0].sensitive = true;
    all.push(key(&hidden, none.clone(), "", &plain));
    let different: HashSet<CacheKey> = all.iter().copied().collect();
    assert_eq!(different.len(), all.len());
    let mut described = read();
    described.description = "other".into();
    assert!(key(&described, none.clone(), "", &plain) == all[0]);
    let mut other = read();
    other.name = "other".into();
    assert!(key(&other, none, "", &plain) != all[0], "a change may concern one of the two alone");
}
