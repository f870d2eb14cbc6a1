//! What a person sees in a written file: comments, prose, and no secret.
//!
//! A source that was changed for the test in, the text of its file compared, and what that loads to.

use super::fingerprint;
use crate::load;
use crate::write::{WriteOptions, write};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::{BuiltIn, Segment, Target};
use aqueduct_source_kind::report::{ImportReport, Renamed, ReportNote};
use aqueduct_source_kind::settings::SourceSettings;
use serde_json::json;

const PETS: &str = "---
name: pets
type: adapter
version: \"1.0.0\"
description: Pets and what they are called
target: {base_url: \"https://api.example.com\", transport: http, protocol: rest, serialization: json}
operations:
  execute:
    - {name: feed_pet, description: Feed it, maps_to: \"POST /pets/{id}/feed\", params: {id: {type: string, required: true}}}
    - {name: wash_pet, description: Wash it, maps_to: \"POST /pets/{id}/wash\", params: {id: {type: string, required: true}}}
---
About pets.
";

fn pets() -> LoadedSource {
    load("pets-adapter.md", PETS.as_bytes(), &SourceSettings::default()).loaded.unwrap()
}

fn reload(text: &str) -> LoadedSource {
    load("pets-adapter.md", text.as_bytes(), &SourceSettings::default()).loaded.unwrap()
}

fn first(loaded: &mut LoadedSource) -> &mut Operation {
    &mut loaded.operations[0]
}

/// Where a category is a guess, the file says so above the operation and below the front matter.
#[test]
fn what_needs_a_look() {
    let mut loaded = pets();
    first(&mut loaded).origin = Some(ImportOrigin {
        is_unnamed: false,
        name: "feedPet".into(),
        place: "POST /pets/{petId}/feed".into(),
        reason: "the path ends\nin a verb # maybe".into(),
        confidence: Confidence::Low,
        needs_review: true,
    });
    let mut report = ImportReport { source: "pets".into(), found: 4, loaded: 2, ..ImportReport::default() };
    report.leave_out_operation("GET /odd", "its path holds\na line break");
    report.leave_out("webhook fed", "webhooks call the other way");
    report.renamed.push(Renamed {
        from: "feedPet".into(),
        to: "feed_pet".into(),
        why: "names are snake_case".into(),
    });
    report
        .warnings
        .push(ReportNote { operation: Some("feed_pet".into()), what: "the header Link is not shown".into() });
    report.needs_review.push(("feed_pet".into(), "the path ends in a verb".into()));
    let how = WriteOptions { imported_from: Some("pets.json\n"), target: None };
    let text = write(&loaded, Some(&report), &how);
    assert!(text.starts_with("---\n# Imported from pets.json\nname: pets\n"), "{text}");
    assert!(
        text.contains(
            "    # Needs review: EXECUTE because the path ends in a verb # maybe\n    - name: feed_pet\n"
        ),
        "{text}"
    );
    assert!(!text.contains("# Needs review: EXECUTE because\n"), "{text}");
    for line in [
        "About pets.",
        "## Left out",
        "- GET /odd: its path holds a line break",
        "- webhook fed: webhooks call the other way",
        "- feed_pet: the path ends in a verb",
        "- feedPet is feed_pet: names are snake_case",
        "- feed_pet: the header Link is not shown",
    ] {
        assert!(text.lines().any(|each| each == line), "{line}\n{text}");
    }
    let again = reload(&text);
    assert_eq!(again.operations[0].origin, loaded.operations[0].origin);
    assert_eq!(write(&again, None, &how), text, "the prose is kept, and not written twice");
}

/// Operations that no file can hold are named in the prose.
#[test]
fn what_cannot_be_written() {
    let mut loaded = pets();
    first(&mut loaded).target = Target::BuiltIn(BuiltIn::Introspect);
    let Target::Http(target) = &mut loaded.operations[1].target else { panic!() };
    target.path = vec![Segment::Literal("/a#b".into())];
    let text = write(&loaded, None, &WriteOptions::default());
    assert!(text.contains("- feed_pet: this server has it built in"), "{text}");
    assert!(text.contains("- wash_pet: its path cannot be written as a mapping"), "{text}");
    assert!(reload(&text).operations.is_empty());
}

/// Decision 15: a credential in the address keeps the operation out of the file; other constants do not.
#[test]
fn addresses_with_credentials() {
    for (query, is_written) in [("api_key=hunter2", false), ("format=json&api_key=", true)] {
        let mut loaded = pets();
        let Target::Http(target) = &mut first(&mut loaded).target else { panic!() };
        target.static_query = Some(query.into());
        let text = write(&loaded, None, &WriteOptions::default());
        assert!(!text.contains("hunter2"), "{text}");
        let told = text.contains("- feed_pet: its address carries a credential");
        assert_eq!(!told, is_written, "{text}");
    }
}

/// Decision 15: whatever holds something that looks like a credential, the file does not.
#[test]
fn secrets_are_taken_out() {
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let mut loaded = pets();
    loaded.source.documentation = format!("Use {secret}.");
    loaded.source.description = format!("Pets with {secret} in them");
    let operation = first(&mut loaded);
    operation.description = format!(
        "Feed it. Send {secret} along, as everyone does when they feed their pets in the morning or so."
    );
    operation.params[0].description = Some(format!("like {secret}"));
    operation.params[0].default = Some(json!(format!("x {secret}")));
    operation.tags = vec![secret.into()];
    operation.origin = Some(ImportOrigin {
        is_unnamed: false,
        name: secret.into(),
        place: "x".into(),
        reason: secret.into(),
        confidence: Confidence::High,
        needs_review: true,
    });
    let mut report = ImportReport::default();
    report.leave_out(secret, secret);
    let text = write(&loaded, Some(&report), &WriteOptions { imported_from: Some(secret), target: None });
    assert!(!text.contains("ghp_"), "{text}");
    assert!(text.contains("[REDACTED]"));
    reload(&text);
}

/// The default of a credential is the credential itself: it is not written.
#[test]
fn defaults_of_credentials() {
    let mut loaded = pets();
    let param = &mut first(&mut loaded).params[0];
    param.upstream_name = "api_key".into();
    param.default = Some(json!("hunter2"));
    let mut sensitive = loaded.clone();
    let param = &mut first(&mut sensitive).params[0];
    (param.upstream_name, param.sensitive) = ("x".into(), true);
    for loaded in [loaded, sensitive] {
        let text = write(&loaded, None, &WriteOptions::default());
        assert!(!text.contains("hunter2"), "{text}");
    }
}

/// An example of a document that does not fit its own schema would keep the file from loading.
#[test]
fn examples_that_do_not_fit() {
    let text = PETS.replace("id: {type: string", "id: {schema: {type: string, maxLength: 3}");
    let mut loaded = reload(&text);
    let example = |value: &str| aqueduct_operations::operation::Example {
        description: None,
        params: json!({"id": value}).as_object().unwrap().clone(),
    };
    first(&mut loaded).examples = vec![example("long"), example("abc")];
    let again = reload(&write(&loaded, None, &WriteOptions::default()));
    assert_eq!(again.operations[0].examples, [example("abc")]);
}

/// What no value can meet would keep the file from loading: it is left out, and named.
#[test]
fn shapes_that_contradict_themselves() {
    let mut loaded = pets();
    let param = &mut first(&mut loaded).params[0];
    param.shape.allowed = Some(vec![json!("a"), json!(1)]);
    param.default = Some(json!(2));
    (param.shape.min_length, param.shape.max_length) = (Some(5), Some(1));
    param.shape.minimum = Some(3.0);
    let text = write(&loaded, None, &WriteOptions::default());
    for line in [
        "- feed_pet: some values of 'id' do not fit its type",
        "- feed_pet: the default of 'id' does not fit its type",
        "- feed_pet: the lengths of 'id' exclude each other",
    ] {
        assert!(text.lines().any(|each| each == line), "{line}\n{text}");
    }
    let again = reload(&text);
    assert_eq!(again.operations[0].params[0].shape.allowed, Some(vec![json!("a")]));
}

/// A PUT that finds its companion by itself says nothing of it, so that a file is the same when it is written again.
#[test]
fn companions() {
    let put = "  update:\n    - {name: update_pet, description: Change it, maps_to: \"PUT /pets/{id}\", \
               params: {id: {type: string, required: true}, name: {type: string}}}\n";
    let read = |more: &str| {
        format!(
            "  read:\n    - {{name: get_pet, description: Get it, maps_to: \"GET /pets/{{id}}\", \
                 params: {{id: {{type: string, required: true}}{more}}}}}\n"
        )
    };
    let with = |more: &str, rule: &str| {
        let rule = put.replace("name: {type: string}}}", &format!("name: {{type: string}}}}{rule}}}"));
        reload(&PETS.replace("operations:\n", &format!("operations:\n{}{rule}", read(more))))
    };
    let plain = with("", "");
    let update = |loaded: &LoadedSource| {
        loaded.operations.iter().find(|each| each.name == "update_pet").unwrap().update.read.clone()
    };
    assert_eq!(update(&plain).as_deref(), Some("get_pet"));
    assert!(!write(&plain, None, &WriteOptions::default()).contains("update: {"));
    let mut unsaid = plain.clone();
    unsaid.operations.iter_mut().for_each(|each| each.update.read = None);
    assert_eq!(write(&unsaid, None, &WriteOptions::default()), write(&plain, None, &WriteOptions::default()));
    let named = with(", view: {type: string, default: short}", ", update: {read: get_pet}");
    let text = write(&named, None, &WriteOptions::default());
    assert!(text.contains("update: {read: get_pet}"), "{text}");
    assert_eq!(update(&reload(&text)).as_deref(), Some("get_pet"));
}

/// A name that is none becomes one, and an empty description is said to be so.
#[test]
fn heads_that_do_not_fit() {
    for (name, written) in [("My Shop!", "my-shop"), ("9 lives", "lives"), ("é", "api"), ("a", "api")] {
        let mut loaded = pets();
        loaded.source.name = name.into();
        loaded.source.description = " ".into();
        let text = write(&loaded, None, &WriteOptions::default());
        assert!(text.contains(&format!("\nname: {written}\n")), "{text}");
        reload(&text);
    }
}

/// Definitions that mean one thing everywhere are written once; those that do not, where they are used.
#[test]
fn shared_definitions() {
    use aqueduct_schema::LazySchema;
    use std::sync::Arc;
    let document = |kind: &str| {
        json!({
            "$ref": "#/$defs/Pet",
            "$defs": {
                "Pet": {"type": "object", "properties": {"friends": {"items": {"$ref": "#/$defs/Pet"}}, "tag": {"$ref": "#/$defs/Tag"}}},
                "Tag": {"type": "string"},
                "Odd": {"$ref": "#/$defs/Kind"},
                "Kind": {"type": kind},
            },
            "properties": {"odd": {"$ref": "#/$defs/Odd"}},
        })
    };
    let mut loaded = pets();
    for (index, kind) in ["string", "integer"].into_iter().enumerate() {
        loaded.operations[index].output = Some(Arc::new(LazySchema::of(document(kind))));
    }
    let text = write(&loaded, None, &WriteOptions::default());
    assert_eq!(text.matches("friends").count(), 1, "{text}");
    assert_eq!(text.matches("Odd:").count(), 2, "{text}");
    assert!(
        text.contains("$ref: \"#/schemas/Pet\"") || text.contains("\"$ref\": \"#/schemas/Pet\""),
        "{text}"
    );
    assert_eq!(fingerprint(&reload(&text)), fingerprint(&loaded));
}

/// Values that are nested too deep for a file are cut, and the file says so.
#[test]
fn deep_schemas() {
    use aqueduct_schema::LazySchema;
    use std::sync::Arc;
    let deep = (0..60).fold(json!({"type": "string"}), |inner, _| json!({"items": inner}));
    let mut loaded = pets();
    first(&mut loaded).output = Some(Arc::new(LazySchema::of(deep)));
    let text = write(&loaded, None, &WriteOptions::default());
    assert!(text.contains("nested deeper"), "{text}");
    assert!(reload(&text).operations[0].output.is_some());
}
