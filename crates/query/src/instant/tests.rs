//! Tests of `instant`.

use super::instant;

#[test]
fn dates_and_timestamps() {
    let same = [
        "2024-05-01",
        "2024-05-01T00:00:00",
        "2024-05-01T00:00:00Z",
        "2024-05-01T02:00:00+02:00",
        "2024-05-01 00:00:00.000Z",
        "2024-04-30T20:00:00-04:00",
    ];
    for text in same {
        assert_eq!(instant(text), instant(same[0]), "{text}");
    }
    assert!(instant("2024-05-01").is_some());
}

#[test]
fn everything_else_is_text() {
    for text in
        ["", "2024", "20240501", "2024-13-01", "2024-05-01 or so", "2024-05-01-draft", "1714521600", "é"]
    {
        assert_eq!(instant(text), None, "{text}");
    }
}
