//! Tests of `kinds`.

use super::check;
use crate::tidy::tests::{file, places};

#[test]
fn no_kind_by_name() {
    let code =
        "//! As MCP servers do.\nuse aqueduct_operations::mcp::ServerConfig;\nlet kind = OpenApiKind;\n";
    let boot = "crates/aqueduct/src/boot/loading.rs";
    assert_eq!(places(&check(&[file(boot, code)])), [format!("{boot}:2"), format!("{boot}:3")]);
    let others = [
        file("crates/aqueduct/src/boot/tests.rs", code),
        file("crates/cli/src/commands/import/tests.rs", code),
        file("crates/sources/src/kind_table.rs", code),
    ];
    assert_eq!(places(&check(&others)), [""; 0]);
}
