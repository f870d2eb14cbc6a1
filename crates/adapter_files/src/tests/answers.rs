//! What operations declare about their answers: paging, fields, what the API does by itself, what is worked out here.
//!
//! Runtime specification, section 10; adapter document, sections 10.4 and 10.5; rulings W14 and W15.

mod fields;
mod pagination;

use super::{codes, load_text, operation, refusal, with_operation};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::response::{AggregateFunction, Comparison, ComputedExpression, Operand, Operator};
use serde_json::json;

/// The sample with a READ operation that lists items, given by the keys after `maps_to`.
pub(super) fn list(rest: &str) -> String {
    with_operation("read", "list_items", &format!("maps_to: GET /items\n{rest}"))
}

/// A sample with types, and an operation in a list that returns one of them.
pub(super) fn typed(types: &str, operation: &str) -> String {
    with_operation("read", "list_items", &format!("maps_to: GET /items\n{operation}")).replacen(
        "operations:",
        &format!("types: {types}\noperations:"),
        1,
    )
}

/// The hint of the only finding.
pub(super) fn hint(text: &str) -> Option<String> {
    let diagnostics = load_text(text).diagnostics;
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    diagnostics[0].hint.clone()
}

/// Ruling W15: a pagination block, a name, or a type that says list; in READ only.
#[test]
fn what_is_a_collection() {
    let is_one = |list: &str, name: &str, rest: &str| {
        operation(&with_operation(list, name, &format!("maps_to: GET /x\n{rest}"))).answers.collection
    };
    for name in ["list_x", "search_x", "query_x"] {
        assert!(is_one("read", name, ""), "{name}");
        assert!(!is_one("execute", name, ""), "{name}");
    }
    assert!(!is_one("read", "get_x", "") && !is_one("read", "listing_x", ""));
    for rest in [
        "response: {type: array}",
        "response: {type: 'Item[]'}",
        "pagination: {style: link_header}",
        "collection: {query: {param: q}}",
    ] {
        assert!(is_one("read", "get_x", rest), "{rest}");
    }
    assert!(!is_one("read", "get_x", "response: {type: Item}"));
    assert!(!is_one("read", "list_x", "response: {type: string, content_type: text/plain}"));
}

/// Keys about answers are for READ; elsewhere they are told to do nothing, and do nothing.
#[test]
fn only_reads_have_answers_to_shape() {
    for line in [
        "pagination: {style: page}",
        "fields: {presets: {a: [b]}}",
        "supports_fields: true",
        "default_fields: [id]",
        "collection: {query: {param: q}}",
        "computed: [{name: a, type: string, value: {template: b}}]",
        "aggregate: {functions: [count]}",
    ] {
        let text = with_operation("create", "create_x", &format!("maps_to: POST /x\n{line}"));
        let key = line.split_once(':').unwrap().0;
        assert_eq!(codes(&text), [format!("NO_EFFECT operations.create[0].{key}")]);
        let answers = operation(&text).declaration.answers;
        assert!(answers.paging.is_none() && answers.fields.presets.is_empty() && answers.computed.is_empty());
    }
    let single = with_operation("read", "get_x", "maps_to: GET /x\naggregate: {functions: [count]}");
    assert_eq!(codes(&single), ["NO_EFFECT operations.read[0].aggregate"]);
}

/// Keys with nothing after them are as good as absent.
#[test]
fn empty_blocks() {
    for key in [
        "pagination",
        "fields",
        "default_fields",
        "collection",
        "computed",
        "aggregate",
        "cache",
        "deprecated",
    ] {
        assert_eq!(codes(&list(&format!("{key}:"))), Vec::<String>::new(), "{key}");
    }
}

/// What the API filters, sorts and searches by itself.
#[test]
fn pushed_controls() {
    let push = operation(&list(
        "collection:\n  filter:\n    state: {param: state, values: [open, closed]}\n    owner.login: {param: creator}\n  \
         sort: {param: sort, order_param: direction, fields: {created_at: created, title: title}}\n  query: {param: q}",
    ))
    .declaration.answers
    .push;
    let state = push.filter("state").unwrap();
    assert_eq!((state.param.as_str(), &state.values), ("state", &Some(vec![json!("open"), json!("closed")])));
    assert_eq!(push.filter("owner.login").unwrap().param, "creator");
    assert!(push.filter("owner.login").unwrap().values.is_none());
    let sort = push.sort.unwrap();
    assert_eq!((sort.param.as_str(), sort.order_param.as_deref()), ("sort", Some("direction")));
    assert_eq!(sort.fields, [("created_at".into(), "created".into()), ("title".into(), "title".into())]);
    assert_eq!(push.query.unwrap().param, "q");
    let as_list =
        operation(&list("collection: {sort: {param: s, fields: [a, b.c]}}")).declaration.answers.push.sort;
    assert_eq!(as_list.unwrap().fields, [("a".into(), "a".into()), ("b.c".into(), "b.c".into())]);
}

#[test]
fn pushed_controls_that_do_not_fit() {
    let at = "operations.read[0].collection";
    for (block, code) in [
        ("{filters: {}}", format!("UNKNOWN_KEY {at}.filters")),
        ("{filter: {a: {}}}", format!("MISSING_KEY {at}.filter.a.param")),
        ("{filter: {a: {param: b, value: c}}}", format!("UNKNOWN_KEY {at}.filter.a.value")),
        ("{filter: {a: {param: b, values: []}}}", format!("INVALID_VALUE {at}.filter.a.values")),
        ("{filter: {a..b: {param: b}}}", format!("INVALID_NAME {at}.filter.a..b")),
        ("{sort: {fields: [a]}}", format!("MISSING_KEY {at}.sort.param")),
        ("{sort: {param: a}}", format!("MISSING_KEY {at}.sort.fields")),
        ("{sort: {param: a, fields: []}}", format!("INVALID_VALUE {at}.sort.fields")),
        ("{sort: {param: a, fields: {}}}", format!("INVALID_VALUE {at}.sort.fields")),
        ("{sort: {param: a, fields: [b, b]}}", format!("DUPLICATE_NAME {at}.sort.fields[1]")),
        ("{sort: {param: a, fields: {'b[0]': c}}}", format!("INVALID_NAME {at}.sort.fields.b[0]")),
        ("{query: q}", format!("WRONG_TYPE {at}.query")),
        ("{query: {}}", format!("MISSING_KEY {at}.query.param")),
    ] {
        assert_eq!(refusal(&list(&format!("collection: {block}"))), [code], "{block}");
    }
}

fn computed(value: &str, kind: &str) -> Operation {
    operation(&list(&format!("computed: [{{name: a, type: {kind}, value: {{{value}}}}}]")))
}

/// X-comp-3: a name without prefix, a type, and whether it may be filtered and sorted by.
#[test]
fn computed_fields() {
    let fields = operation(&list(
        "computed:\n  - {name: age, type: integer, description: Days, filterable: false, sortable: false, value: {age_days: created_at}}\n  \
         - {name: label, type: string, value: {template: '{owner.login}/{name}'}}",
    ))
    .declaration.answers
    .computed;
    let age = &fields[0];
    assert_eq!((age.name.as_str(), age.type_name.as_str()), ("age", "integer"));
    assert_eq!((age.filterable, age.sortable, age.description.as_deref()), (false, false, Some("Days")));
    assert!(fields[1].filterable && fields[1].sortable, "where nothing is said");
    let paths: Vec<String> = fields[1].value.paths().iter().map(ToString::to_string).collect();
    assert_eq!(paths, ["owner.login", "name"]);
}

#[test]
fn every_way_to_compute() {
    let value = |value: &str, kind: &str| computed(value, kind).answers.computed.remove(0).value;
    assert!(
        matches!(value("age_days: a.b", "integer"), ComputedExpression::AgeDays(path) if path.to_string() == "a.b")
    );
    assert!(matches!(value("age_hours: a", "integer"), ComputedExpression::AgeHours(_)));
    assert!(matches!(value("count: a", "integer"), ComputedExpression::Count(_)));
    assert!(matches!(value("exists: a", "boolean"), ComputedExpression::Exists(_)));
    assert!(
        matches!(value("template: 'a{b}'", "string"), ComputedExpression::Template(pieces) if pieces.0.len() == 2)
    );
    for (key, operator) in
        [("add", Operator::Add), ("sub", Operator::Sub), ("mul", Operator::Mul), ("div", Operator::Div)]
    {
        let ComputedExpression::Arithmetic(found, operands) = value(&format!("{key}: [a, 2, 0.5]"), "number")
        else {
            panic!("{key}")
        };
        assert_eq!(found, operator);
        assert!(matches!(&operands[0], Operand::Path(path) if path.to_string() == "a"));
        assert!(matches!(operands[1], Operand::Number(2.0)) && matches!(operands[2], Operand::Number(0.5)));
    }
    for (key, comparison) in
        [("eq", Comparison::Equal), ("gt", Comparison::Greater), ("lt", Comparison::Less)]
    {
        let ComputedExpression::Compare(found, _, right) = value(&format!("{key}: [a, 2]"), "boolean") else {
            panic!("{key}")
        };
        assert!(found == comparison && matches!(right, Operand::Number(2.0)), "{key}");
    }
}

#[test]
fn computed_fields_that_do_not_fit() {
    let at = "operations.read[0].computed[0]";
    for (field, code) in [
        ("type: string, value: {count: a}", format!("MISSING_KEY {at}.name")),
        ("name: Age, type: string, value: {count: a}", format!("INVALID_NAME {at}.name")),
        ("name: a, value: {count: a}", format!("MISSING_KEY {at}.type")),
        ("name: a, type: int, value: {count: a}", format!("INVALID_VALUE {at}.type")),
        ("name: a, type: integer", format!("MISSING_KEY {at}.value")),
        ("name: a, type: integer, value: {}", format!("INVALID_VALUE {at}.value")),
        ("name: a, type: integer, value: {count: a, exists: b}", format!("INVALID_VALUE {at}.value")),
        ("name: a, type: integer, value: {script: a}", format!("UNKNOWN_KEY {at}.value.script")),
        ("name: a, type: integer, value: {count: a..b}", format!("INVALID_VALUE {at}.value.count")),
        ("name: a, type: integer, value: {count: $.a}", format!("INVALID_VALUE {at}.value.count")),
        ("name: a, type: integer, value: {count: 'a[0]'}", format!("INVALID_VALUE {at}.value.count")),
        ("name: a, type: string, value: {template: '{a'}", format!("INVALID_VALUE {at}.value.template")),
        ("name: a, type: string, value: {template: '{}'}", format!("INVALID_VALUE {at}.value.template")),
        ("name: a, type: integer, value: {add: [a]}", format!("INVALID_VALUE {at}.value.add")),
        ("name: a, type: integer, value: {add: a}", format!("WRONG_TYPE {at}.value.add")),
        ("name: a, type: integer, value: {add: [a, true]}", format!("WRONG_TYPE {at}.value.add[1]")),
        ("name: a, type: boolean, value: {eq: [a, b, c]}", format!("INVALID_VALUE {at}.value.eq")),
        ("name: a, type: boolean, value: {lt: [a]}", format!("INVALID_VALUE {at}.value.lt")),
    ] {
        assert_eq!(refusal(&list(&format!("computed: [{{{field}}}]"))), [code], "{field}");
    }
    let one = "{name: a, type: integer, value: {count: a}}";
    let twice = refusal(&list(&format!("computed: [{one}, {one}]")));
    assert_eq!(twice, ["DUPLICATE_NAME operations.read[0].computed[1].name"]);
}

/// A type that does not fit the value is told: a model reads it.
#[test]
fn computed_types() {
    for (value, kind) in [("template: a", "integer"), ("exists: a", "string"), ("count: a", "boolean")] {
        let text = list(&format!("computed: [{{name: a, type: {kind}, value: {{{value}}}}}]"));
        assert_eq!(codes(&text), ["CONTRADICTION operations.read[0].computed[0].type"], "{value}");
    }
    assert_eq!(computed("count: a", "'integer | string'").answers.computed[0].type_name, "integer | string");
}

#[test]
fn aggregates() {
    let rule = operation(&list(
        "aggregate: {functions: [count, group_by], groupable_fields: [state], numeric_fields: [size.bytes]}",
    ))
    .declaration
    .answers
    .aggregate;
    assert_eq!(rule.functions, Some(vec![AggregateFunction::Count, AggregateFunction::GroupBy]));
    assert_eq!(rule.groupable_fields, Some(vec!["state".to_owned()]));
    assert_eq!(rule.numeric_fields, Some(vec!["size.bytes".to_owned()]));
    let absent = operation(&list("")).declaration.answers.aggregate;
    assert!(absent.functions.is_none() && absent.groupable_fields.is_none());
    let at = "operations.read[0].aggregate";
    for (block, code) in [
        ("{functions: [median]}", format!("INVALID_VALUE {at}.functions[0]")),
        ("{function: [count]}", format!("UNKNOWN_KEY {at}.function")),
        ("{numeric_fields: [a.]}", format!("INVALID_VALUE {at}.numeric_fields[0]")),
    ] {
        assert_eq!(refusal(&list(&format!("aggregate: {block}"))), [code], "{block}");
    }
}

/// Ruling W14: examples may use the controls of their operation, and parameters may have the names of controls.
#[test]
fn controls_in_examples() {
    let example =
        |params: &str| list(&format!("params:\n  state: {{type: string}}\nexamples:\n  - params: {params}"));
    for params in ["{fields: minimal, first: 5}", "{filter: {a: 1}, state: x, aggregate: {n: {count: true}}}"]
    {
        assert_eq!(codes(&example(params)), Vec::<String>::new(), "{params}");
    }
    let at = "operations.read[0].examples[0].params";
    assert_eq!(refusal(&example("{first: five}")), [format!("WRONG_TYPE {at}.first")]);
    assert_eq!(refusal(&example("{dry_run: true}")), [format!("BAD_EXAMPLE {at}.dry_run")]);
    assert_eq!(refusal(&example("{aql_first: 5}")), [format!("BAD_EXAMPLE {at}.aql_first")]);
    let declared =
        |params: &str| list(&format!("params:\n  sort: {{type: string}}\nexamples:\n  - params: {params}"));
    let warned = ["CONTROL_NAME operations.read[0].params.sort"];
    assert_eq!(codes(&declared("{sort: name, aql_sort: {field: name}}")), warned);
    let single = with_operation("read", "get_x", "maps_to: GET /x\nexamples: [{params: {first: 5}}]");
    assert_eq!(refusal(&single), [format!("BAD_EXAMPLE {at}.first")]);
    let create =
        with_operation("create", "create_x", "maps_to: POST /x\nexamples: [{params: {dry_run: true}}]");
    assert_eq!(codes(&create), Vec::<String>::new());
}
