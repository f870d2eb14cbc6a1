//! Requests that are slow, given up, or lost with their process: what they may still send counts, by a clock that a test moves.

use crate::counter::{Counter, TakenUnit};
use crate::memory::MemoryLedger;
use crate::source_limiter::SourceLimiter;
use crate::tests::{ALL, counter, limiter_on, so_many};
use crate::turns::TakenTurn;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::rate_limits::Window;
use aqueduct_operations::rate_limits::ledger::{CountSpan, Ledger, RequestEnd, ReserveRequest};
use aqueduct_testkit::clock::TestClock;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;

fn processes(limit: u64, window: Window, clock: &TestClock) -> [Arc<SourceLimiter>; 2] {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new(Arc::new(clock.clone())));
    [0, 1].map(|_| limiter_on(Arc::clone(&ledger), so_many(limit, window), clock))
}

async fn taken(limiter: &Arc<SourceLimiter>) -> TakenTurn {
    tokio::time::timeout(Duration::from_secs(10), limiter.turn("one", &Arc::from(ALL)))
        .await
        .unwrap()
        .unwrap()
}

async fn waits(limiter: &Arc<SourceLimiter>) -> bool {
    tokio::time::timeout(Duration::from_millis(150), limiter.turn("one", &Arc::from(ALL))).await.is_err()
}

fn after(clock: &TestClock, milliseconds: u64) {
    clock.advance(Duration::from_millis(milliseconds));
}

/// X-rate-14: a request may arrive at any time until it is answered, so it counts for the window from then on.
#[tokio::test]
async fn a_slow_request_counts_from_its_answer() {
    let clock = TestClock::default();
    let [one, other] = processes(1, Window::Minute, &clock);
    let slow = taken(&one).await;
    after(&clock, 65_000);
    assert!(waits(&other).await, "it is under way");
    one.end_request(slow, RequestEnd::Answered);
    one.settle();
    after(&clock, 59_900);
    assert!(waits(&other).await, "it may have arrived when it was answered");
    after(&clock, 1_200);
    taken(&other).await;
}

/// X-rate-14: what was given up may still lie before the API's door.
#[tokio::test]
async fn what_was_given_up_may_arrive_later() {
    let clock = TestClock::default();
    let [one, other] = processes(1, Window::Minute, &clock);
    let given_up = taken(&one).await;
    after(&clock, 20_000);
    one.end_request(given_up, RequestEnd::GivenUp);
    one.settle();
    after(&clock, 89_000);
    assert!(waits(&other).await);
    after(&clock, 3_000);
    taken(&other).await;
}

/// X-rate-14 X-rate-15: so may what a killed process had sent, of which no one hears again.
#[tokio::test]
async fn what_a_killed_process_sent_may_arrive_later() {
    let clock = TestClock::default();
    let [killed, other] = processes(1, Window::Minute, &clock);
    drop(taken(&killed).await);
    after(&clock, 89_000);
    assert!(waits(&other).await);
    after(&clock, 3_000);
    taken(&other).await;
}

/// Answers that take longer than the window leave half of a limit or more.
#[tokio::test]
async fn slow_answers_in_a_short_window() {
    let clock = TestClock::default();
    let [one, other] = processes(1, Window::Second, &clock);
    let _slow = taken(&one).await;
    after(&clock, 1_500);
    assert!(waits(&other).await);
    after(&clock, 800);
    taken(&other).await;
}

/// The ledger is told by itself, and soon; when it is told too late, nothing is counted anew.
#[tokio::test]
async fn the_ledger_is_told_soon() {
    let clock = TestClock::default();
    let [one, other] = processes(1, Window::Minute, &clock);
    let turn = taken(&one).await;
    one.end_request(turn, RequestEnd::Answered);
    tokio::time::sleep(Duration::from_secs(1)).await;
    after(&clock, 61_200);
    let late = taken(&other).await;
    after(&clock, 95_000);
    other.end_request(late, RequestEnd::Answered);
    other.settle();
    taken(&one).await;
}

/// A process of the walk below: its counter, and the requests that it has under way.
struct Process {
    counter: Counter,
    under_way: Vec<UnderWay>,
}

struct UnderWay {
    unit: TakenUnit,
    arrives: Timestamp,
    /// Until when its arrival is covered if no one hears of it again.
    covered: Timestamp,
    /// When it is answered or given up, and which.
    ends: Timestamp,
    end: RequestEnd,
}

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// X-rate-14 X-rate-15: four processes send as much as they can; requests arrive at once or any time before their answer, answers come
/// after a moment or after minutes, some are given up and arrive later, processes are killed and their requests arrive: in no stretch of
/// the window's length more than the limit.
#[tokio::test]
async fn never_more_whatever_happens() {
    for (seed, window) in [(1, Window::Minute), (2, Window::Minute), (3, Window::Second)] {
        let arrived = walk(seed, window).await;
        let length = window.length();
        let within = |first: usize| {
            let begin = arrived[first];
            arrived[first..].partition_point(|each| each.duration_since(begin).unsigned_abs() < length)
        };
        let most = (0..arrived.len()).map(within).max().unwrap();
        assert!(most <= 20, "{most} of 20 in a {window:?}");
        assert!(arrived.len() > 1_000, "only {} of a {window:?}", arrived.len());
    }
}

async fn walk(seed: u64, window: Window) -> Vec<Timestamp> {
    let (clock, mut numbers) = (TestClock::default(), Numbers(seed));
    let ledger = MemoryLedger::new(Arc::new(clock.clone()));
    let span = CountSpan::Sliding(window.length());
    let step = u64::try_from(window.length().as_millis()).unwrap() / 60;
    let fresh = || {
        let mut counter = counter(&[], Timestamp::UNIX_EPOCH);
        counter.ceiling = Some(20);
        Process { counter, under_way: Vec::new() }
    };
    let mut processes: Vec<Process> = (0..4).map(|_| fresh()).collect();
    let mut arrived = Vec::new();
    for _ in 0..20_000 {
        after(&clock, numbers.below(step));
        let now = clock.now();
        let later =
            |milliseconds| now + jiff::SignedDuration::from_millis(i64::try_from(milliseconds).unwrap());
        let index = usize::try_from(numbers.below(4)).unwrap();
        let process = &mut processes[index];
        for over in process.under_way.extract_if(.., |each| each.ends <= now) {
            process.counter.end(over.unit, over.end);
        }
        ledger.give_back(process.counter.expire(now));
        let ended = if numbers.below(3) == 0 { process.counter.take_ended(span) } else { Vec::new() };
        if process.counter.has_some() {
            ledger.settle(ended);
        } else {
            let want = process.counter.want(span, 1 + numbers.below(3));
            let request = ReserveRequest { source: "shop".to_owned(), wants: vec![want.clone()], ended };
            let reserved = ledger.reserve(request).await.unwrap().counters.remove(0);
            process.counter.receive(&want, &reserved);
        }
        // Not every unit is spent at once.
        while numbers.below(4) > 0
            && let Some(unit) = process.counter.take()
        {
            let takes = if numbers.below(10) == 0 { numbers.below(step * 80) } else { numbers.below(step) };
            let is_given_up = numbers.below(10) == 0;
            // No one hears of the arrival of what was given up; it is covered for half a window.
            let arrives =
                if is_given_up { takes + numbers.below(step * 28) } else { numbers.below(takes + 1) };
            let end = if is_given_up { RequestEnd::GivenUp } else { RequestEnd::Answered };
            arrived.push(later(arrives));
            let (arrives, covered) = (later(arrives), later(step * 28));
            process.under_way.push(UnderWay { unit, arrives, covered, ends: later(takes), end });
        }
        if numbers.below(150) == 0 {
            // What it wrote arrives in the time that is covered, or is never sent.
            for lost in process.under_way.iter().filter(|each| each.arrives > each.covered) {
                let place = arrived.iter().position(|each| *each == lost.arrives).unwrap();
                arrived[place] = lost.covered;
            }
            processes[index] = fresh();
        }
    }
    arrived.sort_unstable();
    arrived
}
