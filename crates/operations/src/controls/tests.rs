//! Tests of `controls`.

use super::{Control, FORMS};
use crate::params::ValueKind;

#[test]
fn the_table_is_sound() {
    for (index, form) in FORMS.iter().enumerate() {
        assert_eq!(form.control as usize, index, "{}", form.name);
        assert!(ValueKind::parse(form.kind).is_some(), "{}", form.kind);
    }
    assert_eq!(Control::all().count(), FORMS.len());
}
