//! What is wanted of a source, and what is said when that is nothing.
//!
//! A small source and filters in; the names that are left, the report or the refusal out.

use super::{FilterError, OperationFilter};
use crate::overrides::tests::shop;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_source_kind::report::ImportReport;

fn tagged() -> LoadedSource {
    let mut loaded = shop();
    for (operation, tag) in loaded.operations.iter_mut().zip(["items", "items", "makers", "items"]) {
        operation.tags = vec![tag.to_owned()];
    }
    loaded
}

fn left(filters: &[&str]) -> Vec<String> {
    let mut loaded = tagged();
    OperationFilter::parse(filters.iter().copied()).unwrap().apply(&mut loaded, None).unwrap();
    loaded.operations.into_iter().map(|operation| operation.declaration.name).collect()
}

#[test]
fn kinds_of_filters() {
    assert_eq!(left(&["tag:makers"]), ["get_maker"]);
    assert_eq!(left(&["path:/items/*"]), ["merge_items", "get_item", "put_item"]);
    assert_eq!(left(&["path:/items/{id}"]), ["get_item", "put_item"]);
    assert_eq!(left(&["name:get_*"]), ["get_item", "get_maker"]);
    assert_eq!(left(&["name:items/put-*"]), ["put_item"], "the document's own name counts too");
    assert_eq!(left(&["name:put_item", "name:get_maker"]), ["get_maker", "put_item"], "any of one kind");
    assert_eq!(left(&["tag:items", "name:get_*"]), ["get_item"], "all kinds together");
    assert_eq!(left(&[]).len(), 4);
}

/// Found stays loaded and left out together.
#[test]
fn the_report_says_what_went() {
    let mut loaded = tagged();
    let mut report = ImportReport { found: 4, loaded: 4, ..ImportReport::default() };
    OperationFilter::parse(["tag:makers"]).unwrap().apply(&mut loaded, Some(&mut report)).unwrap();
    assert_eq!((report.found, report.loaded, report.operations_left_out()), (4, 1, 3));
    assert_eq!(report.needs_review.len(), 1);
}

/// PEERS 2: nothing is left in silence.
#[test]
fn nothing_left_says_what_there_is() {
    let said = |filters: &[&str]| {
        let mut loaded = tagged();
        let error =
            OperationFilter::parse(filters.iter().copied()).unwrap().apply(&mut loaded, None).unwrap_err();
        assert_eq!(loaded.operations.len(), 4, "nothing is taken");
        error.to_string()
    };
    assert_eq!(said(&["tag:x"]), "no operation of 'shop' fits the filter; there are the tags items, makers");
    assert_eq!(
        said(&["path:/x", "name:y"]),
        "no operation of 'shop' fits the filter; there are the paths /items/merge, /items/{id}, /makers/{id}; the \
         names get_item, get_maker, merge_items, put_item"
    );
    for bad in ["", "x", "kind:x", "tag:", "tag: "] {
        assert_eq!(OperationFilter::parse([bad]), Err(FilterError::Form(bad.to_owned())));
    }
}
