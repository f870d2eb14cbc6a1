//! Tests of `place`.

use super::{ValuePath, item, property};

#[test]
fn odd_names_are_quoted() {
    assert_eq!(property(&item("labels", 2), "name"), "labels[2].name");
    assert_eq!(property("", "a.b"), "[\"a.b\"]");
    assert_eq!(property("x", ""), "x[\"\"]");
}

#[test]
fn steps_become_text() {
    let root = ValuePath::root();
    let labels = root.property("labels");
    let second = labels.item(2);
    assert_eq!((second.property("name").text().as_str(), second.depth()), ("labels[2].name", 2));
}
