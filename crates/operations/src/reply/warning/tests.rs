//! Tests of `warning`.

use super::{Warning, WarningSeverity, push_warnings};
use serde_json::{Value, json};

fn sent(warnings: &[Warning]) -> Value {
    let mut out = String::from(r#"{"a":1"#);
    push_warnings(warnings, &mut out);
    out.push('}');
    serde_json::from_str::<Value>(&out).unwrap()["warnings"].take()
}

/// X-warn-2 X-warn-3: code and message always, details and severity where there are any; the important first, and one
/// without a severity counts as medium.
#[test]
fn shape_and_order() {
    let low = Warning::new("LOW_ONE", "l").rated(WarningSeverity::Low);
    let high = Warning::new("HIGH_ONE", "h").with("a", 1).rated(WarningSeverity::High);
    let medium = Warning::new("MEDIUM_ONE", "m").rated(WarningSeverity::Medium);
    let plain = Warning::new("PLAIN_ONE", "p");
    let sent = sent(&[low, plain, medium, high]);
    assert_eq!(sent[0], json!({"code": "HIGH_ONE", "message": "h", "details": {"a": 1}, "severity": "high"}));
    assert_eq!(sent[1], json!({"code": "PLAIN_ONE", "message": "p"}));
    assert_eq!(sent[2]["severity"], "medium");
    assert_eq!(sent[3]["severity"], "low");
    assert_eq!(super::super::Success::of(crate::raw_json::RawJson::of(&json!(1))).warnings, []);
}

/// X-warn-10 X-warn-11 X-warn-12: equal ones are told once, with their number; ten in all, the last about the rest.
#[test]
fn once_and_ten() {
    let same = Warning::new("A_WARNING", "a").with("x", 1);
    let other = Warning::new("A_WARNING", "a").with("x", 2);
    let collapsed = sent(&[same.clone(), other.clone(), same.clone(), same]);
    assert_eq!(collapsed.as_array().unwrap().len(), 2);
    assert_eq!(collapsed[0]["details"], json!({"x": 1, "occurrence_count": 3}));
    assert_eq!(collapsed[1]["details"], json!({"x": 2}));
    let many: Vec<Warning> = (0..14)
        .map(|n| {
            Warning::new("MANY_OF_THEM", "m").with("n", n).rated(if n == 13 {
                WarningSeverity::High
            } else {
                WarningSeverity::Low
            })
        })
        .collect();
    let kept = sent(&many);
    assert_eq!(kept.as_array().unwrap().len(), 10);
    assert_eq!(kept[0]["details"]["n"], 13, "the important one stays");
    assert_eq!(kept[9]["details"], json!({"omitted": 5}));
    assert_eq!(sent(&many[..10]).as_array().unwrap().len(), 10);
    assert_eq!(sent(&many[..10])[9]["code"], "MANY_OF_THEM");
}
