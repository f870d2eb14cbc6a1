//! Results, exit codes, and the three ways to write a report.

use crate::exchange::{Exchange, Received};
use crate::report::{Report, TestReport};
use crate::server::Identity;
use crate::verdict::{CATEGORIES, Check, Verdict};
use crate::{json, markdown, text};
use serde_json::{Map, Value};

fn test(name: &str, result: Verdict) -> TestReport {
    TestReport {
        name: name.to_owned(),
        result,
        detail: "why".to_owned(),
        rule: "X-conf-1".to_owned(),
        broken: Vec::new(),
        findings: Vec::new(),
    }
}

fn report(level: u8, tests: Vec<(&'static str, TestReport)>) -> Report {
    Report::of(Identity { name: "it".to_owned(), version: "1".to_owned() }, level, tests)
}

fn exchange() -> Exchange {
    Exchange { tool: "t".to_owned(), arguments: Map::new(), answer: Received::read(Ok(Value::Null)) }
}

/// X-conf-21 X-conf-70 X-conf-71 X-conf-72: what tests make of categories, and categories of the exit code.
#[test]
fn results_and_exit_codes() {
    use Verdict::{Fail, Pass, Skip, Warn};
    let required = "Error Quality";
    let optional = "Constraint Documentation";
    let cases = [
        (required, vec![Pass, Skip], Pass, 0),
        (required, vec![Pass, Warn], Warn, 0),
        (required, vec![Pass, Warn, Fail], Fail, 1),
        (required, vec![Skip], Skip, 0),
        (required, vec![], Skip, 0),
        (optional, vec![Pass], Pass, 0),
        (optional, vec![Fail], Warn, 2),
        (optional, vec![Warn], Warn, 2),
    ];
    for (category, results, expected, exit) in cases {
        let tests = results.iter().map(|result| (category, test("t", *result))).collect();
        let report = report(2, tests);
        let found = report.categories.iter().find(|each| each.name == category).unwrap();
        assert_eq!((found.result, report.exit_code), (expected, exit), "{category} {results:?}");
        assert_eq!(report.conformance_level, if exit == 1 { 0 } else { 2 });
        assert_eq!(report.summary.total, results.len());
    }
    let names = |level: u8| -> Vec<String> {
        report(level, Vec::new()).categories.into_iter().map(|category| category.name).collect()
    };
    let first_level =
        ["Introspection Fidelity", "Parameter Handling", "Error Quality", "Round-Trip Integrity"];
    assert_eq!(names(1)[..4], first_level);
    assert_eq!(names(2)[..4], first_level);
    assert_eq!(names(2)[4..7], ["Level 2 Features", "Constraint Documentation", "Semantic Evaluation"]);
    assert!(CATEGORIES[..4].iter().all(|(_, level, required)| *level == 1 && *required));
    assert!(CATEGORIES[4..7].iter().all(|(_, level, required)| *level == 2 && !*required));
}

/// X-conf-76: one category alone has its own exit code; the counts and the level stay.
#[test]
fn one_category() {
    let tests = || {
        vec![("Error Quality", test("t", Verdict::Fail)), ("Parameter Handling", test("t", Verdict::Pass))]
    };
    let all = report(1, tests());
    let one = report(1, tests()).only("Parameter Handling");
    assert_eq!((one.exit_code, one.categories.len(), one.conformance_level), (0, 1, all.conformance_level));
    assert_eq!(one.summary, all.summary);
    let none = report(1, tests()).only("No Such Category");
    assert_eq!((none.exit_code, none.categories.len()), (0, 0));
}

/// X-conf-78 X-conf-79 X-conf-80: the same report as text, JSON and Markdown.
#[test]
fn three_ways_to_write_it() {
    let report = report(1, vec![("Error Quality", test("Errors are fine", Verdict::Warn))]);
    let written = text(&report);
    let head = "Implementation: it\nSpec version: 1.0.0-draft\nRequested level: 1\nConformance level: 1\n\
                Summary: 0 passed, 1 warned, 0 failed, 0 skipped\n\nIntrospection Fidelity [MUST] -> SKIP\n";
    assert!(written.starts_with(head), "{written}");
    assert!(
        written.contains("\n\nError Quality [MUST] -> WARN\n  - WARN: Errors are fine\n    why\n\n"),
        "{written}"
    );
    let page = markdown(&report);
    assert!(page.starts_with(
        "# MCP-AQL Conformance Report\n\n- Implementation: `it`\n- Spec version: `1.0.0-draft`\n"
    ));
    assert!(
        page.contains(
            "## Error Quality\n\nRequirement: MUST\nResult: WARN\n\n- WARN: Errors are fine\n  why\n"
        )
    );
    let json = json(&report).unwrap();
    let value: Value = serde_json::from_str(&json).unwrap();
    let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "implementation",
            "version",
            "specVersion",
            "requestedLevel",
            "conformanceLevel",
            "summary",
            "categories",
            "exitCode"
        ]
    );
    assert!(json.starts_with("{\n  \"implementation\""));
    let one = &value["categories"][2]["tests"][0];
    assert_eq!(
        (&one["name"], &one["result"], &one["detail"]),
        (&"Errors are fine".into(), &"WARN".into(), &"why".into())
    );
}

/// X-conf-69: a check that examined nothing is skipped with its reason, and never passes.
#[test]
fn nothing_passes_vacuously() {
    let skipped = Check::new("c", "R", "there was nothing").finish("all is well");
    assert_eq!((skipped.result, skipped.detail.as_str()), (Verdict::Skip, "there was nothing"));
    let mut check = Check::new("c", "R", "there was nothing");
    check.examine();
    assert_eq!(check.finish("all is well").detail, "all is well (1 examined)");
}

/// A failure shows the rule, the request and the answer; of many, the words show the first ones, failures before warnings, and the list
/// has them all.
#[test]
fn findings_explain_themselves() {
    let mut check = Check::of_the_envelope("c", "R", "");
    check.warn("W", "could be better.", None);
    for _ in 0..7 {
        check.expect(false, || "is wrong.".to_owned(), &exchange());
    }
    let test = check.finish("");
    assert_eq!(
        (test.result, test.broken.as_slice()),
        (Verdict::Fail, ["R".to_owned(), "W".to_owned()].as_slice())
    );
    assert!(
        test.detail.starts_with("R: is wrong. Sent: t {} Answered: a tool result without"),
        "{}",
        test.detail
    );
    assert!(test.detail.ends_with("| and 3 more"), "{}", test.detail);
    assert_eq!(test.findings.len(), 8);
    assert_eq!(test.findings[7], "W: could be better.");
    assert_eq!(serde_json::to_value(&test).unwrap()["findings"].as_array().unwrap().len(), 8);
}

/// What is wrong about an envelope is told by the checks of the envelope alone; for the others there was nothing to examine.
#[test]
fn a_malformed_answer_is_told_once() {
    let mut check = Check::new("c", "R", "there was nothing");
    check.expect(false, || "is wrong.".to_owned(), &exchange());
    check.prefer(false, || "is wrong.".to_owned(), &exchange());
    check.fail("R", "is wrong.", Some(&exchange()));
    assert_eq!(check.finish("").result, Verdict::Skip);
}

/// What a server says forges nothing: no control characters, no lines and headings of its own. Findings have a line each, not too long.
#[test]
fn text_of_others_forges_nothing() {
    let mut bad = test("t", Verdict::Fail);
    bad.findings = vec!["R: a\n## Forged\u{1b}[31m\u{202e} `x`".to_owned(), "y".repeat(5_000)];
    bad.findings.extend(["z".to_owned(), "z".to_owned(), "z".to_owned(), "z".to_owned()]);
    let who = Identity { name: "it`\n# Forged\u{1b}]0;".to_owned(), version: "1".to_owned() };
    let report = Report::of(who, 1, vec![("Error Quality", bad)]);
    for written in [text(&report), markdown(&report)] {
        assert!(!written.lines().any(|line| line.contains("# Forged") && line.starts_with('#')), "{written}");
        assert!(!written.contains(['\u{1b}', '\u{202e}']), "{written}");
        assert!(written.contains(r"R: a\n## Forged\u{1b}[31m"), "{written}");
        assert!(written.lines().all(|line| line.chars().count() < 1_100));
        assert_eq!(written.lines().filter(|line| line.trim() == "z").count(), 3, "{written}");
        assert!(written.contains("\n    and 1 more") || written.contains("\n  and 1 more"), "{written}");
    }
}
