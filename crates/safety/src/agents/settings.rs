//! The settings that hold for one agent: layers in, one set with its patterns compiled out.
//!
//! What the operator sets replaces what is beneath it, key by key: for the agent, for the server, the defaults. What a source's
//! author writes can only make them stricter.

use super::agent_name::AgentName;
use super::patterns::{ApprovingPatterns, BadPattern, RestrictingPatterns};
use aqueduct_operations::autonomy::{AutonomyLayer, AutonomySettings, RiskTolerance};

/// Steps until somebody has to look, by default.
pub const DEFAULT_STEPS: u64 = 25;
/// What blocks an agent by default.
pub const DEFAULT_DENY: [&str; 4] = ["drop_*", "delete_all*", "rm -rf*", "*_production*"];
/// What waits for a person by default.
pub const DEFAULT_REQUIRES_APPROVAL: [&str; 4] = ["delete_*", "*force*", "deploy_*", "git push*"];
/// What needs no further look, by default.
pub const DEFAULT_AUTO_APPROVE: [&str; 4] = ["read_*", "list_*", "get_*", "search_*"];

/// The settings of one agent.
#[derive(Debug, Clone)]
pub struct AgentSettings {
    /// Steps until somebody has to look.
    pub max_autonomous_steps: u64,
    /// From which risk on it pauses.
    pub risk_tolerance: RiskTolerance,
    /// What blocks it.
    pub deny: RestrictingPatterns,
    /// What waits for a person.
    pub requires_approval: RestrictingPatterns,
    /// What needs no further look.
    pub auto_approve: ApprovingPatterns,
}

/// A list with a pattern that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{list}: {problem}")]
pub struct BadList {
    /// `deny`, `requires_approval` or `auto_approve`.
    pub list: &'static str,
    /// What is wrong.
    #[source]
    pub problem: BadPattern,
}

impl AgentSettings {
    /// The settings of the agent of this key.
    pub fn of(
        agent: &str,
        operator: &AutonomySettings,
        sources: &[AutonomySettings],
    ) -> Result<AgentSettings, BadList> {
        let plain = merged(agent, operator, sources);
        let list = |name| move |problem| BadList { list: name, problem };
        Ok(AgentSettings {
            max_autonomous_steps: plain.max_autonomous_steps,
            risk_tolerance: plain.risk_tolerance,
            deny: RestrictingPatterns::new(&plain.deny).map_err(list("deny"))?,
            requires_approval: RestrictingPatterns::new(&plain.requires_approval)
                .map_err(list("requires_approval"))?,
            auto_approve: ApprovingPatterns::new(&plain.auto_approve).map_err(list("auto_approve"))?,
        })
    }
}

/// The same before its patterns are compiled, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedSettings {
    /// Steps until somebody has to look.
    pub max_autonomous_steps: u64,
    /// From which risk on it pauses.
    pub risk_tolerance: RiskTolerance,
    /// What blocks it.
    pub deny: Vec<String>,
    /// What waits for a person.
    pub requires_approval: Vec<String>,
    /// What needs no further look.
    pub auto_approve: Vec<String>,
}

/// Puts the layers for an agent together; an empty key is no agent in particular.
pub fn merged(agent: &str, operator: &AutonomySettings, sources: &[AutonomySettings]) -> MergedSettings {
    let own = layer_of(agent, operator);
    let list = |own: Option<&Vec<String>>, all: &Option<Vec<String>>, default: &[&str]| {
        own.or(all.as_ref())
            .cloned()
            .unwrap_or_else(|| default.iter().map(|text| (*text).to_owned()).collect())
    };
    let of_own = |pick: fn(&AutonomyLayer) -> Option<&Vec<String>>| own.and_then(pick);
    let mut settings = MergedSettings {
        max_autonomous_steps: own
            .and_then(|own| own.max_autonomous_steps)
            .or(operator.all.max_autonomous_steps)
            .unwrap_or(DEFAULT_STEPS),
        risk_tolerance: own
            .and_then(|own| own.risk_tolerance)
            .or(operator.all.risk_tolerance)
            .unwrap_or_default(),
        deny: list(of_own(|own| own.deny.as_ref()), &operator.all.deny, &DEFAULT_DENY),
        requires_approval: list(
            of_own(|own| own.requires_approval.as_ref()),
            &operator.all.requires_approval,
            &DEFAULT_REQUIRES_APPROVAL,
        ),
        auto_approve: list(
            of_own(|own| own.auto_approve.as_ref()),
            &operator.all.auto_approve,
            &DEFAULT_AUTO_APPROVE,
        ),
    };
    for source in sources {
        tighten(&mut settings, &source.all);
        if let Some(layer) = layer_of(agent, source) {
            tighten(&mut settings, layer);
        }
    }
    settings
}

/// Names are compared as blocks are: another spelling is the same agent.
fn layer_of<'s>(agent: &str, settings: &'s AutonomySettings) -> Option<&'s AutonomyLayer> {
    settings.agents.iter().find_map(|(name, layer)| {
        let is_same = AgentName::parse(name).is_ok_and(|name| name.key() == agent);
        is_same.then_some(layer)
    })
}

fn tighten(settings: &mut MergedSettings, layer: &AutonomyLayer) {
    if let Some(steps) = layer.max_autonomous_steps {
        settings.max_autonomous_steps = settings.max_autonomous_steps.min(steps);
    }
    if let Some(tolerance) = layer.risk_tolerance {
        settings.risk_tolerance = settings.risk_tolerance.min(tolerance);
    }
    let lists =
        [(&mut settings.deny, &layer.deny), (&mut settings.requires_approval, &layer.requires_approval)];
    for (list, added) in lists {
        for pattern in added.iter().flatten() {
            if !list.contains(pattern) {
                list.push(pattern.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests;
