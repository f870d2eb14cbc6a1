//! The pages and forms: sign in, what waits, history, audit, answers, sign out.
//!
//! A request that `guard` let in comes in; HTML, or a redirect after a form, goes out. Everything under `/desk/` is for who has
//! signed in; others are sent to sign in, and a form does nothing without the token of its session.

use super::actions;
use super::assets;
use super::backend::{
    AnswerOutcome, AuditQuery, BackendError, OperatorAnswer, OperatorBackend, SignInRefusal,
};
use super::form::Form;
use super::guard;
use super::live;
use super::session::{SessionUse, Sessions, SignedIn};
use super::view::{self, Frame};
use crate::metrics::PageCounts;
use aqueduct_operations::sanitize::one_line;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use maud::Markup;
use secrecy::SecretString;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Bytes of a form.
const LARGEST_FORM: usize = 16 * 1024;
/// Characters of a reason.
const LONGEST_REASON: usize = 500;
/// Characters of what is searched for.
const LONGEST_SEARCH: usize = 200;
/// Lines of the audit on a page.
const AUDIT_PAGE: u32 = 50;

/// What all routes share.
#[derive(Debug)]
pub struct PageState {
    pub backend: Arc<dyn OperatorBackend>,
    pub sessions: Sessions,
    pub counts: Arc<PageCounts>,
    pub stop: CancellationToken,
}

/// The routes.
pub fn router(backend: Arc<dyn OperatorBackend>, counts: Arc<PageCounts>, stop: CancellationToken) -> Router {
    let page = Arc::new(PageState { backend, sessions: Sessions::default(), counts, stop });
    Router::new()
        .route("/", get(start))
        .route("/sign-in", get(sign_in_page).post(sign_in))
        .route(assets::STYLE, get(assets::style))
        .route(assets::SCRIPT, get(assets::script))
        .route(assets::ICON, get(assets::icon))
        .route("/desk/{key}/", get(now))
        .route("/desk/{key}/history", get(history))
        .route("/desk/{key}/audit", get(audit))
        .route("/desk/{key}/events", get(live::events))
        .route("/desk/{key}/approve", post(approve))
        .route("/desk/{key}/deny", post(deny))
        .route("/desk/{key}/continue", post(actions::go_on))
        .route("/desk/{key}/release", post(actions::release))
        .route("/desk/{key}/unblock", post(actions::unblock))
        .route("/desk/{key}/cancel", post(actions::cancel))
        .route("/desk/{key}/code", post(actions::code))
        .route("/desk/{key}/pause-token", post(actions::pause_token))
        .route("/desk/{key}/sign-out", post(sign_out))
        .fallback(nothing_here)
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .layer(from_fn(guard::guard))
        .with_state(page)
}

/// What a handler is given.
pub type Shared = State<Arc<PageState>>;

/// The first page: a browser that has signed in before goes on to the desk, by the script, which alone knows where it is.
async fn start(State(page): Shared) -> Response {
    sign_in_view(&page, view::SignInNotice::Anew).await
}

async fn sign_in_page(State(page): Shared) -> Response {
    sign_in_view(&page, view::SignInNotice::SignedOut).await
}

async fn sign_in_view(page: &PageState, arrival: view::SignInNotice) -> Response {
    let refusal = match page.backend.passphrase().await {
        Ok(Some(_)) => None,
        Ok(None) => Some(SignInRefusal::NotSet),
        Err(BackendError) => Some(SignInRefusal::Unavailable),
    };
    html(StatusCode::OK, &view::sign_in(arrival, refusal))
}

async fn sign_in(State(page): Shared, body: Bytes) -> Response {
    let form = Form::read(&body);
    let passphrase = SecretString::from(form.value("passphrase").unwrap_or_default().to_owned());
    let mark = match page.backend.sign_in(passphrase).await {
        Ok(mark) => mark,
        Err(refusal) => {
            let (status, outcome) = match refusal {
                SignInRefusal::Wrong => (StatusCode::UNAUTHORIZED, "wrong"),
                SignInRefusal::Limited { .. } => (StatusCode::TOO_MANY_REQUESTS, "limited"),
                SignInRefusal::NotSet | SignInRefusal::Unavailable => {
                    (StatusCode::SERVICE_UNAVAILABLE, "unavailable")
                }
            };
            page.counts.sign_in(outcome);
            return html(status, &view::sign_in(view::SignInNotice::SignedOut, Some(refusal)));
        }
    };
    match page.sessions.begin(mark) {
        Ok((key, cookie)) => {
            page.counts.sign_in("success");
            let mut response = see(&format!("/desk/{key}/"));
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            response
        }
        Err(_) => {
            let refusal = Some(SignInRefusal::Unavailable);
            html(StatusCode::SERVICE_UNAVAILABLE, &view::sign_in(view::SignInNotice::SignedOut, refusal))
        }
    }
}

async fn now(State(page): Shared, Path(key): Path<String>, headers: HeaderMap) -> Response {
    let Some(who) = page.signed_in(&key, &headers, SessionUse::Person).await else { return see("/sign-in") };
    let shown = live::read(&page.backend).await;
    match shown {
        Ok(shown) => page.framed(&who, "Now", &view::now(&who, &shown)),
        Err(BackendError) => page.unavailable(&who),
    }
}

async fn history(State(page): Shared, Path(key): Path<String>, headers: HeaderMap) -> Response {
    let Some(who) = page.signed_in(&key, &headers, SessionUse::Person).await else { return see("/sign-in") };
    match page.backend.history().await {
        Ok(approvals) => page.framed(&who, "History", &view::history(&approvals)),
        Err(BackendError) => page.unavailable(&who),
    }
}

async fn audit(
    State(page): Shared,
    Path(key): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let Some(who) = page.signed_in(&key, &headers, SessionUse::Person).await else { return see("/sign-in") };
    let form = Form::read(query.unwrap_or_default().as_bytes());
    let text =
        form.filled("search").map(|text| one_line(text).chars().take(LONGEST_SEARCH).collect::<String>());
    let before = form.value("before").and_then(|text| text.parse().ok());
    let query = AuditQuery { text, before, most: AUDIT_PAGE };
    match page.backend.audit(query.clone()).await {
        Ok(lines) => page.framed(&who, "Audit", &view::audit(&who, &query, &lines)),
        Err(BackendError) => page.unavailable(&who),
    }
}

async fn approve(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    answer(page, key, headers, &Form::read(&body), OperatorAnswer::Approve).await
}

async fn deny(page: Shared, key: Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let form = Form::read(&body);
    let reason = form.filled("reason").map(|reason| one_line(reason).chars().take(LONGEST_REASON).collect());
    answer(page, key, headers, &form, OperatorAnswer::Deny { reason }).await
}

async fn answer(
    State(page): Shared,
    Path(key): Path<String>,
    headers: HeaderMap,
    form: &Form,
    answer: OperatorAnswer,
) -> Response {
    let Some(who) = page.signed_in(&key, &headers, SessionUse::Person).await else { return see("/sign-in") };
    if !who.sent(form.value("token")) {
        return page.refused(&who);
    }
    let id = form.value("id").unwrap_or_default().to_owned();
    if answer == OperatorAnswer::Approve {
        match page.backend.approval(id.clone()).await {
            Ok(Some(approval)) if !view::can_be_read(&approval) => {
                let notice = format!("Nothing was done: {}", view::too_long(&approval));
                page.sessions.set_notice(&key, notice);
                return see(&who.base_path());
            }
            Ok(_) => {}
            Err(BackendError) => return page.unavailable(&who),
        }
    }
    page.counts.act(if answer == OperatorAnswer::Approve { "approve" } else { "deny" });
    match page.backend.answer(id, answer).await {
        Ok(answered) => page.sessions.set_notice(&key, notice_text(&answered)),
        Err(BackendError) => return page.unavailable(&who),
    }
    see(&who.base_path())
}

/// What the next page says about an answer.
fn notice_text(answered: &AnswerOutcome) -> String {
    match answered {
        AnswerOutcome::Done(approval) => {
            let names = view::names(approval);
            match approval.reason.as_deref() {
                Some(reason) => format!("{} {names}: {reason}", view::state_name(approval.state)),
                None => format!("{} {names}", view::state_name(approval.state)),
            }
        }
        AnswerOutcome::TooLate(approval) => {
            format!("Too late: {} was {} before", view::names(approval), view::state_name(approval.state))
        }
        AnswerOutcome::Unknown => "This question is not there any more".to_owned(),
    }
}

async fn sign_out(State(page): Shared, Path(key): Path<String>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(who) = page.signed_in(&key, &headers, SessionUse::Person).await else { return see("/sign-in") };
    if !who.sent(Form::read(&body).value("token")) {
        return page.refused(&who);
    }
    let mut response = see("/sign-in");
    if let Some(cleared) = page.sessions.end(&key) {
        response.headers_mut().insert(header::SET_COOKIE, cleared);
    }
    response
}

async fn nothing_here() -> Response {
    (StatusCode::NOT_FOUND, "There is nothing here. The operator's page begins with /.\n").into_response()
}

impl PageState {
    /// Who sends a request, if they have signed in with the passphrase that is set.
    pub async fn signed_in(&self, key: &str, headers: &HeaderMap, usage: SessionUse) -> Option<SignedIn> {
        let who = self.sessions.find(key, headers, usage)?;
        match self.backend.passphrase().await {
            Ok(mark) if mark.as_ref() == Some(&who.mark) => Some(who),
            Ok(_) => {
                self.sessions.end(key);
                None
            }
            // While the store is lost the pages say so, and can do nothing.
            Err(BackendError) => Some(who),
        }
    }

    pub fn framed(&self, who: &SignedIn, title: &'static str, content: &Markup) -> Response {
        let notice = self.sessions.take_notice(&who.key);
        html(StatusCode::OK, &view::frame(&Frame { who, title, notice }, content))
    }

    pub fn unavailable(&self, who: &SignedIn) -> Response {
        let frame = Frame { who, title: "Now", notice: None };
        html(StatusCode::SERVICE_UNAVAILABLE, &view::frame(&frame, &view::unavailable()))
    }

    pub fn refused(&self, who: &SignedIn) -> Response {
        let notice = Some("Nothing was done: this form is of an earlier session. Try again.".to_owned());
        let frame = Frame { who, title: "Now", notice };
        html(StatusCode::FORBIDDEN, &view::frame(&frame, &view::nothing()))
    }
}

fn html(status: StatusCode, content: &Markup) -> Response {
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    (status, [kind], content.0.clone()).into_response()
}

/// Sends the browser to another page, which it gets.
pub fn see(place: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(place) = HeaderValue::from_str(place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    response
}
