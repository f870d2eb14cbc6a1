//! Any text and any JSON survive being written and read.
//!
//! Entries in, YAML out, and a reader's view of it compared: quoted only where needed, folded where long.

use crate::write::text::scalar;
use crate::write::yaml::{YamlEntries, YamlValue, document};
use aqueduct_documents::yaml;
use aqueduct_operations::secrets::shapes;
use proptest::collection::{btree_map, vec};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde_json::{Value as Json, json};

fn read_back(entries: &YamlEntries) -> Json {
    let mut text = String::from("---\n");
    document(entries, &mut text);
    yaml::parse(&text).unwrap_or_else(|problem| panic!("{problem:?}\n{text}")).root.to_json()
}

fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        any::<String>(),
        "[ -~]{0,20}",
        "[a-z ]{80,300}",
        "[a-z#:,\\[\\]{}&*!|>'\"%@`\\\\ \n\t-]{0,40}",
        "([a-z]{1,9} {1,2}){10,40}",
        "([a-z #-]{0,9}\n){1,9}[a-z]{1,9}",
        Just("---".to_owned()),
        Just("null".to_owned()),
        Just("Yes".to_owned()),
        Just("1e3".to_owned()),
        Just("0x1F".to_owned()),
        Just(".inf".to_owned()),
        Just("2026-01-01".to_owned()),
        Just("a: b # c".to_owned()),
        Just("\u{feff}x\u{2028}y\u{85}z\u{a0}\u{ffff}\u{1ffff}".to_owned()),
        Just("!tag &anchor *alias".to_owned()),
    ];
    word.prop_filter("no credential", |text| shapes::first_in(text).is_none())
}

fn values() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(|number| json!(number)),
        texts().prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::from),
            btree_map(texts(), inner, 0..6).prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_survives(text in texts(), key in texts()) {
        let mut inner = YamlEntries::default();
        inner.text(&key, &text);
        let mut entries = YamlEntries::default();
        entries.text("text", &text);
        entries.put("map", YamlValue::Map(inner.clone()));
        entries.put("block", YamlValue::Block(inner.clone()));
        entries.put("list", YamlValue::List(vec![YamlValue::Text(text.clone()), YamlValue::Json(text.clone().into())]));
        entries.put("noted", YamlValue::Blocks(vec![
            YamlValue::Noted(vec![text.clone(), String::new()], Box::new(YamlValue::Block(inner))),
            YamlValue::Text(text.clone()),
        ]));
        assert_eq!(
            read_back(&entries),
            json!({
                "text": text, "map": {&key: text}, "block": {&key: text}, "list": [text, text],
                "noted": [{&key: text}, text],
            })
        );
    }

    #[test]
    fn any_json_survives(value in values()) {
        let mut entries = YamlEntries::default();
        entries.json("value", value.clone());
        assert_eq!(read_back(&entries)["value"], value);
    }
}

#[test]
fn quotes_only_where_they_are_needed() {
    for plain in ["string", "read only", "application/json", "_x", "/a/b", "GITHUB_TOKEN"] {
        assert_eq!(scalar(plain), plain);
    }
    for quoted in ["", "true", "No", "1.0.0", "-", "a: b", "x ", " x", "a,b", "{id}", "é", "#", "0", "null"]
    {
        assert_eq!(scalar(quoted), format!("\"{quoted}\""));
    }
}

/// Long texts are folded at spaces, so that a reader sees them whole.
#[test]
fn long_texts_are_folded() {
    let mut entries = YamlEntries::default();
    entries.text("a", "word ".repeat(40).trim_end());
    entries.text("b", "first line\n\n  - second: line");
    let mut text = String::new();
    document(&entries, &mut text);
    assert!(text.starts_with("a: >-\n  word word"), "{text}");
    assert!(text.contains("b: |-\n  first line\n\n    - second: line\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}
