//! Tests of `conformance`.

use super::{all_problems, gather};
use crate::repo;

#[test]
fn every_row_of_a_finished_part_is_accounted_for_and_the_page_is_up_to_date() {
    let root = repo::root().unwrap();
    let problems = all_problems(root, &gather(root).unwrap()).unwrap();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
