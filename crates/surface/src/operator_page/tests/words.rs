//! Numbers, times and long values as people read them.

use super::super::view::sign_in;
use super::super::view::{SignInNotice, cards};
use super::support::{Browser, approval};
use crate::operator_page::session::Sessions;
use serde_json::json;

#[tokio::test]
async fn long_values_open_to_all_of_them() {
    let sessions = Sessions::default();
    let (key, cookie) = sessions.begin(crate::operator_page::PassphraseMark("m".to_owned())).unwrap();
    let mut headers = http::HeaderMap::new();
    headers.insert("cookie", cookie.to_str().unwrap().split(';').next().unwrap().parse().unwrap());
    let who = sessions.find(&key, &headers, crate::operator_page::session::SessionUse::Page).unwrap();
    let mut long = approval("a", "op");
    let text = format!("{}END", "x".repeat(3_000));
    long.calls[0].params = vec![("text".to_owned(), json!(text)), ("short".to_owned(), json!(5))];
    let html = cards(&who, &[long]).0;
    assert!(html.contains("<details>") && html.contains("all 3005 characters"), "{html}");
    assert!(html.contains("xEND&quot;"), "to the end");
    assert!(html.contains("<code>5</code>"));
}

#[tokio::test]
async fn the_door_tells_nothing() {
    let browser = Browser::new();
    for path in ["/", "/sign-in"] {
        let page = browser.get(path).await.text;
        assert!(page.contains("<label for=\"passphrase\">Passphrase</label>"), "{page}");
        assert!(page.contains(">Sign in</button>") && !page.contains("shop"), "{page}");
    }
    assert!(sign_in(SignInNotice::Anew, None).0.contains("data-arrival=\"anew\""));
    assert!(sign_in(SignInNotice::SignedOut, None).0.contains("data-arrival=\"signed-out\""));
}
