//! Tests of `returns`.

use super::made_from;

#[test]
fn names_made_from_operations() {
    for (operation, returned) in [
        ("list_issues", "IssueList"),
        ("list_open_issues", "OpenIssueList"),
        ("list_repositories", "RepositoryList"),
        ("list_boxes", "BoxList"),
        ("list_status", "StatusList"),
        ("search", "SearchList"),
        ("get_repo", "Repo"),
        ("create_issue_comment", "IssueComment"),
        ("delete_repo", "RepoDeletion"),
        ("ping", "PingResult"),
    ] {
        assert_eq!(made_from(operation), returned);
    }
}
