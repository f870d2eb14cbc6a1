//! Tests of `rows`.

use super::{COLUMNS, load, parse};
use crate::repo;

#[test]
fn a_row_has_an_id_a_level_a_part_a_section_and_a_title() {
    let rows = parse(&format!("{COLUMNS}\nR1.2-1\tMUST NOT\t3\t1.2\tNothing is lost")).unwrap();
    assert_eq!((rows[0].id.as_str(), rows[0].level.as_str(), rows[0].part), ("R1.2-1", "MUST NOT", 3));
}

#[test]
fn a_damaged_row_is_refused_with_its_line() {
    for line in
        ["R1.2-1\tMUST\t1\t1.2", "no\tMUST\t1\t1.2\tx", "R1.2-1\tSHALL\t1\t1.2\tx", "R1.2-1\tMUST\t9\t1.2\tx"]
    {
        let error = parse(&format!("{COLUMNS}\n{line}")).unwrap_err();
        assert_eq!(error.to_string(), "line 2", "{line}");
    }
}

#[test]
fn the_ledgers_of_the_repository_are_complete() {
    let counts: Vec<usize> =
        load(repo::root().unwrap()).unwrap().iter().map(|ledger| ledger.rows.len()).collect();
    assert_eq!(counts, [340, 189, 183, 122, 123, 428]);
}
