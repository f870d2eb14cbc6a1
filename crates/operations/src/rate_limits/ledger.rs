//! The contract for counting units: reserved before they are spent, in blocks, for all who count together (ruling S9).
//!
//! A sender reserves some, spends them, and gives back what is left. What is reserved counts as spent, so that nothing is lost
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

    /// Counts the units that the wants owe, and reserves none. No caller waits for it.
    fn owe(&self, request: ReserveRequest);

    /// Takes back units that were not spent. No caller waits for it.
    fn give_back(&self, units: Vec<ReturnedUnits>);

    /// Counts the units of requests that have ended for a whole span from now on. No caller waits for it.
    fn settle(&self, units: Vec<EndedUnits>);

    /// Takes what an API says of a counter. No caller waits for it.
    fn learn(&self, learned: LearnedState);

    /// Nothing of a source is sent before that moment. No caller waits for it.
    fn pause_source(&self, source: &str, until: Timestamp);

    /// True for the first who says that a quota has paused, in the window that ends then: of all who count together, one tells of it.
    fn is_first_to_pause<'a>(&'a self, counter: &'a str, until: Timestamp) -> Boxed<'a, bool>;
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
    /// Units of these counters whose requests have ended: settled before anything is reserved.
    pub ended: Vec<EndedUnits>,
}

/// What is wanted of a counter.
#[derive(Debug, Clone)]
pub struct UnitRequest {
    /// Its name: unique among all sources.
    pub counter: String,
    /// What it counts, for status output.
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

/// A counter before units of it are reserved.
#[derive(Debug, Clone, Copy, Default)]
pub struct CounterState {
    /// All units that count now.
    pub used: u64,
    /// When the first of them no longer count.
    pub first_ends: FirstEnds,
    /// When the API begins to count anew, where it says so and that is still ahead.
    pub resets_at: Option<Timestamp>,
    /// The operator has let it go on.
    pub continued: bool,
}

/// What reserving changes in a counter.
#[derive(Debug, Clone)]
pub struct ReserveStep {
    /// What is reserved, to be counted as long as its life says.
    pub reserved: Reserved,
    /// Units that were spent before, to be counted as long as `owed_life` says.
    pub owed: u64,
    /// How long those count.
    pub owed_life: UnitLife,
}

impl UnitRequest {
    /// Reserves as many units as there are: what every ledger adds to its counter.
    pub fn reserve(&self, now: Timestamp, counter: &CounterState) -> ReserveStep {
        let CounterState { used, mut first_ends, resets_at, continued } = *counter;
        let used = used.saturating_add(self.owed);
        let ceiling = if continued { self.ceiling_continued } else { self.ceiling };
        let available = ceiling.map_or(u64::MAX, |ceiling| ceiling.saturating_sub(used));
        let granted = granted(available, self.needed, self.ask);
        let life = self.span.life(now, resets_at);
        let owed_life = self.span.settled_life(now, resets_at);
        for (life, units) in [(&life, granted), (&owed_life, self.owed)] {
            if units > 0 {
                first_ends.include(life);
            }
        }
        let next_free = self.span.next_free(now, &first_ends);
        let reserved = Reserved { granted, used: used.saturating_add(granted), life, next_free, continued };
        ReserveStep { reserved, owed: self.owed, owed_life }
    }
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

/// The time between two moments, in which the units of a quota count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountWindow {
    /// Where it begins.
    pub from: Timestamp,
    /// Where it ends.
    pub until: Timestamp,
}

impl From<CountWindow> for CountSpan {
    fn from(CountWindow { from, until }: CountWindow) -> CountSpan {
        CountSpan::Fixed { from, until }
    }
}

/// How long units of a fixed span are kept in hand.
const KEPT: SignedDuration = SignedDuration::from_secs(20);

/// How long units of a sliding span can be spent at least, in milliseconds: the store may take a while to answer.
const SHORTEST_USE: i64 = 200;

/// The longest time for which a request is covered that no one hears of again: its process was killed, or it was given up.
const LONGEST_WAY: SignedDuration = SignedDuration::from_secs(30);

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
    /// A sliding span is cut into slices of a hundredth. It is unknown when a request arrives that a unit is spent on, but that it is
    /// before its answer. So a unit counts until it is settled, and where that never comes, for the whole span from the last moment
    /// in which its request can have arrived.
    pub fn life(self, now: Timestamp, resets_at: Option<Timestamp>) -> UnitLife {
        match self {
            CountSpan::Fixed { from, until } => {
                let kept = now.checked_add(KEPT).unwrap_or(until);
                let usable_until = kept.min(until);
                UnitLife { slice: from.as_millisecond(), usable_until, counts_until: until }
            }
            CountSpan::Sliding(length) => {
                let sliding = SlidingSlice::new(length, now);
                let usable =
                    ((sliding.slice + 2) * sliding.slice_length).max(now.as_millisecond() + SHORTEST_USE);
                let arrived = usable.saturating_add(milliseconds(self.longest_way()));
                let counts = arrived.saturating_add(sliding.length);
                let reset = resets_at.map(|reset| reset.as_millisecond().max(arrived));
                let counts = reset.map_or(counts, |reset| reset.min(counts));
                UnitLife { slice: sliding.slice, usable_until: moment(usable), counts_until: moment(counts) }
            }
        }
    }

    /// The life of a unit whose request was answered by now: it has arrived, so it counts for the whole span from here. A thousandth
    /// is added, because clocks do not run alike.
    pub fn settled_life(self, now: Timestamp, resets_at: Option<Timestamp>) -> UnitLife {
        let CountSpan::Sliding(length) = self else { return self.life(now, resets_at) };
        let sliding = SlidingSlice::new(length, now);
        let end = (sliding.slice + 1) * sliding.slice_length;
        let counts = end.saturating_add(sliding.length).saturating_add(sliding.length / 1_000);
        let reset = resets_at.map(|reset| reset.as_millisecond().max(end) + sliding.slice_length.min(1_000));
        let counts = reset.map_or(counts, |reset| reset.min(counts));
        UnitLife { slice: settled_slice(sliding.slice), usable_until: now, counts_until: moment(counts) }
    }

    /// The longest time from the last moment in which a unit could be spent to the arrival of its request that is covered when
    /// no one hears of the request again. A window is the most, or slow answers would leave little of a short one.
    fn longest_way(self) -> SignedDuration {
        match self {
            CountSpan::Sliding(length) => {
                SignedDuration::try_from(length).map_or(LONGEST_WAY, |length| length.min(LONGEST_WAY))
            }
            CountSpan::Fixed { .. } => SignedDuration::ZERO,
        }
    }

    /// When units are there again at the earliest: the first that is settled no longer counts, or the first that is not ends now.
    pub fn next_free(self, now: Timestamp, counted: &FirstEnds) -> Option<Timestamp> {
        let unsettled = counted.unsettled.map(|until| {
            let CountSpan::Sliding(length) = self else { return until };
            let ended = until.checked_sub(self.longest_way()).unwrap_or(now);
            let length = SignedDuration::try_from(length).unwrap_or(SignedDuration::MAX);
            if ended > now { ended } else { now.checked_add(length).unwrap_or(until).min(until) }
        });
        unsettled.into_iter().chain(counted.settled).min()
    }

    /// What an API that counts anew has forgotten is in the slices from the first to the second of these, without them. What may
    /// still be spent, or was settled just now, is not.
    pub fn forgotten(self, now: Timestamp) -> (i64, i64) {
        let spendable = now.checked_sub(SignedDuration::from_millis(SHORTEST_USE)).unwrap_or(now);
        let oldest = self.life(spendable, None).slice - 1;
        (settled_slice(oldest), oldest)
    }
}

/// A sliding span in slices, and the one that a moment is in; all in milliseconds.
struct SlidingSlice {
    length: i64,
    slice_length: i64,
    slice: i64,
}

impl SlidingSlice {
    fn new(length: Duration, now: Timestamp) -> SlidingSlice {
        let length = i64::try_from(length.as_millis()).unwrap_or(i64::MAX / 4).max(1);
        let slice_length = (length / 100).max(1);
        SlidingSlice { length, slice_length, slice: now.as_millisecond().div_euclid(slice_length) }
    }
}

fn milliseconds(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 4)
}

fn moment(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MAX)
}

/// The slice of what others have used, as an API says.
pub const FOREIGN_SLICE: i64 = -1;

/// Settled units are counted beside those that are not, which count for longer: in slices of their own, below that of others.
fn settled_slice(slice: i64) -> i64 {
    -2 - slice
}

/// When the first units no longer count, of those that are settled (or are others') and of those that are not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FirstEnds {
    /// Of a slice below zero.
    pub settled: Option<Timestamp>,
    /// Of any other.
    pub unsettled: Option<Timestamp>,
}

impl FirstEnds {
    /// Includes units of this life.
    fn include(&mut self, life: &UnitLife) {
        let end = if life.slice < 0 { &mut self.settled } else { &mut self.unsettled };
        *end = Some(end.map_or(life.counts_until, |first| first.min(life.counts_until)));
    }

    /// The first of all.
    pub fn first(&self) -> Option<Timestamp> {
        self.settled.into_iter().chain(self.unsettled).min()
    }
}

/// How many of the units that are there one who asks gets: what is needed, and else only a part, so that others get theirs.
pub(super) fn granted(available: u64, needed: u64, ask: u64) -> u64 {
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

/// Units that were spent on requests that have ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedUnits {
    /// The counter.
    pub counter: String,
    /// In what time they count.
    pub span: CountSpan,
    /// The slice in which they were reserved.
    pub slice: i64,
    /// How many.
    pub units: u64,
    /// How their requests ended.
    pub end: RequestEnd,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestEnd {
    /// The API answered: the request has arrived.
    Answered,
    /// No caller waits for the answer any more: it may still arrive.
    GivenUp,
}

impl EndedUnits {
    /// Where they count from now on.
    pub fn life(&self, now: Timestamp, resets_at: Option<Timestamp>) -> UnitLife {
        match self.end {
            RequestEnd::Answered => self.span.settled_life(now, resets_at),
            RequestEnd::GivenUp => self.span.life(now, resets_at),
        }
    }
}

/// What an API says of a limit.
#[derive(Debug, Clone)]
pub struct LearnedState {
    /// The counter.
    pub counter: String,
    /// How many there are in all.
    pub limit: u64,
    /// How many are left that no one here has in hand or in flight.
    pub remaining: u64,
    /// When they are there again.
    pub resets_at: Timestamp,
    /// The API counts anew since the last time that it was heard.
    pub is_new_window: bool,
}

/// What a counter counts, for status output.
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
