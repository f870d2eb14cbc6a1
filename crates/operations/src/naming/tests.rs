//! Tests of `naming`.

use super::{is_adapter_name, is_snake_case, namespaced, snake_case};

/// C8.5.2-1 O2.4-2 R11.4-1: the grammar of operation names.
#[test]
fn operation_names() {
    for good in ["a", "get_item", "x9_", "get__x"] {
        assert!(is_snake_case(good), "{good}");
    }
    for bad in ["", "_x", "9x", "Get_Item", "get-item", "get item", "naïve", "get\n"] {
        assert!(!is_snake_case(bad), "{bad:?}");
    }
}

/// X-adapter-5: the grammar of adapter names.
#[test]
fn adapter_names() {
    for good in ["ab", "github-api", "a9"] {
        assert!(is_adapter_name(good), "{good}");
    }
    for bad in ["a", "-ab", "ab-", "a_b", "Ab", "9a", "", &"a".repeat(65)] {
        assert!(!is_adapter_name(bad), "{bad:?}");
    }
}

/// O4.1-2: camelCase spellings map to snake_case.
#[test]
fn camel_case_aliases() {
    assert_eq!(snake_case("itemId"), "item_id");
    assert_eq!(snake_case("createdAfter"), "created_after");
    assert_eq!(snake_case("item_id"), "item_id");
    assert_eq!(namespaced("github-api", "get_repo"), "github_api__get_repo");
}
