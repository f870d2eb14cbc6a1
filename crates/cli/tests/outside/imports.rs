//! Imports that take their time: what is seen of them while they run, and what large documents become.

use super::harness::Place;
#[cfg(unix)]
use super::{harness::command, terminal::Screen};
use serde_json::{Map, Value, json};

const OPERATIONS: usize = 80;
const FAMILIES: usize = 4;
const SUBTYPES: usize = 45;

/// Operations that each return a type of their own, which leads to all others and to families of types, in another order.
fn tangled() -> Value {
    let to = |name: String| json!({"$ref": format!("#/components/schemas/{name}")});
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for number in 0..OPERATIONS {
        let mut properties =
            json!({"name": {"type": "string"}, "next": to(format!("T{}", (number + 1) % OPERATIONS))});
        for family in 0..FAMILIES {
            let family = (family + number) % FAMILIES;
            properties[format!("of{family}")] = to(format!("F{family}"));
        }
        schemas.insert(format!("T{number}"), json!({"type": "object", "properties": properties}));
        let content = json!({"application/json": {"schema": to(format!("T{number}"))}});
        paths.insert(
            format!("/things{number}"),
            json!({"get": {"operationId": format!("get_thing{number}"), "responses": {"200": {"description": "ok", "content": content}}}}),
        );
    }
    for family in 0..FAMILIES {
        schemas.insert(
            format!("F{family}"),
            json!({"type": "object", "required": ["kind"], "discriminator": {"propertyName": "kind"}, "properties": {"kind": {"type": "string"}}}),
        );
        for subtype in 0..SUBTYPES {
            let own = json!({"allOf": [to(format!("F{family}"))], "properties": {format!("s{subtype}"): {"type": "integer"}}});
            schemas.insert(format!("F{family}S{subtype}"), own);
        }
    }
    json!({"openapi": "3.0.3", "info": {"title": "Tangled", "version": "1"}, "servers": [{"url": "https://tangled.example"}],
        "paths": paths, "components": {"schemas": schemas}})
}

/// Each schema is in the file once, however many operations lead to it; the file loads, and nothing in it has changed.
/// Where no one looks, no progress is drawn.
#[tokio::test]
async fn schemas_are_written_once() {
    let place = Place::new();
    let document = place.write("tangled.json", tangled().to_string());
    let imported =
        place.run(&["import", "openapi", &document, "-o", "t-adapter.md", "--format", "json"], &[], "").await;
    assert_eq!(imported.code, 0, "{imported:?}");
    assert!(!imported.stderr.contains('\r'), "{:?}", imported.stderr);
    let report = imported.json();
    assert_eq!((&report["found"], &report["loaded"]), (&json!(OPERATIONS), &json!(OPERATIONS)));
    assert_eq!(report["warnings"], json!([]));
    let text = std::fs::read_to_string(place.path().join("t-adapter.md")).unwrap();
    let (_, schemas) = text.split_once("\nschemas:\n").unwrap();
    assert_eq!(schemas.matches("\n  T7:").count(), 1, "one definition");
    assert!(text.len() < 1_500 * (OPERATIONS + FAMILIES * SUBTYPES), "{} bytes", text.len());
    let validated = place.run(&["validate", "t-adapter.md"], &[], "").await;
    assert_eq!(validated.code, 0, "{validated:?}");
    let listed = place.run(&["introspect", "t-adapter.md"], &[], "").await;
    assert_eq!(listed.stdout.lines().filter(|line| line.starts_with("get_thing")).count(), OPERATIONS);
}

/// What takes longer than a second says on a terminal what it is doing, and leaves nothing of that behind.
#[cfg(unix)]
#[tokio::test]
async fn progress_is_drawn_on_a_terminal() {
    use aqueduct_testkit::api::{Answer, FakeApi, Gate};
    let gate = Gate::default();
    let behind = gate.clone();
    let api = FakeApi::start(move |_| Answer::behind(&behind, Answer::json(200, tangled()))).await;
    let place = Place::new();
    let address = format!("{}/openapi.json", api.base_url());
    let arguments = ["import", "openapi", &address, "-o", "t-adapter.md"];
    let (child, mut screen) = Screen::of(command(&arguments, &[], &place.path()));
    screen.wait_for("reading …").await;
    gate.open();
    let ended = child.wait_with_output().await.unwrap();
    screen.wait_for_the_end().await;
    assert_eq!(ended.status.code(), Some(0), "{:?}", screen.seen);
    let last = screen.seen.rsplit("\r\u{1b}[K").next().unwrap();
    assert!(!last.contains("reading") && !last.contains(" of "), "{:?}", screen.seen);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(told.contains(&format!("{OPERATIONS} operations found")) && !told.contains('\r'), "{told}");
}
