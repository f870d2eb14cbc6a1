//! Numbers, times and long values as people read them.

use super::super::view::sign_in;
use super::super::view::{SignInNotice, cards};
use super::support::{Browser, approval};
use crate::operator_page::session::Sessions;
use http::StatusCode;
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

/// What is decided on can be read to its end, and what cannot be is not approved here.
#[tokio::test]
async fn nothing_is_approved_unread() {
    let browser = Browser::signed_in().await;
    let mut long = approval("a", "op");
    let text = format!("{}EVILTAIL{}", "x".repeat(50_000), "y".repeat(50_000));
    long.calls[0].params = vec![("text".to_owned(), json!(text))];
    *browser.backend.waiting.lock().unwrap() = vec![long.clone()];
    let page = browser.get(&browser.place).await.text;
    assert!(page.contains("xEVILTAILy") && page.contains("all 100010 characters"));
    assert!(page.contains(">Approve</button>"));
    let text = format!("{}EVILTAIL{}", "x".repeat(400_000), "y".repeat(200_000));
    long.calls[0].params = vec![("text".to_owned(), json!(text))];
    *browser.backend.waiting.lock().unwrap() = vec![long];
    let page = browser.get(&browser.place).await.text;
    assert!(!page.contains("EVILTAIL") && page.contains("500000 of 600010 characters"));
    assert!(!page.contains(">Approve</button>") && page.contains("cannot be approved on this page"));
    assert!(page.contains(">Deny</button>") && !page.contains(">all 6"));
    // Nor is it with a form that was made elsewhere; a no is taken.
    let token = browser.get(&browser.place).await.form_token();
    let (approve, deny) = (format!("{}approve", browser.place), format!("{}deny", browser.place));
    let refused = browser.post(&approve, &[("token", &token), ("id", "a")]).await;
    assert_eq!(refused.status, StatusCode::SEE_OTHER, "{refused:?}");
    assert!(browser.backend.answers.lock().unwrap().is_empty(), "nothing was approved");
    let page = browser.get(&browser.place).await.text;
    let notice = "Nothing was done: A value is too long to be read here";
    assert!(page.contains(notice) && page.contains("operator approve a'"), "{page}");
    browser.post(&deny, &[("token", &token), ("id", "a")]).await;
    assert_eq!(browser.backend.answers.lock().unwrap().len(), 1);
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
