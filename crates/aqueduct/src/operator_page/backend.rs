//! The data of the operator's page, from the store that all instances share.
//!
//! Questions of the page in; what the store has out. Why it fails is in the store's log: the page says only that it does.

mod agents;
mod executions;

use super::read;
use aqueduct_operations::clock::{Clock, SystemClock};
use aqueduct_operations::digest::Digest;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::status::SourceLimitStatus;
use aqueduct_safety::approval_terms::usable_for;
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_safety::passphrase::{PassphraseError, check_passphrase};
use aqueduct_store::approvals::{Approval, ApprovalDecision, ApprovalFilter, Decided};
use aqueduct_store::audit::entry::event;
use aqueduct_store::audit::{AuditFilter, AuditLine};
use aqueduct_store::instances::Instance;
use aqueduct_store::{Store, StoreError};
use aqueduct_surface::operator_page::{
    AgentsView, AnswerOutcome, ApprovalState, ApprovalView, AuditQuery, AuditView, BackendError, CallView,
    ExecutionCancelled, ExecutionsView, InstanceReport, OperatorAnswer, OperatorBackend, PassphraseMark,
    ReleaseTarget, RevealRequest, RevealedSecret, SignInRefusal,
};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use tokio::sync::watch;

/// Who answers, in approvals and the audit.
const OPERATOR: &str = "operator";
/// The most questions that are shown at once.
const MOST_WAITING: u32 = 100;
/// The most answers of before that are shown.
const MOST_HISTORY: u32 = 200;
/// The most executions that are shown: of those that go on, and of those that have ended.
const MOST_OPEN: u32 = 50;
const MOST_ENDED: u32 = 10;
/// The most failures of hooks that are shown, and of what time.
const MOST_HOOKS: u32 = 5;
const HOOKS_OF: Duration = Duration::from_secs(24 * 3600);

/// The store behind the page.
#[derive(Debug)]
pub struct StoreBackend {
    pub store: Store,
    /// The instance that serves the page.
    pub instance: String,
    /// What a yes is good for.
    pub gate_settings: GateSettings,
    /// How long a code of a challenge is good.
    pub challenge_ttl: Duration,
}

impl OperatorBackend for StoreBackend {
    fn passphrase(&self) -> Boxed<'_, Result<Option<PassphraseMark>, BackendError>> {
        Box::pin(async {
            let hash = self.store.operator_passphrase().await.map_err(lost)?;
            Ok(hash.map(|hash| PassphraseMark(Digest::of_text(hash.expose_secret()).hex())))
        })
    }

    fn sign_in(&self, passphrase: SecretString) -> Boxed<'_, Result<PassphraseMark, SignInRefusal>> {
        Box::pin(async move {
            check_passphrase(&self.store, &passphrase).await.map_err(|error| match error {
                PassphraseError::Limited { until } => SignInRefusal::Limited { until },
                PassphraseError::NotSet => SignInRefusal::NotSet,
                PassphraseError::Wrong | PassphraseError::TooShort => SignInRefusal::Wrong,
                PassphraseError::Store(_) | PassphraseError::AlreadySet | PassphraseError::Hash => {
                    SignInRefusal::Unavailable
                }
            })?;
            match self.passphrase().await {
                Ok(Some(mark)) => Ok(mark),
                Ok(None) => Err(SignInRefusal::NotSet),
                Err(BackendError) => Err(SignInRefusal::Unavailable),
            }
        })
    }

    fn waiting(&self) -> Boxed<'_, Result<Vec<ApprovalView>, BackendError>> {
        Box::pin(async {
            let waiting = self.store.waiting_approvals(MOST_WAITING).await.map_err(lost)?;
            Ok(waiting.into_iter().map(view).collect())
        })
    }

    fn approval(&self, id: String) -> Boxed<'_, Result<Option<ApprovalView>, BackendError>> {
        Box::pin(async move { Ok(self.store.approval(&id).await.map_err(lost)?.map(view)) })
    }

    fn history(&self) -> Boxed<'_, Result<Vec<ApprovalView>, BackendError>> {
        Box::pin(async {
            let all =
                self.store.find_approvals(ApprovalFilter::default(), MOST_HISTORY).await.map_err(lost)?;
            let answered = all.into_iter().filter(|each| each.state != ApprovalState::Waiting);
            Ok(answered.map(view).collect())
        })
    }

    fn answer(&self, id: String, answer: OperatorAnswer) -> Boxed<'_, Result<AnswerOutcome, BackendError>> {
        Box::pin(async move {
            let Some(pending) = self.store.approval(&id).await.map_err(lost)? else {
                return Ok(AnswerOutcome::Unknown);
            };
            let verdict = match answer {
                OperatorAnswer::Approve => {
                    ApprovalDecision::Approve { usable_for: usable_for(&self.gate_settings, &pending) }
                }
                OperatorAnswer::Deny { reason } => ApprovalDecision::Deny { reason },
            };
            Ok(match self.store.decide_approval(&id, verdict, OPERATOR).await.map_err(lost)? {
                Decided::Done(approval) => AnswerOutcome::Done(view(approval)),
                Decided::TooLate(approval) => AnswerOutcome::TooLate(view(approval)),
                Decided::Unknown => AnswerOutcome::Unknown,
            })
        })
    }

    fn audit(&self, query: AuditQuery) -> Boxed<'_, Result<Vec<AuditView>, BackendError>> {
        let AuditQuery { text, before, most } = query;
        let filter = AuditFilter { text, before, ..AuditFilter::default() };
        Box::pin(async move {
            let lines = self.store.latest_audit_lines(filter, most).await.map_err(lost)?;
            Ok(lines.into_iter().map(audit_view).collect())
        })
    }

    fn instances(&self) -> Boxed<'_, Result<Vec<InstanceReport>, BackendError>> {
        Box::pin(async {
            let instances = self.store.instances().await.map_err(lost)?;
            let report = |instance: Instance| InstanceReport {
                is_own: instance.id == self.instance,
                ..read(instance.report)
            };
            Ok(instances.into_iter().map(report).collect())
        })
    }

    fn limits(&self) -> Boxed<'_, Result<Vec<SourceLimitStatus>, BackendError>> {
        Box::pin(async { self.store.limits().await.map_err(lost) })
    }

    fn agents(&self) -> Boxed<'_, Result<AgentsView, BackendError>> {
        Box::pin(async { Ok(agents::view(self.store.agents_overview().await.map_err(lost)?)) })
    }

    fn executions(&self) -> Boxed<'_, Result<ExecutionsView, BackendError>> {
        Box::pin(async {
            let overview = self.store.executions_overview(MOST_OPEN, MOST_ENDED).await.map_err(lost)?;
            Ok(executions::view(overview))
        })
    }

    fn cancel(&self, id: String) -> Boxed<'_, Result<ExecutionCancelled, BackendError>> {
        Box::pin(async move {
            let outcome = self.store.cancel_execution(&id, OPERATOR).await.map_err(lost)?;
            Ok(executions::cancelled(outcome))
        })
    }

    fn failed_hooks(&self) -> Boxed<'_, Result<Vec<AuditView>, BackendError>> {
        let filter = AuditFilter {
            event: Some(event::HOOK_FAILED.to_owned()),
            since: Some(SystemClock.now() - HOOKS_OF),
            ..AuditFilter::default()
        };
        Box::pin(async {
            let lines = self.store.latest_audit_lines(filter, MOST_HOOKS).await.map_err(lost)?;
            Ok(lines.into_iter().map(audit_view).collect())
        })
    }

    fn allow(&self, allowance: ReleaseTarget) -> Boxed<'_, Result<bool, BackendError>> {
        Box::pin(async move {
            match allowance {
                ReleaseTarget::Quota { source, metric } => {
                    let continued = self.store.continue_quotas(&source, Some(&metric), OPERATOR).await;
                    continued.map(|names| !names.is_empty())
                }
                ReleaseTarget::PausedAgent { agent } => self.store.release_agent(&agent, OPERATOR).await,
                ReleaseTarget::BlockedAgent { agent } => self.store.unblock_agent(&agent, OPERATOR).await,
            }
            .map_err(lost)
        })
    }

    fn reveal(&self, wanted: RevealRequest) -> Boxed<'_, Result<Option<RevealedSecret>, BackendError>> {
        Box::pin(async move {
            match wanted {
                RevealRequest::ChallengeCode { id } => {
                    let opened = self.store.open_challenge(&id, self.challenge_ttl).await.map_err(lost)?;
                    Ok(agents::revealed_code(opened))
                }
                RevealRequest::PauseToken { agent } => {
                    let token = self.store.issue_pause_token(&agent, self.challenge_ttl).await;
                    Ok(token.map_err(lost)?.map(|token| agents::revealed_token(agent, token)))
                }
            }
        })
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.store.changes()
    }
}

/// Why is in the log of the store.
fn lost(_: StoreError) -> BackendError {
    BackendError
}

fn view(approval: Approval) -> ApprovalView {
    let calls = approval.shown["calls"].as_array().into_iter().flatten().map(CallView::read).collect();
    ApprovalView {
        id: approval.id,
        state: approval.state,
        caller: approval.caller,
        session: approval.session,
        rule: approval.rule,
        calls,
        requested_at: approval.requested_at,
        expires_at: approval.expires_at,
        decided_at: approval.decided_at,
        approver: approval.approver,
        reason: approval.reason,
    }
}

fn audit_view(line: AuditLine) -> AuditView {
    let at = line.moment();
    let entry = line.entry;
    let facts = [
        ("caller", entry.caller),
        ("source", entry.source),
        ("operation", entry.operation),
        ("rule", entry.rule),
        ("approver", entry.approver),
        ("detail", entry.detail),
        ("token", entry.token),
        ("session", entry.session),
        ("parameters", entry.params),
    ];
    AuditView {
        number: line.seq,
        at,
        event: entry.event,
        outcome: entry.outcome,
        facts: facts.into_iter().filter_map(|(name, fact)| Some((name, fact?))).collect(),
    }
}
