//! References in texts, well formed and not.

use super::{
    TextPart, VariableValue, is_unfilled, is_unfilled_credential, is_variable_name, only_variable, parts,
    references, variable_value,
};
use proptest::prelude::*;

fn named(text: &str) -> Vec<(&str, Option<&str>)> {
    references(text).collect()
}

#[test]
fn forms() {
    assert_eq!(named("Bearer ${A} ${env:B}${C:-d}"), [("A", None), ("B", None), ("C", Some("d"))]);
    assert_eq!(named("${env:A:-b}"), [("A", Some("b"))]);
    assert_eq!(named("${A:-}"), [("A", Some(""))]);
}

#[test]
fn what_is_no_reference_is_literal() {
    for text in ["", "$A", "${}", "${not a name}", "${1A}", "${open", "plain}"] {
        assert_eq!(named(text), [], "{text}");
    }
    let foreign: Vec<TextPart<'_>> = parts("x ${input:key}").collect();
    assert_eq!(foreign, [TextPart::Literal("x "), TextPart::Foreign("${input:key}")]);
    let broken: Vec<TextPart<'_>> = parts("${not a ${A} b").collect();
    let variable = TextPart::Variable { name: "A", default: None };
    assert_eq!(broken, [TextPart::Literal("${not a "), variable, TextPart::Literal(" b")]);
}

#[test]
fn a_reference_inside_a_default_does_not_hide_the_variable() {
    assert_eq!(named("${SECRET:-${HOME}"), [("SECRET", Some("${HOME"))]);
}

/// A value is one variable, after a short word at most.
#[test]
fn values() {
    let value = |prefix, name, default| Some(VariableValue { prefix, name, default });
    assert_eq!(variable_value("Bearer ${A}"), value("Bearer ", "A", None));
    assert_eq!(variable_value("${env:A:-b}"), value("", "A", Some("b")));
    assert_eq!(variable_value("${SECRET:-${HOME}"), value("", "SECRET", Some("${HOME")));
    for text in
        ["", "x", "${A}x", "${A}${B}", "longer than a word ${A}", "${not a name}", "${SECRET:-${HOME}}"]
    {
        assert_eq!(variable_value(text), None, "{text}");
    }
    assert_eq!(["${A}", "${A:-b}", "x${A}"].map(only_variable), [Some("A"), None, None]);
    assert_eq!(["A_1", "_", "1A", "", "a b"].map(is_variable_name), [true, true, false, false, false]);
}

#[test]
fn what_a_client_left_as_it_is() {
    for value in ["${env:TOKEN}", "Bearer ${env:TOKEN}", "a${input:my-token}b", "${env:my token}"] {
        assert!(is_unfilled(value) && is_unfilled_credential(value), "{value}");
    }
    for value in ["${TOKEN}", "Bearer ${TOKEN}", " ${TOKEN:-x} "] {
        assert!(!is_unfilled(value) && is_unfilled_credential(value), "{value}");
    }
    for value in ["", "s3cret", "${", "${env:", "${env:}", "$TOKEN", "pa${ss}w0rd-of-mine", "env:TOKEN"] {
        assert!(!is_unfilled_credential(value), "{value}");
    }
}

proptest! {
    #[test]
    fn parts_make_up_the_text(text in "[${}:A-C a\\-env]{0,24}") {
        let whole: String = parts(&text)
            .map(|part| match part {
                TextPart::Literal(text) | TextPart::Foreign(text) => text.to_owned(),
                TextPart::Variable { name, default } => {
                    let default = default.map(|text| format!(":-{text}")).unwrap_or_default();
                    format!("${{{name}{default}}}")
                }
            })
            .collect();
        prop_assert_eq!(whole, text.replace("${env:", "${"));
    }
}
