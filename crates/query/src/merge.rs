//! Deep merge of an update into what is stored, as RFC 7396 says (core 4.5.1).
//!
//! In: the stored value and a patch. Out: what is to be stored. Objects merge member by member, null removes,
//! everything else (arrays too) replaces.

use serde_json::{Map, Value};

/// The target with the patch applied.
pub fn merge_patch(target: Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return patch.clone() };
    let mut merged = match target {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    for (name, change) in changes {
        if change.is_null() {
            merged.shift_remove(name);
        } else {
            let before = merged.get_mut(name).map(Value::take).unwrap_or_default();
            merged.insert(name.clone(), merge_patch(before, change));
        }
    }
    Value::Object(merged)
}

#[cfg(test)]
mod tests {
    use super::merge_patch;
    use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
    use proptest::{collection, prop_assert, prop_assert_eq, proptest};
    use serde_json::{Map, Value, json};

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
            assert_eq!(merge_patch(target.clone(), &patch), expected, "{target} {patch}");
        }
    }

    /// C4.5.1-6: the example of the core document.
    #[test]
    fn the_vector_of_the_core() {
        let stored = json!({"title": "Old Title", "metadata": {"priority": "low", "tags": ["draft"], "author": "alice"}});
        let input = json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"]}});
        assert_eq!(
            merge_patch(stored, &input),
            json!({"title": "New Title", "metadata": {"priority": "high", "tags": ["published", "reviewed"], "author": "alice"}})
        );
    }

    /// C4.5.1-2 C4.5.1-4: a value that is no object replaces what was there, arrays whole.
    #[test]
    fn what_is_no_object_replaces() {
        for new in [json!(1), json!("x"), json!(false), json!([1]), json!([])] {
            let merged = merge_patch(json!({"a": {"b": 1}, "c": [1, 2, 3]}), &json!({"a": new, "c": new}));
            assert_eq!(merged, json!({"a": new, "c": new}));
        }
    }

    /// C4.5.1-5 C4.5.2-1: null removes the key at any depth; what is left out stays, and in its place.
    #[test]
    fn null_removes() {
        let stored = json!({"a": 1, "b": {"c": {"d": 2, "e": 3}, "f": 4}, "g": 5});
        let merged = merge_patch(stored, &json!({"a": null, "b": {"c": {"d": null}}}));
        assert_eq!(merged.to_string(), r#"{"b":{"c":{"e":3},"f":4},"g":5}"#);
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
        value
            .as_object()
            .is_some_and(|map| map.values().any(|value| value.is_null() || has_null_member(value)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        /// C4.5.1-1 C4.5.1-3 C4.5.1-5: as the reference; twice is once; absent keys stay; no null of the patch
        /// arrives.
        #[test]
        fn random_merges(target in tree(), patch in tree()) {
            let merged = merge_patch(target.clone(), &patch);
            prop_assert_eq!(&merged, &reference(&target, &patch));
            prop_assert_eq!(&merge_patch(merged.clone(), &patch), &merged);
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
}
