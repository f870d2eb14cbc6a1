//! Agents that work on their own: blocks that nothing but a code or the operator lifts, and codes that are tried in vain.

use crate::support::{Place, count_events, on_both_engines};
use aqueduct_store::Store;
use aqueduct_store::agents::{
    AgentCaller, ConfirmPause, Confirmation, Ended, Opened, OpenedChallenge, RecordStep, Recorded, RunEnd,
    StartRun, Started, StepEffect, Verification,
};
use aqueduct_testkit::leaks::Searched;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

on_both_engines!(
    a_block_outlives_everything,
    a_code_works_once,
    a_code_that_is_late,
    failures_are_limited_across_restarts,
    nobody_confirms_their_own_pause,
    everybody_hears_of_a_block,
    a_report_that_was_overtaken,
    only_a_hash_is_kept,
);

const TTL: Duration = Duration::from_secs(300);

fn by(session: &str) -> AgentCaller {
    AgentCaller { session: session.to_owned(), caller: "local".to_owned(), is_named: false }
}

async fn start(store: &Store, agent: &str, session: &str) -> Started {
    let text = str::to_owned;
    let start = StartRun {
        agent: text(agent),
        name: text(agent),
        session: text(session),
        caller: text("local"),
        instance: text("here"),
    };
    store.start_agent(start).await.unwrap()
}

async fn started(store: &Store, agent: &str, session: &str) -> String {
    match start(store, agent, session).await {
        Started::Run(id) => id,
        other => panic!("{other:?}"),
    }
}

fn step(run: &str, agent: &str, reported: i64, effect: StepEffect) -> RecordStep {
    let text = str::to_owned;
    RecordStep {
        run: text(run),
        reported,
        agent: text(agent),
        name: text(agent),
        instance: text("here"),
        hint: text("wipe the disk"),
        hint_key: text("wipe the disk"),
        outcome: None,
        effect,
        stage: text("safety_tier"),
        reason: text("too dangerous"),
        score: Some(90),
        release: None,
        is_permission: false,
        challenge_ttl: TTL,
    }
}

async fn blocked(store: &Store, agent: &str, session: &str) -> String {
    let run = started(store, agent, session).await;
    match store.record_agent_step(step(&run, agent, 0, StepEffect::Block)).await.unwrap() {
        Recorded::Done { challenge } => challenge.unwrap(),
        Recorded::Overtaken => panic!("nobody else reports"),
    }
}

async fn opened(store: &Store, which: &str) -> OpenedChallenge {
    match store.open_challenge(which, TTL).await.unwrap() {
        Opened::Done(opened) => *opened,
        Opened::Unknown => panic!("{which} waits"),
    }
}

async fn is_blocked(store: &Store, agent: &str) -> bool {
    store.agents_overview().await.unwrap().blocked.iter().any(|block| block.name == agent)
}

/// C8.8.3-2 C8.8.3-3 C8.8.3-4: neither time, a restart, an end of the run nor of the session lifts a block.
async fn a_block_outlives_everything(place: Place) {
    let store = place.open();
    blocked(&store, "bot", "s1").await;
    started(&store, "idle", "s1").await;
    assert!(matches!(start(&store, "bot", "s2").await, Started::Blocked { .. }), "another session");
    let completed = store.end_agent("bot", "s1", RunEnd::Completed, "").await.unwrap();
    assert!(matches!(completed, Ended::Blocked { .. }));
    let aborted = store.end_agent("bot", "s1", RunEnd::Aborted, "").await.unwrap();
    assert!(matches!(aborted, Ended::Done { .. }), "an abort closes the run");
    for _ in 0..2 {
        place.clock.advance(Duration::from_secs(40 * 86_400));
        store.maintain().await.unwrap();
    }
    let overview = store.agents_overview().await.unwrap();
    assert!(overview.running.is_empty(), "who has said nothing for so long is gone: {:?}", overview.running);
    store.end_agents_of_session("s1");
    store.settle(Duration::from_secs(20)).await;
    drop(store);
    let store = place.open();
    assert!(is_blocked(&store, "bot").await);
    assert!(matches!(start(&store, "bot", "s3").await, Started::Blocked { .. }), "after a restart");
    assert!(store.unblock_agent("bot", "olga").await.unwrap());
    assert!(!store.unblock_agent("bot", "olga").await.unwrap(), "once");
    started(&store, "bot", "s3").await;
    assert_eq!(count_events(&store, "AGENT_BLOCKED").await, 1);
    assert_eq!(count_events(&store, "AGENT_UNBLOCKED").await, 2, "the lifting, and the override behind it");
}

/// C8.8.2-1 C8.8.2-2 C8.8.2-3 C8.8.2-8 C8.8.2-9 C8.8.2-10: a right code lifts the block, a wrong one ends the challenge, and no code works twice.
async fn a_code_works_once(place: Place) {
    let store = place.open();
    let challenge = blocked(&store, "bot", "s1").await;
    assert_eq!((challenge.len(), challenge.as_bytes()[14]), (36, b'4'));
    let early = store.verify_challenge(&challenge, &SecretString::from("0"), by("s1")).await.unwrap();
    assert!(matches!(early, Verification::Failed { .. }), "nobody has opened it");
    let first = opened(&store, "bot").await;
    let signs = first.code.expose_secret().chars().filter(|c| *c != '-').count();
    assert!(signs * 5 >= 128, "{signs} signs of five bits");
    let wrong = store.verify_challenge(&first.id, &SecretString::from("AAAAA"), by("s1")).await.unwrap();
    assert!(matches!(wrong, Verification::Failed { .. }));
    let late = store.verify_challenge(&first.id, &first.code, by("s1")).await.unwrap();
    assert!(matches!(late, Verification::Failed { .. }), "the right code after a wrong one");
    assert!(is_blocked(&store, "bot").await);
    let second = opened(&store, "bot").await;
    assert_ne!(second.id, first.id, "the operator opens another one");
    assert_ne!(second.code.expose_secret(), first.code.expose_secret());
    let typed = SecretString::from(second.code.expose_secret().to_lowercase().replace('-', " "));
    let passed = store.verify_challenge(&second.id, &typed, by("s1")).await.unwrap();
    assert_eq!(passed, Verification::Passed { agent: "bot".to_owned() });
    assert!(!is_blocked(&store, "bot").await);
    let again = store.verify_challenge(&second.id, &second.code, by("s1")).await.unwrap();
    assert!(matches!(again, Verification::Failed { .. }));
    assert_eq!(count_events(&store, "CHALLENGE_FAILED").await, 4);
    assert_eq!(count_events(&store, "CHALLENGE_PASSED").await, 1);
}

/// C8.8.2-11 C8.8.2-12: a code that comes too late is wrong, and the block stays.
async fn a_code_that_is_late(place: Place) {
    let store = place.open();
    blocked(&store, "bot", "s1").await;
    let challenge = opened(&store, "bot").await;
    place.clock.advance(TTL);
    let late = store.verify_challenge(&challenge.id, &challenge.code, by("s1")).await.unwrap();
    assert!(matches!(late, Verification::Failed { .. }));
    assert!(is_blocked(&store, "bot").await);
}

/// C8.8.5-1 C8.8.5-2 C8.8.5-3 C8.8.5-4 C8.8.5-5 C8.8.5-6: ten failures, then nothing is taken for a minute, then for two; a restart changes nothing.
async fn failures_are_limited_across_restarts(place: Place) {
    let store = place.open();
    let challenge = blocked(&store, "bot", "s1").await;
    let guess = async |store: &Store, session: &str| {
        store.verify_challenge(&challenge, &SecretString::from("00000"), by(session)).await.unwrap()
    };
    for attempt in 0..10 {
        let session = format!("s{attempt}");
        assert!(matches!(guess(&store, &session).await, Verification::Failed { .. }), "{attempt}");
    }
    drop(store);
    let store = place.open();
    let right = opened(&store, "bot").await;
    let refused = store.verify_challenge(&right.id, &right.code, by("s1")).await.unwrap();
    assert!(matches!(refused, Verification::Locked { .. }), "the right code too");
    place.clock.advance(Duration::from_secs(61));
    for attempt in 0..10 {
        assert!(matches!(guess(&store, "s1").await, Verification::Failed { .. }), "{attempt}");
    }
    place.clock.advance(Duration::from_secs(61));
    assert!(matches!(guess(&store, "s1").await, Verification::Locked { .. }), "the second lockout is longer");
    place.clock.advance(Duration::from_secs(60));
    assert!(matches!(guess(&store, "s1").await, Verification::Failed { .. }));
    assert_eq!(count_events(&store, "CHALLENGE_LOCKED").await, 2);
    assert_eq!(count_events(&store, "CHALLENGE_FAILED").await, 21);
}

/// C8.7.3-13 C8.7.3-14: who runs an agent cannot confirm what it does, with a token or without.
async fn nobody_confirms_their_own_pause(place: Place) {
    let store = place.open();
    let run = started(&store, "bot", "s1").await;
    store.record_agent_step(step(&run, "bot", 0, StepEffect::Pause)).await.unwrap();
    let token = store.issue_pause_token("bot", TTL).await.unwrap().unwrap().token;
    let confirm = async |token: Option<SecretString>, by: AgentCaller| {
        let agent = Some("bot".to_owned());
        let instance = "here".to_owned();
        store.confirm_pause(ConfirmPause { token, agent, by, instance }).await.unwrap()
    };
    let named = |caller: &str| AgentCaller { caller: caller.to_owned(), is_named: true, ..by("s2") };
    assert_eq!(confirm(Some(token.clone()), by("s1")).await, Confirmation::SelfApproval);
    assert_eq!(confirm(None, by("s1")).await, Confirmation::SelfApproval);
    assert_eq!(
        confirm(None, by("s2")).await,
        Confirmation::SelfApproval,
        "who is nobody by name is not somebody else"
    );
    assert_eq!(confirm(None, named("local")).await, Confirmation::SelfApproval, "the same caller elsewhere");
    assert_eq!(confirm(Some(SecretString::from("pause_00")), by("s2")).await, Confirmation::Refused);
    let state = store.agent_state("bot", "s1", "here", "").await.unwrap();
    assert!(state.run.unwrap().pause.is_some(), "the pause stays");
    assert!(matches!(confirm(Some(token.clone()), by("s2")).await, Confirmation::Done { .. }));
    assert_eq!(confirm(Some(token), by("s2")).await, Confirmation::Refused, "once");
    let state = store.agent_state("bot", "s1", "here", "").await.unwrap();
    assert_eq!((state.run.unwrap().pause, state.notices.len()), (None, 0));
}

/// C8.7.3-10 C8.7.3-11: all agents that run hear of a block, until it is lifted.
async fn everybody_hears_of_a_block(place: Place) {
    let store = place.open();
    started(&store, "other", "s2").await;
    let challenge = blocked(&store, "bot", "s1").await;
    for agent in ["bot", "other"] {
        for _ in 0..2 {
            let notices = store.agent_notices(agent).await.unwrap();
            let [notice] = notices.as_slice() else { panic!("{notices:?}") };
            assert_eq!(
                (notice.kind.as_str(), notice.challenge.as_deref()),
                ("danger_zone", Some(challenge.as_str()))
            );
        }
    }
    let others = store.agent_notices("other").await.unwrap();
    assert_eq!(others[0].operation, None, "what one was about to do is not for the others");
    store.unblock_agent("bot", "olga").await.unwrap();
    for agent in ["bot", "other"] {
        assert!(store.agent_notices(agent).await.unwrap().is_empty());
    }
}

/// C8.6.2-2: of two reports that were evaluated by the same state, one counts.
async fn a_report_that_was_overtaken(place: Place) {
    let (one, two) = (place.open(), place.open());
    let run = started(&one, "bot", "s1").await;
    let first = one.record_agent_step(step(&run, "bot", 0, StepEffect::Continue)).await.unwrap();
    assert_eq!(first, Recorded::Done { challenge: None });
    let second = two.record_agent_step(step(&run, "bot", 0, StepEffect::Continue)).await.unwrap();
    assert_eq!(second, Recorded::Overtaken);
    assert!(one.use_agent_report(&run).await.unwrap());
    assert!(!two.use_agent_report(&run).await.unwrap(), "a report stands for one call");
}

/// C8.8.4-5: an exported store has neither the code nor the token of an operator, in any writing, before the code was entered or after.
async fn only_a_hash_is_kept(place: Place) {
    let store = place.open();
    blocked(&store, "bot", "s1").await;
    let run = started(&store, "clerk", "s1").await;
    store.record_agent_step(step(&run, "clerk", 0, StepEffect::Pause)).await.unwrap();
    let token = store.issue_pause_token("clerk", TTL).await.unwrap().unwrap().token;
    let challenge = opened(&store, "bot").await;
    for is_entered in [false, true] {
        if is_entered {
            store.verify_challenge(&challenge.id, &challenge.code, by("s1")).await.unwrap();
        }
        let mut bytes = Vec::new();
        store.export(&mut bytes).await.unwrap();
        let mut searched = Searched::default();
        searched.add("the export", &bytes);
        assert!(searched.has(&challenge.id));
        assert_eq!(searched.places(challenge.code.expose_secret()), [""; 0], "entered: {is_entered}");
        assert_eq!(searched.places_of_token(token.expose_secret()), [""; 0], "entered: {is_entered}");
    }
}
