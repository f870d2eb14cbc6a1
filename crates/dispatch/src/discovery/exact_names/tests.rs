//! Requests that name operations, and such as only sound like it.

use super::is_plain;
use crate::test_server::{Setup, TestServer, adapter};
use aqueduct_search::MatchConfidence;

const ZOOM: &str = "trust: {level: certified}\noperations:\n  read:\n    - {name: meeting, description: \"Get a meeting\", maps_to: 'GET /meetings/{id}', params: {id: {type: integer, required: true}}}\n    - {name: list_users, description: \"List users\", maps_to: 'GET /users'}\n    - {name: users, description: \"List users of the account\", maps_to: 'GET /account/users'}\n  delete:\n    - {name: meeting_delete, description: \"Delete a meeting\", maps_to: 'DELETE /meetings/{id}', params: {id: {type: integer, required: true}}}";
const CHAT: &str = "trust: {level: certified}\noperations:\n  read:\n    - {name: get_users_page, description: \"List users\", maps_to: 'GET /users'}\n    - {name: list_files, description: \"List files\", maps_to: 'GET /files'}\n    - {name: list_rooms, description: \"List rooms\", maps_to: 'GET /rooms'}";

fn server() -> TestServer {
    let at = "http://127.0.0.1:9";
    Setup::default().serve(&[adapter("zoom", at, ZOOM), adapter("chat", at, CHAT)])
}

/// The first operation for a request, whether it was called by its name, and how sure it is.
fn found(request: &str) -> (String, bool, MatchConfidence) {
    let catalog = server().dispatcher.catalog();
    let outcome = catalog.search_index().search(request, |_| true, 5);
    let first = catalog.placed(outcome.matches[0]).public_name.clone();
    (first, outcome.parts[0].called > 0.0, outcome.confidence)
}

/// A noun with a hyphen is no name, and what it would name does not do what the verb says.
#[test]
fn a_hyphen_makes_no_name() {
    for request in ["delete the zoom-meeting 93812345678", "remove Zoom-Meeting 5"] {
        let (first, is_called, _) = found(request);
        assert_eq!((first.as_str(), is_called), ("zoom__meeting_delete", false), "{request}");
    }
    for request in ["call list-users of zoom", "use zoom__list_users", "run listUsers"] {
        let (first, is_called, _) = found(request);
        assert_eq!((first.as_str(), is_called), ("zoom__list_users", true), "{request}");
    }
}

/// Words that anybody says are the name of one operation by chance, and mean what others do as well.
#[test]
fn plain_words_are_not_clearly_a_name() {
    for request in ["users", "list users", "List Users"] {
        assert_eq!(found(request).2, MatchConfidence::Several, "{request}");
    }
    assert_eq!(found("list_users").2, MatchConfidence::Clear);
    assert_eq!(found("list rooms").2, MatchConfidence::Clear, "no other source has them");
    assert!(is_plain("zoom-meeting") && !is_plain("issues/create"));
}
