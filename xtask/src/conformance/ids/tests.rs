//! Tests of `ids`.

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
