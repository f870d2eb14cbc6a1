//! Tests of `plain_call`.

use super::{PlainCall, read};
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::{collection, prop_assert_eq, proptest};
use rmcp::RoleServer;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Value, json};

fn by_the_sdk(bytes: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
    serde_json::from_slice(bytes).ok()
}

fn arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(null)), Just(json!(1.5)), "[a-z\"\\\\é]{0,5}".prop_map(Value::from)];
    let tree = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            collection::btree_map("[a-z_]{1,4}", inner, 0..3).prop_map(|map| json!(map)),
        ]
    });
    collection::btree_map("[a-z_]{1,5}", tree, 0..4).prop_map(|map| json!(map))
}

proptest! {
    /// What it reads is what the SDK reads.
    #[test]
    fn agrees_with_the_sdk(
        arguments in arguments(),
        id in prop_oneof![Just(json!(7)), Just(json!("seven")), Just(json!(-3))],
        name in "[a-z_]{0,8}",
    ) {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}});
        let bytes = message.to_string();
        let read = read(bytes.as_bytes()).map(PlainCall::into_message);
        assert!(read.is_some(), "{bytes}");
        prop_assert_eq!(format!("{read:?}"), format!("{:?}", by_the_sdk(bytes.as_bytes())));
    }
}

/// Everything else is left to the SDK.
#[test]
fn knows_nothing_else() {
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"},"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"x"}}"#,
        "[]",
        "",
    ] {
        assert!(read(text.as_bytes()).is_none(), "{text}");
    }
}
