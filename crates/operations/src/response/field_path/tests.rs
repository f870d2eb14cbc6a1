//! Tests of `field_path`.

use super::FieldPath;
use serde_json::{Value, json};

#[test]
fn putting() {
    let mut object = json!({"a": 1, "b": {"c": 2}}).as_object().unwrap().clone();
    for (path, value) in [("a.x.y", 3), ("b.d", 4), ("e", 5)] {
        FieldPath::parse(path).unwrap().put(&mut object, value.into());
    }
    assert_eq!(Value::Object(object), json!({"a": {"x": {"y": 3}}, "b": {"c": 2, "d": 4}, "e": 5}));
}

#[test]
fn paths() {
    let path = FieldPath::parse("owner.login").unwrap();
    assert_eq!((path.first(), path.names().len(), path.to_string()), ("owner", 2, "owner.login".to_owned()));
    for bad in ["", ".", "a.", ".a", "a..b"] {
        assert_eq!(FieldPath::parse(bad), None, "{bad}");
    }
}
