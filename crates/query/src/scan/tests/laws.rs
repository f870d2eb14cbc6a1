//! What always holds when JSON text is read without a tree: it says the same as a tree would, in the same order, and no
//! text makes it panic. In: random documents, written in several ways, and paths of which most lead somewhere in them.

use crate::peek;
use crate::select::Selection;
use aqueduct_operations::response::FieldPath;
use aqueduct_testkit::json::any_json;
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::Index;
use serde_json::{Map, Value};

/// Selection on a tree, from the list of paths as it is. Says nothing about how the text is written.
fn reference(value: &Value, paths: &[&[String]]) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(|element| reference(element, paths)).collect(),
        Value::Object(members) => {
            let kept = members.iter().filter_map(|(name, member)| {
                let below: Vec<&[String]> =
                    paths.iter().filter(|path| path[0] == *name).map(|path| &path[1..]).collect();
                let value = if below.iter().any(|path| path.is_empty()) {
                    Some(member.clone())
                } else if !below.is_empty() && (member.is_object() || member.is_array()) {
                    Some(reference(member, &below))
                } else {
                    None
                };
                value.map(|value| (name.clone(), value))
            });
            Value::Object(kept.collect())
        }
        scalar => scalar.clone(),
    }
}

/// Objects whose names meet again and again, in each other and in arrays.
fn records() -> impl Strategy<Value = Value> {
    let name =
        || prop_oneof![Just("a"), Just("b"), Just("name"), Just("q\"\\"), Just("ключ"), Just("😀\u{1}")];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<u8>().prop_map(Value::from),
        "[\"\\\\\\[\\]{},:aé]{0,6}".prop_map(Value::from)
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((name(), inner), 0..6)
                .prop_map(|pairs| pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

/// Every path that leads somewhere in a document and can be written with dots.
fn paths_in(value: &Value, above: &[String], found: &mut Vec<Vec<String>>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| paths_in(element, above, found)),
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(name, _)| !name.is_empty() && !name.contains('.')) {
                let path: Vec<String> = above.iter().chain([name]).cloned().collect();
                paths_in(member, &path, found);
                found.push(path);
            }
        }
        _ => {}
    }
}

/// A document, and paths of which most lead somewhere in it.
fn questions() -> impl Strategy<Value = (Value, Vec<FieldPath>)> {
    let picks = vec((any::<Index>(), prop_oneof![6 => Just(""), 1 => Just(".a"), 1 => Just(".no")]), 0..6);
    (prop_oneof![any_json(), records()], picks).prop_map(|(document, picks)| {
        let mut there = vec![vec!["a".to_owned()], vec!["b".to_owned(), "name".to_owned()]];
        paths_in(&document, &[], &mut there);
        let paths = picks.into_iter().map(|(pick, behind)| pick.get(&there).join(".") + behind);
        let paths = paths.map(|path| FieldPath::parse(&path).expect("no name is empty")).collect();
        (document, paths)
    })
}

/// The same document, with every character of its strings as an escape.
fn escaped(value: &Value) -> String {
    let string = |text: &str| {
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        format!("\"{units}\"")
    };
    written(value, &string, false)
}

/// The same document, with every member written twice and the first one wrong.
fn doubled(value: &Value) -> String {
    written(value, &|text| Value::from(text).to_string(), true)
}

fn written(value: &Value, string: &dyn Fn(&str) -> String, twice: bool) -> String {
    match value {
        Value::String(text) => string(text),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|each| written(each, string, twice)).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Object(members) => {
            let wrong = members.iter().filter(|_| twice).map(|(name, member)| {
                let wrong = if member.is_object() { "7" } else { r#"{"a":7,"name":{"b":7}}"# };
                format!("{}:{wrong}", string(name))
            });
            let right = members
                .iter()
                .map(|(name, member)| format!("{}:{}", string(name), written(member, string, twice)));
            let members: Vec<String> = wrong.chain(right).collect();
            format!("{{{}}}", members.join(","))
        }
        scalar => scalar.to_string(),
    }
}

fn select(json: &str, paths: &[FieldPath]) -> String {
    let mut out = String::new();
    Selection::new(paths).select(json, &mut out);
    out
}

fn tree(json: &str) -> Value {
    serde_json::from_str(json).expect("it is JSON")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_500))]

    /// X-fields-2 X-fields-10: the text selected is what a tree would give, in the same order, however it is written.
    #[test]
    fn selection_is_as_on_a_tree((document, paths) in questions()) {
        let names: Vec<&[String]> = paths.iter().map(FieldPath::names).collect();
        let expected = reference(&document, &names);
        prop_assert_eq!(select(&document.to_string(), &paths), expected.to_string());
        prop_assert_eq!(tree(&select(&escaped(&document), &paths)), expected.clone());
        prop_assert_eq!(tree(&select(&doubled(&document), &paths)), expected);
    }

    /// X-fields-9: a list gives the same as its items one by one.
    #[test]
    fn selection_acts_on_each_item((document, paths) in questions()) {
        let list = Value::from(vec![document.clone(), Value::Null, document]).to_string();
        let one_by_one: Vec<String> = peek::elements(&list).map(|item| select(item, &paths)).collect();
        prop_assert_eq!(select(&list, &paths), format!("[{}]", one_by_one.join(",")));
    }

    #[test]
    fn pieces_are_as_in_a_tree((document, paths) in questions()) {
        for json in [document.to_string(), escaped(&document), doubled(&document)] {
            for path in &paths {
                let found = path.names().iter().try_fold(&document, |value, name| value.as_object()?.get(name)).cloned();
                prop_assert_eq!(peek::value_at(&json, path).map(tree), found.clone());
                let first = peek::first_of(&json, &["no.such", &path.to_string()]);
                prop_assert_eq!(first.map(tree), found.clone());
                let text = match found {
                    Some(Value::String(text)) => Some(text),
                    Some(other) => (other.is_number() || other.is_boolean()).then(|| other.to_string()),
                    None => None,
                };
                prop_assert_eq!(peek::text_at(&json, path).map(String::from), text);
            }
            let members: Map<String, Value> =
                peek::members(&json).map(|(name, value)| (name.into_owned(), tree(value))).collect();
            prop_assert_eq!(members, document.as_object().cloned().unwrap_or_default());
            let elements: Vec<Value> = peek::elements(&json).map(tree).collect();
            prop_assert_eq!(elements, document.as_array().cloned().unwrap_or_default());
        }
    }

    #[test]
    fn a_member_more((document, name, value) in (records(), prop_oneof![".*", Just("name".to_owned())], any_json())) {
        let mut expected = document.as_object().cloned().unwrap_or_default();
        expected.shift_remove(&name);
        expected.insert(name.clone(), value.clone());
        let pushed = peek::push_member(&document.to_string(), &name, &value.to_string());
        prop_assert_eq!(pushed, Value::from(expected).to_string());
    }

    #[test]
    fn no_text_makes_it_panic(
        text in prop_oneof![".*", "[\\[\\]{}\",:\\\\1aé😀 ]{0,40}", "(\\{\"a\":|\\[|\"a\\\\|é|,|\\}|\\]|1){0,20}"],
        (document, paths) in questions(),
        cut in any::<Index>(),
    ) {
        let json = document.to_string();
        let cuts: Vec<usize> = json.char_indices().map(|(at, _)| at).collect();
        for text in [text.as_str(), &json[..*cut.get(&cuts)], &json[*cut.get(&cuts)..]] {
            select(text, &paths);
            for path in &paths {
                peek::text_at(text, path);
                peek::items(text, Some(path)).map(Iterator::count);
            }
            peek::items(text, None).map(Iterator::count);
            peek::text(text);
            peek::field_sizes(text, |value| value.len() as u64);
            peek::push_member(text, "a", "1");
        }
    }
}
