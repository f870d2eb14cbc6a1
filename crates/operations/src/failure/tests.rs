//! Tests of `failure`.

use super::{Code, Failure};
use serde_json::json;

/// C5.1-3 C5.1-4 C5.1-5 O3.1-3 O3.1-4 O3.3-1 X-errors-5: the failure arm and nothing more.
#[test]
fn wire_shape() {
    let bare = Failure::new(Code::NotFoundOperation, "Unknown operation: 'x'").caused_by("hidden");
    assert_eq!(
        bare.to_value(),
        json!({"success": false, "error": {"code": "NOT_FOUND_OPERATION", "message": "Unknown operation: 'x'"}})
    );
    let full = bare.with("operation", "x");
    assert_eq!(full.to_value()["error"]["details"], json!({"operation": "x"}));
    assert!(!full.to_value().to_string().contains("hidden"));
}
