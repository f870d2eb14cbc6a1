//! Tests of `concurrency_limiter`.

use super::ConcurrencyLimiter;
use aqueduct_operations::call::{CallOrigin, SessionId};
use aqueduct_operations::category::Category;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Method;
use aqueduct_testkit::operation::{operation, site, target};
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn entry(concurrency: Concurrency) -> RegistryEntry {
    let target = target(site("http://localhost"), Method::Post, "/x/{id}");
    RegistryEntry {
        public_name: "create_x".to_owned(),
        operation: Arc::new(operation("create_x", Category::Create, target)),
        source: Arc::new(Source { name: "x".to_owned(), concurrency, ..Source::built_in() }),
    }
}

fn origin() -> CallOrigin {
    CallOrigin::local(SessionId::new("one"))
}

/// A reload that changes the category must not make calls of the new one wait for ever behind calls of the old one.
#[tokio::test]
async fn a_change_of_category_locks_nobody_out() {
    let (limiter, origin) = (ConcurrencyLimiter::default(), origin());
    let mut held = Vec::new();
    for concurrency in Concurrency::ALL {
        held.push(limiter.wait(&entry(concurrency), &Map::new(), &origin).await);
    }
    assert_eq!(held.len(), 4);
}

/// C9.3.1-3: two spellings of one path value are one resource.
#[test]
fn one_resource_however_it_is_spelt() {
    let entry = entry(Concurrency::ResourceLocked);
    let of = |id: Value| super::resource_of(&entry.operation, &Map::from_iter([("id".to_owned(), id)]));
    assert_eq!(of(json!("a b")), of(json!("a%20b")));
    assert_eq!(of(json!(5)), of(json!("5")));
    assert_ne!(of(json!("a")), of(json!("b")));
}

/// Locks that no one holds are forgotten, so that a million resources do not fill the memory.
#[tokio::test]
async fn the_table_of_locks_is_bounded() {
    let (limiter, origin) = (ConcurrencyLimiter::default(), origin());
    let entry = entry(Concurrency::ResourceLocked);
    for id in 0..5_000 {
        let values: Map<String, Value> = Map::from_iter([("id".to_owned(), json!(id))]);
        drop(limiter.wait(&entry, &values, &origin).await);
    }
    assert!(limiter.locks.lock().unwrap().len() <= super::SWEEP_AT);
}
