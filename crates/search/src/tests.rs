//! What the ranking promises: the right operation for what people say, the same answer every time, and no text that it
//! stumbles over.

mod data;
mod properties;
mod ranking;
mod requests;
mod words;

use std::sync::{Arc, LazyLock};

use crate::{Lexicon, Parameter, SearchDocument, SearchIndex, SourceIndex};

/// The shipped lexicon, read once.
fn lexicon() -> Arc<Lexicon> {
    static LEXICON: LazyLock<Arc<Lexicon>> = LazyLock::new(|| Arc::new(Lexicon::with([])));
    Arc::clone(&LEXICON)
}

/// An operation with a method, a path and a summary.
fn operation<'a>(method: &'a str, path: &'a str, summary: &'a str) -> SearchDocument<'a> {
    SearchDocument {
        method: method.into(),
        path: path.into(),
        summary: summary.into(),
        ..SearchDocument::default()
    }
}

/// A small shop.
fn shop() -> Vec<SearchDocument<'static>> {
    let mut orders = operation("GET", "/orders", "List orders");
    orders.parameters.push(Parameter {
        name: "state".into(),
        values: vec!["open".into(), "shipped".into()],
        ..Parameter::default()
    });
    vec![
        orders,
        operation("POST", "/orders", "Create an order"),
        operation("GET", "/orders/{id}", "Get an order"),
        operation("DELETE", "/orders/{id}", "Delete an order"),
        operation("GET", "/customers", "List customers"),
        operation("POST", "/customers", "Create a customer"),
        operation("POST", "/invoices/{id}/refund", "Refund an invoice"),
        operation("GET", "/webhooks", "List webhooks"),
    ]
}

/// An index of one source.
fn index(documents: &[SearchDocument<'_>]) -> SearchIndex {
    SearchIndex::of(vec![Arc::new(SourceIndex::build(documents))], lexicon())
}

/// The position of the best operation of a source that is alone.
fn best(index: &SearchIndex, request: &str) -> usize {
    index.search(request, |_| true, 1).matches[0].operation.operation
}
