//! Reads pieces of JSON text: the items of an answer, the value at a path, the members of an object.
//!
//! Valid compact JSON in, slices of it out; no tree is built. Text that is something else gives nothing, or an early
//! end, and never a panic. Of members with the same name the last one counts, as in a parsed tree.

use crate::scan;
pub use crate::scan::ArrayElements;
use aqueduct_operations::answers::FieldPath;
use serde_json::Number;
use std::borrow::Cow;
use std::collections::HashMap;

/// Where the items of a collection are looked for when nothing is declared, in this order.
const ITEM_NAMES: [&str; 6] = ["items", "data", "results", "records", "values", "entries"];

/// The elements of the array in an answer: the answer itself when it is one; else what is at the declared path; else,
/// with none declared, the first array by the usual names, or the only array there is.
pub fn items<'a>(json: &'a str, path: Option<&FieldPath>) -> Option<ArrayElements<'a>> {
    let array = match path {
        _ if is_array(json) => Some(json),
        Some(path) => value_at(json, path).filter(|value| is_array(value)),
        None => likely_items(json),
    };
    array.map(elements)
}

fn likely_items(json: &str) -> Option<&str> {
    let members: HashMap<Cow<'_, str>, &str> = members(json).collect();
    let array = |name: &str| members.get(name).copied().filter(|value| is_array(value));
    if let Some(found) = ITEM_NAMES.into_iter().find_map(array) {
        return Some(found);
    }
    let mut arrays = members.values().copied().filter(|value| is_array(value));
    let only = arrays.next()?;
    arrays.next().is_none().then_some(only)
}

fn is_array(json: &str) -> bool {
    json.starts_with('[')
}

/// The text of the value at this path of an object. It leads through objects only.
pub fn value_at<'a>(json: &'a str, path: &FieldPath) -> Option<&'a str> {
    path.names().iter().try_fold(json, |value, name| member(value, name))
}

/// The value at the first of these dotted paths that is there; null is something that is there.
pub fn first_of<'a>(json: &'a str, paths: &[&str]) -> Option<&'a str> {
    paths.iter().find_map(|path| path.split('.').try_fold(json, member))
}

/// The text at this path, as `text` gives it.
pub fn text_at<'a>(json: &'a str, path: &FieldPath) -> Option<Cow<'a, str>> {
    value_at(json, path).and_then(text)
}

/// The number at this path.
pub fn number_at(json: &str, path: &FieldPath) -> Option<Number> {
    value_at(json, path).and_then(number)
}

/// A JSON value as text: a string without quotes and escapes, a number or boolean as it is written. Nothing for null,
/// arrays and objects.
pub fn text(json: &str) -> Option<Cow<'_, str>> {
    match json.as_bytes().first()? {
        b'"' if json.contains('\\') => scan::decoded(json).map(Cow::Owned),
        b'"' => json.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed),
        b'{' | b'[' | b'n' => None,
        _ => Some(Cow::Borrowed(json)),
    }
}

/// A JSON value as a number, if it is one.
pub fn number(json: &str) -> Option<Number> {
    serde_json::from_str(json).ok()
}

/// The text of the member with this name.
fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    scan::ObjectMembers::of(object).filter(|(key, _)| key.name() == name).last().map(|(_, value)| value)
}

/// The members of an object, in order: the name, and the text of the value. Nothing for what is no object.
pub fn members(object: &str) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    scan::ObjectMembers::of(object).map(|(key, value)| (key.name(), value))
}

/// The elements of an array, in order, each as its text. Nothing for what is no array.
pub fn elements(array: &str) -> ArrayElements<'_> {
    ArrayElements::of(array)
}

/// How large each member of an object is by this measure of a value's text, the largest first.
pub fn field_sizes(object: &str, size: impl Fn(&str) -> u64) -> Vec<(Cow<'_, str>, u64)> {
    let mut sizes: Vec<_> = members(object).map(|(name, value)| (name, size(value))).collect();
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes
}

/// This object with one more member behind the others, in place of those with the same name. The value is JSON text.
/// What is no object counts as an empty one.
pub fn push_member(object: &str, name: &str, value: &str) -> String {
    let quoted = serde_json::Value::from(name).to_string();
    let mut out = String::with_capacity(object.len() + quoted.len() + value.len() + 2);
    out.push('{');
    for (key, value) in scan::ObjectMembers::of(object).filter(|(key, _)| key.name() != name) {
        push_pair(&mut out, key.quoted, value);
    }
    push_pair(&mut out, &quoted, value);
    out.push('}');
    out
}

fn push_pair(out: &mut String, key: &str, value: &str) {
    if out.len() > 1 {
        out.push(',');
    }
    for piece in [key, ":", value] {
        out.push_str(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::{
        elements, field_sizes, first_of, items, members, number, number_at, push_member, text, text_at,
        value_at,
    };
    use aqueduct_operations::answers::FieldPath;
    use std::borrow::Cow;

    fn path(text: &str) -> FieldPath {
        FieldPath::parse(text).unwrap()
    }

    fn list<'a>(json: &'a str, at: Option<&str>) -> Option<Vec<&'a str>> {
        items(json, at.map(path).as_ref()).map(Iterator::collect)
    }

    #[test]
    fn an_answer_that_is_an_array_is_the_list_whatever_is_declared() {
        assert_eq!(list(r#"[1,"a,b",{"c":[2]}]"#, None), Some(vec!["1", r#""a,b""#, r#"{"c":[2]}"#]));
        assert_eq!(list("[1]", Some("data")), Some(vec!["1"]));
        assert_eq!(list("[]", None), Some(vec![]));
    }

    #[test]
    fn the_declared_path_is_not_second_guessed() {
        let json = r#"{"items":[1],"page":{"rows":[2]},"total":3}"#;
        assert_eq!(list(json, Some("page.rows")), Some(vec!["2"]));
        assert_eq!(list(json, Some("rows")), None);
        assert_eq!(list(json, Some("total")), None);
    }

    #[test]
    fn usual_names_come_first_then_the_only_array() {
        let names = ["items", "data", "results", "records", "values", "entries"];
        for (at, name) in names.iter().enumerate() {
            let rest: Vec<String> =
                names[at..].iter().rev().map(|name| format!(r#""{name}":["{name}"]"#)).collect();
            let json = format!(r#"{{"other":[0],{}}}"#, rest.join(","));
            assert_eq!(list(&json, None), Some(vec![format!("\"{name}\"").as_str()]));
        }
        assert_eq!(list(r#"{"data":{"x":1},"results":[1]}"#, None), Some(vec!["1"]), "it has to be an array");
        assert_eq!(list(r#"{"count":2,"users":[1,2]}"#, None), Some(vec!["1", "2"]));
        assert_eq!(list(r#"{"users":[1],"groups":[2]}"#, None), None);
        assert_eq!(
            list(r#"{"items":[1],"items":2,"users":[3]}"#, None),
            Some(vec!["3"]),
            "the last one counts"
        );
        for json in [r#"{"a":1}"#, "{}", "1", "null", r#""[""#] {
            assert_eq!(list(json, None), None);
        }
    }

    #[test]
    fn paths_lead_through_objects_only() {
        let json = r#"{"a":{"b":[{"c":1}],"d":null},"a.b":2,"\u0065":"x","d":1,"d":2}"#;
        assert_eq!(value_at(json, &path("a.b")), Some(r#"[{"c":1}]"#));
        assert_eq!(value_at(json, &path("a.d")), Some("null"));
        assert_eq!(value_at(json, &path("e")), Some(r#""x""#));
        assert_eq!(value_at(json, &path("d")), Some("2"));
        for nowhere in ["a.b.c", "a.x", "x", "d.a"] {
            assert_eq!(value_at(json, &path(nowhere)), None, "{nowhere}");
        }
    }

    #[test]
    fn the_first_path_that_is_there() {
        let json = r#"{"meta":{"next":"m"},"next":null}"#;
        assert_eq!(first_of(json, &["cursor", "meta.next", "next"]), Some(r#""m""#));
        assert_eq!(first_of(json, &["next", "meta.next"]), Some("null"));
        assert_eq!(first_of(json, &["cursor", "meta.cursor"]), None);
    }

    #[test]
    fn values_as_text_and_as_numbers() {
        assert_eq!(text(r#""a\"\u00e9""#).as_deref(), Some("a\"é"));
        assert!(matches!(text(r#""plain""#), Some(Cow::Borrowed("plain"))));
        assert_eq!(text("12.50").as_deref(), Some("12.50"));
        assert_eq!(text("true").as_deref(), Some("true"));
        for nothing in ["null", "[1]", "{}", ""] {
            assert_eq!(text(nothing), None);
        }
        assert_eq!(number("12").and_then(|number| number.as_u64()), Some(12));
        assert_eq!(number("1.5").and_then(|number| number.as_f64()), Some(1.5));
        for nothing in [r#""12""#, "null", "true", "[]"] {
            assert_eq!(number(nothing), None);
        }
        let json = r#"{"meta":{"total":18446744073709551615,"next":"a"}}"#;
        assert_eq!(number_at(json, &path("meta.total")).and_then(|number| number.as_u64()), Some(u64::MAX));
        assert_eq!(text_at(json, &path("meta.next")).as_deref(), Some("a"));
    }

    #[test]
    fn members_and_elements_in_order() {
        let found: Vec<_> = members(r#"{"b":[1,{"x":2}],"a\n":"}"}"#).collect();
        assert_eq!(found, [(Cow::from("b"), r#"[1,{"x":2}]"#), (Cow::from("a\n"), r#""}""#)]);
        assert_eq!(members("[1]").count() + elements("{}").count() + elements("[]").count(), 0);
        assert_eq!(elements("[1,2").collect::<Vec<_>>(), ["1", "2"], "what came before the end");
    }

    #[test]
    fn the_largest_field_is_named_first() {
        let sizes = field_sizes(r#"{"a":1,"b":"long text","c":2}"#, |value| value.len() as u64);
        assert_eq!(sizes, [(Cow::from("b"), 11), (Cow::from("a"), 1), (Cow::from("c"), 1)]);
    }

    #[test]
    fn one_more_member() {
        assert_eq!(push_member("{}", "a", "1"), r#"{"a":1}"#);
        assert_eq!(push_member(r#"{"b":{"a":2}}"#, "a\"", "[1]"), r#"{"b":{"a":2},"a\"":[1]}"#);
        assert_eq!(
            push_member(r#"{"\u0061":0,"b":2}"#, "a", "1"),
            r#"{"b":2,"a":1}"#,
            "the old one gives way"
        );
        assert_eq!(push_member("7", "a", "1"), r#"{"a":1}"#);
    }
}
