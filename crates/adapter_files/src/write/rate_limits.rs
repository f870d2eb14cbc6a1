//! `rate_limits` as it is written into a file: the limits of a source in, the block out.
//!
//! What is written reads back as the same limits.

use aqueduct_operations::rate_limits::status::CounterStatus;
use aqueduct_operations::rate_limits::{ApiLimit, COST_UNITS, Cost, LimitScope, Price, Quota, RateLimits};
use serde_json::{Map, Value, json};

/// The block.
pub(super) fn written(limits: &RateLimits) -> Value {
    let mut block = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            block.insert(key.to_owned(), value);
        }
    };
    put("concurrent_requests", limits.concurrent_requests.map(Value::from));
    let api_limits: Vec<Value> = limits.api_limits.iter().map(api_limit).collect();
    put("api_limits", (!api_limits.is_empty()).then(|| api_limits.into()));
    let quotas = &limits.quotas;
    if !quotas.limits.is_empty() {
        let mut written = json!({"limits": quotas.limits.iter().map(quota).collect::<Vec<_>>()});
        if let Some(schedule) = &quotas.reset_schedule {
            written["reset_schedule"] = schedule.as_str().into();
        }
        if let Some(persistence) = quotas.persistence {
            written["persistence"] = persistence.name().into();
        }
        put("quotas", Some(written));
    }
    put("cost", limits.cost.as_ref().map(cost));
    Value::Object(block)
}

fn api_limit(limit: &ApiLimit) -> Value {
    let mut written = match &limit.scope {
        LimitScope::Global => json!({"scope": "global"}),
        LimitScope::Endpoint(endpoint) => json!({"scope": "endpoint", "endpoint": endpoint}),
        LimitScope::Category(category) => json!({"scope": "category", "category": category.lower()}),
    };
    written["limit"] = limit.limit.into();
    written["window"] = limit.window.name().into();
    let texts = [
        ("metric", &limit.metric),
        ("remaining_header", &limit.remaining_header),
        ("reset_header", &limit.reset_header),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            written[key] = text.as_str().into();
        }
    }
    written
}

fn quota(quota: &Quota) -> Value {
    let mut written = json!({"metric": quota.metric.name()});
    for (key, amount) in [("warn", quota.warn), ("pause", quota.pause), ("hard_stop", quota.hard_stop)] {
        if let Some(amount) = amount {
            written[key] = CounterStatus::number(quota.shown(amount));
        }
    }
    if let Some(currency) = &quota.currency {
        written["currency"] = currency.as_str().into();
    }
    written
}

fn cost(cost: &Cost) -> Value {
    let mut written = json!({"model": cost.model.name()});
    if let Some(currency) = &cost.currency {
        written["currency"] = currency.as_str().into();
    }
    written["pricing"] = cost.pricing.iter().map(price).collect();
    written
}

fn price(price: &Price) -> Value {
    let amount = |amount: f64| CounterStatus::number(amount / COST_UNITS);
    let mut written = json!({"endpoint": price.endpoint});
    if price.call > 0.0 {
        written["cost_per_call"] = amount(price.call);
    }
    if price.input_token > 0.0 || price.output_token > 0.0 {
        written["cost_per_token"] =
            json!({"input": amount(price.input_token), "output": amount(price.output_token)});
    }
    if price.byte > 0.0 {
        written["cost_per_byte"] = amount(price.byte);
    }
    written
}
