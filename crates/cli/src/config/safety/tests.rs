//! Tests of `safety`.

use crate::config::file;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_source_kind::autonomy;

/// What an adapter file may say of agents is said the same way here, in both spellings.
#[test]
fn keys_of_adapter_files() {
    let camel = "[safety]\nmaxAutonomousSteps = 2\nriskTolerance = \"moderate\"\nrequiresApproval = [\"send_*\"]\n\
                 autoApprove = [\"get_*\"]\n[safety.agents.bot]\nmaxAutonomousSteps = 9\n";
    let snake = "[safety]\nmax_autonomous_steps = 2\nrisk_tolerance = \"moderate\"\nrequires_approval = [\"send_*\"]\n\
                 auto_approve = [\"get_*\"]\n[safety.agents.bot]\nmax_autonomous_steps = 9\n";
    let read = |text: &str| {
        let (config, diagnostics) = file::parse("aqueduct.toml", text);
        let config = config.unwrap_or_else(|| panic!("{diagnostics:?}"));
        autonomy::read(&NodeCursor::root(&config.root).get("safety").unwrap())
    };
    assert_eq!(read(camel), read(snake));
    assert_eq!(read(camel).all.max_autonomous_steps, Some(2));
}

/// A pattern that names nothing is refused where it stands.
#[test]
fn patterns_name_something() {
    for list in ["deny", "requires_approval", "auto_approve"] {
        let (config, diagnostics) = file::parse("aqueduct.toml", &format!("[safety]\n{list} = [\"--\"]\n"));
        assert!(config.is_none(), "{list}: {diagnostics:?}");
    }
}
