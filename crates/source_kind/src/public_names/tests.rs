//! Tests of `public_names`.

use super::{NameRules, assign, pascal, snake, source_name};
use aqueduct_operations::naming::{RESERVED, is_adapter_name, is_snake_case};
use proptest::prelude::{any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use std::collections::HashSet;

const RULES: NameRules = NameRules { longest: 64, reserved: RESERVED, noun: "tool" };

fn names(originals: &[&str]) -> Vec<String> {
    assign(originals, &RULES).into_iter().map(|named| named.name).collect()
}

/// N1: names that follow the grammar stay, others become snake_case.
#[test]
fn rewriting() {
    for (from, to) in [
        ("getPetByID", "get_pet_by_id"),
        ("repos/list-for-org", "repos_list_for_org"),
        ("HTMLParser", "html_parser"),
        ("API-post-search", "api_post_search"),
        ("v2Thing", "v2_thing"),
        ("  a  b ", "a_b"),
        ("naïve", "na_ve"),
        ("日本", ""),
    ] {
        assert_eq!(snake(from), to);
    }
    assert_eq!(names(&["get__x", "x9_"]), ["get__x", "x9_"], "the grammar allows these");
    assert_eq!(names(&["日本", "3d", "batch"]), ["tool", "tool_3d", "batch_tool"]);
}

/// N1: a name that needs no change never loses it to one that does; clashes are numbered in order.
#[test]
fn clashes() {
    assert_eq!(names(&["getItem", "get-item", "get_item"]), ["get_item_2", "get_item_3", "get_item"]);
    assert_eq!(names(&["a", "a"]), ["a", "a_2"]);
}

/// N1 (PEERS 5): at most 64 characters, and two long names stay apart.
#[test]
fn long_names() {
    let (one, other) = (format!("{}a", "x".repeat(80)), format!("{}b", "x".repeat(80)));
    let short = names(&[&one, &other]);
    assert!(short.iter().all(|name| name.len() == 64 && is_snake_case(name)), "{short:?}");
    assert_ne!(short[0], short[1]);
    assert_eq!(names(&[&other])[0], short[1], "the same name whatever else there is");
}

#[test]
fn names_of_sources() {
    let taken = HashSet::from(["github".to_owned(), "github-2".to_owned()]);
    for (from, to) in [
        ("GitHub", "github-3"),
        ("my_server (prod)", "my-server-prod"),
        ("3d", "server-3d"),
        ("x", "server-x"),
        ("サーバー", "server"),
    ] {
        assert_eq!(source_name(from, &taken), to);
    }
}

proptest! {
    /// N1: every name is legal, unique, and the same each time.
    #[test]
    fn legal_unique_stable(originals in proptest::collection::vec(
        prop_oneof![any::<String>(), "[a-zA-Z_-]{0,5}"], 0..12
    )) {
        let originals: Vec<&str> = originals.iter().map(String::as_str).collect();
        let given = names(&originals);
        prop_assert!(given.iter().all(|name| is_snake_case(name) && name.len() <= 64
            && !RESERVED.contains(&name.as_str())));
        prop_assert_eq!(given.iter().collect::<HashSet<_>>().len(), originals.len());
        prop_assert_eq!(&given, &names(&originals));
    }

    #[test]
    fn sources_are_legal(text in any::<String>()) {
        let name = source_name(&text, &HashSet::new());
        prop_assert!(is_adapter_name(&name), "{}", name);
    }
}

#[test]
fn pascal_case() {
    for (from, to) in [
        ("list_open_issues", "ListOpenIssues"),
        ("simple-user", "SimpleUser"),
        ("Pet", "Pet"),
        ("v1.PodList", "V1PodList"),
        ("3d_model", "T3dModel"),
        ("顧客", ""),
    ] {
        assert_eq!(pascal(from), to, "{from}");
    }
}
