//! Tokens as calls meet them: fetched once, shared, renewed in time, and shown to no one.
//!
//! One fake server is the API and the token server in one; what each got is told apart by the path.

mod hostile;
mod refreshed;

use crate::error::UpstreamError;
use crate::test_support::{prepared, program_call, upstream, upstream_at};
use crate::upstream::Upstream;
use aqueduct_operations::auth::{Auth, OAuth2};
use aqueduct_operations::operation::Operation;
use aqueduct_testkit::api::{Answer, FakeApi, Gate, Recorded};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::log;
use aqueduct_testkit::operation::{get, post, with_site, with_target};
use base64::Engine;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const CLIENT: [(&str, &str); 2] = [("ID", "client:1"), ("SECRET", "s3cret value")];

fn rule(token_url: &str) -> OAuth2 {
    OAuth2 {
        token_url: token_url.parse().unwrap(),
        client_id_env: "ID".into(),
        client_secret_env: "SECRET".into(),
        refresh_token_env: None,
        scopes: vec!["read".into(), "write all".into()],
    }
}

fn with_rule(operation: Operation, rule: OAuth2) -> Operation {
    with_site(operation, |site| site.auth = Auth::OAuth2(rule))
}

/// An operation of a server that also gives the tokens.
fn reading(api: &FakeApi) -> Operation {
    with_rule(get("g", &api.base_url(), "/x"), rule(&format!("{}/token", api.base_url())))
}

/// A server whose tokens are numbered `token-1`, `token-2`.
async fn numbering(expires_in: Option<u64>) -> FakeApi {
    let count = AtomicUsize::new(0);
    FakeApi::start(move |request| match request.path() {
        "/token" => {
            let number = count.fetch_add(1, Ordering::SeqCst) + 1;
            let mut body = json!({"access_token": format!("token-{number}"), "token_type": "Bearer"});
            if let Some(seconds) = expires_in {
                body["expires_in"] = seconds.into();
            }
            Answer::json(200, body)
        }
        _ => Answer::json(200, json!({"seen": request.header("authorization")})),
    })
    .await
}

async fn run(upstream: &Upstream, operation: &Operation) -> Result<Value, UpstreamError> {
    let answer = program_call(upstream, operation, &Map::new()).await?;
    Ok(serde_json::from_str(answer.data.as_str()).unwrap())
}

/// What the token server got.
fn fetches(api: &FakeApi) -> Vec<Recorded> {
    api.requests().into_iter().filter(|request| request.path() == "/token").collect()
}

/// The tokens that the API got, in order.
fn tokens(api: &FakeApi) -> Vec<String> {
    let calls = api.requests().into_iter().filter(|request| request.path() != "/token");
    calls.map(|request| request.header("authorization").unwrap_or_default().to_owned()).collect()
}

/// A field of a form.
fn field(request: &Recorded, name: &str) -> Option<String> {
    let body = request.body_text();
    let pairs = url::form_urlencoded::parse(body.as_bytes());
    pairs.into_iter().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// S-openapi-16: a token is fetched by the client's credentials when a call first needs it, and used by the calls after it.
#[tokio::test]
async fn client_credentials() {
    let api = numbering(None).await;
    let upstream = upstream(&CLIENT);
    let operation = reading(&api);
    assert_eq!(api.requests().len(), 0);
    for _ in 0..3 {
        run(&upstream, &operation).await.unwrap();
    }
    assert_eq!(tokens(&api), ["Bearer token-1", "Bearer token-1", "Bearer token-1"]);
    let fetches = fetches(&api);
    assert_eq!(fetches.len(), 1);
    assert_eq!(fetches[0].method, "POST");
    assert_eq!(field(&fetches[0], "grant_type").as_deref(), Some("client_credentials"));
    assert_eq!(field(&fetches[0], "scope").as_deref(), Some("read write all"));
    assert_eq!((field(&fetches[0], "client_id"), field(&fetches[0], "client_secret")), (None, None));
    let basic = fetches[0].header("authorization").unwrap().strip_prefix("Basic ").unwrap().to_owned();
    let pair = base64::engine::general_purpose::STANDARD.decode(basic).unwrap();
    assert_eq!(String::from_utf8(pair).unwrap(), "client%3A1:s3cret%20value");
}

/// S-openapi-16: calls that need a token at the same time wait for one fetch.
#[tokio::test]
async fn one_fetch_for_all() {
    let gate = Gate::default();
    let cached = gate.clone();
    let api = FakeApi::start(move |request| match request.path() {
        "/token" => Answer::behind(&cached, Answer::json(200, json!({"access_token": "token-1"}))),
        _ => Answer::json(200, json!(1)),
    })
    .await;
    let (upstream, operation) = (upstream(&CLIENT), reading(&api));
    let calls = futures::future::join_all((0..20).map(|_| run(&upstream, &operation)));
    let opened = async {
        api.wait_for_request_count(1).await;
        gate.open();
    };
    let (outcomes, ()) = tokio::join!(calls, opened);
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!((fetches(&api).len(), tokens(&api).len()), (1, 20));
}

/// S-openapi-16: credentials that expire on the way are renewed in time, by the clock.
#[tokio::test]
async fn renewed_shortly_before_the_end() {
    for (expires_in, usable_for) in [(3600, 3570), (60, 48)] {
        let api = numbering(Some(expires_in)).await;
        let clock = TestClock::default();
        let (upstream, operation) = (upstream_at(&clock, &CLIENT), reading(&api));
        run(&upstream, &operation).await.unwrap();
        clock.advance(Duration::from_secs(usable_for - 1));
        run(&upstream, &operation).await.unwrap();
        clock.advance(Duration::from_secs(1));
        run(&upstream, &operation).await.unwrap();
        assert_eq!(tokens(&api), ["Bearer token-1", "Bearer token-1", "Bearer token-2"]);
    }
    // A life without end, and one that is over at once.
    for (expires_in, count) in [(u64::MAX, 1), (0, 2)] {
        let api = numbering(Some(expires_in)).await;
        let clock = TestClock::default();
        let (upstream, operation) = (upstream_at(&clock, &CLIENT), reading(&api));
        run(&upstream, &operation).await.unwrap();
        clock.advance(Duration::from_secs(86_400_000));
        run(&upstream, &operation).await.unwrap();
        assert_eq!(fetches(&api).len(), count, "{expires_in}");
    }
}

/// A server that refuses some tokens with a 401.
async fn refusing(is_refused: impl Fn(&str) -> bool + Send + Sync + 'static) -> FakeApi {
    let count = AtomicUsize::new(0);
    FakeApi::start(move |request| match (request.path(), request.header("authorization")) {
        ("/token", _) => {
            let number = count.fetch_add(1, Ordering::SeqCst) + 1;
            Answer::json(200, json!({"access_token": format!("token-{number}")}))
        }
        (_, Some(token)) if !is_refused(token) => Answer::json(200, json!({"id": 1})),
        _ => Answer::json(401, json!({"message": "token expired"})),
    })
    .await
}

/// S-openapi-16: a token that the API refuses is fetched anew, once, and the call sent again, whatever its method.
#[tokio::test]
async fn refused_tokens() {
    let api = refusing(|token| token == "Bearer token-1").await;
    let upstream = upstream(&CLIENT);
    let rule = || rule(&format!("{}/token", api.base_url()));
    let operation = with_rule(post("p", &api.base_url(), "/x"), rule());
    assert_eq!(run(&upstream, &operation).await.unwrap(), json!({"id": 1}));
    assert_eq!(run(&upstream, &operation).await.unwrap(), json!({"id": 1}));
    assert_eq!(tokens(&api), ["Bearer token-1", "Bearer token-2", "Bearer token-2"]);
    assert_eq!(fetches(&api).len(), 2);
}

/// S-openapi-16: an API that refuses every token gets two of them, and its words are told.
#[tokio::test]
async fn refused_for_good() {
    let api = refusing(|_| true).await;
    let error = run(&upstream(&CLIENT), &reading(&api)).await.unwrap_err();
    assert!(matches!(&error, UpstreamError::Status(status) if status.words == "token expired"), "{error:?}");
    assert_eq!((tokens(&api).len(), fetches(&api).len()), (2, 2));
    // Without tokens there is nothing to fetch anew.
    let bearer = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
    let operation = with_site(get("g", &api.base_url(), "/x"), |site| site.auth = bearer);
    let error = run(&crate::test_support::upstream(&[("T", "t0ken-value")]), &operation).await.unwrap_err();
    assert_eq!((error.http_status(), tokens(&api).len()), (Some(401), 3));
}

/// S-openapi-16: a server that wants the secret in the body gets it there, from then on at once.
#[tokio::test]
async fn secret_in_the_body() {
    for refusal in [Answer::json(401, json!({"error": "invalid_client"})), Answer::empty(401)] {
        let api = FakeApi::start(move |request| match request.path() {
            "/token" if request.header("authorization").is_some() => refusal.clone(),
            "/token" => Answer::json(200, json!({"access_token": "token-1", "expires_in": 100})),
            _ => Answer::json(200, json!(1)),
        })
        .await;
        let clock = TestClock::default();
        let (upstream, operation) = (upstream_at(&clock, &CLIENT), reading(&api));
        run(&upstream, &operation).await.unwrap();
        clock.advance(Duration::from_secs(100));
        run(&upstream, &operation).await.unwrap();
        let fetches = fetches(&api);
        let in_body: Vec<_> = fetches.iter().map(|fetch| field(fetch, "client_secret")).collect();
        assert_eq!(in_body, [None, Some("s3cret value".into()), Some("s3cret value".into())]);
        assert_eq!(field(&fetches[1], "client_id").as_deref(), Some("client:1"));
    }
}

/// R11.2-1: tokens and the client's secret show nowhere: not in answers, not in the log, not in prints.
#[tokio::test]
async fn shown_nowhere() {
    log::keep();
    let api = FakeApi::start(|request| match request.path() {
        "/token" => {
            Answer::json(200, json!({"access_token": "t0ken-value", "refresh_token": "r0tated-value"}))
        }
        _ => Answer::json(200, json!({"echo": request.header("authorization"), "secret": "s3cret value"})),
    })
    .await;
    let (upstream, operation) = (upstream(&CLIENT), reading(&api));
    let answer = run(&upstream, &operation).await.unwrap();
    assert_eq!(answer, json!({"echo": "Bearer [REDACTED]", "secret": "[REDACTED]"}));
    let preview = upstream.preview(&prepared(&operation, json!({})));
    assert_eq!(preview["headers"]["authorization"], "Bearer [REDACTED]");
    let shown = format!("{} {:?} {operation:?}", log::text(), upstream.shared().tokens);
    assert!(shown.contains("token fetched"), "{shown}");
    for leak in ["t0ken", "s3cret", "r0tated"] {
        assert!(!shown.contains(leak), "{shown}");
    }
}

/// S-openapi-16: the old token stays secret when another has come in its place.
#[tokio::test]
async fn old_tokens_stay_secret() {
    let count = AtomicUsize::new(0);
    let api = FakeApi::start(move |request| match (request.path(), request.header("authorization")) {
        ("/token", _) => {
            let number = count.fetch_add(1, Ordering::SeqCst) + 1;
            Answer::json(200, json!({"access_token": format!("token-{number}")}))
        }
        (_, Some("Bearer token-1")) => Answer::empty(401),
        _ => Answer::json(200, json!("token-1 was refused, token-2 is good")),
    })
    .await;
    let answer = run(&upstream(&CLIENT), &reading(&api)).await.unwrap();
    assert_eq!(answer, "[REDACTED] was refused, [REDACTED] is good");
}

/// Each set of scopes has a token of its own; operations with the same share it.
#[tokio::test]
async fn tokens_by_scopes() {
    let api = numbering(None).await;
    let upstream = upstream(&CLIENT);
    let site = reading(&api);
    let narrow = OAuth2 { scopes: Vec::new(), ..rule(&format!("{}/token", api.base_url())) };
    let own = with_target(site.clone(), |target| target.auth = Some(Arc::new(Auth::OAuth2(narrow))));
    for operation in [&site, &own, &site, &own] {
        run(&upstream, operation).await.unwrap();
    }
    assert_eq!(tokens(&api), ["Bearer token-1", "Bearer token-2", "Bearer token-1", "Bearer token-2"]);
    assert_eq!(field(&fetches(&api)[1], "scope"), None);
}
