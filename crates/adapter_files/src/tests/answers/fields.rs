//! Choices of fields: of an operation, of the type it returns, and by the older keys.
//!
//! Adapter document, section 10.5; field-selection document, section 3.

use super::{hint, list, typed};
use crate::tests::{codes, operation, refusal};
use aqueduct_operations::response::FieldRules;

fn rules(text: &str) -> FieldRules {
    operation(text).declaration.answers.fields
}

fn shown(rules: &FieldRules) -> Vec<String> {
    let paths = |preset: &aqueduct_operations::response::Preset| {
        preset.paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    rules.presets.iter().map(|preset| format!("{}: {}", preset.name, paths(preset))).collect()
}

const ITEM: &str = "Item: {kind: object, fields: {id: {type: integer}, title: {type: string}, owner: {type: object}}, \
                    presets: {minimal: [id], standard: [id, owner.login]}}";

#[test]
fn the_block() {
    let text = "fields: {presets: {minimal: [id], brief: [id, owner.login]}, default: brief, param: only, join: '|'}";
    let found = rules(&list(text));
    assert_eq!(shown(&found), ["minimal: id", "brief: id owner.login"]);
    assert_eq!((found.default.as_deref(), found.param.as_deref()), (Some("brief"), Some("only")));
    assert_eq!((found.join.as_str(), &found.known), ("|", &None));
    let absent = rules(&list(""));
    assert!(absent.presets.is_empty() && absent.default.is_none() && absent.join == ",");
    assert_eq!(rules(&list("fields: {default: full}")).default.as_deref(), Some("full"));
}

#[test]
fn what_does_not_fit() {
    let at = "operations.read[0].fields";
    for (block, code) in [
        ("{preset: {a: [b]}}", format!("UNKNOWN_KEY {at}.preset")),
        ("{presets: {Brief: [b]}}", format!("INVALID_NAME {at}.presets.Brief")),
        ("{presets: {a: []}}", format!("INVALID_VALUE {at}.presets.a")),
        ("{presets: {a: b}}", format!("WRONG_TYPE {at}.presets.a")),
        ("{presets: {a: [b..c]}}", format!("INVALID_VALUE {at}.presets.a[0]")),
        ("{presets: {a: [b]}, default: c}", format!("UNKNOWN_REFERENCE {at}.default")),
        ("{default: standard}", format!("UNKNOWN_REFERENCE {at}.default")),
        ("{presets: {a: [_computed.age]}}", format!("UNKNOWN_REFERENCE {at}.presets.a[0]")),
    ] {
        assert_eq!(refusal(&list(&format!("fields: {block}"))), [code], "{block}");
    }
    let misspelt = list("fields: {presets: {minimal: [id]}, default: minmal}");
    assert_eq!(hint(&misspelt).as_deref(), Some("did you mean 'minimal'?"));
}

/// The presets of a type are those of the operations that return it, or lists of it; the operation's own win.
#[test]
fn presets_of_types() {
    for returned in ["Item", "'Item[]'"] {
        let found = rules(&typed(&format!("{{{ITEM}}}"), &format!("response: {{type: {returned}}}")));
        assert_eq!(shown(&found), ["minimal: id", "standard: id owner.login"], "{returned}");
        assert_eq!(found.known.unwrap(), ["id", "title", "owner"], "{returned}");
    }
    let own = "response: {type: Item}\nfields: {presets: {minimal: [title]}, default: standard}";
    let found = rules(&typed(&format!("{{{ITEM}}}"), own));
    assert_eq!(shown(&found), ["minimal: title", "standard: id owner.login"]);
    assert_eq!(found.default.as_deref(), Some("standard"), "an inherited one");
}

/// The fields of items are known where the file says without doubt what an item is.
#[test]
fn known_fields() {
    let known = |types: &str, returned: &str| {
        rules(&typed(types, &format!("response: {{type: {returned}}}"))).known.map(|known| known.join(" "))
    };
    let id = "A: {kind: object, fields: {id: {type: integer}}}";
    assert_eq!(known(&format!("{{{id}}}"), "A").as_deref(), Some("id"), "nothing in it is a list");
    assert_eq!(known(&format!("{{{id}}}"), "'A[]'").as_deref(), Some("id"));
    assert_eq!(known(&format!("{{{id}}}"), "B"), None);
    let around = "L: {kind: object, fields: {results: {type: 'A[]'}, total: {type: integer}}}";
    assert_eq!(known(&format!("{{{id}, {around}}}"), "L").as_deref(), Some("id"), "items in a usual place");
    let unclear = "L: {kind: object, fields: {id: {type: integer}, tags: {type: 'string[]'}}}";
    assert_eq!(
        known(&format!("{{{unclear}}}"), "L"),
        None,
        "an item with tags, or tags around which something is"
    );
    let choosing = unclear.replace("}}}", "}}, presets: {minimal: [id]}}");
    assert_eq!(
        known(&format!("{{{choosing}}}"), "L").as_deref(),
        Some("id tags"),
        "choices are made from items"
    );
    let named = "L: {kind: object, fields: {books: {type: 'A[]'}, total: {type: integer}}}";
    assert_eq!(known(&format!("{{{id}, {named}}}"), "L"), None);
    let paged = "response: {type: L}\npagination: {style: page, items_path: books}";
    assert_eq!(rules(&typed(&format!("{{{id}, {named}}}"), paged)).known.unwrap(), ["id"]);
}

/// Paths that lead to no field of a known type are refused with the nearest one, wherever they stand.
#[test]
fn unknown_fields() {
    let types = format!("{{{ITEM}}}");
    for (line, path) in [
        ("fields: {presets: {a: [titel]}}", "fields.presets.a[0]"),
        ("default_fields: [titel]", "default_fields[0]"),
        ("aggregate: {groupable_fields: [titel]}", "aggregate.groupable_fields[0]"),
        ("computed: [{name: n, type: integer, value: {count: titel}}]", "computed[0].value"),
    ] {
        let text = typed(&types, &format!("response: {{type: Item}}\n{line}"));
        assert_eq!(refusal(&text), [format!("UNKNOWN_REFERENCE operations.read[0].{path}")], "{line}");
        assert_eq!(hint(&text).as_deref(), Some("did you mean 'title'?"), "{line}");
    }
    let of_type = typed("{A: {kind: object, fields: {id: {type: integer}}, presets: {a: [ident]}}}", "");
    assert_eq!(refusal(&of_type), ["UNKNOWN_REFERENCE types.A.presets.a[0]"]);
}

/// Computed fields may be chosen and counted by, those that there are.
#[test]
fn computed_fields_in_choices() {
    let text = |name: &str| {
        let computed = "computed: [{name: age, type: integer, value: {age_days: id}}]";
        let lines =
            format!("response: {{type: Item}}\n{computed}\nfields: {{presets: {{a: [_computed.{name}]}}}}");
        typed(&format!("{{{ITEM}}}"), &lines)
    };
    assert_eq!(codes(&text("age")), Vec::<String>::new());
    assert_eq!(refusal(&text("agee")), ["UNKNOWN_REFERENCE operations.read[0].fields.presets.a[0]"]);
}

#[test]
fn presets_of_other_kinds_of_types() {
    for body in ["kind: scalar", "kind: enum, values: [a]"] {
        let text = typed(&format!("{{A: {{{body}, presets: {{a: [b]}}}}}}"), "");
        assert_eq!(codes(&text), ["NO_EFFECT types.A.presets"], "{body}");
    }
}

/// X-adapter-24: the older keys are short for parts of the block.
#[test]
fn older_keys() {
    let found = rules(&list("supports_fields: true\ndefault_fields: [id, owner.login]"));
    assert_eq!(shown(&found), ["standard: id owner.login"]);
    assert_eq!(found.default.as_deref(), Some("standard"));
    assert_eq!(codes(&list("supports_fields: true\ndefault_fields: [id]")), Vec::<String>::new());
    assert_eq!(codes(&list("supports_fields: false")), ["NO_EFFECT operations.read[0].supports_fields"]);
    let both = list("default_fields: [id]\nfields: {presets: {a: [b]}, default: a}");
    assert_eq!(codes(&both), ["CONTRADICTION operations.read[0].default_fields"]);
    assert_eq!(rules(&both).default.as_deref(), Some("a"));
    assert_eq!(refusal(&list("default_fields: []")), ["INVALID_VALUE operations.read[0].default_fields"]);
}
