//! What the operator does besides answering calls: lets paused quotas and agents go on, lifts blocks, ends executions, asks for codes.
//!
//! Forms in; a page out that says what was done. A code is in the one response to the caller that asks for it, and nowhere else.

use super::backend::{BackendError, ExecutionCancelled, ReleaseTarget, RevealRequest};
use super::form::Form;
use super::routes::{PageState, Shared, see};
use super::session::{SessionUse, SignedIn};
use super::view;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderMap;

/// Lets a paused quota go on.
pub async fn go_on(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let (source, metric) = (text(&form, "source"), text(&form, "metric"));
    let done = format!("{metric} of {source} goes on until it starts again");
    allow(page, key, headers, &form, (ReleaseTarget::Quota { source, metric }, done)).await
}

/// Lets a paused agent go on.
pub async fn release(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let agent = text(&form, "agent");
    let done = format!("{agent} may go on; it reports its action again");
    allow(page, key, headers, &form, (ReleaseTarget::PausedAgent { agent }, done)).await
}

/// Lifts a block without a code.
pub async fn unblock(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let agent = text(&form, "agent");
    let done = format!("The block of {agent} is lifted; the audit has it");
    allow(page, key, headers, &form, (ReleaseTarget::BlockedAgent { agent }, done)).await
}

/// Ends an execution.
pub async fn cancel(
    State(page): Shared,
    Path(key): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let form = Form::read(&body);
    let who = match sender(&page, &key, &headers, &form).await {
        Ok(who) => who,
        Err(refusal) => return refusal,
    };
    page.counts.act("cancel");
    match page.backend.cancel(text(&form, "id")).await {
        Ok(ended) => page.sessions.set_notice(&key, notice_text(&ended)),
        Err(BackendError) => return page.unavailable(&who),
    }
    see(&who.base_path())
}

/// What the next page says about an execution.
fn notice_text(ended: &ExecutionCancelled) -> String {
    match ended {
        ExecutionCancelled::Done(execution) => match view::outcome_text(execution) {
            Some(words) => format!("cancelled {}; {words}", execution.operation),
            None => format!("cancelled {}", execution.operation),
        },
        ExecutionCancelled::TooLate(execution) => {
            format!("Too late: {} was {} before", execution.operation, execution.status)
        }
        ExecutionCancelled::Unknown => "This execution is not there any more".to_owned(),
    }
}

/// Shows the code of a challenge.
pub async fn code(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let wanted = RevealRequest::ChallengeCode { id: text(&form, "id") };
    reveal(page, key, headers, &form, wanted).await
}

/// Shows a token for somebody else.
pub async fn pause_token(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let wanted = RevealRequest::PauseToken { agent: text(&form, "agent") };
    reveal(page, key, headers, &form, wanted).await
}

async fn allow(
    State(page): Shared,
    Path(key): Path<String>,
    headers: HeaderMap,
    form: &Form,
    (allowance, done): (ReleaseTarget, String),
) -> Response {
    let who = match sender(&page, &key, &headers, form).await {
        Ok(who) => who,
        Err(refusal) => return refusal,
    };
    page.counts.act(match allowance {
        ReleaseTarget::Quota { .. } => "continue",
        ReleaseTarget::PausedAgent { .. } => "release",
        ReleaseTarget::BlockedAgent { .. } => "unblock",
    });
    match page.backend.allow(allowance).await {
        Ok(true) => page.sessions.set_notice(&key, done),
        Ok(false) => page.sessions.set_notice(&key, "Nothing waits for that any more".to_owned()),
        Err(BackendError) => return page.unavailable(&who),
    }
    see(&who.base_path())
}

async fn reveal(
    State(page): Shared,
    Path(key): Path<String>,
    headers: HeaderMap,
    form: &Form,
    wanted: RevealRequest,
) -> Response {
    let who = match sender(&page, &key, &headers, form).await {
        Ok(who) => who,
        Err(refusal) => return refusal,
    };
    page.counts.act(match wanted {
        RevealRequest::ChallengeCode { .. } => "code",
        RevealRequest::PauseToken { .. } => "pause_token",
    });
    match page.backend.reveal(wanted).await {
        Ok(Some(revealed)) => page.framed(&who, "Secret", &view::revealed(&who, &revealed)),
        Ok(None) => {
            page.sessions.set_notice(&key, "Nothing waits for that any more".to_owned());
            see(&who.base_path())
        }
        Err(BackendError) => page.unavailable(&who),
    }
}

/// Who sent a form of this session; else what is answered.
async fn sender(page: &PageState, key: &str, headers: &HeaderMap, form: &Form) -> Result<SignedIn, Response> {
    let Some(who) = page.signed_in(key, headers, SessionUse::Person).await else {
        return Err(see("/sign-in"));
    };
    if who.sent(form.value("token")) { Ok(who) } else { Err(page.refused(&who)) }
}

fn text(form: &Form, name: &str) -> String {
    form.value(name).unwrap_or_default().to_owned()
}
