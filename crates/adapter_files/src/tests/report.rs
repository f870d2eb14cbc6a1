//! What a person reads when a file has many mistakes at once.
//!
//! The snapshot is the text as printed: each message alone must be enough to mend its mistake.

use super::{changed, codes, good, load_text, shown, with_operation};

const MISTAKES: &str = r##"---
name: Shop_API
type: adaptor
version: 1.0
description: "Shop"
autor: "Someone"
target:
  base_url: "api.example.com"
  transport: htp
  protocol: graphql
  serialization: xml
  timeout_ms: 0
  retries: "3"
  headers:
    X-Api-Key: abcdef
    "bad header": x
auth:
  type: bearer
  token: hunter2-is-my-password
trust:
  level: trusted
concurrency: parallel
shared_parameters:
  paging:
    - {name: page, type: int}
operations:
  create:
    - maps_to: POST /items
      description: "Add an item"
    - name: createItem
      description: "Add an item"
      maps_to: FETCH /items
  read:
    - name: get_item
      description: "Read one item"
      maps_to: GET /items/{item_id}/{part}
      params:
        itemId: {type: string, required: yes}
        part: {type: object, in: query}
        limit: {type: integer, default: "ten", minimum: 10, maximum: 1}
        state: {type: string, enum: [open, 3], pattern: "^(?=a)"}
        tags: {type: array, minLength: 3}
      danger: {level: severe}
    - name: introspect
      description: "Mine"
      maps_to: GET /introspect
    - name: list_items
      maps_to: GET items
      params:
        - $ref: '#/shared_parameters/pagin'
        - {type: string}
  update:
    - name: update_item
      description: "Change an item"
      endpoint: create
      maps_to: PATCH /items/{id}
      pagination: {style: pages}
      params:
        id: {type: integer, required: true}
        title: {type: string, maxLength: 5}
      danger:
        level: destructive
        confirmation_message: "Change {title} of {shop}?"
      examples:
        - params: {id: "7", title: "x"}
        - params: {id: 7, input: {title: "far too long", colour: red}}
---
"##;

/// R4.4-1 R4.4-2: every mistake of a file at once, each with its path, its place and what would be right.
#[test]
fn every_mistake_at_once() {
    let outcome = load_text(MISTAKES);
    assert!(outcome.loaded.is_none());
    insta::assert_snapshot!(shown(&outcome.diagnostics));
}

/// R11.2-3: what is printed never holds the secret.
#[test]
fn secrets_are_not_printed() {
    let printed = shown(&load_text(MISTAKES).diagnostics);
    assert!(!printed.contains("hunter2") && !printed.contains("abcdef"), "{printed}");
}

/// What other tools call a key, or a name, leads to the form that works here.
#[test]
fn words_of_other_tools() {
    let list = |more: &str| with_operation("read", "list_x", &format!("maps_to: GET /x\n{more}"));
    let computed = |value: &str| list(&format!("computed: [{{name: age, type: integer, value: {value}}}]"));
    for (text, path, advice) in [
        (
            list("pagination: {style: cursor, param_name: c, cursor_path: meta.next}"),
            "operations.read[0].pagination.cursor_path",
            "did you mean 'next_path'?",
        ),
        (
            list("params: {p: {type: object, properties: {a: {type: string}}}}"),
            "operations.read[0].params.p.properties",
            "a parameter takes it in 'schema'",
        ),
        (
            list("params: {p: {type: array, items: {type: object, properties: {}}}}"),
            "operations.read[0].params.p.items.properties",
            "describe the elements in 'schema' of the parameter",
        ),
        (changed("protocol: rest", "protocol: custom"), "target.protocol", "maps_to: TOOL name"),
    ] {
        let outcome = load_text(&text);
        let found = outcome.errors().find(|found| found.path == path).unwrap_or_else(|| panic!("{text}"));
        assert!(found.hint.as_deref().is_some_and(|hint| hint.contains(advice)), "{found}");
    }
    let forms = ["age_days: PATH", "template:", "add, sub, mul or div", "eq, gt or lt", "exists: PATH"];
    for value in ["created_at", "{days_since: created_at}", "{count: a, exists: b}", "{}", "{age_days: 5}"] {
        let outcome = load_text(&computed(value));
        let found = outcome.errors().next().unwrap_or_else(|| panic!("{value}"));
        let expected = found.expected.as_deref().unwrap();
        assert!(forms.iter().all(|form| expected.contains(form)), "{value}: {found}");
    }
    good(&computed("{age_days: created_at}"));
}

/// A tool may be written as other implementations write it; without an MCP server behind it the form is shown.
#[test]
fn tools_of_other_implementations() {
    let tool = with_operation("read", "get_x", "maps_to: 'tool:read_file'");
    let outcome = load_text(&tool);
    let found = outcome.errors().next().unwrap();
    assert_eq!(found.code, "PROTOCOL_MISMATCH");
    assert!(found.expected.as_deref().unwrap().contains("protocol: mcp"), "{found}");
}

/// Ruling W14: a parameter with the name of a control takes it; anyone who writes the file is told, on that line.
#[test]
fn parameters_named_like_controls() {
    let list = with_operation(
        "read",
        "list_x",
        "maps_to: GET /x\nparams:\n  state: {type: string}\n  filter: {type: string, mapTo: q}",
    );
    let outcome = load_text(&list);
    let [found] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!((found.code, found.path.as_str()), ("CONTROL_NAME", "operations.read[0].params.filter"));
    assert!(found.message.contains("'aql_filter'"), "{found}");
    assert!(found.position.source_line.contains("filter: {type: string"), "{found}");
    assert!(found.hint.as_deref().unwrap().ends_with("mapTo: q"), "{found}");
    let nested = with_operation("read", "list_x", "maps_to: GET /x\nparams:\n  sort:\n    type: string");
    let outcome = load_text(&nested);
    assert_eq!(outcome.diagnostics[0].position.source_line.trim(), "sort:", "the line of the name");
    for quiet in [
        // Not a list: there is no such control.
        with_operation("read", "get_x", "maps_to: GET /x\nparams: {filter: {type: string}}"),
        // The pager has taken it.
        with_operation(
            "read",
            "list_x",
            "maps_to: GET /x\nparams: {page: {type: integer}}\npagination: {style: page, param_name: page}",
        ),
        // A field of `input` is in no one's way.
        with_operation("update", "update_x", "maps_to: PATCH /x\nparams: {if_match: {type: string}}"),
        // A WRITE has no fields to choose.
        with_operation("create", "create_x", "maps_to: POST /x\nparams: {fields: {type: string}}"),
    ] {
        assert_eq!(codes(&quiet), Vec::<String>::new(), "{quiet}");
    }
}
