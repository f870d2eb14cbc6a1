//! Tests of `format`.

use super::Format;

#[test]
fn checked_names_are_those_of_the_table() {
    assert!(super::CHECKED.iter().map(|(name, _)| *name).eq(Format::CHECKED_NAMES));
}

/// C4.7.2-1: only ISO 8601 passes for dates; C4.7.4-1: only padded base64 passes for binary; X-intro-11: the hints.
#[test]
fn accepted_and_refused() {
    for (name, good, bad) in [
        (
            "date",
            vec!["2026-02-04"],
            vec!["04/02/2026", "2026-2-4", "2026-02-30", "20260204", "yesterday", ""],
        ),
        (
            "date-time",
            vec!["2026-02-04T10:30:00Z", "2026-02-04T10:30:00+05:30", "2026-02-04T10:30:00.5Z"],
            vec![
                "2026-02-04",
                "2026-02-04 10:30:00Z",
                "2026-02-04T10:30:00",
                "2026-02-04T10:30:00+01:00[Europe/Paris]",
                "1770201000",
                "Feb 4",
            ],
        ),
        ("byte", vec!["aGVsbG8=", ""], vec!["aGVsbG8", "aGVs bG8=", "_-__", "é"]),
        ("email", vec!["a@b.c"], vec!["a", "@b", "a@", "a b@c"]),
        ("uri", vec!["https://a.b/c"], vec!["a/b", "//a", " https://a.b", "https://a.b/\nc"]),
        (
            "uuid",
            vec!["123e4567-e89b-12d3-a456-426614174000"],
            vec!["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g"],
        ),
        ("slug", vec!["anything goes"], vec![]),
    ] {
        let format = Format::parse(name);
        assert_eq!(format.to_string(), name);
        for text in good {
            assert!(format.accepts(text), "{name}: {text}");
        }
        for text in bad {
            assert!(!format.accepts(text), "{name}: {text}");
        }
    }
}
