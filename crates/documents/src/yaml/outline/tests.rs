//! Tests of `outline`.

use super::{LineColumn, YamlOutline};

fn open(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.last().map_or(0, |line| line.chars().count());
    let outline = YamlOutline::before(&lines, LineColumn::new(lines.len() as u32, last as u32 + 1));
    outline.brackets.iter().chain(&outline.quote).map(|each| each.sign).collect()
}

#[test]
fn quotes_and_brackets() {
    for (text, expected) in [
        ("a: {b: [c, \"d", "{[\""),
        ("a: {b: [c, \"d\"], e: 'it''s'}", ""),
        ("a: \"x \\\" y", "\""),
        ("a: it's {not} \"open\" [", ""),
        ("a: GET /x/{id", ""),
        ("a: x # {", ""),
        ("a: x#{", ""),
        ("a:\n  - {b: 1,", "{"),
        ("- [a, {b: c}, [", "[["),
        ("a: &x {", "{"),
        ("a: !!str \"x", "\""),
        ("a: |\n  {[\"\nb: [", "["),
        ("- |\n  {[\"\n- [", "["),
        ("- a: >-\n    {[\"\n  b: [", "["),
        ("a: \"one\n  two {\n  three", "\""),
    ] {
        assert_eq!(open(text), expected, "{text:?}");
    }
}
