//! Layers of settings: the operator's replace what is beneath, an author's only tighten.

use super::{DEFAULT_DENY, merged};
use aqueduct_operations::autonomy::{AutonomyLayer, AutonomySettings, RiskTolerance};

/// C8.7.4-1: agent over server over default, and a source never lowers anything.
#[test]
fn layers() {
    let words = |list: &[&str]| Some(list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
    let own = AutonomyLayer { max_autonomous_steps: Some(100), ..AutonomyLayer::default() };
    let operator = AutonomySettings {
        all: AutonomyLayer {
            max_autonomous_steps: Some(10),
            deny: words(&["x*"]),
            ..AutonomyLayer::default()
        },
        agents: [("Deploy Bot".to_owned(), own)].into(),
    };
    assert_eq!(merged("deploybot", &operator, &[]).max_autonomous_steps, 100);
    assert_eq!(merged("other", &operator, &[]).max_autonomous_steps, 10);
    assert_eq!(merged("other", &operator, &[]).deny, ["x*"]);
    assert_eq!(merged("", &AutonomySettings::default(), &[]).deny, DEFAULT_DENY);
    let author = AutonomySettings {
        all: AutonomyLayer {
            max_autonomous_steps: Some(1_000),
            risk_tolerance: Some(RiskTolerance::Aggressive),
            deny: words(&["ship_*"]),
            auto_approve: words(&["*"]),
            ..AutonomyLayer::default()
        },
        ..AutonomySettings::default()
    };
    let with = merged("other", &operator, std::slice::from_ref(&author));
    let without = merged("other", &operator, &[]);
    assert_eq!(
        (with.max_autonomous_steps, with.risk_tolerance),
        (without.max_autonomous_steps, without.risk_tolerance)
    );
    assert_eq!(
        (with.auto_approve, with.deny),
        (without.auto_approve, vec!["x*".to_owned(), "ship_*".to_owned()])
    );
}
