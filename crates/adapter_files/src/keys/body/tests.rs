//! Tests of `body`.

use super::STYLES;
use aqueduct_operations::params::Style;

#[test]
fn styles_are_those_of_the_vocabulary() {
    assert_eq!(STYLES, Style::ALL.map(|(name, _)| name));
}
