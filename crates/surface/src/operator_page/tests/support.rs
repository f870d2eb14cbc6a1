//! A backend with made-up data, and a browser that keeps its cookie.

use super::super::backend::{
    AgentsView, AnswerOutcome, ApprovalState, ApprovalView, AuditQuery, AuditView, BackendError, CallView,
    ExecutionCancelled, ExecutionView, ExecutionsView, OperatorAnswer, OperatorBackend, PassphraseMark,
    ReleaseTarget, RevealRequest, RevealedSecret, SignInRefusal,
};
use super::super::instance_report::{InstanceReport, MinuteCount, SourceHealth, SourceReport, ToolsReport};
use super::super::routes;
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::execution::JobStop;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::status::SourceLimitStatus;
use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tower_service::Service;

pub const PASSPHRASE: &str = "correct horse battery";

/// A backend whose data a test may change.
#[derive(Debug)]
pub struct FakeDesk {
    pub passphrase: Mutex<String>,
    pub waiting: Mutex<Vec<ApprovalView>>,
    pub answers: Mutex<Vec<(String, OperatorAnswer)>>,
    pub is_lost: Mutex<bool>,
    pub audit: Mutex<Vec<AuditView>>,
    pub queries: Mutex<Vec<AuditQuery>>,
    pub instances: Mutex<Vec<InstanceReport>>,
    pub limits: Mutex<Vec<SourceLimitStatus>>,
    pub agents: Mutex<AgentsView>,
    pub executions: Mutex<ExecutionsView>,
    pub cancelled: Mutex<Vec<String>>,
    pub failed_hooks: Mutex<Vec<AuditView>>,
    pub allowances: Mutex<Vec<ReleaseTarget>>,
    pub wanted: Mutex<Vec<RevealRequest>>,
    /// What is revealed next.
    pub secret: Mutex<Option<RevealedSecret>>,
    pub changes: watch::Sender<u64>,
}

impl Default for FakeDesk {
    fn default() -> FakeDesk {
        FakeDesk {
            passphrase: Mutex::new(PASSPHRASE.to_owned()),
            waiting: Mutex::new(vec![approval("a1", "delete_order")]),
            answers: Mutex::default(),
            is_lost: Mutex::default(),
            audit: Mutex::default(),
            queries: Mutex::default(),
            instances: Mutex::new(vec![instance()]),
            limits: Mutex::default(),
            agents: Mutex::default(),
            executions: Mutex::default(),
            cancelled: Mutex::default(),
            failed_hooks: Mutex::default(),
            allowances: Mutex::default(),
            wanted: Mutex::default(),
            secret: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }
}

impl FakeDesk {
    fn there<T>(&self, value: T) -> Result<T, BackendError> {
        if *self.is_lost.lock().unwrap() { Err(BackendError) } else { Ok(value) }
    }
}

impl OperatorBackend for FakeDesk {
    fn passphrase(&self) -> Boxed<'_, Result<Option<PassphraseMark>, BackendError>> {
        let mark = PassphraseMark(self.passphrase.lock().unwrap().len().to_string());
        Box::pin(async move { self.there(Some(mark)) })
    }

    fn sign_in(&self, passphrase: SecretString) -> Boxed<'_, Result<PassphraseMark, SignInRefusal>> {
        let is_right = passphrase.expose_secret() == *self.passphrase.lock().unwrap();
        let is_limited = passphrase.expose_secret() == "one too many";
        Box::pin(async move {
            if is_limited {
                return Err(SignInRefusal::Limited { until: SystemClock.now() + Duration::from_secs(60) });
            }
            if !is_right {
                return Err(SignInRefusal::Wrong);
            }
            self.passphrase().await.ok().flatten().ok_or(SignInRefusal::Unavailable)
        })
    }

    fn waiting(&self) -> Boxed<'_, Result<Vec<ApprovalView>, BackendError>> {
        let waiting = self.waiting.lock().unwrap().clone();
        Box::pin(async move { self.there(waiting) })
    }

    fn approval(&self, id: String) -> Boxed<'_, Result<Option<ApprovalView>, BackendError>> {
        let found = self.waiting.lock().unwrap().iter().find(|each| each.id == id).cloned();
        Box::pin(async move { self.there(found) })
    }

    fn history(&self) -> Boxed<'_, Result<Vec<ApprovalView>, BackendError>> {
        let mut all = self.waiting.lock().unwrap().clone();
        for approval in &mut all {
            approval.state = ApprovalState::Denied;
            approval.decided_at = Some(SystemClock.now());
            approval.approver = Some("operator".to_owned());
            approval.reason.get_or_insert_with(|| "no".to_owned());
        }
        Box::pin(async move { self.there(all) })
    }

    fn answer(&self, id: String, answer: OperatorAnswer) -> Boxed<'_, Result<AnswerOutcome, BackendError>> {
        let mut waiting = self.waiting.lock().unwrap();
        let found = waiting.iter().position(|approval| approval.id == id).map(|index| waiting.remove(index));
        self.answers.lock().unwrap().push((id, answer.clone()));
        let answered = found.map_or(AnswerOutcome::Unknown, |mut approval| {
            approval.state = match &answer {
                OperatorAnswer::Approve => ApprovalState::Approved,
                OperatorAnswer::Deny { reason } => {
                    approval.reason.clone_from(reason);
                    ApprovalState::Denied
                }
            };
            AnswerOutcome::Done(approval)
        });
        Box::pin(async move { self.there(answered) })
    }

    fn audit(&self, query: AuditQuery) -> Boxed<'_, Result<Vec<AuditView>, BackendError>> {
        let lines = self.audit.lock().unwrap().clone();
        self.queries.lock().unwrap().push(query);
        Box::pin(async move { self.there(lines) })
    }

    fn instances(&self) -> Boxed<'_, Result<Vec<InstanceReport>, BackendError>> {
        let instances = self.instances.lock().unwrap().clone();
        Box::pin(async move { self.there(instances) })
    }

    fn agents(&self) -> Boxed<'_, Result<AgentsView, BackendError>> {
        let agents = self.agents.lock().unwrap().clone();
        Box::pin(async move { self.there(agents) })
    }

    fn executions(&self) -> Boxed<'_, Result<ExecutionsView, BackendError>> {
        let executions = self.executions.lock().unwrap().clone();
        Box::pin(async move { self.there(executions) })
    }

    fn cancel(&self, id: String) -> Boxed<'_, Result<ExecutionCancelled, BackendError>> {
        let executions = self.executions.lock().unwrap();
        let found = |of: &[ExecutionView]| of.iter().find(|each| each.id == id).cloned();
        let outcome = match (found(&executions.open), found(&executions.ended)) {
            (Some(open), _) => ExecutionCancelled::Done(ExecutionView { stop: Some(JobStop::Due), ..open }),
            (None, Some(ended)) => ExecutionCancelled::TooLate(ended),
            (None, None) => ExecutionCancelled::Unknown,
        };
        self.cancelled.lock().unwrap().push(id);
        Box::pin(async move { self.there(outcome) })
    }

    fn failed_hooks(&self) -> Boxed<'_, Result<Vec<AuditView>, BackendError>> {
        let failed = self.failed_hooks.lock().unwrap().clone();
        Box::pin(async move { self.there(failed) })
    }

    fn allow(&self, allowance: ReleaseTarget) -> Boxed<'_, Result<bool, BackendError>> {
        let is_there = match &allowance {
            ReleaseTarget::Quota { source: name, .. }
            | ReleaseTarget::PausedAgent { agent: name }
            | ReleaseTarget::BlockedAgent { agent: name } => name != "gone",
        };
        self.allowances.lock().unwrap().push(allowance);
        Box::pin(async move { self.there(is_there) })
    }

    fn reveal(&self, wanted: RevealRequest) -> Boxed<'_, Result<Option<RevealedSecret>, BackendError>> {
        self.wanted.lock().unwrap().push(wanted);
        let secret = self.secret.lock().unwrap().take();
        Box::pin(async move { self.there(secret) })
    }

    fn limits(&self) -> Boxed<'_, Result<Vec<SourceLimitStatus>, BackendError>> {
        let limits = self.limits.lock().unwrap().clone();
        Box::pin(async move { self.there(limits) })
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

pub fn approval(id: &str, operation: &str) -> ApprovalView {
    let now = SystemClock.now();
    ApprovalView {
        id: id.to_owned(),
        state: ApprovalState::Waiting,
        caller: "local".to_owned(),
        session: "sess_1".to_owned(),
        rule: Some("danger destructive".to_owned()),
        calls: vec![CallView::read(&json!({
            "source": "shop", "operation": operation, "danger_level": "destructive", "params": {"order_id": "7"},
            "reasons": ["the order is gone for good"], "message": "Remove order 7?",
            "request": {"method": "DELETE", "url": "http://127.0.0.1:1/orders/7", "body": null},
        }))],
        requested_at: now,
        expires_at: now + Duration::from_secs(3600),
        decided_at: None,
        approver: None,
        reason: None,
    }
}

fn instance() -> InstanceReport {
    let minute = SystemClock.now().as_second().div_euclid(60);
    let minutes = vec![MinuteCount { minute, calls: 12, errors: 3 }];
    InstanceReport {
        name: "box, process 7".to_owned(),
        transport: "stdio".to_owned(),
        started_at: SystemClock.now().as_millisecond(),
        page: Some("127.0.0.1:7433".to_owned()),
        is_own: true,
        tools: ToolsReport { tools: 5, tokens: 1234, operations: 9, hidden: 2 },
        sources: vec![SourceReport {
            name: "shop".to_owned(),
            health: SourceHealth::Good,
            detail: None,
            operations: 9,
            waiting: 4,
            minutes: minutes.clone(),
        }],
        minutes,
    }
}

/// What came back.
#[derive(Debug)]
pub struct PageSnapshot {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl PageSnapshot {
    pub fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The token of the first form.
    pub fn form_token(&self) -> String {
        let (_, rest) = self.text.split_once("name=\"token\" value=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    }
}

/// A browser in front of a page.
pub struct Browser {
    pub backend: Arc<FakeDesk>,
    router: Router,
    pub cookie: String,
    /// Where the desk of its session is.
    pub place: String,
}

impl Browser {
    pub fn new() -> Browser {
        let backend = Arc::new(FakeDesk::default());
        let router = routes::router(Arc::clone(&backend) as _, Arc::default(), CancellationToken::new());
        Browser { backend, router, cookie: String::new(), place: String::new() }
    }

    pub async fn signed_in() -> Browser {
        let mut browser = Browser::new();
        browser.sign_in().await;
        browser
    }

    pub async fn sign_in(&mut self) {
        let signed = self.post("/sign-in", &[("passphrase", PASSPHRASE)]).await;
        assert_eq!(signed.status, StatusCode::SEE_OTHER, "{signed:?}");
        self.place = signed.header(header::LOCATION).to_owned();
        self.cookie = signed.header(header::SET_COOKIE).split(';').next().unwrap().to_owned();
    }

    /// A request as a browser on this page sends it.
    pub fn request(&self, method: &str, path: &str) -> http::request::Builder {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "127.0.0.1:7433");
        if !self.cookie.is_empty() {
            request = request.header(header::COOKIE, &self.cookie);
        }
        request
    }

    pub async fn send(&self, request: Request<Body>) -> PageSnapshot {
        let response = self.router.clone().call(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        PageSnapshot { status: parts.status, headers: parts.headers, text }
    }

    pub async fn get(&self, path: &str) -> PageSnapshot {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> PageSnapshot {
        let origin = self.request("POST", path).header(header::ORIGIN, "http://127.0.0.1:7433");
        self.send(origin.body(form(fields)).unwrap()).await
    }

    /// The first event of the stream, whole.
    pub async fn first_event(&self) -> String {
        let request = self.request("GET", &format!("{}events", self.place)).body(Body::empty()).unwrap();
        let mut body = self.router.clone().call(request).await.unwrap().into_body();
        let mut text = String::new();
        while !text.contains("\n\n") {
            let Some(frame) = body.frame().await else { break };
            text.push_str(std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
        }
        text
    }
}

pub fn form(fields: &[(&str, &str)]) -> Body {
    Body::from(form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish())
}
