//! Definitions that parameters share: groups, references, and where they lead.
//!
//! Operations document, sections 4.4 and 5.1.

use super::params::read;
use super::{codes, good, load_text, operation, refusal, with_operation};
use aqueduct_operations::params::ValueKind;
use serde_json::json;

const SHARED: &str = r#"shared_parameters:
  fields: {name: fields, type: "string | string[]", required: false, description: Which fields}
  filter: {type: object}
  sorting: {name: sort, type: object, description: "An object with field and order"}
  cursor_pagination:
    - {name: first, type: number, default: 25}
    - {name: after, type: string}
    - {name: last, type: number}
    - {name: before, type: string}
  page_pagination:
    - {name: page, type: number, default: 1}
    - {name: page_size, type: number, default: 25}
  offset_pagination:
    - {name: limit, type: number, default: 25}
    - {name: offset, type: number, default: 0}
  pagination:
    - {name: limit, type: number, default: 25}
    - {name: offset, type: number, default: 0}
operations:
"#;

pub(super) fn sharing(params: &str) -> String {
    read(params).replace("operations:\n", SHARED)
}

/// O4.4-1 O4.4.2-1 O4.4.2-8 O4.4.2-9 O4.4.2-10 O4.4.5-1 O4.4.5-2 O4.4.5-3: shared definitions and groups are expanded in their
/// place, whatever their keys are called.
#[test]
fn shared_parameters() {
    let operation = operation(&sharing(
        "- $ref: '#/shared_parameters/fields'\n- $ref: '#/shared_parameters/filter'\n\
         - $ref: '#/shared_parameters/cursor_pagination'\n- {name: query, type: string, required: true}\n\
         - $ref: '#/shared_parameters/sorting'\n- $ref: '#/shared_parameters/pagination'\n\
         - $ref: '#/shared_parameters/page_pagination'",
    ));
    let names: Vec<_> = operation.params.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "fields",
            "filter",
            "first",
            "after",
            "last",
            "before",
            "query",
            "sort",
            "limit",
            "offset",
            "page",
            "page_size"
        ]
    );
    assert_eq!(operation.params[0].shape.kind.to_string(), "string | string[]");
    assert_eq!(operation.params[0].description.as_deref(), Some("Which fields"));
    assert_eq!(operation.params[2].default, Some(json!(25)));
    assert_eq!(operation.params[9].default, Some(json!(0)));
    assert_eq!(
        (&operation.params[10].default, &operation.params[11].default),
        (&Some(json!(1)), &Some(json!(25)))
    );
    assert!(operation.params[6].required && !operation.params[7].required);
}

/// O4.4.2-2 O4.4.2-3 O4.4.2-4 O4.4.2-5 O4.4.2-6 O4.4.2-7: the groups of the document, with their types and defaults, in
/// their order, none of them required.
#[test]
fn shared_groups_of_the_document() {
    let number = || ValueKind::Number;
    let text = || ValueKind::String;
    let text_or_list =
        ValueKind::Union(vec![ValueKind::String, ValueKind::Array(Some(Box::new(ValueKind::String)))]);
    for (group, expected) in [
        ("fields", vec![("fields", text_or_list, None)]),
        ("filter", vec![("filter", ValueKind::Object, None)]),
        ("sorting", vec![("sort", ValueKind::Object, None)]),
        (
            "cursor_pagination",
            vec![
                ("first", number(), Some(json!(25))),
                ("after", text(), None),
                ("last", number(), None),
                ("before", text(), None),
            ],
        ),
        (
            "offset_pagination",
            vec![("limit", number(), Some(json!(25))), ("offset", number(), Some(json!(0)))],
        ),
        (
            "page_pagination",
            vec![("page", number(), Some(json!(1))), ("page_size", number(), Some(json!(25)))],
        ),
    ] {
        let operation = operation(&sharing(&format!("- $ref: '#/shared_parameters/{group}'")));
        let found: Vec<_> = operation
            .params
            .iter()
            .map(|p| (p.name.as_str(), p.shape.kind.clone(), p.default.clone()))
            .collect();
        assert_eq!(found, expected, "{group}");
        assert!(operation.params.iter().all(|p| !p.required), "{group}");
    }
    let sorted = operation(&sharing("- $ref: '#/shared_parameters/sorting'"));
    assert_eq!(sorted.params[0].description.as_deref(), Some("An object with field and order"));
}

/// O5.1-6: parameters may be a map, also with references, or absent.
#[test]
fn maps_and_references() {
    let operation = operation(&sharing("order: {$ref: '#/shared_parameters/sorting'}\nq: {type: string}"));
    let names: Vec<_> =
        operation.params.iter().map(|p| (p.name.as_str(), p.upstream_name.as_str())).collect();
    assert_eq!(names, [("order", "order"), ("q", "q")]);
    assert!(
        good(&with_operation("read", "get_x", "maps_to: GET /x\nparams:")).operations[0].params.is_empty()
    );
}

#[test]
fn references_that_lead_nowhere() {
    let outcome = load_text(&sharing("- $ref: '#/shared_parameters/field'"));
    let found = &outcome.diagnostics[0];
    assert_eq!((found.code, found.hint.as_deref()), ("UNKNOWN_REFERENCE", Some("did you mean 'fields'?")));
    for params in ["- $ref: 'fields'", "- $ref: '#/types/fields'"] {
        assert_eq!(load_text(&sharing(params)).diagnostics[0].code, "UNKNOWN_REFERENCE", "{params}");
    }
    let twice = sharing("- $ref: '#/shared_parameters/fields'\n- {name: fields, type: string}");
    assert_eq!(refusal(&twice)[0], "DUPLICATE_NAME operations.read[0].params[1]");
    assert_eq!(codes(&sharing("- {type: string}")), ["MISSING_KEY operations.read[0].params[0].name"]);
    let beside = sharing("- {$ref: '#/shared_parameters/fields', required: true}");
    assert_eq!(refusal(&beside)[1], "INVALID_VALUE operations.read[0].params[0].required");
}
