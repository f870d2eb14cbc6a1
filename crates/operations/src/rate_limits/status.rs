//! How far limits and quotas are used up, for introspection, commands and the operator's page.
//!
//! What a counter counts and how many units count now in; a status that can be shown, or put into the form of the documents, out
//! (companion document on rate limits, section 6).

use super::ledger::{CounterAbout, CounterKind};
use super::{COST_UNITS, Unit};
use crate::clock::iso8601;
use crate::params::shape;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The limits and quotas of one source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceLimitStatus {
    /// The source.
    pub source: String,
    /// Each counter.
    pub counters: Vec<CounterStatus>,
    /// Nothing is sent before that moment: the API asked to wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_until: Option<String>,
    /// Requests of this process that wait for their turn.
    pub waiting: usize,
}

/// One limit or quota.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CounterStatus {
    /// A limit of the API, or a quota.
    pub kind: CounterKind,
    /// The scope of a limit, the metric of a quota.
    pub name: String,
    /// In what time.
    pub window: String,
    /// What counts now, in requests, tokens or the currency.
    pub current: f64,
    /// The most of an API limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// From here on with a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warn: Option<f64>,
    /// From here on a person has to say yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<f64>,
    /// No further.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hard_stop: Option<f64>,
    /// The currency of a cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// `ok`, `warn`, `paused` or `exhausted`.
    pub status: &'static str,
    /// When units are there again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resets_at: Option<String>,
    /// Until when the operator has let a paused quota go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continued_until: Option<String>,
}

impl CounterStatus {
    /// The status of a counter with so many units.
    pub fn of(
        about: &CounterAbout,
        used: u64,
        resets_at: Option<Timestamp>,
        continued_until: Option<Timestamp>,
    ) -> CounterStatus {
        let is_cost = about.unit == Unit::Cost.name();
        let shown = |units: u64| if is_cost { units as f64 / COST_UNITS } else { units as f64 };
        let over = |threshold: Option<u64>| threshold.is_some_and(|threshold| used >= threshold);
        let status = if over(about.hard_stop) || over(about.limit) {
            "exhausted"
        } else if over(about.pause) && continued_until.is_none() {
            "paused"
        } else if over(about.warn) || over(about.pause) {
            "warn"
        } else {
            "ok"
        };
        CounterStatus {
            kind: about.kind,
            name: about.name.clone(),
            window: about.window.clone(),
            current: shown(used),
            limit: about.limit.map(shown),
            warn: about.warn.map(shown),
            pause: about.pause.map(shown),
            hard_stop: about.hard_stop.map(shown),
            currency: about.currency.clone(),
            status,
            resets_at: resets_at.map(iso8601),
            continued_until: continued_until.map(iso8601),
        }
    }

    /// A number as people write it: whole where it is.
    pub fn number(amount: f64) -> Value {
        shape::number(amount)
    }

    /// Its name, with its window where one name can have several: `search a minute`.
    pub fn full_name(&self) -> String {
        match self.limit {
            Some(_) => format!("{} a {}", self.name, self.window),
            None => self.name.clone(),
        }
    }
}

impl SourceLimitStatus {
    /// In the form of the documents: `{adapter, api_limits, quotas, next_reset}`.
    pub fn introspected(&self) -> Value {
        let mut api_limits = Map::new();
        let mut quotas = Vec::new();
        for counter in &self.counters {
            match counter.kind {
                CounterKind::ApiLimit => {
                    let name = if api_limits.contains_key(&counter.name) {
                        format!("{} {}", counter.name, counter.window)
                    } else {
                        counter.name.clone()
                    };
                    api_limits.insert(name, api_limit(counter));
                }
                CounterKind::Quota => quotas.push(quota(counter)),
            }
        }
        let resets = self.counters.iter().filter(|counter| counter.kind == CounterKind::Quota);
        let next_reset = resets.filter_map(|counter| counter.resets_at.as_ref()).min();
        let mut shown = json!({"adapter": self.source, "api_limits": api_limits, "quotas": quotas});
        shown["next_reset"] = json!(next_reset);
        if let Some(held_until) = &self.held_until {
            shown["held_until"] = json!(held_until);
        }
        shown
    }
}

fn api_limit(counter: &CounterStatus) -> Value {
    let limit = counter.limit.unwrap_or_default();
    json!({
        "limit": CounterStatus::number(limit),
        "remaining": CounterStatus::number((limit - counter.current).max(0.0)),
        "window": counter.window,
        "resets_at": counter.resets_at,
    })
}

fn quota(counter: &CounterStatus) -> Value {
    let mut shown = json!({"metric": counter.name, "current": CounterStatus::number(counter.current)});
    for (name, threshold) in
        [("warn", counter.warn), ("pause", counter.pause), ("hard_stop", counter.hard_stop)]
    {
        shown[name] = threshold.map_or(Value::Null, CounterStatus::number);
    }
    shown["status"] = counter.status.into();
    if let Some(currency) = &counter.currency {
        shown["currency"] = currency.as_str().into();
    }
    shown
}
