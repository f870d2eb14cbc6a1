//! The `pagination` block, and which parameters it takes over.
//!
//! Runtime specification, section 10.4; adapter document, section 10.4.

use super::{hint, list};
use crate::tests::{codes, load_text, operation, refusal};
use aqueduct_operations::operation::Operation;
use aqueduct_operations::response::{Paging, PagingStyle};

fn paging(block: &str) -> Paging {
    operation(&list(&format!("pagination: {block}"))).declaration.answers.paging.unwrap()
}

fn with_params(block: &str, params: &str) -> Operation {
    operation(&list(&format!("pagination: {block}\nparams:\n{params}")))
}

fn names(operation: &Operation) -> Vec<&str> {
    operation.params.iter().map(|param| param.name.as_str()).collect()
}

/// R10.4-1 X-adapter-19 X-adapter-24: the style is picked by name; what else is not said is as documented.
#[test]
fn styles() {
    for (name, style, param) in [
        ("link_header", PagingStyle::LinkHeader, None),
        ("cursor", PagingStyle::Cursor, Some("cursor")),
        ("offset", PagingStyle::Offset, Some("offset")),
        ("page", PagingStyle::Page, Some("page")),
    ] {
        let paging = paging(&format!("{{style: {name}}}"));
        assert_eq!((paging.style, paging.param.as_deref()), (style, param), "{name}");
        assert_eq!((paging.default_limit, paging.max_limit, paging.first_page), (25, 100, 1));
        assert!(paging.size_param.is_none() && paging.items_path.is_none());
    }
}

/// X-adapter-19 X-adapter-24: every key of the block.
#[test]
fn every_key() {
    let paging = paging(
        "{style: cursor, param_name: after, per_page_param: size, default_limit: 10, max_limit: 50, \
         items_path: data.items, next_path: meta.next, total_path: meta.total, has_more_path: meta.more}",
    );
    let shown = |path: Option<aqueduct_operations::response::FieldPath>| path.unwrap().to_string();
    assert_eq!((paging.param.as_deref(), paging.size_param.as_deref()), (Some("after"), Some("size")));
    assert_eq!((paging.default_limit, paging.max_limit), (10, 50));
    assert_eq!(
        (shown(paging.items_path), shown(paging.next_path)),
        ("data.items".into(), "meta.next".into())
    );
    assert_eq!(
        (shown(paging.total_path), shown(paging.has_more_path)),
        ("meta.total".into(), "meta.more".into())
    );
    assert_eq!(
        super::super::operation(&list("pagination: {style: page, first_page: 0}"))
            .declaration
            .answers
            .paging
            .unwrap()
            .first_page,
        0
    );
}

/// X-adapter-19: the block is closed, the style one of a set, the sizes 1 or more.
#[test]
fn what_does_not_fit() {
    let at = "operations.read[0].pagination";
    for (block, code) in [
        ("{}", format!("MISSING_KEY {at}.style")),
        ("cursor", format!("WRONG_TYPE {at}")),
        ("{style: pages}", format!("INVALID_VALUE {at}.style")),
        ("{style: page, pageParam: p}", format!("UNKNOWN_KEY {at}.pageParam")),
        ("{style: page, default_limit: 0}", format!("INVALID_VALUE {at}.default_limit")),
        ("{style: page, max_limit: 0}", format!("INVALID_VALUE {at}.max_limit")),
        ("{style: page, default_limit: 50, max_limit: 20}", format!("INVALID_VALUE {at}.default_limit")),
        ("{style: page, param_name: ''}", format!("INVALID_VALUE {at}.param_name")),
        ("{style: page, items_path: 'data[*]'}", format!("INVALID_VALUE {at}.items_path")),
        ("{style: page, items_path: $.data}", format!("INVALID_VALUE {at}.items_path")),
        ("{style: page, param_name: p, per_page_param: p}", format!("CONTRADICTION {at}.per_page_param")),
    ] {
        assert_eq!(refusal(&list(&format!("pagination: {block}"))), [code], "{block}");
    }
    let misspelt = list("pagination: {style: cursr}");
    assert_eq!(hint(&misspelt).as_deref(), Some("did you mean 'cursor'?"));
}

/// Keys of another style are told, and do nothing.
#[test]
fn keys_of_another_style() {
    let text = list("pagination: {style: offset, first_page: 0, next_path: next}");
    let at = "operations.read[0].pagination";
    assert_eq!(codes(&text), [format!("NO_EFFECT {at}.first_page"), format!("NO_EFFECT {at}.next_path")]);
    let paging = operation(&text).declaration.answers.paging.unwrap();
    assert!(paging.first_page == 1 && paging.next_path.is_none());
}

/// X-page-11: a page is never larger than the hard limit, whatever the file says; the default never larger than the largest.
#[test]
fn sizes() {
    let text = list("pagination: {style: page, max_limit: 5000}");
    assert_eq!(codes(&text), ["LIMIT_CLAMPED operations.read[0].pagination.max_limit"]);
    assert_eq!(operation(&text).declaration.answers.paging.unwrap().max_limit, Paging::HARD_LIMIT);
    let text = list("pagination: {style: page, default_limit: 2000}");
    assert_eq!(codes(&text), ["LIMIT_CLAMPED operations.read[0].pagination.default_limit"]);
    let clamped = operation(&text).declaration.answers.paging.unwrap();
    assert_eq!((clamped.default_limit, clamped.max_limit), (1000, 1000));
    let limits = |block: &str| {
        let paging = paging(block);
        (paging.default_limit, paging.max_limit)
    };
    assert_eq!(limits("{style: page, default_limit: 200}"), (200, 200));
    assert_eq!(limits("{style: page, max_limit: 10}"), (10, 10));
}

/// Paging parameters are sent by the pager, so they are none of the operation's; required ones too.
#[test]
fn paging_parameters_are_hidden() {
    let operation = with_params(
        "{style: page, param_name: p, per_page_param: per_page}",
        "  page_number: {type: integer, mapTo: p, required: true}\n  per_page: {type: integer}\n  state: {type: string}",
    );
    assert_eq!(names(&operation), ["state"]);
    let paging = operation.declaration.answers.paging.unwrap();
    assert_eq!((paging.param.as_deref(), paging.size_param.as_deref()), (Some("p"), Some("per_page")));
    let by_public_name = with_params(
        "{style: page, param_name: page_number}",
        "  page_number: {type: integer, mapTo: p}\n  state: {type: string}",
    );
    assert_eq!(names(&by_public_name), ["state"]);
    assert_eq!(
        by_public_name.declaration.answers.paging.unwrap().param.as_deref(),
        Some("p"),
        "its name upstream"
    );
}

/// Where the block names none, declared parameters with usual names are the paging parameters.
#[test]
fn usual_names() {
    for (style, moving, size) in [
        ("page", "page", "per_page"),
        ("offset", "skip", "limit"),
        ("cursor", "pageToken", "pageSize"),
        ("cursor", "starting_after", "limit"),
    ] {
        let params = format!(
            "  state: {{type: string}}\n  a: {{type: string, mapTo: {moving}}}\n  b: {{type: integer, mapTo: {size}}}"
        );
        let operation = with_params(&format!("{{style: {style}}}"), &params);
        assert_eq!(names(&operation), ["state"], "{style}");
        let paging = operation.declaration.answers.paging.unwrap();
        assert_eq!((paging.param.as_deref(), paging.size_param.as_deref()), (Some(moving), Some(size)));
    }
    let link = with_params("{style: link_header}", "  page: {type: integer}\n  per_page: {type: integer}");
    assert_eq!(names(&link), ["page"], "links lead on, whatever they hold");
    let named = with_params("{style: link_header, param_name: page}", "  page: {type: integer}");
    assert!(names(&named).is_empty(), "a named one is hidden all the same");
    let header = with_params("{style: page}", "  page: {type: integer, in: header}");
    assert_eq!(names(&header), ["page"], "only the query pages");
}

/// The declared size says what the block does not.
#[test]
fn sizes_of_the_declared_parameter() {
    let limits = |block: &str, size: &str| {
        let paging = with_params(block, &format!("  per_page: {{type: integer{size}}}"))
            .declaration
            .answers
            .paging
            .unwrap();
        (paging.default_limit, paging.max_limit)
    };
    assert_eq!(limits("{style: page}", ", default: 30, maximum: 60"), (30, 60));
    assert_eq!(limits("{style: page}", ", maximum: 10"), (10, 10));
    assert_eq!(
        limits("{style: page, default_limit: 5, max_limit: 80}", ", default: 30, maximum: 60"),
        (5, 80)
    );
    assert_eq!(limits("{style: page}", ", default: 200"), (100, 100));
}

/// A paging parameter that goes elsewhere, or is in the mapping already, would page wrongly.
#[test]
fn paging_parameters_in_other_places() {
    let text = list("pagination: {style: page, param_name: p}\nparams:\n  p: {type: integer, in: header}");
    assert_eq!(refusal(&text), ["BAD_PLACE operations.read[0].pagination.param_name"]);
    let text =
        list("pagination: {style: page, per_page_param: n}").replace("GET /items", "GET /items?n=5&x=1");
    assert_eq!(codes(&text), ["CONTRADICTION operations.read[0].maps_to"]);
}

/// An example with a parameter that the pager sends is told what to write.
#[test]
fn examples_with_paging_parameters() {
    let text = list(
        "pagination: {style: page, per_page_param: per_page}\nparams:\n  per_page: {type: integer}\nexamples:\n  - params: {page: 2, per_page: 5}",
    );
    let outcome = load_text(&text);
    let found = &outcome.diagnostics[0];
    assert_eq!((outcome.diagnostics.len(), found.code), (1, "BAD_EXAMPLE"), "page is a control");
    assert!(found.path.ends_with("per_page") && found.hint.as_deref().unwrap().contains("first"));
}
