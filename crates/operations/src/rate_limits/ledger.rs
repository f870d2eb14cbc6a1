//! The contract for counting units: reserved before they are spent, in blocks, for all who count together (ruling S9).
//!
//! Whoever sends reserves some, spends them, and gives back what is left. What is reserved counts as spent, so that nothing is lost
//! when a process is. Kept in memory, or in a store for several processes and machines; a lost store gives nothing.

use crate::handler::Boxed;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::time::Duration;

/// Counts units.
pub trait Ledger: Debug + Send + Sync {
    /// Reserves units of several counters of one source, each as many as are there.
    fn reserve<'a>(&'a self, request: ReserveRequest) -> Boxed<'a, Result<Reservation, LedgerLost>>;

    /// Takes back units that were not spent. Nobody waits for it.
    fn give_back(&self, units: Vec<ReturnedUnits>);

    /// Takes what an API says of a counter. Nobody waits for it.
    fn learn(&self, learned: LearnedState);

    /// Nothing of a source is sent before that moment. Nobody waits for it.
    fn hold(&self, source: &str, until: Timestamp);
}

/// The ledger cannot be asked: why, in words that name no path or host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerLost(pub String);

/// What is wanted of the counters of one source.
#[derive(Debug, Clone)]
pub struct ReserveRequest {
    /// The source.
    pub source: String,
    /// Each counter once.
    pub wants: Vec<UnitRequest>,
}

/// What is wanted of a counter.
#[derive(Debug, Clone)]
pub struct UnitRequest {
    /// Its name: unique among all sources.
    pub counter: String,
    /// What it counts, for whoever looks.
    pub about: CounterAbout,
    /// In what time.
    pub span: CountSpan,
    /// How many there are; without end when absent.
    pub ceiling: Option<u64>,
    /// The same once the operator has let a paused quota go on.
    pub ceiling_continued: Option<u64>,
    /// Units that were spent already, whatever the ceiling.
    pub owed: u64,
    /// Units that are spent at once.
    pub needed: u64,
    /// Units to have in hand; a few when there are few.
    pub ask: u64,
}

/// In what time units count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountSpan {
    /// In any stretch of this length.
    Sliding(Duration),
    /// Between two moments.
    Fixed {
        /// Where it begins.
        from: Timestamp,
        /// Where it ends.
        until: Timestamp,
    },
}

/// How long units of a fixed span are kept in hand.
const KEPT: SignedDuration = SignedDuration::from_secs(20);

/// When a unit that is reserved now can be spent, and when it no longer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitLife {
    /// Units of the same slice are counted together.
    pub slice: i64,
    /// Until when it can be spent.
    pub usable_until: Timestamp,
    /// Until when it counts.
    pub counts_until: Timestamp,
}

impl CountSpan {
    /// The life of a unit that is reserved now. `resets_at` is when the API itself begins to count anew, where it says so.
    ///
    /// A sliding span is cut into slices of a hundredth. A unit counts for the whole span from the last moment that it could be
    /// spent, and a little longer, for requests that are slow to arrive.
    pub fn life(self, now: Timestamp, resets_at: Option<Timestamp>) -> UnitLife {
        match self {
            CountSpan::Fixed { from, until } => {
                let kept = now.checked_add(KEPT).unwrap_or(until);
                let usable_until = kept.min(until);
                UnitLife { slice: from.as_millisecond(), usable_until, counts_until: until }
            }
            CountSpan::Sliding(length) => {
                let length = i64::try_from(length.as_millis()).unwrap_or(i64::MAX).max(1);
                let slice_length = (length / 100).max(1);
                let slice = now.as_millisecond().div_euclid(slice_length);
                let usable = (slice + 2) * slice_length;
                let late = slice_length.min(1_000);
                let counts = usable.saturating_add(length).saturating_add(late);
                let reset = resets_at.map(|reset| reset.as_millisecond().max(usable).saturating_add(late));
                let counts = reset.map_or(counts, |reset| reset.min(counts));
                let moment =
                    |milliseconds| Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MAX);
                UnitLife { slice, usable_until: moment(usable), counts_until: moment(counts) }
            }
        }
    }
}

/// How many of the units that are there one who asks gets: what is needed, and else only a part, so that others get theirs.
pub fn granted(available: u64, needed: u64, ask: u64) -> u64 {
    available.min(needed.max(ask.min(available / 8)))
}

/// What was reserved.
#[derive(Debug, Clone)]
pub struct Reservation {
    /// In the order of the wants.
    pub counters: Vec<Reserved>,
    /// Nothing is sent before that moment.
    pub held_until: Option<Timestamp>,
}

/// What was reserved of one counter.
#[derive(Debug, Clone)]
pub struct Reserved {
    /// How many units.
    pub granted: u64,
    /// All that count now, these included.
    pub used: u64,
    /// Their life.
    pub life: UnitLife,
    /// When units are there again.
    pub next_free: Option<Timestamp>,
    /// The operator has let it go on.
    pub continued: bool,
}

/// Units that were reserved and not spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedUnits {
    /// The counter.
    pub counter: String,
    /// The slice in which they were reserved.
    pub slice: i64,
    /// How many.
    pub units: u64,
}

/// What an API says of a limit.
#[derive(Debug, Clone)]
pub struct LearnedState {
    /// The counter.
    pub counter: String,
    /// How many there are in all.
    pub limit: u64,
    /// How many are left that nobody here has in hand or in flight.
    pub remaining: u64,
    /// When they are there again.
    pub resets_at: Timestamp,
    /// The API counts anew since the last time that it was heard.
    pub is_new_window: bool,
}

/// What a counter counts, for whoever looks at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CounterAbout {
    /// A limit of the API, or a quota.
    pub kind: CounterKind,
    /// The scope of a limit, the metric of a quota.
    pub name: String,
    /// `second`, `minute`, `hour`, `day`, `month`.
    pub window: String,
    /// `requests`, `tokens` or `cost`, in units.
    pub unit: String,
    /// The limit of an API limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// From here on with a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warn: Option<u64>,
    /// From here on a person has to say yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<u64>,
    /// No further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hard_stop: Option<u64>,
    /// The currency of a cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

/// What kind of counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CounterKind {
    /// Never exceeded.
    ApiLimit,
    /// With a warning, a pause and a stop.
    Quota,
}
