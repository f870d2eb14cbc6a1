//! The operations on executions: there when a source declares a lifecycle, and under another name where a source has theirs.
//! Sources in, names of the built-in operations out.

use super::entries;
use crate::registry::{LoadedSource, NamingScheme, Registry};
use crate::source::Source;
use crate::trust::TrustLevel;

const NAMES: [&str; 4] = ["get_execution", "list_executions", "cancel_execution", "retry_execution"];

/// Ruling N4: no operation on executions without something that starts them.
#[test]
fn only_where_something_starts_them() {
    let source = Source::new("plain".to_owned(), TrustLevel::Validated);
    let loaded = vec![LoadedSource { source, operations: Vec::new() }];
    let registry = Registry::build(loaded, NamingScheme::Bare).unwrap();
    assert!(entries(registry.entries(), |_| false).is_empty());
    for name in NAMES {
        assert!(registry.find(name).is_none(), "{name}");
    }
}
