//! The GitHub adapter: every operation goes out exactly as the file says.
//!
//! `AQUEDUCT_GITHUB_ADAPTER` names another file with the same operations to check instead of ours.

use super::harness::{Server, fixture};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};

fn file() -> String {
    std::env::var("AQUEDUCT_GITHUB_ADAPTER").unwrap_or_else(|_| fixture("github-api-adapter.md"))
}

/// Tool, operation, params; the request line; the body.
fn calls() -> Vec<(&'static str, &'static str, Value, &'static str, Value)> {
    let issue = json!({"owner": "octo", "repo": "hello world", "issue_number": 42});
    let with = |more: Value| {
        let mut all = issue.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let repo = json!({"owner": "octo", "repo": "hello"});
    vec![
        (
            "create",
            "create_repo",
            json!({"name": "new"}),
            "POST /user/repos",
            json!({"name": "new", "private": false, "auto_init": false}),
        ),
        (
            "create",
            "create_repo",
            json!({"auto_init": true, "private": true, "description": "d", "name": "new"}),
            "POST /user/repos",
            json!({"name": "new", "description": "d", "private": true, "auto_init": true}),
        ),
        (
            "create",
            "create_issue",
            json!({"owner": "octo", "repo": "hello", "title": "T", "labels": ["bug"], "assignees": []}),
            "POST /repos/octo/hello/issues",
            json!({"title": "T", "labels": ["bug"], "assignees": []}),
        ),
        (
            "create",
            "create_comment",
            with(json!({"body": "hi"})),
            "POST /repos/octo/hello%20world/issues/42/comments",
            json!({"body": "hi"}),
        ),
        (
            "read",
            "get_repo",
            json!({"owner": "a/b", "repo": "c?d#e"}),
            "GET /repos/a%2Fb/c%3Fd%23e",
            Value::Null,
        ),
        (
            "read",
            "list_repos",
            json!({"username": "octo"}),
            "GET /users/octo/repos?type=owner&sort=full_name&per_page=30",
            Value::Null,
        ),
        (
            "read",
            "list_my_repos",
            json!({"per_page": 5, "visibility": "private"}),
            "GET /user/repos?visibility=private&type=all&sort=full_name&per_page=5",
            Value::Null,
        ),
        ("read", "get_issue", issue.clone(), "GET /repos/octo/hello%20world/issues/42", Value::Null),
        (
            "read",
            "list_issues",
            json!({"owner": "octo", "repo": "hello", "labels": "bug,help wanted"}),
            "GET /repos/octo/hello/issues?state=open&labels=bug%2Chelp%20wanted&sort=created&direction=desc&per_page=30",
            Value::Null,
        ),
        (
            "read",
            "search_repos",
            json!({"q": "language:rust stars:>1000", "sort": "stars"}),
            "GET /search/repositories?q=language%3Arust%20stars%3A%3E1000&sort=stars&order=desc&per_page=30",
            Value::Null,
        ),
        ("read", "get_user", json!({"username": "octo"}), "GET /users/octo", Value::Null),
        ("read", "get_authenticated_user", json!({}), "GET /user", Value::Null),
        (
            "update",
            "update_repo",
            json!({"owner": "octo", "repo": "hello", "input": {"has_wiki": false, "name": "bye"}}),
            "PATCH /repos/octo/hello",
            json!({"name": "bye", "has_wiki": false}),
        ),
        (
            "update",
            "update_issue",
            with(json!({"input": {"state": "closed", "body": null, "labels": ["done"]}})),
            "PATCH /repos/octo/hello%20world/issues/42",
            json!({"body": null, "state": "closed", "labels": ["done"]}),
        ),
        (
            "update",
            "add_labels",
            with(json!({"input": {"labels": ["a", "b"]}})),
            "POST /repos/octo/hello%20world/issues/42/labels",
            json!({"labels": ["a", "b"]}),
        ),
        ("delete", "delete_repo", repo.clone(), "DELETE /repos/octo/hello", Value::Null),
        (
            "delete",
            "remove_label",
            with(json!({"name": "help wanted/now"})),
            "DELETE /repos/octo/hello%20world/issues/42/labels/help%20wanted%2Fnow",
            Value::Null,
        ),
        (
            "delete",
            "delete_comment",
            json!({"owner": "octo", "repo": "hello", "comment_id": 9}),
            "DELETE /repos/octo/hello/issues/comments/9",
            Value::Null,
        ),
        ("execute", "star_repo", repo.clone(), "PUT /user/starred/octo/hello", Value::Null),
        ("execute", "unstar_repo", repo.clone(), "DELETE /user/starred/octo/hello", Value::Null),
        ("execute", "fork_repo", repo.clone(), "POST /repos/octo/hello/forks", Value::Null),
        (
            "execute",
            "fork_repo",
            json!({"owner": "octo", "repo": "hello", "organization": "acme"}),
            "POST /repos/octo/hello/forks",
            json!({"organization": "acme"}),
        ),
    ]
}

/// R1.2-3 R1.3-5 R1.3-6 R2.2-1 R2.2-2 R5.2-4: method, path, query in order, body and Authorization of every operation.
#[tokio::test]
async fn calls_go_out_as_the_file_says() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let variables = [("GITHUB_TOKEN", "ghp_test_0123456789")];
    let mut server = Server::start(&[&file(), "--base-url", &api.base_url()], &variables);
    server.open().await;
    let mut called = Vec::new();
    for (tool, operation, mut params, line, body) in calls() {
        let tool = format!("mcp_aql_{tool}");
        let mut result = server.call(&tool, operation, params.clone()).await;
        if result["error"]["code"] == "CONFIRMATION_REQUIRED" {
            let removes = tool == "mcp_aql_delete" || line.starts_with("DELETE ");
            assert!(removes, "{operation}");
            params["confirmation_token"] = result["error"]["details"]["confirmation_token"].clone();
            result = server.call(&tool, operation, params).await;
        }
        assert_eq!(result, json!({"success": true, "data": {"ok": true}}), "{operation}");
        called.push(operation);
        let requests = api.requests();
        assert_eq!(requests.len(), called.len(), "{operation}");
        let sent = requests.last().unwrap();
        assert_eq!(format!("{} {}", sent.method, sent.target), line, "{operation}");
        assert_eq!(sent.json(), body, "{operation}: {}", sent.body_text());
        assert_eq!(sent.header("authorization"), Some("Bearer ghp_test_0123456789"), "{operation}");
        let has_body = !sent.body.is_empty();
        assert_eq!(sent.header("content-type").is_some(), has_body, "{operation}");
        assert_eq!(
            sent.body_text(),
            if body.is_null() { String::new() } else { body.to_string() },
            "{operation}"
        );
    }
    let listed = server.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    for operation in listed["data"]["operations"].as_array().unwrap() {
        let name = operation["name"].as_str().unwrap();
        assert!(name == "introspect" || called.contains(&name), "{name} was not called");
    }
    assert_eq!(listed["data"]["operations"].as_array().unwrap().len(), 21);
}

/// The file loads with no other warnings than those about its parameters that are named like controls and about the star that
/// it takes away in an EXECUTE, and its tools stay
/// inside the budget.
#[tokio::test]
async fn loads_clean_and_small() {
    let mut server = Server::start(&[&file()], &[("GITHUB_TOKEN", "x")]);
    server.open().await;
    let tools = Value::from(server.tools().await).to_string();
    let tokens = aqueduct_vocabulary::count(tools.as_str());
    assert!(tokens <= 600, "{tokens} tokens");
    let (code, said) = server.finish().await;
    let about_names = said.matches("warning[CONTROL_NAME]").count();
    // An EXECUTE that is sent as DELETE.
    let about_methods = said.matches("warning[CATEGORY_DISAGREES]").count();
    assert_eq!(
        (code, about_methods, said.matches("warning[").count(), said.contains("error")),
        (0, 1, about_names + about_methods, false),
        "{said}"
    );
    let mut single = Server::start(&[&file(), "--mode", "single"], &[("GITHUB_TOKEN", "x")]);
    single.open().await;
    let tools = Value::from(single.tools().await).to_string();
    let single_tokens = aqueduct_vocabulary::count(tools.as_str());
    assert!(single_tokens <= 250, "{single_tokens} tokens");
    println!("tools/list: {tokens} tokens in crude mode, {single_tokens} in single mode");
}
