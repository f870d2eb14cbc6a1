//! Tests of `merge`.

use super::{merge_given, merge_text};
use aqueduct_testkit::json::any_json;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::{collection, prop_assert, prop_assert_eq, proptest};
use serde_json::{Map, Value, json};

/// The merged text as a tree.
fn merge(target: &Value, patch: &Value) -> Value {
    serde_json::from_str(&merge_text(&target.to_string(), patch)).unwrap()
}

/// C4.5.1-1: every example of RFC 7396, appendix A.
#[test]
fn the_vectors_of_the_rfc() {
    for (target, patch, expected) in [
        (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
        (json!({"a": "b"}), json!({"a": null}), json!({})),
        (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
        (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
        (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
        (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
        (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
        (json!({"a": "b"}), json!(["c"]), json!(["c"])),
        (json!({"a": "foo"}), json!(null), json!(null)),
        (json!({"a": "foo"}), json!("bar"), json!("bar")),
        (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
        (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
        (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
    ] {
        assert_eq!(merge_text(&target.to_string(), &patch), expected.to_string(), "{target} {patch}");
    }
}

/// C4.5.1-6: the example of the core document.
#[test]
fn the_vector_of_the_core() {
    let stored =
        json!({"title": "Old Title", "metadata": {"priority": "low", "tags": ["draft"], "author": "alice"}});
    let input =
        json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"]}});
    assert_eq!(
        merge(&stored, &input),
        json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"], "author": "alice"}})
    );
}

/// C4.5.1-6 C4.5.1-3: the same example where only what is given goes out.
#[test]
fn only_what_is_given() {
    let stored = json!({"title": "Old Title", "n": 1,
            "metadata": {"priority": "low", "tags": ["draft"], "author": "alice", "x": {"a": 1, "b": 2}}});
    for (patch, body) in [
        (
            json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"]}}),
            json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"],
                       "author": "alice", "x": {"a": 1, "b": 2}}}),
        ),
        (
            json!({"metadata": {"author": null, "tags": null, "x": {"a": null}}, "title": null}),
            json!({"metadata": {"priority": "low", "x": {"b": 2}}, "title": null}),
        ),
        (json!({"n": {"a": 1}, "new": {"b": 2}}), json!({"n": {"a": 1}, "new": {"b": 2}})),
        (json!({}), json!({})),
    ] {
        let merged: Value = serde_json::from_str(&merge_given(&stored.to_string(), &patch)).unwrap();
        assert_eq!(merged, body, "{patch}");
    }
}

/// C4.5.1-2 C4.5.1-4: a value that is no object replaces what was there, arrays whole.
#[test]
fn what_is_no_object_replaces() {
    for new in [json!(1), json!("x"), json!(false), json!([1]), json!([])] {
        let merged = merge(&json!({"a": {"b": 1}, "c": [1, 2, 3]}), &json!({"a": new, "c": new}));
        assert_eq!(merged, json!({"a": new, "c": new}));
    }
}

/// C4.5.1-5 C4.5.2-1: null removes the key at any depth; what is left out stays, and in its place.
#[test]
fn null_removes() {
    let stored = json!({"a": 1, "b": {"c": {"d": 2, "e": 3}, "f": 4}, "g": 5});
    let patch = json!({"a": null, "b": {"c": {"d": null}}});
    let expected = r#"{"b":{"c":{"e":3},"f":4},"g":5}"#;
    assert_eq!(merge_text(&stored.to_string(), &patch), expected);
}

/// C4.5.2-1: what is left out of a patch stays to the last digit, with its order and its spelling.
#[test]
fn text_that_is_not_touched_stays_byte_for_byte() {
    let stored = concat!(
        r#"{"id":12345678901234567890123,"caf\u00e9":0.1000000000000000055,"#,
        r#""a":{"n":1.10,"m":2,"o":{"x":1e400,"x":-0}},"list":[1.0,{"b":null}],"last":"\u0041"}"#,
    );
    assert_eq!(merge_text(stored, &json!({})), stored);
    assert_eq!(
        merge_text(stored, &json!({"a": {"m": 3, "z": {"y": null}}, "new": 1, "café": 2})),
        concat!(
            r#"{"id":12345678901234567890123,"caf\u00e9":2,"#,
            r#""a":{"n":1.10,"m":3,"o":{"x":1e400,"x":-0},"z":{}},"list":[1.0,{"b":null}],"last":"\u0041","new":1}"#,
        )
    );
}

#[test]
fn of_members_with_the_same_name_the_last_counts_in_the_first_place() {
    let stored = r#"{"a":1,"b":2,"\u0061":3,"b":{"c":1.0}}"#;
    assert_eq!(merge_text(stored, &json!({"d": 4})), r#"{"a":3,"b":{"c":1.0},"d":4}"#);
    assert_eq!(merge_text(stored, &json!({"a": null, "b": {"e": 5}})), r#"{"b":{"c":1.0,"e":5}}"#);
}

#[test]
fn a_deep_target_is_no_matter() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let merged = merge_text(&format!(r#"{{"a":{deep},"b":1}}"#), &json!({"b": 2}));
    assert_eq!(merged, format!(r#"{{"a":{deep},"b":2}}"#));
}

/// The algorithm of the RFC on lists of pairs, written apart from ours.
fn reference(target: &Value, patch: &Value) -> Value {
    let (Value::Object(changes), none) = (patch, Map::new()) else { return patch.clone() };
    let old = target.as_object().unwrap_or(&none);
    let kept = old
        .iter()
        .filter(|(name, _)| !changes.contains_key(*name))
        .map(|(name, value)| (name.clone(), value.clone()));
    let new = changes
        .iter()
        .filter(|(_, change)| **change != Value::Null)
        .map(|(name, change)| (name.clone(), reference(old.get(name).unwrap_or(&Value::Null), change)));
    Value::Object(kept.chain(new).collect())
}

/// Trees over few keys, so that two of them meet; with nulls in many places.
fn tree() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<i8>().prop_map(Value::from), "[xy]".prop_map(Value::from)];
    leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                1 => collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                3 => collection::vec(("[abc]", inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
}

fn has_null_member(value: &Value) -> bool {
    value.as_object().is_some_and(|map| map.values().any(|value| value.is_null() || has_null_member(value)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// C4.5.1-1 C4.5.1-3 C4.5.1-5: as the reference; twice is once; absent keys stay; no null of the patch
    /// arrives.
    #[test]
    fn random_merges(target in tree(), patch in tree()) {
        let merged = merge(&target, &patch);
        prop_assert_eq!(&merged, &reference(&target, &patch));
        prop_assert_eq!(&merge(&merged, &patch), &merged);
        if let (Some(old), Some(changes), Some(new)) = (target.as_object(), patch.as_object(), merged.as_object()) {
            for (name, value) in old.iter().filter(|(name, _)| !changes.contains_key(*name)) {
                prop_assert_eq!(new.get(name), Some(value));
            }
            for (name, _) in changes.iter().filter(|(_, change)| change.is_null()) {
                prop_assert!(!new.contains_key(name));
            }
        }
        if patch.is_object() && !has_null_member(&target) {
            prop_assert!(!has_null_member(&merged));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// C4.5.1-1: on text as on a tree, whatever it is, and the same again.
    #[test]
    fn text_merges_as_a_tree((target, patch) in (any_json(), any_json())) {
        let both = json!({"same": target, "old": target});
        let change = json!({"same": patch, "new": patch});
        for (target, patch) in [(target, patch), (both, change)] {
            let merged = merge_text(&target.to_string(), &patch);
            prop_assert_eq!(serde_json::from_str::<Value>(&merged).unwrap(), reference(&target, &patch));
            prop_assert_eq!(merge_text(&merged, &patch), merged);
        }
    }

    /// C4.5.2-1: numbers beside what changes keep all their digits.
    #[test]
    fn numbers_keep_their_digits(digits in "-?[1-9][0-9]{0,40}(\\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?", patch in tree()) {
        let stored = format!(r#"{{"n":{digits},"a":{{"n":[{digits}]}},"z":0}}"#);
        let merged = merge_text(&stored, &json!({"a": {"x": patch}, "z": patch}));
        let beginning = format!(r#"{{"n":{digits},"a":{{"n":[{digits}]"#);
        prop_assert!(merged.starts_with(&beginning), "{}", merged);
    }
}
