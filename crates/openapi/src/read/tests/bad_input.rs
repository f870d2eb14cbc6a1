//! What is no OpenAPI document, or a damaged one: an error that says what was found, or a warning; never a panic or a hang.
//!
//! Made-up mistakes one by one, then random texts and references that are opened and looked through to the end.

use super::{AllowRefs, DocumentSet, OpenError, open, open_value, path, refused};
use aqueduct_source_kind::disk_reader::decode;
use serde_json::json;

#[test]
fn each_kind_of_wrong_text_has_its_own_words() {
    for (text, words) in [
        ("", "the document is empty"),
        (" \n\t", "the document is empty"),
        ("<!DOCTYPE html><html></html>", "this is a web page"),
        ("\n<?xml version='1.0'?><a/>", "this is a web page"),
        (
            r#"{"name": "left-pad", "version": "1.0.0"}"#,
            "no 'openapi' (3.0, 3.1, 3.2) or 'swagger' (2.0) key; it has 'name', 'version'",
        ),
        ("{}", "it has no keys"),
        ("[1, 2]", "but this is a list"),
        ("just some words", "but this is a string"),
        ("42", "but this is a number"),
        ("null", "but this is null"),
        ("true", "but this is a boolean"),
        (r#"{"openapi": "4.0.0"}"#, "but the document says 'openapi: 4.0.0'"),
        (r#"{"swagger": "1.2"}"#, "but the document says 'swagger: 1.2'"),
        (r#"{"openapi": null}"#, "but the document says 'openapi: null'"),
        (r#"{"openapi": "3.0.0", "paths": []}"#, "'paths' must be an object, but it is a list"),
        (r#"{"openapi": "3.0.0", "paths": "x"}"#, "'paths' must be an object, but it is a string"),
        (r#"{"openapi": "3.0.0", "paths": 7}"#, "'paths' must be an object, but it is a number"),
    ] {
        let error = refused(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn syntax_errors_have_their_line() {
    let truncated = "{\"openapi\": \"3.0.0\",\n\"paths\": {\"/a\": {\n";
    let error = refused(truncated);
    assert!(
        matches!(&error, OpenError::Syntax { line: 2 | 3, reason, .. } if reason.contains("ends too early")),
        "{error}"
    );
    let error = refused("{\"openapi\": \"3.0.0\",\n\n\"paths\": nope}");
    assert_eq!(error.place().unwrap().0, 3, "{error}");
    assert!(refused("{\"openapi\": \"3.0.0\"} {}").place().is_some());
    assert!(refused("openapi: 3.0.0\npaths: [a\n").place().unwrap().0 >= 2);
}

#[test]
fn a_byte_order_mark_is_passed_over_and_utf_16_named() {
    assert_eq!(open("\u{feff}{\"openapi\": \"3.0.0\"}").library.paths().count(), 0);
    let wide: Vec<u8> = "{\"openapi\"".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked: Vec<u8> = [0xFF, 0xFE].into_iter().chain(wide.clone()).collect();
    let big: Vec<u8> = "{\"openapi\"".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [wide, marked, big] {
        assert!(decode(bytes).unwrap_err().to_string().contains("UTF-16"));
    }
    assert!(decode(vec![b'{', 0xE9, b'}']).is_err());
    assert_eq!(decode("{\"ä\":1}".into()).unwrap(), "{\"ä\":1}");
}

#[test]
fn repeated_keys_count_last_and_are_said() {
    let opened = open(
        r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {}}, "/a": {"put": {}}}, "info": 1, "info": 2}"#,
    );
    assert_eq!(opened.library.value(&path(&opened.library, "/a")), json!({"put": {}}));
    assert_eq!(opened.library.root()["info"], 2);
    let said: Vec<_> = opened.warnings.iter().filter(|warning| warning.contains("given twice")).collect();
    assert_eq!(said.len(), 2, "{said:?}");
}

#[test]
fn odd_parts_are_taken_as_they_are() {
    let opened = open_value(
        &json!({"openapi": "3.0.0", "info": 3, "paths": {"/a": null, "/b": 7, "/c": {"get": null}},
        "components": {"schemas": [1]}}),
    );
    let library = &opened.library;
    assert_eq!(library.path_item(&path(library, "/a")).unwrap().value.as_ref(), &json!(null));
    assert_eq!(library.path_item(&path(library, "/b")).unwrap().value.as_ref(), &json!(7));
    assert!(
        opened.warnings.iter().any(|warning| warning.contains("'components/schemas' is a list")),
        "{:?}",
        opened.warnings
    );
    assert_eq!(open(r#"{"openapi": "3.1.0", "paths": null, "components": 4}"#).library.paths().count(), 0);
}

#[test]
fn endless_nesting_is_refused() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        let text = format!("{{\"openapi\": \"3.0.0\", \"x\": {}", open.repeat(1_000_000));
        assert!(matches!(refused(&text), OpenError::TooDeep { line: 1, .. }));
    }
    let depth = 110;
    let fine = format!("{{\"openapi\": \"3.0.0\", \"x\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(open(&fine).library.root()["x"].is_array());
}

#[test]
fn halves_of_characters_and_endless_numbers_are_mended() {
    let opened = open(
        r#"{"openapi": "3.0.0", "paths": {"/a": {"summary": "a\ud800b \\ud800 \ud83d\ude00", "x": 1e999, "y": -1E999}}}"#,
    );
    let item = opened.library.value(&path(&opened.library, "/a"));
    assert_eq!(item, json!({"summary": "a\u{fffd}b \\ud800 \u{1f600}", "x": 1e308, "y": -1e308}));
    assert_eq!(opened.warnings.len(), 3, "{:?}", opened.warnings);
}

/// Opens it if it can be opened, and looks at everything in it.
fn all_of(text: &str) -> usize {
    let Ok(opened) = DocumentSet::open("api.json", text.to_owned(), None, &AllowRefs::default()) else {
        return 0;
    };
    let library = opened.library;
    let looked = library.paths().filter_map(|(_, node)| {
        let item = library.path_item(&node).ok()?;
        Some(library.schema(&item.value, &item.location))
    });
    looked.count()
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]{}\":,a-z0-9$#/ \\n\\\\-]{0,80}") {
        all_of(&text);
        all_of(&format!("{{\"openapi\": \"3.1.0\", \"paths\": {{\"/a\": {text}}}}}"));
    }

    #[test]
    fn no_reference_makes_it_panic(first in "[a-z#/.:~%0-9]{0,20}", second in "#/(paths|components|x)/[ab~1/$ref]{0,12}") {
        for key in ["$ref", "$id", "$anchor"] {
            let document = json!({"openapi": "3.1.0", "x": {"a": {"$ref": second}},
                "paths": {"/a": {"$ref": first}, "a": {key: second, "properties": {"b": {"$ref": first}}}}});
            all_of(&document.to_string());
        }
    }
}
