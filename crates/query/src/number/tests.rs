//! Tests of `number`.

use super::{Number, Sum};
use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};
use serde_json::{Value, json};
use std::cmp::Ordering;

fn number(value: Value) -> Number {
    Number::of(&value).unwrap()
}

#[test]
fn the_numbers_decide_not_their_floats() {
    for (less, more) in [
        (json!(9_007_199_254_740_992_u64), json!(9_007_199_254_740_993_u64)),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_994.0)),
        (json!(u64::MAX), json!(18_446_744_073_709_551_616.0)),
        (json!(-1.5), json!(-1)),
        (json!(-2), json!(-1.5)),
        (json!(1), json!(1.5)),
        (json!(1.5), json!(2)),
        (json!(u64::MAX), json!(1e300)),
        (json!(-1e300), json!(i64::MIN)),
    ] {
        assert_eq!(number(less.clone()).compare(number(more.clone())), Ordering::Less, "{less} {more}");
        assert_eq!(number(more.clone()).compare(number(less.clone())), Ordering::Greater, "{more} {less}");
    }
    for (left, right) in [(json!(1), json!(1.0)), (json!(0), json!(-0.0)), (json!(1e20), json!(1e20))] {
        assert_eq!(number(left).compare(number(right)), Ordering::Equal);
    }
}

#[test]
fn sums() {
    let sum = |terms: &[Value]| {
        let mut sum = Sum::default();
        terms.iter().for_each(|term| sum.add(number(term.clone())));
        (sum.total().to_json(), sum.mean().map(Number::to_json))
    };
    assert_eq!(sum(&[]), (json!(0), None));
    assert_eq!(sum(&[json!(1), json!(2)]), (json!(3), Some(json!(1.5))));
    assert_eq!(sum(&[json!(1.5), json!(1.5)]), (json!(3), Some(json!(1.5))));
    assert_eq!(sum(&[json!(i64::MAX), json!(1)]).0, json!(9_223_372_036_854_775_808_u64));
    assert_eq!(sum(&[json!(u64::MAX), json!(u64::MAX)]).0, json!(36_893_488_147_419_103_230.0));
    assert_eq!(sum(&vec![json!(0.1); 10]).0, json!(1));
    assert_eq!(sum(&[json!(1e300), json!(1), json!(-1e300)]).0, json!(1));
    assert_eq!(sum(&[json!(1e308), json!(1e308)]).0, Value::Null);
}

fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(|n| number(json!(n))),
        (-4_i64..4).prop_map(|n| number(json!(n))),
        (-8_i64..8).prop_map(|n| number(json!(n as f64 / 2.0))),
        any::<i64>().prop_map(|n| number(json!(n as f64))),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(|n| number(json!(n))),
    ]
}

proptest! {
    /// Sorting needs an order without contradictions.
    #[test]
    fn the_order_is_total(mut numbers in proptest::collection::vec(any_number(), 3)) {
        numbers.sort_by(|a, b| a.compare(*b));
        for (i, a) in numbers.iter().enumerate() {
            for b in &numbers[i..] {
                prop_assert_eq!(a.compare(*b), b.compare(*a).reverse());
                prop_assert_eq!(a.compare(*b) == Ordering::Equal, a.identity() == b.identity());
                proptest::prop_assert!(a.compare(*b) != Ordering::Greater);
            }
        }
    }
}
