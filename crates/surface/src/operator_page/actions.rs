//! What the operator does besides answering calls: lets paused quotas and agents go on, lifts blocks, asks for codes.
//!
//! Forms in; a page out that says what was done. A code is in the one response to whoever asked for it, and nowhere else.

use super::desk::{Allowance, DeskError, WantedSecret};
use super::form::Form;
use super::routes::{Page, Shared, see};
use super::session::{SignedIn, Use};
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
    allow(page, key, headers, &form, (Allowance::Quota { source, metric }, done)).await
}

/// Lets a paused agent go on.
pub async fn release(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let agent = text(&form, "agent");
    let done = format!("{agent} may go on; it reports its action again");
    allow(page, key, headers, &form, (Allowance::PausedAgent { agent }, done)).await
}

/// Lifts a block without a code.
pub async fn unblock(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let agent = text(&form, "agent");
    let done = format!("The block of {agent} is lifted; the audit has it");
    allow(page, key, headers, &form, (Allowance::BlockedAgent { agent }, done)).await
}

/// Shows the code of a challenge.
pub async fn code(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let wanted = WantedSecret::ChallengeCode { id: text(&form, "id") };
    reveal(page, key, headers, &form, wanted).await
}

/// Shows a token for somebody else.
pub async fn pause_token(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let wanted = WantedSecret::PauseToken { agent: text(&form, "agent") };
    reveal(page, key, headers, &form, wanted).await
}

async fn allow(
    State(page): Shared,
    Path(key): Path<String>,
    headers: HeaderMap,
    form: &Form,
    (allowance, done): (Allowance, String),
) -> Response {
    let who = match sender(&page, &key, &headers, form).await {
        Ok(who) => who,
        Err(refusal) => return refusal,
    };
    page.counts.act(match allowance {
        Allowance::Quota { .. } => "continue",
        Allowance::PausedAgent { .. } => "release",
        Allowance::BlockedAgent { .. } => "unblock",
    });
    match page.desk.allow(allowance).await {
        Ok(true) => page.sessions.set_notice(&key, done),
        Ok(false) => page.sessions.set_notice(&key, "Nothing waits for that any more".to_owned()),
        Err(DeskError) => return page.unavailable(&who),
    }
    see(&who.desk())
}

async fn reveal(
    State(page): Shared,
    Path(key): Path<String>,
    headers: HeaderMap,
    form: &Form,
    wanted: WantedSecret,
) -> Response {
    let who = match sender(&page, &key, &headers, form).await {
        Ok(who) => who,
        Err(refusal) => return refusal,
    };
    page.counts.act(match wanted {
        WantedSecret::ChallengeCode { .. } => "code",
        WantedSecret::PauseToken { .. } => "pause_token",
    });
    match page.desk.reveal(wanted).await {
        Ok(Some(revealed)) => page.framed(&who, "Secret", &view::revealed(&who, &revealed)),
        Ok(None) => {
            page.sessions.set_notice(&key, "Nothing waits for that any more".to_owned());
            see(&who.desk())
        }
        Err(DeskError) => page.unavailable(&who),
    }
}

/// Who sent a form of this session; else what is answered.
async fn sender(page: &Page, key: &str, headers: &HeaderMap, form: &Form) -> Result<SignedIn, Response> {
    let Some(who) = page.signed_in(key, headers, Use::Person).await else { return Err(see("/sign-in")) };
    if who.sent(form.value("token")) { Ok(who) } else { Err(page.refused(&who)) }
}

fn text(form: &Form, name: &str) -> String {
    form.value(name).unwrap_or_default().to_owned()
}
