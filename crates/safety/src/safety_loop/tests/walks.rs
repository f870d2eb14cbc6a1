//! Random walks: agents, operators and processes that are lost, in any order; what was seen is held against what may be.
//!
//! The model knows only what was answered: who was blocked, what was said yes to, which codes were shown. After each event no block
//! may be missing, and nothing may have gone on that no one allowed. `AQUEDUCT_WALK_EVENTS` sets the length.

mod model;

use super::{Place, by, caller_of, on_both_engines, reason, tidy, values};
use crate::safety_loop::{CHALLENGE_TTL, LoopWatch, SafetyLoop};
use aqueduct_operations::call::SessionId;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::gatekeeper::{AgentWatch, SelfConfirmation, WatchedCall};
use aqueduct_store::agents::RunEnd;
use model::{AGENTS, Code, HINTS, MadeFor, Model, Pending, Run, SESSIONS, Yes, is_agent, key_of};
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use secrecy::ExposeSecret;
use serde_json::{Map, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

on_both_engines!(walks_of_agents);

#[derive(Debug, Clone, Copy)]
enum Event {
    Begin,
    Report {
        hint: usize,
        failed: bool,
    },
    /// The same, and its process is lost before the answer comes. What it has done to the store, it has done whole.
    LostReport {
        hint: usize,
    },
    End(RunEnd),
    EndSession,
    Call {
        names: bool,
    },
    Confirm {
        with_token: bool,
    },
    Release,
    IssueToken,
    Open,
    Verify {
        right: bool,
    },
    Unblock,
    Wait(u16),
    Crash,
}

fn events(count: usize) -> impl Strategy<Value = Vec<(usize, usize, usize, usize, Event)>> {
    // Mostly what is allowed at once: a walk of agents that are always stopped sees little.
    let hint = || prop_oneof![4 => 0..2_usize, 3 => 2..HINTS.len()];
    let event = prop_oneof![
        6 => Just(Event::Begin),
        14 => (hint(), 0..8_u8).prop_map(|(hint, failed)| Event::Report { hint, failed: failed == 0 }),
        2 => hint().prop_map(|hint| Event::LostReport { hint }),
        2 => prop_oneof![Just(RunEnd::Completed), Just(RunEnd::Aborted)].prop_map(Event::End),
        1 => Just(Event::EndSession),
        10 => (0..3_u8).prop_map(|luck| Event::Call { names: luck > 0 }),
        4 => prop_oneof![Just(true), Just(false)].prop_map(|with_token| Event::Confirm { with_token }),
        4 => Just(Event::Release),
        2 => Just(Event::IssueToken),
        4 => Just(Event::Open),
        5 => (0..4_u8).prop_map(|luck| Event::Verify { right: luck > 0 }),
        4 => Just(Event::Unblock),
        1 => (0..400_u16).prop_map(Event::Wait),
        1 => Just(Event::Crash),
    ];
    let one = (0..2_usize, 0..3_usize, 0..SESSIONS.len(), 0..2_usize, event);
    proptest::collection::vec(one, count)
}

struct World {
    place: Place,
    processes: Vec<Arc<SafetyLoop>>,
    model: Model,
    started: u32,
}

/// Who does something, and through which process.
#[derive(Clone, Copy)]
struct Act {
    agent: usize,
    name: &'static str,
    session: usize,
    process: usize,
}

impl World {
    fn new(place: Place) -> World {
        let processes = ["p", "q"].map(|instance| Arc::new(place.process(instance))).into();
        World { place, processes, model: Model::default(), started: 0 }
    }

    /// A process is lost with its sessions, and nothing is heard of it for so long that the others know.
    async fn crash(&mut self, process: usize) {
        self.started += 1;
        let lost = Arc::clone(&self.processes[process]);
        // Or it would say once more that it runs, after it was forgotten.
        lost.close().await;
        lost.store.forget_instance(&lost.instance).await.unwrap();
        self.model.lose(process);
        let fresh = Arc::new(self.place.process(&format!("process {}", self.started)));
        self.processes[process] = fresh;
        let other = &self.processes[1 - process];
        other.store.keep_agents(&other.instance).await.unwrap();
    }

    async fn happen(&mut self, act: Act, event: Event) {
        let Act { agent, name, session, process } = act;
        let of = Arc::clone(&self.processes[process]);
        let place = SESSIONS[session];
        let was_blocked = self.model.blocked.contains(&agent);
        match event {
            Event::Begin => match of.begins(name, place).await {
                Ok(begun) => {
                    assert!(!was_blocked, "a blocked agent begins");
                    let id = begun["execution_id"].as_str().unwrap().to_owned();
                    let run = Run {
                        agent,
                        session,
                        process,
                        is_running: true,
                        reported: 0,
                        pause: None,
                        covers: false,
                    };
                    self.model.session_of.insert(id.clone(), session);
                    self.model.runs.insert(id, run);
                }
                Err(refused) => assert_eq!(reason(&refused) == "agent_blocked", was_blocked, "{refused:?}"),
            },
            Event::Report { hint, failed } => self.report(act, hint, failed).await,
            Event::LostReport { hint } => {
                drop(of.says(name, place, HINTS[hint].0).await);
                self.learn(act, hint).await;
                self.crash(process).await;
            }
            Event::End(end) => {
                if let Err(refused) = of.ends(name, place, end).await {
                    assert!(["agent_blocked", "not_running"].contains(&reason(&refused)), "{refused:?}");
                } else {
                    assert!(!was_blocked || end == RunEnd::Aborted, "a blocked agent completes its work");
                    self.model.end(agent, session);
                }
            }
            Event::EndSession => {
                of.store.end_agents_of_session(place);
                of.store.settle(Duration::from_secs(20)).await;
                (0..AGENTS.len()).for_each(|each| self.model.end(each, session));
            }
            Event::Call { names } => self.call(act, names).await,
            Event::Confirm { with_token } => self.confirm(act, with_token).await,
            Event::Release => {
                let is_done = of.store.release_agent(key_of(agent), "olga").await.unwrap();
                assert_eq!(is_done, self.model.is_paused(agent), "who is paused can be released");
                self.model.released(agent, self.place.clock.now());
            }
            Event::IssueToken => {
                let token =
                    of.store.issue_pause_token(key_of(agent), Duration::from_secs(300)).await.unwrap();
                assert_eq!(token.is_some(), self.model.is_paused(agent));
                if let Some(token) = token {
                    self.model.tokens.insert(agent, token.token.expose_secret().to_owned());
                }
            }
            Event::Open => {
                let Some(opened) = of.opens(key_of(agent)).await else {
                    assert!(!was_blocked, "a block has a challenge");
                    return;
                };
                // A block whose challenge is over has got another one.
                if let (false, Some(made_for)) =
                    (self.model.challenges.contains_key(&opened.id), self.model.block_of.get(&agent))
                {
                    self.model.challenges.insert(opened.id.clone(), made_for.clone());
                }
                let made_for = &self.model.challenges[&opened.id];
                assert_eq!(HINTS[made_for.hint].0, opened.hint);
                assert_eq!(made_for.is_block, was_blocked, "a block comes first");
                if let Some(pending) = self.model.pending.get_mut(&opened.id) {
                    pending.expires_at = opened.expires_at;
                }
                let code = opened.code.expose_secret().to_owned();
                let code = Code { code, agent, expires_at: opened.expires_at, is_tried: false };
                self.model.codes.retain(|_, known| known.agent != agent);
                self.model.codes.insert(opened.id, code);
            }
            Event::Verify { right } => self.verify(act, right).await,
            Event::Unblock => {
                assert_eq!(of.store.unblock_agent(key_of(agent), "olga").await.unwrap(), was_blocked);
                self.model.blocked.remove(&agent);
            }
            Event::Wait(seconds) => {
                let mut left = Duration::from_secs(seconds.into());
                while !left.is_zero() {
                    let step = left.min(Duration::from_secs(10));
                    self.place.clock.advance(step);
                    left -= step;
                    for process in &self.processes {
                        process.store.keep_agents(&process.instance).await.unwrap();
                    }
                }
                self.model.forget_late(self.place.clock.now());
            }
            Event::Crash => self.crash(process).await,
        }
    }

    async fn report(&mut self, Act { agent, name, session, process }: Act, hint: usize, failed: bool) {
        let mut params = json!({"element_name": name, "next_action_hint": HINTS[hint].0});
        if failed {
            params["outcome"] = "failure".into();
        }
        let answer = self.processes[process].report(&values(params), SESSIONS[session]).await;
        let was_blocked = self.model.blocked.contains(&agent);
        let had_yes = self.model.may(agent, hint);
        let answer = match answer {
            Ok(answer) => answer,
            Err(refused) => {
                let wanted = if was_blocked { "agent_blocked" } else { "not_running" };
                assert_eq!(reason(&refused), wanted, "{refused:?}");
                return;
            }
        };
        assert!(!was_blocked, "a blocked agent is answered: {answer}");
        let (directive, run) = (&answer["directive"], answer["execution_id"].as_str().unwrap().to_owned());
        if directive["continue"] == true {
            assert!(directive.get("stopped").is_none(), "{directive}");
            self.model.goes_on(&run, hint);
            return;
        }
        assert!(directive["factors"].as_array().is_some_and(|factors| !factors.is_empty()), "{directive}");
        let told = directive["notifications"].as_array().into_iter().flatten();
        let mut challenges =
            told.filter_map(|each| each["metadata"]["verificationId"].as_str()).map(str::to_owned);
        let model = &mut self.model;
        let said = directive["reason"].as_str().unwrap();
        if directive["stopped"] == true {
            assert!(!had_yes, "a code was entered for it");
            model.is_blocked(&run, hint);
            model.count("blocked");
            model.blocked.insert(agent);
            let made = challenges.find(|id| !model.challenges.contains_key(id));
            let made_for = MadeFor { run, hint, is_block: true };
            model.challenges.insert(made.expect("a block comes with its challenge"), made_for.clone());
            model.block_of.insert(agent, made_for);
        } else if model.is_paused(agent) || said.starts_with("Verification pending") {
            assert!(model.is_paused(agent) || model.awaits_code(agent), "nobody knows of what it waits for");
            model.count("still waits");
        } else if directive["nextStepRisk"] == "verify" {
            assert!(!had_yes, "a code was entered for it");
            model.is_stopped(&run, hint);
            model.count("paused for a code");
            let made = challenges.find(|id| !model.challenges.contains_key(id));
            let made_for = MadeFor { run, hint, is_block: false };
            let made = made.expect("it waits for the code of a challenge");
            model.challenges.insert(made.clone(), made_for);
            let expires_at = self.place.clock.now() + CHALLENGE_TTL;
            model.pending.insert(made, Pending { agent, session, process, expires_at });
        } else {
            let is_about_action = !["Step limit exceeded", "The previous step failed"].contains(&said);
            assert!(!is_about_action || !had_yes, "a person has said yes to it");
            model.is_stopped(&run, hint).pause = Some(is_about_action.then_some(hint));
            model.count("paused");
        }
    }

    /// What a report has done whose answer no one got: it may have been kept or not.
    async fn learn(&mut self, Act { agent, session, process, .. }: Act, hint: usize) {
        self.model.count("lost");
        let store = &self.processes[process].store;
        let overview = store.agents_overview().await.unwrap();
        let Some(id) = self.model.current(agent, session).cloned() else { return };
        let Some(seen) = overview.running.iter().find(|run| run.id == id) else { panic!("{id} is gone") };
        if seen.reported == self.model.run(&id).reported {
            return;
        }
        self.model.count("lost and kept");
        let made = overview.challenges.iter().find(|each| !self.model.challenges.contains_key(&each.id));
        let made = made.map(|each| each.id.clone());
        let is_block = overview.blocked.iter().any(|block| is_agent(agent, &block.name));
        let made_for = MadeFor { run: id.clone(), hint, is_block };
        if let Some(made) = &made {
            self.model.challenges.insert(made.clone(), made_for.clone());
        }
        match (&seen.paused, made) {
            (None, None) => self.model.goes_on(&id, hint),
            (_, Some(_)) if is_block => {
                self.model.is_blocked(&id, hint);
                self.model.blocked.insert(agent);
                self.model.block_of.insert(agent, made_for);
            }
            (None, Some(_)) => {
                self.model.is_stopped(&id, hint);
            }
            (Some(why), _) => {
                let is_about_action =
                    !["Step limit exceeded", "The previous step failed"].contains(&why.as_str());
                self.model.is_stopped(&id, hint).pause = Some(is_about_action.then_some(hint));
            }
        }
    }

    async fn call(&mut self, Act { agent, name, session, process }: Act, names: bool) {
        let watch = LoopWatch::new(Arc::clone(&self.processes[process]), Vec::new());
        let (entry, id, caller) = (tidy(), SessionId::new(SESSIONS[session]), caller_of(SESSIONS[session]));
        let call = WatchedCall {
            entry: &entry,
            session: &id,
            caller: &caller,
            values: &Map::new(),
            agent: names.then_some(name),
            self_confirmation: SelfConfirmation::No,
        };
        let ran = match watch.check(call).await {
            Ok(Some(covered)) if watch.admitted(&covered, "tidy_shelf").await.is_ok() => Some(covered.run),
            Ok(None) => {
                assert!(!names, "a call that names its agent is one of it");
                let runs = |run: &Run| run.is_running && run.session == session;
                assert!(
                    !self.model.runs.values().any(runs),
                    "an agent runs here, and the call is none of it"
                );
                assert!(!self.model.is_held(session), "a session calls whose agent may not go on");
                self.model.count("called without an agent");
                return;
            }
            Ok(Some(_)) | Err(_) => None,
        };
        if let Some(id) = &ran {
            let called_by = &self.model.runs[id];
            assert!(called_by.covers && called_by.session == session, "a call runs by a report, once");
            assert!(self.model.may_call(called_by), "an agent calls that may not go on");
        }
        let run = self.model.current(agent, session).cloned();
        if names {
            let may_run = run.as_ref().map(|id| &self.model.runs[id]);
            let may_run = may_run.is_some_and(|run| run.covers && self.model.may_call(run));
            assert_eq!(ran.is_some(), may_run, "a call runs by a report, once");
        }
        if let Some(id) = ran {
            self.model.count("called");
            self.model.run(&id).covers = false;
        }
    }

    async fn confirm(&mut self, Act { agent, name, session, process }: Act, with_token: bool) {
        let asks = by(SESSIONS[session]);
        let own = |run: &&Run| {
            let owner = by(SESSIONS[run.session]);
            run.session == session || asks.is_named && owner.caller == asks.caller
        };
        let mut of_agent = self.model.runs.values().filter(|run| run.agent == agent);
        let runs_it = of_agent.any(|run| (run.is_running || run.pause.is_some()) && own(&run));
        let runs_any = self.model.runs.values().any(|run| run.is_running && own(&run));
        let runs_any = runs_any || self.model.is_held(session);
        let params = match self.model.tokens.get(&agent).filter(|_| with_token) {
            Some(token) => json!({"confirmation_token": token}),
            None => json!({"element_name": name}),
        };
        let has_token = params.get("confirmation_token").is_some();
        if self.processes[process].confirm(&values(params), asks.clone()).await.is_ok() {
            assert!(!runs_it, "{} confirms what runs for them", SESSIONS[session]);
            assert!(has_token || asks.is_named, "nobody in particular confirms");
            assert!(has_token || !runs_any, "an agent confirms for another one");
            assert!(self.model.is_paused(agent), "there is something to confirm");
            self.model.count("confirmed");
            self.model.released(agent, self.place.clock.now());
        }
    }

    async fn verify(&mut self, Act { agent, session, process, .. }: Act, right: bool) {
        let now = self.place.clock.now();
        let known = self.model.codes.iter().filter(|(_, code)| code.agent == agent).map(|(id, _)| id.clone());
        // Mostly the one that was shown last.
        let Some(id) = known.max_by_key(|id| self.model.codes[id].expires_at) else { return };
        let code = &self.model.codes[&id];
        let entered = if right { code.code.clone() } else { "00000-00000-00000-00000-00000-0".to_owned() };
        let may_pass = right && !code.is_tried && code.expires_at > now;
        let answer = self.processes[process].tries(&id, &entered, SESSIONS[session]).await;
        match answer {
            Ok(_) => {
                assert!(may_pass, "a code that is wrong, late or used passes");
                self.model.count("verified");
                let MadeFor { run, hint, is_block } = self.model.challenges[&id].clone();
                if is_block && self.model.blocked.remove(&agent) {
                    self.model.count("unblocked by a code");
                }
                let yes = Yes { run, how_far: 2, said_at: now };
                self.model.yes.insert((agent, hint), yes);
                self.model.tried(&id);
            }
            Err(refused) if reason(&refused) == "too_often" => self.model.count("locked"),
            Err(_) => {
                let is_over = !self.is_open(&id, process).await;
                assert!(!may_pass || is_over, "a right code in time is refused");
                self.model.count("wrong");
                self.model.tried(&id);
            }
        }
    }

    async fn is_open(&self, id: &str, process: usize) -> bool {
        let overview = self.processes[process].store.agents_overview().await.unwrap();
        overview.challenges.iter().any(|challenge| challenge.id == id)
    }

    /// What must hold after each event.
    async fn check(&self, process: usize) {
        let overview = self.processes[process].store.agents_overview().await.unwrap();
        for (agent, names) in AGENTS.iter().enumerate() {
            let is_blocked = overview.blocked.iter().any(|block| is_agent(agent, &block.name));
            assert_eq!(
                is_blocked,
                self.model.blocked.contains(&agent),
                "{} {:?}",
                names[0],
                overview.blocked
            );
        }
        assert!(overview.blocked.len() <= AGENTS.len(), "one agent, one block");
        let waits: BTreeSet<&str> =
            overview.running.iter().filter(|run| run.paused.is_some()).map(|run| run.id.as_str()).collect();
        let known = self.model.runs.iter().filter(|(_, run)| run.pause.is_some());
        assert_eq!(waits, known.map(|(id, _)| id.as_str()).collect(), "who waits for a yes");
    }
}

/// C8.8.3-2 C8.8.3-3 C8.6.4-6 C8.6.2-2: whatever happens in whatever order, on two processes of which some are lost, no block is missing afterwards, nothing has
/// gone on without the yes or the code that it takes, and everybody can work again when the operator says so.
async fn walks_of_agents(place: Place) {
    #[expect(clippy::disallowed_methods, reason = "the length that a task sets for this test")]
    let asked: Option<usize> = std::env::var("AQUEDUCT_WALK_EVENTS").ok().and_then(|text| text.parse().ok());
    // The short walk is the same each time, so that it comes by everything below; the long one is another each time.
    let (count, mut runner) = match asked {
        Some(count) => (count, TestRunner::new(ProptestConfig::default())),
        None => (1_500, TestRunner::deterministic()),
    };
    let walk = events(count).new_tree(&mut runner).unwrap().current();
    let mut world = World::new(place);
    for (number, (agent, spelling, session, process, event)) in walk.into_iter().enumerate() {
        let act = Act { agent, name: AGENTS[agent][spelling], session, process };
        world.happen(act, event).await;
        world.check(1 - process).await;
        if number % 10_000 == 9_999 {
            eprintln!("{} events", number + 1);
        }
    }
    eprintln!("{count} events: {:?}", world.model.seen);
    let of = Arc::clone(&world.processes[0]);
    for agent in [0, 1] {
        of.store.release_agent(key_of(agent), "olga").await.unwrap();
        of.store.unblock_agent(key_of(agent), "olga").await.unwrap();
        world.place.clock.advance(Duration::from_secs(86_400));
        of.begins(AGENTS[agent][0], "last").await.unwrap();
        assert!(of.may(AGENTS[agent][0], "last", "look at the weather").await);
        of.ends(AGENTS[agent][0], "last", RunEnd::Completed).await.unwrap();
    }
    let overview = of.store.agents_overview().await.unwrap();
    assert!(overview.blocked.is_empty() && overview.running.iter().all(|run| run.paused.is_none()));
    for what in [
        "goes on",
        "paused",
        "paused for a code",
        "blocked",
        "verified",
        "confirmed",
        "called",
        "called without an agent",
        "lost",
    ] {
        assert!(
            world.model.seen.contains_key(what),
            "the walk never came to '{what}': {:?}",
            world.model.seen
        );
    }
}
