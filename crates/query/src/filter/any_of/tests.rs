//! Tests of `any_of`.

use super::{AnyOf, Scalar};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::{collection, prop_assert_eq, proptest};
use serde_json::{Value, json};
use std::borrow::Cow;

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..3).prop_map(Value::from),
        (-4_i64..6).prop_map(|halves| json!(halves as f64 / 2.0)),
        proptest::sample::select(vec![json!(1e20), json!(u64::MAX), json!(18_446_744_073_709_551_616.0)]),
        proptest::sample::select(vec![
            "true", "false", "null", "1", "1.0", "01", "-2", "1e20", "0.5", "a", ""
        ])
        .prop_map(Value::from),
    ]
}

proptest! {
    /// The same as comparing with each of them.
    #[test]
    fn as_one_by_one(wanted in collection::vec(scalar(), 1..6), found in scalar()) {
        let values: Vec<_> = wanted.iter().map(|value| Scalar::new(Cow::Owned(value.clone()))).collect();
        let found = Scalar::new(Cow::Borrowed(&found));
        let expected = values.iter().any(|value| value.equals(&found));
        prop_assert_eq!(AnyOf::of(values).has(&found), expected);
    }
}
