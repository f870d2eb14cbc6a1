//! Tests of `computed`.

use super::{FieldPath, Template, TemplatePiece};

#[test]
fn templates() {
    let value = |path: &str| TemplatePiece::Value(FieldPath::parse(path).unwrap());
    let literal = |text: &str| TemplatePiece::Literal(text.to_owned());
    let parsed = |text: &str| Template::parse(text).map(|template| template.0);
    assert_eq!(parsed("{a.b}/{c}"), Some(vec![value("a.b"), literal("/"), value("c")]));
    assert_eq!(parsed("plain"), Some(vec![literal("plain")]));
    assert_eq!(parsed("{{x}} {y}"), Some(vec![literal("{x} "), value("y")]));
    for bad in ["{", "}", "{a", "a}", "{}", "{a..b}"] {
        assert_eq!(parsed(bad), None, "{bad}");
    }
}
