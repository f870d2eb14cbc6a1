//! Tests of `request_digest`.

use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::Category;
use aqueduct_operations::gatekeeper::RequestDigest;
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::params::{ParamLocation, ValueKind};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{BodyFormat, Method, Segment, Site, Target};
use aqueduct_testkit::operation::{operation, param, site, target};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

fn entry() -> RegistryEntry {
    let mut remove = operation(
        "delete_order",
        Category::Delete,
        target(site("https://api.example/v1"), Method::Delete, "/orders/{order_id}"),
    );
    remove.params = vec![
        param("order_id", ValueKind::String, ParamLocation::Path),
        param("reason", ValueKind::String, ParamLocation::Query),
    ];
    RegistryEntry {
        public_name: "delete_order".to_owned(),
        operation: Arc::new(remove),
        source: Arc::new(Source::built_in()),
    }
}

fn values() -> Map<String, Value> {
    json!({"order_id": "7"}).as_object().unwrap().clone()
}

fn digest(change: impl FnOnce(&mut RegistryEntry)) -> RequestDigest {
    let mut entry = entry();
    change(&mut entry);
    RequestDigest::of(&entry, &values(), None)
}

fn with_site(change: impl FnOnce(&mut Site)) -> impl FnOnce(&mut RegistryEntry) {
    move |entry| {
        let Target::Http(target) = &mut Arc::make_mut(&mut entry.operation).target else { unreachable!() };
        change(Arc::get_mut(&mut target.site).unwrap());
    }
}

fn with_target(
    change: impl FnOnce(&mut aqueduct_operations::target::HttpTarget),
) -> impl FnOnce(&mut RegistryEntry) {
    move |entry| {
        let Target::Http(target) = &mut Arc::make_mut(&mut entry.operation).target else { unreachable!() };
        change(target);
    }
}

#[test]
fn words_and_waits_do_not_count() {
    let same = digest(|_| {});
    assert_eq!(
        digest(|entry| Arc::make_mut(&mut entry.operation).description = "Other words".to_owned()),
        same
    );
    assert_eq!(digest(|entry| Arc::make_mut(&mut entry.operation).tags.push("x".to_owned())), same);
    assert_eq!(digest(|entry| Arc::make_mut(&mut entry.operation).danger.reasons.push("x".to_owned())), same);
    assert_eq!(
        digest(|entry| Arc::make_mut(&mut entry.operation).params[0].description = Some("x".to_owned())),
        same
    );
    assert_eq!(digest(with_site(|site| site.timeout = Duration::from_secs(1))), same);
    let more = param("note", ValueKind::String, ParamLocation::Query);
    assert_eq!(
        digest(|entry| Arc::make_mut(&mut entry.operation).params.push(more)),
        same,
        "it is not sent in this call"
    );
}

#[test]
fn whatever_changes_the_request_counts() {
    let same = digest(|_| {});
    let changed = [
        digest(with_site(|site| site.base_url = "https://evil.example/v1".parse().unwrap())),
        digest(with_site(|site| site.base_url = "https://api.example/v2".parse().unwrap())),
        digest(with_site(|site| site.headers.push(("x-tenant".to_owned(), "2".to_owned())))),
        digest(with_site(|site| site.operator_headers.push(NamedSecret::new("x-a", "2")))),
        digest(with_site(|site| {
            site.auth = Auth::Bearer { token_env: "OTHER".to_owned(), prefix: "Bearer ".to_owned() }
        })),
        digest(with_target(|target| target.method = Method::Post)),
        digest(with_target(|target| target.path = vec![Segment::Literal("/accounts".to_owned())])),
        digest(with_target(|target| target.static_query = Some("force=1".to_owned()))),
        digest(with_target(|target| target.body = BodyFormat::Form)),
        digest(|entry| Arc::make_mut(&mut entry.operation).params[0].upstream_name = "id".to_owned()),
        digest(|entry| Arc::make_mut(&mut entry.operation).params[0].place = ParamLocation::Query),
        digest(|entry| Arc::make_mut(&mut entry.operation).update.if_match ^= true),
        RequestDigest::of(&entry(), &values(), Some(&entry())),
    ];
    for (index, other) in changed.iter().enumerate() {
        assert_ne!(*other, same, "change {index}");
    }
}
