//! Asks the person behind a client whether a call may run (ruling S3).
//!
//! A call that waits for a confirmation in; its permit out when they agree, else why it does not run. The token of the call stays
//! in here, and only the answer to the question redeems it: nothing in the arguments of a call is an answer.

use crate::context::CallContext;
use crate::preview;
use crate::question_limiter::SECONDS_FOR_ONE;
use aqueduct_operations::failure::wording::{abridged, shortened};
use aqueduct_operations::gatekeeper::{
    AskFailure, AskedFor, GateRefusal, GateRequest, GivenConfirmation, IssuedToken, NeededConfirmation,
    PERSON, Permit, PersonRefusal, RefusedRequest,
};
use aqueduct_operations::handler::{ElicitRequest, ElicitResponse, Elicitor};
use aqueduct_operations::sanitize::seen;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// The field of the form, and what it says when they agree.
const ANSWER: &str = "answer";
const YES: &str = "yes";

/// Characters of a question.
const LONGEST_QUESTION: usize = 6_000;

/// Characters that are shown of a value.
const LONGEST_VALUE: usize = 400;

/// Characters that are shown of what would be sent.
const LONGEST_REQUEST: usize = 1_000;

/// Puts a refused call to the person, if a yes is what it lacks and there is somebody to ask.
pub async fn ask<'a>(
    context: &CallContext<'a>,
    request: GateRequest<'a>,
    refused: RefusedRequest<'a>,
    shown: &(dyn Fn() -> Value + Sync),
) -> Result<Permit<'a>, Box<RefusedRequest<'a>>> {
    let asker = context.origin.asker.as_ref().filter(|_| context.dispatcher.settings.asks_people);
    let (Some(asker), RefusedRequest { record, refusal: GateRefusal::ConfirmationNeeded(needed) }) =
        (asker, &refused)
    else {
        return Err(Box::new(refused));
    };
    let AskedFor::Token(issued) = &needed.asked else { return Err(Box::new(refused)) };
    let (settings, gatekeeper) = (&context.dispatcher.settings, &context.dispatcher.gatekeeper);
    let (source, session) = (&record.entry().source.name, record.session());
    let asker = context.dispatcher.questions.bounded(asker, source, session, &settings.clock);
    let usable_at = Instant::now() + Duration::from_secs(record.operation().danger.cooldown_seconds);
    let question = ElicitRequest { message: question(&shown(), needed), schema: form() };
    let answer = timeout(time_left(context, issued), asker.ask(question)).await;
    let refusal = match answer.unwrap_or(ElicitResponse::Cancelled) {
        ElicitResponse::Accepted(form) if form.get(ANSWER).and_then(Value::as_str) == Some(YES) => {
            sleep_until(usable_at).await;
            let given = GivenConfirmation { token: Some(&issued.token), approver: Some(PERSON), shown };
            return gatekeeper.admit(request, given).await;
        }
        // Nobody was asked.
        ElicitResponse::Declined if asker.warning().is_some() => {
            GateRefusal::NotAsked(AskFailure::RateLimited { retry_after_seconds: SECONDS_FOR_ONE })
        }
        ElicitResponse::Accepted(_) | ElicitResponse::Declined => {
            GateRefusal::NotAgreed(PersonRefusal::Declined)
        }
        ElicitResponse::Cancelled => GateRefusal::NotAgreed(PersonRefusal::Unanswered),
    };
    Err(gatekeeper.refuse(refused.record, refusal))
}

/// How long the token of the call can still be redeemed: a later yes is none.
fn time_left(context: &CallContext<'_>, issued: &IssuedToken) -> Duration {
    let left = issued.expires_at.duration_since(context.dispatcher.settings.clock.now());
    Duration::try_from(left).unwrap_or_default()
}

/// The form: a choice without a default, so that a form sent off untouched is no yes.
fn form() -> Value {
    json!({
        "type": "object",
        "properties": {
            ANSWER: {"type": "string", "title": "Run this call?", "description": "Nothing is sent without a yes.", "enum": ["no", YES]},
        },
        "required": [ANSWER],
    })
}

/// What the person reads: what would run first, and the words of others last, each on a line of its own that they cannot leave.
fn question(shown: &Value, needed: &NeededConfirmation) -> String {
    let text = |key: &str| shown[key].as_str().unwrap_or_default();
    let (operation, source) = (text("operation"), text("source"));
    let mut lines =
        vec![format!("Run {operation} of {source}? Its danger is {}.", needed.danger_level.name())];
    let sends = preview::in_words(&shown["request"]);
    if !sends.is_empty() {
        lines.push(format!("It sends: {}", abridged(&sends, LONGEST_REQUEST)));
    }
    lines.push(format!("You are asked because: {}", needed.reasons.join("; ")));
    lines.extend(needed.message.as_ref().map(|message| format!("The adapter says: {message}")));
    let params = shown["params"].as_object().into_iter().flatten();
    lines.extend(
        params.map(|(name, value)| format!("  {name}: {}", abridged(&value.to_string(), LONGEST_VALUE))),
    );
    let lines: Vec<String> = lines.iter().map(|line| line.chars().map(seen).collect()).collect();
    let whole = lines.join("\n");
    let cut = shortened(&whole, LONGEST_QUESTION);
    if cut == whole { whole } else { format!("{cut}\nThe call is longer than can be shown here.") }
}
