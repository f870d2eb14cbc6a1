//! What ends a pause, and what does not.

use super::{Place, by, caller_of, on_both_engines, reason, tidy, values};
use crate::agents::agent_name::AgentName;
use crate::safety_loop::{LoopWatch, SafetyLoop, entries};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::gatekeeper::{AgentRefusal, AgentWatch, CoveredBy, SelfConfirmation, WatchedCall};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::target::{BuiltIn, Target};
use aqueduct_store::agents::RunEnd;
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

on_both_engines!(
    a_challenge_that_lapses,
    a_pause_outlives_its_run,
    a_yes_to_a_run_that_has_ended,
    a_yes_outlives_its_process,
    a_block_leaves_the_pause_before_it,
    runs_end_with_their_process,
    a_blocked_agent_is_refused_at_once,
    a_look_at_an_execution_needs_no_report,
    whoever_runs_an_agent_does_not_confirm_for_it,
    notices_are_cleared_by_what_they_are_about,
    an_end_is_no_way_to_go_on,
    a_caller_with_a_name_is_held_everywhere,
    who_runs_agents_confirms_for_nobody,
    a_yes_is_for_one_action,
    a_pause_for_a_code_holds_everywhere,
);

const RISKY: &str = "wire 2500 USD to the new supplier";

async fn confirm(of: &SafetyLoop, session: &str, params: Value) -> Result<Value, String> {
    of.confirm(&values(params), by(session)).await.map_err(|refused| reason(&refused).to_owned())
}

fn notices(answer: &Value) -> Vec<(String, String)> {
    let all = answer["directive"]["notifications"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.iter().map(|each| (text(&each["type"]), text(&each["metadata"]["operation"]))).collect()
}

/// C8.8.3-8 C8.7.3-9 C8.8.3-6: a challenge that no one passes in time ends its pause and what was told of it, not the need for one: the same action
/// makes another challenge, with another identifier.
async fn a_challenge_that_lapses(place: Place) {
    let of = place.process("p");
    of.begins("bot", "s").await.unwrap();
    let first = of.says("bot", "s", RISKY).await.unwrap();
    let id = |answer: &Value| answer["directive"]["notifications"][0]["metadata"]["verificationId"].clone();
    let first_id = id(&first);
    place.clock.advance(Duration::from_secs(299));
    let waits = of.says("bot", "s", "look at the weather").await.unwrap();
    assert!(waits["directive"]["reason"].as_str().unwrap().contains(first_id.as_str().unwrap()), "{waits}");
    place.clock.advance(Duration::from_secs(1));
    let goes_on = of.says("bot", "s", "look at the weather").await.unwrap();
    assert_eq!((&goes_on["directive"]["continue"], notices(&goes_on).len()), (&json!(true), 0), "{goes_on}");
    let second = of.says("bot", "s", RISKY).await.unwrap();
    assert_eq!(second["directive"]["continue"], false);
    assert_ne!(id(&second), first_id);
    assert!(of.opens(first_id.as_str().unwrap()).await.is_none(), "the first one is over");
}

/// C8.6.4-7: neither the end of a run, another session nor another process ends a pause; a person does.
async fn a_pause_outlives_its_run(place: Place) {
    let of = place.process("p");
    of.begins("bot", "s1").await.unwrap();
    assert!(!of.may("bot", "s1", "delete_user 7").await);
    of.ends("bot", "s1", RunEnd::Aborted).await.unwrap();
    of.begins("bot", "s1").await.unwrap();
    assert!(!of.may("bot", "s1", "look at the weather").await, "another run");
    of.begins("Bot", "s2").await.unwrap();
    assert!(!of.may("BOT", "s2", "look at the weather").await, "another session");
    of.store.end_agents_of_session("s1");
    of.store.settle(Duration::from_secs(20)).await;
    drop(of);
    let of = place.process("q");
    of.begins("bot", "s3").await.unwrap();
    let waits = of.says("bot", "s3", "look at the weather").await.unwrap();
    assert_eq!(waits["directive"]["reason"], "Action requires approval: delete_user 7", "{waits}");
    assert_eq!(notices(&waits).len(), 2, "{waits}");
    assert!(of.store.release_agent("bot", "olga").await.unwrap());
    let goes_on = of.says("bot", "s3", "look at the weather").await.unwrap();
    assert_eq!((&goes_on["directive"]["continue"], notices(&goes_on).len()), (&json!(true), 0), "{goes_on}");
}

/// C8.7.3-7: a yes to what a run was paused for is good for the run that came after it, once.
async fn a_yes_to_a_run_that_has_ended(place: Place) {
    let of = place.process("p");
    of.begins("bot", "s1").await.unwrap();
    assert!(!of.may("bot", "s1", "delete_user 7").await);
    of.ends("bot", "s1", RunEnd::Aborted).await.unwrap();
    of.begins("bot", "s2").await.unwrap();
    let token = of.store.issue_pause_token("bot", Duration::from_secs(60)).await.unwrap().unwrap().token;
    let params = json!({"confirmation_token": token.expose_secret()});
    assert_eq!(
        confirm(&of, "s1", params.clone()).await.unwrap_err(),
        "self_approval",
        "the session that was paused"
    );
    assert_eq!(
        confirm(&of, "s2", params.clone()).await.unwrap_err(),
        "self_approval",
        "the one that runs it now"
    );
    confirm(&of, "s3", params).await.unwrap();
    assert!(of.may("bot", "s2", "delete_user 7").await);
    assert!(!of.may("bot", "s2", "delete_user 7").await, "once");
}

/// C8.8.2-8 C8.7.3-7: a code or a yes to an action is good for the next run of the agent, whether its process was closed or killed, and whether it came before that
/// run or after it; what the new run reports before it changes nothing. It is good once.
async fn a_yes_outlives_its_process(place: Place) {
    const BLOCKED: &str = "Run `rm -rf /srv`";
    for (number, (hint, is_killed, begins_first)) in ["deploy_site now", BLOCKED, RISKY]
        .into_iter()
        .flat_map(|hint| [(hint, false), (hint, true)])
        .flat_map(|(hint, is_killed)| [(hint, is_killed, false), (hint, is_killed, true)])
        .enumerate()
    {
        let which = format!("{hint}, killed: {is_killed}, begins first: {begins_first}");
        let (first, session) = (place.process(&format!("p{number}")), format!("s{number}"));
        first.begins("bot", &session).await.unwrap();
        assert!(!first.may("bot", &session, hint).await, "{which}");
        if hint == RISKY {
            // A pause for a code ends with its process, so that the code comes before that.
            let_go_on(&first).await;
        }
        if !is_killed {
            first.store.end_agents_of_session(&session);
            first.store.settle(Duration::from_secs(20)).await;
            first.close().await;
        }
        drop(first);
        let next = place.process(&format!("q{number}"));
        let session = format!("t{number}");
        if begins_first && hint != BLOCKED {
            next.begins("bot", &session).await.unwrap();
        }
        if hint == BLOCKED {
            let opened = next.opens("bot").await.unwrap();
            next.tries(&opened.id, opened.code.expose_secret(), "olga").await.unwrap();
        } else if hint != RISKY {
            assert!(next.store.release_agent("bot", "olga").await.unwrap(), "{which}");
        }
        next.begins("bot", &session).await.ok();
        assert!(next.may("bot", &session, "look at the weather").await, "{which}");
        assert!(next.may("bot", &session, hint).await, "{which}");
        let again = next.says("bot", &session, hint).await.unwrap();
        assert_eq!(again["directive"]["continue"], false, "once: {which}");
        next.store.unblock_agent("bot", "olga").await.unwrap();
        next.store.release_agent("bot", "olga").await.unwrap();
        next.ends("bot", &session, RunEnd::Aborted).await.unwrap();
        next.close().await;
        place.clock.advance(Duration::from_secs(2 * 86_400));
    }
}

/// C8.7.3-7: an agent that was blocked while it waited for a person waits for them after the code too; then both may be done.
async fn a_block_leaves_the_pause_before_it(place: Place) {
    let of = place.process("p");
    of.begins("bot", "s").await.unwrap();
    assert!(!of.may("bot", "s", "deploy_site now").await);
    let stopped = of.says("bot", "s", "drop_table x").await.unwrap();
    assert_eq!(stopped["directive"]["stopped"], true, "{stopped}");
    let opened = of.opens("bot").await.unwrap();
    of.tries(&opened.id, opened.code.expose_secret(), "olga").await.unwrap();
    for hint in ["look at the weather", "drop_table x"] {
        let waits = of.says("bot", "s", hint).await.unwrap();
        assert_eq!(waits["directive"]["reason"], "Action requires approval: deploy_site now", "{waits}");
        assert!(
            notices(&waits).contains(&("autonomy_pause".to_owned(), "deploy_site now".to_owned())),
            "{waits}"
        );
    }
    assert!(of.store.release_agent("bot", "olga").await.unwrap());
    assert!(of.may("bot", "s", "drop_table x").await, "a code was entered for it");
}

/// C8.7.3-13: a run ends with its process, when nothing is heard of that any more: it is shown no longer, and its caller may confirm for others.
async fn runs_end_with_their_process(place: Place) {
    let lost = place.process("p");
    lost.begins("helper", "ann-1").await.unwrap();
    let of = place.process("q");
    of.begins("bot", "bob-1").await.unwrap();
    assert!(!of.may("bot", "bob-1", "delete_user 7").await);
    let agent = json!({"element_name": "bot"});
    assert_eq!(confirm(&of, "ann-2", agent.clone()).await.unwrap_err(), "self_approval", "hers runs");
    drop(lost);
    for _ in 0..3 {
        place.clock.advance(Duration::from_secs(10));
        of.report_alive().await;
    }
    let shown = async || {
        let running = of.store.agents_overview().await.unwrap().running;
        running.into_iter().map(|run| run.name).collect::<Vec<_>>()
    };
    assert_eq!(shown().await, ["bot"]);
    assert_eq!(of.store.agent_counts().await.unwrap().running, 1);
    confirm(&of, "ann-2", agent).await.unwrap();
    of.store.keep_agents(&of.instance).await.unwrap();
    let back = place.process("p");
    back.store.keep_agents(&back.instance).await.unwrap();
    assert_eq!(shown().await, ["bot"], "it does not come back");
    assert!(of.may("bot", "bob-1", "delete_user 7").await);
}

/// C8.7.3-13: who runs an agent cannot confirm its pause, even if it is another of its runs that was paused.
async fn whoever_runs_an_agent_does_not_confirm_for_it(place: Place) {
    let of = place.process("p");
    of.begins("bot", "ann-1").await.unwrap();
    of.begins("bot", "bob-1").await.unwrap();
    assert!(!of.may("bot", "ann-1", "delete_user 7").await);
    let agent = json!({"element_name": "bot"});
    for session in ["ann-1", "ann-2", "bob-1", "bob-2", "nobody-1"] {
        assert_eq!(confirm(&of, session, agent.clone()).await.unwrap_err(), "self_approval", "{session}");
    }
    assert!(!of.may("bot", "bob-1", "look at the weather").await);
    of.ends("bot", "bob-1", RunEnd::Completed).await.unwrap();
    confirm(&of, "bob-2", agent).await.unwrap();
    assert!(of.may("bot", "ann-1", "delete_user 7").await);
}

/// C8.7.3-5 C8.7.3-7: a yes clears what was told of that pause, and nothing else that waits.
async fn notices_are_cleared_by_what_they_are_about(place: Place) {
    let of = place.process("p");
    of.begins("bot", "s").await.unwrap();
    of.store.note_agent_permission("bot", "tidy_shelf", false);
    of.store.settle(Duration::from_secs(20)).await;
    let paused = of.says("bot", "s", "delete_user 7").await.unwrap();
    assert_eq!(notices(&paused).len(), 3, "{paused}");
    let refused = confirm(&of, "s2", json!({"confirmation_token": "pause_00"})).await.unwrap_err();
    assert_eq!(refused, "token_refused");
    assert_eq!(notices(&of.says("bot", "s", "delete_user 7").await.unwrap()).len(), 3);
    assert!(of.store.release_agent("bot", "olga").await.unwrap());
    let released = of.says("bot", "s", "delete_user 7").await.unwrap();
    assert_eq!(notices(&released), [("permission_pending".to_owned(), "tidy_shelf".to_owned())]);
    of.store.note_agent_permission("bot", "tidy_shelf", true);
    of.store.settle(Duration::from_secs(20)).await;
    assert!(notices(&of.says("bot", "s", "look at the weather").await.unwrap()).is_empty());
}

async fn call(of: &Arc<SafetyLoop>, session: &str) -> Result<Option<CoveredBy>, AgentRefusal> {
    call_entry(of, session, &tidy()).await
}

async fn call_entry(
    of: &Arc<SafetyLoop>,
    session: &str,
    entry: &RegistryEntry,
) -> Result<Option<CoveredBy>, AgentRefusal> {
    let watch = LoopWatch::new(Arc::clone(of), Vec::new());
    let (caller, session) = (caller_of(session), SessionId::new(session));
    let call = WatchedCall {
        entry,
        session: &session,
        caller: &caller,
        values: &Map::new(),
        agent: None,
        self_confirmation: SelfConfirmation::No,
    };
    watch.check(call).await
}

/// A session starts an agent, and confirms that itself. It is not handed a token that is refused then.
async fn start_alone(of: &Arc<SafetyLoop>, session: &str) -> Result<Option<CoveredBy>, AgentRefusal> {
    let offered = start_of(of, session, "another one", SelfConfirmation::WouldBe).await;
    let started = start_of(of, session, "another one", SelfConfirmation::Is).await;
    assert_eq!(offered, started);
    started
}

/// A session asks to start an agent.
async fn start_of(
    of: &Arc<SafetyLoop>,
    session: &str,
    agent: &str,
    self_confirmation: SelfConfirmation,
) -> Result<Option<CoveredBy>, AgentRefusal> {
    let own = entries(of);
    let entry = own.iter().find(|entry| entry.public_name == "execute_agent").unwrap().clone();
    let watch = LoopWatch::new(Arc::clone(of), own);
    let (caller, session) = (caller_of(session), SessionId::new(session));
    let values = values(json!({"element_name": agent}));
    let call = WatchedCall {
        entry: &entry,
        session: &session,
        caller: &caller,
        values: &values,
        agent: None,
        self_confirmation,
    };
    watch.check(call).await
}

/// C8.8.3-4: no person is asked to confirm the start of an agent that is blocked, however its name is written.
async fn a_blocked_agent_is_refused_at_once(place: Place) {
    let of = Arc::new(place.process("p"));
    assert_eq!(start_of(&of, "s", "release bot", SelfConfirmation::No).await.unwrap(), None);
    of.begins("release bot", "s").await.unwrap();
    assert!(!of.may("release bot", "s", "Run `rm -rf /srv`").await);
    for name in ["release bot", "releasebot", "releaseBot", "r e l e a s e b o t", "Re1ease-B0t"] {
        let refused = start_of(&of, "t", name, SelfConfirmation::No).await.unwrap_err();
        assert_eq!(refused.reason, "agent_blocked", "{name}");
        assert!(refused.verification_id.is_some() && refused.message.contains(name), "{refused:?}");
    }
    of.store.unblock_agent(&key("releaseBot"), "olga").await.unwrap();
    assert_eq!(start_of(&of, "t", "release bot", SelfConfirmation::No).await.unwrap(), None);
}

/// What an execution is doing may be asked no matter which agent runs, since nothing outside changes by it.
async fn a_look_at_an_execution_needs_no_report(place: Place) {
    let of = Arc::new(place.process("p"));
    of.begins("bot", "s").await.unwrap();
    for (target, is_let) in [
        (BuiltIn::GetExecution, true),
        (BuiltIn::ListExecutions, true),
        (BuiltIn::CancelExecution, false),
        (BuiltIn::RetryExecution, false),
    ] {
        let mut entry = (*tidy()).clone();
        let mut operation = (*entry.operation).clone();
        operation.target = Target::BuiltIn(target);
        entry.operation = Arc::new(operation);
        assert_eq!(call_entry(&of, "s", &entry).await.is_ok(), is_let, "{target:?}");
    }
}

/// What keeps an agent from going on, and the word for it.
const HELD: [(&str, &str); 3] =
    [("delete_user 7", "agent_paused"), (RISKY, "agent_paused"), ("Run `rm -rf /srv`", "agent_blocked")];

/// A person says yes to whatever an agent waits for.
async fn let_go_on(of: &SafetyLoop) {
    of.store.release_agent("bot", "olga").await.unwrap();
    of.store.unblock_agent("bot", "olga").await.unwrap();
    if let Some(opened) = of.opens("bot").await {
        of.tries(&opened.id, opened.code.expose_secret(), "olga").await.unwrap();
    }
}

/// C8.8-1 C8.8.3-1 C8.6.4-6: a session whose agent is paused or blocked calls nothing, whether its run goes on or was ended.
async fn an_end_is_no_way_to_go_on(place: Place) {
    let of = Arc::new(place.process("p"));
    for (number, (hint, reason)) in HELD.into_iter().enumerate() {
        let session = format!("of-{number}");
        of.begins("bot", &session).await.unwrap();
        assert!(of.may("bot", &session, "calling tidy_shelf").await);
        assert!(call(&of, &session).await.unwrap().is_some());
        assert!(!of.may("bot", &session, hint).await);
        assert_eq!(call(&of, &session).await.unwrap_err().reason, reason);
        of.ends("bot", &session, RunEnd::Aborted).await.unwrap();
        assert_eq!(call(&of, &session).await.unwrap_err().reason, reason, "after its end: {hint}");
        assert!(start_alone(&of, &session).await.is_err(), "it starts over under another name: {hint}");
        assert_eq!(call(&of, "another").await.unwrap(), None);
        let_go_on(&of).await;
        assert_eq!(call(&of, &session).await.unwrap(), None, "a person has said yes");
        assert_eq!(start_alone(&of, &session).await.unwrap(), None);
    }
}

/// C8.8-1 C8.8.3-1 C8.6.4-6: a caller with a name is held in every session of theirs, while the agent's run goes on and after it was ended. Another agent of
/// theirs goes on by its own reports, and other callers are not held.
async fn a_caller_with_a_name_is_held_everywhere(place: Place) {
    let of = Arc::new(place.process("p"));
    of.begins("helper", "ann-3").await.unwrap();
    for (number, (hint, reason)) in HELD.into_iter().enumerate() {
        of.begins("bot", "ann-1").await.unwrap();
        assert_eq!(call(&of, "ann-2").await.unwrap(), None, "an agent elsewhere that goes on holds nobody");
        assert!(!of.may("bot", "ann-1", hint).await);
        for ended in [false, true] {
            if ended {
                of.ends("bot", "ann-1", RunEnd::Aborted).await.unwrap();
            }
            assert_eq!(call(&of, "ann-2").await.unwrap_err().reason, reason, "{hint}, ended: {ended}");
            assert!(start_alone(&of, "ann-2").await.is_err(), "{hint}, ended: {ended}");
            assert!(of.may("helper", "ann-3", &format!("calling tidy_shelf for shelf {number}")).await);
            assert!(call(&of, "ann-3").await.unwrap().is_some(), "{hint}, ended: {ended}");
            assert_eq!(call(&of, "bob-1").await.unwrap(), None, "{hint}, ended: {ended}");
        }
        let_go_on(&of).await;
        assert_eq!(call(&of, "ann-2").await.unwrap(), None, "a person has said yes");
    }
}

/// C8.7.3-13: without the operator's token a pause ends by somebody who runs no agent, and has none that waits.
async fn who_runs_agents_confirms_for_nobody(place: Place) {
    let of = place.process("p");
    of.begins("bot", "ann-1").await.unwrap();
    of.begins("helper", "bob-1").await.unwrap();
    assert!(!of.may("bot", "ann-1", "delete_user 7").await);
    let agent = json!({"element_name": "bot"});
    for session in ["bob-1", "bob-2"] {
        assert_eq!(confirm(&of, session, agent.clone()).await.unwrap_err(), "self_approval", "{session}");
    }
    for (hint, name) in [("delete_user 8", "helper"), (RISKY, "clerk"), ("Run `rm -rf /srv`", "porter")] {
        of.begins(name, "bob-1").await.unwrap_or_default();
        assert!(!of.may(name, "bob-1", hint).await);
        of.ends(name, "bob-1", RunEnd::Aborted).await.unwrap();
        assert_eq!(confirm(&of, "bob-2", agent.clone()).await.unwrap_err(), "self_approval", "{hint}");
        of.store.release_agent(&key(name), "olga").await.unwrap();
        of.store.unblock_agent(&key(name), "olga").await.unwrap();
        if let Some(opened) = of.opens(&key(name)).await {
            of.tries(&opened.id, opened.code.expose_secret(), "olga").await.unwrap();
        }
    }
    confirm(&of, "bob-2", agent).await.unwrap();
    assert!(of.may("bot", "ann-1", "delete_user 7").await);
}

fn key(name: &str) -> String {
    AgentName::parse(name).unwrap().key().to_owned()
}

/// C8.7.3-7 C8.8.2-3: a yes is for the action that a person has read: its words, its signs and its lines.
async fn a_yes_is_for_one_action(place: Place) {
    let of = place.process("p");
    of.begins("bot", "s").await.unwrap();
    for (said, others, same) in [
        (
            "delete_rows where status = 'test'",
            ["delete_rows where status != 'test'", "delete_rows where status = 'Test'"],
            " delete_rows  where status =\t'test'",
        ),
        (
            "delete_folder /srv/tmp",
            ["delete_folder / srv tmp", "delete_folder /srv\n/tmp"],
            "delete_folder   /srv/tmp\n",
        ),
    ] {
        for other in others {
            assert!(!of.may("bot", "s", said).await, "{said}");
            assert!(of.store.release_agent("bot", "olga").await.unwrap());
            assert!(!of.may("bot", "s", other).await, "a yes to {said:?} lets {other:?} pass");
            assert!(of.store.release_agent("bot", "olga").await.unwrap());
        }
        assert!(!of.may("bot", "s", said).await, "{said}");
        assert!(of.store.release_agent("bot", "olga").await.unwrap());
        assert!(of.may("bot", "s", same).await, "{same:?}");
    }
    assert!(!of.may("bot", "s", RISKY).await);
    let_go_on(&of).await;
    let other = format!("{RISKY}!");
    assert!(!of.may("bot", "s", &other).await, "a code for one action lets another one pass");
}

/// C8.8.3-6 C8.8.3-7 C8.8-1: a pause for a code holds in every process, until the one that has made it ends or is lost.
async fn a_pause_for_a_code_holds_everywhere(place: Place) {
    let other = Arc::new(place.process("q"));
    for is_lost in [false, true] {
        let made = place.process(if is_lost { "lost" } else { "ended" });
        made.begins("bot", "s").await.unwrap();
        let first = made.says("bot", "s", RISKY).await.unwrap();
        let id = &first["directive"]["notifications"][0]["metadata"]["verificationId"];
        let waits = other.says("bot", "s", "look at the weather").await.unwrap();
        assert!(waits["directive"]["reason"].as_str().unwrap().contains(id.as_str().unwrap()), "{waits}");
        assert_eq!(call(&other, "s").await.unwrap_err().reason, "agent_paused");
        place.clock.advance(Duration::from_secs(15));
        made.report_alive().await;
        place.clock.advance(Duration::from_secs(15));
        assert!(!other.may("bot", "s", "look at the weather").await, "it is heard of");
        if is_lost {
            drop(made);
            place.clock.advance(Duration::from_secs(6));
        } else {
            made.close().await;
        }
        other.begins("bot", "s").await.unwrap();
        assert!(other.may("bot", "s", "look at the weather").await, "lost: {is_lost}");
        other.ends("bot", "s", RunEnd::Completed).await.unwrap();
    }
}
