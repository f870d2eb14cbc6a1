//! Claims against what operations show of themselves.
//! What the author says and what method, name and path show in; what holds out.

use super::{CategoryFloor, FloorInput, floor, is_to_item};
use crate::category::Category::{self, Create, Delete, Execute, Read, Update};
use crate::danger::DangerLevel::{self, Destructive, Reversible};
use crate::target::Method;

fn held(given: Category, method: &str, path: &str, names: &[&str]) -> Option<(Category, DangerLevel)> {
    let shown = FloorInput { method: Method::parse_any_case(method), path, names, made_name: None };
    floor(given, &shown).map(|CategoryFloor { category, level, .. }| (category, level))
}

/// N3: a claimed READ is no less than its method, its name and its path say.
#[test]
fn claimed_reads() {
    for (method, path, name, expected) in [
        ("DELETE", "/account", "get_account", (Delete, Destructive)),
        ("PUT", "/account", "get_account", (Update, Reversible)),
        ("PATCH", "/account", "get_account", (Update, Reversible)),
        ("PUT", "/account/delete", "get_account", (Delete, Destructive)),
        ("POST", "/account/{id}", "get_account", (Update, Reversible)),
        ("POST", "/money", "transferMoney", (Execute, Destructive)),
        ("POST", "/printers", "batch_delete_printers", (Delete, Destructive)),
        ("GET", "/x", "delete_screenshot", (Delete, Destructive)),
        ("HEAD", "/x/delete", "x", (Delete, Destructive)),
        ("GET", "/x", "send_mail", (Execute, Reversible)),
        ("GET", "/cache/reset", "get_status", (Execute, Destructive)),
        ("", "", "execute_shell", (Execute, Reversible)),
        ("", "", "file_delete", (Delete, Destructive)),
        ("", "", "write_file", (Execute, Reversible)),
    ] {
        assert_eq!(held(Read, method, path, &[name]), Some(expected), "{method} {path} {name}");
    }
    for (method, path, name) in [
        ("GET", "/account", "get_account"),
        ("GET", "/runs/{id}", "get_run"),
        ("POST", "/search", "search_items"),
        ("POST", "/reports/totals", "totals"),
        ("POST", "/deletions/search", "search_deletions"),
        ("", "", "directory_tree"),
        ("", "", "get_delete_log"),
    ] {
        assert_eq!(held(Read, method, path, &[name]), None, "{method} {path} {name}");
    }
    let made = FloorInput {
        method: Some(Method::Get),
        path: "/delete/topic",
        names: &[],
        made_name: Some("get_delete_topic"),
    };
    assert_eq!(floor(Read, &made).map(|floor| floor.category), Some(Delete));
}

/// N3: a word that removes makes a DELETE of anything else, and the method DELETE is never harmless.
#[test]
fn other_claims() {
    for (given, method, path, name, expected) in [
        (Create, "POST", "/printers", "batch_delete_printers", Some((Delete, Destructive))),
        (Create, "POST", "/printers:batchDelete", "x", Some((Delete, Destructive))),
        (Create, "DELETE", "/pets/{id}", "add_pet", Some((Delete, Destructive))),
        (Execute, "DELETE", "/runs/{id}", "cancel_run", Some((Execute, Destructive))),
        (Update, "PUT", "/pets/{id}", "delete_pet", Some((Delete, Destructive))),
        (Update, "PUT", "/pets/{id}", "update_delete_protection", None),
        (Execute, "", "", "run_purge", Some((Delete, Destructive))),
        (Create, "POST", "/pets", "create_pet", None),
        (Create, "PUT", "/pets/{id}", "create_pet", None),
        (Execute, "POST", "/pets/{id}/feed", "feed_pet", None),
        (Delete, "POST", "/pets/{id}", "delete_pet", None),
    ] {
        assert_eq!(held(given, method, path, &[name]), expected, "{given:?} {method} {path} {name}");
    }
}

/// W1: the reasons may reach a client.
#[test]
fn reasons() {
    let reason = |method: &str, name: &str| {
        let shown = FloorInput {
            method: Method::parse_any_case(method),
            path: "/x/{id}",
            names: &[name],
            made_name: None,
        };
        floor(Read, &shown).map(|floor| floor.reason).unwrap_or_default()
    };
    assert_eq!(reason("GET", "delete_x"), "'delete' removes something");
    assert_eq!(reason("GET", "send_x"), "'send' acts");
    assert_eq!(reason("DELETE", "get_x"), "DELETE removes something");
    assert_eq!(reason("POST", "get_x"), "POST to one item overwrites it");
}

#[test]
fn items() {
    assert!(is_to_item("/x/{id}") && is_to_item("/x/{id}/?a=b"));
    assert!(
        !is_to_item("/x/{id}/y") && !is_to_item("/x/{id}:run") && !is_to_item("/x/a{id}") && !is_to_item("/")
    );
}
