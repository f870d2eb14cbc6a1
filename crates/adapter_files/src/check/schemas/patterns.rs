//! Patterns of a schema that no text can be held against: told where they stand, and left as they are.
//!
//! A schema in; a warning for each such pattern out.

use aqueduct_documents::NodeValue;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_schema::Keyword;
use aqueduct_source_kind::unusable_patterns::{PatternChecker, UNUSABLE_PATTERN};

/// Reports the patterns of a schema that cannot be used.
pub(super) fn report(at: &NodeCursor<'_>, judge: &mut PatternChecker, found: &mut Findings<'_>) {
    at.elements().for_each(|element| report(&element, judge, found));
    for (entry, value) in at.entries() {
        match (entry.key.as_str(), &value.node.value) {
            ("pattern", NodeValue::String(pattern)) => warn(&value, pattern, judge, found),
            (key, _) if Keyword::is_data(key) => {}
            (key, NodeValue::Map(_)) if Keyword::is_schema_map(key) => {
                for (entry, schema) in value.entries() {
                    if key == "patternProperties" {
                        warn(&schema, &entry.key, judge, found);
                    }
                    report(&schema, judge, found);
                }
            }
            _ => report(&value, judge, found),
        }
    }
}

fn warn(at: &NodeCursor<'_>, pattern: &str, judge: &mut PatternChecker, found: &mut Findings<'_>) {
    if let Some(words) = judge.words(pattern) {
        at.warning(UNUSABLE_PATTERN, words).add_to(found);
    }
}
