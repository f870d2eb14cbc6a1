//! Tests of `policy`.

use super::super::file::parse;
use aqueduct_operations::gatekeeper::{Permission, PolicyRules};
use serde_json::json;

fn rules(text: &str) -> PolicyRules {
    let (file, diagnostics) = parse("aqueduct.toml", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    file.unwrap().policy
}

#[test]
fn every_key_is_read() {
    let rules = rules(
        r#"
[[policy]]
source = "git*"
operation = "delete_*"
category = "delete"
caller = "ci-*"
param = { env = "prod", force = [true, 1] }
decision = "deny"
reason = "not from the pipeline"

[[policy]]
decision = "confirm"
"#,
    );
    let shown: Vec<String> = rules.iter().map(|(_, rule)| rule.to_string()).collect();
    assert_eq!(
        shown,
        ["deny source git* operation delete_* caller ci-* category DELETE param env param force", "confirm"]
    );
    let (_, first) = rules.iter().next().unwrap();
    assert_eq!(first.permission, Permission::Deny);
    assert_eq!(first.reason.as_deref(), Some("not from the pipeline"));
    assert_eq!(first.params[1].values, [json!(true), json!(1)]);
}

/// A rule that is read wrongly protects nothing: all of them are errors.
#[test]
fn what_could_not_be_meant_is_an_error() {
    for text in [
        "operation = \"x\"",
        "decision = \"maybe\"",
        "decision = true",
        "decision = \"deny\"\noperation = \"Delete.*\"",
        "decision = \"deny\"\ncategory = \"REMOVE\"",
        "decision = \"deny\"\nopertion = \"x\"",
        "decision = \"deny\"\nparam = { env = {} }",
        "decision = \"deny\"\nparam = { env = [] }",
        "decision = \"deny\"\nparam = \"env\"",
    ] {
        let (file, diagnostics) = parse("aqueduct.toml", &format!("[[policy]]\n{text}\n"));
        assert!(file.is_none() && diagnostics.len() == 1, "{text}: {diagnostics:?}");
    }
}
