//! What a person reads when a file is no YAML: one finding, in our own words, placed where the mistake was made.
//!
//! Each row of the table is the sample with one usual mistake; the snapshot holds what is printed for each.

use super::{changed, load_text, shown};
use std::fmt::Write;

const DESCRIPTION: &str = "\"A shop that sells things\"";
const PARAM: &str = "id: {type: integer, required: true}";
const NAME: &str = "name: shop";

/// What the mistake is, the text of the sample, what stands there instead.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("a colon in a text", DESCRIPTION, "Shop: things for sale"),
    ("a colon in a text in braces", PARAM, "id: {type: integer, description: Note: a number}"),
    ("a comma left out", PARAM, "id: {type: integer required: true}"),
    ("typographic quotes", DESCRIPTION, "“Shop: things”"),
    ("a double quote not closed", DESCRIPTION, "\"A shop that sells things"),
    ("a single quote not closed", DESCRIPTION, "'A shop that sells things"),
    ("a quote not closed, deeper", "GET /items/{id}", "\"GET /items/{id}"),
    (
        "a quote not closed, in braces",
        PARAM,
        "id: {type: \"integer, required: true}\n        q: {type: \"string\"}",
    ),
    ("a quote not closed before another", NAME, "name: \"shop\nauthor: \"Me\""),
    ("a quote not closed, last", PARAM, "id: {type: integer, description: \"A number}"),
    (
        "a quote not closed, last line",
        PARAM,
        "id: {type: integer, required: true}\n      when_to_use: 'Always",
    ),
    ("a quote not closed, in a list", NAME, "name: shop\ntags:\n  - \"one\n  - \"two\""),
    ("two keys on a line", "type: adapter", "type: adapter author: me"),
    ("a word with a colon", DESCRIPTION, "See https://example.com/a: it is there"),
    ("a time", NAME, "name: shop\nauthor: me, at 10: 30"),
    ("an apostrophe in front", DESCRIPTION, "'tis a shop"),
    ("a quoted word in front", DESCRIPTION, "\"Shop\" sells things"),
    ("an apostrophe in single quotes", DESCRIPTION, "'The shop's things'"),
    ("quotes in double quotes", DESCRIPTION, "\"The \"best\" shop\""),
    ("a comment right after a quote", DESCRIPTION, "\"The shop\"# note"),
    ("two quoted texts", PARAM, "id: {type: integer, enum: [\"a\" \"b\"]}"),
    ("a brace not closed", PARAM, "id: {type: integer, required: true\n        q: {type: string}"),
    ("a brace not closed, last", PARAM, "id: {type: integer, required: true"),
    ("a bracket not closed", NAME, "name: shop\ntags: [a, b"),
    ("a bracket of another kind", PARAM, "id: {type: integer, enum: [1, 2}"),
    ("a brace too many", PARAM, "id: {type: integer, required: true}}"),
    ("a comma too many", PARAM, "id: {type: integer,, required: true}"),
    (
        "a path in braces",
        "- name: get_item\n      maps_to: GET /items/{id}",
        "- {name: get_item, maps_to: GET /items/{id}}",
    ),
    ("a hash in braces", PARAM, "id: {$ref: #/shared_parameters/id}"),
    ("two braces in front", DESCRIPTION, "{{ name }}"),
    ("a tab", "  transport: http", "\ttransport: http"),
    ("a tab below a key", "  base_url:", "\tbase_url:"),
    ("a non-breaking space in front", "  transport: http", "\u{a0}\u{a0}transport: http"),
    ("a non-breaking space after a colon", "type: adapter", "type:\u{a0}adapter"),
    ("an indentation too deep", "type: adapter", "  type: adapter"),
    ("an indentation too deep, in a list", "      maps_to:", "       maps_to:"),
    ("an indentation between", "      maps_to:", "     maps_to:"),
    ("a text that goes on below", DESCRIPTION, "A shop\n  and more: things"),
    ("a list entry among keys", "  transport: http", "  - transport: http"),
    ("a key among list entries", "    - name: get_item", "    - name: get_all\n    name: get_item"),
    ("a dash without a space", "    - name: get_item", "    - name: get_all\n    -name: get_item"),
    ("a list beside its key", NAME, "name: shop\ntags: - a"),
    ("no colon", "type: adapter", "type adapter"),
    ("no colon on the first line", NAME, "name shop"),
    ("no space after a colon", "type: adapter", "type:adapter"),
    ("no key", NAME, "name: shop\n: x"),
    ("a star", DESCRIPTION, "*All* things"),
    ("a star in a list", NAME, "name: shop\ntags: [*_x]"),
    ("an alias of nothing", DESCRIPTION, "*things"),
    ("an ampersand", DESCRIPTION, "& sons"),
    ("an ampersand and a word", DESCRIPTION, "&sons and things"),
    ("an at sign", DESCRIPTION, "@shop sells things"),
    ("a backtick", DESCRIPTION, "`shop` sells things"),
    ("a percent sign", DESCRIPTION, "%d things"),
    ("a percent sign on its own line", NAME, "%name: shop"),
    ("an exclamation mark and a word", DESCRIPTION, "!important things"),
    ("a tag that does not fit", NAME, "name: !!int shop"),
    ("a question mark", DESCRIPTION, "? things"),
    ("a text beside its bar", DESCRIPTION, "| things"),
    ("a backslash", PARAM, "id: {type: string, pattern: \"^\\d+$\"}"),
    ("a broken escape", DESCRIPTION, "\"A shop \\xZZ\""),
    ("a second document", "target:", "--- # target\ntarget:"),
    ("an end of the document", "target:", "...\ntarget:"),
    ("a key twice", "type: adapter", "type: adapter\nname: other"),
    ("an anchor inside itself", NAME, "name: shop\ntags: &a [*a]"),
    ("a map as a key", NAME, "name: shop\n{a: b}: c"),
    ("a merge of no map", NAME, "name: shop\n<<: 5"),
];

/// The words are ours, the place is told once, and each mistake comes with its remedy.
#[test]
fn usual_mistakes() {
    let mut report = String::new();
    for (mistake, from, to) in MISTAKES {
        let outcome = load_text(&changed(from, to));
        assert_eq!(outcome.diagnostics.len(), 1, "{mistake}: {}", shown(&outcome.diagnostics));
        let found = &outcome.diagnostics[0];
        assert!(found.code == "YAML_SYNTAX" || found.code == "DUPLICATE_KEY", "{mistake}: {found}");
        assert!(found.hint.is_some() && !found.message.contains(" at line "), "{mistake}: {found}");
        writeln!(report, "{mistake}\n{found}\n").unwrap();
    }
    insta::assert_snapshot!(report);
}

/// What is too much to read is told without the parser's words.
#[test]
fn limits() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let uses = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{uses}]").unwrap();
    }
    let anchors: String = (0..10_001).map(|number| format!("a{number}: &a{number} x\n")).collect();
    let uses = format!("a: &a x\nb:\n{}", "  - *a\n".repeat(10_001));
    let depth: String = (0..60).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    for (yaml, message) in [
        (bomb, "The anchors of the file multiply to more values than are read"),
        (anchors, "The file has more than 10000 anchors, or uses of them"),
        (uses, "The file has more than 10000 anchors, or uses of them"),
        (depth, "Values are nested more than 48 levels deep"),
        (format!("a: {}", "[".repeat(60)), "Values are nested more than 48 levels deep"),
    ] {
        let outcome = load_text(&format!("---\n{yaml}\n---\n"));
        assert_eq!((outcome.diagnostics.len(), outcome.diagnostics[0].message.as_str()), (1, message));
        assert!(outcome.diagnostics[0].hint.is_some());
    }
}

/// What YAML allows is not taken for a mistake.
#[test]
fn unusual_but_right() {
    for (from, to) in [
        (DESCRIPTION, "&text \"A shop of things\"\nauthor: *text"),
        (DESCRIPTION, "!!str A shop that sells things"),
        (DESCRIPTION, "A shop that sells!!! and more & more"),
        (DESCRIPTION, "A shop that\u{a0}sells things"),
        (DESCRIPTION, "\"A shop: of\n  many things\""),
        (DESCRIPTION, "|\n  A shop: it has\n  *all* things {"),
        (PARAM, "id: {\n          type: integer, # a number\n          required: true\n        }"),
    ] {
        let outcome = load_text(&changed(from, to));
        assert!(outcome.diagnostics.is_empty(), "{to}: {}", shown(&outcome.diagnostics));
    }
}

/// A reference without quotes is a comment to YAML.
#[test]
fn a_value_in_a_comment() {
    let text =
        changed("        id: {type: integer, required: true}", "        - $ref: #/shared_parameters/id");
    let outcome = load_text(&text);
    let found = outcome.errors().find(|found| found.path.ends_with("$ref")).unwrap();
    assert_eq!(found.hint.as_deref(), Some("'#' begins a comment: put the text in quotes"));
    let empty = load_text(&changed("name: shop", "name:"));
    assert_eq!(empty.diagnostics[0].hint, None);
}

/// What no one thought of gets a plain sentence; the parser's words come second.
#[test]
fn anything_else() {
    let outcome = load_text(&changed(DESCRIPTION, "!<x"));
    let found = &outcome.diagnostics[0];
    assert_eq!(found.message, "This is not valid YAML");
    assert!(found.hint.as_deref().unwrap().starts_with("look here and on the line above: "), "{found}");
}
