//! `safety` as it is written into a file: how far agents may go in, the block out.
//!
//! What is written reads back as the same settings. A list that is empty is written too: an author has said so.

use aqueduct_operations::autonomy::{AutonomyLayer, AutonomySettings};
use serde_json::{Map, Value};

/// The block.
pub(super) fn written(settings: &AutonomySettings) -> Value {
    let mut block = layer(&settings.all);
    let agents: Map<String, Value> =
        settings.agents.iter().map(|(name, own)| (name.clone(), layer(own).into())).collect();
    if !agents.is_empty() {
        block.insert("agents".to_owned(), agents.into());
    }
    block.into()
}

fn layer(layer: &AutonomyLayer) -> Map<String, Value> {
    let AutonomyLayer { max_autonomous_steps, risk_tolerance, deny, requires_approval, auto_approve } = layer;
    let values = [
        ("max_autonomous_steps", max_autonomous_steps.map(Value::from)),
        ("risk_tolerance", risk_tolerance.map(|tolerance| tolerance.name().into())),
        ("deny", deny.clone().map(Value::from)),
        ("requires_approval", requires_approval.clone().map(Value::from)),
        ("auto_approve", auto_approve.clone().map(Value::from)),
    ];
    values.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}
