//! What the walks know: only what was answered. Who was blocked, what was said yes to, which codes were shown.
//!
//! Answers in; a panic where something has gone on that no one had allowed.

use super::super::by;
use crate::agents::agent_name::AgentName;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Each agent in several spellings.
pub(super) const AGENTS: [[&str; 3]; 2] =
    [["bot", "BOT", "b\u{200b}o t"], ["night clerk", "Night-Clerk", "nightcIerk"]];
pub(super) const SESSIONS: [&str; 5] = ["ann-1", "ann-2", "bob-1", "x-1", "y-1"];
/// What is said, and what it takes: 0 nothing, 1 a yes, 2 a code.
pub(super) const HINTS: [(&str, u8); 6] = [
    ("look at the weather", 0),
    ("calling tidy_shelf for shelf 7", 0),
    ("delete_user 7", 1),
    ("deploy_site to the test machine", 1),
    ("wire 2500 USD to the new supplier", 2),
    ("Run `rm -rf /srv`", 2),
];

/// A code that was shown.
pub(super) struct Code {
    pub(super) code: String,
    pub(super) agent: usize,
    pub(super) expires_at: Timestamp,
    pub(super) is_tried: bool,
}

/// A run, as far as it was seen.
pub(super) struct Run {
    pub(super) agent: usize,
    pub(super) session: usize,
    /// The process that it belongs to.
    pub(super) process: usize,
    pub(super) is_running: bool,
    /// Reports that were kept.
    pub(super) reported: i64,
    /// It waits for a yes; to this hint, where the yes is for the action.
    pub(super) pause: Option<Option<usize>>,
    /// Its last report stands for a call.
    pub(super) covers: bool,
}

/// What a person has said yes to, until it is reported, or something else by the run that it was said to.
#[derive(Debug, Clone)]
pub(super) struct Yes {
    pub(super) run: String,
    pub(super) how_far: u8,
    pub(super) said_at: Timestamp,
}

/// A challenge that pauses its agent.
pub(super) struct Pending {
    pub(super) agent: usize,
    /// The session that has reported what it is about.
    pub(super) session: usize,
    /// The process that has made it.
    pub(super) process: usize,
    pub(super) expires_at: Timestamp,
}

/// What a challenge was made for.
#[derive(Clone)]
pub(super) struct MadeFor {
    pub(super) run: String,
    pub(super) hint: usize,
    pub(super) is_block: bool,
}

#[derive(Default)]
pub(super) struct Model {
    pub(super) blocked: BTreeSet<usize>,
    pub(super) runs: BTreeMap<String, Run>,
    pub(super) codes: BTreeMap<String, Code>,
    /// By agent and hint.
    pub(super) yes: BTreeMap<(usize, usize), Yes>,
    /// What challenges were made for, and what the last block of each agent was.
    pub(super) challenges: BTreeMap<String, MadeFor>,
    pub(super) block_of: BTreeMap<usize, MadeFor>,
    pub(super) tokens: BTreeMap<usize, String>,
    /// Challenges that only pause.
    pub(super) pending: BTreeMap<String, Pending>,
    /// Whose runs there ever were: the session of each.
    pub(super) session_of: BTreeMap<String, usize>,
    pub(super) seen: BTreeMap<&'static str, u64>,
}

impl Model {
    pub(super) fn count(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    pub(super) fn is_paused(&self, agent: usize) -> bool {
        self.runs.values().any(|run| run.agent == agent && run.pause.is_some())
    }

    /// It waits for a code.
    pub(super) fn awaits_code(&self, agent: usize) -> bool {
        self.pending.values().any(|pending| pending.agent == agent)
    }

    /// Something of an agent that may not go on was reported, or began, in this session, or in another one of the same caller.
    pub(super) fn is_held(&self, session: usize) -> bool {
        let is_meant = |other: usize| is_of_one_caller(session, other);
        let blocked =
            self.blocked.iter().filter_map(|agent| self.session_of.get(&self.block_of.get(agent)?.run));
        self.runs.values().any(|run| run.pause.is_some() && is_meant(run.session))
            || self.pending.values().any(|pending| is_meant(pending.session))
            || blocked.into_iter().any(|session| is_meant(*session))
    }

    /// A run may make the call that it has reported.
    pub(super) fn may_call(&self, run: &Run) -> bool {
        let waits = |other: &Run| {
            other.agent == run.agent && other.pause.is_some() && is_of_one_caller(run.session, other.session)
        };
        !self.blocked.contains(&run.agent) && !self.awaits_code(run.agent) && !self.runs.values().any(waits)
    }

    pub(super) fn current(&self, agent: usize, session: usize) -> Option<&String> {
        let is_it = |run: &Run| run.is_running && (run.agent, run.session) == (agent, session);
        self.runs.iter().find(|(_, run)| is_it(run)).map(|(id, _)| id)
    }

    pub(super) fn run(&mut self, id: &str) -> &mut Run {
        self.runs.get_mut(id).unwrap_or_else(|| panic!("{id} was never begun"))
    }

    pub(super) fn end(&mut self, agent: usize, session: usize) {
        if let Some(id) = self.current(agent, session).cloned() {
            let run = self.run(&id);
            (run.is_running, run.covers) = (false, false);
        }
        self.forget_ended();
    }

    /// A process is lost: its runs have ended, and no caller waits for its codes.
    pub(super) fn lose(&mut self, process: usize) {
        self.pending.retain(|_, pending| pending.process != process);
        for run in self.runs.values_mut().filter(|run| run.process == process) {
            (run.is_running, run.covers) = (false, false);
        }
        self.forget_ended();
    }

    /// What is over by this moment.
    pub(super) fn forget_late(&mut self, now: Timestamp) {
        self.pending.retain(|_, pending| pending.expires_at > now);
        self.yes.retain(|_, yes| now.duration_since(yes.said_at).as_hours() < 24);
    }

    /// A person has said yes to this, as far as it takes.
    pub(super) fn may(&self, agent: usize, hint: usize) -> bool {
        self.yes.get(&(agent, hint)).is_some_and(|yes| yes.how_far >= HINTS[hint].1)
    }

    /// Somebody has said yes to all that an agent waits for.
    pub(super) fn released(&mut self, agent: usize, now: Timestamp) {
        let waiting: Vec<String> = self
            .runs
            .iter()
            .filter(|(_, run)| run.agent == agent && run.pause.is_some())
            .map(|(id, _)| id.clone())
            .collect();
        for id in waiting {
            if let Some(hint) = self.run(&id).pause.take().flatten() {
                // A code is more than a yes.
                let how_far = self.yes.get(&(agent, hint)).map_or(1, |known| known.how_far.max(1));
                self.yes.insert((agent, hint), Yes { run: id, how_far, said_at: now });
            }
        }
        self.tokens.remove(&agent);
        self.forget_ended();
    }

    /// A code has had its attempt.
    pub(super) fn tried(&mut self, challenge: &str) {
        if let Some(code) = self.codes.get_mut(challenge) {
            code.is_tried = true;
        }
        self.pending.remove(challenge);
    }

    /// Runs that are over, and wait for nothing.
    fn forget_ended(&mut self) {
        self.runs.retain(|_, run| run.is_running || run.pause.is_some());
    }

    /// A run may go on.
    pub(super) fn goes_on(&mut self, id: &str, hint: usize) {
        let (said, takes) = HINTS[hint];
        let run = self.run(id);
        let agent = run.agent;
        run.reported += 1;
        run.covers = said.contains("tidy_shelf");
        assert!(!self.blocked.contains(&agent), "a blocked agent goes on");
        assert!(!self.is_paused(agent), "a paused agent goes on");
        assert!(!self.awaits_code(agent), "an agent goes on that waits for a code");
        if takes > 0 {
            assert!(self.may(agent, hint), "{said} goes on by {:?}", self.yes);
            self.count("allowed by a person");
        }
        self.yes.retain(|about, yes| yes.run != id && *about != (agent, hint));
        self.count("goes on");
    }

    /// A run was paused by a report that was kept.
    pub(super) fn is_stopped(&mut self, id: &str, hint: usize) -> &mut Run {
        self.is_blocked(id, hint);
        self.run(id).pause = None;
        self.run(id)
    }

    /// A run was stopped by a report that was kept: what it waited for before, it waits for after the block too.
    pub(super) fn is_blocked(&mut self, id: &str, hint: usize) {
        let run = self.run(id);
        run.reported += 1;
        run.covers = false;
        let agent = run.agent;
        self.yes.retain(|about, yes| yes.run != id || *about == (agent, hint));
    }
}

pub(super) fn is_agent(agent: usize, name: &str) -> bool {
    AgentName::parse(name).is_ok_and(|name| name.key() == key_of(agent))
}

pub(super) fn key_of(agent: usize) -> &'static str {
    ["bot", "nlghtclerk"][agent]
}

/// One session, or two of a caller who is known by name.
pub(super) fn is_of_one_caller(session: usize, other: usize) -> bool {
    let (one, two) = (by(SESSIONS[session]), by(SESSIONS[other]));
    session == other || one.is_named && one.caller == two.caller
}
