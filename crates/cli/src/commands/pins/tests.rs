//! Tests of `pins`.

use super::is_meant;
use aqueduct_mcp_client::PendingPin;
use serde_json::Value;

#[test]
fn what_is_meant() {
    let waiting = |name: &str| PendingPin {
        server: "weather@085eeab7".to_owned(),
        name: name.to_owned(),
        mark: "a1b2c3d4".to_owned(),
        before: Value::Null,
        now: Value::Null,
    };
    let get = waiting("get/w@x");
    for (wanted, meant) in [
        ("weather", true),
        ("weather@085eeab7", true),
        ("weather/get/w@x", true),
        ("weather/get/w@x@a1b2c3d4", true),
        ("weather@085eeab7/get/w@x@a1b2c3d4", true),
        ("weather/get/w@x@a1b2c3d5", false),
        ("weather/get", false),
        ("weat", false),
        ("weather@085eeab8", false),
    ] {
        assert_eq!(is_meant(&get, wanted), meant, "{wanted}");
    }
}
