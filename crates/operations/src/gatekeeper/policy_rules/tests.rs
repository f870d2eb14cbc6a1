//! Tests of `policy_rules`.

use super::{ParamCondition, Permission, PolicyFacts, PolicyRule, PolicyRules};
use crate::category::Category;
use crate::exposure::Glob;
use crate::params::{Param, ParamEncoding, ParamStyle, ValueKind};
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

/// An element that is a list once it is written out, in the style of its parameter, counts as that list.
#[test]
fn nobody_gets_round_a_restriction_by_spelling_a_list() {
    let written = |style, explode| {
        let mut param = Param::new("ids", ValueKind::Array(None));
        param.upstream_name = "i".to_owned();
        param.writing = Some(ParamEncoding { style, explode, allow_reserved: false });
        vec![param]
    };
    let (plain, spaces) = (Vec::new(), written(ParamStyle::SpaceDelimited, false));
    let (pipes, tabs) = (written(ParamStyle::PipeDelimited, false), written(ParamStyle::TabDelimited, false));
    let (labels, matrix) = (written(ParamStyle::Label, true), written(ParamStyle::Matrix, true));
    let seven = json!({"param": {"ids": ["7"]}});
    let pair = json!({"param": {"ids": ["1,7"]}});
    for (params, conditions, ids, is_denied) in [
        (&plain, &seven, json!(["1", "7"]), true),
        (&plain, &seven, json!(["1,7"]), true),
        (&plain, &seven, json!(["1, 7"]), true),
        (&plain, &seven, json!(["1%2C7"]), true),
        (&plain, &seven, json!([["0"], ["1,7"]]), true),
        (&plain, &seven, json!(["1,77"]), false),
        (&plain, &seven, json!(["1 7"]), false),
        (&plain, &seven, json!("1,7"), false),
        (&plain, &pair, json!(["1,7"]), true),
        (&plain, &pair, json!(["1", "7"]), true),
        (&plain, &pair, json!([1, null, 7]), true),
        (&plain, &pair, json!(["7", "1"]), false),
        (&spaces, &seven, json!(["1 7"]), true),
        (&spaces, &seven, json!(["1%207"]), true),
        (&pipes, &seven, json!(["1|7"]), true),
        (&pipes, &seven, json!(["1%7c7"]), true),
        (&tabs, &seven, json!(["1\t7"]), true),
        (&labels, &seven, json!(["1.7"]), true),
        (&matrix, &seven, json!(["1;i=7"]), true),
    ] {
        let given = values(json!({"ids": ids}));
        let facts = PolicyFacts { params, ..facts(&given) };
        for permission in [Permission::Deny, Permission::Confirm] {
            let rules = PolicyRules::new(vec![rule(permission, conditions)]);
            assert_eq!(rules.verdict(&facts).is_some(), is_denied, "{conditions} {ids}");
        }
        let rules = PolicyRules::new(vec![rule(Permission::Allow, &json!({"param": {"ids": ["1", "7"]}}))]);
        let is_allowed = ids
            .as_array()
            .is_some_and(|all| all.iter().all(|id| ["1", "7"].contains(&id.as_str().unwrap_or(""))));
        assert_eq!(rules.verdict(&facts).is_some(), is_allowed, "nothing is allowed by it: {ids}");
    }
}

/// The names of fields may be written otherwise as well, and a parameter by the name of the source.
#[test]
fn nobody_gets_round_a_restriction_by_spelling_a_name() {
    let mut param = Param::new("opts", ValueKind::Object);
    param.upstream_name = "Options".to_owned();
    let params = [param];
    for (name, given, is_denied) in [
        ("opts.env", json!({"opts": {"env": "prod"}}), true),
        ("opts.env", json!({"opts": {"Env": "prod"}}), true),
        ("opts.env", json!({"opts": {"env ": "prod"}}), true),
        ("Opts.ENV", json!({"opts": {"env": "prod"}}), false),
        ("opts.ENV", json!({"opts": {"env": "prod"}}), true),
        ("opts.to.env", json!({"opts": [{"To": [{" ENV": ["Prod"]}]}]}), true),
        ("opts.to.env", json!({"opts": {"to.Env": "prod"}}), true),
        ("opts.env", json!({"opts": {"environment": "prod"}}), false),
        ("Options.env", json!({"opts": {"env": "prod"}}), true),
    ] {
        let given = values(given);
        let facts = PolicyFacts { params: &params, ..facts(&given) };
        let conditions = json!({"param": {name: "prod"}});
        for permission in [Permission::Deny, Permission::Confirm] {
            let rules = PolicyRules::new(vec![rule(permission, &conditions)]);
            assert_eq!(rules.verdict(&facts).is_some(), is_denied, "{name} {given:?}");
        }
        let rules = PolicyRules::new(vec![rule(Permission::Allow, &conditions)]);
        let is_as_written = given == values(json!({"opts": {"env": "prod"}})) && name == "opts.env";
        assert_eq!(rules.verdict(&facts).is_some(), is_as_written, "{name} {given:?}");
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
