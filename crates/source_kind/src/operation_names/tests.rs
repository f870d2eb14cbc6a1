//! Tests of `names`.

use super::{UnnamedOperation, is_form_of, mark_of, names, snake};
use aqueduct_operations::naming::{RESERVED, is_snake_case};
use aqueduct_operations::target::Method;
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

fn of(ids: &[(Option<&str>, Method, &str)]) -> Vec<String> {
    let operations: Vec<UnnamedOperation<'_>> = ids
        .iter()
        .map(|&(operation_id, method, path)| UnnamedOperation { operation_id, method, path })
        .collect();
    names(&operations).0
}

/// S-openapi-11 N1: a legal operationId is the name, another spelling becomes one.
#[test]
fn from_operation_ids() {
    for (id, name) in [
        ("get_pet", "get_pet"),
        ("get__pet", "get__pet"),
        ("repos/list-for-org", "repos_list_for_org"),
        ("getPetByID", "get_pet_by_id"),
        ("2fa.enable", "get_2fa_enable"),
        ("Größe lesen", "get_sizes_id"),
        ("", "get_sizes_id"),
        ("   ", "get_sizes_id"),
        ("+++", "get_sizes_id"),
    ] {
        assert_eq!(of(&[(Some(id), Method::Get, "/sizes/{id}")]), [name], "{id}");
    }
}

/// S-openapi-12: without an operationId the name is made from method and path.
#[test]
fn from_method_and_path() {
    assert_eq!(
        of(&[
            (None, Method::Get, "/users/{id}"),
            (None, Method::Delete, "/users/{userId}/x-keys.json"),
            (None, Method::Get, "/"),
            (None, Method::Get, "/größen"),
        ])[..3],
        ["get_users_id", "delete_users_user_id_x_keys_json", "get_root"]
    );
    assert!(is_snake_case(&of(&[(None, Method::Get, "/日本")])[0]));
}

/// N1: a clash is solved by the method, then by a number; who has a legal name keeps it, wherever it stands.
#[test]
fn clashes() {
    assert_eq!(
        of(&[
            (Some("getUser"), Method::Get, "/a"),
            (Some("get_user"), Method::Get, "/b"),
            (Some("get_user"), Method::Get, "/c"),
            (Some("get-user"), Method::Post, "/d"),
        ]),
        ["get_user_get", "get_user", "get_user_get_2", "get_user_post"]
    );
}

/// N1: a reserved word is renamed, and each rename is told.
#[test]
fn reserved_words() {
    let operations = [
        UnnamedOperation {
            operation_id: Some("introspect"),
            method: Method::Post,
            path: "/oauth/introspect",
        },
        UnnamedOperation { operation_id: Some("Batch"), method: Method::Post, path: "/batch" },
    ];
    let (names, renamed) = names(&operations);
    assert_eq!(names, ["introspect_post", "batch_post"]);
    assert_eq!(renamed.len(), 2);
    assert_eq!((renamed[1].from.as_str(), renamed[1].to.as_str()), ("Batch", "batch_post"));
    assert!(renamed[0].why.contains("reserved"), "{}", renamed[0].why);
}

/// N1, and a pain of other importers: long names are cut, and stay apart.
#[test]
fn long_names() {
    let one = format!("get{}One", "Very".repeat(30));
    let two = format!("get{}Two", "Very".repeat(30));
    let made = of(&[(Some(&one), Method::Get, "/a"), (Some(&two), Method::Get, "/b")]);
    assert!(made.iter().all(|name| name.len() <= 64 && is_snake_case(name)), "{made:?}");
    assert_ne!(made[0], made[1]);
    assert_eq!(made, of(&[(Some(&one), Method::Get, "/a"), (Some(&two), Method::Get, "/b")]));
}

proptest! {
    /// N1: whatever the document says, names are legal, short, unique and not reserved; all changes are told.
    #[test]
    fn always_legal_and_unique(
        ids in proptest::collection::vec(
            (proptest::option::of("(get|GET|batch|ä|_|-|User|x{60}| ){0,6}"), any::<bool>().prop_map(|post| if post { Method::Post } else { Method::Get }), "(/[a-cä{}]{0,3}){0,3}"),
            0..20,
        )
    ) {
        let operations: Vec<UnnamedOperation<'_>> = ids
            .iter()
            .map(|(id, method, path)| UnnamedOperation { operation_id: id.as_deref(), method: *method, path })
            .collect();
        let (made, renamed) = names(&operations);
        prop_assert_eq!(made.len(), operations.len());
        let unique: std::collections::HashSet<&String> = made.iter().collect();
        prop_assert_eq!(unique.len(), made.len());
        for (name, operation) in made.iter().zip(&operations) {
            prop_assert!(is_snake_case(name) && name.len() <= 64 && !RESERVED.contains(&name.as_str()));
            let own = operation.operation_id.unwrap_or_default();
            let is_told = renamed.iter().any(|each| each.from == own && &each.to == name);
            prop_assert!(own.is_empty() || own == name || is_told, "{own} {name}");
        }
    }
}

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

/// Every name that is given because of a clash is known again.
#[test]
fn forms_of_a_name() {
    let id = "x".repeat(70);
    for (operation_id, name) in
        [(Some("Run"), "run"), (Some("Run"), "run_get"), (Some("Run"), "run_get_12"), (None, "get_a_b")]
    {
        assert!(
            is_form_of(name, &UnnamedOperation { operation_id, method: Method::Get, path: "/a/b" }),
            "{name}"
        );
    }
    for name in ["runs", "run_post", "run_12", "get", "", "_get", &id] {
        let unnamed = UnnamedOperation { operation_id: Some("run"), method: Method::Get, path: "/a/b" };
        assert!(!is_form_of(name, &unnamed), "{name}");
    }
}
