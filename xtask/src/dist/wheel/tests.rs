//! The list of files in a wheel.

use super::lines_of;
use crate::dist::contents::Entry;

#[test]
fn a_record_has_the_checksum_and_size_of_each_file() {
    let lines = lines_of(&[Entry::text("info/WHEEL", "abc")]);
    assert_eq!(lines, "info/WHEEL,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n");
}
