//! Nouns, groups and related operations.

use super::groups::{as_json, groups, topic};
use super::related_operations;
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_operations::call::{Caller, Scopes};
use aqueduct_query::measure;
use serde_json::json;

const HOST: &str = "trust: {level: certified}\noperations:\n  read:\n    - {name: list_issues, maps_to: 'GET /api/v1/repos/{r}/issues', params: {r: {type: string, required: true}}}\n    - {name: get_issue, maps_to: 'GET /api/v1/repos/{r}/issues/{n}', params: {r: {type: string, required: true}, n: {type: integer, required: true}}}\n    - {name: search_issues, maps_to: 'GET /search/issues'}\n    - {name: get_policy, maps_to: 'GET /policies/current'}\n    - {name: get_items, maps_to: 'POST /items/get'}\n    - {name: get_status, maps_to: 'GET /status'}\n  create:\n    - {name: create_issue, maps_to: 'POST /api/v1/repos/{r}/issues', params: {r: {type: string, required: true}}}\n  update:\n    - {name: update_issue, maps_to: 'PATCH /api/v1/repos/{r}/issues/{n}', params: {r: {type: string, required: true}, n: {type: integer, required: true}}}\n  execute:\n    - {name: lock_issue, maps_to: 'PUT /api/v1/repos/{r}/issues/{n}/lock', params: {r: {type: string, required: true}, n: {type: integer, required: true}}}\n    - {name: close_repo, required_scopes: [admin], maps_to: 'POST /api/v1/repos/{r}/close', params: {r: {type: string, required: true}}}";

fn host() -> TestServer {
    Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", HOST)])
}

/// The noun is the last thing of the path: no version, no action, no verb.
#[test]
fn nouns() {
    let catalog = host().dispatcher.catalog();
    for (name, noun, collection) in [
        ("list_issues", "issue", "repos/{}/issues"),
        ("get_issue", "issue", "repos/{}/issues"),
        ("lock_issue", "issue", "repos/{}/issues"),
        ("close_repo", "repo", "repos"),
        ("search_issues", "issue", "search/issues"),
        ("get_policy", "current", "policies/current"),
        ("get_items", "item", "items"),
        ("get_status", "status", "status"),
        ("introspect", "introspect", "introspect"),
    ] {
        let (index, _, _) = catalog.find(name).unwrap();
        let resource = catalog.resources().at(index);
        assert_eq!((resource.noun.as_str(), resource.collection.as_str()), (noun, collection), "{name}");
    }
}

/// What else is done with the same thing is told, once for each kind of doing, and nothing of another collection.
#[test]
fn operations_related_to_one() {
    let catalog = host().dispatcher.catalog();
    let of = |name: &str| related_operations(&catalog.common_view(), catalog.find(name).unwrap().0);
    assert_eq!(of("get_issue"), ["list_issues", "create_issue", "update_issue"]);
    assert_eq!(of("lock_issue"), ["list_issues", "get_issue", "create_issue", "update_issue"]);
    assert_eq!(of("search_issues"), [""; 0]);
    assert_eq!(of("introspect"), [""; 0]);
}

/// What is hidden is no neighbour, nor what needs a scope that the caller does not have.
#[test]
fn related_operations_may_be_called() {
    let scoped = HOST.replace("{name: list_issues,", "{name: list_issues, required_scopes: [secret],");
    let catalog =
        Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", &scoped)]).dispatcher.catalog();
    let index = catalog.find("get_issue").unwrap().0;
    let view = catalog.view_of(&Caller::local(), &Scopes::none());
    assert_eq!(related_operations(&view, index), ["create_issue", "update_issue"]);
    let low = Setup::trust("generated").serve(&[adapter("host", "http://127.0.0.1:9", HOST)]);
    let catalog = low.dispatcher.catalog();
    let index = catalog.find("get_issue").unwrap().0;
    assert_eq!(related_operations(&catalog.common_view(), index), ["list_issues"]);
}

#[test]
fn groups_fit_their_budget() {
    let catalog = host().dispatcher.catalog();
    let entries = || catalog.registry().entries().iter().map(AsRef::as_ref).enumerate();
    let all = groups(entries(), catalog.resources());
    assert_eq!((all[0].source, all[0].noun, all[0].count), ("host", "issue", 6));
    let one = json!({"host": {"issue": 6}});
    assert_eq!(as_json(&all, measure::tokens(&one.to_string())), Some(one));
    assert_eq!(as_json(&all, 3), None);
    for budget in 0..60 {
        if let Some(shown) = as_json(&all, budget) {
            assert!(measure::tokens(&shown.to_string()) <= budget, "{budget}: {shown}");
        }
    }
    let whole = as_json(&all, 1_000).unwrap();
    assert!(whole["host"].as_object().unwrap().len() > 2, "{whole}");
}

/// A reload keeps the index of every source that has not changed, and a catalog that follows one that can be searched can be
/// searched at once.
#[test]
fn only_changed_sources_are_indexed_again() {
    use crate::Catalog;
    use aqueduct_operations::exposure::Exposure;
    use aqueduct_operations::limits::Limits;
    use aqueduct_operations::registry::{NamingScheme, OwnOperations, PublishedSource, Registry};
    use aqueduct_source_kind::settings::SourceSettings;
    let published = |name: &str| {
        let text = adapter(name, "http://127.0.0.1:9", HOST);
        let loaded =
            aqueduct_adapter_files::load("x-adapter.md", text.as_bytes(), &SourceSettings::default()).loaded;
        PublishedSource::new(loaded.unwrap().into(), NamingScheme::Namespaced)
    };
    let catalog = |sources: &[&PublishedSource]| {
        let registry =
            Registry::of(sources.iter().copied(), &OwnOperations::default(), NamingScheme::Namespaced)
                .unwrap();
        Catalog::build(registry, Exposure::default(), &Limits::default())
    };
    let (one, two, other) = (published("one"), published("two"), published("two"));
    let before = catalog(&[&one, &two]);
    assert!(!catalog(&[&one]).following(&before).can_be_searched(), "nobody has searched yet");
    before.prepare_search();
    let after = catalog(&[&one, &other]).following(&before);
    assert!(after.can_be_searched());
    assert_eq!(after.search_index().shared_with(before.search_index()), 1);
    assert_eq!(
        catalog(&[&two, &one]).following(&before).search_index().shared_with(before.search_index()),
        2
    );
}

#[test]
fn the_sample_is_in_the_words_of_the_server() {
    let described = HOST.replace(
        "{name: list_issues,",
        "{name: list_issues, description: \"List repository issues. More.\",",
    );
    let server = Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", &described)]);
    assert_eq!(server.dispatcher.catalog().sample_request(), "list repository issues");
    assert_eq!(host().dispatcher.catalog().sample_request(), "list issues");
    let nothing = Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", "operations: {}")]);
    assert_eq!(nothing.dispatcher.catalog().sample_request(), "your task in plain words");
}

/// A sentence that is too long for a sample is not cut to one that asks for something else.
#[test]
fn a_sample_is_a_whole_sentence() {
    let operations = "trust: {level: certified}\noperations:\n  read:\n    - {name: list_issues, description: \"Fetch a list of the issues, oldest first\", maps_to: 'GET /issues'}";
    let catalog =
        Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", operations)]).dispatcher.catalog();
    assert_eq!(catalog.sample_request(), "list issues");
}

/// The sample of a search is about the commonest topic, not about the shortest word below it.
#[test]
fn a_sample_is_about_the_topic() {
    let operations = "trust: {level: certified}\noperations:\n  read:\n    - {name: list_apps, tags: [repos], maps_to: 'GET /repos/{r}/apps', params: {r: {type: string, required: true}}}\n    - {name: list_repos, tags: [repos], maps_to: 'GET /repos'}";
    let catalog =
        Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", operations)]).dispatcher.catalog();
    assert_eq!(catalog.sample_request(), "list repos");
}

/// The tags of a source are words of all its operations, but for those that operations have themselves: these are topics, and
/// say nothing of the others.
#[test]
fn topics_of_a_source_are_not_words_of_all() {
    use super::documents::source_words;
    let blocks = "tags: [money, books]\ntrust: {level: certified}\noperations:\n  read:\n    - {name: list_books, tags: [books], maps_to: 'GET /books'}";
    let catalog =
        Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", blocks)]).dispatcher.catalog();
    let source = &catalog.registry().sources()[0];
    let operations: Vec<_> =
        catalog.registry().entries().iter().take(1).map(|entry| entry.operation.clone()).collect();
    assert_eq!(source.tags, ["money", "books"]);
    assert_eq!(source_words(source, &operations), ["host", "money"]);
}

/// Tags that are words of programs are no topics; statuses are of one status, and an ending says how a thing is written.
#[test]
fn topics_are_words() {
    let operations = "trust: {level: certified}\noperations:\n  read:\n    - {name: list_recordings, tags: [api20100401recording], maps_to: 'GET /2010-04-01/Recordings.json'}\n    - {name: list_statuses, tags: [projects], maps_to: 'GET /projects/{p}/project_statuses', params: {p: {type: string, required: true}}}";
    let catalog =
        Setup::default().serve(&[adapter("host", "http://127.0.0.1:9", operations)]).dispatcher.catalog();
    let of = |name: &str| {
        let (index, entry, _) = catalog.find(name).unwrap();
        let resource = catalog.resources().at(index);
        (topic(entry, resource).to_owned(), resource.noun.clone())
    };
    assert_eq!(of("list_recordings"), ("recording".to_owned(), "recording".to_owned()));
    assert_eq!(of("list_statuses"), ("projects".to_owned(), "project_status".to_owned()));
}

/// Names that say only that something is looked for are no request: a sample is, or the task that came along.
#[test]
fn calls_that_look_for_something() {
    let server = host();
    let catalog = server.dispatcher.catalog();
    let request = |name: &str, arguments: serde_json::Value| {
        catalog.request_of_call(name, arguments.as_object().unwrap())
    };
    for name in ["mcp_aql_search", "search_tools", "find_operation", "search"] {
        assert_eq!(request(name, json!({})), catalog.sample_request(), "{name}");
        assert_eq!(request(name, json!({"query": "list the branches"})), "list the branches", "{name}");
    }
    assert_eq!(request("mcp_aql_list_branches", json!({})), "list branches");
}
