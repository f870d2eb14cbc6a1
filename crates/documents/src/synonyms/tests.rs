//! Tests of `synonyms`.

use super::{KEYS, of_key, of_plugin};

#[test]
fn meant_by_another_word() {
    assert_eq!(of_key("pagination", "cursor_path").unwrap(), "did you mean 'next_path'?");
    assert_eq!(of_key("pagination", "nextCursor").unwrap(), "did you mean 'next_path'?");
    assert!(of_key("param", "properties").unwrap().contains("'schema'"));
    assert_eq!(of_key("operation", "cursor_path"), None, "a word means something in its block only");
    assert!(of_plugin("target.protocol", "custom").unwrap().contains("TOOL name"));
    assert_eq!(of_plugin("target.serialization", "custom"), None);
}

#[test]
fn words_are_written_as_they_are_compared() {
    for word in KEYS.iter().flat_map(|row| row.words) {
        let is_plain = word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        assert!(is_plain, "{word}");
    }
}
