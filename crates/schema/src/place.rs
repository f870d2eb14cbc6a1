//! Places inside a value, as people write them: `labels[2].name`.
//!
//! Steps in, text out. A name with signs that would make the text ambiguous is quoted in brackets.

use jsonschema::paths::{Location, LocationSegment};

/// The place of a property.
pub(crate) fn property(parent: &str, name: &str) -> String {
    let plain =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@'));
    match (plain, parent.is_empty()) {
        (true, true) => name.to_owned(),
        (true, false) => format!("{parent}.{name}"),
        (false, _) => format!("{parent}[{name:?}]"),
    }
}

/// The place of an item.
pub(crate) fn item(parent: &str, index: usize) -> String {
    format!("{parent}[{index}]")
}

/// The place that a path of the validator means.
pub(crate) fn of(path: &Location) -> String {
    path.segments().fold(String::new(), |parent, segment| match segment {
        LocationSegment::Property(name) => property(&parent, &name),
        LocationSegment::Index(index) => item(&parent, index),
    })
}

#[cfg(test)]
mod tests {
    use super::{item, property};

    #[test]
    fn odd_names_are_quoted() {
        assert_eq!(property(&item("labels", 2), "name"), "labels[2].name");
        assert_eq!(property("", "a.b"), "[\"a.b\"]");
        assert_eq!(property("x", ""), "x[\"\"]");
    }
}
