//! Tests of `merge`.

use super::{Client, ClientEntry, MergeRefusal, merge};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde_json::{Value, json};

fn entry() -> ClientEntry {
    ClientEntry::Program {
        command: "/bin/aqueduct".into(),
        arguments: vec!["serve".into()],
        variables: vec!["T".into()],
    }
}

fn merged(old: &str) -> String {
    merge(Some(old.as_bytes()), Client::ClaudeDesktop, "shop", &entry()).unwrap()
}

#[test]
fn other_keys_keep_their_value_and_place() {
    let old =
        r#"{"zeta": 1, "mcpServers": {"other": {"command": "x", "args": []}}, "alpha": {"b": 1, "a": 2.0}}"#;
    let new = merged(old);
    let value: Value = serde_json::from_str(&new).unwrap();
    let keys: Vec<_> = value.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["zeta", "mcpServers", "alpha"]);
    assert_eq!(value["mcpServers"]["other"], json!({"command": "x", "args": []}));
    assert!(new.find("\"b\": 1") < new.find("\"a\": 2.0"), "{new}");
    assert!(new.ends_with("}\n"), "{new}");
}

/// Numbers come out with the digits that they had, however many.
#[test]
fn numbers_keep_their_digits() {
    let numbers =
        ["12345678901234567890123", "0.1234567890123456789012345", "1e999", "1.10", "-0", "1E5", "7"];
    for number in numbers {
        let old = format!(
            "{{\"id\": [{number}], \"text\": \"\\\" {number}\", \"mcpServers\": {{\"shop\": {{\"n\": {number}}}}}}}"
        );
        let new = merged(&old);
        assert!(new.contains(&format!("\"id\": [{number}],")), "{new}");
        assert!(new.contains(&format!("\"text\": \"\\\" {number}\",")), "{new}");
        assert!(new.contains(&format!("\"n\": {number},")), "{new}");
    }
    let key = b"{12345678901234567890123: 1}";
    assert!(matches!(merge(Some(key), Client::Cursor, "shop", &entry()), Err(MergeRefusal::NotJson(_))));
}

#[test]
fn what_the_person_filled_in_stays() {
    let old = r#"{"mcpServers": {"shop": {"command": "old", "disabled": true, "env": {"T": "mine", "U": "more"}}}}"#;
    let value: Value = serde_json::from_str(&merged(old)).unwrap();
    let server = &value["mcpServers"]["shop"];
    assert_eq!(server["env"], json!({"T": "mine", "U": "more"}));
    assert_eq!((&server["command"], &server["disabled"]), (&json!("/bin/aqueduct"), &json!(true)));
    assert_eq!(merged(&merged(old)), merged(old));
}

#[test]
fn files_that_hold_nothing_yet() {
    let fresh = merge(None, Client::ClaudeDesktop, "shop", &entry()).unwrap();
    for old in ["", " \n", "{}", "\u{feff}{}"] {
        assert_eq!(merged(old), fresh, "{old:?}");
    }
}

/// Where the client allows them, comments and commas stay, and so does the layout.
#[test]
fn comments_stay() {
    let old =
        "// mine\n{\n\t\"theme\": \"One\", // light\n\t\"context_servers\": {\n\t\t/* none */\n\t},\n}\n";
    let new = merge(Some(old.as_bytes()), Client::Zed, "shop", &entry()).unwrap();
    assert!(
        new.starts_with("// mine\n{\n\t\"theme\": \"One\", // light\n\t\"context_servers\": {\n"),
        "{new}"
    );
    assert!(new.contains("/* none */") && new.contains("\n\t\t\"shop\": {\n\t\t\t\"command\": "), "{new}");
    assert!(new.ends_with(",\n}\n"), "{new}");
    assert_eq!(merge(Some(new.as_bytes()), Client::Zed, "shop", &entry()).unwrap(), new);
}

#[test]
fn files_that_cannot_be_kept_are_refused() {
    let refusal = |old: &[u8], client| merge(Some(old), client, "shop", &entry()).unwrap_err();
    assert!(matches!(refusal(b"{,}", Client::Cursor), MergeRefusal::NotJson(_)));
    assert!(matches!(refusal(b"\xff", Client::Cursor), MergeRefusal::NotJson(_)));
    assert!(matches!(refusal(b"// mine\n{}", Client::Cursor), MergeRefusal::NotJson(_)));
    assert!(matches!(refusal(b"{\"a\": 1,}", Client::Windsurf), MergeRefusal::NotJson(_)));
    for loose in ["{a: 1}", "{'a': 1}", "{\"a\": 0x1}", "{\"a\": +1}", "{\"a\": .5}", "{\"a\": 1 \"b\": 2}"] {
        assert!(matches!(refusal(loose.as_bytes(), Client::Zed), MergeRefusal::NotJson(_)), "{loose}");
    }
    assert!(matches!(refusal(b"[]", Client::Cursor), MergeRefusal::Form(_)));
    assert!(matches!(refusal(b"{\"mcpServers\": []}", Client::Cursor), MergeRefusal::Form(_)));
    assert!(matches!(refusal(b"{\"mcpServers\": {\"shop\": 1}}", Client::Cursor), MergeRefusal::Form(_)));
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-z]{1,4}", inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Whatever else a file holds comes out as it went in.
    #[test]
    fn nothing_else_changes(pairs in proptest::collection::vec(("[a-z]{1,6}", values()), 0..6)) {
        let old = Value::Object(pairs.into_iter().filter(|(key, _)| key != "mcpServers").collect());
        let mut new: Value = serde_json::from_str(&merged(&old.to_string())).unwrap();
        let servers = new.as_object_mut().unwrap().shift_remove("mcpServers");
        assert!(servers.is_some());
        assert_eq!(new.to_string(), old.to_string());
    }
}
