//! Tests of `keys`.

use super::{CONCURRENCY, LEVELS, TRUST_LEVELS};
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::trust::TrustLevel;

#[test]
fn words_are_those_of_the_vocabulary() {
    assert_eq!(LEVELS, DangerLevel::ALL.map(DangerLevel::name));
    assert_eq!(TRUST_LEVELS, TrustLevel::names().collect::<Vec<_>>());
    assert_eq!(CONCURRENCY, Concurrency::ALL.map(Concurrency::name));
}
