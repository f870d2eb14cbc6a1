//! Turns, windows, quotas and what responses say, with a clock that a test moves.

mod costs;
mod pauses;

use crate::counter::Counter;
use crate::headers;
use crate::memory::MemoryLedger;
use crate::source_limiter::SourceLimiter;
use crate::{Limiters, MeterOwner};
use aqueduct_operations::clock::Clock;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::rate_limits::ledger::{
    CountSpan, CounterAbout, CounterKind, EndedUnits, LearnedState, Ledger, LedgerLost, RequestEnd,
    Reservation, ReserveRequest, Reserved, ReturnedUnits, UnitLife,
};
use aqueduct_operations::rate_limits::metering::{
    ApiRefusalReason, LimitRefusal, PauseHandler, PausedQuota, QuotaWarning, ResponseFacts,
};
use aqueduct_operations::rate_limits::{
    ApiLimit, QueueRule, Quota, QuotaMetric, Quotas, RateLimits, Unit, Window,
};
use aqueduct_operations::source::Source;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::operation::get;
use jiff::Timestamp;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const ALL: [usize; 1] = [0];

fn limiter(rules: RateLimits, clock: &TestClock) -> Arc<SourceLimiter> {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new(Arc::new(clock.clone())));
    limiter_on(ledger, rules, clock)
}

pub(crate) fn limiter_on(
    ledger: Arc<dyn Ledger>,
    rules: RateLimits,
    clock: &TestClock,
) -> Arc<SourceLimiter> {
    let clock = Arc::new(clock.clone());
    let mut limiter = SourceLimiter::new("shop".to_owned(), Arc::new(rules), ledger, clock);
    // Tests move their clock by a second in less time than the ledger is usually told in.
    limiter.settle_after = Duration::from_millis(5);
    Arc::new(limiter)
}

pub(crate) fn so_many(limit: u64, window: Window) -> RateLimits {
    let queue = QueueRule { max_wait: Some(Duration::from_secs(600)), max_waiting: Some(5_000) };
    RateLimits { api_limits: vec![ApiLimit::global(limit, window)], queue, ..RateLimits::default() }
}

pub(crate) async fn turn(limiter: &Arc<SourceLimiter>, caller: &str) -> Result<(), Box<LimitRefusal>> {
    let taken = limiter.turn(caller, &Arc::from(ALL)).await?;
    limiter.end_request(taken, RequestEnd::Answered);
    limiter.end_turn();
    Ok(())
}

/// Lets everything run that can.
async fn settled() {
    tokio::time::sleep(Duration::from_millis(60)).await;
}

/// X-rate-16: one caller has a thousand requests waiting; another one's request goes with the first of the next units, whatever came before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_caller_starves_nobody() {
    let clock = TestClock::default();
    let limiter = limiter(so_many(4, Window::Minute), &clock);
    let served: Arc<Mutex<Vec<&'static str>>> = Arc::default();
    let spawn = |caller: &'static str| {
        let (limiter, served) = (Arc::clone(&limiter), Arc::clone(&served));
        tokio::spawn(async move {
            if turn(&limiter, caller).await.is_ok() {
                served.lock().unwrap().push(caller);
            }
        })
    };
    let busy: Vec<_> = (0..1_000).map(|_| spawn("busy")).collect();
    while limiter.state().turns.waiting() < 996 {
        settled().await;
    }
    let other = spawn("other");
    while limiter.state().turns.waiting() < 997 {
        settled().await;
    }
    clock.advance(Duration::from_secs(63));
    tokio::time::timeout(Duration::from_secs(20), other).await.unwrap().unwrap();
    let place = served.lock().unwrap().iter().position(|caller| *caller == "other").unwrap();
    assert!(place < 4 + 4, "it was served as number {place}");
    busy.iter().for_each(tokio::task::JoinHandle::abort);
}

/// X-rate-16: when as many wait as may, one more of another caller takes the place of the last one of the busiest; of the busiest
/// itself, or of somebody who has as many, it is refused.
#[tokio::test]
async fn a_full_queue_has_room_for_others() {
    let clock = TestClock::default();
    let queue = QueueRule { max_wait: Some(Duration::from_secs(600)), max_waiting: Some(4) };
    let limiter = limiter(RateLimits { queue, ..so_many(1, Window::Minute) }, &clock);
    turn(&limiter, "busy").await.unwrap();
    let calls: Vec<_> = ["busy", "busy", "busy", "busy", "other", "other", "other"]
        .into_iter()
        .map(|caller| {
            let limiter = Arc::clone(&limiter);
            tokio::spawn(async move { turn(&limiter, caller).await })
        })
        .collect();
    settled().await;
    let is_refused: Vec<bool> = calls.iter().map(|call| call.is_finished()).collect();
    assert_eq!(
        is_refused,
        [false, false, true, true, false, false, true],
        "two each, and no room for a third"
    );
    assert_eq!(limiter.state().turns.waiting(), 4);
    for call in calls.into_iter().filter(tokio::task::JoinHandle::is_finished) {
        let LimitRefusal::Api(refusal) = *call.await.unwrap().unwrap_err() else { panic!("another refusal") };
        assert_eq!(refusal.reason, ApiRefusalReason::QueueFull);
    }
}

/// X-rate-9 X-rate-10 X-rate-14: what would pass the limit waits, and is refused when it would wait too long, with the facts.
#[tokio::test]
async fn what_would_pass_the_limit() {
    let clock = TestClock::default();
    let rules = RateLimits { queue: QueueRule::default(), ..so_many(3, Window::Hour) };
    let limiter = limiter(rules, &clock);
    for _ in 0..3 {
        turn(&limiter, "one").await.unwrap();
    }
    let refused = *turn(&limiter, "one").await.unwrap_err();
    let LimitRefusal::Api(refusal) = refused else { panic!("{refused:?}") };
    assert_eq!((refusal.limit, refusal.remaining, refusal.window), (Some(3), 0, Some("hour")));
    assert_eq!(refusal.reason, ApiRefusalReason::TooLong);
    assert!((3_600..=3_720).contains(&refusal.retry_after_seconds), "{refusal:?}");
    clock.advance(Duration::from_secs(refusal.retry_after_seconds));
    turn(&limiter, "one").await.unwrap();
}

/// X-rate-14: in no stretch of the window's length more go out than the limit has, wherever it begins; and while somebody waits, no
/// fewer than 95 of 100.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn never_more_in_any_window() {
    let clock = TestClock::default();
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new(Arc::new(clock.clone())));
    // Three that count together, as processes do.
    let limiters: Vec<_> =
        (0..3).map(|_| limiter_on(Arc::clone(&ledger), so_many(100, Window::Minute), &clock)).collect();
    let sent: Arc<Mutex<Vec<Timestamp>>> = Arc::default();
    let calls: Vec<_> = (0..450)
        .map(|index| {
            let (limiter, sent, clock) = (Arc::clone(&limiters[index % 3]), Arc::clone(&sent), clock.clone());
            tokio::spawn(async move {
                if let Ok(taken) = limiter.turn("one", &Arc::from(ALL)).await {
                    sent.lock().unwrap().push(clock.now());
                    limiter.end_request(taken, RequestEnd::Answered);
                    limiter.end_turn();
                }
            })
        })
        .collect();
    let begun = clock.now();
    for _ in 0..240 {
        if sent.lock().unwrap().len() >= 4 * 95 {
            break;
        }
        settled().await;
        clock.advance(Duration::from_secs(1));
    }
    let took = clock.now().duration_since(begun).unsigned_abs();
    let mut sent = sent.lock().unwrap().clone();
    sent.sort();
    for (index, first) in sent.iter().enumerate() {
        let within = sent[index..]
            .iter()
            .take_while(|each| each.duration_since(*first).unsigned_abs() < Window::Minute.length());
        assert!(within.count() <= 100);
    }
    assert!(sent.len() >= 4 * 95 && took <= Duration::from_secs(3 * 64 + 10), "{} in {took:?}", sent.len());
    calls.iter().for_each(tokio::task::JoinHandle::abort);
}

/// A handler that says no, and remembers what it was told.
#[derive(Debug, Default)]
struct Refusing {
    paused: Mutex<Vec<PausedQuota>>,
    warned: Mutex<Vec<QuotaWarning>>,
}

impl PauseHandler for Refusing {
    fn goes_on(&self) -> bool {
        false
    }

    fn decide<'a>(&'a self, pause: &'a PausedQuota) -> Boxed<'a, Result<(), Box<LimitRefusal>>> {
        self.paused.lock().unwrap().push(pause.clone());
        Box::pin(std::future::ready(Err(Box::new(LimitRefusal::Unavailable("no".to_owned())))))
    }

    fn warn(&self, warning: QuotaWarning) {
        self.warned.lock().unwrap().push(warning);
    }
}

fn quota(metric: &str, warn: u64, pause: Option<u64>, hard_stop: Option<u64>) -> RateLimits {
    let metric = QuotaMetric::parse(metric).unwrap();
    let limits = vec![Quota { metric, warn: Some(warn), pause, hard_stop, currency: None }];
    RateLimits { quotas: Quotas { limits, ..Quotas::default() }, ..RateLimits::default() }
}

/// X-rate-7 X-rate-12 X-rate-19 R10.3-2 R10.3-3 R10.3-4: warned from the threshold on, stopped where the count is the threshold, and
/// counted anew in the next window.
#[tokio::test]
async fn a_quota_warns_and_stops() {
    let clock = TestClock::default();
    let limiter = limiter(quota("requests_per_hour", 4, None, Some(6)), &clock);
    let pause_handler = Refusing::default();
    for sent in 1..=6_u64 {
        limiter.take_quotas(0, &pause_handler).await.unwrap();
        assert_eq!(pause_handler.warned.lock().unwrap().len() as u64, sent.saturating_sub(3), "after {sent}");
    }
    let refused = *limiter.take_quotas(0, &pause_handler).await.unwrap_err();
    let LimitRefusal::Exhausted { current, hard_stop, retry_after_seconds, .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((current, hard_stop), (6.0, 6.0));
    assert_eq!(retry_after_seconds, 3_600);
    let status = limiter.status().await.unwrap();
    assert_eq!((status.counters[0].current, status.counters[0].status), (6.0, "exhausted"));
    clock.advance(Duration::from_secs(3_600));
    limiter.take_quotas(0, &pause_handler).await.unwrap();
    assert_eq!(limiter.status().await.unwrap().counters[0].status, "ok");
}

/// Tokens are known when they have come: the request that passes the pause is the last.
#[tokio::test]
async fn tokens_count_when_they_have_come() {
    let clock = TestClock::default();
    let limiter = limiter(quota("tokens_per_day", 50, Some(100), None), &clock);
    let pause_handler = Refusing::default();
    for _ in 0..3 {
        limiter.take_quotas(0, &pause_handler).await.unwrap();
        limiter.charge(&[], 40, 0);
    }
    assert!(limiter.take_quotas(0, &pause_handler).await.is_err());
    let paused = pause_handler.paused.lock().unwrap();
    assert_eq!((paused[0].current, paused[0].pause, paused[0].hard_stop), (120.0, 100.0, None));
    let left = paused[0].resets_at.duration_since(clock.now()).as_secs();
    assert!(left > 1, "{left}");
    assert_eq!(paused[0].retry_after_seconds, u64::try_from(left).unwrap());
}

/// What others count as well: a ledger that is lost lets nothing out.
#[derive(Debug)]
struct LostLedger;

impl Ledger for LostLedger {
    fn reserve<'a>(&'a self, _: ReserveRequest) -> Boxed<'a, Result<Reservation, LedgerLost>> {
        Box::pin(std::future::ready(Err(LedgerLost("the store cannot be reached".to_owned()))))
    }

    fn owe(&self, _: ReserveRequest) {}

    fn give_back(&self, _: Vec<ReturnedUnits>) {}

    fn settle(&self, _: Vec<EndedUnits>) {}

    fn learn(&self, _: LearnedState) {}

    fn pause_source(&self, _: &str, _: Timestamp) {}

    fn is_first_to_pause<'a>(&'a self, _: &'a str, _: Timestamp) -> Boxed<'a, bool> {
        Box::pin(std::future::ready(true))
    }
}

#[tokio::test]
async fn a_lost_ledger_lets_nothing_out() {
    let clock = TestClock::default();
    let lost: Arc<dyn Ledger> = Arc::new(LostLedger);
    let limited = limiter_on(Arc::clone(&lost), so_many(5, Window::Minute), &clock);
    assert!(matches!(*turn(&limited, "one").await.unwrap_err(), LimitRefusal::Unavailable(_)));
    let quota = limiter_on(lost, quota("requests_per_day", 1, None, Some(5)), &clock);
    assert!(matches!(
        *quota.take_quotas(0, &Refusing::default()).await.unwrap_err(),
        LimitRefusal::Unavailable(_)
    ));
}

struct Head(u16, Vec<(&'static str, String)>, Option<u64>);

impl ResponseFacts for Head {
    fn status(&self) -> u16 {
        self.0
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.1.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    fn retry_after(&self) -> Option<Duration> {
        self.2.map(Duration::from_secs)
    }
}

/// X-rate-3 X-rate-9 X-rate-15: what the API says is left counts, also when others have used it; and from its reset on all are there.
#[tokio::test]
async fn learned_from_headers() {
    let clock = TestClock::default();
    let mut rules = so_many(5_000, Window::Hour);
    rules.queue = QueueRule::default();
    rules.api_limits[0].remaining_header = Some("X-RateLimit-Remaining".to_owned());
    rules.api_limits[0].reset_header = Some("X-RateLimit-Reset".to_owned());
    let limiter = limiter(rules, &clock);
    let taken = limiter.turn("one", &Arc::from(ALL)).await.unwrap();
    limiter.end_request(taken, RequestEnd::Answered);
    let reset = clock.now().as_second() + 600;
    let headers = vec![("X-RateLimit-Remaining", "2".to_owned()), ("X-RateLimit-Reset", reset.to_string())];
    limiter.learn(&ALL, &Head(200, headers, None));
    limiter.end_turn();
    turn(&limiter, "one").await.unwrap();
    turn(&limiter, "one").await.unwrap();
    let refused = *turn(&limiter, "one").await.unwrap_err();
    let LimitRefusal::Api(refusal) = refused else { panic!("{refused:?}") };
    assert!((590..=640).contains(&refusal.retry_after_seconds), "{refusal:?}");
    clock.advance(Duration::from_secs(refusal.retry_after_seconds + 37));
    for _ in 0..100 {
        turn(&limiter, "one").await.unwrap();
    }
}

/// X-rate-9: the whole source waits as the API asks, within a bound; nonsense makes no one wait.
#[tokio::test]
async fn retry_after_holds_the_source() {
    let clock = TestClock::default();
    let limiter = limiter(RateLimits::default(), &clock);
    limiter.learn(&[], &Head(429, Vec::new(), Some(120)));
    let refused = *turn(&limiter, "other").await.unwrap_err();
    let LimitRefusal::Api(refusal) = refused else { panic!("{refused:?}") };
    assert_eq!((refusal.reason, refusal.retry_after_seconds), (ApiRefusalReason::AskedToWait, 120));
    clock.advance(Duration::from_secs(121));
    turn(&limiter, "other").await.unwrap();
    limiter.learn(&[], &Head(429, Vec::new(), Some(u64::MAX / 4)));
    clock.advance(Duration::from_secs(3_601));
    turn(&limiter, "other").await.unwrap();
    limiter.learn(&[], &Head(200, Vec::new(), Some(120)));
    turn(&limiter, "other").await.unwrap();
}

/// Numbers, moments, waits and dates; nonsense says nothing.
#[test]
fn headers_in_all_forms() {
    let now: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
    let in_a_minute = "2026-01-01T12:01:00Z".parse().ok();
    for text in
        ["60", "60.0", "1767268860", "1767268860000", "Thu, 01 Jan 2026 12:01:00 GMT", "2026-01-01T12:01:00Z"]
    {
        assert_eq!(headers::reset(text, now), in_a_minute, "{text}");
    }
    for text in ["", "soon", "-5", "NaN", "inf", "1e30", "Thu, 01 Jan 2099 12:01:00 GMT"] {
        assert_eq!(headers::reset(text, now), None, "{text}");
    }
    assert_eq!(headers::remaining(" 12 "), Some(12));
    for text in ["", "-1", "many", "NaN", "1e99"] {
        assert_eq!(headers::remaining(text), None, "{text}");
    }
}

/// No more are in flight than the source takes, and a request that is given up leaves its place.
#[tokio::test]
async fn requests_in_flight() {
    let clock = TestClock::default();
    let limiter = limiter(RateLimits { concurrent_requests: Some(1), ..RateLimits::default() }, &clock);
    let none: Arc<[usize]> = Arc::from([]);
    limiter.turn("one", &none).await.unwrap();
    let given_up = tokio::time::timeout(Duration::from_millis(80), limiter.turn("two", &none)).await;
    assert!(given_up.is_err());
    limiter.end_turn();
    tokio::time::timeout(Duration::from_secs(10), limiter.turn("three", &none)).await.unwrap().unwrap();
    assert_eq!(limiter.state().in_flight, 1);
}

/// X-rate-16: units that come one at a time go to callers in turn, and not to the first of them again and again.
#[test]
fn single_units_go_around() {
    let mut turns: crate::fair_queue::FairQueue<&str> = crate::fair_queue::FairQueue::default();
    for (caller, count) in [("busy", 100), ("other", 2), ("third", 1)] {
        (0..count).for_each(|_| turns.push(caller, caller));
    }
    let mut order = Vec::new();
    for _ in 0..6 {
        let mut units = 1;
        order.extend(turns.serve(|_| std::mem::take(&mut units) == 1));
    }
    assert_eq!(order, ["busy", "other", "third", "busy", "other", "busy"]);
}

pub(crate) fn counter(granted: &[(i64, u64)], until: Timestamp) -> Counter {
    let about = CounterAbout {
        kind: CounterKind::ApiLimit,
        name: "all".to_owned(),
        window: "minute".to_owned(),
        unit: "requests".to_owned(),
        limit: Some(10),
        warn: None,
        pause: None,
        hard_stop: None,
        currency: None,
    };
    let mut counter = Counter::new("shop".to_owned(), about, Unit::Requests);
    for (slice, units) in granted {
        let want = counter.want(CountSpan::Sliding(Duration::from_secs(60)), *units);
        let life = UnitLife { slice: *slice, usable_until: until, counts_until: until };
        let reserved = Reserved { granted: *units, used: *units, life, next_free: None, continued: false };
        counter.receive(&want, &reserved);
    }
    counter
}

/// X-rate-14: a unit that was taken and not spent is one of its own slice again: in a later one it could be spent when its slice no longer
/// counts.
#[test]
fn units_come_back_to_their_slice() {
    let until: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
    let mut counter = counter(&[(7, 1), (8, 2)], until);
    let (old, new) = (counter.take().unwrap(), counter.take().unwrap());
    counter.put_back(old);
    counter.put_back(new);
    let returned: Vec<(i64, u64)> =
        counter.expire(until).into_iter().map(|units| (units.slice, units.units)).collect();
    assert_eq!(returned, [(7, 1), (8, 2)]);
    assert!(counter.take().is_none());
}

/// A handler that lets everything go on, a minute and a half later.
#[derive(Debug)]
struct SlowHandler(TestClock, AtomicBool);

impl PauseHandler for SlowHandler {
    fn goes_on(&self) -> bool {
        self.1.load(Ordering::SeqCst)
    }

    fn decide<'a>(&'a self, _: &'a PausedQuota) -> Boxed<'a, Result<(), Box<LimitRefusal>>> {
        self.0.advance(Duration::from_secs(90));
        self.1.store(true, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(())))
    }

    fn warn(&self, _: QuotaWarning) {}
}

/// X-rate-14: a request that went on after a pause is one of the minute in which it goes out, and not of the one in which it was asked about.
#[tokio::test]
async fn a_long_pause_costs_the_turn() {
    let clock = TestClock::default();
    let quotas = quota("requests_per_day", 1, Some(1), Some(50)).quotas;
    let rules = RateLimits { quotas, ..so_many(3, Window::Minute) };
    let limiters = Limiters::in_memory(Arc::new(clock.clone()));
    let source =
        Source { rate_limits: Some(Arc::new(rules)), ..Source::new("shop".to_owned(), TrustLevel::Official) };
    let entry = RegistryEntry {
        public_name: "get_x".to_owned(),
        operation: Arc::new(get("get_x", "https://api.example.com", "/x")),
        source: Arc::new(source),
    };
    let handler = Arc::new(SlowHandler(clock.clone(), AtomicBool::new(false)));
    let admit = async || {
        let owner = MeterOwner {
            caller: "one".to_owned(),
            pause_handler: Arc::clone(&handler) as Arc<dyn PauseHandler>,
        };
        limiters.meter(&entry, owner, String::new).admit().await
    };
    admit().await.unwrap().returned("");
    // By then the ledger was told.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let begun = clock.now();
    admit().await.unwrap().returned("");
    assert!(clock.now().duration_since(begun).unsigned_abs() >= Duration::from_secs(90), "it was paused");
    let sent = clock.now();
    for _ in 0..2 {
        admit().await.unwrap().returned("");
    }
    assert_eq!(clock.now(), sent, "three in this minute, with the one that went on");
    let fourth = tokio::time::timeout(Duration::from_millis(150), admit()).await;
    assert!(fourth.is_err(), "the fourth waits: {fourth:?}");
}
