//! The five stages that a report passes, in order; the first that pauses or stops ends it (core specification, section 8.7.2).
//!
//! A report and the settings of its agent in, a verdict out. Stages 1 to 3 need no score; the caller gets one for what passes
//! them, and then asks stages 4 and 5. Pure: what follows from a verdict is done elsewhere.

use super::directive::SafetyTier;
use super::hint_forms::{HintForm, HintForms, hint_forms};
use super::patterns::HintTexts;
use super::risk::{self, RiskScore};
use super::settings::AgentSettings;
use aqueduct_operations::danger::DangerLevel;

/// How the step before ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    /// Well.
    Success,
    /// Not well.
    Failure,
    /// It was not taken.
    Skipped,
}

impl StepOutcome {
    /// Reads the word for it.
    pub fn parse(text: &str) -> Option<StepOutcome> {
        match text {
            "success" => Some(StepOutcome::Success),
            "failure" => Some(StepOutcome::Failure),
            "skipped" => Some(StepOutcome::Skipped),
            _ => None,
        }
    }
}

/// What an agent reports, and what is known of its run.
#[derive(Debug, Clone, Copy)]
pub struct StepReport<'a> {
    /// What it is about to do.
    pub hint: &'a str,
    /// How the step before ended.
    pub outcome: Option<StepOutcome>,
    /// Which step it is since somebody looked, from 1.
    pub step: u64,
    /// What a person has said yes to.
    pub release: ReleasedBy,
    /// The same hint was reported so often before.
    pub repeated: u64,
    /// What the steps before add up to.
    pub cumulative_risk: u64,
    /// The level of the worst operation that it names, of those that are served here.
    pub names: Option<DangerLevel>,
}

/// What a person has said yes to since the agent was paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum ReleasedBy {
    /// Nothing.
    #[default]
    None,
    /// To going on: the step limit and the failure before, not the action.
    GoOn,
    /// To this action, up to the tier `confirm`.
    Confirmed,
    /// To this action, by a code.
    Verified,
}

/// What becomes of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It goes on.
    Continue,
    /// It waits for a confirmation.
    Pause,
    /// It waits for a code.
    Verify,
    /// It is blocked until a code comes.
    Block,
}

/// Which stage decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// 1
    StepLimit,
    /// 2
    PreviousOutcome,
    /// 3
    Patterns,
    /// 4
    SafetyTier,
    /// 5
    RiskTolerance,
}

impl Stage {
    /// The word for it, as it is kept.
    pub fn name(self) -> &'static str {
        match self {
            Stage::StepLimit => "step_limit",
            Stage::PreviousOutcome => "previous_outcome",
            Stage::Patterns => "patterns",
            Stage::SafetyTier => "safety_tier",
            Stage::RiskTolerance => "risk_tolerance",
        }
    }
}

/// What was decided about a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepDecision {
    /// What becomes of the agent.
    pub effect: Effect,
    /// Which stage decided.
    pub stage: Stage,
    /// Why, in a few words; nothing when it goes on.
    pub reason: Option<String>,
    /// Why, for a person.
    pub factors: Vec<String>,
    /// The tier of the action, where it was looked at.
    pub tier: Option<SafetyTier>,
    /// Its score, where it has one.
    pub score: Option<u8>,
}

/// A report that stages 1 to 3 let through, waiting for its score.
#[derive(Debug)]
pub struct AwaitingScore<'a> {
    report: StepReport<'a>,
    settings: &'a AgentSettings,
    hint_forms: HintForms,
}

/// What stages 1 to 3 say.
#[derive(Debug)]
pub enum FirstStages<'a> {
    /// It is decided.
    Decided(StepDecision),
    /// The score decides.
    AwaitingScore(AwaitingScore<'a>),
}

/// Stages 1 to 3.
pub fn first_stages<'a>(report: StepReport<'a>, settings: &'a AgentSettings) -> FirstStages<'a> {
    let hint_forms = hint_forms(report.hint);
    match decide_first(&report, settings, &hint_forms) {
        Some(verdict) => FirstStages::Decided(verdict),
        None => FirstStages::AwaitingScore(AwaitingScore { report, settings, hint_forms }),
    }
}

/// The verdict of all stages, with the score of the rules.
pub fn evaluate(report: StepReport<'_>, settings: &AgentSettings) -> StepDecision {
    match first_stages(report, settings) {
        FirstStages::Decided(verdict) => verdict,
        FirstStages::AwaitingScore(awaiting) => {
            let score = awaiting.score();
            awaiting.last_stages(score)
        }
    }
}

/// The deny pattern that names something in a hint, whatever else is known.
pub fn denied<'s>(hint: &str, settings: &'s AgentSettings) -> Option<&'s str> {
    first_denied(&texts_of(&hint_forms(hint)), settings)
}

fn texts_of(hint_forms: &HintForms) -> Vec<HintTexts> {
    hint_forms.texts.iter().map(|form| HintTexts::of(&form.folded)).collect()
}

fn first_denied<'s>(texts: &[HintTexts], settings: &'s AgentSettings) -> Option<&'s str> {
    texts.iter().find_map(|text| settings.deny.first_match(text))
}

fn decide_first(
    report: &StepReport<'_>,
    settings: &AgentSettings,
    hint_forms: &HintForms,
) -> Option<StepDecision> {
    let limit = settings.max_autonomous_steps;
    if report.step > limit {
        return Some(StepDecision {
            effect: Effect::Pause,
            stage: Stage::StepLimit,
            reason: Some("Step limit exceeded".to_owned()),
            factors: vec![format!("{limit} steps were taken since a person last looked")],
            tier: None,
            score: None,
        });
    }
    if report.outcome == Some(StepOutcome::Failure) && report.release == ReleasedBy::None {
        return Some(StepDecision {
            effect: Effect::Pause,
            stage: Stage::PreviousOutcome,
            reason: Some("The previous step failed".to_owned()),
            factors: vec!["The previous step failed, and a person decides whether to go on".to_owned()],
            tier: None,
            score: None,
        });
    }
    by_patterns(report, settings, hint_forms)
}

fn by_patterns(report: &StepReport<'_>, settings: &AgentSettings, hint: &HintForms) -> Option<StepDecision> {
    let texts = texts_of(hint);
    let decided = |effect, reason: &str, factor: String, tier| {
        let reason = format!("{reason}: {}", short(report.hint));
        let (stage, factors) = (Stage::Patterns, vec![factor]);
        Some(StepDecision { effect, stage, reason: Some(reason), factors, tier: Some(tier), score: None })
    };
    if report.release < ReleasedBy::Verified
        && let Some(pattern) = first_denied(&texts, settings)
    {
        let factor = format!("It matches the deny pattern '{pattern}'");
        return decided(Effect::Block, "Action is denied", factor, SafetyTier::DangerZone);
    }
    if report.release < ReleasedBy::Confirmed
        && let Some(pattern) = texts.iter().find_map(|text| settings.requires_approval.first_match(text))
    {
        let factor = format!("It matches the requires_approval pattern '{pattern}'");
        return decided(Effect::Pause, "Action requires approval", factor, SafetyTier::Confirm);
    }
    let [HintForm { folded, hidden_as: None }] = hint.texts.as_slice() else { return None };
    // Nor does a pattern vouch for an operation whose author says that it does harm.
    if folded.is_disguised || report.names >= Some(DangerLevel::Destructive) {
        return None;
    }
    // Nor for a command or a file that is known to be dangerous, whose signs are no words.
    if risk::names_command(&folded.plain) {
        return None;
    }
    let approved = settings.auto_approve.first_match(folded)?;
    // A pattern vouches for what it names. What its star covers may be anything.
    let beside = risk::score(&hint_forms(&approved.beside));
    let is_one_action = !super::risk::has_several_actions(&folded.plain);
    (is_one_action && SafetyTier::of(beside.score) == SafetyTier::Advisory).then(|| StepDecision {
        effect: Effect::Continue,
        stage: Stage::Patterns,
        reason: None,
        factors: vec![format!("It matches the auto_approve pattern '{}'", approved.pattern)],
        tier: Some(SafetyTier::Advisory),
        score: None,
    })
}

impl AwaitingScore<'_> {
    /// The score by the rules.
    pub fn score(&self) -> RiskScore {
        risk::score(&self.hint_forms)
    }

    /// Stages 4 and 5.
    pub fn last_stages(&self, risk: RiskScore) -> StepDecision {
        let risk = risk.at_least_for_hiding(&self.hint_forms);
        let risk = match self.report.names {
            Some(level) => risk.at_least_for(level),
            None => risk,
        };
        let risk = risk::escalated(risk, self.report.repeated, self.report.cumulative_risk);
        let RiskScore { score, mut factors } = risk;
        let tier = SafetyTier::of(score);
        let threshold = self.settings.risk_tolerance.threshold();
        let release = self.report.release;
        let (effect, stage) = match tier {
            SafetyTier::DangerZone if release < ReleasedBy::Verified => (Effect::Block, Stage::SafetyTier),
            SafetyTier::Verify if release < ReleasedBy::Verified => (Effect::Verify, Stage::SafetyTier),
            SafetyTier::Confirm if release < ReleasedBy::Confirmed => (Effect::Pause, Stage::SafetyTier),
            _ if score > threshold && release < ReleasedBy::Confirmed => {
                (Effect::Pause, Stage::RiskTolerance)
            }
            _ => (Effect::Continue, Stage::RiskTolerance),
        };
        if factors.is_empty() {
            factors.push("Nothing in it looks dangerous".to_owned());
        }
        if stage == Stage::RiskTolerance && effect == Effect::Pause {
            let name = self.settings.risk_tolerance.name();
            factors.push(format!("The risk of {score} is above {threshold}, the threshold of '{name}'"));
        } else {
            factors.push(format!("The risk is {score} of 100 ({})", tier.name()));
        }
        let reason = match effect {
            Effect::Continue => None,
            Effect::Pause => Some(format!("Action needs a confirmation: {}", short(self.report.hint))),
            Effect::Verify => Some(format!("Action needs a verification: {}", short(self.report.hint))),
            Effect::Block => Some(format!("Action is too dangerous: {}", short(self.report.hint))),
        };
        StepDecision { effect, stage, reason, factors, tier: Some(tier), score: Some(score) }
    }
}

/// A hint as reasons quote it.
pub fn short(hint: &str) -> String {
    const LONGEST: usize = 120;
    let plain = aqueduct_operations::sanitize::plain(hint).replace(['\n', '\t'], " ");
    let mut characters = plain.chars();
    let start: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() { format!("{start}...") } else { start }
}

#[cfg(test)]
mod tests;
