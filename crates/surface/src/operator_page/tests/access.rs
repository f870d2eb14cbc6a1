//! Who gets in: with the passphrase, from this machine, from this page; and for how long.

use super::super::listener::{NotLoopback, bind};
use super::super::session::{IDLE, LONGEST};
use super::support::{Browser, PASSPHRASE, form};
use axum::body::Body;
use http::{StatusCode, header};
use std::time::Duration;

/// Every route of who has signed in.
const PAGES: [&str; 3] = ["", "history", "audit"];
const FORMS: [&str; 3] = ["approve", "deny", "sign-out"];

/// S5: nothing is shown or done without the passphrase.
#[tokio::test]
async fn nothing_without_the_passphrase() {
    let mut browser = Browser::signed_in().await;
    let cookie = std::mem::take(&mut browser.cookie);
    let place = browser.place.clone();
    let token = {
        browser.cookie.clone_from(&cookie);
        browser.get(&place).await.form_token()
    };
    let wrong = format!("aqueduct_operator={}", "0".repeat(64));
    let twice = format!("{cookie}; {cookie}");
    for given in ["", &wrong, &twice] {
        browser.cookie = given.to_owned();
        for page in PAGES {
            let shown = browser.get(&format!("{place}{page}")).await;
            assert_eq!(
                (shown.status, shown.header(header::LOCATION)),
                (StatusCode::SEE_OTHER, "/sign-in"),
                "{page}"
            );
            assert!(shown.text.is_empty(), "{shown:?}");
        }
        for each in FORMS {
            let shown = browser.post(&format!("{place}{each}"), &[("token", &token), ("id", "a1")]).await;
            assert_eq!(
                (shown.status, shown.header(header::LOCATION)),
                (StatusCode::SEE_OTHER, "/sign-in"),
                "{each}"
            );
        }
        let event = browser.first_event().await;
        assert!(event.contains("event: ended") && !event.contains("delete_order"), "{event}");
    }
    // The cookie without the key is of no use either.
    browser.cookie = cookie;
    let other = format!("/desk/{}/", "a".repeat(64));
    assert_eq!(browser.get(&other).await.header(header::LOCATION), "/sign-in");
    assert!(browser.backend.answers.lock().unwrap().is_empty());
    assert!(browser.get(&place).await.text.contains("delete_order"));
}

#[tokio::test]
async fn wrong_passphrases() {
    let browser = Browser::new();
    for (given, status, says) in [
        ("letmein-42", StatusCode::UNAUTHORIZED, "That is not it"),
        ("", StatusCode::UNAUTHORIZED, "That is not it"),
        ("one too many", StatusCode::TOO_MANY_REQUESTS, "Too many wrong ones"),
    ] {
        let shown = browser.post("/sign-in", &[("passphrase", given)]).await;
        assert_eq!(shown.status, status, "{given}");
        assert!(shown.text.contains(says) && shown.text.contains("role=\"alert\""), "{}", shown.text);
        assert_eq!(shown.header(header::SET_COOKIE), "");
        assert!(!shown.text.contains("letmein-42"), "{}", shown.text);
    }
    let twice = browser.post("/sign-in", &[("passphrase", PASSPHRASE), ("passphrase", PASSPHRASE)]).await;
    assert_eq!(twice.status, StatusCode::UNAUTHORIZED);
    let huge = browser.post("/sign-in", &[("passphrase", &"x".repeat(100_000))]).await;
    assert_eq!(huge.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn the_cookie_is_strict() {
    let browser = Browser::new();
    let signed = browser.post("/sign-in", &[("passphrase", PASSPHRASE)]).await;
    let cookie = signed.header(header::SET_COOKIE);
    let place = signed.header(header::LOCATION);
    assert!(place.starts_with("/desk/") && place.len() > 64, "{place}");
    for part in ["HttpOnly", "SameSite=Strict", &format!("Path={place}")] {
        assert!(cookie.split("; ").any(|each| each == part), "{part}: {cookie}");
    }
    let key = place.trim_matches('/').rsplit('/').next().unwrap();
    assert!(!cookie.split(';').next().unwrap().contains(key), "two secrets, not one");
}

/// A name of another machine that was rebound to this one, and pages of other origins.
#[tokio::test]
async fn other_hosts_and_origins() {
    let browser = Browser::signed_in().await;
    let token = browser.get(&browser.place).await.form_token();
    let ok = browser.request("GET", &browser.place).header(header::HOST, "x");
    assert_eq!(
        browser.send(ok.body(Body::empty()).unwrap()).await.status,
        StatusCode::FORBIDDEN,
        "two hosts"
    );
    for host in [
        "attacker.example",
        "attacker.example:7433",
        "192.168.0.7:7433",
        "localhost.evil.example",
        "",
        "127.0.0.1.nip.io:7433",
    ] {
        let mut request = browser.request("GET", &browser.place).body(Body::empty()).unwrap();
        request.headers_mut().insert(header::HOST, host.parse().unwrap());
        let shown = browser.send(request).await;
        assert_eq!(shown.status, StatusCode::FORBIDDEN, "{host}");
        assert!(!shown.text.contains("delete_order"), "{host}");
    }
    for host in ["localhost:9000", "[::1]:7433", "127.0.0.1"] {
        let mut request = browser.request("GET", &browser.place).body(Body::empty()).unwrap();
        request.headers_mut().insert(header::HOST, host.parse().unwrap());
        assert_eq!(browser.send(request).await.status, StatusCode::OK, "{host}");
    }
    let fields = [("token", token.as_str()), ("id", "a1")];
    let approve = format!("{}approve", browser.place);
    for (name, value) in [
        ("origin", "http://attacker.example"),
        ("origin", "http://127.0.0.1:8080"),
        ("origin", "https://127.0.0.1:7433"),
        ("origin", "null"),
        ("origin", "http://localhost:7433"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let request = browser.request("POST", &approve).header(name, value);
        let shown = browser.send(request.body(form(&fields)).unwrap()).await;
        assert_eq!(shown.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    // A picture or a script of another page; a link from there may be followed.
    let embedded = browser.request("GET", "/page.js").header("sec-fetch-site", "cross-site");
    assert_eq!(browser.send(embedded.body(Body::empty()).unwrap()).await.status, StatusCode::FORBIDDEN);
    let linked = browser
        .request("GET", "/")
        .header("sec-fetch-site", "cross-site")
        .header("sec-fetch-mode", "navigate");
    assert_eq!(browser.send(linked.body(Body::empty()).unwrap()).await.status, StatusCode::OK);
    assert!(browser.backend.answers.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_every_response_says() {
    let browser = Browser::signed_in().await;
    let place = &browser.place;
    let mut all = vec![browser.get("/nowhere").await, browser.post(&format!("{place}approve"), &[]).await];
    for path in [
        "/",
        "/sign-in",
        "/page.css",
        "/page.js",
        "/icon.svg",
        place,
        &format!("{place}history"),
        &format!("{place}audit"),
    ] {
        let shown = browser.get(path).await;
        assert_eq!(shown.status, StatusCode::OK, "{path}");
        all.push(shown);
    }
    let mut strange = browser.request("GET", "/").body(Body::empty()).unwrap();
    strange.headers_mut().insert(header::HOST, "evil.example".parse().unwrap());
    all.push(browser.send(strange).await);
    for shown in all {
        let policy = shown.header(header::CONTENT_SECURITY_POLICY);
        assert!(
            policy.starts_with("default-src 'none';") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
        assert_eq!(shown.header(header::CACHE_CONTROL), "no-store");
        assert_eq!(shown.header(header::X_FRAME_OPTIONS), "DENY");
        assert_eq!(shown.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(shown.header(header::REFERRER_POLICY), "same-origin");
        for inline in ["style=", "onclick", "<style", "javascript:", "<script>"] {
            assert!(
                !shown.text.contains(inline) || shown.header(header::CONTENT_TYPE).contains("javascript"),
                "{inline}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn sessions_end() {
    let mut browser = Browser::signed_in().await;
    let step = IDLE - Duration::from_secs(60);
    let mut lived = Duration::ZERO;
    while lived + step < LONGEST {
        tokio::time::advance(step).await;
        lived += step;
        assert_eq!(browser.get(&browser.place).await.status, StatusCode::OK, "{lived:?}");
    }
    tokio::time::advance(LONGEST - lived).await;
    assert_eq!(browser.get(&browser.place).await.status, StatusCode::SEE_OTHER, "in any case");
    browser.sign_in().await;
    for _ in 0..3 {
        tokio::time::advance(IDLE / 2).await;
        // The page itself keeps no one signed in.
        let event = browser.first_event().await;
        if event.contains("ended") {
            break;
        }
    }
    assert_eq!(browser.get(&browser.place).await.status, StatusCode::SEE_OTHER, "nobody was there");
}

#[tokio::test]
async fn signed_out() {
    let browser = Browser::signed_in().await;
    let mut other = Browser::new();
    (other.cookie, other.place) = (browser.cookie.clone(), browser.place.clone());
    assert_eq!(other.get(&other.place).await.status, StatusCode::SEE_OTHER, "sessions are of one process");
    let token = browser.get(&browser.place).await.form_token();
    let out = format!("{}sign-out", browser.place);
    assert_eq!(browser.post(&out, &[]).await.status, StatusCode::FORBIDDEN);
    assert_eq!(browser.get(&browser.place).await.status, StatusCode::OK);
    let shown = browser.post(&out, &[("token", &token)]).await;
    assert!(shown.header(header::SET_COOKIE).contains("Max-Age=0"), "{shown:?}");
    assert_eq!(browser.get(&browser.place).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn another_passphrase_signs_everybody_out() {
    let browser = Browser::signed_in().await;
    *browser.backend.passphrase.lock().unwrap() = "another one, and longer".to_owned();
    assert_eq!(browser.get(&browser.place).await.status, StatusCode::SEE_OTHER);
    *browser.backend.passphrase.lock().unwrap() = PASSPHRASE.to_owned();
    assert_eq!(browser.get(&browser.place).await.status, StatusCode::SEE_OTHER, "for good");
}

/// S5: the page listens on this machine alone.
#[tokio::test]
async fn bound_to_this_machine() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let address = address.parse().unwrap();
        let error = bind(address).await.unwrap_err();
        assert_eq!(error.to_string(), NotLoopback(address).to_string());
    }
    assert!(bind("127.0.0.1:0".parse().unwrap()).await.is_ok());
}
