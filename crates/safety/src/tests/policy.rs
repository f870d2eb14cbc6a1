//! Conflicts between trust, danger and the operator's rules, and between rules, each with who wins.

use super::gatekeeper::entry;
use aqueduct_operations::call::Caller;
use aqueduct_operations::category::Category::{self, Create, Delete, Execute, Read, Update};
use aqueduct_operations::danger::DangerLevel::{self, Dangerous, Destructive, Forbidden, Reversible, Safe};
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{GateDecision, ParamCondition, Permission, PolicyRule, PolicyRules};
use serde_json::json;

/// `deny operation=delete_* param.env=prod`, several apart by `;`.
fn rules(text: &str) -> PolicyRules {
    PolicyRules::new(text.split(';').map(str::trim).filter(|rule| !rule.is_empty()).map(rule).collect())
}

fn rule(text: &str) -> PolicyRule {
    let mut words = text.split(' ');
    let decision = words.next().unwrap();
    let mut rule = PolicyRule {
        source: None,
        operation: None,
        category: None,
        caller: None,
        params: Vec::new(),
        permission: Permission::parse(decision).unwrap(),
        reason: None,
    };
    for word in words {
        let (key, value) = word.split_once('=').unwrap();
        match key {
            "source" => rule.source = Some(Glob::of_text(value)),
            "operation" => rule.operation = Some(Glob::of_text(value)),
            "category" => rule.category = Some(Category::parse(value).unwrap()),
            "caller" => rule.caller = Some(Glob::of_text(value)),
            _ => rule.params.push(ParamCondition {
                name: key.strip_prefix("param.").unwrap().to_owned(),
                values: vec![json!(value)],
            }),
        }
    }
    rule
}

/// X-gate-3, ruling S2: the operation is `act` of the source `shop`, called by `ada` with `id: 7`.
#[test]
fn the_strictest_of_all_wins() {
    type Conflict = (&'static str, Category, DangerLevel, &'static str, &'static str);
    let conflicts: [Conflict; 48] = [
        // A rule against what trust and danger allow.
        ("validated", Read, Safe, "", "allow"),
        ("validated", Read, Safe, "allow operation=act", "allow"),
        ("validated", Read, Safe, "confirm operation=act", "confirm"),
        ("validated", Read, Safe, "deny operation=act", "deny"),
        ("validated", Read, Safe, "deny source=shop", "deny"),
        ("validated", Read, Safe, "deny category=READ", "deny"),
        ("validated", Read, Safe, "deny caller=ada", "deny"),
        ("validated", Read, Safe, "deny param.id=7", "deny"),
        ("validated", Read, Safe, "deny operation=other", "allow"),
        ("validated", Read, Safe, "deny caller=bob", "allow"),
        ("validated", Read, Safe, "deny param.id=8", "allow"),
        // A rule against a confirmation: only the whole name lifts it.
        ("validated", Delete, Destructive, "", "confirm"),
        ("validated", Delete, Destructive, "allow operation=act", "allow"),
        ("validated", Delete, Destructive, "allow operation=act caller=ada", "allow"),
        ("validated", Delete, Destructive, "allow operation=act caller=bob", "confirm"),
        ("validated", Delete, Destructive, "allow operation=act param.id=7", "allow"),
        ("validated", Delete, Destructive, "allow operation=act param.id=8", "confirm"),
        ("validated", Delete, Destructive, "allow operation=a*", "confirm"),
        ("validated", Delete, Destructive, "allow operation=*", "confirm"),
        ("validated", Delete, Destructive, "allow source=shop", "confirm"),
        ("validated", Delete, Destructive, "allow category=DELETE", "confirm"),
        ("validated", Delete, Destructive, "allow", "confirm"),
        ("validated", Delete, Destructive, "confirm operation=act", "confirm"),
        ("validated", Delete, Destructive, "deny operation=act", "deny"),
        ("certified", Execute, Forbidden, "allow operation=act", "allow"),
        ("certified", Execute, Dangerous, "allow operation=act", "allow"),
        ("certified", Execute, Forbidden, "allow category=EXECUTE", "confirm"),
        // No rule lifts a denial.
        ("untested", Read, Safe, "allow operation=act", "deny"),
        ("generated", Create, Reversible, "allow operation=act", "deny"),
        ("generated", Update, Reversible, "confirm operation=act", "deny"),
        ("community", Delete, Destructive, "allow operation=act", "deny"),
        ("verified", Delete, Destructive, "allow operation=act", "deny"),
        ("validated", Execute, Dangerous, "allow operation=act", "deny"),
        ("community_reviewed", Execute, Forbidden, "allow operation=act", "deny"),
        ("generated", Delete, Destructive, "allow source=shop; allow operation=act", "deny"),
        // Rules against rules, in either order.
        ("validated", Read, Safe, "allow operation=act; deny source=shop", "deny"),
        ("validated", Read, Safe, "deny source=shop; allow operation=act", "deny"),
        ("validated", Read, Safe, "allow operation=act; confirm category=READ", "confirm"),
        ("validated", Read, Safe, "confirm category=READ; allow operation=act", "confirm"),
        ("validated", Read, Safe, "confirm operation=act; deny caller=ada", "deny"),
        ("validated", Read, Safe, "deny caller=a*; confirm operation=act", "deny"),
        ("validated", Read, Safe, "deny caller=bob; confirm operation=act", "confirm"),
        ("validated", Read, Safe, "deny param.id=8; confirm param.id=7; allow operation=act", "confirm"),
        ("validated", Delete, Destructive, "allow operation=act; confirm source=shop", "confirm"),
        ("validated", Delete, Destructive, "confirm param.id=7; allow operation=act", "confirm"),
        ("validated", Delete, Destructive, "allow operation=a*; allow operation=act", "allow"),
        ("validated", Delete, Destructive, "allow operation=act; deny param.id=7", "deny"),
        ("validated", Delete, Destructive, "allow operation=act; deny param.id=8", "allow"),
    ];
    let caller = Caller::named("ada");
    let values = json!({"id": 7}).as_object().unwrap().clone();
    for (trust, category, danger, text, expected) in conflicts {
        let entry = entry(trust, category, danger);
        let decision = GateDecision::of_call(&rules(text), &entry, &caller, &values, &[]);
        assert_eq!(
            decision.name(),
            expected,
            "{trust} {category:?} {danger:?} with '{text}': {}",
            decision.rule
        );
    }
}

/// X-gate-3: conflicts by how a value, a caller or a name is written. Rules that restrict fit generously, those that allow exactly; the
/// operation is `act` of `shop`, a DELETE that needs a confirmation.
#[test]
fn conflicts_of_spellings() {
    let conflicts = [
        // The caller, the values of the call, the rules, and who wins.
        ("ada", json!({"env": "prod"}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": "PROD"}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": " prod "}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": "pro%64"}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": ["dev", "prod"]}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": "production"}), "allow operation=act; deny param.env=prod", "allow"),
        ("ada", json!({"env": "dev"}), "allow operation=act param.env=dev; confirm source=shop", "confirm"),
        ("ada", json!({"env": "dev"}), "allow operation=act param.env=dev", "allow"),
        ("ada", json!({"env": "DEV"}), "allow operation=act param.env=dev", "confirm"),
        ("ada", json!({"env": "de%76"}), "allow operation=act param.env=dev", "confirm"),
        ("ada", json!({"env": ["dev", "prod"]}), "allow operation=act param.env=dev", "confirm"),
        ("ada", json!({"env": []}), "allow operation=act param.env=dev", "confirm"),
        ("ada", json!({}), "allow operation=act param.env=dev", "confirm"),
        ("ada", json!({"count": 5.0}), "allow operation=act; deny param.count=5", "deny"),
        ("ada", json!({"count": "5"}), "allow operation=act; deny param.count=5", "deny"),
        ("ada", json!({"force": true}), "allow operation=act; deny param.force=true", "deny"),
        ("ada", json!({"force": "True"}), "allow operation=act; deny param.force=true", "deny"),
        ("ada", json!({"to": {"env": "prod"}}), "allow operation=act; deny param.to.env=prod", "deny"),
        ("ada", json!({"env": [["dev"], ["prod"]]}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": [["dev"]]}), "allow operation=act param.env=dev", "confirm"),
        ("ada", json!({"to": [{"env": "prod"}]}), "allow operation=act; deny param.to.env=prod", "deny"),
        (
            "ada",
            json!({"to": [{}, [{"env": ["PROD"]}]]}),
            "allow operation=act; deny param.to.env=prod",
            "deny",
        ),
        ("ada", json!({"to": [{"env": "dev"}, {}]}), "allow operation=act param.to.env=dev", "confirm"),
        ("ada", json!({"to": {"env": "dev"}}), "allow operation=act param.to.env=dev", "allow"),
        ("ada", json!({"to": {" Env": "prod"}}), "allow operation=act; deny param.to.env=prod", "deny"),
        ("ada", json!({"to": {"Env": "dev"}}), "allow operation=act param.to.env=dev", "confirm"),
        ("ada", json!({"env": ["dev,prod"]}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": ["dev%2Cprod"]}), "allow operation=act; deny param.env=prod", "deny"),
        ("ada", json!({"env": ["dev", "prod"]}), "allow operation=act; deny param.env=dev,prod", "deny"),
        ("ada", json!({"env": ["dev,prod"]}), "allow operation=act param.env=dev", "confirm"),
        ("ada", json!({"to.env": "prod"}), "allow operation=act; deny param.to.env=prod", "deny"),
        ("ada", json!({"env": "prod", "id": 7}), "allow operation=act param.env=prod param.id=7", "allow"),
        ("ada", json!({"env": "prod", "id": 8}), "allow operation=act param.env=prod param.id=7", "confirm"),
        ("ci-9", json!({}), "allow operation=act caller=ci-*; deny caller=ci-9", "deny"),
        ("ci-9", json!({}), "allow operation=act caller=ci-*", "allow"),
        ("local", json!({}), "allow operation=act caller=ci-*; confirm caller=local", "confirm"),
        ("ada", json!({}), "allow operation=act; deny operation=ac* caller=a*", "deny"),
        ("ada", json!({}), "allow operation=act source=shop; deny source=sh*p", "deny"),
        ("ada", json!({}), "allow operation=act source=other", "confirm"),
        ("ada", json!({}), "allow operation=act category=DELETE; confirm category=READ", "allow"),
        ("ada", json!({}), "allow operation=act category=READ", "confirm"),
    ];
    let entry = entry("validated", Delete, Destructive);
    for (caller, values, text, expected) in conflicts {
        let caller = if caller == "local" { Caller::local() } else { Caller::named(caller) };
        let decision = GateDecision::of_call(&rules(text), &entry, &caller, values.as_object().unwrap(), &[]);
        assert_eq!(decision.name(), expected, "{} {values} with '{text}': {}", caller.name(), decision.rule);
    }
}

/// The rule that decided is named, with its number.
#[test]
fn decisions_name_their_rule() {
    let entry = entry("validated", Delete, Destructive);
    for (text, expected) in [
        ("allow source=shop", "trust validated, danger destructive (declared)"),
        ("allow source=shop; allow operation=act", "policy rule 2: allow operation act"),
        ("confirm operation=x; deny source=sh*", "policy rule 2: deny source sh*"),
    ] {
        assert_eq!(GateDecision::under(&rules(text), &entry).rule.to_string(), expected);
    }
}

/// What depends on the caller or on values is not denied before anyone calls.
#[test]
fn only_general_rules_hide() {
    let entry = entry("validated", Read, Safe);
    for (text, for_all, for_ada) in [
        ("deny operation=act", true, true),
        ("deny caller=ada", false, true),
        ("deny caller=bob", false, false),
        ("deny param.id=7", false, false),
    ] {
        let rules = rules(text);
        assert_eq!(GateDecision::under(&rules, &entry).is_hidden(), for_all, "{text}");
        let decision = GateDecision::for_caller(&rules, &entry, &Caller::named("ada"));
        assert_eq!(decision.is_hidden(), for_ada, "{text}");
    }
}
