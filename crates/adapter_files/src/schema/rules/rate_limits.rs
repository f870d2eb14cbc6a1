//! What the table of keys does not say of `rate_limits`: which keys a scope takes, thresholds above nothing, prices that are not
//! negative, and the form of a schedule.
//!
//! The name of a block in, schemas out, as in `rules` itself.

use super::any_case;
use aqueduct_operations::category::Category;
use serde_json::{Value, json};

/// Five fields of cron. Which numbers they may have, and whether there is such a day, is for the loader.
const SCHEDULE: &str = r"^\s*[0-9*+,/-]+(\s+[0-9*+,/-]+){4}\s*$";

/// The rules of a block.
pub(super) fn of(block: &str) -> Vec<Value> {
    match block {
        "api_limit" => api_limit(),
        "quotas" => vec![json!({"properties": {"reset_schedule": {"pattern": SCHEDULE}}})],
        "quota" => quota(),
        "price" => each(&["cost_per_call", "cost_per_token", "cost_per_byte"], &json!({"minimum": 0})),
        "cost_per_token" => each(&["input", "output"], &json!({"minimum": 0})),
        _ => Vec::new(),
    }
}

/// A limit of some requests says which; one of all requests does not.
fn api_limit() -> Vec<Value> {
    let categories = Category::ALL.map(|category| any_case(category.lower())).join("|");
    let of_scope = |scope: &str, then: Value, otherwise: Value| {
        let is_scope = json!({"properties": {"scope": {"const": scope}}, "required": ["scope"]});
        json!({"if": is_scope, "then": then, "else": otherwise})
    };
    let endpoint = json!({"required": ["endpoint"]});
    let category = json!({
        "required": ["category"],
        "properties": {"category": {"pattern": format!("^({categories})$")}},
    });
    let neither = json!({"not": {"anyOf": [{"required": ["endpoint"]}, {"required": ["category"]}]}});
    vec![of_scope("endpoint", endpoint, of_scope("category", category, neither))]
}

/// A quota has a threshold. Their order depends on two values, which JSON Schema does not compare.
fn quota() -> Vec<Value> {
    let thresholds = ["warn", "pause", "hard_stop"];
    let any: Vec<Value> = thresholds.iter().map(|key| json!({"required": [key]})).collect();
    let mut rules = each(&thresholds, &json!({"exclusiveMinimum": 0}));
    rules.push(json!({"anyOf": any}));
    rules
}

/// The same rule for each of these keys.
fn each(keys: &[&str], rule: &Value) -> Vec<Value> {
    keys.iter().map(|key| json!({"properties": {*key: rule}})).collect()
}
