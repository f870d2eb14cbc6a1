//! Tests of `call`.

use super::operation_index;

/// The operation is the first word in its form; a name as a document writes it will do, to be told what it became.
#[test]
fn where_the_operation_stands() {
    let at = |words: &[&str]| operation_index(&words.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(at(&["names.json", "get_thing", "id=1"]), Some(1));
    assert_eq!(at(&["names.json", "getThing", "id=1"]), Some(1));
    assert_eq!(at(&["a.json", "b.json", "get-thing"]), Some(2));
    assert_eq!(at(&["names.json", "https://example.com/x", "id=1"]), None);
}
