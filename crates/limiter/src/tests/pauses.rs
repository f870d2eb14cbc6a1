//! Who is told of a quota that pauses, and how often.

use super::{Refusing, limiter_on, quota};
use crate::memory::MemoryLedger;
use crate::{Limiters, MeterOwner};
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::rate_limits::RateLimits;
use aqueduct_operations::rate_limits::ledger::{
    EndedUnits, LearnedState, Ledger, LedgerLost, Reservation, ReserveRequest, ReturnedUnits,
};
use aqueduct_operations::rate_limits::metering::{PauseListener, PausedQuota};
use aqueduct_operations::source::Source;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::operation::get;
use jiff::Timestamp;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Remembers what it was told.
#[derive(Debug, Default)]
struct Told(Mutex<Vec<PausedQuota>>);

impl PauseListener for Told {
    fn on_pause(&self, pause: &PausedQuota) {
        self.0.lock().unwrap().push(pause.clone());
    }
}

fn entry(rules: RateLimits) -> RegistryEntry {
    let source =
        Source { rate_limits: Some(Arc::new(rules)), ..Source::new("shop".to_owned(), TrustLevel::Official) };
    RegistryEntry {
        public_name: "get_x".to_owned(),
        operation: Arc::new(get("get_x", "https://api.example.com", "/x")),
        source: Arc::new(source),
    }
}

/// However many calls come to a pause, one is told of; the pause of the next window is another one. A stop is no pause.
#[tokio::test]
async fn each_pause_is_told_of_once() {
    let clock = TestClock::default();
    let told: Arc<Told> = Arc::default();
    let listener = Arc::clone(&told) as Arc<dyn PauseListener>;
    let limiters = Limiters::in_memory(Arc::new(clock.clone())).telling(Some(listener));
    let entry_with_pause = entry(quota("requests_per_day", 1, Some(2), Some(9)));
    let admit = async |entry: &RegistryEntry| {
        let owner = MeterOwner { caller: "one".to_owned(), pause_handler: Arc::new(Refusing::default()) };
        limiters.meter(entry, owner, String::new).admit().await.is_ok()
    };
    let mut counts = Vec::new();
    for _ in 0..2 {
        for _ in 0..5 {
            let is_admitted = admit(&entry_with_pause).await;
            counts.push((is_admitted, told.0.lock().unwrap().len()));
        }
        clock.advance(Duration::from_secs(86_400));
    }
    let expected = |before| {
        [(true, before), (true, before), (false, before + 1), (false, before + 1), (false, before + 1)]
    };
    assert_eq!(counts, [expected(0), expected(1)].concat());
    let first = told.0.lock().unwrap()[0].clone();
    assert_eq!((first.source.as_str(), first.metric.as_str()), ("shop", "requests_per_day"));
    assert_eq!((first.current, first.pause, first.hard_stop), (2.0, 2.0, Some(9.0)));
    let entry_with_stop = entry(quota("requests_per_day", 1, None, Some(1)));
    for _ in 0..3 {
        admit(&entry_with_stop).await;
    }
    assert_eq!(told.0.lock().unwrap().len(), 2);
}

/// Notes a pause only when it is let.
#[derive(Debug)]
struct SlowToNote {
    inner: MemoryLedger,
    noting: Semaphore,
    may_note: Semaphore,
}

impl Ledger for SlowToNote {
    fn reserve<'a>(&'a self, request: ReserveRequest) -> Boxed<'a, Result<Reservation, LedgerLost>> {
        self.inner.reserve(request)
    }

    fn owe(&self, _: ReserveRequest) {}

    fn give_back(&self, _: Vec<ReturnedUnits>) {}

    fn settle(&self, _: Vec<EndedUnits>) {}

    fn learn(&self, _: LearnedState) {}

    fn pause_source(&self, _: &str, _: Timestamp) {}

    fn is_first_to_pause<'a>(&'a self, _: &'a str, _: Timestamp) -> Boxed<'a, bool> {
        Box::pin(async {
            self.noting.add_permits(1);
            drop(self.may_note.acquire().await);
            true
        })
    }
}

/// A call that is cancelled while its pause is noted has it told of all the same.
#[tokio::test]
async fn told_of_when_the_call_is_cancelled() {
    let clock = TestClock::default();
    let told: Arc<Told> = Arc::default();
    let ledger = Arc::new(SlowToNote {
        inner: MemoryLedger::new(Arc::new(clock.clone())),
        noting: Semaphore::new(0),
        may_note: Semaphore::new(0),
    });
    let on = Arc::clone(&ledger) as Arc<dyn Ledger>;
    let limiter = limiter_on(on, quota("requests_per_day", 1, Some(1), Some(9)), &clock);
    let mut limiter = Arc::into_inner(limiter).unwrap();
    limiter.listener = Some(Arc::clone(&told) as Arc<dyn PauseListener>);
    let limiter = Arc::new(limiter);
    limiter.take_quotas(0, &Refusing::default()).await.unwrap();
    let of_call = Arc::clone(&limiter);
    let call = tokio::spawn(async move { of_call.take_quotas(0, &Refusing::default()).await.is_ok() });
    drop(ledger.noting.acquire().await);
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    ledger.may_note.add_permits(1);
    let heard = async {
        while told.0.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(5), heard).await.is_ok(), "nobody was told");
}
