//! Tests of `suggest`.

use super::{Candidate, misspelt, nearest};

/// The operations that may be meant, of these, each with whether it is of the family that was called.
fn operations<'a>(word: &str, known: impl IntoIterator<Item = (&'a str, bool)>, most: usize) -> Vec<&'a str> {
    let known = known.into_iter().map(|(name, is_of_family)| Candidate { name, is_of_family });
    super::operations(word, known, most)
}

/// W3: the family that was called first; verbs of one meaning are one.
#[test]
fn operations_by_meaning_and_family() {
    let known = [
        ("get_charges", true),
        ("get_charges_search", true),
        ("get_charges_charge", true),
        ("post_charges", false),
        ("get_refunds", true),
        ("create_issue", false),
        ("delete_issue", false),
        ("get_issue", true),
    ];
    let near = |word: &str| operations(word, known, 5);
    assert_eq!(
        near("list_charges")[..2],
        ["get_charges", "get_charges_search"],
        "{:?}",
        near("list_charges")
    );
    assert!(near("list_charges").iter().position(|name| *name == "post_charges") != Some(0));
    assert_eq!(near("fetch_issue")[0], "get_issue");
    assert_eq!(near("creat_issue")[0], "create_issue", "a slip is what it is, in any family");
    let anywhere = |word: &str| operations(word, known.map(|(name, _)| (name, false)), 5)[0];
    assert_eq!(anywhere("list_charges"), "get_charges");
    assert_eq!(anywhere("add_issue"), "create_issue");
    assert_eq!(anywhere("remove_issue"), "delete_issue");
    assert_eq!(anywhere("destroyIssue"), "delete_issue");
    assert_eq!(anywhere("make_charge"), "post_charges");
    assert_eq!(anywhere("search_charges"), "get_charges_search");
    assert!(near("qqqq").is_empty() && near("list_zebras").is_empty(), "{:?}", near("list_zebras"));
    assert!(operations(&"a".repeat(300), known, 5).is_empty());
}

/// Names of a large document, as people guess them: the verb behind its thing, longer names, words cut short. What does the
/// opposite is not offered, not even when there is nothing else.
#[test]
fn guesses_at_a_large_document() {
    let known = [
        "issues_get",
        "issues_list",
        "issues_create",
        "issues_update",
        "issues_list_for_repo",
        "search_issues_and_pull_requests",
        "pulls_merge",
        "pulls_get",
        "pulls_list",
        "pulls_create",
        "repos_get",
        "repos_delete",
        "repos_update",
        "search_repos",
        "repos_list_for_authenticated_user",
        "repos_list_forks",
    ];
    let near = |word: &str| operations(word, known.map(|name| (name, false)), 5);
    for (guess, first) in [
        ("list_issues", "issues_list"),
        ("get_issue", "issues_get"),
        ("create_issue", "issues_create"),
        ("merge_pull_request", "pulls_merge"),
        ("get_repository", "repos_get"),
        ("remove_repo", "repos_delete"),
    ] {
        assert_eq!(near(guess)[0], first, "{guess}: {:?}", near(guess));
    }
    assert_eq!(near("search_issues")[0], "search_issues_and_pull_requests");
    assert!(
        near("list_my_repos").contains(&"repos_list_for_authenticated_user"),
        "{:?}",
        near("list_my_repos")
    );
    for guess in ["list_repos", "list_my_repos", "search_repositories"] {
        let opposed = ["repos_delete", "repos_update"];
        assert!(!near(guess).iter().any(|name| opposed.contains(name)), "{guess}: {:?}", near(guess));
    }
    let only_looks =
        |word: &str| operations(word, [("get_charges", false), ("get_charges_search", false)], 5);
    assert!(only_looks("create_charge").is_empty() && only_looks("delete_charges").is_empty());
    assert_eq!(
        operations("update_customer", [("post_customers_customer", false)], 5),
        ["post_customers_customer"]
    );
    assert_eq!(
        operations("list_charges", [("post_charges", true)], 5),
        ["post_charges"],
        "the family was called"
    );
}

#[test]
fn finds_typos_and_word_order() {
    let known = ["create_issue", "get_issue", "list_issues", "get_repo", "delete_repo", "star_repo"];
    assert_eq!(nearest("get_isue", known, 5)[0], "get_issue");
    assert_eq!(nearest("repo_get", known, 5)[0], "get_repo");
    assert_eq!(nearest("delete_repository", known, 5)[0], "delete_repo");
    assert!(nearest("xyzzy", known, 5).is_empty());
    assert_eq!(nearest("get_isue", ["github__get_issue", "github__add_x"], 5), ["github__get_issue"]);
}

#[test]
fn a_slip_is_no_guess() {
    let levels = ["untested", "untrusted", "validated", "high", "reversible"];
    assert_eq!(misspelt("validate", levels), Some("validated"));
    assert_eq!(misspelt("Reversable", levels), Some("reversible"));
    assert_eq!(misspelt("trusted", levels), None, "the opposite is no slip");
    assert_eq!(misspelt("severe", levels), None);
}

#[test]
fn a_word_too_long_to_be_a_name_is_like_nothing() {
    let long = "a".repeat(300);
    assert!(nearest(&long, [long.as_str()], 5).is_empty());
}
