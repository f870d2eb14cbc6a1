//! Tests of `client`.

use super::settings;
use crate::resolver::{GuardedResolver, SystemLookup};
use aqueduct_operations::address::AddressScope;
use std::sync::Arc;

/// Small requests are not held back for more data. The client tells its settings only as text.
#[test]
fn connections_do_not_wait_for_more_data() {
    let resolver = GuardedResolver { lookup: Arc::new(SystemLookup), scope: AddressScope::Public };
    let shown = format!("{:?}", settings(&resolver));
    assert!(shown.contains("tcp_nodelay: true"), "{shown}");
}
