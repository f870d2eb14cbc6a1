//! What is said about values that do not fit.
//!
//! A document and a value in; place, expectation and finding of each problem compared. No text may look like a line
//! of a stack trace: every test checks that on its way.

use crate::{SchemaProblem, from_schema};
use serde_json::{Value, json};

fn problems(document: Value, value: Value) -> Vec<SchemaProblem> {
    let problems = from_schema(&document).problems(&value);
    for problem in &problems {
        assert!(!names_a_code_place(&problem.expected), "{}", problem.expected);
        assert!(!names_a_code_place(&problem.received), "{}", problem.received);
    }
    problems
}

/// Whether a text has a word ending in "at" before a space, as in a stack trace.
fn names_a_code_place(text: &str) -> bool {
    text.match_indices("at").any(|(start, _)| {
        let rest = &text[start + 2..];
        rest.starts_with(char::is_whitespace) && !rest.trim_start().is_empty()
    })
}

/// Place, expected, received.
fn reported(document: Value, value: Value) -> Vec<[String; 3]> {
    let reported = problems(document, value).into_iter();
    reported.map(|problem| [problem.place, problem.expected, problem.received]).collect()
}

/// S-registry-8: every problem, not only the first, and outer ones before inner ones.
#[test]
fn every_problem_is_found_outer_places_first() {
    let document = json!({
        "type": "object",
        "properties": {
            "labels": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
            "count": {"type": "integer"},
            "state": {"enum": ["open", "closed"]}
        },
        "required": ["title", "owner"],
        "additionalProperties": false
    });
    let value = json!({"labels": [{}, {}, {"name": 1}], "count": 1.5, "state": "x", "extra": [1]});
    let places: Vec<_> = problems(document, value).into_iter().map(|p| (p.place, p.keyword)).collect();
    let expected = [
        ("title", "required"),
        ("owner", "required"),
        ("extra", "additionalProperties"),
        ("count", "type"),
        ("state", "enum"),
        ("labels[2].name", "type"),
    ];
    assert_eq!(places.len(), expected.len(), "{places:?}");
    for (place, keyword) in expected {
        assert!(places.contains(&(place.to_owned(), keyword.to_owned())), "{place} {keyword}: {places:?}");
    }
    assert_eq!(places.last().map(|(place, _)| place.as_str()), Some("labels[2].name"));
}

#[test]
fn each_keyword_has_its_words() {
    for (document, value, expected, received) in [
        (json!({"type": "integer"}), json!("1"), "integer", "string"),
        (json!({"type": ["string", "null"]}), json!(1), "null | string", "integer"),
        (json!({"enum": ["a", 2]}), json!("b"), "one of \"a\", 2", "\"b\""),
        (json!({"const": "a"}), json!("b"), "\"a\"", "\"b\""),
        (json!({"minimum": 3}), json!(1), "3 or more", "1"),
        (json!({"exclusiveMaximum": 3}), json!(3), "less than 3", "3"),
        (json!({"multipleOf": 5}), json!(3), "a multiple of 5", "3"),
        (json!({"minLength": 2}), json!("é"), "2 characters or more", "1 character"),
        (json!({"maxItems": 1}), json!([1, 2]), "1 item or fewer", "2 items"),
        (json!({"minProperties": 2}), json!({"a": 1}), "2 properties or more", "1 property"),
        (json!({"pattern": "^a$"}), json!("b"), "text matching the pattern ^a$", "\"b\""),
        (json!({"uniqueItems": true}), json!([1, 1]), "items without repetition", "2 items"),
        (
            json!({"not": {"type": "string"}}),
            json!("a"),
            "a value other than those ruled out by 'not'",
            "string",
        ),
        (json!(false), json!(1), "nothing here", "integer"),
        (
            json!({"propertyNames": {"maxLength": 1}}),
            json!({"ab": 1}),
            "property names, each 1 character or fewer",
            "\"ab\"",
        ),
        (
            json!({"oneOf": [{"type": "number"}, {"minimum": 1}]}),
            json!(2),
            "a value fitting exactly one of the alternatives (this fits several)",
            "2",
        ),
    ] {
        let reported = reported(document.clone(), value);
        assert_eq!(reported, [[String::new(), expected.to_owned(), received.to_owned()]], "{document}");
    }
    let missing = reported(json!({"required": ["a"]}), json!({}));
    assert_eq!(missing, [["a".to_owned(), "a value (it is required)".to_owned(), "nothing".to_owned()]]);
    let extra = reported(json!({"properties": {"a": true}, "additionalProperties": false}), json!({"b": 1}));
    assert_eq!(extra, [["b".to_owned(), "no property of this name".to_owned(), "1".to_owned()]]);
}

#[test]
fn long_values_and_lists_are_shortened() {
    let options: Vec<u32> = (0..100).collect();
    let [[_, expected, received]] = &reported(json!({"enum": options}), json!("x".repeat(500)))[..] else {
        panic!("one problem")
    };
    assert!(expected.ends_with("23 and 76 more"), "{expected}");
    assert!(received.chars().count() < 100, "{received}");
}

fn shapes() -> Value {
    let shape = |kind: &str, size: &str| {
        json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, size: {"type": "number"}},
            "required": ["kind", size]
        })
    };
    json!({"properties": {"shape": {"oneOf": [shape("circle", "radius"), shape("square", "side")]}}})
}

#[test]
fn of_alternatives_the_one_with_the_right_mark_is_explained() {
    let reported = reported(shapes(), json!({"shape": {"kind": "square", "side": "2"}}));
    assert_eq!(reported, [["shape.side".to_owned(), "number".to_owned(), "string".to_owned()]]);
}

#[test]
fn of_alternatives_of_other_kinds_the_kinds_are_named() {
    let document = json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]});
    assert_eq!(
        reported(document.clone(), json!(1)),
        [["".to_owned(), "string | array".to_owned(), "integer".to_owned()]]
    );
    assert_eq!(
        reported(document, json!(["a", 1])),
        [["[1]".to_owned(), "string".to_owned(), "integer".to_owned()]]
    );
    let words = json!({"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]});
    assert_eq!(
        reported(words, json!("d")),
        [["".to_owned(), "one of \"a\", \"b\", \"c\"".to_owned(), "\"d\"".to_owned()]]
    );
}

#[test]
fn equal_alternatives_are_all_named() {
    let document = json!({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let expected = "a: a value (it is required); or b: a value (it is required)";
    assert_eq!(reported(document, json!({})), [["".to_owned(), expected.to_owned(), "object".to_owned()]]);
    let unmarked = reported(shapes(), json!({"shape": {"kind": "line"}}));
    assert_eq!(unmarked.len(), 1);
    assert!(
        unmarked[0][1].contains("shape.kind: \"circle\"") && unmarked[0][1].contains("\"square\""),
        "{unmarked:?}"
    );
}
