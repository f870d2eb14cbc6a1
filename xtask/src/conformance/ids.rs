//! Finds row IDs in text.
//!
//! In: a line of a comment. Out: the IDs in it, whole ones only: `R1.2-1` is not found inside `R1.2-11`, nor
//! `X-intro-1` inside `X-intro-10`. An ID that opens a range (`R8.2-1..11`) is marked, because a range hides its rows.

use std::sync::LazyLock;

use regex::Regex;

/// An ID found in text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub id: String,
    /// Whether the writer meant a range of rows.
    pub opens_range: bool,
}

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled by every test run")]
static ID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[RMO]\d+(?:\.\d+)*|C(?:\d+(?:\.\d+)*|A\.\d+|D)|[SX]-[a-z]+)-\d+").unwrap()
});

/// The IDs of a text, in order.
pub(super) fn find(text: &str) -> Vec<Found> {
    ID.find_iter(text)
        .filter(|found| {
            !continues_to_the_left(&text[..found.start()]) && !continues_to_the_right(&text[found.end()..])
        })
        .map(|found| Found { id: found.as_str().to_owned(), opens_range: opens_range(&text[found.end()..]) })
        .collect()
}

fn continues_to_the_left(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn continues_to_the_right(after: &str) -> bool {
    let mut rest = after.chars();
    match rest.next() {
        Some('-' | '.') => rest.next().is_some_and(char::is_alphanumeric),
        Some(c) => c.is_alphanumeric() || c == '_',
        None => false,
    }
}

fn opens_range(after: &str) -> bool {
    let after = after.trim_start();
    after.starts_with("..") || after.starts_with('…') || after.starts_with("to -") || after.starts_with(", -")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::find;

    fn ids(text: &str) -> Vec<String> {
        find(text).into_iter().map(|found| found.id).collect()
    }

    #[test]
    fn every_family_of_ids_is_found() {
        let all = "R1.2-1 R11.1-2 M2.1.1-11 O1-1 O4.4.2-10 C0-1 C10.1-3 CA.2-1 CD-1 S-openapi-4 X-intro-12";
        assert_eq!(ids(all), all.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn punctuation_ends_an_id() {
        assert_eq!(
            ids("R6.2.1-4, R11.1-1: a slash (C3.3-1). X-intro-2; `O1-1`"),
            ["R6.2.1-4", "R11.1-1", "C3.3-1", "X-intro-2", "O1-1"]
        );
    }

    #[test]
    fn part_of_a_longer_word_is_no_id() {
        assert_eq!(ids("UTF-8 RFC-7396 xR1.2-1 R1.2-1a R1.2-1-2 X-Api-Key-1 R1.2-1.5 ISO-8601"), [""; 0]);
    }

    #[test]
    fn a_range_is_marked() {
        for text in ["R8.2-1..11", "R8.2-1 .. R8.2-3", "R8.2-1…3", "R8.2-1, -2", "R8.2-1..R8.2-3"] {
            assert!(find(text)[0].opens_range, "{text}");
        }
        assert!(!find("R8.2-1, R8.2-2")[0].opens_range);
        assert!(!find("R8.2-1.")[0].opens_range);
    }

    proptest! {
        #[test]
        fn a_shorter_id_is_never_found_inside_a_longer_one(section in 1u8..12, row in 1u32..500) {
            let id = format!("R{section}.2-{row}");
            prop_assert_eq!(ids(&id), vec![id.clone()]);
            let sentence = format!("see {id}: text");
            prop_assert_eq!(ids(&sentence), vec![id]);
        }
    }
}
