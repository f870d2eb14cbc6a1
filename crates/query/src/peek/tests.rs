//! Tests of `peek`.

use super::{elements, field_sizes, first_of, items, members, push_member, text, text_at, value_at};
use aqueduct_operations::response::FieldPath;
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
    assert_eq!(list(r#"{"items":[1],"items":2,"users":[3]}"#, None), Some(vec!["3"]), "the last one counts");
    for json in [r#"{"a":1}"#, "{}", "1", "null", r#""[""#] {
        assert_eq!(list(json, None), None);
    }
}

/// Errors and warnings beside the items are none of them; a list of errors by itself is.
#[test]
fn what_stands_beside_the_items() {
    let cloud = r#"{"result":[1],"errors":[],"messages":[{"code":1}],"success":true}"#;
    assert_eq!(list(cloud, None), Some(vec!["1"]));
    for nested in [r#"{"data":{"users":[1]},"errors":[]}"#, r#"{"errors":["late"],"result":{"id":1}}"#] {
        assert_eq!(list(nested, None), None, "{nested}");
        assert_eq!(
            list(nested, Some("errors")).map(|items| items.len()),
            Some(nested.matches("late").count())
        );
    }
    assert_eq!(list(r#"{"errors":[1],"total":1,"page":{"next":2}}"#, None), Some(vec!["1"]));
    assert_eq!(list(r#"{"errors":[1],"warnings":[2]}"#, None), None);
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
fn values_as_text() {
    assert_eq!(text(r#""a\"\u00e9""#).as_deref(), Some("a\"é"));
    assert!(matches!(text(r#""plain""#), Some(Cow::Borrowed("plain"))));
    assert_eq!(text("12.50").as_deref(), Some("12.50"));
    assert_eq!(text("true").as_deref(), Some("true"));
    for nothing in ["null", "[1]", "{}", ""] {
        assert_eq!(text(nothing), None);
    }
    let json = r#"{"meta":{"total":18446744073709551615,"next":"a"}}"#;
    assert_eq!(text_at(json, &path("meta.total")).as_deref(), Some("18446744073709551615"));
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
    assert_eq!(push_member(r#"{"\u0061":0,"b":2}"#, "a", "1"), r#"{"b":2,"a":1}"#, "the old one gives way");
    assert_eq!(push_member("7", "a", "1"), r#"{"a":1}"#);
}
