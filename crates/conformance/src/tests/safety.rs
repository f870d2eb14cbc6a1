//! What a run sends to a server that would do anything: nothing that changes something without leave, and what it made is deleted.

use crate::server::{Boxed, CallFailure, Identity, Server};
use crate::{Level, Settings, StopFlag, SuiteError, run_suite};
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// A server that keeps things by their numbers, asks for confirmations if it is told to, and remembers every operation that was called.
struct Things {
    tools: Vec<Value>,
    called: RefCell<Vec<(String, Value)>>,
    kept: RefCell<BTreeSet<u64>>,
    confirms: bool,
    /// Somebody else decides on deletions, and does not.
    waits_for_approval: bool,
    /// Anyone who changes the identifier of a thing moves it.
    moves: bool,
    stop_after: Option<(&'static str, StopFlag)>,
    next: Cell<u64>,
}

impl Things {
    fn new(confirms: bool) -> Things {
        let schema = json!({"type": "object", "properties": {"operation": {"type": "string"}, "params": {"type": "object"}}, "required": ["operation"]});
        let tools = vec![json!({"name": "mcp_aql", "description": "introspect", "inputSchema": schema})];
        let (called, kept) = (RefCell::default(), RefCell::new(BTreeSet::from([1, 2])));
        Things {
            tools,
            called,
            kept,
            confirms,
            waits_for_approval: false,
            moves: false,
            stop_after: None,
            next: Cell::new(3),
        }
    }

    fn called(&self, operation: &str) -> usize {
        self.called.borrow().iter().filter(|(name, _)| name == operation).count()
    }

    fn details(name: &str) -> Value {
        let (category, read_only) = match name {
            "create_thing" => ("CREATE", false),
            "delete_thing" => ("DELETE", false),
            "Run-thing" => ("EXECUTE", false),
            "update_thing" => ("UPDATE", false),
            _ => ("READ", true),
        };
        let id = json!({"name": "thing_id", "type": "integer", "required": true});
        let parameters = match name {
            "introspect" => {
                json!([{"name": "query", "type": "string", "required": true, "enum": ["operations", "types"]}, {"name": "name", "type": "string", "required": false}])
            }
            "list_things" => json!([{"name": "perPage", "type": "integer", "required": false}]),
            "create_thing" => json!([{"name": "title", "type": "string", "required": true}]),
            "update_thing" => {
                json!([id, {"name": "input", "type": "object", "required": true, "items": {"fields": [{"name": "title", "type": "string", "required": false}]}}])
            }
            _ => json!([id]),
        };
        json!({"name": name, "semantic_category": category, "endpoint": category.to_lowercase(), "mcpTool": "mcp_aql", "description": name,
               "permissions": {"readOnly": read_only, "destructive": !read_only && category != "CREATE"}, "parameters": parameters,
               "returns": {"name": "Thing", "kind": "object"}})
    }

    fn result(&self, operation: &str, params: &Value) -> Value {
        let names = [
            "introspect",
            "list_things",
            "get_thing",
            "create_thing",
            "update_thing",
            "delete_thing",
            "Run-thing",
        ];
        let id = params["thing_id"].as_u64().unwrap_or_default();
        let fail = |code: &str| json!({"success": false, "error": {"code": code, "message": format!("{code} {params}")}});
        let thing = |id: u64| json!({"id": id, "title": "conformance Größe ☕ 日本"});
        match operation {
            "introspect" if params["query"] == "types" => json!({"success": true, "data": {"types": []}}),
            "introspect" => match params["name"].as_str() {
                Some(name) if names.contains(&name) => {
                    json!({"success": true, "data": {"operation": Things::details(name)}})
                }
                Some(_) => json!({"success": true, "data": {"operation": null}}),
                None => {
                    let info = |name: &&str| {
                        let details = Things::details(name);
                        json!({"name": name, "semantic_category": details["semantic_category"], "endpoint": details["endpoint"], "description": ""})
                    };
                    json!({"success": true, "data": {"operations": names.iter().map(info).collect::<Vec<_>>()}})
                }
            },
            "list_things" => {
                json!({"success": true, "data": self.kept.borrow().iter().map(|id| thing(*id)).collect::<Vec<_>>()})
            }
            "create_thing" if params["title"].is_string() => {
                let id = self.next.replace(self.next.get() + 1);
                self.kept.borrow_mut().insert(id);
                json!({"success": true, "data": thing(id)})
            }
            "update_thing" if self.moves && params["input"]["id"].is_u64() => {
                let moved = params["input"]["id"].as_u64().unwrap();
                self.kept.borrow_mut().remove(&id);
                self.kept.borrow_mut().insert(moved);
                json!({"success": true, "data": thing(moved)})
            }
            "get_thing" if self.kept.borrow().contains(&id) => json!({"success": true, "data": thing(id)}),
            "delete_thing" if self.waits_for_approval => {
                let mut answer = fail("CONFIRMATION_REQUIRED");
                answer["error"]["details"] = json!({"approval_id": "appr_1"});
                answer
            }
            "delete_thing" if self.confirms && params["_confirmation"] != "conf_real" => {
                let mut answer = fail("CONFIRMATION_REQUIRED");
                answer["error"]["details"] =
                    json!({"confirmation_token": "conf_real", "expires_at": "2026-02-04T10:30:00Z"});
                answer
            }
            "delete_thing" if self.kept.borrow_mut().remove(&id) => json!({"success": true, "data": {}}),
            "get_thing" | "delete_thing" => fail("NOT_FOUND_RESOURCE"),
            _ => fail("VALIDATION_MISSING_PARAM"),
        }
    }
}

impl Server for Things {
    fn identity(&self) -> Identity {
        Identity { name: "things".to_owned(), version: "1".to_owned() }
    }

    fn tools(&self) -> &[Value] {
        &self.tools
    }

    fn call<'a>(
        &'a self,
        _tool: &'a str,
        arguments: Map<String, Value>,
    ) -> Boxed<'a, Result<Value, CallFailure>> {
        let operation = arguments.get("operation").and_then(Value::as_str).unwrap_or_default().to_owned();
        let params = arguments.get("params").cloned().unwrap_or_default();
        let result = self.result(&operation, &params);
        if let Some((_, stop)) = self.stop_after.as_ref().filter(|(name, _)| *name == operation) {
            stop.set();
        }
        self.called.borrow_mut().push((operation, params));
        Box::pin(async move {
            Ok(json!({"content": [{"type": "text", "text": result.to_string()}], "isError": false}))
        })
    }
}

const SETTINGS: Settings = Settings { level: Level::Two, allow_writes: true, most_operations: 40 };

#[test]
fn nothing_changes_without_leave() {
    let things = Things::new(true);
    let settings = Settings { allow_writes: false, ..SETTINGS };
    let judgement = futures_executor::block_on(run_suite(&things, settings, &StopFlag::default())).unwrap();
    for operation in ["create_thing", "update_thing", "delete_thing", "Run-thing"] {
        assert_eq!(things.called(operation), 0, "{operation}");
    }
    assert!(things.called("get_thing") > 0 && things.called("list_things") > 0);
    let skipped = |name: &str| {
        let tests = judgement.report.categories.iter().flat_map(|category| &category.tests);
        tests
            .filter(|test| test.name == name)
            .any(|test| test.result.word() == "SKIP" && test.detail.contains("--allow-writes"))
    };
    assert!(
        skipped("Create-read cycles preserve submitted fields")
            && skipped("Deletions wait for a confirmation")
    );
}

#[test]
fn what_is_made_is_deleted_and_nothing_else_is_touched() {
    for (confirms, moves) in [(true, false), (false, false), (true, true), (false, true)] {
        let things = Things { moves, ..Things::new(confirms) };
        let judgement =
            futures_executor::block_on(run_suite(&things, SETTINGS, &StopFlag::default())).unwrap();
        assert!(things.called("create_thing") > 0);
        assert_eq!(*things.kept.borrow(), BTreeSet::from([1, 2]), "confirms: {confirms}, moves: {moves}");
        assert_eq!(judgement.left_behind, Vec::<String>::new());
        assert_eq!(things.called("Run-thing"), 0, "what cannot be undone is not called");
        let confirmed = |(name, params): &&(String, Value)| {
            name == "delete_thing" && params["_confirmation"] == "conf_real"
        };
        let called = things.called.borrow();
        assert!(called.iter().filter(confirmed).all(|(_, params)| params["thing_id"].as_u64().unwrap() > 2));
        let is_own = |params: &Value| params["thing_id"].as_u64().is_none_or(|id| id > 2);
        let changes = called.iter().filter(|(name, _)| name == "delete_thing" || name == "update_thing");
        for (name, params) in changes {
            assert!(is_own(params), "{name} {params}");
        }
    }
}

/// S3: where somebody else decides on deletions nothing can be cleaned up, so one thing is created and no more, and it is named.
#[test]
fn what_waits_for_approval_is_created_once() {
    let things = Things { waits_for_approval: true, ..Things::new(false) };
    let judgement = futures_executor::block_on(run_suite(&things, SETTINGS, &StopFlag::default())).unwrap();
    assert_eq!(*things.kept.borrow(), BTreeSet::from([1, 2, 3]));
    assert_eq!(judgement.left_behind.len(), 1);
    assert!(judgement.left_behind[0].contains("appr_1"), "{:?}", judgement.left_behind);
    let broken = judgement.report.broken();
    assert!(!broken.contains(&"X-errors-22") && !broken.contains(&"C8.1-4"), "{broken:?}");
    let tests: Vec<_> = judgement.report.categories.iter().flat_map(|category| &category.tests).collect();
    let after_deletion = tests.iter().find(|test| test.name == "What is deleted is gone").unwrap();
    assert!(
        after_deletion.result.word() == "SKIP" && after_deletion.detail.contains("appr_1"),
        "{after_deletion:?}"
    );
}

#[test]
fn a_stop_cleans_up() {
    for operation in ["create_thing", "update_thing", "get_thing"] {
        let stop = StopFlag::default();
        let mut things = Things::new(true);
        things.stop_after = Some((operation, stop.clone()));
        let stopped = futures_executor::block_on(run_suite(&things, SETTINGS, &stop)).unwrap_err();
        assert_eq!(stopped.to_string(), "the run was stopped; nothing was left behind", "{operation}");
        assert_eq!(*things.kept.borrow(), BTreeSet::from([1, 2]), "{operation}");
    }
}

/// X-conf-5 X-conf-60: names with capitals, and values of wrong types that are taken, are found.
#[test]
fn a_server_with_bad_manners() {
    let things = Things::new(true);
    let judgement = futures_executor::block_on(run_suite(&things, SETTINGS, &StopFlag::default())).unwrap();
    let broken = judgement.report.broken();
    assert!(broken.contains(&"X-conf-60"), "'perPage' is no snake_case name: {broken:?}");
    assert!(broken.contains(&"C8.5.2-1"), "'Run-thing' is no name of an operation: {broken:?}");
    assert!(broken.contains(&"O5.4-2"), "values of wrong types are taken: {broken:?}");
    assert_eq!((judgement.report.exit_code, judgement.report.conformance_level), (1, 0));
}

#[test]
fn what_is_no_such_server_is_not_judged() {
    let mut things = Things::new(true);
    things.tools = vec![json!({"name": "echo", "inputSchema": {"type": "object"}})];
    let outcome = futures_executor::block_on(run_suite(&things, SETTINGS, &StopFlag::default()));
    assert!(matches!(outcome, Err(SuiteError::NoTools)));
}
