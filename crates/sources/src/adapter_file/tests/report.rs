//! What a person reads when a file has many mistakes at once.
//!
//! The snapshot is the text as printed: each message alone must be enough to mend its mistake.

use super::{load_text, shown};

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
