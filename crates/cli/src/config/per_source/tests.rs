//! Tests of `per_source`.

use super::as_given;

/// A URL may hold signs of its own; whatever is no source is left to be a value.
#[test]
fn sources_as_they_were_given() {
    let given =
        ["https://a.example/x?v=1".to_owned(), "https://a.example/x".to_owned(), "t-adapter.md".to_owned()];
    assert_eq!(as_given("https://a.example/x?v=1=TOKEN", &given), Some(("https://a.example/x?v=1", "TOKEN")));
    assert_eq!(as_given("https://a.example/x=TOKEN", &given), Some(("https://a.example/x", "TOKEN")));
    assert_eq!(as_given("t-adapter.md=X-A: b=c", &given), Some(("t-adapter.md", "X-A: b=c")));
    for other in ["https://a.example/y=TOKEN", "tasks=TOKEN", "TOKEN", "t-adapter.md"] {
        assert_eq!(as_given(other, &given), None, "{other}");
    }
}
