//! Tests of `edits`.

use super::{Edit, Spoiling, Writing};

#[test]
fn every_kind_of_edit_comes() {
    let edits: Vec<Edit> = (1..=60).map(Edit::of).collect();
    let count = |edit: Edit| edits.iter().filter(|other| **other == edit).count();
    for writing in [Writing::Moved, Writing::InPlace, Writing::InHalves] {
        assert!(count(Edit::Good(writing)) > 0, "{writing:?}");
    }
    let bad = [Spoiling::Nonsense, Spoiling::Empty, Spoiling::Deleted].map(|how| count(Edit::Bad(how)));
    assert_eq!(bad, [4, 4, 4]);
}
