//! Which requests are let in, and what the others are told.
//!
//! Requests are only looked at here; that refused ones go no further is tested with the real binary.

use super::{BearerRefusal, Caller, Guard, HttpRefusal, KnownTokens, RequestSender, Scopes};
use crate::http::{HttpSettings, Token};
use crate::metrics::Metrics;
use aqueduct_operations::clock::Clock;
use aqueduct_testkit::clock::TestClock;
use axum::body::Body;
use axum::extract::Request;
use http::Method;
use std::sync::Arc;

/// The SHA-256 of `one`.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";

fn request(path: &str, headers: &[(&str, &str)]) -> Request {
    let builder =
        headers.iter().fold(Request::builder().uri(path), |b, (name, value)| b.header(*name, *value));
    builder.body(Body::empty()).unwrap()
}

fn guard(settings: HttpSettings) -> Guard {
    let clock: Arc<dyn Clock> = Arc::new(TestClock::default());
    Guard::new(&settings, KnownTokens::of(&settings, &clock), Arc::new(Metrics::default()))
}

/// The name of who is let in, if they have one.
fn outcome(guard: &Guard, path: &str, headers: &[(&str, &str)]) -> Result<Option<String>, HttpRefusal> {
    guard.check(&request(path, headers)).map(|admitted| match admitted.who {
        RequestSender::Caller(caller, _) => caller.token().map(|name| name.to_string()),
        RequestSender::Browser | RequestSender::Anybody => None,
    })
}

#[test]
fn hosts() {
    let guard =
        guard(HttpSettings { allowed_hosts: vec!["Tools.example".into()], ..HttpSettings::default() });
    for good in ["localhost", "LOCALHOST:80", "127.0.0.1:7300", "[::1]:9", "192.0.2.7", "tools.example:443"] {
        assert_eq!(outcome(&guard, "/mcp", &[("host", good)]), Ok(None), "{good}");
    }
    for bad in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "",
        "a b",
        "localhost.",
        "[::1].evil.example",
        "[::1]evil.example",
        "evil.example@127.0.0.1",
        "evil.example:80@127.0.0.1:7300",
        "127.0.0.1:80:80",
        "127.0.0.1:",
        "localhost/",
        "localhost#",
        "localhost\\evil.example",
        "127.0.0.1,evil.example",
        "2130706433",
        "tools.example@localhost",
        "tools.example.",
    ] {
        assert_eq!(outcome(&guard, "/mcp", &[("host", bad)]), Err(HttpRefusal::Host), "{bad}");
    }
    assert_eq!(outcome(&guard, "/mcp", &[]), Err(HttpRefusal::Host));
    let two = [("host", "localhost"), ("host", "evil.example")];
    assert_eq!(outcome(&guard, "/mcp", &two), Err(HttpRefusal::Host));
    assert_eq!(outcome(&guard, "http://evil.example/mcp", &two[..1]), Err(HttpRefusal::Host));
    assert_eq!(outcome(&guard, "http://evil.example@localhost/mcp", &two[..1]), Err(HttpRefusal::Host));
    assert_eq!(outcome(&guard, "http://tools.example/mcp", &two[..1]), Ok(None));
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
    for bad in [
        "http://localhost:7301",
        "http://evil.example",
        "https://app.example.evil.example",
        "null",
        "",
        "localhost:7300",
        "http://evil.example@localhost:7300",
        "http://localhost:7300/",
        "https://app.example:443",
        "https://app.example/",
        "ftp://localhost:7300",
        "http://[::1].localhost:7300",
        "https://app.example https://evil.example",
    ] {
        assert_eq!(with(bad), Err(HttpRefusal::Origin), "{bad}");
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
    assert_eq!(with("/metrics", "Bearer two"), Err(HttpRefusal::Token(BearerRefusal::Unknown)));
    for bad in ["Basic one", "one", ""] {
        assert_eq!(with("/mcp", bad), Err(HttpRefusal::Token(BearerRefusal::Missing)), "{bad}");
    }
    assert_eq!(
        outcome(&guard, "/metrics", &[("host", "localhost")]),
        Err(HttpRefusal::Token(BearerRefusal::Missing))
    );
    assert_eq!(outcome(&guard, "/healthz", &[("host", "localhost")]), Ok(None));
    let told = HttpRefusal::Token(BearerRefusal::Unknown).answer().1;
    assert_eq!(told.status(), 401);
    assert_eq!(told.headers()["www-authenticate"], "Bearer realm=\"aqueduct\", error=\"invalid_token\"");
    let (reason, told) = HttpRefusal::Token(BearerRefusal::Expired).answer();
    assert_eq!((reason, told.status().as_u16()), ("expired_token", 401));
    let (reason, told) = HttpRefusal::Token(BearerRefusal::NotReady).answer();
    assert_eq!((reason, told.status().as_u16()), ("callers_unknown", 503));
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
    assert_eq!(guesses[..2], [HttpRefusal::Token(BearerRefusal::Unknown); 2]);
    assert_eq!(guesses[3], HttpRefusal::Rate);
    assert!(with("Bearer one").is_ok(), "the owner of a token does not suffer from those who guess");
    assert_eq!(HttpRefusal::Rate.answer().1.headers()["retry-after"], "1");
}

/// S-registry-3: what a request may do is said by its token alone; where there are no tokens, it may do everything.
#[test]
fn scopes_come_with_tokens() {
    let token = || Token::new("ann", ONE).unwrap();
    let scopes = |tokens: Vec<Token>, headers: &[(&str, &str)]| {
        let guard = guard(HttpSettings { tokens, ..HttpSettings::default() });
        match guard.check(&request("/mcp", headers)).unwrap().who {
            RequestSender::Caller(_, scopes) => scopes,
            other => panic!("{other:?}"),
        }
    };
    let headers = [("host", "localhost"), ("authorization", "Bearer one")];
    assert_eq!(scopes(vec![token()], &headers), Scopes::none());
    let held = scopes(vec![token().with_scopes(["stock".to_owned()])], &headers);
    assert_eq!(held, Scopes::only(["stock".to_owned()]));
    assert_eq!(scopes(Vec::new(), &headers), Scopes::unrestricted());
}

/// While tokens are set, no method, path or header makes a caller of somebody without one; and where none are set, or with
/// one, everything is as it was.
#[test]
fn nobody_calls_without_a_token() {
    let settings = |tokens: Vec<Token>| HttpSettings {
        tokens,
        allowed_origins: vec!["https://app.example".into()],
        ..HttpSettings::default()
    };
    let token = Token::new("ann", ONE).unwrap().with_scopes(["stock".to_owned()]);
    let (guarded, open) = (guard(settings(vec![token])), guard(settings(Vec::new())));
    let methods = [
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "OPTIONS",
        "TRACE",
        "CONNECT",
        "QUERY",
        "PREFLIGHT",
    ];
    let paths = [
        "/mcp",
        "/mcp/",
        "/metrics",
        "/healthz",
        "/readyz",
        "/healthz/",
        "//healthz",
        "/healthz/../mcp",
        "/",
        "/x",
    ];
    let origins = [None, Some("https://app.example"), Some("http://localhost:7300")];
    let asks = [None, Some("POST"), Some("")];
    let sent = [None, Some("Bearer one"), Some("Bearer wrong"), Some("Bearer "), Some("Basic one")];
    let mut calls = 0;
    for method in methods {
        for path in paths {
            for (origin, ask) in origins.iter().flat_map(|origin| asks.iter().map(move |ask| (origin, ask))) {
                for authorization in sent {
                    let mut headers = vec![("host", "localhost:7300")];
                    headers.extend(origin.map(|origin| ("origin", origin)));
                    headers.extend(ask.map(|ask| ("access-control-request-method", ask)));
                    headers.extend(authorization.map(|value| ("authorization", value)));
                    let mut request = request(path, &headers);
                    *request.method_mut() = Method::from_bytes(method.as_bytes()).unwrap();
                    let is_preflight =
                        method == "OPTIONS" && *origin == Some("https://app.example") && ask.is_some();
                    let is_open = path == "/healthz" || path == "/readyz";
                    let who = guarded.check(&request).map(|admitted| admitted.who);
                    let expected = match authorization {
                        _ if is_preflight => Ok(RequestSender::Browser),
                        _ if is_open => Ok(RequestSender::Anybody),
                        Some("Bearer one") => {
                            calls += 1;
                            Ok(RequestSender::Caller(
                                Caller::named("ann"),
                                Scopes::only(["stock".to_owned()]),
                            ))
                        }
                        Some("Bearer wrong" | "Bearer ") => Err(HttpRefusal::Token(BearerRefusal::Unknown)),
                        _ => Err(HttpRefusal::Token(BearerRefusal::Missing)),
                    };
                    assert_eq!(who, expected, "{method} {path} {headers:?}");
                    let unguarded = open.check(&request).map(|admitted| admitted.who);
                    let expected = match expected {
                        Ok(who @ (RequestSender::Browser | RequestSender::Anybody)) => who,
                        _ => RequestSender::Caller(Caller::local(), Scopes::unrestricted()),
                    };
                    assert_eq!(unguarded, Ok(expected), "{method} {path} {headers:?}");
                }
            }
        }
    }
    assert!(calls > 500, "{calls}");
}
