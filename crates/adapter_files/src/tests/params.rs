//! Parameters: names, types, constraints, defaults, places.
//!
//! Runtime specification, sections 4.3 and 6.4; operations document, sections 4 and 5.

use super::shared_params::sharing;
use super::{changed, codes, load_text, operation, refusal, shown, with_operation};
use crate::load;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::params::format::Format;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::json;

pub(super) fn read(params: &str) -> String {
    let params: String = params.lines().map(|line| format!("  {line}\n")).collect();
    with_operation("read", "get_item", &format!("maps_to: GET /items\nparams:\n{params}"))
}

fn post(params: &str) -> String {
    read(params)
        .replace("read:", "create:")
        .replace("GET /items", "POST /items")
        .replace("get_item", "create_item")
}

/// The code of the one error of a parameter named `p`, and what is after its path.
fn fault(definition: &str) -> String {
    let outcome = load_text(&read(&format!("p: {definition}")));
    let errors: Vec<_> = outcome.errors().collect();
    assert_eq!(errors.len(), 1, "{definition}: {errors:?}");
    let path = errors[0].path.strip_prefix("operations.read[0].params.p").unwrap();
    format!("{} {path}", errors[0].code)
}

/// R4.2-4 R4.3-1 O5.2-1: the six types, lists and unions; anything else, or none, fails the load.
#[test]
fn types() {
    for (text, kind) in [
        ("string", ValueKind::String),
        ("integer", ValueKind::Integer),
        ("number", ValueKind::Number),
        ("boolean", ValueKind::Boolean),
        ("array", ValueKind::Array(None)),
        ("object", ValueKind::Object),
        ("\"string[]\"", ValueKind::Array(Some(Box::new(ValueKind::String)))),
        ("string | integer", ValueKind::Union(vec![ValueKind::String, ValueKind::Integer])),
    ] {
        assert_eq!(operation(&read(&format!("p: {{type: {text}}}"))).params[0].shape.kind, kind);
    }
    for text in ["text", "int", "String", "\"string[\"", "\"\"", "\"string |\""] {
        assert_eq!(fault(&format!("{{type: {text}}}")), "INVALID_VALUE .type", "{text}");
    }
    assert_eq!(fault("{required: true}"), "MISSING_KEY .type");
    assert_eq!(fault("{type: 5}"), "WRONG_TYPE .type");
    assert_eq!(fault("string"), "WRONG_TYPE ");
}

/// R4.3-2 O4.3-1 O5.2-2: `required` is a boolean, absent means false.
#[test]
fn required() {
    let operation = operation(&read("a: {type: string}\nb: {type: string, required: true}"));
    assert_eq!(operation.params.iter().map(|p| p.required).collect::<Vec<_>>(), [false, true]);
    for wrong in ["yes", "\"true\"", "1", "null"] {
        assert_eq!(fault(&format!("{{type: string, required: {wrong}}}")), "WRONG_TYPE .required", "{wrong}");
    }
}

/// R4.3-3 O5.2-4: a default has the declared type and keeps the constraints.
#[test]
fn defaults() {
    let operation =
        operation(&read("a: {type: number, default: 2.5}\nb: {type: \"string[]\", default: [x]}"));
    assert_eq!(operation.params[0].default, Some(json!(2.5)));
    assert_eq!(operation.params[1].default, Some(json!(["x"])));
    for (definition, code) in [
        ("{type: integer, default: ten}", "WRONG_TYPE .default"),
        ("{type: string, default: 10}", "WRONG_TYPE .default"),
        ("{type: string, default: null}", "WRONG_TYPE .default"),
        ("{type: boolean, default: \"true\"}", "WRONG_TYPE .default"),
        ("{type: integer, default: 11, maximum: 10}", "INVALID_VALUE .default"),
        ("{type: string, default: c, enum: [a, b]}", "INVALID_VALUE .default"),
        ("{type: string, default: soon, format: date}", "INVALID_VALUE .default"),
    ] {
        assert_eq!(fault(definition), code, "{definition}");
    }
}

/// R4.3-4 O5.2-7: an enum is a list of values of the declared type.
#[test]
fn enums() {
    let operation = operation(&read("p: {type: string, enum: [a, b]}"));
    assert_eq!(operation.params[0].shape.allowed, Some(vec![json!("a"), json!("b")]));
    for (definition, code) in [
        ("{type: string, enum: a}", "WRONG_TYPE .enum"),
        ("{type: string, enum: []}", "INVALID_VALUE .enum"),
        ("{type: string, enum: [a, 1]}", "WRONG_TYPE .enum[1]"),
        ("{type: integer, enum: [1, b]}", "WRONG_TYPE .enum[1]"),
    ] {
        assert_eq!(fault(definition), code, "{definition}");
    }
}

/// O5.2-3 O5.2-8 O5.2-9 O5.2-10 X-adapter-17: the constraints are kept.
#[test]
fn constraints() {
    let operation = operation(&read(
        "n: {type: number, minimum: 0, maximum: 9.5, description: A number}\n\
         s: {type: string, minLength: 2, maxLength: 4, pattern: '^[a-z]+$', format: slug}\n\
         d: {type: array, items: {type: string, format: date}}",
    ));
    let [number, text, dates] = operation.params.as_slice() else { panic!() };
    assert_eq!((number.shape.minimum, number.shape.maximum), (Some(0.0), Some(9.5)));
    assert_eq!(number.description.as_deref(), Some("A number"));
    assert_eq!((text.shape.min_length, text.shape.max_length), (Some(2), Some(4)));
    assert_eq!(text.shape.pattern.as_ref().unwrap().as_str(), "^[a-z]+$");
    assert_eq!(text.shape.format, Some(Format::Other("slug".into())));
    assert_eq!(dates.shape.items.as_ref().unwrap().format, Some(Format::Date));
}

#[test]
fn constraints_that_cannot_hold() {
    for (definition, code) in [
        ("{type: number, minimum: 2, maximum: 1}", "BAD_CONSTRAINT .minimum"),
        ("{type: string, minLength: 2, maxLength: 1}", "BAD_CONSTRAINT .minLength"),
        ("{type: string, minimum: 2}", "BAD_CONSTRAINT .minimum"),
        ("{type: integer, pattern: a}", "BAD_CONSTRAINT .pattern"),
        ("{type: boolean, maxLength: 1}", "BAD_CONSTRAINT .maxLength"),
        ("{type: integer, format: date}", "BAD_CONSTRAINT .format"),
        ("{type: string, items: {type: string}}", "BAD_CONSTRAINT .items"),
        ("{type: \"string[]\", items: {type: integer}}", "BAD_CONSTRAINT .items"),
        ("{type: string, pattern: '('}", "INVALID_VALUE .pattern"),
        ("{type: string, pattern: '(?!a)b'}", "INVALID_VALUE .pattern"),
        ("{type: string, pattern: '(a)\\1'}", "INVALID_VALUE .pattern"),
        ("{type: string, pattern: '(\\w{900}){900}'}", "INVALID_VALUE .pattern"),
        ("{type: string, minLength: -1}", "INVALID_VALUE .minLength"),
        ("{type: string, minLength: 1.5}", "WRONG_TYPE .minLength"),
        ("{type: array, items: {type: strin}}", "INVALID_VALUE .items.type"),
        ("{type: array, items: string}", "WRONG_TYPE .items"),
        ("{type: string, in: nowhere}", "INVALID_VALUE .in"),
        ("{type: string, sources: [\"a b\"]}", "INVALID_VALUE .sources[0]"),
    ] {
        assert_eq!(fault(definition), code, "{definition}");
    }
    operation(&read("p: {type: integer, format: int64}"));
}

/// A format that is nearly one that is checked is told: no check would happen.
#[test]
fn formats_that_are_not_checked() {
    for (format, meant) in [
        ("datetime", "date-time"),
        ("dateTime", "date-time"),
        ("date_time", "date-time"),
        ("Date", "date"),
        ("e-mail", "email"),
        ("url", "uri"),
        ("GUID", "uuid"),
        ("bas64", "base64"),
    ] {
        let outcome = load_text(&read(&format!("p: {{type: string, format: {format}}}")));
        assert!(outcome.loaded.is_some());
        let found = &outcome.diagnostics[0];
        let hint = format!("did you mean '{meant}'?");
        assert_eq!((found.code, found.hint.as_deref()), ("UNKNOWN_FORMAT", Some(hint.as_str())), "{format}");
    }
    for format in ["date", "date-time", "uri", "slug", "int64", "ipv4", "hostname", "color", "phone"] {
        assert_eq!(
            codes(&read(&format!("p: {{type: string, format: {format}}}"))),
            Vec::<String>::new(),
            "{format}"
        );
    }
}

/// C4.3-1 O4.1-1: a name outside snake_case is refused wherever it is given, with the name to use instead.
#[test]
fn names() {
    for (text, path) in [
        (read("itemId: {type: string}"), "operations.read[0].params.itemId"),
        (read("- {name: itemId, type: string}"), "operations.read[0].params[0].name"),
        (sharing("itemId: {$ref: '#/shared_parameters/filter'}"), "operations.read[0].params.itemId.$ref"),
        (
            sharing("q: {type: string}").replace("{name: first,", "{name: itemId,"),
            "shared_parameters.cursor_pagination[0].name",
        ),
    ] {
        let outcome = load_text(&text);
        assert!(outcome.loaded.is_none(), "{path}");
        assert_eq!(outcome.diagnostics.len(), 1, "{}", shown(&outcome.diagnostics));
        let found = &outcome.diagnostics[0];
        assert_eq!((found.code, found.path.as_str()), ("INVALID_NAME", path));
        assert_eq!(found.hint.as_deref(), Some("name it item_id and add mapTo: itemId"));
    }
    // The JSON Schema lets such a key pass, as groups may be called so; the loader alone is asked.
    let key_as_name = sharing("q: {type: string}").replace("  filter: {type", "  itemId: {type");
    let outcome = load("shop-adapter.md", key_as_name.as_bytes(), &SourceSettings::default());
    let found: Vec<_> = outcome.errors().map(|each| (each.code, each.path.as_str())).collect();
    assert_eq!(found, [("INVALID_NAME", "shared_parameters.itemId")]);
    for (name, code) in [
        ("_x", "INVALID_NAME"),
        ("X", "INVALID_NAME"),
        ("a-b", "INVALID_NAME"),
        ("9a", "INVALID_NAME"),
        ("operation", "RESERVED_NAME"),
        ("params", "RESERVED_NAME"),
    ] {
        let path = format!("{code} operations.read[0].params.{name}");
        assert_eq!(refusal(&read(&format!("{name}: {{type: string}}"))), [path]);
    }
}

/// C4.5-1: 'input' is taken only in an UPDATE, where the fields to change go.
#[test]
fn input_is_a_word_of_updates() {
    operation(&read("input: {type: string}"));
    let update = |params: &str| {
        with_operation("update", "update_x", &format!("maps_to: PATCH /x\nparams: {{{params}}}"))
    };
    assert_eq!(
        refusal(&update("input: {type: string}, title: {type: string}")),
        ["RESERVED_NAME operations.update[0].params.input"]
    );
    assert_eq!(operation(&update("input: {type: object}")).grouping, Grouping::WholeInput);
}

/// Words of the format are good names for parameters.
#[test]
fn names_that_are_keys() {
    let operation = operation(&read(
        "type: {type: string}\nname: {type: string}\nrequired: {type: boolean}\ndefault: {type: string}",
    ));
    assert_eq!(operation.params.len(), 4);
}

#[test]
fn a_parameter_has_one_name() {
    operation(&read("q: {name: q, type: string}"));
    assert_eq!(
        codes(&read("q: {name: r, type: string}")),
        ["INVALID_VALUE operations.read[0].params.q.name"]
    );
}

/// O5.2-5 O5.2-6: the upstream's name, where a value is looked for, and that it is secret.
#[test]
fn mapping_of_one_parameter() {
    let operation = operation(&read(
        "item_id: {type: string, mapTo: itemId, sources: [params.item_id, input.id], sensitive: true}\nq: {type: string}",
    ));
    let [item, plain] = operation.params.as_slice() else { panic!() };
    assert_eq!(item.upstream_name, "itemId");
    assert_eq!(item.sources, ["params.item_id", "input.id"]);
    assert!(item.sensitive && !plain.sensitive);
    assert_eq!((plain.upstream_name.as_str(), plain.sources.len()), ("q", 0));
}

/// R6.4-1 R6.4-2 R6.4-3 R6.4-4 R6.4-5 R6.4-6: the path takes its placeholders, the method decides for the rest.
#[test]
fn places_by_method() {
    for (method, place) in [
        ("GET", ParamLocation::Query),
        ("DELETE", ParamLocation::Query),
        ("POST", ParamLocation::Body),
        ("PUT", ParamLocation::Body),
        ("PATCH", ParamLocation::Body),
    ] {
        let rest = format!(
            "maps_to: {method} /items/{{id}}\nparams: {{id: {{type: integer, required: true}}, q: {{type: string}}}}"
        );
        let operation = operation(&with_operation("execute", "execute_it", &rest));
        assert_eq!(
            operation.params.iter().map(|p| p.place).collect::<Vec<_>>(),
            [ParamLocation::Path, place],
            "{method}"
        );
    }
    let operation = operation(&post(
        "a: {type: string, in: query}\nb: {type: string, in: header, mapTo: X-B}\nc: {type: string, in: cookie}",
    ));
    assert_eq!(
        operation.params.iter().map(|p| p.place).collect::<Vec<_>>(),
        [ParamLocation::Query, ParamLocation::Header, ParamLocation::Cookie]
    );
}

#[test]
fn places_that_contradict() {
    assert_eq!(fault("{type: string, in: path}"), "BAD_PLACE ");
    assert_eq!(fault("{type: string, in: body}"), "BAD_PLACE ");
    assert_eq!(fault("{type: string, in: header, mapTo: \"a b\"}"), "BAD_PLACE ");
    assert_eq!(fault("{type: string, in: header, mapTo: Host}"), "BAD_PLACE ");
    assert_eq!(fault("{type: string, in: header, mapTo: Authorization}"), "BAD_PLACE ");
    assert_eq!(fault("{type: string, in: cookie, mapTo: \"a;b\"}"), "BAD_PLACE ");
    let twice = read("a: {type: string, mapTo: x}\nb: {type: string, mapTo: x}");
    assert_eq!(codes(&twice), ["DUPLICATE_NAME operations.read[0].params.b"]);
    let in_path = |definition: &str| {
        with_operation("read", "get_item", &format!("maps_to: GET /items/{{p}}\nparams: {{p: {definition}}}"))
    };
    assert_eq!(
        codes(&in_path("{type: string, required: true, in: query}")),
        ["BAD_PLACE operations.read[0].params.p"]
    );
    assert_eq!(codes(&in_path("{type: object, required: true}")), ["BAD_PLACE operations.read[0].params.p"]);
    assert_eq!(codes(&in_path("{type: string}")), ["OPTIONAL_PATH_PARAMETER operations.read[0].params.p"]);
    assert_eq!(codes(&in_path("{type: string, default: x}")), Vec::<String>::new());
}

/// X-adapter-16: every placeholder is a declared parameter, by its own name or its upstream's.
#[test]
fn placeholders() {
    let text = changed("/items/{id}", "/items/{ids}");
    let outcome = load_text(&text);
    assert!(outcome.loaded.is_none());
    let found = &outcome.diagnostics[0];
    assert_eq!((found.code, found.path.as_str()), ("UNDECLARED_PLACEHOLDER", "operations.read[0].maps_to"));
    assert!(found.message.contains("{ids}"));
    let upstream = with_operation(
        "read",
        "get_item",
        "maps_to: GET /items/{itemId}\nparams: {item_id: {type: string, required: true, mapTo: itemId}}",
    );
    let operation = operation(&upstream);
    assert_eq!(operation.params[0].place, ParamLocation::Path);
    let aqueduct_operations::target::Target::Http(target) = &operation.target else { panic!() };
    assert_eq!(target.path[1], aqueduct_operations::target::Segment::Placeholder("item_id".into()));
}

/// A parameter that is there but broken is one mistake: what refers to it is not told as another.
#[test]
fn what_refers_to_a_broken_parameter() {
    let with = |params: &str| {
        let rest = format!(
            "maps_to: GET /items/{{item_id}}\nparams:\n{params}\ndanger: {{level: safe, confirmation_message: 'Read {{item_id}}?'}}\nexamples: [{{params: {{item_id: 7}}}}]"
        );
        with_operation("read", "get_item", &rest)
    };
    for (params, expected) in [
        ("  item_id: {type: int}", "INVALID_VALUE operations.read[0].params.item_id.type"),
        ("  item_id: {required: true}", "MISSING_KEY operations.read[0].params.item_id.type"),
        ("  item_id: integer", "WRONG_TYPE operations.read[0].params.item_id"),
        ("  itemId: {type: integer}", "INVALID_NAME operations.read[0].params.itemId"),
        ("  - {name: item_id, type: int}", "INVALID_VALUE operations.read[0].params[0].type"),
        ("  - {nam: item_id, type: integer}", "MISSING_KEY operations.read[0].params[0].name"),
        ("  - $ref: '#/shared_parameters/nothing'", "UNKNOWN_REFERENCE operations.read[0].params[0].$ref"),
        ("  item_id: {type: integer, default: x}", "WRONG_TYPE operations.read[0].params.item_id.default"),
    ] {
        let found: Vec<_> =
            codes(&with(params)).into_iter().filter(|each| !each.starts_with("UNKNOWN_KEY")).collect();
        assert_eq!(found, [expected], "{params}");
    }
    let shared = with("  - $ref: '#/shared_parameters/group'")
        .replace("operations:\n", "shared_parameters: {group: [{name: item_id, type: int}]}\noperations:\n");
    assert_eq!(codes(&shared), ["INVALID_VALUE shared_parameters.group[0].type"]);
    let other = with("  part: {type: int}");
    assert!(codes(&other).contains(&"UNDECLARED_PLACEHOLDER operations.read[0].maps_to".to_owned()));
}

/// O5.3-1: the example of the document.
#[test]
fn create_item_of_the_document() {
    let operation = operation(&post(
        "name: {type: string, required: true}\n\
         category: {type: string, required: true, enum: [product, service, subscription]}\n\
         price: {type: number, minimum: 0}\nmetadata: {type: object}",
    ));
    let found: Vec<_> =
        operation.params.iter().map(|p| (p.name.as_str(), p.shape.kind.clone(), p.required)).collect();
    assert_eq!(
        found,
        [
            ("name", ValueKind::String, true),
            ("category", ValueKind::String, true),
            ("price", ValueKind::Number, false),
            ("metadata", ValueKind::Object, false),
        ]
    );
    let category = &operation.param("category").unwrap().shape;
    assert_eq!(category.allowed, Some(vec![json!("product"), json!("service"), json!("subscription")]));
    let price = &operation.param("price").unwrap().shape;
    assert_eq!((price.minimum, price.maximum), (Some(0.0), None));
}

/// Advice is about the mistake that was made, not about one that others make.
#[test]
fn advice_on_patterns_and_numbers() {
    for (definition, advice) in [
        ("{type: string, pattern: '('}", "unclosed group"),
        ("{type: string, pattern: '[a'}", "unclosed character class"),
        ("{type: string, pattern: '(a)\\1'}", "patterns match in linear time"),
        ("{type: number, minimum: \"3\"}", "write the number without quotes"),
        ("{type: number, minimum: 1e999}", "write a finite number"),
        ("{type: number, minimum: .nan}", "write a finite number"),
        ("{type: number, maximum: -.INF}", "write a finite number"),
    ] {
        let outcome = load_text(&read(&format!("p: {definition}")));
        let hint = outcome.errors().next().and_then(|error| error.hint.as_deref()).unwrap_or_default();
        assert!(hint.starts_with(advice), "{definition}: {hint}");
    }
    let outcome = load_text(&read("p: {type: number, minimum: ten}"));
    assert_eq!(outcome.errors().next().unwrap().hint, None);
}
