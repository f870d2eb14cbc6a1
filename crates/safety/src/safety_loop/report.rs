//! A report of an agent: evaluated, kept, and answered with a directive.
//!
//! The values of `record_execution_step` in, the directive out. Nothing is answered before it is kept: what fails lets no one go on.

use super::handlers::not_running;
use super::served::HintWords;
use super::{SafetyLoop, agent_of, blocked, hint_key, lost, text_of};
use crate::agents::agent_name::AgentName;
use crate::agents::directive::{
    AgentNotification, AutonomyDirective, NotificationFacts, NotificationKind, SafetyTier,
};
use crate::agents::evaluate::{
    Effect, FirstStages, ReleasedBy, Stage, StepDecision, StepOutcome, StepReport, evaluate, first_stages,
};
use crate::agents::settings::AgentSettings;
use crate::hooks::WaitingAgent;
use aqueduct_operations::autonomy::SafetyMode;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::handler::HandlerError;
use aqueduct_store::agents::{
    AgentNotice, AgentRelease, AgentRun, AgentState, RecordStep, Recorded, ReleaseRecipient, StepEffect,
};
use serde_json::{Map, Value, json};

/// How often a report is evaluated again that others have overtaken.
const ATTEMPTS: usize = 8;

/// What stands in the place of a stage where nothing is evaluated.
const NOT_EVALUATED: &str = "not_evaluated";

/// What an agent says.
struct ReportedStep<'v> {
    agent: &'v AgentName,
    hint: &'v str,
    hint_key: String,
    outcome: Option<StepOutcome>,
    outcome_word: Option<&'v str>,
    names: Option<DangerLevel>,
}

/// How a report is kept.
struct StepRecord<'s> {
    /// The stage that decided, or what stands in its place.
    stage: &'s str,
    effect: Effect,
    /// The yes that it was evaluated with.
    release: Option<&'s str>,
}

impl SafetyLoop {
    /// Takes a report.
    pub(super) async fn report(
        &self,
        values: &Map<String, Value>,
        session: &str,
    ) -> Result<Value, HandlerError> {
        let agent = agent_of(values)?;
        let hint = text_of(values, "next_action_hint").unwrap_or_default();
        let outcome_word = text_of(values, "outcome");
        let outcome = outcome_word.and_then(StepOutcome::parse);
        let names = self.served().worst_in(&HintWords::of(hint));
        let said =
            ReportedStep { agent: &agent, hint, hint_key: hint_key(hint), outcome, outcome_word, names };
        if said.hint_key.is_empty() {
            let message = "Say what you are about to do in words: the tool, its target and why.";
            return Err(HandlerError::invalid("next_action_hint", message));
        }
        let settings = self.settings_of(&agent)?;
        for _ in 0..ATTEMPTS {
            let state = self.store.agent_state(agent.key(), session, &self.instance, &said.hint_key).await;
            let state = state.map_err(lost)?;
            if let Some(challenge) = &state.block {
                return Err(blocked(&agent, challenge));
            }
            let Some(run) = state.run.clone() else { return Err(not_running(&agent)) };
            if let Some(directive) = self.answer(&said, &settings, &state, &run).await? {
                return Ok(
                    json!({"execution_id": run.id, "element_name": agent.shown(), "directive": directive}),
                );
            }
        }
        Err(HandlerError::unavailable(
            "Several reports of this agent came at once. Report one action after the other.",
        ))
    }

    /// The directive on a report; nothing when another one has overtaken it.
    async fn answer(
        &self,
        said: &ReportedStep<'_>,
        settings: &AgentSettings,
        state: &AgentState,
        run: &AgentRun,
    ) -> Result<Option<AutonomyDirective>, HandlerError> {
        let mode = self.mode();
        if mode == SafetyMode::Logging || mode == SafetyMode::Disabled {
            let factors = vec!["logging mode: not evaluated".to_owned()];
            let verdict = allowed(factors);
            let keeping = StepRecord { stage: NOT_EVALUATED, effect: Effect::Continue, release: None };
            let recorded = self.keep(said, run, &verdict, keeping).await?;
            return Ok(recorded.then(|| directive(&verdict, Effect::Continue, None, &state.notices)));
        }
        let (release, used) = release_for(&state.releases, said.hint);
        let mut verdict = self.verdict(said, settings, state, release).await;
        if mode == SafetyMode::Monitoring {
            let would = verdict.effect;
            if would != Effect::Continue {
                verdict.factors.push(format!("monitoring mode: it would have been {}", word(would)));
            }
            let keeping = StepRecord { stage: verdict.stage.name(), effect: Effect::Continue, release: used };
            let recorded = self.keep(said, run, &verdict, keeping).await?;
            let left = steps_left(settings, run, true);
            return Ok(recorded.then(|| directive(&verdict, Effect::Continue, Some(left), &state.notices)));
        }
        // Reporting something else does not end a pause; only what is worse than waiting is looked at.
        if is_waiting(state) && verdict.effect != Effect::Block {
            return Ok(Some(still_waiting(state)));
        }
        let effect = verdict.effect;
        let keeping = StepRecord { stage: verdict.stage.name(), effect, release: used };
        if !self.keep(said, run, &verdict, keeping).await? {
            return Ok(None);
        }
        if let Some(state) = waits_as(effect) {
            self.tell(WaitingAgent {
                agent: said.agent.shown().to_owned(),
                caller: run.caller.clone(),
                state,
                hint: said.hint.to_owned(),
                reason: verdict.reason.clone().unwrap_or_default(),
            });
        }
        let notices = if effect == Effect::Continue {
            state.notices.clone()
        } else {
            self.store.agent_notices(said.agent.key()).await.map_err(lost)?
        };
        let left = steps_left(settings, run, effect == Effect::Continue);
        Ok(Some(directive(&verdict, effect, Some(left), &notices)))
    }

    async fn verdict(
        &self,
        said: &ReportedStep<'_>,
        settings: &AgentSettings,
        state: &AgentState,
        release: ReleasedBy,
    ) -> StepDecision {
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        let is_waiting = is_waiting(state);
        let (steps, risk) = state.run.as_ref().map_or((0, 0), |run| (run.steps, run.risk));
        let report = StepReport {
            hint: said.hint,
            // Of an agent that waits, the action is looked at.
            outcome: said.outcome.filter(|_| !is_waiting),
            step: if is_waiting { 0 } else { count(steps) + 1 },
            release,
            repeated: count(state.repeated),
            cumulative_risk: count(risk),
            names: said.names,
        };
        let Some(hook) = &self.settings.scorer else { return evaluate(report, settings) };
        match first_stages(report, settings) {
            FirstStages::Decided(verdict) => verdict,
            FirstStages::AwaitingScore(awaiting) => {
                let score = hook.score(said.agent.shown(), said.hint).await;
                awaiting.last_stages(score)
            }
        }
    }

    /// Keeps a step; false when another one has overtaken it.
    async fn keep(
        &self,
        said: &ReportedStep<'_>,
        run: &AgentRun,
        verdict: &StepDecision,
        kept: StepRecord<'_>,
    ) -> Result<bool, HandlerError> {
        let StepRecord { stage, effect, release } = kept;
        tracing::info!(
            target: "aqueduct::agents",
            agent = said.agent.key(),
            stage,
            score = verdict.score,
            effect = word(verdict.effect),
            mode = self.mode().name(),
            "step"
        );
        let step = RecordStep {
            run: run.id.clone(),
            reported: run.reported,
            agent: said.agent.key().to_owned(),
            name: said.agent.shown().to_owned(),
            instance: self.instance.clone(),
            hint: said.hint.to_owned(),
            hint_key: said.hint_key.clone(),
            outcome: said.outcome_word.map(str::to_owned),
            effect: match effect {
                Effect::Continue => StepEffect::Continue,
                Effect::Pause => StepEffect::Pause,
                Effect::Verify => StepEffect::Verify,
                Effect::Block => StepEffect::Block,
            },
            stage: stage.to_owned(),
            reason: verdict.reason.clone().unwrap_or_default(),
            score: verdict.score,
            release: release.map(str::to_owned),
            is_permission: verdict.stage == Stage::Patterns,
            challenge_ttl: self.settings.challenge_ttl,
        };
        let recorded = self.store.record_agent_step(step).await.map_err(lost)?;
        Ok(matches!(recorded, Recorded::Done { .. }))
    }
}

/// What a person has said yes to, as far as it is for this hint; and the yes.
fn release_for<'s>(releases: &'s [AgentRelease], said: &str) -> (ReleasedBy, Option<&'s str>) {
    let allows = |release: &AgentRelease| {
        let is_same = is_same_action(&release.hint, said);
        match release.release.as_str() {
            "verified" if is_same => ReleasedBy::Verified,
            "confirmed" if is_same => ReleasedBy::Confirmed,
            // Which is about what the run has done before, not about an action.
            "go_on" if release.given_to != ReleaseRecipient::AnotherRun => ReleasedBy::GoOn,
            _ => ReleasedBy::None,
        }
    };
    let best = releases.iter().max_by_key(|release| allows(release));
    match best.map(|best| (allows(best), best.id.as_str())) {
        None | Some((ReleasedBy::None, _)) => (ReleasedBy::None, None),
        Some((allowed, id)) => (allowed, Some(id)),
    }
}

/// True for one action: a person has said yes to these words and signs, and to nothing that reads like them. White space may differ, lines
/// may not.
fn is_same_action(one: &str, other: &str) -> bool {
    lines_of(one) == lines_of(other)
}

fn lines_of(text: &str) -> Vec<Vec<&str>> {
    let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<&str>>());
    words.filter(|words| !words.is_empty()).collect()
}

fn allowed(factors: Vec<String>) -> StepDecision {
    let (effect, stage) = (Effect::Continue, Stage::StepLimit);
    StepDecision { effect, stage, reason: None, factors, tier: None, score: None }
}

fn steps_left(settings: &AgentSettings, run: &AgentRun, is_taken: bool) -> u64 {
    let taken = u64::try_from(run.steps).unwrap_or_default() + u64::from(is_taken);
    settings.max_autonomous_steps.saturating_sub(taken)
}

fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Continue => "continued",
        Effect::Pause => "paused",
        Effect::Verify => "paused for a verification",
        Effect::Block => "blocked",
    }
}

/// What an agent waits for, which a listener is told.
fn waits_as(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::Continue => None,
        Effect::Pause => Some("paused"),
        Effect::Verify => Some("verification_needed"),
        Effect::Block => Some("blocked"),
    }
}

fn directive(
    verdict: &StepDecision,
    effect: Effect,
    left: Option<u64>,
    notices: &[AgentNotice],
) -> AutonomyDirective {
    AutonomyDirective {
        may_continue: effect == Effect::Continue,
        factors: verdict.factors.clone(),
        stopped: effect == Effect::Block,
        reason: verdict.reason.clone().filter(|_| effect != Effect::Continue),
        steps_remaining: left,
        next_step_risk: verdict.tier,
        notifications: notices.iter().map(notification).collect(),
    }
}

/// True for an agent that was paused before, by this run or by another one of it, and still is.
fn is_waiting(state: &AgentState) -> bool {
    state.pause.is_some() || state.verification.is_some()
}

/// What such an agent is told.
fn still_waiting(state: &AgentState) -> AutonomyDirective {
    let (reason, factor) = match &state.verification {
        Some(challenge) => (
            format!("Verification pending: challenge {}", challenge.id),
            "A person has to enter the code of the challenge, which only the operator can see",
        ),
        None => (
            state.pause.clone().unwrap_or_else(|| "The agent is paused".to_owned()),
            "The agent is paused until a person confirms; reporting again does not end it",
        ),
    };
    AutonomyDirective {
        may_continue: false,
        factors: vec![factor.to_owned()],
        stopped: false,
        reason: Some(reason),
        steps_remaining: None,
        next_step_risk: state.verification.as_ref().map(|_| SafetyTier::Verify),
        notifications: state.notices.iter().map(notification).collect(),
    }
}

fn notification(notice: &AgentNotice) -> AgentNotification {
    let kinds = NotificationKind::ALL.into_iter();
    let kind = kinds.into_iter().find(|kind| kind.name() == notice.kind).unwrap_or(NotificationKind::Status);
    let metadata = NotificationFacts {
        operation: notice.operation.clone(),
        reason: notice.reason.clone(),
        level: notice.level.clone(),
        verification_id: notice.challenge.clone(),
    };
    AgentNotification::new(kind, notice.message.clone(), metadata, notice.made_at)
}
