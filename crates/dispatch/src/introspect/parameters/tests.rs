//! Tests of `parameters`.

use super::info;
use aqueduct_operations::params::{Param, Shape, ValueKind};

/// X-intro-10: a value of a declared type is shown with that type's name, in a list too.
#[test]
fn declared_types_by_name() {
    let mut owner = Param::new("owner", ValueKind::Object);
    owner.shape.reference = Some("User".to_owned());
    assert_eq!(info(&owner)["type"], "User");
    let mut owners = Param::new("owners", ValueKind::parse("object[]").unwrap());
    owners.shape.reference = Some("User".to_owned());
    assert_eq!(info(&owners)["type"], "User[]");
    let mut list = Param::new("list", ValueKind::Array(None));
    list.shape.items =
        Some(Box::new(Shape { reference: Some("User".to_owned()), ..Shape::of(ValueKind::Object) }));
    assert_eq!(info(&list)["items"]["type"], "User");
}
