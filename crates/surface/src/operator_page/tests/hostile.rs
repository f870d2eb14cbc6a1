//! Texts of clients, authors and APIs that try to be markup, script, a header, another event, or another direction of reading.

use super::super::backend::{ApprovalState, AuditView, CallView, ExecutionView, ExecutionsView};
use super::super::instance_report::{InstanceReport, SourceHealth, SourceReport};
use super::desk_actions::{agents_called, limits_of};
use super::executions::execution;
use super::support::{Browser, approval};
use aqueduct_operations::execution::ExecutionState;
use serde_json::json;

/// Everything at once; nothing of it may come out as it is.
const HOSTILE: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\r\nSet-Cookie: a=b\r\n\r\nevent: ended\ndata: x\n\n\u{202e}\u{1b}[2J\u{2028}&amp;</textarea><!--";

/// What must not be in a page.
const LEAKS: [&str; 9] = [
    "<script>alert",
    "<img src=x",
    "\u{202e}",
    "\u{1b}",
    "\u{2028}",
    "\"'>",
    "</textarea>",
    "<!--",
    "\nevent: ended",
];

fn hostile_browser_data(browser: &Browser) {
    let text = || HOSTILE.to_owned();
    let mut waiting = approval("h1", HOSTILE);
    waiting.calls = vec![
        CallView {
            source: text(),
            operation: text(),
            danger: text(),
            params: vec![
                (text(), json!(HOSTILE)),
                ("deep".to_owned(), json!({HOSTILE: [HOSTILE, {"x": HOSTILE.repeat(20)}]}))
            ],
            reasons: vec![text(), text()],
            message: Some(text()),
            request: Some(text()),
            body: Some(json!({"note": HOSTILE, "long": HOSTILE.repeat(50)})),
        };
        2
    ];
    waiting.caller = text();
    waiting.session = text();
    waiting.rule = Some(text());
    waiting.reason = Some(text());
    let mut single = waiting.clone();
    single.id = "h2".to_owned();
    single.calls.truncate(1);
    single.state = ApprovalState::Waiting;
    *browser.backend.waiting.lock().unwrap() = vec![waiting, single];
    *browser.backend.audit.lock().unwrap() = vec![AuditView {
        number: 1,
        event: text(),
        outcome: text(),
        facts: vec![("detail", text())],
        ..AuditView::default()
    }];
    *browser.backend.instances.lock().unwrap() = vec![InstanceReport {
        name: text(),
        transport: text(),
        page: Some(text()),
        sources: vec![SourceReport {
            name: text(),
            health: SourceHealth::Missing,
            detail: Some(text()),
            ..SourceReport::default()
        }],
        ..InstanceReport::default()
    }];
    let mut limits = limits_of(HOSTILE);
    limits.counters[0].name = text();
    limits.counters[0].window = text();
    limits.counters[0].currency = Some(text());
    *browser.backend.limits.lock().unwrap() = vec![limits];
    *browser.backend.failed_hooks.lock().unwrap() =
        vec![AuditView { facts: vec![("detail", text())], ..AuditView::default() }];
    let mut agents = agents_called(HOSTILE);
    for run in &mut agents.running {
        (run.caller, run.paused) = (text(), Some(text()));
        for step in &mut run.steps {
            (step.hint, step.effect) = (text(), text());
        }
    }
    for block in &mut agents.blocked {
        (block.hint, block.reason) = (text(), text());
    }
    for challenge in &mut agents.challenges {
        challenge.hint = text();
    }
    *browser.backend.agents.lock().unwrap() = agents;
    let hostile = ExecutionView {
        id: text(),
        source: text(),
        operation: text(),
        caller: text(),
        session: text(),
        status: text(),
        message: Some(text()),
        error: Some(text()),
        ..execution("e1", ExecutionState::Running)
    };
    let ended = ExecutionView { state: ExecutionState::Failed, ..hostile.clone() };
    *browser.backend.executions.lock().unwrap() =
        ExecutionsView { open: vec![hostile], open_count: 1, ended: vec![ended] };
}

#[tokio::test]
async fn nothing_gets_out_of_its_place() {
    let browser = Browser::signed_in().await;
    hostile_browser_data(&browser);
    let search = form_urlencoded::Serializer::new(String::new()).append_pair("search", HOSTILE).finish();
    for page in ["", "history", &format!("audit?{search}")] {
        let shown = browser.get(&format!("{}{page}", browser.place)).await;
        assert_eq!(shown.status, 200, "{page}");
        assert!(shown.text.contains("&lt;script&gt;alert(1)"), "{page}: it is shown, as text");
        for leak in LEAKS {
            assert!(!shown.text.contains(leak), "{page}: {leak:?}");
        }
        assert_eq!(shown.text.matches("<script").count(), 1, "{page}: our own");
        assert!(!shown.headers.contains_key("set-cookie"), "{page}");
    }
}

/// An event is one line of JSON: nothing in it begins another one.
#[tokio::test]
async fn nothing_gets_out_of_an_event() {
    let browser = Browser::signed_in().await;
    hostile_browser_data(&browser);
    let event = browser.first_event().await;
    let lines: Vec<&str> = event.trim_end().lines().collect();
    assert_eq!(lines.len(), 2, "{event}");
    assert_eq!(lines[0], "event: view");
    let parts: serde_json::Value = serde_json::from_str(lines[1].strip_prefix("data: ").unwrap()).unwrap();
    for part in ["waiting", "agents", "executions", "overview"] {
        let html = parts[part].as_str().unwrap();
        assert!(html.contains("&lt;script&gt;alert(1)"), "{part}");
        for leak in LEAKS {
            assert!(!html.contains(leak), "{part}: {leak:?}");
        }
    }
}

/// What is typed into a form comes back as text, and goes on in one line.
#[tokio::test]
async fn nothing_gets_out_of_a_form() {
    let browser = Browser::signed_in().await;
    let token = browser.get(&browser.place).await.form_token();
    let deny = format!("{}deny", browser.place);
    let done = browser.post(&deny, &[("token", &token), ("id", "a1"), ("reason", HOSTILE)]).await;
    assert_eq!(done.status, 303);
    let answers = browser.backend.answers.lock().unwrap().clone();
    let super::super::backend::OperatorAnswer::Deny { reason: Some(reason) } = &answers[0].1 else {
        panic!("{answers:?}")
    };
    assert!(!reason.contains(['\r', '\n', '\u{202e}', '\u{1b}']), "{reason:?}");
    let page = browser.get(&browser.place).await.text;
    for leak in LEAKS {
        assert!(!page.contains(leak), "{leak:?}");
    }
    // An id is looked for, and never shown.
    for place in ["deny", "cancel"] {
        browser.post(&format!("{}{place}", browser.place), &[("token", &token), ("id", HOSTILE)]).await;
        assert!(!browser.get(&browser.place).await.text.contains("alert(1)"), "{place}");
    }
    // What a notice repeats is text.
    hostile_browser_data(&browser);
    let fields = [
        ("token", token.as_str()),
        ("agent", HOSTILE),
        ("source", HOSTILE),
        ("metric", HOSTILE),
        ("id", HOSTILE),
    ];
    for place in ["continue", "release", "unblock", "cancel"] {
        let done = browser.post(&format!("{}{place}", browser.place), &fields).await;
        assert_eq!(done.status, 303, "{place}");
        let page = browser.get(&browser.place).await;
        let notice = page.text.split("class=\"notice\"").nth(1).and_then(|rest| rest.split("</p>").next());
        assert!(
            notice.is_some_and(|notice| notice.contains("&lt;script&gt;alert(1)")),
            "{place}: {notice:?}"
        );
        for leak in LEAKS {
            assert!(!page.text.contains(leak), "{place}: {leak:?}");
        }
        assert!(!page.headers.contains_key("set-cookie"), "{place}");
    }
}

/// Nothing that lets somebody in is printed.
#[tokio::test]
async fn secrets_do_not_print() {
    let browser = Browser::signed_in().await;
    let sessions = super::super::session::Sessions::default();
    let (key, cookie) = sessions.begin(super::super::backend::PassphraseMark("m".to_owned())).unwrap();
    let mut headers = http::HeaderMap::new();
    headers.insert("cookie", cookie.to_str().unwrap().split(';').next().unwrap().parse().unwrap());
    let who = sessions.find(&key, &headers, super::super::session::SessionUse::Person).unwrap();
    let printed = format!("{sessions:?} {who:?}");
    assert!(!printed.contains(&key) && !printed.contains(&who.form_token), "{printed}");
    assert!(!browser.place.is_empty());
}
