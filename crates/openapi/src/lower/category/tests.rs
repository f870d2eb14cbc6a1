//! Tests of `category`.

use super::{CategoryFacts, categorise};
use aqueduct_operations::category::Category::{self, Create, Delete, Execute, Read, Update};
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::origin::{CategoryDecision, Confidence};
use aqueduct_operations::target::Method;

fn facts<'a>(method: &str, path: &'a str, name: &'a str) -> CategoryFacts<'a> {
    CategoryFacts {
        method: Method::parse_any_case(method).unwrap(),
        path,
        name,
        operation_id: Some(name),
        declared: None,
        is_stream: false,
    }
}

fn of(method: &str, path: &str, name: &str) -> CategoryDecision {
    categorise(&facts(method, path, name))
}

/// N3: the method decides where nothing else is said.
#[test]
fn by_method() {
    for (method, category) in [
        ("GET", Read),
        ("HEAD", Read),
        ("OPTIONS", Read),
        ("TRACE", Read),
        ("QUERY", Read),
        ("POST", Create),
        ("PUT", Update),
        ("PATCH", Update),
        ("DELETE", Delete),
    ] {
        let judged = of(method, "/pets", "pets");
        assert_eq!(judged.category, category, "{method}");
        assert_eq!((judged.confidence, judged.needs_review), (Confidence::High, false), "{method}");
        assert!(judged.reason.contains(method), "{}", judged.reason);
    }
}

/// N3: the path shape and the verb correct a POST, each with its reason.
#[test]
fn by_path_and_verb() {
    for (method, path, name, category) in [
        ("POST", "/pets/search", "pets_search", Read),
        ("POST", "/v1/_search", "x", Read),
        ("POST", "/users:batchGet", "x", Read),
        ("POST", "/pets/query/", "x", Read),
        ("POST", "/pets/{id}/cancel", "x", Execute),
        ("POST", "/repos/{r}/dispatches", "x", Execute),
        ("POST", "/runs/{id}/force-cancel", "x", Execute),
        ("POST", "/runs/{id}/rerun-failed-jobs", "x", Execute),
        ("POST", "/repos/{r}/merges", "x", Execute),
        ("PUT", "/pulls/{n}/merge", "pulls_merge", Execute),
        ("POST", "/users/{id}:disable", "x", Execute),
        ("POST", "/pets/delete", "x", Delete),
        ("POST", "/chat.delete", "x", Delete),
        ("POST", "/cache/purge", "x", Delete),
        ("POST", "/users/{id}/acme.pets.cancel", "x", Execute),
        ("POST", "/pets/search.json", "x", Read),
        ("POST", "/pets/{id}", "update_pet", Update),
        ("POST", "/pets/{id}", "delete_pet", Delete),
        ("POST", "/jobs", "run_job", Execute),
        ("POST", "/pets", "create_pet", Create),
        ("POST", "/pets/{id}/run-records", "x", Create),
        ("PUT", "/pets/fork-pet-approval", "x", Update),
        ("POST", "/users/send-reset-mail", "x", Execute),
        ("POST", "/searches", "x", Create),
        ("POST", "/pets", "get_pets", Read),
        ("POST", "/pets", "get_or_create_pet", Create),
        ("POST", "/graphql", "x", Execute),
    ] {
        let judged = of(method, path, name);
        assert_eq!(judged.category, category, "{method} {path} {name}: {}", judged.reason);
        assert!(!judged.reason.is_empty());
    }
}

/// N3: what is unsure is marked for a person to look at, and a GET that acts is no READ.
#[test]
fn marked_for_review() {
    for (method, path, name, category) in [
        ("GET", "/logout", "x", Execute),
        ("GET", "/x", "delete_thing", Delete),
        ("GET", "/screenshot/delete", "delete_screenshot", Delete),
        ("GET", "/#Action=DeleteTopic", "get_delete_topic", Delete),
        ("GET", "/sendMail", "send_mail", Execute),
        ("GET", "/cache/purge", "x", Delete),
        ("GET", "/cache/reset", "get_status", Execute),
        ("HEAD", "/jobs/{id}/run", "x", Execute),
        ("POST", "/x", "get_x", Read),
        ("POST", "/graphql", "x", Execute),
    ] {
        let judged = of(method, path, name);
        assert_eq!(judged.category, category, "{method} {path} {name}: {}", judged.reason);
        assert!(judged.needs_review && judged.confidence == Confidence::Low, "{method} {path} {name}");
    }
    for (path, name) in [
        ("/pets", "list_pets"),
        ("/sent-mails", "sent_mails"),
        ("/x", "release_notes"),
        ("/open-issues", "list_open_issues"),
        ("/pets/{id}/forks", "pets_forks"),
        ("/pulls/{n}/merge", "pulls_check_if_merged"),
        ("/deleted-users", "list_deleted_users"),
        ("/transfers/{id}", "get_transfer"),
    ] {
        let judged = of("GET", path, name);
        assert_eq!((judged.category, judged.needs_review), (Read, false), "{path} {name}");
    }
    let unnamed = CategoryFacts { operation_id: None, ..facts("GET", "/delete/topic", "get_delete_topic") };
    assert_eq!(categorise(&unnamed).category, Delete);
}

/// N3: a POST to one item overwrites it, one that marks as read does not read, and a word that removes is never lost.
#[test]
fn posts_that_are_no_creates() {
    for (path, name, category) in [
        ("/pets/{id}", "post_pets_id", Update),
        ("/pets/{id}", "create_pet", Update),
        ("/pets/{id}/", "x", Update),
        ("/jobs/{id}", "run_job", Execute),
        ("/messages/read", "x", Execute),
        ("/messages/{id}/mark-as-read", "x", Execute),
        ("/printers:batchDeletePrinters", "x", Delete),
        ("/printers", "batch_delete_printers", Delete),
        ("/search", "delete_by_query", Delete),
    ] {
        let judged = of("POST", path, name);
        assert_eq!(judged.category, category, "{path} {name}: {}", judged.reason);
    }
}

/// S-openapi-9 N3: a stream of events is a READ by GET and an EXECUTE otherwise; an extension key wins over all.
#[test]
fn streams_and_extensions() {
    let stream = |method: &str| {
        categorise(&CategoryFacts { is_stream: true, ..facts(method, "/events", "x") }).category
    };
    assert_eq!((stream("GET"), stream("POST")), (Read, Execute));
    let declared = |category: Category| {
        categorise(&CategoryFacts { declared: Some(category), is_stream: true, ..facts("GET", "/x", "x") })
            .category
    };
    assert_eq!((declared(Execute), declared(Delete)), (Execute, Delete));
}

/// N3: a key that makes less of an operation than its method and name do is not believed, and a person is asked to look.
#[test]
fn keys_that_make_less_of_an_operation() {
    use DangerLevel::{Destructive, Safe};
    let declared = |method: &str, path: &str, name: &str, category| {
        categorise(&CategoryFacts { declared: Some(category), ..facts(method, path, name) })
    };
    for (method, path, name, category, served, level) in [
        ("DELETE", "/pets/{id}", "pets", Read, Delete, Safe),
        ("DELETE", "/pets/{id}", "pets", Execute, Execute, Destructive),
        ("PUT", "/pets/{id}", "pets", Read, Update, Safe),
        ("PATCH", "/pets/{id}", "pets", Read, Update, Safe),
        ("PUT", "/pets/{id}", "delete_pet", Read, Delete, Destructive),
        ("POST", "/pets", "delete_pets", Read, Delete, Safe),
        ("POST", "/pets", "create_pet", Read, Create, Safe),
        ("POST", "/pets/{id}/cancel", "pets", Read, Execute, Safe),
        ("POST", "/money", "transferMoney", Read, Execute, Destructive),
        ("GET", "/money", "transferMoney", Read, Execute, Destructive),
        ("POST", "/pets/{id}", "pets", Create, Update, Safe),
        ("POST", "/pets", "batch_delete_pets", Create, Delete, Destructive),
        ("GET", "/x", "delete_thing", Read, Delete, Destructive),
    ] {
        let judged = declared(method, path, name, category);
        assert_eq!((judged.category, judged.at_least), (served, level), "{method} {path} {name}");
        assert!(judged.needs_review && judged.confidence == Confidence::Low, "{method} {path} {name}");
    }
    for (method, path, name, category) in [
        ("POST", "/reports/totals", "totals", Read),
        ("POST", "/users", "get_users", Read),
        ("POST", "/orders", "searchOrders", Read),
        ("POST", "/pets/search", "pets_search", Read),
        ("GET", "/jobs", "jobs", Execute),
        ("PUT", "/pets/{id}", "pets", Delete),
        ("GET", "/transfers", "list_transfers", Read),
    ] {
        let judged = declared(method, path, name, category);
        assert_eq!((judged.category, judged.at_least), (category, Safe), "{method} {path} {name}");
        assert!(!judged.needs_review && judged.confidence == Confidence::High, "{method} {path} {name}");
    }
}
