//! Tests of `plain_text`.

use aqueduct_operations::sanitize::is_disguise;
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::json;

/// Nothing that a person would not see reaches a model: directions of reading, signs without width, controls.
#[test]
fn texts_of_documents() {
    let bad = |words: &str| format!("{words}\u{202e}x\u{200b}y\u{e0041}\u{1b}[2J");
    let text = json!({
        "openapi": "3.0.3", "info": {"title": bad("Shop"), "version": "1", "description": bad("All of it")},
        "servers": [{"url": "https://shop.example"}], "tags": [{"name": "a", "description": bad("t")}],
        "paths": {"/items": {"get": {
            "operationId": "list_items", "summary": bad("List"), "description": bad("More"), "tags": [bad("tag")],
            "parameters": [{"name": "kind", "in": "query", "description": bad("Kind"), "schema": {"type": "string"}}],
            "responses": {"200": {"description": bad("ok"), "content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/Item"}}}}}}}},
        "components": {"schemas": {"Item": {"type": "object", "description": bad("One"),
            "properties": {"id": {"type": "integer", "description": bad("Its id")}}}}},
    });
    let loaded = crate::load("s.json", text.to_string(), &SourceSettings::default(), None).loaded.unwrap();
    let source = &loaded.source;
    let mut texts = vec![source.description.clone(), source.documentation.clone()];
    texts.push(format!("{}", json!(source.info)));
    texts.extend(source.types.iter().filter_map(|each| each.description.clone()));
    for operation in &loaded.operations {
        texts.extend([operation.description.clone(), operation.tags.join(" ")]);
        texts.extend(operation.returns.description.clone());
        texts.extend(operation.params.iter().filter_map(|param| param.description.clone()));
    }
    for text in texts {
        assert!(!text.chars().any(|c| is_disguise(c) && c != '\n'), "{text:?}");
    }
    assert!(
        loaded.operations[0].description.starts_with("Listxy [2J"),
        "{}",
        loaded.operations[0].description
    );
}
