//! A yes, a no with its reason, a plan; and what the page shows besides.

use super::super::backend::{AuditView, OperatorAnswer};
use super::super::instance_report::{InstanceReport, SourceHealth, SourceReport};
use super::support::{Browser, approval};
use http::{StatusCode, header};

#[tokio::test]
async fn a_yes_and_a_no() {
    let browser = Browser::signed_in().await;
    browser.backend.waiting.lock().unwrap().push(approval("a2", "delete_user"));
    let page = browser.get(&browser.place).await;
    for said in [
        "delete_order",
        "of shop",
        "destructive",
        "order_id",
        "&quot;7&quot;",
        "Remove order 7?",
        "DELETE http://127.0.0.1:1/orders/7",
        "because the order is gone for good",
        "asked by <b>local</b>",
        "sess_1",
        "danger destructive",
        "min left",
        "<h2 id=\"waiting-title\" tabindex=\"-1\">Waiting</h2>",
    ] {
        assert!(page.text.contains(said), "{said}: {}", page.text);
    }
    let token = page.form_token();
    let (approve, deny) = (format!("{}approve", browser.place), format!("{}deny", browser.place));
    let done = browser.post(&approve, &[("token", &token), ("id", "a1")]).await;
    assert_eq!((done.status, done.header(header::LOCATION)), (StatusCode::SEE_OTHER, browser.place.as_str()));
    let next = browser.get(&browser.place).await;
    assert!(
        next.text.contains("approved delete_order") && next.text.contains("role=\"status\""),
        "{}",
        next.text
    );
    assert!(!browser.get(&browser.place).await.text.contains("approved delete_order"), "said once");
    browser.post(&deny, &[("token", &token), ("id", "a2"), ("reason", " it was\r\n paid ")]).await;
    assert!(browser.get(&browser.place).await.text.contains("denied delete_user: it was paid"));
    browser.post(&deny, &[("token", &token), ("id", "gone"), ("reason", "  ")]).await;
    assert!(browser.get(&browser.place).await.text.contains("not there any more"));
    let answers = browser.backend.answers.lock().unwrap().clone();
    let expected = [
        ("a1".to_owned(), OperatorAnswer::Approve),
        ("a2".to_owned(), OperatorAnswer::Deny { reason: Some("it was paid".to_owned()) }),
        ("gone".to_owned(), OperatorAnswer::Deny { reason: None }),
    ];
    assert_eq!(answers, expected);
    assert!(browser.get(&browser.place).await.text.contains("Nothing needs an answer now"));
}

/// Forms of other sessions, and those that were made elsewhere, do nothing.
#[tokio::test]
async fn forms_need_their_token() {
    let browser = Browser::signed_in().await;
    let token = browser.get(&browser.place).await.form_token();
    let other = Browser::signed_in().await;
    let foreign = other.get(&other.place).await.form_token();
    for path in ["approve", "deny"] {
        let path = format!("{}{path}", browser.place);
        for fields in [
            vec![("id", "a1")],
            vec![("id", "a1"), ("token", "")],
            vec![("id", "a1"), ("token", foreign.as_str())],
            vec![("id", "a1"), ("token", token.as_str()), ("token", token.as_str())],
        ] {
            let shown = browser.post(&path, &fields).await;
            assert_eq!(shown.status, StatusCode::FORBIDDEN, "{fields:?}");
            assert!(shown.text.contains("Nothing was done"), "{}", shown.text);
        }
        assert_eq!(browser.get(&path).await.status, StatusCode::METHOD_NOT_ALLOWED, "a link does nothing");
    }
    assert!(browser.backend.answers.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_plan_is_one_card() {
    let browser = Browser::signed_in().await;
    let mut plan = approval("p1", "delete_order");
    plan.calls =
        ["one", "two", "three", "four", "five"].iter().flat_map(|name| approval("x", name).calls).collect();
    *browser.backend.waiting.lock().unwrap() = vec![plan];
    let page = browser.get(&browser.place).await.text;
    assert!(page.contains("Plan of 5 calls"), "{page}");
    for name in ["one", "two", "three", "four", "five"] {
        assert!(page.contains(&format!("<strong>{name}</strong>")), "{page}");
    }
    assert_eq!(page.matches(">Approve</button>").count(), 1, "one answer for all");
    assert_eq!(page.matches(">Deny</button>").count(), 1);
}

#[tokio::test]
async fn how_things_are() {
    let browser = Browser::signed_in().await;
    let second = InstanceReport {
        name: "box, process 8".to_owned(),
        page: Some("127.0.0.1:7434".to_owned()),
        sources: vec![
            SourceReport {
                name: "shop".to_owned(),
                health: SourceHealth::Stale,
                detail: Some("shop-adapter.md:3:1: MISSING_KEY".to_owned()),
                ..SourceReport::default()
            },
            SourceReport {
                name: "gone".to_owned(),
                health: SourceHealth::Missing,
                ..SourceReport::default()
            },
        ],
        ..InstanceReport::default()
    };
    browser.backend.instances.lock().unwrap().push(second);
    let page = browser.get(&browser.place).await.text;
    for said in [
        "<b>12</b> calls",
        "<b>3</b> errors",
        "12 calls in the last hour, 3 errors; most in a minute: 12",
        "<svg class=\"chart\"",
        "last good version",
        "on 2 instances",
        "MISSING_KEY",
        "not served",
        "about <b>1,234</b> tokens",
        "for 5 tools",
        "box, process 7",
        "box, process 8",
        "page at 127.0.0.1:7434",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert_eq!(page.matches("this page</span>").count(), 1, "the others are elsewhere: {page}");
}

#[tokio::test]
async fn the_audit_is_searched() {
    let browser = Browser::signed_in().await;
    let line = |number| AuditView {
        number,
        event: "APPROVAL_GRANTED".to_owned(),
        outcome: "approved".to_owned(),
        facts: vec![("operation", "delete_order".to_owned())],
        ..AuditView::default()
    };
    *browser.backend.audit.lock().unwrap() = (1..=50).rev().map(line).collect();
    let page = browser.get(&format!("{}audit?search=a%26b%3Cc&before=77", browser.place)).await.text;
    assert!(page.contains("APPROVAL_GRANTED") && page.contains("delete_order"), "{page}");
    assert!(
        page.contains("value=\"a&amp;b&lt;c\"") && page.contains("search=a%26b%3Cc&amp;before=1\""),
        "{page}"
    );
    let query = browser.backend.queries.lock().unwrap().pop().unwrap();
    assert_eq!((query.text.as_deref(), query.before, query.most), (Some("a&b<c"), Some(77), 50));
    browser.backend.audit.lock().unwrap().truncate(3);
    assert!(!browser.get(&format!("{}audit", browser.place)).await.text.contains("Older lines"));
}

#[tokio::test]
async fn changes_are_told() {
    let browser = Browser::signed_in().await;
    let event = browser.first_event().await;
    assert!(event.starts_with("event: view\ndata: {") && event.contains("\"count\":1,"), "{event}");
    assert!(event.contains("delete_order") && event.contains("Last hour"), "{event}");
}

/// While the store is lost the page says so, and no one is signed out by it.
#[tokio::test]
async fn a_lost_store() {
    let browser = Browser::signed_in().await;
    *browser.backend.is_lost.lock().unwrap() = true;
    for page in ["", "history", "audit"] {
        let shown = browser.get(&format!("{}{page}", browser.place)).await;
        assert_eq!(shown.status, StatusCode::SERVICE_UNAVAILABLE, "{page}");
        assert!(shown.text.contains("The store cannot be reached"), "{}", shown.text);
    }
    assert!(browser.get("/").await.text.contains("cannot be reached"));
    *browser.backend.is_lost.lock().unwrap() = false;
    assert_eq!(browser.get(&browser.place).await.status, StatusCode::OK);
}
