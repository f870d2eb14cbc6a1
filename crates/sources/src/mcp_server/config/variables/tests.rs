//! Tests of `variables`.

use super::{VariableProblem, at_home, translated};

#[test]
fn one_form_for_all() {
    for (from, to) in [
        ("Bearer ${env:TOKEN}", "Bearer ${TOKEN}"),
        ("${env.A}${B}", "${A}${B}"),
        ("${userHome}/x", "${HOME}/x"),
        ("${VAR:-other}", "${VAR:-other}"),
        ("$VAR ${open", "$VAR ${open"),
        ("plain", "plain"),
    ] {
        assert_eq!(translated(from).unwrap(), to);
    }
    assert_eq!(at_home("~/x"), "${HOME}/x");
    assert_eq!(at_home("~bob/x"), "~bob/x");
}

#[test]
fn what_only_an_editor_knows() {
    let problem = translated("x ${input:api-key}").unwrap_err();
    assert_eq!(problem, VariableProblem::Input("api-key".to_owned()));
    assert!(problem.advice().contains("${API_KEY}"), "{}", problem.advice());
    let problem = translated("${env:api-key}").unwrap_err();
    assert_eq!(problem, VariableProblem::Name("api-key".to_owned()));
    for text in ["${workspaceFolder}/x", "${command:x}", "${workspaceFolder:a}"] {
        assert!(matches!(translated(text), Err(VariableProblem::Editor(_))), "{text}");
    }
}
