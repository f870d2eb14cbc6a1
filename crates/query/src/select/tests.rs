//! Tests of `select`.

use super::Selection;
use aqueduct_operations::response::FieldPath;

fn select(json: &str, paths: &[&str]) -> String {
    let paths: Vec<FieldPath> = paths.iter().map(|path| FieldPath::parse(path).unwrap()).collect();
    let mut out = String::from("> ");
    Selection::new(&paths).select(json, &mut out);
    out.strip_prefix("> ").expect("what was there stays").to_owned()
}

/// X-fields-2: dots reach nested members, and the answer keeps their nesting.
#[test]
fn dots_reach_nested_members_and_nesting_is_kept() {
    let json =
        r#"{"id":7,"owner":{"id":1,"login":"ada","org":{"name":"x","plan":"y"}},"b.c":1,"b":{"c":2,"d":3}}"#;
    assert_eq!(
        select(json, &["owner.login", "owner.org.name"]),
        r#"{"owner":{"login":"ada","org":{"name":"x"}}}"#
    );
    assert_eq!(select(json, &["b.c"]), r#"{"b":{"c":2}}"#, "a dot is never part of a name");
}

#[test]
fn members_keep_the_order_of_the_document() {
    let json = r#"{"c":1,"b":[2],"a":{"z":3,"y":4}}"#;
    assert_eq!(select(json, &["a.y", "b", "a.z", "c"]), json);
    assert_eq!(select(json, &["a", "c"]), r#"{"c":1,"a":{"z":3,"y":4}}"#);
}

#[test]
fn a_path_that_another_one_continues_keeps_the_whole() {
    let json = r#"{"owner":{"id":1,"login":"ada"},"id":2}"#;
    for paths in [["owner", "owner.login"], ["owner.login", "owner"]] {
        assert_eq!(select(json, &paths), r#"{"owner":{"id":1,"login":"ada"}}"#);
    }
}

/// X-fields-9: selection acts on each item, so that a list gives the same as its items one by one.
#[test]
fn arrays_are_entered_at_every_level() {
    let json = r#"[{"a":1,"b":[{"c":1,"d":2},{"c":3}]},[{"a":2,"x":0},[{"a":3}]]]"#;
    assert_eq!(select(json, &["a", "b.c"]), r#"[{"a":1,"b":[{"c":1},{"c":3}]},[{"a":2},[{"a":3}]]]"#);
    assert_eq!(select("[]", &["a"]), "[]");
    assert_eq!(select(r#"{"a":[]}"#, &["a.b"]), r#"{"a":[]}"#);
}

/// X-fields-10: a field that an item lacks is left out without an error, in the same way for all items.
#[test]
fn what_is_not_there_is_left_out() {
    assert_eq!(select(r#"[{"a":1},{"b":2},{},{"a":3,"b":4}]"#, &["a", "z"]), r#"[{"a":1},{},{},{"a":3}]"#);
    assert_eq!(select(r#"{"a":1}"#, &["z.y"]), "{}");
    assert_eq!(select(r#"{"a":1}"#, &[]), "{}");
    assert_eq!(select("{}", &["a"]), "{}");
}

#[test]
fn a_member_without_fields_is_left_out_when_the_path_goes_on() {
    for value in ["1", "null", "true", r#""text""#] {
        let json = format!(r#"{{"a":{value},"b":2}}"#);
        assert_eq!(select(&json, &["a.x", "b"]), r#"{"b":2}"#);
    }
    assert_eq!(select(r#"{"a":{"y":1}}"#, &["a.x"]), r#"{"a":{}}"#, "an object keeps its place");
}

#[test]
fn elements_without_fields_stay_as_they_are() {
    let json = r#"{"a":[1,{"x":2,"y":3},null,[{"y":4}],"text"]}"#;
    assert_eq!(select(json, &["a.x"]), r#"{"a":[1,{"x":2},null,[{}],"text"]}"#);
}

#[test]
fn a_document_without_fields_stays_as_it_is() {
    for json in ["1", "-1.50e+10", "null", "true", r#""a \" b""#] {
        assert_eq!(select(json, &["a"]), json);
    }
}

#[test]
fn names_match_however_they_are_written() {
    let json = r#"{"na\u006de":"\u0061","a\"b":1,"\ud83d\ude00":2,"other":3}"#;
    assert_eq!(select(json, &["name", "a\"b"]), r#"{"na\u006de":"\u0061","a\"b":1}"#);
    assert_eq!(select(json, &["😀"]), r#"{"\ud83d\ude00":2}"#);
    assert_eq!(select(json, &["na\\u006de"]), "{}");
}

#[test]
fn of_repeated_names_the_last_one_counts_in_the_first_place() {
    let json = r#"{"a":1,"b":{"x":1,"x":2},"\u0061":{"y":3},"b":{"z":4,"x":5}}"#;
    assert_eq!(select(json, &["a", "b.x"]), r#"{"a":{"y":3},"b":{"x":5}}"#);
    assert_eq!(select(json, &["a.y"]), r#"{"a":{"y":3}}"#);
    assert_eq!(select(r#"{"a":{"y":3},"a":1}"#, &["a.y"]), "{}");
    assert_eq!(select(r#"[{"a":1},{"a":2}]"#, &["a"]), r#"[{"a":1},{"a":2}]"#, "each object for itself");
}

#[test]
fn text_that_is_no_json_comes_out_as_it_is() {
    for text in ["", "{", r#"{"a":1"#, r#"{"a":1}}"#, r#"[{"a":1},"#, r#"{"b" 2}"#, "{} {}"] {
        assert_eq!(select(text, &["a"]), text);
    }
}

#[test]
fn depth_is_no_danger() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for levels in [100, 100_000] {
        assert_eq!(select(&deep(levels), &["a"]), deep(levels));
    }
}
