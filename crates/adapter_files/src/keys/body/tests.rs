//! Tests of `body`.

use super::STYLES;
use aqueduct_operations::params::ParamStyle;

#[test]
fn styles_are_those_of_the_vocabulary() {
    assert_eq!(STYLES, ParamStyle::ALL.map(|(name, _)| name));
}
