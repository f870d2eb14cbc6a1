//! Tests of `scalar`.

use super::Scalar;
use aqueduct_testkit::json::any_json;
use proptest::{prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::cmp::Ordering;

fn both(left: &Value, right: &Value) -> (bool, Option<Ordering>) {
    let [left, right] = [left, right].map(|value| Scalar::new(Cow::Borrowed(value)));
    assert_eq!(left.equals(&right), right.equals(&left));
    assert_eq!(left.order(&right), right.order(&left).map(Ordering::reverse));
    (left.equals(&right), left.order(&right))
}

#[test]
fn a_number_and_a_text_that_spells_one() {
    for (number, text) in [
        (json!(1810), "1810"),
        (json!(1810), "1810.0"),
        (json!(1810), "1.81e3"),
        (json!(-0.5), "-0.5"),
        (json!(0), "-0"),
        (json!(9_007_199_254_740_993_u64), "9007199254740993"),
    ] {
        assert_eq!(both(&number, &json!(text)), (true, Some(Ordering::Equal)), "{text}");
    }
    assert_eq!(
        both(&json!(9_007_199_254_740_992_u64), &json!("9007199254740993")),
        (false, Some(Ordering::Less))
    );
    assert_eq!(both(&json!(10), &json!("9")), (false, Some(Ordering::Greater)));
    for text in [
        "", "01810", "+1810", " 1810", "1810 ", "1810\n", "1810.", ".5", "0x10", "1e999", "NaN", "-",
        "1,810", "١",
    ] {
        for number in [0.5, 1.0, 16.0, 1810.0] {
            assert_eq!(both(&json!(number), &json!(text)), (false, None), "{text:?}");
        }
    }
}

#[test]
fn two_texts_are_texts() {
    assert_eq!(both(&json!("1"), &json!("1.0")), (false, Some(Ordering::Less)));
    assert_eq!(both(&json!("10"), &json!("9")), (false, Some(Ordering::Less)));
}

#[test]
fn booleans_and_their_names() {
    assert_eq!(both(&json!(true), &json!("true")), (true, None));
    assert_eq!(both(&json!(false), &json!("false")), (true, None));
    for other in [json!("false"), json!("True"), json!("1"), json!(1), json!(""), json!(null)] {
        assert_eq!(both(&json!(true), &other), (false, None), "{other}");
    }
    assert_eq!(both(&json!(null), &json!("null")), (false, None));
}

proptest! {
    /// Values of one kind are equal as they are, and every number is what it spells.
    #[test]
    fn of_any_values(left in any_json(), right in any_json(), digits in "-?[1-9][0-9]{0,20}(\\.[0-9]{1,20})?(e-?[0-9]{1,2})?") {
        prop_assert!(both(&left, &left).0);
        if left.is_string() == right.is_string() {
            prop_assert_eq!(both(&left, &right).0, left == right);
        }
        let number: Value = serde_json::from_str(&digits).unwrap();
        prop_assert!(both(&number, &Value::from(digits)).0);
    }
}
