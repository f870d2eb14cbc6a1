//! What the operator does besides answering calls: quotas that go on, agents that are released, unblocked and verified.

use super::super::backend::{
    AgentRunView, AgentStepView, AgentsView, AuditView, BlockView, ChallengeView, ReleaseTarget,
    RevealRequest, RevealedSecret,
};
use super::support::Browser;
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::rate_limits::ledger::CounterKind;
use aqueduct_operations::rate_limits::status::{CounterStatus, SourceLimitStatus};
use http::{StatusCode, header};
use secrecy::SecretString;
use std::time::Duration;

const CODE: &str = "7K2M-Q9XR-0D4T-8WVN";

/// A quota of a source that is paused.
pub fn limits_of(source: &str) -> SourceLimitStatus {
    let counter = CounterStatus {
        kind: CounterKind::Quota,
        name: "requests_per_day".to_owned(),
        window: "day".to_owned(),
        current: 9_500.0,
        limit: None,
        warn: Some(8_000.0),
        pause: Some(9_000.0),
        hard_stop: Some(10_000.0),
        currency: None,
        status: "paused",
        resets_at: Some("2030-01-02T00:00:00Z".to_owned()),
        continued_until: None,
    };
    let held_until = Some("2030-01-01T00:00:00Z".to_owned());
    SourceLimitStatus { source: source.to_owned(), counters: vec![counter], held_until, waiting: 0 }
}

/// An agent that is paused, one that is blocked, and one that has to be verified.
pub fn agents_called(name: &str) -> AgentsView {
    let now = SystemClock.now();
    let step = |number, effect: &str, score| AgentStepView {
        number,
        at: now,
        hint: format!("step {number}"),
        effect: effect.to_owned(),
        score: Some(score),
    };
    AgentsView {
        running: vec![AgentRunView {
            id: "r1".to_owned(),
            name: name.to_owned(),
            key: "paused-one".to_owned(),
            caller: "ann".to_owned(),
            started_at: now,
            reported: 3,
            paused: Some("it sends mail".to_owned()),
            steps: vec![step(1, "continue", 5), step(2, "continue", 20), step(3, "pause", 60)],
        }],
        blocked: vec![BlockView {
            name: name.to_owned(),
            key: "blocked-one".to_owned(),
            challenge: "c1".to_owned(),
            code_until: None,
            hint: "drop the table".to_owned(),
            reason: "it cannot be undone".to_owned(),
            blocked_at: now,
        }],
        challenges: vec![ChallengeView {
            id: "c2".to_owned(),
            agent: name.to_owned(),
            hint: "read the keys".to_owned(),
            is_shown: true,
            expires_at: now + Duration::from_secs(300),
        }],
    }
}

fn revealed() -> RevealedSecret {
    RevealedSecret {
        agent: "blocked-one".to_owned(),
        challenge: Some("c1".to_owned()),
        stopped: Some(("drop the table".to_owned(), "it cannot be undone".to_owned())),
        secret: SecretString::from(CODE),
        expires_at: SystemClock.now() + Duration::from_secs(300),
    }
}

#[tokio::test]
async fn limits_agents_and_failed_hooks_are_seen() {
    let browser = Browser::signed_in().await;
    *browser.backend.limits.lock().unwrap() = vec![limits_of("shop")];
    *browser.backend.agents.lock().unwrap() = agents_called("clerk");
    *browser.backend.failed_hooks.lock().unwrap() = vec![AuditView {
        facts: vec![("detail", "the hook ended with code 3".to_owned())],
        ..AuditView::default()
    }];
    let page = browser.get(&browser.place).await.text;
    for said in [
        "requests_per_day",
        "9,500, warns with 8,000, pauses with 9,000, stops with 10,000",
        "4 requests waiting",
        "Its API asked to wait until",
        ">paused</span>",
        "aria-label=\"Let requests_per_day of shop go on\"",
        "it sends mail",
        "last 3 steps, highest risk 60",
        "<rect class=\"warn\" x=\"12\" y=\"40\"",
        "drop the table",
        "because it cannot be undone",
        ">Show the code</button>",
        ">Show another code</button>",
        "the hook ended with code 3",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let event = browser.first_event().await;
    assert!(event.contains("\"in_need\":4,") && event.contains("drop the table"), "{event}");
}

#[tokio::test]
async fn what_is_allowed_goes_on() {
    let browser = Browser::signed_in().await;
    let token = browser.get(&browser.place).await.form_token();
    let forms = [
        ("continue", vec![("source", "shop"), ("metric", "cost_per_day")], "cost_per_day of shop goes on"),
        ("release", vec![("agent", "clerk")], "clerk may go on"),
        ("unblock", vec![("agent", "clerk")], "block of clerk is lifted"),
        ("unblock", vec![("agent", "gone")], "Nothing waits for that any more"),
    ];
    for (place, mut fields, said) in forms {
        fields.push(("token", token.as_str()));
        let done = browser.post(&format!("{}{place}", browser.place), &fields).await;
        assert_eq!(
            (done.status, done.header(header::LOCATION)),
            (StatusCode::SEE_OTHER, browser.place.as_str())
        );
        assert!(browser.get(&browser.place).await.text.contains(said), "{said}");
    }
    let agent = |name: &str| name.to_owned();
    let expected = [
        ReleaseTarget::Quota { source: "shop".to_owned(), metric: "cost_per_day".to_owned() },
        ReleaseTarget::PausedAgent { agent: agent("clerk") },
        ReleaseTarget::BlockedAgent { agent: agent("clerk") },
        ReleaseTarget::BlockedAgent { agent: agent("gone") },
    ];
    assert_eq!(*browser.backend.allowances.lock().unwrap(), expected);
}

/// A code is in the response to the form that asked for it, which no one keeps, and on no other page.
#[tokio::test]
async fn a_code_is_shown_once() {
    let browser = Browser::signed_in().await;
    *browser.backend.agents.lock().unwrap() = agents_called("clerk");
    let token = browser.get(&browser.place).await.form_token();
    *browser.backend.secret.lock().unwrap() = Some(revealed());
    let place = format!("{}code", browser.place);
    let shown = browser.post(&place, &[("token", &token), ("id", "c1")]).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert!(shown.text.contains(CODE) && shown.text.contains("Code for blocked-one"), "{}", shown.text);
    assert_eq!(shown.header(header::CACHE_CONTROL), "no-store");
    let again = browser.post(&place, &[("token", &token), ("id", "c1")]).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "nothing waits any more");
    for page in ["", "history", "audit"] {
        assert!(!browser.get(&format!("{}{page}", browser.place)).await.text.contains(CODE), "{page}");
    }
    assert!(!browser.first_event().await.contains(CODE));
    assert!(!format!("{:?}", revealed()).contains(CODE), "it does not print");
    let pause = format!("{}pause-token", browser.place);
    *browser.backend.secret.lock().unwrap() =
        Some(RevealedSecret { challenge: None, stopped: None, ..revealed() });
    let shown = browser.post(&pause, &[("token", &token), ("agent", "clerk")]).await;
    assert!(shown.text.contains("Token for blocked-one"), "{}", shown.text);
    let wanted = browser.backend.wanted.lock().unwrap().clone();
    let code = RevealRequest::ChallengeCode { id: "c1".to_owned() };
    assert_eq!(wanted, [code.clone(), code, RevealRequest::PauseToken { agent: "clerk".to_owned() }]);
}

/// Nothing is done and nothing revealed for a form of another page, a link, or somebody who is not signed in.
#[tokio::test]
async fn actions_need_their_token() {
    let browser = Browser::signed_in().await;
    let other = Browser::signed_in().await;
    let foreign = other.get(&other.place).await.form_token();
    let stranger = Browser::new();
    *browser.backend.secret.lock().unwrap() = Some(revealed());
    for place in ["continue", "release", "unblock", "cancel", "code", "pause-token"] {
        let path = format!("{}{place}", browser.place);
        for token in ["", foreign.as_str()] {
            let fields =
                [("token", token), ("id", "c1"), ("agent", "clerk"), ("source", "shop"), ("metric", "m")];
            let refused = browser.post(&path, &fields).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{place}");
            assert!(!refused.text.contains(CODE));
        }
        assert_eq!(browser.get(&path).await.status, StatusCode::METHOD_NOT_ALLOWED, "{place}");
        let refused = stranger.post(&path, &[("token", &foreign)]).await;
        assert_eq!(refused.header(header::LOCATION), "/sign-in", "{place}");
    }
    assert!(browser.backend.allowances.lock().unwrap().is_empty());
    assert!(browser.backend.wanted.lock().unwrap().is_empty());
    assert!(browser.backend.cancelled.lock().unwrap().is_empty());
}
