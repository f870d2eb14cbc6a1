//! The terms of an operator's yes, wherever it is given: on the page or by the command.
//!
//! An approval that waits in; how long its calls do not run yet, and how long they may be repeated, out.

use crate::confirmation::GateSettings;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_store::approvals::Approval;
use std::time::Duration;

/// The longest time that one of its calls does not run after the yes.
pub fn cooldown(approval: &Approval) -> Duration {
    let calls = approval.shown["calls"].as_array().into_iter().flatten();
    let longest = calls.filter_map(|call| call["cooldown_seconds"].as_u64()).max();
    Duration::from_secs(longest.unwrap_or_default())
}

/// How long a yes that is given now is good for, the cooldown included.
pub fn usable_for(settings: &GateSettings, approval: &Approval) -> Duration {
    settings.lifetime(DangerLevel::of_number(approval.danger)).saturating_add(cooldown(approval))
}
