//! Corrections of sources: what they change, and what they say when they change nothing.
//!
//! A small source and rules in, the changed source and its report out. What names or needs a changed operation
//! changes with it.

use super::{BY_THE_OPERATOR, Override, OverrideChange, SourceNames, apply, read};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::{DangerLevel, NamePattern};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::operation::{Grouping, Operation};
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::report::ImportReport;
use aqueduct_source_kind::settings::SourceSettings;

const SHOP: &str = r#"---
name: shop
type: adapter
version: "1.0.0"
description: "A shop that sells things"
target: {base_url: https://api.example.com/v1, transport: http, protocol: rest, serialization: json}
types:
  Item: {kind: object, fields: {id: {type: integer}, maker_id: {type: integer}}, fetch: {operation: get_item, params: {id: element_name}}}
  Maker: {kind: object, fields: {id: {type: integer}, place: {type: Town}}}
  Town: {kind: object, fields: {name: {type: string}}}
  Spare: {kind: object, fields: {x: {type: string}}}
relationships:
  - {type: made_by, from: Item, to: Maker, via: get_maker, params: {id: maker_id}}
operations:
  create:
    - {name: merge_items, maps_to: POST /items/merge, description: "Merge", params: {id: {type: integer}, note: {type: string}}, response: {type: Town}}
  read:
    - {name: get_item, maps_to: "GET /items/{id}", description: "Read one", params: {id: {type: integer, required: true}}, response: {type: Item}}
    - {name: get_maker, maps_to: "GET /makers/{id}", description: "Read one", params: {id: {type: integer, required: true}}, response: {type: Maker}}
  update:
    - {name: put_item, maps_to: "PUT /items/{id}", description: "Write one", params: {id: {type: integer, required: true}, note: {type: string}}, update: {read: get_item}}
---
"#;

pub(crate) fn shop() -> LoadedSource {
    let outcome =
        aqueduct_adapter_files::load("shop-adapter.md", SHOP.as_bytes(), &SourceSettings::default());
    let mut loaded = outcome.loaded.unwrap_or_else(|| panic!("{:#?}", outcome.diagnostics));
    for operation in &mut loaded.operations {
        operation.origin = Some(ImportOrigin {
            is_unnamed: false,
            name: format!("items/{}", operation.name.replace('_', "-")),
            place: crate::filter::place_of(&operation.target),
            reason: "by method".to_owned(),
            confidence: Confidence::Low,
            needs_review: true,
        });
    }
    loaded
}

fn rule(operation: &str, change: OverrideChange) -> Override {
    Override::new(operation, change)
}

fn operation<'l>(loaded: &'l LoadedSource, name: &str) -> &'l Operation {
    loaded.operations.iter().find(|each| each.name == name).unwrap()
}

fn names(loaded: &LoadedSource) -> Vec<&str> {
    loaded.operations.iter().map(|each| each.name.as_str()).collect()
}

/// N3: the operator's category comes first, with its reason; the danger follows unless it was declared.
#[test]
fn category_and_danger() {
    let mut loaded = shop();
    let execute = OverrideChange { category: Some(Category::Execute), ..OverrideChange::default() };
    let forbidden =
        OverrideChange { danger_level: Some(DangerLevel::Forbidden), ..OverrideChange::default() };
    let delete = OverrideChange { category: Some(Category::Delete), ..OverrideChange::default() };
    let rules = [rule("merge_items", execute), rule("get_item", forbidden), rule("get_maker", delete)];
    let mut report = ImportReport { found: 4, ..ImportReport::default() };
    assert!(apply(&rules, &mut loaded, Some(&mut report)).is_empty());
    let merge = operation(&loaded, "merge_items");
    let origin = merge.origin.as_ref().unwrap();
    assert_eq!((merge.category, origin.reason.as_str()), (Category::Execute, BY_THE_OPERATOR));
    assert_eq!((origin.confidence, origin.needs_review), (Confidence::High, false));
    assert_eq!(operation(&loaded, "get_item").danger.level, DangerLevel::Forbidden);
    assert_eq!(operation(&loaded, "get_item").category, Category::Read);
    assert_eq!(operation(&loaded, "get_maker").danger.level, DangerLevel::Destructive);
    let review: Vec<_> = report.needs_review.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(review, ["get_item", "put_item"], "the category of these is still a guess");
}

/// What the operator says of the danger stays, whatever else is said of the category.
#[test]
fn danger_that_was_set_stays() {
    let mut loaded = shop();
    let forbidden =
        OverrideChange { danger_level: Some(DangerLevel::Forbidden), ..OverrideChange::default() };
    let execute = OverrideChange { category: Some(Category::Execute), ..OverrideChange::default() };
    let rules = [rule("get_*", forbidden), rule("get_item", execute)];
    assert!(apply(&rules, &mut loaded, None).is_empty());
    let item = operation(&loaded, "get_item");
    assert_eq!((item.category, item.danger.level), (Category::Execute, DangerLevel::Forbidden));
    assert_eq!(item.danger.reasons, [BY_THE_OPERATOR]);
}

/// What the adapter's own patterns raised is not lowered by another category; the operator's danger level lowers it.
#[test]
fn danger_by_a_pattern_of_the_adapter_stays() {
    let mut loaded = shop();
    let at = loaded.operations.iter_mut().find(|each| each.name == "merge_items").unwrap();
    at.danger.raise_to_pattern(DangerLevel::Forbidden, &NamePattern::parse("merge_*").unwrap());
    let execute = OverrideChange { category: Some(Category::Execute), ..OverrideChange::default() };
    assert!(apply(&[rule("merge_items", execute)], &mut loaded, None).is_empty());
    assert_eq!(operation(&loaded, "merge_items").danger.level, DangerLevel::Forbidden);
    let lower = OverrideChange { danger_level: Some(DangerLevel::Reversible), ..OverrideChange::default() };
    assert!(apply(&[rule("merge_items", lower)], &mut loaded, None).is_empty());
    assert_eq!(operation(&loaded, "merge_items").danger.level, DangerLevel::Reversible);
}

/// W8: what becomes an UPDATE takes its fields in `input`, and what ceases to be one takes them flat.
#[test]
fn grouping_follows_the_category() {
    let mut loaded = shop();
    let to = |category| OverrideChange { category: Some(category), ..OverrideChange::default() };
    apply(
        &[rule("merge_items", to(Category::Update)), rule("put_item", to(Category::Execute))],
        &mut loaded,
        None,
    );
    assert_eq!(operation(&loaded, "merge_items").grouping, Grouping::Input);
    assert_eq!(operation(&loaded, "put_item").grouping, Grouping::Flat);
}

#[test]
fn a_new_name_is_known_everywhere() {
    let mut loaded = shop();
    let named = |name: &str| OverrideChange { rename: Some(name.to_owned()), ..OverrideChange::default() };
    let mut report = ImportReport::default();
    let rules = [rule("items/get-item", named("read_item")), rule("GET /makers/{id}", named("read_maker"))];
    assert!(apply(&rules, &mut loaded, Some(&mut report)).is_empty());
    assert_eq!(names(&loaded), ["merge_items", "read_item", "read_maker", "put_item"]);
    assert_eq!(operation(&loaded, "put_item").update.read.as_deref(), Some("read_item"));
    assert_eq!(loaded.source.relationships[0].forward.operation, "read_maker");
    let item = loaded.source.types.iter().find(|each| each.name == "Item").unwrap();
    assert_eq!(item.fetch.as_ref().unwrap().operation, "read_item");
    assert_eq!(report.renamed[0].why, BY_THE_OPERATOR);
    for (pattern, name) in [
        ("put_item", "read_item"),
        ("put_item", "Put"),
        ("put_item", "batch"),
        ("*", "everything"),
        ("put_item", &"x".repeat(65)),
    ] {
        let found = apply(&[rule(pattern, named(name))], &mut loaded, None);
        assert_eq!(found.len(), 1, "{pattern} {name}");
        assert_eq!(found[0].severity, DiagnosticSeverity::Error);
        assert_eq!(names(&loaded), ["merge_items", "read_item", "read_maker", "put_item"]);
    }
}

#[test]
fn what_is_hidden_is_gone_with_all_that_led_to_it() {
    let mut loaded = shop();
    let hide = OverrideChange { hide: Some(true), ..OverrideChange::default() };
    let mut report = ImportReport { found: 4, loaded: 4, ..ImportReport::default() };
    let rules = [
        rule("get_*", hide),
        rule("merge_items", OverrideChange { hide: Some(true), ..OverrideChange::default() }),
    ];
    assert!(apply(&rules, &mut loaded, Some(&mut report)).is_empty());
    assert_eq!(names(&loaded), ["put_item"]);
    assert_eq!(operation(&loaded, "put_item").update.read, None);
    assert!(loaded.source.relationships.is_empty());
    let types: Vec<_> =
        loaded.source.types.iter().map(|each| (each.name.as_str(), each.fetch.is_some())).collect();
    assert_eq!(
        types,
        [("Item", false), ("Spare", false)],
        "put_item gives an Item, and what served nobody before stays"
    );
    assert_eq!((report.found, report.loaded, report.operations_left_out()), (4, 1, 3));
}

#[test]
fn full_names_win_over_patterns() {
    let mut loaded = shop();
    let keep = OverrideChange { hide: Some(false), ..OverrideChange::default() };
    let hide = OverrideChange { hide: Some(true), ..OverrideChange::default() };
    let other = OverrideChange { danger_level: Some(DangerLevel::Safe), ..OverrideChange::default() };
    let rules = [rule("shop__get_item", keep), rule("get_maker", other), rule("shop__*", hide)];
    apply(&rules, &mut loaded, None);
    assert_eq!(names(&loaded), ["get_item"], "a rule that says nothing of hiding changes nothing of it");
}

/// A correction that changes nothing says so, with the nearest name.
#[test]
fn unknown_operations() {
    let mut loaded = shop();
    let found = apply(
        &[rule("get_itme", OverrideChange::default()), rule("zzz_*", OverrideChange::default())],
        &mut loaded,
        None,
    );
    let shown: Vec<_> = found.iter().map(|each| (each.code, each.severity, each.hint.as_deref())).collect();
    assert_eq!(
        shown,
        [
            ("UNKNOWN_OPERATION", DiagnosticSeverity::Error, Some("did you mean 'get_item'?")),
            ("UNKNOWN_OPERATION", DiagnosticSeverity::Warning, None)
        ]
    );
}

#[test]
fn files_in_three_languages() {
    for (file, text) in [
        (
            "o.yaml",
            "operations:\n  get_item: {category: EXECUTE}\nsources:\n  shop:\n    operations: {put_item: {hide: true}}\n",
        ),
        (
            "o.json",
            "{\"operations\": {\"get_item\": {\"category\": \"execute\"}}, // x\n\"sources\": {\"shop\": {\"operations\": {\"put_item\": {\"hide\": true}}}}}",
        ),
        (
            "o.toml",
            "[operations.get_item]\ncategory = \"execute\"\n[sources.shop.operations.put_item]\nhide = true\n",
        ),
    ] {
        let (overrides, found) = read(file, text);
        assert!(found.is_empty(), "{found:?}");
        let mut loaded = shop();
        assert!(overrides.apply(&mut loaded, None).is_empty());
        assert_eq!(operation(&loaded, "get_item").category, Category::Execute, "{file}");
        assert!(!names(&loaded).contains(&"put_item"), "{file}");
    }
}

#[test]
fn mistakes_in_files_have_their_place() {
    let (_, found) = read(
        "o.toml",
        "[operations.get_item]\ncategory = \"reed\"\nhidden = true\ndanger_level = \"mild\"\n",
    );
    let shown: Vec<_> = found.iter().map(|each| (each.code, each.position.line)).collect();
    assert_eq!(shown, [("INVALID_VALUE", 2), ("UNKNOWN_KEY", 3), ("INVALID_VALUE", 4)]);
    let text = "operations:\n  nothing: {hide: true}\nsources:\n  shopp:\n    operations: {x: {hide: true}}\n  shop:\n    operations:\n      get_itm: {hide: true}\n";
    let (overrides, found) = read("o.yaml", text);
    assert!(found.is_empty());
    let mut loaded = shop();
    let unknown: Vec<_> = overrides
        .unknown(&[&SourceNames::of(&loaded)])
        .iter()
        .map(|each| (each.code, each.position.line))
        .collect();
    assert_eq!(unknown, [("UNKNOWN_OPERATION", 2), ("UNKNOWN_SOURCE", 5)]);
    let own: Vec<_> =
        overrides.apply(&mut loaded, None).iter().map(|each| (each.code, each.position.line)).collect();
    assert_eq!(own, [("UNKNOWN_OPERATION", 8)]);
}
