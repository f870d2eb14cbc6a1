//! How far agents may go on their own: the settings that operators and adapter files write (core specification, section 8.7.4).
//!
//! Data only, with what operators see of their steps. What is absent is decided by the layer beneath; `aqueduct_safety` puts layers together and acts on them.

use crate::named_enum::named_enum;
use jiff::Timestamp;
use std::collections::BTreeMap;

named_enum! {
    /// Whether agents are watched (core specification, section 8.6.1).
    #[derive(Default)]
    pub enum SafetyMode {
        /// Actions are evaluated, and what is said of them holds.
        Enforcing = "enforcing",
        /// Actions are evaluated, and nothing is stopped.
        Monitoring = "monitoring",
        /// Actions are recorded.
        Logging = "logging",
        /// Off.
        #[default]
        Disabled = "disabled",
    }
}

named_enum! {
    /// From which risk on an agent pauses (core specification, section 8.7.2, stage 5).
    #[derive(Default, PartialOrd, Ord)]
    pub enum RiskTolerance {
        /// Above 25.
        Conservative = "conservative",
        /// Above 50.
        #[default]
        Moderate = "moderate",
        /// Above 75.
        Aggressive = "aggressive",
    }
}

impl RiskTolerance {
    /// The score above which an agent pauses.
    pub fn threshold(self) -> u8 {
        match self {
            RiskTolerance::Conservative => 25,
            RiskTolerance::Moderate => 50,
            RiskTolerance::Aggressive => 75,
        }
    }
}

/// One layer of settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AutonomyLayer {
    /// Steps until somebody has to look.
    pub max_autonomous_steps: Option<u64>,
    /// From which risk on an agent pauses.
    pub risk_tolerance: Option<RiskTolerance>,
    /// What blocks an agent.
    pub deny: Option<Vec<String>>,
    /// What always waits for a person.
    pub requires_approval: Option<Vec<String>>,
    /// What needs no further look.
    pub auto_approve: Option<Vec<String>>,
}

/// The settings of a server or of a source: for all agents, and for some by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AutonomySettings {
    /// For every agent.
    pub all: AutonomyLayer,
    /// For the agents of these names.
    pub agents: BTreeMap<String, AutonomyLayer>,
}

/// A step that an agent has reported, as operators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentStepView {
    /// Its number.
    pub number: i64,
    /// When.
    pub at: Timestamp,
    /// What the agent was about to do.
    pub hint: String,
    /// `continue`, `pause`, `verify` or `block`.
    pub effect: String,
    /// Its risk from 0 to 100, where it has one.
    pub score: Option<i64>,
}
