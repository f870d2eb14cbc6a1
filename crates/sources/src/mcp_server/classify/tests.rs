//! Tests of `classify`.

use super::{classify, common_prefix};
use serde_json::{Value, json};

fn decision(name: &str, annotations: &Value) -> String {
    let class = classify(name, name, None, Some(annotations));
    format!(
        "{} {} {} {}",
        class.decision.category.upper(),
        class.danger.level.name(),
        class.decision.confidence.name(),
        if class.decision.needs_review { "review" } else { "-" }
    )
}

/// N3: annotations first, then the verb; unsure is EXECUTE.
#[test]
fn annotations_then_the_verb() {
    let (none, reads, writes) = (json!({}), json!({"readOnlyHint": true}), json!({"readOnlyHint": false}));
    let destroys = json!({"readOnlyHint": false, "destructiveHint": true});
    let adds = json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true});
    for (name, annotations, expected) in [
        ("directory_tree", &reads, "READ safe high -"),
        ("run_query", &reads, "EXECUTE reversible low review"),
        ("add", &reads, "EXECUTE reversible low review"),
        ("execute_shell", &reads, "EXECUTE reversible low review"),
        ("transfer_funds", &reads, "EXECUTE destructive low review"),
        ("merge_cells", &reads, "EXECUTE reversible low review"),
        ("change_view", &reads, "READ safe medium review"),
        ("list_transfers", &reads, "READ safe high -"),
        ("get_and_delete_message", &none, "DELETE destructive low review"),
        ("create_refund", &none, "CREATE destructive medium -"),
        ("batch_delete_printers", &none, "DELETE destructive medium -"),
        ("delete_file", &reads, "DELETE destructive low review"),
        ("file_delete", &reads, "DELETE destructive low review"),
        ("db_drop", &reads, "DELETE destructive low review"),
        ("run_purge", &reads, "DELETE destructive low review"),
        ("file_delete", &none, "DELETE destructive medium -"),
        ("get_delete_log", &reads, "READ safe high -"),
        ("undeleted_files", &reads, "READ safe high -"),
        ("list_issues", &none, "READ safe medium -"),
        ("read_file", &none, "READ safe medium -"),
        ("create_issue", &none, "CREATE reversible medium -"),
        ("write_file", &none, "UPDATE reversible medium -"),
        ("write_file", &destroys, "UPDATE destructive high -"),
        ("create_directory", &adds, "CREATE reversible high -"),
        ("delete_file", &none, "DELETE destructive medium -"),
        ("drop_table", &none, "DELETE forbidden medium -"),
        ("get_or_make", &writes, "EXECUTE reversible low review"),
        ("get_it", &json!({"destructiveHint": true}), "EXECUTE destructive low review"),
        ("sequentialthinking", &none, "EXECUTE reversible low review"),
        ("browser_click", &writes, "EXECUTE reversible medium review"),
        ("browser_click", &destroys, "EXECUTE destructive medium review"),
    ] {
        assert_eq!(decision(name, annotations), expected, "{name} {annotations}");
        // W1: these words may reach a client.
        let class = classify(name, name, None, Some(annotations));
        let words = format!("{} / {}", class.decision.reason, class.danger.reasons.join(" / "));
        assert!(!words.contains("at "), "{words}");
    }
}

/// N3: the reason is recorded.
#[test]
fn reasons() {
    let class = classify("list_issues", "list_issues", None, None);
    assert_eq!(class.decision.reason, "the verb 'list' means READ");
    let class = classify("x", "x", None, Some(&json!({"readOnlyHint": true})));
    assert_eq!(class.decision.reason, "the server says it only reads");
    assert!(class.idempotent);
    assert!(classify("set_x", "set_x", None, Some(&json!({"idempotentHint": true}))).idempotent);
    assert!(!classify("set_x", "set_x", None, None).idempotent);
}

#[test]
fn a_word_that_all_share_is_no_verb() {
    let names = ["git_status", "git_add", "git_show"];
    let prefix = common_prefix(names.iter().copied());
    assert_eq!(prefix, Some("git"));
    let decision = names.map(|name| classify(name, name, prefix, None).decision.category.upper());
    assert_eq!(decision, ["EXECUTE", "CREATE", "READ"]);
    assert_eq!(common_prefix(["get_a", "get_b"].into_iter()), None, "a verb is one, whoever shares it");
    assert_eq!(common_prefix(["git_a", "hub_b"].into_iter()), None);
    assert_eq!(common_prefix(["git_a"].into_iter()), None);
}
