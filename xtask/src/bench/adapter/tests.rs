//! Tests of `adapter`.

#[test]
fn has_as_many_operations_as_asked_for() {
    for count in [20, 1000] {
        assert_eq!(super::text(count).matches("maps_to").count(), count);
    }
}
