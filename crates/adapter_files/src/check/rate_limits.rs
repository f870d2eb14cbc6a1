//! The `rate_limits` block of a file, or of the operator's configuration: limits, quotas and costs.
//!
//! A block in; what it declares out. Each entry that cannot be understood is reported and left out, and then the file does not load.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::category::Category;
use aqueduct_operations::rate_limits::cron::Cron;
use aqueduct_operations::rate_limits::{
    ApiLimit, COST_UNITS, Cost, CostModel, DeclaredLimits, LimitScope, Persistence, Price, QueueRule, Quota,
    QuotaMetric, Quotas, Unit, Window,
};
use std::time::Duration;

/// Reads the block.
pub fn check_rate_limits(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> DeclaredLimits {
    let seconds = at.whole("max_wait_seconds").and_then(|seconds| u64::try_from(seconds).ok());
    DeclaredLimits {
        lifts_all: false,
        api_limits: api_limits(at, found),
        concurrent_requests: at.whole("concurrent_requests").and_then(|most| u32::try_from(most).ok()),
        quotas: at.get("quotas").map(|block| quotas(&block, at, found)),
        cost: at.get("cost").and_then(|block| cost(&block, found)),
        queue: QueueRule {
            max_wait: seconds.map(Duration::from_secs),
            max_waiting: at.whole("max_waiting").and_then(|most| usize::try_from(most).ok()),
        },
    }
}

/// The short keys and the list, together.
fn api_limits(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Vec<ApiLimit>> {
    let short = [
        ("requests_per_minute", Window::Minute),
        ("calls_per_minute", Window::Minute),
        ("requests_per_hour", Window::Hour),
        ("calls_per_hour", Window::Hour),
        ("requests_per_day", Window::Day),
        ("calls_per_day", Window::Day),
        ("burst_limit", Window::Second),
    ];
    let list = at.get("api_limits");
    let mut limits: Vec<ApiLimit> = Vec::new();
    for (key, window) in short {
        if let Some(limit) = at.whole(key).and_then(|limit| u64::try_from(limit).ok()) {
            limits.push(ApiLimit::global(limit, window));
        }
    }
    let is_said = list.is_some() || !limits.is_empty();
    limits.extend(list.iter().flat_map(NodeCursor::elements).filter_map(|each| api_limit(&each, found)));
    is_said.then_some(limits)
}

fn api_limit(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<ApiLimit> {
    let (endpoint, category) = (at.owned_text("endpoint"), at.text("category"));
    let scope = match (at.text("scope").unwrap_or("global"), endpoint, category) {
        ("endpoint", Some(endpoint), _) => LimitScope::Endpoint(endpoint),
        ("category", _, Some(category)) => {
            let Some(category) = Category::parse(category) else {
                let place = at.get("category").unwrap_or_else(|| at.clone());
                let names = Category::ALL.map(Category::lower).join(", ");
                place
                    .error("INVALID_VALUE", "This is no category")
                    .expected(format!("one of {names}"))
                    .add_to(found);
                return None;
            };
            LimitScope::Category(category)
        }
        ("global", None, None) => LimitScope::Global,
        (scope @ ("endpoint" | "category"), _, _) => {
            let message = format!("A limit of scope '{scope}' needs '{scope}'");
            at.error("MISSING_KEY", message).expected(example(scope)).add_to(found);
            return None;
        }
        _ => {
            let message = "A global limit counts all requests, so it takes neither 'endpoint' nor 'category'";
            let error = at.error("INVALID_VALUE", message);
            error.expected("scope: endpoint or scope: category for some of them").add_to(found);
            return None;
        }
    };
    if let (Some(place), None) = (at.get("reset_header"), at.text("remaining_header")) {
        let message = "'reset_header' has no effect without 'remaining_header'";
        place.warning("NO_EFFECT", message).hint("add remaining_header").add_to(found);
    }
    Some(ApiLimit {
        scope,
        limit: u64::try_from(at.whole("limit")?).ok()?,
        window: Window::parse(at.text("window")?)?,
        metric: at.owned_text("metric"),
        remaining_header: at.owned_text("remaining_header"),
        reset_header: at.owned_text("reset_header"),
    })
}

fn example(scope: &str) -> &'static str {
    if scope == "endpoint" { "such as endpoint: POST /search" } else { "such as category: create" }
}

fn quotas(at: &NodeCursor<'_>, root: &NodeCursor<'_>, found: &mut Findings<'_>) -> Quotas {
    let reset_schedule = at.get("reset_schedule").and_then(|place| {
        let schedule = place.node.text().and_then(Cron::parse);
        if schedule.is_none() {
            let error = place.error("INVALID_VALUE", "This is no schedule of cron, or it never comes");
            error.expected("minute hour day month weekday in UTC, such as '0 6 * * 1'").add_to(found);
        }
        schedule
    });
    let limits = at.get("limits");
    let limits: Vec<Quota> =
        limits.iter().flat_map(NodeCursor::elements).filter_map(|each| quota(&each, root, found)).collect();
    let is_on = at.flag("enabled").unwrap_or(true);
    Quotas {
        limits: if is_on { limits } else { Vec::new() },
        reset_schedule,
        persistence: at.text("persistence").and_then(Persistence::parse),
    }
}

fn quota(at: &NodeCursor<'_>, root: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Quota> {
    let metric = QuotaMetric::parse(at.text("metric")?)?;
    if metric.unit == Unit::Cost && root.get("cost").is_none() {
        let warning =
            at.warning("NO_EFFECT", "Nothing costs anything without 'cost', so this quota never counts");
        warning.hint("add rate_limits.cost with its prices").add_to(found);
    }
    let scale = if metric.unit == Unit::Cost { COST_UNITS } else { 1.0 };
    let mut amount = |key: &str| {
        let number = at.number(key)?;
        if number <= 0.0 || !number.is_finite() {
            let place = at.get(key).unwrap_or_else(|| at.clone());
            place.error("INVALID_VALUE", "A threshold is a number above 0").add_to(found);
            return None;
        }
        Some((number * scale).round() as u64)
    };
    let (warn, pause, hard_stop) = (amount("warn"), amount("pause"), amount("hard_stop"));
    let in_order: Vec<u64> = [warn, pause, hard_stop].into_iter().flatten().collect();
    if !in_order.is_sorted() {
        let error = at.error("INVALID_VALUE", "The thresholds are not in their order");
        error.expected("warn, then pause, then hard_stop, none smaller than the one before").add_to(found);
        return None;
    }
    if in_order.is_empty() {
        let error = at.error("MISSING_KEY", "A quota needs a threshold");
        error.expected("warn, pause or hard_stop").add_to(found);
        return None;
    }
    Some(Quota { metric, warn, pause, hard_stop, currency: at.owned_text("currency") })
}

fn cost(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Cost> {
    let model = at.text("model").map_or(Some(CostModel::Tiered), CostModel::parse)?;
    let pricing = at.get("pricing");
    let mut prices = Vec::new();
    for each in pricing.iter().flat_map(NodeCursor::elements) {
        let mut amount = |block: &NodeCursor<'_>, key: &str| {
            let number = block.number(key).unwrap_or(0.0);
            if number < 0.0 || !number.is_finite() {
                block.error("INVALID_VALUE", format!("'{key}' is a price, and not negative")).add_to(found);
            }
            number.max(0.0) * COST_UNITS
        };
        let token = each.get("cost_per_token");
        let by_direction =
            token.as_ref().filter(|block| block.number("input").or(block.number("output")).is_some());
        let (input_token, output_token) = match by_direction {
            Some(block) => (amount(block, "input"), amount(block, "output")),
            None => (0.0, amount(&each, "cost_per_token")),
        };
        prices.push(Price {
            endpoint: each.owned_text("endpoint").unwrap_or_else(|| "*".to_owned()),
            call: amount(&each, "cost_per_call"),
            input_token,
            output_token,
            byte: amount(&each, "cost_per_byte"),
        });
    }
    Some(Cost { model, currency: at.owned_text("currency"), pricing: prices })
}
