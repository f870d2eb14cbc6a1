//! Operations: names, mappings, categories, danger, grouping, returns, examples.
//!
//! Runtime specification, section 4.2; core specification, section 8.5; danger-level document.

use super::{codes, good, load_text, operation, refusal, with_operation, with_operations};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{DangerLevel, DangerOrigin};
use aqueduct_operations::naming::RESERVED;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::registry::{NamingScheme, Registry};
use aqueduct_operations::target::{AnswerKind, BuiltIn, HttpTarget, Segment, Target};
use serde_json::{Value, json};

fn http(text: &str) -> HttpTarget {
    match operation(text).target {
        Target::Http(target) => target,
        Target::Handler(_) | Target::BuiltIn(_) => panic!(),
    }
}

/// R4.2-1 C8.5.2-1: the grammar of names.
#[test]
fn names() {
    for name in ["\"\"", "\"  \""] {
        let outcome = load_text(&with_operation("read", name, "maps_to: GET /x"));
        assert!(outcome.loaded.is_none());
        let found = &outcome.diagnostics[0];
        assert_eq!((found.code, found.message.as_str()), ("MISSING_KEY", "Operation name is required"));
    }
    let long = "x".repeat(65);
    for name in ["getItem", "get-item", "_get", "9x", "get item", long.as_str()] {
        let found = refusal(&with_operation("read", name, "maps_to: GET /x"));
        assert_eq!(found, ["INVALID_NAME operations.read[0].name"], "{name}");
    }
    assert_eq!(
        refusal(&with_operation("read", "[x]", "maps_to: GET /x")),
        ["WRONG_TYPE operations.read[0].name"]
    );
    operation(&with_operation("read", &long[1..], "maps_to: GET /x"));
}

/// C8.5.4-8 C8.5.4-9: every name of the one table is refused in every list, and the table holds those of the protocol.
#[test]
fn reserved_names() {
    let of_the_protocol = [
        "introspect",
        "execute_agent",
        "record_execution_step",
        "complete_execution",
        "abort_execution",
        "confirm_operation",
        "verify_challenge",
    ];
    assert_eq!(RESERVED, [&of_the_protocol[..], &["batch"]].concat());
    for name in RESERVED {
        for list in Category::ALL.map(Category::lower) {
            let found = refusal(&with_operation(list, name, "maps_to: GET /x"));
            assert_eq!(found, [format!("RESERVED_NAME operations.{list}[0].name")], "{name}");
        }
    }
}

/// C8.5.4-1: introspection is a READ. A file may say that it is there; the entry is left out, and only in this form.
#[test]
fn introspect_may_be_declared_as_internal() {
    let item = "    - {name: get_x, description: \"It does this\", maps_to: GET /x}\n";
    let declared = "    - {name: introspect, description: \"Describe\", maps_to: INTERNAL, params: {query: {type: string}}}\n";
    let text = with_operations(&format!("  read:\n{declared}{item}"));
    assert_eq!(codes(&text), ["BUILT_IN operations.read[0].name"]);
    assert_eq!(good(&text).operations.iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["get_x"]);
    for list in ["create", "update", "delete", "execute"] {
        let elsewhere = with_operations(&format!("  {list}:\n{declared}"));
        assert!(refusal(&elsewhere).contains(&format!("RESERVED_NAME operations.{list}[0].name")), "{list}");
    }
    let registry = Registry::build(vec![good(&text)], NamingScheme::Bare).unwrap();
    let served = &registry.find("introspect").unwrap().1.operation;
    assert_eq!(served.category, Category::Read);
    assert!(matches!(served.target, Target::BuiltIn(BuiltIn::Introspect)));
}

/// C8.5.1-1 C8.5.2-3 C8.5.2-4 C8.5.3-1: names with a verb of another category, or with a usual equivalent, get a hint and load.
#[test]
fn verbs() {
    let hints = |list: &str, name: &str| {
        let outcome = load_text(&with_operation(list, name, "maps_to: POST /x"));
        assert!(outcome.loaded.is_some());
        outcome.diagnostics.iter().map(|d| d.message.clone()).collect::<String>()
    };
    for (list, name, usual) in [
        ("create", "add_user", "create_user"),
        ("read", "fetch_document", "get_document"),
        ("read", "find_items", "list_items"),
        ("update", "edit_profile", "update_profile"),
        ("delete", "remove_account", "delete_account"),
        ("execute", "run_workflow", "execute_workflow"),
    ] {
        assert_eq!(hints(list, name), format!("'{usual}' is the usual name for '{name}'"));
    }
    assert_eq!(
        hints("create", "update_user"),
        "Names like 'update_user' usually mean UPDATE, this is in create"
    );
    for (list, name) in [
        ("create", "create_user"),
        ("read", "get_user"),
        ("read", "list_users"),
        ("update", "update_user"),
        ("delete", "delete_user"),
        ("execute", "execute_job"),
        ("execute", "cancel_job"),
        ("create", "upload_file"),
        ("create", "import_rows"),
        ("read", "export_data"),
        ("execute", "frobnicate"),
        ("read", "search"),
    ] {
        assert_eq!(hints(list, name), "", "{name}");
    }
}

/// R4.2-3 R6.3-1 R6.3-2: mappings are split once, and a bad one keeps the file from loading.
#[test]
fn mappings() {
    let target = http(&with_operation("read", "get_x", "maps_to: 'get /a b?x=1'"));
    assert_eq!(target.method.name(), "GET");
    assert_eq!(target.path, [Segment::Literal("/a b".into())]);
    assert_eq!(target.static_query.as_deref(), Some("x=1"));
    for mapping in [
        "GET",
        "/x",
        "CONNECT /x",
        "TOOL",
        "\"TOOL  \"",
        "GET x",
        "GET /{a",
        "GET /../x",
        "GET /x#y",
        "\"GET /x\\r\\nA: b\"",
        "INTERNAL",
    ] {
        let found = refusal(&with_operation("read", "get_x", &format!("maps_to: {mapping}")));
        assert_eq!(found, ["BAD_MAPPING operations.read[0].maps_to"], "{mapping}");
    }
    assert_eq!(
        refusal(&with_operation("read", "get_x", "tags: [a]")),
        ["MISSING_KEY operations.read[0].maps_to"]
    );
}

/// Where there is no mapping, its form is shown, made from the parts that are there.
#[test]
fn mappings_in_parts() {
    let hints = |lines: &str| {
        let outcome = load_text(&with_operation("read", "get_x", lines));
        outcome.diagnostics.into_iter().map(|d| (d.code, d.hint.unwrap_or_default())).collect::<Vec<_>>()
    };
    let form = |code, form: &str| (code, format!("write maps_to: {form}"));
    assert_eq!(hints("tags: [a]"), [form("MISSING_KEY", "GET /path")]);
    assert_eq!(hints("maps_to:"), [form("MISSING_KEY", "GET /path")]);
    let (missing, unknown) = (form("MISSING_KEY", "POST /x/{id}"), form("UNKNOWN_KEY", "POST /x/{id}"));
    assert_eq!(hints("method: post\npath: '/x/{id}'"), [missing, unknown.clone(), unknown]);
    assert_eq!(hints("path: '/x?api_key=qwertz'")[0], form("MISSING_KEY", "GET /path"));
}

/// C6.2-1 O5.1-3 O5.1-4: a category or endpoint beside the list must agree with it, in any case.
#[test]
fn categories_agree() {
    for line in ["semantic_category: READ", "semantic_category: read", "endpoint: read", "endpoint: Read"] {
        operation(&with_operation("read", "get_x", &format!("maps_to: GET /x\n{line}")));
    }
    for line in ["semantic_category: UPDATE", "endpoint: delete", "endpoint: manage"] {
        let key = line.split_once(':').unwrap().0;
        let found = refusal(&with_operation("read", "get_x", &format!("maps_to: GET /x\n{line}")));
        assert_eq!(found, [format!("CATEGORY_MISMATCH operations.read[0].{key}")]);
    }
}

/// O5.1-5 O5.1-7 O5.1-8: description, handler and dangerous are read.
#[test]
fn plain_keys() {
    let text = with_operation(
        "execute",
        "execute_x",
        "maps_to: POST /x\nhandler: runX\ndangerous: true\nnon_idempotent: true\ntags: [a]\ntriggers: [b]\nwhen_to_use: Now",
    );
    let operation = operation(&text);
    assert_eq!(operation.description, "It does something");
    assert_eq!(operation.danger.level, DangerLevel::Destructive);
    assert!(operation.non_idempotent);
    assert_eq!(
        (operation.tags.as_slice(), operation.triggers.as_slice(), operation.when_to_use.as_deref()),
        (&["a".into()][..], &["b".into()][..], Some("Now"))
    );
    assert_eq!(
        refusal(&text.replace("\"It does something\"", "5")),
        ["WRONG_TYPE operations.execute[0].description"]
    );
}

fn level(list: &str, name: &str, lines: &str) -> (DangerLevel, DangerOrigin) {
    let danger =
        operation(&with_operation(list, name, &format!("maps_to: POST /x\n{lines}"))).declaration.danger;
    (danger.level, danger.origin)
}

/// X-adapter-24 X-danger-3 X-danger-6 X-danger-17 X-danger-18 X-danger-21 X-danger-23: a declared level wins over patterns, downwards
/// too; the block, the plain level and the short form are read.
#[test]
fn danger_levels() {
    use DangerLevel::{Dangerous, Destructive, Forbidden, Reversible, Safe};
    for (list, name, expected) in [
        ("create", "create_x", Reversible),
        ("read", "get_x", Safe),
        ("update", "update_x", Reversible),
        ("delete", "delete_x", Destructive),
        ("execute", "start_x", Reversible),
    ] {
        assert_eq!(level(list, name, ""), (expected, DangerOrigin::Category), "{name}");
    }
    assert_eq!(level("execute", "force_sync", "").0, Dangerous);
    assert_eq!(level("execute", "wipe_disk", "").0, Forbidden);
    for lines in ["danger_level: safe", "danger: {level: safe}", "danger: safe"] {
        assert_eq!(level("execute", "force_sync", lines), (Safe, DangerOrigin::Declared), "{lines}");
    }
    assert_eq!(level("execute", "start_x", "danger_level: dangerous").0, Dangerous);
    assert_eq!(
        level("execute", "start_x", "danger_level: dangerous\ndanger: {level: destructive}").0,
        Destructive
    );
    assert_eq!(level("execute", "start_x", "dangerous: true\ndanger_level: safe").0, Destructive);
    assert_eq!(level("execute", "start_x", "dangerous: true\ndanger_level: forbidden").0, Forbidden);
    assert_eq!(level("execute", "start_x", "dangerous: false").0, Reversible);
    let wrong = with_operation("read", "get_x", "maps_to: GET /x\ndanger_level: high");
    assert_eq!(refusal(&wrong), ["INVALID_VALUE operations.read[0].danger_level"]);
    for (block, expected) in [
        ("{reason: Gone}", "MISSING_KEY operations.read[0].danger.level"),
        ("{level: safe, color: red}", "UNKNOWN_KEY operations.read[0].danger.color"),
        ("{level: high}", "INVALID_VALUE operations.read[0].danger.level"),
    ] {
        let text = with_operation("read", "get_x", &format!("maps_to: GET /x\ndanger: {block}"));
        assert_eq!(refusal(&text), [expected]);
    }
}

/// X-adapter-24 X-danger-3 X-danger-6: reasons, the message with its slots, and that a person is asked.
#[test]
fn danger_details() {
    let text = with_operation(
        "delete",
        "delete_x",
        "maps_to: DELETE /x/{id}\nparams: {id: {type: string, required: true}}\ndanger:\n  level: destructive\n  \
         reasons: [It is gone]\n  confirmation_message: \"Delete {id}?\"\n  requires_confirmation: true",
    );
    let danger = operation(&text).declaration.danger;
    assert_eq!(danger.reasons, ["It is gone"]);
    assert_eq!(danger.confirmation_message.as_deref(), Some("Delete {id}?"));
    assert!(danger.requires_confirmation);
    let path = "operations.delete[0].danger.confirmation_message";
    assert_eq!(
        codes(&text.replace("Delete {id}", "Delete {ids}")),
        [format!("UNDECLARED_PLACEHOLDER {path}")]
    );
    assert_eq!(codes(&text.replace("Delete {id}", "Delete {id")), [format!("INVALID_VALUE {path}")]);
    let closed = with_operation(
        "delete",
        "delete_x",
        "maps_to: DELETE /x/{id}\nparams: {id: {type: string, required: true}, pin: {type: string, sensitive: true}, password: {type: string}, word: {type: string, mapTo: api_key}}\n\
         danger: {level: destructive, reason: Gone, hook_blockable: false, cooldown_seconds: 5, requires_reauth: true, audit_context: [id]}",
    );
    let danger = operation(&closed).declaration.danger;
    assert_eq!(danger.reasons, ["Gone"]);
    assert_eq!((danger.cooldown_seconds, danger.requires_reauth), (5, true));
    assert_eq!((danger.audit_context, danger.hook_blockable), (vec!["id".to_owned()], false));
    assert!(codes(&closed).is_empty(), "all of it is acted on");
    for (from, to, code) in [
        ("[id]", "[ids]", "UNDECLARED_PLACEHOLDER operations.delete[0].danger.audit_context[0]"),
        ("[id]", "[id, pin]", "CONTRADICTION operations.delete[0].danger.audit_context[1]"),
        ("[id]", "[id, password]", "CONTRADICTION operations.delete[0].danger.audit_context[1]"),
        ("[id]", "[id, word]", "CONTRADICTION operations.delete[0].danger.audit_context[1]"),
        ("seconds: 5", "seconds: -5", "INVALID_VALUE operations.delete[0].danger.cooldown_seconds"),
        ("seconds: 5", "seconds: 601", "INVALID_VALUE operations.delete[0].danger.cooldown_seconds"),
        ("reauth: true", "reauth: yes", "WRONG_TYPE operations.delete[0].danger.requires_reauth"),
    ] {
        assert!(refusal(&closed.replace(from, to)).contains(&code.to_owned()), "{to}");
    }
    let plain = with_operation("delete", "delete_x", "maps_to: DELETE /x\nrequires_confirmation: true");
    assert!(operation(&plain).danger.requires_confirmation);
}

/// Body fields of an UPDATE stand in `input`.
#[test]
fn grouping() {
    let group = |list: &str, params: &str| {
        let name = format!("{list}_x");
        let rest =
            format!("maps_to: PATCH /x/{{id}}\nparams: {{id: {{type: string, required: true}}{params}}}");
        with_operation(list, &name, &rest)
    };
    assert_eq!(operation(&group("update", ", a: {type: string}")).grouping, Grouping::Input);
    assert_eq!(operation(&group("update", ", a: {type: string, in: query}")).grouping, Grouping::Flat);
    assert_eq!(operation(&group("update", "")).grouping, Grouping::Flat);
    assert_eq!(operation(&group("execute", ", a: {type: string}")).grouping, Grouping::Flat);
    assert_eq!(operation(&group("update", ", input: {type: object}")).grouping, Grouping::WholeInput);
    for params in [", input: {type: string}", ", input: {type: object}, a: {type: string}"] {
        assert_eq!(codes(&group("update", params)), ["RESERVED_NAME operations.update[0].params.input"]);
    }
    let line = |params: &str| {
        let rest = format!("maps_to: PATCH /x\nparams:\n{params}");
        load_text(&with_operation("update", "update_x", &rest)).diagnostics[0].position.source_line.clone()
    };
    assert_eq!(line("  a: {type: string}\n  input: {type: string}"), "        input: {type: string}");
    assert_eq!(
        line("  - {name: a, type: string}\n  - {name: input, type: string}"),
        "        - {name: input, type: string}"
    );
    let flat = group("update", ", a: {type: string}")
        .replace("operations:", "compat: {flat_update: true}\noperations:");
    assert_eq!(operation(&flat).grouping, Grouping::Flat);
}

/// What the response says, else a name made from the operation's.
#[test]
fn returns() {
    let returns = |lines: &str| {
        operation(&with_operation("read", "list_items", &format!("maps_to: GET /x\n{lines}")))
            .declaration
            .returns
    };
    assert_eq!((returns("").name.as_str(), returns("").kind), ("ItemList", "object"));
    let declared = returns("response: {type: string, description: The text}");
    assert_eq!(
        (declared.name.as_str(), declared.kind, declared.description.as_deref()),
        ("string", "scalar", Some("The text"))
    );
    let text = with_operation("read", "get_x", "maps_to: GET /x\nresponse: {type: State}")
        .replace("operations:", "types: {State: {kind: enum, values: [a]}}\noperations:");
    assert_eq!(operation(&text).returns.kind, "enum");
    let slip = text.replace("{type: State}", "{type: Stat}");
    let outcome = load_text(&slip);
    let found = &outcome.diagnostics[0];
    assert_eq!((found.code, found.hint.as_deref()), ("UNKNOWN_TYPE", Some("did you mean 'State'?")));
    assert_eq!(codes(&text.replace("{type: State}", "{type: Country}")), Vec::<String>::new());
    assert!(outcome.loaded.is_some(), "a name is enough");
    for (media, is_text) in
        [("text/csv", true), ("application/json; charset=utf-8", false), ("application/hal+json", false)]
    {
        let text = with_operation(
            "read",
            "get_x",
            &format!("maps_to: GET /x\nresponse: {{content_type: '{media}'}}"),
        );
        assert_eq!(http(&text).answer == AnswerKind::Any, is_text, "{media}");
    }
}

const UPDATE: &str = "maps_to: PATCH /x/{id}\nparams:\n  id: {type: integer, required: true}\n  title: {type: string, required: true}\n  size: {type: integer, maximum: 9}";

/// Every operation has an example that passes; a missing one is made.
#[test]
fn examples_are_made() {
    let made = &operation(&with_operation("update", "update_x", UPDATE)).examples;
    assert_eq!(made.len(), 1);
    assert_eq!(Value::Object(made[0].params.clone()), json!({"id": 1, "input": {"title": "title"}}));
    let impossible = with_operation(
        "read",
        "get_x",
        "maps_to: GET /x\nparams: {code: {type: string, required: true, pattern: '^a$', minLength: 5}}",
    );
    assert_eq!(codes(&impossible), ["NO_EXAMPLE operations.read[0]"]);
}

#[test]
fn examples_are_checked() {
    let with =
        |example: &str| with_operation("update", "update_x", &format!("{UPDATE}\nexamples:\n  - {example}"));
    let found =
        operation(&with("{description: Rename, params: {id: 7, input: {title: x}}}")).declaration.examples;
    assert_eq!(found[0].description.as_deref(), Some("Rename"));
    let whole = operation(&with("{request: {operation: update_x, params: {id: 7, input: {title: x}}}}"))
        .declaration
        .examples;
    assert_eq!(whole[0].params, found[0].params);
    let removing = operation(&with("{params: {id: 7, input: {title: x, size: null}}}")).declaration.examples;
    assert_eq!(removing[0].params["input"]["size"], Value::Null, "null removes a field");
    let base = "operations.update[0].examples[0]";
    for (example, expected) in [
        ("{params: {id: x, input: {title: x}}}", format!("WRONG_TYPE {base}.params.id")),
        ("{params: {input: {title: x}}}", format!("BAD_EXAMPLE {base}.params")),
        ("{params: {id: 7}}", format!("BAD_EXAMPLE {base}.params")),
        ("{params: {id: 7, input: {}}}", format!("BAD_EXAMPLE {base}.params.input")),
        ("{params: {id: 7, input: x}}", format!("WRONG_TYPE {base}.params.input")),
        ("{params: {id: 7, input: {title: x, size: 10}}}", format!("INVALID_VALUE {base}.params.input.size")),
        ("{params: {id: 7, color: red, input: {title: x}}}", format!("BAD_EXAMPLE {base}.params.color")),
        (
            "{request: {operation: get_x, params: {id: 7, input: {title: x}}}}",
            format!("INVALID_VALUE {base}.request.operation"),
        ),
        ("{paramz: {id: 7}}", format!("UNKNOWN_KEY {base}.paramz")),
    ] {
        assert!(codes(&with(example)).contains(&expected), "{example}: {:?}", codes(&with(example)));
    }
}
