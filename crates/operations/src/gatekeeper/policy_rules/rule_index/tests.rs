//! Tests of `rule_index`: it finds what looking at every rule finds.

use super::super::{ParamCondition, Permission, PolicyFacts, PolicyRule, PolicyRules, strictest};
use super::{MOST_OPERATIONS, RuleIndex};
use crate::category::Category;
use crate::exposure::Glob;
use crate::gatekeeper::PushedParam;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Values that are the same to some rules and others to others.
fn scalar() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!("prod"),
        json!("PROD"),
        json!(" prod "),
        json!("pro%64"),
        json!("%20Pro%64"),
        json!("dev"),
        json!("Straße"),
        json!("STRASSE"),
        json!("İ"),
        json!(5),
        json!("5"),
        json!(5.0),
        json!(" 5.00 "),
        json!("5e0"),
        json!("%35"),
        json!("dev,prod"),
        json!("dev%2C 5"),
        json!("prod,5"),
        json!(0),
        json!("-0"),
        json!(-0.0),
        json!("nan"),
        json!("NaN"),
        json!("inf"),
        json!(true),
        json!("true"),
        json!(null),
        json!(""),
        json!({"a": 1}),
    ])
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            inner.clone().prop_map(|value| json!({"env": value})),
            inner.clone().prop_map(|value| json!({"Env ": value})),
            inner.prop_map(|value| json!({"state": value, "env": "dev"})),
        ]
    })
}

fn param_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["env", "input.env", "id", "input.id", "filter.env", "filter.state", "input"])
        .prop_map(str::to_owned)
}

fn maybe_glob(texts: &'static [&'static str]) -> impl Strategy<Value = Option<Glob>> {
    prop::option::weighted(0.4, prop::sample::select(texts).prop_map(Glob::of_text))
}

fn rule() -> impl Strategy<Value = PolicyRule> {
    let condition = (param_name(), prop::collection::vec(scalar(), 0..3))
        .prop_map(|(name, values)| ParamCondition { name, values });
    (
        maybe_glob(&["shop", "s*", "bank"]),
        maybe_glob(&["delete_item", "shop__delete_item", "delete_*", "*", "get_item"]),
        prop::option::weighted(0.3, prop::sample::select(vec![Category::Delete, Category::Read])),
        maybe_glob(&["ada", "bob", "a*", "*"]),
        prop::collection::vec(condition, 0..3),
        prop::sample::select(vec![Permission::Allow, Permission::Confirm, Permission::Deny]),
    )
        .prop_map(|(source, operation, category, caller, params, permission)| PolicyRule {
            source,
            operation,
            category,
            caller,
            params,
            permission,
            reason: None,
        })
}

fn call_values() -> impl Strategy<Value = Map<String, Value>> {
    let name = prop::sample::select(vec!["env", "id", "filter", "input", "input.env"]);
    prop::collection::vec((name, value()), 0..4)
        .prop_map(|values| values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The same rule decides, whether all are looked at or those that the index names; at the first call and at later ones.
    #[test]
    fn the_index_misses_no_rule(
        rules in prop::collection::vec(rule(), 1..12),
        calls in prop::collection::vec((call_values(), prop::option::of(value()), 0..3_usize, 0..3_usize), 1..6),
    ) {
        let rules = PolicyRules::new(rules);
        for (values, pushed, caller, operation) in &calls {
            let pushed = pushed.as_ref().and_then(Value::as_str).map(|text| PushedParam { name: "env".to_owned(), value: text.to_owned() });
            let pushed: Vec<_> = pushed.into_iter().collect();
            let (operation, public_name, category) = [
                ("delete_item", "shop__delete_item", Category::Delete),
                ("get_item", "get_item", Category::Read),
                ("delete_all", "delete_all", Category::Delete),
            ][*operation];
            let facts = PolicyFacts {
                source: "shop",
                operation,
                public_name,
                category,
                is_introspection: false,
                caller: [None, Some("ada"), Some("bob")][*caller],
                values: Some(values),
                pushed: &pushed,
                params: &[],
            };
            let expected = strictest(rules.iter(), &facts);
            for _ in 0..2 {
                prop_assert_eq!(rules.verdict(&facts), expected, "{:?} {:?}", rules, facts);
            }
        }
    }
}

fn deny(operation: &str) -> PolicyRule {
    PolicyRule {
        source: None,
        operation: Some(Glob::of_text(operation)),
        category: None,
        caller: None,
        params: Vec::new(),
        permission: Permission::Deny,
        reason: None,
    }
}

fn facts<'a>(source: &'a str, name: &'a str, values: &'a Map<String, Value>) -> PolicyFacts<'a> {
    PolicyFacts {
        source,
        operation: name,
        public_name: name,
        category: Category::Read,
        is_introspection: false,
        caller: None,
        values: Some(values),
        pushed: &[],
        params: &[],
    }
}

/// What is known of one operation says nothing about another that shares its name.
#[test]
fn operations_of_one_name_are_told_apart() {
    let rule = PolicyRule { source: Some(Glob::of_text("shop")), ..deny("get_*") };
    let (rules, values) = (PolicyRules::new(vec![rule]), Map::new());
    for _ in 0..2 {
        assert!(rules.verdict(&facts("shop", "get_item", &values)).is_some());
        assert!(rules.verdict(&facts("bank", "get_item", &values)).is_none());
        let introspection = PolicyFacts { is_introspection: true, ..facts("shop", "get_item", &values) };
        assert!(rules.verdict(&introspection).is_none(), "only its whole name reaches introspection");
        let delete = PolicyFacts { operation: "delete_item", ..facts("shop", "get_item", &values) };
        assert!(rules.verdict(&delete).is_some(), "the public name fits");
    }
}

/// What is kept is bounded, and what is beyond it is judged all the same.
#[test]
fn what_is_kept_is_bounded() {
    let (index, rules, values) = (RuleIndex::default(), [deny("get_7*")], Map::new());
    for number in 0..MOST_OPERATIONS + 10 {
        let name = format!("get_{number}");
        let found = index.candidates(&rules, &facts("shop", &name, &values));
        assert_eq!(found.len(), usize::from(name.starts_with("get_7")), "{name}");
    }
    let known = index.0.read().unwrap();
    assert_eq!(known.operations.len(), 10);
    assert_eq!(
        known.shared.len(),
        1 + usize::from(known.operations.keys().any(|name| name.starts_with("get_7")))
    );
}
