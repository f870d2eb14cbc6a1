//! Tests of `identity`.

use super::{FieldPath, IdentityRule, RelationshipFetch, RelationshipOperation};
use serde_json::{Map, Value, json};

fn params(pairs: &[(&str, &str)]) -> Vec<(String, FieldPath)> {
    pairs.iter().map(|(name, path)| ((*name).to_owned(), FieldPath::parse(path).unwrap())).collect()
}

fn naming(fetch: &[(&str, &str)], link: &[(&str, &str)]) -> IdentityRule {
    let fetch = RelationshipFetch { operation: "get".to_owned(), params: params(fetch) };
    let way = RelationshipOperation { operation: "list".to_owned(), params: params(link) };
    IdentityRule::of(Some(&fetch).filter(|fetch| !fetch.params.is_empty()), [&way].into_iter())
}

fn id(naming: &IdentityRule, thing: Value, given: Value) -> Option<String> {
    naming.identity_of("T", &thing, given.as_object().unwrap()).map(|form| form.id)
}

#[test]
fn the_place_of_the_name() {
    let thing = json!({"id": 7, "name": "n", "number": 3, "a": {"b": "deep"}});
    for (fetch, link, expected) in [
        (&[][..], &[][..], "T:7"),
        (&[("thing", "element_name")], &[("thing", "a.b")], "T:deep"),
        (&[("thing", "element_name")], &[("other", "a.b")], "T:7"),
        (&[("name", "element_name")], &[], "T:n"),
        (&[("thing_number", "element_name")], &[], "T:3"),
        (&[("thing", "element_name")], &[("thing", "element_name")], "T:7"),
    ] {
        assert_eq!(id(&naming(fetch, link), thing.clone(), json!({})).as_deref(), Some(expected));
    }
    let plain = naming(&[], &[]);
    assert_eq!(id(&plain, json!("ada"), json!({})).as_deref(), Some("T:ada"));
    assert_eq!(id(&plain, json!({"id": null, "title": "t"}), json!({})).as_deref(), Some("T:t"));
    for nameless in [json!({"x": 1}), json!(null), json!([1]), json!(""), json!({"id": ["a", "b"]})] {
        assert_eq!(id(&plain, nameless.clone(), json!({"id": 1})), None, "{nameless}");
    }
}

#[test]
fn what_else_it_is_read_by() {
    let fetch = [("owner", "owner"), ("repo", "element_name")];
    let naming = naming(&fetch, &[("owner", "owner.login"), ("repo", "name")]);
    let thing = json!({"id": 1, "name": "r", "owner": {"login": "ada"}});
    let form = naming.identity_of("Repo", &thing, &Map::new()).unwrap();
    assert_eq!(form.value, json!({"element_type": "Repo", "element_name": "r", "owner": "ada"}));
    assert_eq!((form.id.as_str(), form.name()), ("Repo:ada/r", "r"));
    assert_eq!(id(&naming, json!({"name": "r"}), json!({"owner": "bob"})).as_deref(), Some("T:bob/r"));
    assert_eq!(naming.identity_of_root("Repo", "r", &json!({"owner": "ada", "x": 1})), form);
}
