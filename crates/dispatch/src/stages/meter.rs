//! Gives each request of a call its meter, and decides what happens when a quota pauses (companion document on rate limits).
//!
//! A checked request in; what its permit asks before each sending out: pages, retries, redirects, hops and runs alike. When a quota
//! pauses, the token that came with the call is redeemed, the person behind the client is asked where that is set, or the call ends
//! with a token to go on with. Where an operator confirms, only the operator lets it go on.

use super::validate::CheckedRequest;
use crate::concurrency_limiter::line_of;
use crate::context::CallContext;
use crate::dispatcher::Dispatcher;
use crate::question_limiter::{QuestionLimiter, SECONDS_FOR_ONE};
use aqueduct_limiter::MeterOwner;
use aqueduct_operations::call::{CallOrigin, Caller, SessionId};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::{
    AskFailure, CallEnd, Confirmations, PERSON, QUOTA_TOKEN, Question, RequestDigest, TokenRefusal,
    TokenScope, masked,
};
use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::rate_limits::metering::{
    LimitRefusal, PauseAnswer, PauseHandler, PausedQuota, QuotaWarning, RequestMeter,
};
use aqueduct_operations::rate_limits::status::CounterStatus;
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_operations::sanitize::seen;
use aqueduct_operations::target::Target;
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The meter of a request; nothing for what this server answers itself.
pub fn meter(context: &CallContext<'_>, checked: &CheckedRequest<'_>) -> Option<Arc<dyn RequestMeter>> {
    if matches!(checked.entry.operation.target, Target::BuiltIn(_)) {
        return None;
    }
    let caller = line_of(context.origin);
    let pause_handler = Arc::clone(&context.pause_handler) as Arc<dyn PauseHandler>;
    let owner = MeterOwner { caller: caller.to_owned(), pause_handler };
    let sent = || Value::Object(Map::clone(&checked.values)).to_string();
    Some(context.dispatcher.limiters.meter(checked.entry, owner, sent))
}

/// Decides for one call when a quota pauses, and collects what it is warned of.
#[derive(Debug)]
pub struct CallPauseHandler {
    confirmations: Arc<dyn Confirmations>,
    questions: Arc<QuestionLimiter>,
    clock: Arc<dyn Clock>,
    asker: Option<Arc<dyn Elicitor>>,
    entry: RegistryEntry,
    values: Arc<Map<String, Value>>,
    controls: Map<String, Value>,
    session: SessionId,
    caller: Caller,
    token: Option<String>,
    goes_on: AtomicBool,
    warnings: Mutex<Vec<QuotaWarning>>,
}

impl CallPauseHandler {
    /// The handler of a call.
    pub fn new(
        dispatcher: &Dispatcher,
        checked: &CheckedRequest<'_>,
        origin: &CallOrigin,
    ) -> CallPauseHandler {
        let controls =
            checked.controls.all().map(|(control, value)| (control.name().to_owned(), value.clone()));
        CallPauseHandler {
            confirmations: Arc::clone(dispatcher.gatekeeper.confirmations()),
            questions: Arc::clone(&dispatcher.questions),
            clock: Arc::clone(&dispatcher.settings.clock),
            asker: origin.asker.clone().filter(|_| dispatcher.settings.asks_people),
            entry: checked.entry.clone(),
            values: Arc::clone(&checked.values),
            controls: controls.collect(),
            session: origin.session.clone(),
            caller: origin.caller.clone(),
            token: checked.quota_token.clone(),
            goes_on: AtomicBool::new(false),
            warnings: Mutex::default(),
        }
    }

    /// The warnings so far, the last of each metric.
    pub fn take_warnings(&self) -> Vec<Warning> {
        let taken = std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner));
        taken.iter().map(warning).collect()
    }

    async fn decided(&self, pause: &PausedQuota) -> Result<(), Box<LimitRefusal>> {
        let reasons = [format!("the quota {} is paused", pause.metric)];
        let question = self.question(&reasons);
        if let Some(token) = &self.token {
            return self.redeemed(token, &question, None).await;
        }
        let issued = self.confirmations.ask_to_continue(&question).await;
        let issued = issued.map_err(|failure| Box::new(LimitRefusal::NotAsked(failure)))?;
        let refused = |answer| Err(Box::new(LimitRefusal::Paused(pause.clone(), answer)));
        let Some(issued) = issued else { return refused(PauseAnswer::Operator) };
        let Some(asker) = &self.asker else { return refused(PauseAnswer::Token(issued)) };
        let asker = self.questions.bounded(asker, &pause.source, &self.session, &self.clock);
        let left = issued.expires_at.duration_since(self.clock.now());
        let left = Duration::try_from(left).unwrap_or_default();
        match tokio::time::timeout(left, asker.ask(self.form(pause))).await {
            Ok(ElicitResponse::Accepted(form))
                if form.get("answer").and_then(Value::as_str) == Some("yes") =>
            {
                self.redeemed(&issued.token, &question, Some(PERSON)).await
            }
            Ok(ElicitResponse::Declined) if asker.warning().is_some() => {
                let failure = AskFailure::RateLimited { retry_after_seconds: SECONDS_FOR_ONE };
                Err(Box::new(LimitRefusal::NotAsked(failure)))
            }
            Ok(ElicitResponse::Accepted(_) | ElicitResponse::Declined) => refused(PauseAnswer::Declined),
            Ok(ElicitResponse::Cancelled) | Err(_) => refused(PauseAnswer::Unanswered),
        }
    }

    /// Uses a token up, and lets the call go on.
    async fn redeemed(
        &self,
        token: &str,
        question: &Question<'_>,
        approver: Option<&str>,
    ) -> Result<(), Box<LimitRefusal>> {
        // A yes to a dangerous call is none to go on after a pause.
        if !token.starts_with(QUOTA_TOKEN) {
            return Err(Box::new(LimitRefusal::Token(TokenRefusal::Invalid { token: masked(token) })));
        }
        let question = Question {
            scope: question.scope.clone(),
            rule: question.rule.clone(),
            audit_context: None,
            approver,
            ..*question
        };
        let redeemed = self.confirmations.redeem(token, &question).await;
        let call = redeemed.map_err(|refusal| Box::new(LimitRefusal::Token(refusal)))?;
        call.finish(CallEnd::Succeeded).await;
        self.goes_on.store(true, Ordering::SeqCst);
        Ok(())
    }

    fn question<'q>(&'q self, reasons: &'q [String]) -> Question<'q> {
        let mut whole = Map::clone(&self.values);
        whole.insert("\u{0}controls".to_owned(), Value::Object(self.controls.clone()));
        let resolved = RequestDigest::of(&self.entry, &self.values, None);
        Question {
            scope: TokenScope::new(&self.session, &self.entry, Digest::of_values(&whole), resolved),
            caller: &self.caller,
            rule: "quota".to_owned(),
            danger: DangerLevel::Safe,
            cooldown_seconds: 0,
            reasons,
            message: None,
            needs_operator: false,
            audit_context: None,
            approver: None,
            shown: &|| Value::Null,
        }
    }

    fn form(&self, pause: &PausedQuota) -> ElicitRequest {
        let number = CounterStatus::number;
        let end =
            pause.hard_stop.map_or_else(String::new, |stop| format!(", and it stops with {}", number(stop)));
        let message = format!(
            "{} of {} has come to a pause: {} is {}, the pause is set to {}{end}. Go on with this call?",
            self.entry.public_name,
            pause.source,
            pause.metric,
            number(pause.current),
            number(pause.pause),
        );
        ElicitRequest {
            message: message.chars().map(seen).collect(),
            schema: json!({
                "type": "object",
                "properties": {
                    "answer": {"type": "string", "title": "Go on?", "description": "Nothing is sent without a yes.", "enum": ["no", "yes"]},
                },
                "required": ["answer"],
            }),
        }
    }
}

impl PauseHandler for CallPauseHandler {
    fn goes_on(&self) -> bool {
        self.goes_on.load(Ordering::SeqCst)
    }

    fn decide<'a>(&'a self, pause: &'a PausedQuota) -> Boxed<'a, Result<(), Box<LimitRefusal>>> {
        Box::pin(self.decided(pause))
    }

    fn warn(&self, warning: QuotaWarning) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.retain(|other| (&other.source, &other.metric) != (&warning.source, &warning.metric));
        warnings.push(warning);
    }
}

/// The warning of a quota: high above nine tenths of it.
fn warning(quota: &QuotaWarning) -> Warning {
    let number = CounterStatus::number;
    let whole = quota.hard_stop.or(quota.pause);
    let is_high = whole.is_some_and(|whole| quota.current > whole * 0.9);
    let mut warning = Warning::new("RATE_LIMIT_QUOTA_WARNING", "Approaching quota limit")
        .with("metric", quota.metric.as_str())
        .with("current", number(quota.current))
        .with("warn_threshold", number(quota.warn));
    let others = [("pause_threshold", quota.pause), ("hard_stop_threshold", quota.hard_stop)];
    for (name, threshold) in others {
        if let Some(threshold) = threshold {
            warning = warning.with(name, number(threshold));
        }
    }
    warning.rated(if is_high { WarningSeverity::High } else { WarningSeverity::Medium })
}
