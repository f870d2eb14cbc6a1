//! Tests of `synonyms`.

use super::line;

#[test]
fn lines_of_the_lexicon() {
    for (text, expected) in [
        ("refund, money back", Some("= refund, money back")),
        ("ticket, case -> issue", Some("issue < ticket, case")),
        ("purge -> delete, remove", Some("delete | remove < purge")),
        ("a = b, c", Some("= a   b, c")),
        ("refund", None),
        ("-> issue", None),
        ("ticket ->", None),
        (" , ", None),
    ] {
        assert_eq!(line(text).as_deref(), expected, "{text}");
    }
}
