//! `[[policy]]`: the operator's rules, seen by the caller and by `policy test`.

use super::harness::{Place, Server, code};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::json;

const RULES: &str = r#"
[[policy]]
operation = "create_*"
decision = "deny"
reason = "the list is full"

[[policy]]
operation = "delete_todo"
param = { todo_id = "1" }
decision = "deny"
reason = "the first one stays"

[[policy]]
operation = "delete_todo"
decision = "allow"

[[policy]]
category = "UPDATE"
decision = "confirm"
reason = "somebody looks at changes"
"#;

fn place() -> Place {
    let place = Place::new();
    let todo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/todo-adapter.md");
    place.write("todo-adapter.md", std::fs::read_to_string(todo).unwrap());
    place.write("aqueduct.toml", RULES);
    place
}

/// X-gate-3, ruling S1: a denied operation is hidden and counted, its call is refused with the operator's reason; a rule may
/// deny by a value, lift a confirmation by name, or ask for one. Nothing of what is refused goes out.
#[tokio::test]
async fn rules_decide() {
    let api = FakeApi::always(Answer::json(200, json!({"id": "2"}))).await;
    let mut server = Server::start_in(place(), &["todo-adapter.md", "--base-url", &api.base_url()], &[]);
    server.open().await;
    assert_eq!(server.tool_names().await, ["mcp_aql_read", "mcp_aql_update", "mcp_aql_delete"]);
    let list = server.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    assert!(!list.to_string().contains("create_todo"), "{list}");
    assert_eq!(list["data"]["_protocol"]["hidden"], 1);
    let judged =
        server.call("mcp_aql_read", "introspect", json!({"query": "danger", "name": "delete_todo"})).await;
    let judged = &judged["data"]["operation"];
    assert_eq!(judged["rule"], "policy rule 3: allow operation delete_todo", "{judged}");
    let by_value =
        json!([{"decision": "deny", "rule": "policy rule 2: deny operation delete_todo param todo_id"}]);
    assert_eq!(judged["by_call"], by_value, "{judged}");
    let denied = server.call("mcp_aql_delete", "create_todo", json!({"title": "x"})).await;
    let message = denied["error"]["message"].to_string();
    assert!(code(&denied) == "PERMISSION_DENIED" && message.contains("the list is full"), "{denied}");
    for spelling in ["1", "%31"] {
        let denied = server.call("mcp_aql_delete", "delete_todo", json!({"todo_id": spelling})).await;
        assert_eq!(code(&denied), "PERMISSION_DENIED", "{denied}");
    }
    let asked =
        server.call("mcp_aql_update", "update_todo", json!({"todo_id": "2", "input": {"title": "y"}})).await;
    assert_eq!(code(&asked), "CONFIRMATION_REQUIRED");
    assert!(asked.to_string().contains("somebody looks at changes"), "{asked}");
    assert_eq!(api.requests().len(), 0);
    let lifted = server.call("mcp_aql_delete", "delete_todo", json!({"todo_id": "2"})).await;
    assert_eq!(lifted["success"], true, "{lifted}");
    assert_eq!(api.requests().len(), 1);
}

/// Every decision names its rule, and a table of calls is tried without calling anything.
#[tokio::test]
async fn rules_can_be_tried() {
    let place = place();
    let why = place.run(&["introspect", "todo-adapter.md", "--why"], &[], "").await;
    assert!(
        why.stdout.contains("deny") && why.stdout.contains("policy rule 1: deny operation create_*"),
        "{why:?}"
    );
    let calls = "calls:\n\
        - {operation: create_todo, params: {title: x}, expect: deny}\n\
        - {source: todo, operation: delete_todo, params: {todo_id: '1'}, expect: deny}\n\
        - {operation: delete_todo, params: {todo_id: '2'}, expect: allow}\n\
        - {operation: update_todo, caller: ada, expect: confirm}\n\
        - {operation: list_todos, expect: allow}\n";
    place.write("calls.yaml", calls);
    let ran = place.run(&["policy", "test", "calls.yaml", "todo-adapter.md"], &[], "").await;
    assert!(ran.code == 0 && ran.stdout.ends_with("5 calls, 0 not as expected\n"), "{ran:?}");
    place.write(
        "calls.yaml",
        calls.replace("update_todo, caller: ada, expect: confirm", "update_todo, expect: deny"),
    );
    let ran = place.run(&["policy", "test", "calls.yaml", "todo-adapter.md"], &[], "").await;
    let line = "WRONG  update_todo: confirm, expected deny (policy rule 4: confirm category UPDATE)";
    assert!(ran.code == 1 && ran.stdout.contains(line), "{ran:?}");
}

const CALLERS: &str = r#"
[[policy]]
category = "UPDATE"
caller = "ci-*"
decision = "confirm"

[[policy]]
operation = "update_todo"
caller = "ci-*"
param = { title = "x" }
decision = "deny"
"#;

/// X-gate-3: `--why` shows the rules that look at values and callers too, for one caller what holds for it, and finds an operation by
/// every name that a call may have.
#[tokio::test]
async fn why_tells_of_rules_by_values_and_callers() {
    let place = place();
    let why = async |words: &[&str]| {
        let ran = place.run(&[&["introspect", "todo-adapter.md", "--why"], words].concat(), &[], "").await;
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.stdout
    };
    let by_value = "delete_todo  allow  policy rule 3: allow operation delete_todo\n             \
                    deny   some calls, by policy rule 2: deny operation delete_todo param todo_id\n";
    assert_eq!(why(&["--name", "delete_todo"]).await, by_value);
    place.write("aqueduct.toml", CALLERS);
    let one = async |words: &[&str]| {
        let shown = why(&[&["--name", "update_todo", "--format", "json"], words].concat()).await;
        serde_json::from_str::<serde_json::Value>(&shown).unwrap()[0].take()
    };
    let deny = json!({"decision": "deny", "rule": "policy rule 2: deny operation update_todo caller ci-* param title"});
    let confirm =
        json!({"decision": "confirm", "rule": "policy rule 1: confirm caller ci-* category UPDATE"});
    let anybody = one(&[]).await;
    assert_eq!((&anybody["decision"], &anybody["by_call"]), (&json!("allow"), &json!([confirm, deny])));
    let nightly = one(&["--caller", "ci-nightly"]).await;
    assert_eq!((&nightly["decision"], &nightly["by_call"]), (&json!("confirm"), &json!([deny])));
    assert_eq!(nightly["rule"], confirm["rule"]);
    let local = one(&["--caller", "local"]).await;
    assert_eq!((&local["decision"], local.get("by_call")), (&json!("allow"), None));
    let ran = place.run(&["introspect", "todo-adapter.md", "--caller", "ann"], &[], "").await;
    assert_eq!(ran.code, 2, "it is for --why: {ran:?}");
    let todo = std::fs::read_to_string(place.path().join("todo-adapter.md")).unwrap();
    let second =
        todo.replace("name: todo\n", "name: second\n").replace("name: delete_todo", "name: remove_todo");
    let second = place.write("other/second-adapter.md", second);
    let of_both = async |name: &str| {
        let ran =
            place.run(&["introspect", "todo-adapter.md", &second, "--why", "--name", name], &[], "").await;
        (ran.code, ran.stdout)
    };
    for name in ["remove_todo", "second__remove_todo"] {
        let (code, shown) = of_both(name).await;
        assert!(code == 0 && shown.starts_with("second__remove_todo  confirm"), "{name}: {shown}");
    }
    assert_eq!(of_both("update_todo").await.0, 1, "both have one");
}

/// X-gate-3: a table has controls that become parameters of the API, and scopes, as calls have.
#[tokio::test]
async fn controls_and_scopes_are_tried() {
    let place = Place::new();
    let rule = "[[policy]]\noperation = \"list_books\"\nparam = { author = \"Mary Shelley\" }\ndecision = \"deny\"\n";
    place.write("aqueduct.toml", rule);
    let tried = async |calls: &str, source: &str| {
        place.write("calls.yaml", format!("calls:\n{calls}"));
        place.run(&["policy", "test", "calls.yaml", source], &[], "").await
    };
    let calls = "- {operation: list_books, params: {filter: {author: Mary Shelley}, first: 3}, expect: deny}\n\
        - {operation: list_books, params: {filter: {author: Jane Austen}}, expect: allow}\n\
        - {operation: list_books, params: {sort: title}, expect: allow}\n";
    let ran = tried(calls, "demo").await;
    assert!(ran.code == 0 && ran.stdout.ends_with("3 calls, 0 not as expected\n"), "{ran:?}");
    for (params, said) in
        [("{filter: 7}", "'filter' is not right"), ("{first: 2, page: 1}", "cannot be called so")]
    {
        let ran =
            tried(&format!("- {{operation: list_books, params: {params}, expect: allow}}\n"), "demo").await;
        assert!(ran.code == 2 && ran.stderr.contains(said), "{params}: {ran:?}");
    }
    let todo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/todo-adapter.md");
    let scoped = std::fs::read_to_string(todo).unwrap().replace(
        "      maps_to: \"GET /todos\"\n",
        "      maps_to: \"GET /todos\"\n      required_scopes: [\"todo:read\"]\n",
    );
    place.write("todo-adapter.md", scoped);
    place.write("aqueduct.toml", "");
    let calls = "- {operation: list_todos, expect: allow}\n\
        - {operation: list_todos, scopes: [], expect: deny}\n\
        - {operation: list_todos, scopes: ['todo:read'], expect: allow}\n\
        - {operation: list_todos, scopes: ['todo:write'], expect: allow}\n";
    let ran = tried(calls, "todo-adapter.md").await;
    let line = "WRONG  list_todos: deny, expected allow (the caller lacks the scope 'todo:read')";
    assert!(ran.code == 1 && ran.stdout.contains(line), "{ran:?}");
    assert!(ran.stdout.ends_with("4 calls, 1 not as expected\n"), "{ran:?}");
}

/// A file of calls that cannot be right is refused whole, with its place.
#[tokio::test]
async fn bad_tables_are_refused() {
    let place = place();
    for (text, expected) in [
        ("calls: [{operation: list_todo, expect: allow}]", "did you mean 'list_todos'?"),
        ("calls: [{operation: list_todos, expect: maybe}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, source: other, expect: allow}]", "of the source 'other'"),
        ("call: []", "calls.yaml:1:"),
        ("calls: {operation: list_todos, expect: allow}", "calls.yaml:1:"),
        ("calls: [list_todos]", "calls.yaml:1:"),
        ("calls: [{operation: '', expect: allow}]", "calls.yaml:1:"),
        ("calls: [{operation: 7, expect: allow}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, expect: [allow]}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, expects: allow}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, expect: allow, who: ann}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, expect: allow, params: [1]}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, expect: allow, caller: ''}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, expect: allow, scopes: 'todo:read'}]", "calls.yaml:1:"),
        ("calls: [{operation: list_todos, expect: allow, expect: deny}]", "calls.yaml:1:"),
        (
            "calls: [{operation: delete_todo, params: {todo: '1'}, expect: deny}]",
            "'delete_todo' has no parameter 'todo'",
        ),
        (
            "calls: [{operation: delete_todo, params: {todo_idd: '1'}, expect: deny}]",
            "did you mean 'todo_id'?",
        ),
        (
            "calls: [{operation: update_todo, params: {input: {titel: x}}, expect: confirm}]",
            "did you mean 'title'?",
        ),
        ("calls: [{operation: list_todos, expect: allow", "calls.yaml:1:"),
        ("", "calls.yaml"),
        ("- 1", "calls.yaml:1:"),
    ] {
        place.write("calls.yaml", text);
        let ran = place.run(&["policy", "test", "calls.yaml", "todo-adapter.md"], &[], "").await;
        assert!(ran.code == 2 && ran.stderr.contains(expected), "{text}: {ran:?}");
    }
    let ran = place.run(&["policy", "test", "none.yaml", "todo-adapter.md"], &[], "").await;
    assert_eq!(ran.code, 4, "{ran:?}");
    place.write("calls.yaml", b"calls: [{operation: list_todos, caller: \xff, expect: allow}]");
    let ran = place.run(&["policy", "test", "calls.yaml", "todo-adapter.md"], &[], "").await;
    assert!(ran.code == 2 && ran.stderr.contains("not UTF-8"), "{ran:?}");
    let other = place.write(
        "other/second-adapter.md",
        std::fs::read_to_string(place.path().join("todo-adapter.md"))
            .unwrap()
            .replace("name: todo", "name: second"),
    );
    place.write("calls.yaml", "calls: [{operation: delete_todo, expect: deny}]");
    let ran = place.run(&["policy", "test", "calls.yaml", "todo-adapter.md", &other], &[], "").await;
    assert!(ran.code == 2 && ran.stderr.contains("name its source"), "{ran:?}");
}

/// A rule with a misspelt name would protect nothing: that is said when it is read.
#[tokio::test]
async fn rules_that_fit_nothing_are_named() {
    let place = place();
    place.write("aqueduct.toml", "[[policy]]\noperation = \"delete_todos\"\ndecision = \"deny\"\n");
    let ran = place.run(&["introspect", "todo-adapter.md"], &[], "").await;
    assert!(ran.stderr.contains("POLICY_FITS_NOTHING") && ran.stderr.contains("delete_todos"), "{ran:?}");
}

/// The same for a parameter that nothing has, and for a value that looks like a pattern and is none.
#[tokio::test]
async fn params_that_fit_nothing_are_named() {
    let place = place();
    for (condition, warned) in [
        ("operation = \"delete_todo\"\nparam = { todo_di = [7] }", Some("POLICY_FITS_NOTHING")),
        ("param = { todo_di = [7] }", Some("POLICY_FITS_NOTHING")),
        ("operation = \"delete_todo\"\nparam = { todo_id = [\"7*\"] }", Some("POLICY_NO_PATTERN")),
        ("operation = \"delete_todo\"\nparam = { todo_id = [7] }", None),
        ("param = { todo_id = [7] }", None),
    ] {
        place.write("aqueduct.toml", format!("[[policy]]\n{condition}\ndecision = \"deny\"\n"));
        let ran = place.run(&["introspect", "todo-adapter.md"], &[], "").await;
        let codes = ["POLICY_FITS_NOTHING", "POLICY_NO_PATTERN"];
        let said: Vec<&str> = codes.into_iter().filter(|code| ran.stderr.contains(code)).collect();
        assert_eq!(said, warned.into_iter().collect::<Vec<_>>(), "{condition}: {ran:?}");
    }
}

/// S2: an `allow` by a pattern changes nothing, which is said when it is read; one by a name does not need that.
#[tokio::test]
async fn allowing_by_a_pattern_is_warned_about() {
    let place = place();
    for (rule, warns) in [
        ("operation = \"delete_*\"", true),
        ("category = \"DELETE\"", true),
        ("operation = \"delete_todo\"", false),
    ] {
        place.write("aqueduct.toml", format!("[[policy]]\n{rule}\ndecision = \"allow\"\n"));
        let ran = place.run(&["introspect", "todo-adapter.md"], &[], "").await;
        assert_eq!(ran.stderr.contains("POLICY_LIFTS_NOTHING"), warns, "{rule}: {ran:?}");
    }
}
