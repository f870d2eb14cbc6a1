//! Tests of `policy_rules`.

use super::{ParamCondition, Permission, PolicyFacts, PolicyRule, PolicyRules};
use crate::category::Category;
use crate::exposure::Glob;
use serde_json::{Map, Value, json};

fn rule(permission: Permission, conditions: &Value) -> PolicyRule {
    let glob = |key: &str| conditions[key].as_str().map(Glob::of_text);
    let params = conditions["param"].as_object().cloned().unwrap_or_default();
    PolicyRule {
        source: glob("source"),
        operation: glob("operation"),
        category: conditions["category"].as_str().and_then(Category::parse),
        caller: glob("caller"),
        params: params
            .into_iter()
            .map(|(name, value)| ParamCondition {
                name,
                values: value.as_array().cloned().unwrap_or_else(|| vec![value]),
            })
            .collect(),
        permission,
        reason: None,
    }
}

/// `delete_item` of the source `shop`, called by `ada` with these values.
fn facts(values: &Map<String, Value>) -> PolicyFacts<'_> {
    PolicyFacts {
        source: "shop",
        operation: "delete_item",
        public_name: "shop__delete_item",
        category: Category::Delete,
        is_introspection: false,
        caller: Some("ada"),
        values: Some(values),
        pushed: &[],
        params: &[],
    }
}

fn values(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn each_condition_fits_what_it_names() {
    let given =
        values(json!({"id": 7, "force": true, "labels": ["old", "Prod"], "input": {"state": "open"}}));
    let fitting = [
        json!({}),
        json!({"source": "shop"}),
        json!({"source": "s*"}),
        json!({"operation": "delete_item"}),
        json!({"operation": "shop__delete_item"}),
        json!({"operation": "delete_*"}),
        json!({"operation": "*__delete_*"}),
        json!({"category": "delete"}),
        json!({"caller": "ada"}),
        json!({"param": {"id": 7}}),
        json!({"param": {"id": "7"}}),
        json!({"param": {"id": 7.0}}),
        json!({"param": {"id": [1, 7]}}),
        json!({"param": {"force": true}}),
        json!({"param": {"labels": "prod"}}),
        json!({"param": {"input.state": "OPEN"}}),
        json!({"source": "shop", "operation": "delete_item", "category": "DELETE", "caller": "a*", "param": {"id": 7}}),
    ];
    for conditions in fitting {
        let rules = PolicyRules::new(vec![rule(Permission::Deny, &conditions)]);
        assert!(rules.verdict(&facts(&given)).is_some(), "{conditions}");
    }
    let others = [
        json!({"source": "sho"}),
        json!({"operation": "item"}),
        json!({"category": "READ"}),
        json!({"caller": "bob"}),
        json!({"param": {"id": 8}}),
        json!({"param": {"missing": 7}}),
        json!({"param": {"labels": "new"}}),
        json!({"source": "shop", "caller": "bob"}),
        json!({"param": {"id": 7, "force": false}}),
    ];
    for conditions in others {
        let rules = PolicyRules::new(vec![rule(Permission::Deny, &conditions)]);
        assert!(rules.verdict(&facts(&given)).is_none(), "{conditions}");
    }
}

/// X-gate-3: of the rules that fit, deny wins over confirm, and confirm over allow, whatever their order.
#[test]
fn the_strictest_wins() {
    use Permission::{Allow, Confirm, Deny};
    let given = Map::new();
    for (permissions, expected, number) in [
        (vec![Allow], Allow, 1),
        (vec![Allow, Confirm], Confirm, 2),
        (vec![Confirm, Allow], Confirm, 1),
        (vec![Allow, Deny, Confirm], Deny, 2),
        (vec![Deny, Allow, Deny], Deny, 1),
        (vec![Confirm, Confirm], Confirm, 1),
    ] {
        let rules =
            permissions.iter().map(|permission| rule(*permission, &json!({"operation": "delete_item"})));
        let rules = PolicyRules::new(rules.collect());
        let verdict = rules.verdict(&facts(&given)).unwrap();
        assert_eq!((verdict.rule.permission, verdict.number), (expected, number), "{permissions:?}");
    }
}

/// Ruling S2: only a rule with the operation's whole name lifts a confirmation.
#[test]
fn patterns_lift_nothing() {
    let given = Map::new();
    for (conditions, lifts) in [
        (json!({"operation": "delete_item"}), true),
        (json!({"operation": "shop__delete_item"}), true),
        (json!({"operation": "delete_item", "caller": "ada"}), true),
        (json!({"operation": "delete_*"}), false),
        (json!({"operation": "*"}), false),
        (json!({"source": "shop"}), false),
        (json!({}), false),
    ] {
        let rules =
            PolicyRules::new(vec![rule(Permission::Allow, &json!({})), rule(Permission::Allow, &conditions)]);
        assert_eq!(rules.verdict(&facts(&given)).unwrap().lifts_confirmation, lifts, "{conditions}");
    }
}

#[test]
fn nobody_gets_round_a_restriction_by_spelling() {
    let spellings = [json!("prod"), json!("PROD"), json!(" prod"), json!("pro%64"), json!(["dev", "prod"])];
    let conditions = json!({"param": {"env": "prod"}});
    for spelling in spellings {
        let given = values(json!({"env": spelling}));
        for permission in [Permission::Deny, Permission::Confirm] {
            let rules = PolicyRules::new(vec![rule(permission, &conditions)]);
            assert!(rules.verdict(&facts(&given)).is_some(), "{spelling}");
        }
        let rules = PolicyRules::new(vec![rule(Permission::Allow, &conditions)]);
        assert_eq!(rules.verdict(&facts(&given)).is_some(), spelling == json!("prod"), "{spelling}");
    }
}

/// What is the same for everybody and every value is known before anyone calls.
#[test]
fn without_a_call_only_general_rules_hold() {
    let given = Map::new();
    let whoever = PolicyFacts { caller: None, values: None, ..facts(&given) };
    for (conditions, holds) in [
        (json!({"operation": "delete_item"}), true),
        (json!({"caller": "ada"}), false),
        (json!({"param": {"id": 7}}), false),
    ] {
        let rules = PolicyRules::new(vec![rule(Permission::Deny, &conditions)]);
        assert_eq!(rules.verdict(&whoever).is_some(), holds, "{conditions}");
        assert_eq!(rules.tells_calls_apart(&whoever), !holds, "{conditions}");
    }
}

/// A denial of everything leaves clients the means to find out what there is.
#[test]
fn introspection_is_denied_by_its_name_only() {
    let given = Map::new();
    let introspect = PolicyFacts {
        operation: "introspect",
        public_name: "introspect",
        category: Category::Read,
        is_introspection: true,
        ..facts(&given)
    };
    for (conditions, denies) in [
        (json!({}), false),
        (json!({"operation": "*"}), false),
        (json!({"category": "READ"}), false),
        (json!({"operation": "introspect"}), true),
    ] {
        let rules = PolicyRules::new(vec![rule(Permission::Deny, &conditions)]);
        assert_eq!(rules.verdict(&introspect).is_some(), denies, "{conditions}");
    }
}
