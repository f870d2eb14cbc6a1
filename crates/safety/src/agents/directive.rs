//! What an agent is told: whether it may go on, why, and what has happened meanwhile (core specification, sections 8.7.1 and 8.7.3).
//!
//! Data, written as the specification spells it.

use aqueduct_operations::clock::iso8601;
use jiff::Timestamp;
use serde::Serialize;

/// How much harm an action can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SafetyTier {
    /// 0 to 30: it goes on.
    Advisory,
    /// 31 to 60: a person confirms it.
    Confirm,
    /// 61 to 85: a person enters a code.
    Verify,
    /// 86 to 100: the agent is blocked.
    DangerZone,
}

impl SafetyTier {
    /// The tier of a score.
    pub fn of(score: u8) -> SafetyTier {
        match score {
            0..=30 => SafetyTier::Advisory,
            31..=60 => SafetyTier::Confirm,
            61..=85 => SafetyTier::Verify,
            _ => SafetyTier::DangerZone,
        }
    }

    /// As the specification spells it.
    pub fn name(self) -> &'static str {
        match self {
            SafetyTier::Advisory => "advisory",
            SafetyTier::Confirm => "confirm",
            SafetyTier::Verify => "verify",
            SafetyTier::DangerZone => "danger_zone",
        }
    }
}

/// Whether an agent may go on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AutonomyDirective {
    /// It may take the action that it has reported.
    #[serde(rename = "continue")]
    pub may_continue: bool,
    /// Why, for a person.
    pub factors: Vec<String>,
    /// It is blocked.
    #[serde(skip_serializing_if = "is_false")]
    pub stopped: bool,
    /// Why it is paused or stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Steps until somebody has to look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_remaining: Option<u64>,
    /// The tier of the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_step_risk: Option<SafetyTier>,
    /// What has happened since the last report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notifications: Vec<AgentNotification>,
}

/// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Something that an agent is told with its next report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentNotification {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: NotificationKind,
    /// What happened, for a person.
    pub message: String,
    /// More facts.
    #[serde(skip_serializing_if = "NotificationFacts::is_empty")]
    pub metadata: NotificationFacts,
    /// When, in ISO 8601.
    pub timestamp: String,
}

/// The types of notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotificationKind {
    /// An operation waits for a confirmation.
    PermissionPending,
    /// The agent is paused.
    AutonomyPause,
    /// An agent is blocked.
    DangerZone,
    /// News.
    Status,
    /// Something failed.
    Error,
}

impl NotificationKind {
    /// Every kind.
    pub const ALL: [NotificationKind; 5] = [
        NotificationKind::PermissionPending,
        NotificationKind::AutonomyPause,
        NotificationKind::DangerZone,
        NotificationKind::Status,
        NotificationKind::Error,
    ];

    /// As the specification spells it.
    pub fn name(self) -> &'static str {
        match self {
            NotificationKind::PermissionPending => "permission_pending",
            NotificationKind::AutonomyPause => "autonomy_pause",
            NotificationKind::DangerZone => "danger_zone",
            NotificationKind::Status => "status",
            NotificationKind::Error => "error",
        }
    }
}

/// The facts of a notification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NotificationFacts {
    /// What was about to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The permission that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The challenge that lifts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification_id: Option<String>,
}

impl NotificationFacts {
    fn is_empty(&self) -> bool {
        *self == NotificationFacts::default()
    }
}

impl AgentNotification {
    /// A notification of this moment.
    pub fn new(
        kind: NotificationKind,
        message: String,
        metadata: NotificationFacts,
        at: Timestamp,
    ) -> AgentNotification {
        AgentNotification { kind, message, metadata, timestamp: iso8601(at) }
    }
}
