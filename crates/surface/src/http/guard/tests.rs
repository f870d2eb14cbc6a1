//! Which requests are let in, and what the others are told.
//!
//! Requests are only looked at here; that refused ones go no further is tested with the real binary.

use super::{Guard, Refusal, Scopes};
use crate::http::{HttpSettings, Token};
use crate::metrics::Metrics;
use axum::body::Body;
use axum::extract::Request;
use axum::response::IntoResponse;
use std::sync::Arc;

/// The SHA-256 of `one`.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";

fn request(path: &str, headers: &[(&str, &str)]) -> Request {
    let builder =
        headers.iter().fold(Request::builder().uri(path), |b, (name, value)| b.header(*name, *value));
    builder.body(Body::empty()).unwrap()
}

fn guard(settings: HttpSettings) -> Guard {
    Guard::new(&settings, Arc::new(Metrics::default()))
}

fn outcome(guard: &Guard, path: &str, headers: &[(&str, &str)]) -> Result<Option<String>, Refusal> {
    guard.check(&request(path, headers)).map(|admitted| admitted.caller.0.map(|name| name.to_string()))
}

#[test]
fn hosts() {
    let guard =
        guard(HttpSettings { allowed_hosts: vec!["Tools.example".into()], ..HttpSettings::default() });
    for good in ["localhost", "LOCALHOST:80", "127.0.0.1:7300", "[::1]:9", "192.0.2.7", "tools.example:443"] {
        assert_eq!(outcome(&guard, "/mcp", &[("host", good)]), Ok(None), "{good}");
    }
    for bad in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "a b", "localhost."] {
        assert_eq!(outcome(&guard, "/mcp", &[("host", bad)]), Err(Refusal::Host), "{bad}");
    }
    assert_eq!(outcome(&guard, "/mcp", &[]), Err(Refusal::Host));
    let two = [("host", "localhost"), ("host", "evil.example")];
    assert_eq!(outcome(&guard, "/mcp", &two), Err(Refusal::Host));
    assert_eq!(outcome(&guard, "http://evil.example/mcp", &two[..1]), Err(Refusal::Host));
}

#[test]
fn origins() {
    let listed =
        HttpSettings { allowed_origins: vec!["https://app.example".into()], ..HttpSettings::default() };
    let guard = guard(listed);
    let with = |origin: &str| outcome(&guard, "/mcp", &[("host", "localhost:7300"), ("origin", origin)]);
    for good in ["http://localhost:7300", "https://app.example", "https://APP.example"] {
        assert_eq!(with(good), Ok(None), "{good}");
    }
    for bad in
        ["http://localhost:7301", "http://evil.example", "https://app.example.evil.example", "null", ""]
    {
        assert_eq!(with(bad), Err(Refusal::Origin), "{bad}");
    }
}

#[test]
fn tokens() {
    let settings = HttpSettings { tokens: vec![Token::new("ann", ONE).unwrap()], ..HttpSettings::default() };
    let guard = guard(settings);
    let with =
        |path: &str, value: &str| outcome(&guard, path, &[("host", "localhost"), ("authorization", value)]);
    assert_eq!(with("/mcp", "Bearer one"), Ok(Some("ann".into())));
    assert_eq!(with("/mcp", "bearer  one"), Ok(Some("ann".into())));
    assert_eq!(with("/metrics", "Bearer two"), Err(Refusal::WrongToken));
    for bad in ["Basic one", "one", ""] {
        assert_eq!(with("/mcp", bad), Err(Refusal::NoToken), "{bad}");
    }
    assert_eq!(outcome(&guard, "/metrics", &[("host", "localhost")]), Err(Refusal::NoToken));
    assert_eq!(outcome(&guard, "/healthz", &[("host", "localhost")]), Ok(None));
    let told = Refusal::WrongToken.into_response();
    assert_eq!(told.status(), 401);
    assert_eq!(told.headers()["www-authenticate"], "Bearer realm=\"aqueduct\", error=\"invalid_token\"");
}

#[test]
fn too_many_requests() {
    let settings = HttpSettings {
        tokens: vec![Token::new("ann", ONE).unwrap()],
        requests_per_second: Some(1),
        ..HttpSettings::default()
    };
    let guard = guard(settings);
    let with = |value: &str| outcome(&guard, "/mcp", &[("host", "localhost"), ("authorization", value)]);
    let guesses: Vec<_> = (0..4).map(|_| with("Bearer wrong").unwrap_err()).collect();
    assert_eq!(guesses[..2], [Refusal::WrongToken; 2]);
    assert_eq!(guesses[3], Refusal::Rate);
    assert!(with("Bearer one").is_ok(), "the owner of a token does not suffer from those who guess");
    assert_eq!(Refusal::Rate.into_response().headers()["retry-after"], "1");
}

/// S-registry-3: what a request may do is said by its token alone; where there are no tokens, it may do everything.
#[test]
fn scopes_come_with_tokens() {
    let token = || Token::new("ann", ONE).unwrap();
    let scopes = |tokens: Vec<Token>, headers: &[(&str, &str)]| {
        let guard = guard(HttpSettings { tokens, ..HttpSettings::default() });
        guard.check(&request("/mcp", headers)).unwrap().scopes
    };
    let headers = [("host", "localhost"), ("authorization", "Bearer one")];
    assert_eq!(scopes(vec![token()], &headers), Scopes::Only(Arc::default()));
    let held = scopes(vec![token().with_scopes(["stock".to_owned()])], &headers);
    assert_eq!(held, Scopes::Only(["stock".to_owned()].into()));
    assert_eq!(scopes(Vec::new(), &headers), Scopes::All);
}
