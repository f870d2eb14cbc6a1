//! Tests of `words`.

use super::{brief, mark_of, snake};

/// N1: any spelling becomes snake_case.
#[test]
fn snake_case() {
    for (from, to) in [
        ("repos/list-for-org", "repos_list_for_org"),
        ("getPetByID", "get_pet_by_id"),
        ("HTTPServer", "http_server"),
        ("getHTTPServerURLs2Go", "get_http_server_urls2_go"),
        ("listUserIDs", "list_user_ids"),
        ("APIsByName", "apis_by_name"),
        ("HTTPSsl", "http_ssl"),
        ("users.list", "users_list"),
        ("filter[name]", "filter_name"),
        ("X-Request-Id", "x_request_id"),
        ("$top", "top"),
        ("listV2Users", "list_v2_users"),
        ("already_fine", "already_fine"),
        ("__x__y__", "x_y"),
        ("Größe", "gr_e"),
        ("顧客", ""),
        ("", ""),
    ] {
        assert_eq!(snake(from), to, "{from}");
    }
}

#[test]
fn marks_never_change() {
    assert_eq!(mark_of("a"), "e40c292c");
    assert_ne!(mark_of("ab"), mark_of("ba"));
}

#[test]
fn long_texts_are_cut_between_words() {
    assert_eq!(brief("  One\n line.\n\nAnother paragraph", 100), "One line.");
    assert_eq!(brief("one two three", 9), "one two…");
    assert_eq!(brief("abcdefgh", 4), "abc…");
    assert_eq!(brief("", 4), "");
    assert_eq!(brief("äöü äöü", 7), "äöü äöü");
}
