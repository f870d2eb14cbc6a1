//! What an import costs grows with the document: twice the operations are twice the file and twice the memory.
//!
//! Generated documents in, of which every operation leads to every schema; sizes and the peak of the heap out. This is a
//! program of its own with a single test, because the heap belongs to the process.

#![allow(clippy::unwrap_used, missing_docs, reason = "these are tests")]

use aqueduct_adapter_files::write::{SourceToWrite, WriteOptions, proven};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_source_kind::settings::SourceSettings;
use peak_alloc::PeakAlloc;
use serde_json::{Map, Value, json};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

const FAMILIES: usize = 4;
const SUBTYPES: usize = 50;

fn to(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Operations that each read and write a type of their own. The types form a ring, and each leads to families of types
/// that a property chooses between, in another order.
fn document(operations: usize) -> String {
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for number in 0..operations {
        let own = format!("T{number}");
        let mut properties = json!({
            "name": {"type": "string", "description": "What people call it, in a sentence that has some length."},
            "next": to(&format!("T{}", (number + 1) % operations)),
            "far": {"type": "array", "items": to(&format!("T{}", (number * 7 + 3) % operations))},
        });
        for family in 0..FAMILIES {
            let family = (family + number) % FAMILIES;
            properties[format!("of{family}")] = to(&format!("F{family}"));
        }
        schemas.insert(own.clone(), json!({"type": "object", "properties": properties}));
        let content = json!({"application/json": {"schema": to(&own)}});
        let answer = json!({"200": {"description": "ok", "content": content}});
        paths.insert(
            format!("/things{number}"),
            json!({
                "get": {"operationId": format!("get_thing{number}"), "responses": answer},
                "post": {"operationId": format!("create_thing{number}"), "responses": answer,
                    "requestBody": {"required": true, "content": content}},
            }),
        );
    }
    for family in 0..FAMILIES {
        let base = json!({"type": "object", "required": ["kind"], "discriminator": {"propertyName": "kind"},
            "properties": {"kind": {"type": "string"}, "home": to("T0")}});
        schemas.insert(format!("F{family}"), base);
        for subtype in 0..SUBTYPES {
            let own = json!({"allOf": [to(&format!("F{family}"))], "properties": {format!("s{subtype}"): {"type": "integer"}}});
            schemas.insert(format!("F{family}S{subtype}"), own);
        }
    }
    json!({"openapi": "3.0.3", "info": {"title": "Large", "version": "1"}, "servers": [{"url": "https://large.example"}],
        "paths": paths, "components": {"schemas": schemas}})
    .to_string()
}

struct Cost {
    written: usize,
    peak: usize,
    loaded_again: usize,
}

/// Imports a document, reads the written file and tells what that took beyond the document itself.
fn import(operations: usize) -> Cost {
    let text = document(operations);
    let settings = SourceSettings::default();
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let imported = aqueduct_openapi::load("large.json", text, &settings, None);
    let loaded = imported.loaded.unwrap();
    assert_eq!(loaded.operations.len(), 2 * operations);
    let source = SourceToWrite { file: "large-adapter.md", loaded: &loaded, report: &imported.report };
    let proven = proven(source, &WriteOptions::default(), &settings, &|_| ()).unwrap();
    assert!(proven.report.warnings.is_empty(), "{:?}", proven.report.warnings.first());
    let peak = HEAP.peak_usage().saturating_sub(before);
    let again = aqueduct_adapter_files::load("large-adapter.md", proven.text.as_bytes(), &settings);
    assert!(again.diagnostics.iter().all(|each| each.severity < DiagnosticSeverity::Error));
    Cost { written: proven.text.len(), peak, loaded_again: again.loaded.unwrap().operations.len() }
}

/// An operation is written with references, and each schema once, however many operations lead to it.
#[test]
fn an_import_grows_with_the_document() {
    let (small, large) = (import(200), import(800));
    assert_eq!((small.loaded_again, large.loaded_again), (400, 1_600));
    let growth = |small: usize, large: usize| large as f64 / small as f64;
    let (written, peak) = (growth(small.written, large.written), growth(small.peak, large.peak));
    assert!(written < 4.4, "{} bytes became {}", small.written, large.written);
    assert!(peak < 5.5, "{} bytes of heap became {}", small.peak, large.peak);
    assert!(large.peak < 60 * large.written, "{} bytes of heap for {}", large.peak, large.written);
}
