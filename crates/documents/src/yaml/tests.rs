//! Tests of `yaml`.

use super::parse;
use serde_json::json;

#[test]
fn places_and_values() {
    let text = "---\na: 1\nb:\n  - x\n  - {c: 2.5, d: null}\n404: yes\nt: true\nbig: 18446744073709551615\n";
    let root = parse(text).unwrap().root;
    let b = root.get("b").unwrap();
    assert_eq!((b.line, b.column), (4, 3));
    let c = b.elements()[1].get("c").unwrap();
    assert_eq!((c.line, c.column), (5, 9));
    let d = &b.elements()[1].entries()[1];
    assert_eq!((d.line, d.column), (5, 14));
    assert_eq!(
        root.to_json(),
        json!({"a": 1, "b": ["x", {"c": 2.5, "d": null}], "404": "yes", "t": true, "big": 18446744073709551615.0})
    );
}

#[test]
fn repeated_keys_are_all_named() {
    let document = parse("a: 1\nb: {c: 1, c: 2}\na: 3\na: 4\n").unwrap();
    let found: Vec<_> = document.repeated.iter().map(|r| (r.path.as_str(), r.line, r.first_line)).collect();
    assert_eq!(found, [("a", 3, 1), ("a", 4, 1), ("b.c", 2, 2)]);
    assert_eq!(document.root.to_json(), json!({"a": 1, "b": {"c": 1}}));
}

#[test]
fn syntax_errors_have_a_place() {
    let problem = parse("a: 1\nb: [1, 2\nc: 3\n").unwrap_err();
    assert!(problem.line >= 2, "{problem:?}");
    assert!(parse("a: b: c: d").is_err());
    assert!(parse("a: *nothing\n").is_err());
}

#[test]
fn bombs_are_refused() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let refs = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{refs}]\n"));
    }
    assert!(parse(&bomb).is_err());
    assert!(parse(&"[".repeat(100_000)).is_err());
    assert!(parse(&"- ".repeat(100_000)).is_err());
    assert!(parse(&"{a: ".repeat(10_000)).is_err());
    let mut deep = String::new();
    for level in 0..5_000 {
        deep.push_str(&" ".repeat(level));
        deep.push_str("a:\n");
    }
    assert!(parse(&deep).is_err());
}
