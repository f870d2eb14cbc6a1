use crate::registry::{LoadedSource, NamingScheme, Registry};
use crate::source::Source;
use crate::trust::TrustLevel;
use aqueduct_testkit as _;

/// No operation on executions without something that starts them.
#[test]
fn only_where_something_starts_them() {
    let source = Source::new("plain".to_owned(), TrustLevel::Validated);
    let registry =
        Registry::build(vec![LoadedSource { source, operations: Vec::new() }], NamingScheme::Bare).unwrap();
    for name in ["get_execution", "list_executions", "cancel_execution", "retry_execution"] {
        assert!(registry.find(name).is_none(), "{name}");
    }
}
