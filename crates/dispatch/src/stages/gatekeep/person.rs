//! Asks the person behind a client whether a call may run, or a plan of calls (ruling S3).
//!
//! What waits for a confirmation in; out, the permit of the call or the yes to the plan when they agree, else why nothing runs. The
//! token stays in here, and only the answer to the question redeems it: nothing in the arguments of a call is an answer.

mod question;

use crate::context::CallContext;
use crate::dispatcher::Dispatcher;
use crate::pipeline::PlanConsent;
use crate::question_limiter::SECONDS_FOR_ONE;
use aqueduct_operations::call::{CallOrigin, SessionId};
use aqueduct_operations::gatekeeper::{
    AskFailure, ConfirmationInput, ConfirmationNeed, GateRefusal, GateRequest, IssuedToken, PERSON, Permit,
    PersonRefusal, PlanRefusal, PlannedCall, RefusedRequest,
};
use aqueduct_operations::handler::{ElicitRequest, ElicitResponse, Elicitor};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// The field of the form, and what it says when they agree.
const ANSWER: &str = "answer";
const YES: &str = "yes";

/// Why a question got no yes.
enum NotConfirmed {
    /// They did not agree.
    NotAgreed(PersonRefusal),
    /// They were not asked, because they were too often.
    NotAsked(AskFailure),
}

/// What a person is asked about, and the token that their yes redeems.
struct ConfirmationSubject<'m> {
    source: &'m str,
    session: &'m SessionId,
    question: String,
    issued: &'m IssuedToken,
    cooldown: Duration,
}

/// Puts a refused call to the person, if a yes is what it lacks and there is somebody to ask.
pub async fn ask<'a>(
    context: &CallContext<'a>,
    request: GateRequest<'a>,
    refused: RefusedRequest<'a>,
    shown: &(dyn Fn() -> Value + Sync),
) -> Result<Permit<'a>, Box<RefusedRequest<'a>>> {
    let (Some(asker), RefusedRequest { record, refusal: GateRefusal::ConfirmationNeeded(needed) }) =
        (asker(context.dispatcher, context.origin), &refused)
    else {
        return Err(Box::new(refused));
    };
    let ConfirmationNeed::Token(issued) = &needed.need else { return Err(Box::new(refused)) };
    let matter = ConfirmationSubject {
        source: &record.entry().source.name,
        session: record.session(),
        question: question::about_call(&shown(), needed),
        issued,
        cooldown: Duration::from_secs(record.operation().danger.cooldown_seconds),
    };
    let gatekeeper = &context.dispatcher.gatekeeper;
    let refusal = match put(context.dispatcher, asker, matter).await {
        Ok(()) => {
            let given = ConfirmationInput {
                token: Some(&issued.token),
                approver: Some(PERSON),
                asks_person: true,
                shown,
            };
            return gatekeeper.admit(request, given).await;
        }
        Err(NotConfirmed::NotAgreed(refusal)) => GateRefusal::NotAgreed(refusal),
        Err(NotConfirmed::NotAsked(failure)) => GateRefusal::NotAsked(failure),
    };
    Err(gatekeeper.refuse(refused.record, refusal))
}

/// Puts all calls of a refused plan to the person in one question, if a yes is what they lack and there is somebody to ask. Their yes
/// is what each of the calls redeems when it runs.
pub async fn ask_about_plan(
    dispatcher: &Dispatcher,
    origin: &CallOrigin,
    calls: &[PlannedCall<'_>],
    refusal: PlanRefusal,
) -> Result<PlanConsent, PlanRefusal> {
    let (Some(asker), PlanRefusal::ConfirmationNeeded(ConfirmationNeed::Token(issued)), Some(first)) =
        (asker(dispatcher, origin), &refusal, calls.first())
    else {
        return Err(refusal);
    };
    let Some(question) = question::about_plan(calls) else {
        return Err(dispatcher.gatekeeper.refuse_plan(calls, PlanRefusal::TooLong));
    };
    let seconds = calls.iter().map(|call| call.entry().operation.danger.cooldown_seconds).max();
    let matter = ConfirmationSubject {
        source: &first.entry().source.name,
        session: &origin.session,
        question,
        issued,
        cooldown: Duration::from_secs(seconds.unwrap_or_default()),
    };
    let refusal = match put(dispatcher, asker, matter).await {
        Ok(()) => return Ok(PlanConsent { token: issued.token.clone(), approver: PERSON }),
        Err(NotConfirmed::NotAgreed(refusal)) => PlanRefusal::NotAgreed(refusal),
        Err(NotConfirmed::NotAsked(failure)) => PlanRefusal::NotAsked(failure),
    };
    Err(dispatcher.gatekeeper.refuse_plan(calls, refusal))
}

/// True where the person behind the client is asked.
pub fn is_asked(context: &CallContext<'_>) -> bool {
    asker(context.dispatcher, context.origin).is_some()
}

/// Whom to ask, where people are asked.
fn asker<'o>(dispatcher: &Dispatcher, origin: &'o CallOrigin) -> Option<&'o Arc<dyn Elicitor>> {
    origin.asker.as_ref().filter(|_| dispatcher.settings.asks_people)
}

/// Puts the question, and waits for a yes. A quick one waits until the token can be used.
async fn put(
    dispatcher: &Dispatcher,
    asker: &Arc<dyn Elicitor>,
    matter: ConfirmationSubject<'_>,
) -> Result<(), NotConfirmed> {
    let clock = &dispatcher.settings.clock;
    let asker = dispatcher.questions.bounded(asker, matter.source, matter.session, clock);
    let usable_at = Instant::now().checked_add(matter.cooldown);
    let left = matter.issued.expires_at.duration_since(clock.now());
    // A yes after the token has expired is none.
    let left = Duration::try_from(left).unwrap_or_default();
    let question = ElicitRequest { message: matter.question, schema: form() };
    let answer = timeout(left, asker.ask(question)).await;
    match (answer.unwrap_or(ElicitResponse::Cancelled), usable_at) {
        (ElicitResponse::Accepted(form), Some(usable_at))
            if form.get(ANSWER).and_then(Value::as_str) == Some(YES) =>
        {
            sleep_until(usable_at).await;
            Ok(())
        }
        // No person was asked.
        (ElicitResponse::Declined, _) if asker.warning().is_some() => {
            Err(NotConfirmed::NotAsked(AskFailure::RateLimited { retry_after_seconds: SECONDS_FOR_ONE }))
        }
        (ElicitResponse::Accepted(_) | ElicitResponse::Declined, _) => {
            Err(NotConfirmed::NotAgreed(PersonRefusal::Declined))
        }
        (ElicitResponse::Cancelled, _) => Err(NotConfirmed::NotAgreed(PersonRefusal::Unanswered)),
    }
}

/// The form: a choice without a default, so that a form sent off untouched is no yes.
fn form() -> Value {
    json!({
        "type": "object",
        "properties": {
            ANSWER: {"type": "string", "title": "Run this?", "description": "Nothing is sent without a yes.", "enum": ["no", YES]},
        },
        "required": [ANSWER],
    })
}
