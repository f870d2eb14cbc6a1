//! Tests of `reader`.

use super::{FieldPath, LinkReader, MissingRequest, find};
use aqueduct_operations::category::Category;
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::target::Method;
use aqueduct_testkit::operation::{operation, site, target};
use serde_json::{Value, json};

fn path(text: &str) -> FieldPath {
    FieldPath::parse(text).unwrap()
}

#[test]
fn paths_through_lists_and_nulls() {
    let thing = json!({"a": {"b": 1}, "list": [{"c": 1}, {"c": [2, 3]}, {}], "none": null, "empty": []});
    for (text, expected) in [
        ("a.b", Some(json!([1]))),
        ("list.c", Some(json!([1, 2, 3]))),
        ("none", Some(json!([]))),
        ("none.x", Some(json!([]))),
        ("empty.x", Some(json!([]))),
        ("a.x", None),
        ("a.b.c", None),
        ("list.d", None),
    ] {
        let found = find(&thing, &path(text));
        assert_eq!(found.map(|found| Value::from_iter(found.into_iter().cloned())), expected, "{text}");
    }
}

fn requests(kinds: &[(&str, &str, &str)], thing: Value) -> Result<Value, MissingRequest> {
    let http = target(site("http://localhost"), Method::Get, "/x");
    let mut operation = operation("get_x", Category::Read, http);
    operation.params =
        kinds.iter().map(|(name, kind, _)| Param::new(*name, ValueKind::parse(kind).unwrap())).collect();
    let mut page = Param::new("page", ValueKind::Integer);
    page.default = Some(json!(1));
    operation.params.push(page);
    let params: Vec<_> = kinds.iter().map(|(name, _, at)| ((*name).to_owned(), path(at))).collect();
    let reader = LinkReader::of(0, &params);
    reader
        .requests(&operation, |path| find(&thing, path))
        .map(|made| made.into_iter().map(Value::Object).collect())
}

#[test]
fn one_request_for_each_element() {
    let all = |kinds: &[(&str, &str, &str)], thing| requests(kinds, thing).unwrap();
    let id = ("id", "integer", "ids");
    assert_eq!(all(&[id], json!({"ids": 4})), json!([{"page": 1, "id": 4}]));
    assert_eq!(all(&[id], json!({"ids": ["4", 5]})), json!([{"page": 1, "id": 4}, {"page": 1, "id": 5}]));
    assert_eq!(all(&[("id", "string", "ids")], json!({"ids": 4})), json!([{"page": 1, "id": "4"}]));
    assert_eq!(
        all(&[("ids", "integer[]", "ids")], json!({"ids": [4, 5]})),
        json!([{"page": 1, "ids": [4, 5]}])
    );
    let both = [id, ("of", "string", "of")];
    let thing = json!({"ids": [4, 5], "of": "x"});
    assert_eq!(all(&both, thing), json!([{"page": 1, "id": 4, "of": "x"}, {"page": 1, "id": 5, "of": "x"}]));
    assert_eq!(all(&both, json!({"ids": null, "of": "x"})), json!([]), "no link");
}

#[test]
fn gaps() {
    let id = ("id", "integer", "a.id");
    assert_eq!(requests(&[id], json!({})), Err(MissingRequest::Missing(path("a.id"))));
    let unfit = requests(&[id], json!({"a": {"id": "x"}}));
    assert!(matches!(unfit, Err(MissingRequest::Unfit { .. })), "{unfit:?}");
    let uneven = [("a", "integer", "a"), ("b", "integer", "b")];
    assert_eq!(
        requests(&uneven, json!({"a": [1, 2], "b": [1, 2, 3]})),
        Err(MissingRequest::Uneven(path("a")))
    );
}
