//! JSON Schemas of parameters and answers, in place and by name.
//!
//! The text of an adapter file in; what its parameters and answers accept, and what is said about mistakes, out.

use super::{changed, codes, good, load_text, operation, refusal, with_operation};
use aqueduct_operations::params::Param;
use aqueduct_operations::params::check::of_param;
use serde_json::json;

fn reading(definition: &str) -> String {
    with_operation("read", "get_x", &format!("maps_to: GET /x\nparams: {{p: {definition}}}"))
}

fn param(definition: &str) -> Param {
    operation(&reading(definition)).params.remove(0)
}

/// S-schema-1 S-registry-7: a schema is checked instead of the type, which says in short what it is.
#[test]
fn schemas_of_parameters() {
    let param = param("{schema: {type: [string, integer], minLength: 2}, required: true}");
    let schema = param.schema.unwrap();
    assert_eq!(param.shape.kind.to_string(), "string | integer");
    assert!(schema.get().accepts(&json!("ab")) && schema.get().accepts(&json!(1)));
    assert!(!schema.get().accepts(&json!("a")) && !schema.get().accepts(&json!([])));
    assert_eq!(schema.document(), json!({"type": ["string", "integer"], "minLength": 2}));
    assert!(super::operation(&reading("{type: string}")).params[0].schema.is_none());
    let anything = super::operation(&reading("{schema: true}")).params.remove(0);
    assert_eq!(anything.shape.kind.to_string(), "string | integer | number | boolean | array | object");
    assert_eq!(refusal(&reading("{schema: string}")), ["WRONG_TYPE operations.read[0].params.p.schema"]);
    assert!(
        refusal(&reading("{required: true}"))
            .contains(&"MISSING_KEY operations.read[0].params.p.type".to_owned())
    );
}

/// What stands beside a schema is shown, and not held against it.
#[test]
fn the_type_beside_a_schema_is_only_shown() {
    let text = "{type: string, enum: [a, null], pattern: '(?=x)', minimum: 3, schema: {enum: [a, null]}, default: null}";
    assert_eq!(codes(&reading(text)), Vec::<String>::new());
    let param = param(text);
    assert_eq!(param.shape.allowed, Some(vec![json!("a"), json!(null)]));
    assert!(param.shape.pattern.is_none(), "no such pattern runs here");
    assert!(!refusal(&reading("{type: string, minimum: 3}")).is_empty());
    let default = reading("{type: string, schema: {type: string}, default: 3}");
    assert_eq!(codes(&default), ["CONTRADICTION operations.read[0].params.p.default"]);
    assert_eq!(operation(&default).params[0].default, Some(json!(3)));
}

/// Examples are held against the schema.
#[test]
fn examples_and_schemas() {
    let with = |value: &str| {
        reading("{schema: {type: object, required: [a]}}")
            .replace("      params:", &format!("      examples: [{{params: {{p: {value}}}}}]\n      params:"))
    };
    assert_eq!(codes(&with("{a: 1}")), Vec::<String>::new());
    assert_eq!(refusal(&with("{b: 1}")), ["INVALID_VALUE operations.read[0].examples[0].params.p"]);
}

/// S-schema-19: references to named schemas are resolved before a schema is compiled.
#[test]
fn schemas_by_name() {
    let text = reading("{schema: {type: array, items: {$ref: '#/schemas/Tree'}}}").replacen(
        "operations:",
        "schemas:\n  Tree: {type: object, properties: {name: {$ref: '#/schemas/Name'}, children: {type: array, items: {$ref: '#/schemas/Tree'}}}}\n  \
         Name: {type: string}\n  Unused: true\noperations:",
        1,
    );
    assert_eq!(codes(&text), Vec::<String>::new());
    let schema = operation(&text).params.remove(0).schema.unwrap();
    assert!(schema.get().accepts(&json!([{"name": "a", "children": [{"name": "b"}]}])));
    assert!(!schema.get().accepts(&json!([{"children": [{"name": 1}]}])));
    assert!(schema.document()["$defs"].get("Unused").is_none());
    let misspelt = text.replace("'#/schemas/Name'", "'#/schemas/Nam'");
    let outcome = load_text(&misspelt);
    assert_eq!(outcome.diagnostics[0].code, "UNKNOWN_REFERENCE");
    assert_eq!(outcome.diagnostics[0].hint.as_deref(), Some("did you mean 'Name'?"));
    let text = changed("operations:", "schemas: {A: 3}\noperations:");
    assert_eq!(refusal(&text), ["WRONG_TYPE schemas.A"]);
}

/// A reference that leads nowhere is an error on its own line, whatever it should have led to.
#[test]
fn references_that_lead_nowhere() {
    let text = |reference: &str| {
        let definitions = match reference {
            "#/$defs/Own" => "\n      $defs: {Own: {type: integer}}",
            "#named" => "\n      $defs: {Named: {$anchor: named, type: integer}}",
            _ => "",
        };
        with_operation(
            "read",
            "get_x",
            &format!(
                "maps_to: GET /x\nparams:\n  p:\n    schema:\n      type: object\n      properties:\n        a: {{type: string}}\n        \
                 b: {{$ref: '{reference}'}}{definitions}"
            ),
        )
        .replacen("operations:", "schemas: {Tree: {type: object, properties: {name: {type: string}}}}\noperations:", 1)
    };
    for good in
        ["#", "#/$defs/Own", "#/properties/a", "#named", "#/schemas/Tree", "#/schemas/Tree/properties/name"]
    {
        assert_eq!(codes(&text(good)), Vec::<String>::new(), "{good}");
    }
    for (bad, message) in [
        ("#/schemas/Tre", "There is no schema 'Tre'"),
        ("#/schemas/Tree/properties/nam", "The reference '#/schemas/Tree/properties/nam' leads nowhere"),
        ("#/$defs/Other", "The reference '#/$defs/Other' leads nowhere"),
        ("#/components/schemas/Tree", "The reference '#/components/schemas/Tree' leads nowhere"),
        ("#other", "The reference '#other' leads nowhere"),
        ("tree.json#/Tree", "The reference 'tree.json#/Tree' leads out of the file"),
        (
            "https://example.com/tree.json",
            "The reference 'https://example.com/tree.json' leads out of the file",
        ),
    ] {
        let outcome = load_text(&text(bad));
        let [found] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
        assert_eq!((found.code, found.message.as_str()), ("UNKNOWN_REFERENCE", message));
        assert_eq!(found.path, "operations.read[0].params.p.schema.properties.b.$ref");
        assert!(found.position.source_line.contains(bad), "{found}");
    }
    let in_answers =
        with_operation("read", "get_x", "maps_to: GET /x\nresponse: {schema: {items: {$ref: '#/a'}}}");
    assert_eq!(refusal(&in_answers), ["UNKNOWN_REFERENCE operations.read[0].response.schema.items.$ref"]);
    let named = changed("operations:", "schemas: {A: {$ref: '#/$defs/B'}}\noperations:");
    assert_eq!(refusal(&named), ["UNKNOWN_REFERENCE schemas.A.$ref"]);
    let data = reading("{schema: {enum: [{$ref: '#/a'}], properties: {$ref: {type: string}}}}");
    assert_eq!(codes(&data), Vec::<String>::new(), "what is data or a name is no reference");
}

/// A format is checked inside a schema as it is beside a type.
#[test]
fn formats_inside_schemas() {
    let param = param("{schema: {type: string, format: date}}");
    assert!(of_param(&param, &json!("2026-02-04")).is_empty());
    let [problem] = of_param(&param, &json!("04/02/2026")).try_into().unwrap();
    let beside = operation(&reading("{type: string, format: date}")).params.remove(0);
    let [same] = of_param(&beside, &json!("04/02/2026")).try_into().unwrap();
    assert_eq!((problem.rule, &problem.expected), (same.rule, &same.expected));
    let example = reading("{schema: {type: string, format: uuid}}")
        .replace("      params:", "      examples: [{params: {p: seven}}]\n      params:");
    assert_eq!(refusal(&example), ["INVALID_VALUE operations.read[0].examples[0].params.p"]);
}

/// A schema with a mistake loads, and the mistake is told with its place.
#[test]
fn schemas_with_mistakes() {
    let text = reading("{schema: {type: object, properties: {a: {type: strng}}}}");
    let outcome = load_text(&text);
    assert!(outcome.loaded.is_some());
    let [found] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!((found.code, found.path.as_str()), ("BAD_SCHEMA", "operations.read[0].params.p.schema"));
    assert!(found.message.contains("properties.a.type"), "{found}");
}

/// S-openapi-6 S-openapi-7: an answer has the schema that the file says, or none.
#[test]
fn schemas_of_answers() {
    let with = |response: &str| {
        operation(&with_operation("read", "get_x", &format!("maps_to: GET /x\nresponse: {response}")))
    };
    assert!(with("{type: X}").output.is_none());
    let output = with("{schema: {type: integer}}").declaration.output.unwrap();
    assert!(output.get().accepts(&json!(1)) && !output.get().accepts(&json!("1")));
    let returns = with("{type: X, kind: union}").declaration.returns;
    assert_eq!((returns.name.as_str(), returns.kind), ("X", "union"));
}

#[test]
fn parameters_of_declared_types() {
    let text = reading("{type: 'object[]', type_name: Item}");
    let declared = text.replacen("operations:", "types: {Item: {kind: object, fields: {}}}\noperations:", 1);
    assert_eq!(good(&declared).operations[0].params[0].shape.shown_type(), "Item[]");
    assert_eq!(refusal(&text), ["UNKNOWN_REFERENCE operations.read[0].params.p"]);
    let field = changed(
        "operations:",
        "types: {A: {kind: object, fields: {x: {type: string, type_name: B, maxLength: 3}}}, B: {kind: enum, values: [a]}}\noperations:",
    );
    assert_eq!(codes(&field), Vec::<String>::new());
    let misspelt = field.replace("type_name: B", "type_name: Bb");
    assert_eq!(refusal(&misspelt), ["UNKNOWN_REFERENCE types.A.fields.x.type_name"]);
}

/// A pattern that no text can be held against is told when the file is loaded, where it stands; the file loads.
#[test]
fn patterns_that_cannot_be_used() {
    let large = "a".repeat(20_000);
    let schema = format!(
        "{{type: object, properties: {{a: {{pattern: {large}}}, b: {{pattern: '^b$'}}}}, example: {{pattern: '('}}}}"
    );
    let at = "operations.read[0].params.p.schema";
    let outcome = load_text(&reading(&format!("{{schema: {schema}}}")));
    let told: Vec<(&str, &str)> =
        outcome.diagnostics.iter().map(|each| (each.code, each.path.as_str())).collect();
    assert_eq!(told, [("UNUSABLE_PATTERN", format!("{at}.properties.a.pattern").as_str())]);
    assert!(outcome.loaded.is_some() && outcome.diagnostics[0].message.contains("too large"));
    let unknown = codes(&reading("{schema: {pattern: '(', patternProperties: {'[': {}}}}"));
    assert_eq!(
        unknown,
        [format!("UNUSABLE_PATTERN {at}.pattern"), format!("UNUSABLE_PATTERN {at}.patternProperties.[")]
    );
    let named = changed("operations:", "schemas: {A: {pattern: '('}}\noperations:");
    assert_eq!(codes(&named), ["UNUSABLE_PATTERN schemas.A.pattern"]);
}

/// A schema that leads to more than one can hold says what is not checked.
#[test]
fn schemas_that_lead_to_too_many() {
    let chain = |count: usize| {
        let schemas: String = (0..count)
            .map(|number| {
                format!(
                    "  S{number:04}: {{properties: {{next: {{$ref: '#/schemas/S{:04}'}}}}}}\n",
                    (number + 1) % count
                )
            })
            .collect();
        let text = reading("{schema: {$ref: '#/schemas/S0000'}}");
        text.replace("operations:", &format!("schemas:\n{schemas}operations:"))
    };
    assert_eq!(codes(&chain(2_000)), Vec::<String>::new());
    let outcome = load_text(&chain(2_010));
    let found = &outcome.diagnostics[0];
    assert_eq!((found.code, found.path.as_str()), ("SCHEMA_TOO_LARGE", "operations.read[0].params.p.schema"));
    assert!(found.message.contains("'S2000'"), "{}", found.message);
    assert_eq!(outcome.diagnostics.len(), 1);
}
