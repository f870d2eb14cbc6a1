//! What a source may be asked for in what time, and what it may cost: `rate_limits` of adapter files and of the configuration
//! (companion document on rate limits).
//!
//! `RateLimits` is what holds for one source; `DeclaredLimits` what one place says of it, the author or the operator. `metering` is
//! how requests are held to it, `ledger` where units are counted.

pub mod cron;
pub mod ledger;
pub mod metering;
pub mod status;

use crate::category::Category;
use crate::exposure::glob::Glob;
use crate::named_enum::named_enum;
use crate::operation::Operation;
use crate::target::Target;
use cron::Cron;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use ledger::CountWindow;
use std::time::Duration;

/// Units of a cost: a millionth of the currency.
pub const COST_UNITS: f64 = 1_000_000.0;

/// How long a request waits for its turn, unless it is set.
pub const MAX_WAIT: Duration = Duration::from_secs(30);

/// How many requests of one source wait, unless it is set.
pub const MAX_WAITING: usize = 2_000;

named_enum! {
    /// A stretch of time in which something is counted.
    #[derive(Hash)]
    pub enum Window {
        /// A second.
        Second = "second",
        /// A minute.
        Minute = "minute",
        /// An hour.
        Hour = "hour",
        /// A day.
        Day = "day",
        /// A month of the calendar.
        Month = "month",
    }
}

impl Window {
    /// Its length; a month has 31 days here.
    pub fn length(self) -> Duration {
        Duration::from_secs(match self {
            Window::Second => 1,
            Window::Minute => 60,
            Window::Hour => 3_600,
            Window::Day => 86_400,
            Window::Month => 31 * 86_400,
        })
    }

    /// The window of the calendar, in UTC, that a moment is in: where it begins and ends.
    pub fn around(self, now: Timestamp) -> (Timestamp, Timestamp) {
        if self == Window::Month {
            let day = now.to_zoned(TimeZone::UTC).date().first_of_month();
            let moment = |day: jiff::civil::Date| {
                DateTime::from(day).to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp()).ok()
            };
            let next = day.checked_add(Span::new().months(1)).ok().and_then(moment);
            return (moment(day).unwrap_or(now), next.unwrap_or(Timestamp::MAX));
        }
        let length = i64::try_from(self.length().as_millis()).unwrap_or(i64::MAX);
        let begins = now.as_millisecond().div_euclid(length) * length;
        let from = Timestamp::from_millisecond(begins).unwrap_or(now);
        (from, from.checked_add(SignedDuration::from_millis(length)).unwrap_or(Timestamp::MAX))
    }
}

named_enum! {
    /// What is counted.
    #[derive(Hash)]
    pub enum Unit {
        /// Requests that go out.
        Requests = "requests",
        /// Estimated tokens that come back.
        Tokens = "tokens",
        /// Millionths of a currency.
        Cost = "cost",
    }
}

/// Which requests a limit counts.
#[derive(Debug, Clone, PartialEq)]
pub enum LimitScope {
    /// All of the source.
    Global,
    /// Those whose method and path, or tool, match: `POST /search`, `GET /users/*`.
    Endpoint(String),
    /// Those of one category.
    Category(Category),
}

impl LimitScope {
    /// Its name in a status: `global`, `endpoint POST /search`, `category read`.
    pub fn name(&self) -> String {
        match self {
            LimitScope::Global => "global".to_owned(),
            LimitScope::Endpoint(pattern) => format!("endpoint {pattern}"),
            LimitScope::Category(category) => format!("category {}", category.lower()),
        }
    }

    /// True when requests of this operation are counted.
    pub fn covers(&self, operation: &Operation) -> bool {
        match self {
            LimitScope::Global => true,
            LimitScope::Endpoint(pattern) => matches_endpoint(pattern, operation),
            LimitScope::Category(category) => operation.category == *category,
        }
    }
}

/// A limit that is never exceeded.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiLimit {
    /// Which requests it counts.
    pub scope: LimitScope,
    /// How many.
    pub limit: u64,
    /// In what time.
    pub window: Window,
    /// What is counted, as it was written.
    pub metric: Option<String>,
    /// The header that says how many are left.
    pub remaining_header: Option<String>,
    /// The header that says when they are there again.
    pub reset_header: Option<String>,
}

impl ApiLimit {
    /// So many requests of the whole source.
    pub fn global(limit: u64, window: Window) -> ApiLimit {
        ApiLimit {
            scope: LimitScope::Global,
            limit,
            window,
            metric: None,
            remaining_header: None,
            reset_header: None,
        }
    }

    /// What is counted.
    pub fn unit(&self) -> Unit {
        let counts_tokens = self.metric.as_ref().is_some_and(|metric| metric.starts_with("tokens"));
        if counts_tokens { Unit::Tokens } else { Unit::Requests }
    }
}

/// A budget with a warning, a pause and a stop. Thresholds are in units, those of a cost in millionths.
#[derive(Debug, Clone, PartialEq)]
pub struct Quota {
    /// What is counted in what time: `requests_per_hour`, `tokens_per_day`, `cost_per_month`.
    pub metric: QuotaMetric,
    /// From here on with a warning.
    pub warn: Option<u64>,
    /// From here on a person has to say yes.
    pub pause: Option<u64>,
    /// No further.
    pub hard_stop: Option<u64>,
    /// The currency of a cost.
    pub currency: Option<String>,
}

impl Quota {
    /// An amount as it is shown: that of a cost in its currency.
    pub fn shown(&self, amount: u64) -> f64 {
        if self.metric.unit == Unit::Cost { amount as f64 / COST_UNITS } else { amount as f64 }
    }
}

/// What a quota counts in what time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuotaMetric {
    /// What.
    pub unit: Unit,
    /// In what time.
    pub window: Window,
}

impl QuotaMetric {
    /// Every name, those that are only read last.
    pub const NAMES: [&'static str; 12] = [
        "requests_per_minute",
        "requests_per_hour",
        "requests_per_day",
        "tokens_per_minute",
        "tokens_per_hour",
        "tokens_per_day",
        "cost_per_hour",
        "cost_per_day",
        "cost_per_month",
        "calls_per_minute",
        "calls_per_hour",
        "calls_per_day",
    ];

    /// Reads a name.
    pub fn parse(text: &str) -> Option<QuotaMetric> {
        let name = QuotaMetric::NAMES.into_iter().find(|name| *name == text)?;
        let (unit, window) = name.split_once("_per_")?;
        let unit = Unit::parse(if unit == "calls" { "requests" } else { unit })?;
        Some(QuotaMetric { unit, window: Window::parse(window)? })
    }

    /// Its name.
    pub fn name(self) -> String {
        format!("{}_per_{}", self.unit.name(), self.window.name())
    }
}

/// The quotas of a source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quotas {
    /// Each of them.
    pub limits: Vec<Quota>,
    /// When all of them start again, in place of the calendar.
    pub reset_schedule: Option<Cron>,
    /// Where the author wants them kept; what is kept where is the operator's decision.
    pub persistence: Option<Persistence>,
}

named_enum! {
    /// Where counts are kept.
    pub enum Persistence {
        /// In memory, until the process ends.
        Memory = "memory",
        /// In a file.
        File = "file",
        /// In a database.
        Database = "database",
    }
}

named_enum! {
    /// How the price of a request is made.
    pub enum CostModel {
        /// By request.
        PerCall = "per_call",
        /// By tokens.
        PerToken = "per_token",
        /// By bytes that come back.
        PerByte = "per_byte",
        /// By all that a price has.
        Tiered = "tiered",
    }
}

/// What requests cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// How a price is made.
    pub model: CostModel,
    /// The currency.
    pub currency: Option<String>,
    /// The prices; the first that fits counts.
    pub pricing: Vec<Price>,
}

/// The price of some requests, in millionths of the currency.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Price {
    /// Which requests, as in a limit.
    pub endpoint: String,
    /// For each request.
    pub call: f64,
    /// For each token that is sent.
    pub input_token: f64,
    /// For each token that comes back.
    pub output_token: f64,
    /// For each byte that comes back.
    pub byte: f64,
}

impl Cost {
    /// The price of an operation's requests; none when nothing fits.
    pub fn price(&self, operation: &Operation) -> Option<&Price> {
        self.pricing.iter().find(|price| matches_endpoint(&price.endpoint, operation))
    }
}

/// How requests wait for their turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueRule {
    /// The longest wait.
    pub max_wait: Option<Duration>,
    /// How many wait at most.
    pub max_waiting: Option<usize>,
}

/// What one place says of the limits of a source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeclaredLimits {
    /// Nothing of what others say holds: the operator lifts all limits.
    pub lifts_all: bool,
    /// The limits that are never exceeded.
    pub api_limits: Option<Vec<ApiLimit>>,
    /// Requests in flight.
    pub concurrent_requests: Option<u32>,
    /// The quotas; none of them when they are switched off.
    pub quotas: Option<Quotas>,
    /// The costs.
    pub cost: Option<Cost>,
    /// How requests wait.
    pub queue: QueueRule,
}

/// What holds for a source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RateLimits {
    /// The limits that are never exceeded.
    pub api_limits: Vec<ApiLimit>,
    /// Requests of this process in flight.
    pub concurrent_requests: Option<u32>,
    /// The quotas.
    pub quotas: Quotas,
    /// The costs.
    pub cost: Option<Cost>,
    /// How requests wait.
    pub queue: QueueRule,
}

impl RateLimits {
    /// What the author and the operator say together, block by block: the operator's word counts where there is one. Nothing when
    /// there is no limit.
    pub fn of(author: Option<DeclaredLimits>, operator: Option<&DeclaredLimits>) -> Option<RateLimits> {
        let operator = operator.cloned().unwrap_or_default();
        let author = author.filter(|_| !operator.lifts_all).unwrap_or_default();
        let limits = RateLimits {
            api_limits: operator.api_limits.or(author.api_limits).unwrap_or_default(),
            concurrent_requests: operator.concurrent_requests.or(author.concurrent_requests),
            quotas: operator.quotas.or(author.quotas).unwrap_or_default(),
            cost: operator.cost.or(author.cost),
            queue: operator.queue,
        };
        let is_limited = !limits.api_limits.is_empty()
            || limits.concurrent_requests.is_some()
            || !limits.quotas.limits.is_empty();
        (is_limited || limits.cost.is_some()).then_some(limits)
    }

    /// The window of a quota that a moment is in.
    pub fn quota_window(&self, quota: &Quota, now: Timestamp) -> CountWindow {
        let scheduled = self.quotas.reset_schedule.as_ref().and_then(|schedule| schedule.around(now));
        let (from, until) = scheduled.unwrap_or_else(|| quota.metric.window.around(now));
        CountWindow { from, until }
    }
}

/// Whether a pattern fits an operation: its method and path, its path alone, its tool, or its name.
fn matches_endpoint(pattern: &str, operation: &Operation) -> bool {
    let pattern = Glob::of_text(pattern.trim());
    if pattern.matches(&operation.name) {
        return true;
    }
    match &operation.target {
        Target::Http(target) => {
            let path: String = target.path.iter().map(ToString::to_string).collect();
            pattern.matches(&path) || pattern.matches(&format!("{} {path}", target.method))
        }
        Target::Handler(_) => {
            let own =
                operation.origin.as_ref().map_or(operation.name.as_str(), |origin| origin.name.as_str());
            pattern.matches(own) || pattern.matches(&format!("TOOL {own}"))
        }
        Target::BuiltIn(_) => false,
    }
}

#[cfg(test)]
mod tests;
