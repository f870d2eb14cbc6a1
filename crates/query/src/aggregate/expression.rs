//! One expression of `aggregate`: closed, `{count?, group_by?, sum?, avg?, min?, max?}`.
//!
//! In: the value beside a label, and what the adapter offers. Out: what is to be worked out, or all mistakes.

use crate::error::{FIELD_NAME, ParseResult, QueryError};
use crate::item::ItemKey;
use aqueduct_operations::failure::wording::echo;
use aqueduct_operations::response::{AggregateFunction, AggregateRule};
use serde_json::Value;

/// What is requested under one label.
#[derive(Debug, Clone)]
pub(super) struct AggregateExpression {
    /// The field whose values are the groups.
    pub(super) group_by: Option<ItemKey>,
    /// The items are counted.
    pub(super) count: bool,
    /// `sum`, `avg`, `min` and `max` with their fields, in this order.
    pub(super) over: Vec<(AggregateFunction, ItemKey)>,
}

impl AggregateExpression {
    /// Reads what stands beside a label.
    pub(super) fn parse(
        place: &str,
        value: &Value,
        rule: &AggregateRule,
    ) -> ParseResult<AggregateExpression> {
        let Value::Object(members) = value else {
            return Err(vec![QueryError::wrong_type(place, "object", value).with_hint(
                "For example {\"count\": true} or {\"group_by\": \"status\", \"count\": true}.",
            )]);
        };
        let mut errors: Vec<QueryError> = members
            .keys()
            .filter(|name| AggregateFunction::parse(name).is_none_or(|function| !offered(function, rule)))
            .map(|name| QueryError::unknown(place, name, &format!("one of {}", offered_names(rule))))
            .collect();
        let mut expression = AggregateExpression { group_by: None, count: false, over: Vec::new() };
        for function in AggregateFunction::ALL.into_iter().filter(|function| offered(*function, rule)) {
            let name = function.name();
            let Some(value) = members.get(name) else { continue };
            let param = format!("{place}.{name}");
            match (function, value) {
                (AggregateFunction::Count, Value::Bool(wanted)) => expression.count = *wanted,
                (AggregateFunction::Count, other) => {
                    errors.push(QueryError::wrong_type(param, "boolean", other))
                }
                (function, value) => match field(&param, value, allowed_fields(function, rule)) {
                    Ok(key) if function == AggregateFunction::GroupBy => expression.group_by = Some(key),
                    Ok(key) => expression.over.push((function, key)),
                    Err(error) => errors.push(error),
                },
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        if expression.over.is_empty() && !expression.count {
            // A bare `group_by` can only mean one thing; one that says not to count means nothing.
            if expression.group_by.is_none() || members.contains_key("count") {
                let expected = format!("one or more of {}", offered_names(rule));
                return Err(vec![QueryError::bad_value(place, expected, "nothing to work out")]);
            }
            expression.count = true;
        }
        Ok(expression)
    }

    /// The fields that it reads.
    pub(super) fn keys(&self) -> impl Iterator<Item = (AggregateFunction, &ItemKey)> {
        let group = self.group_by.iter().map(|key| (AggregateFunction::GroupBy, key));
        group.chain(self.over.iter().map(|(function, key)| (*function, key)))
    }
}

fn offered(function: AggregateFunction, rule: &AggregateRule) -> bool {
    rule.functions.as_ref().is_none_or(|functions| functions.contains(&function))
}

fn offered_names(rule: &AggregateRule) -> String {
    let all = AggregateFunction::ALL.into_iter().filter(|function| offered(*function, rule));
    all.map(AggregateFunction::name).collect::<Vec<_>>().join(", ")
}

/// Texts have a smallest and a largest too, so that only sums and means are bound to the numeric fields.
fn allowed_fields(function: AggregateFunction, rule: &AggregateRule) -> Option<&[String]> {
    match function {
        AggregateFunction::GroupBy => rule.groupable_fields.as_deref(),
        AggregateFunction::Sum | AggregateFunction::Avg => rule.numeric_fields.as_deref(),
        AggregateFunction::Min | AggregateFunction::Max | AggregateFunction::Count => None,
    }
}

fn field(param: &str, value: &Value, allowed: Option<&[String]>) -> Result<ItemKey, QueryError> {
    let Value::String(name) = value else {
        return Err(QueryError::wrong_type(param, "string", value));
    };
    let received = echo(name);
    if let Some(allowed) = allowed
        && !allowed.contains(name)
    {
        return Err(QueryError::bad_value(param, format!("one of {}", allowed.join(", ")), &received));
    }
    ItemKey::parse(name).ok_or_else(|| QueryError::bad_value(param, FIELD_NAME, &received))
}
