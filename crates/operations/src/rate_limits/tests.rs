//! Windows, metrics, schedules, and who has the last word.

use super::cron::Cron;
use super::ledger::{
    CountSpan, CounterAbout, CounterKind, CounterState, FirstEnds, ReserveStep, UnitRequest, granted,
};
use super::{ApiLimit, DeclaredLimits, QuotaMetric, RateLimits, Unit, Window};
use jiff::Timestamp;
use std::time::Duration;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// X-rate-6 R10.3-1: the metrics, and calls as another word for requests.
#[test]
fn metrics() {
    for name in QuotaMetric::NAMES {
        let metric = QuotaMetric::parse(name).unwrap();
        assert_eq!(metric.name(), name.replace("calls_", "requests_"));
    }
    assert_eq!(
        QuotaMetric::parse("calls_per_hour"),
        Some(QuotaMetric { unit: Unit::Requests, window: Window::Hour })
    );
    for wrong in ["requests_per_month", "cost_per_minute", "requests", "", "requests_per_"] {
        assert_eq!(QuotaMetric::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn windows_of_the_calendar() {
    let now = at("2026-02-17T13:45:10.5Z");
    for (window, from, until) in [
        (Window::Second, "2026-02-17T13:45:10Z", "2026-02-17T13:45:11Z"),
        (Window::Minute, "2026-02-17T13:45:00Z", "2026-02-17T13:46:00Z"),
        (Window::Hour, "2026-02-17T13:00:00Z", "2026-02-17T14:00:00Z"),
        (Window::Day, "2026-02-17T00:00:00Z", "2026-02-18T00:00:00Z"),
        (Window::Month, "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"),
    ] {
        assert_eq!(window.around(now), (at(from), at(until)), "{window:?}");
    }
}

/// X-rate-4: a schedule of cron says when quotas start again.
#[test]
fn schedules() {
    let now = at("2026-02-17T13:45:10Z");
    for (text, last, next) in [
        ("0 6 * * *", "2026-02-17T06:00:00Z", "2026-02-18T06:00:00Z"),
        ("0 0 1 * *", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"),
        ("*/15 * * * *", "2026-02-17T13:45:00Z", "2026-02-17T14:00:00Z"),
        ("30 8 * * 1-5", "2026-02-17T08:30:00Z", "2026-02-18T08:30:00Z"),
        ("0 12 * * 7", "2026-02-15T12:00:00Z", "2026-02-22T12:00:00Z"),
        ("0 0 1 * 3", "2026-02-11T00:00:00Z", "2026-02-18T00:00:00Z"),
        ("0 0 29 2 *", "2024-02-29T00:00:00Z", "2028-02-29T00:00:00Z"),
    ] {
        let schedule = Cron::parse(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(schedule.around(now), Some((at(last), at(next))), "{text}");
    }
    for wrong in ["", "daily", "60 * * * *", "* * * *", "0 0 30 2 *", "1-0 * * * *", "*/0 * * * *"] {
        assert_eq!(Cron::parse(wrong), None, "{wrong}");
    }
}

/// Only the operator raises or lifts what an author declares; an author's limits hold where the operator says nothing.
#[test]
fn the_operator_has_the_last_word() {
    let limits = |limit| Some(vec![ApiLimit::global(limit, Window::Minute)]);
    let author = || Some(DeclaredLimits { api_limits: limits(5), ..DeclaredLimits::default() });
    let of = |operator: DeclaredLimits| RateLimits::of(author(), Some(&operator));
    assert_eq!(RateLimits::of(author(), None).unwrap().api_limits[0].limit, 5);
    let raised = DeclaredLimits { api_limits: limits(50), ..DeclaredLimits::default() };
    assert_eq!(of(raised).unwrap().api_limits[0].limit, 50);
    let beside = DeclaredLimits { concurrent_requests: Some(2), ..DeclaredLimits::default() };
    assert_eq!(of(beside).unwrap().api_limits[0].limit, 5);
    assert_eq!(of(DeclaredLimits { lifts_all: true, ..DeclaredLimits::default() }), None);
    assert_eq!(RateLimits::of(None, None), None);
}

/// X-rate-14: a unit counts for the whole window from the last moment in which its request can have arrived, wherever the API's own
/// window begins: from its answer on, or where there is none, from a while after it could be spent.
#[test]
fn a_unit_counts_long_enough() {
    for seconds in [1, 60, 3_600, 86_400] {
        let length = Duration::from_secs(seconds);
        let now = at("2026-02-17T13:45:10.123Z");
        let span = CountSpan::Sliding(length);
        let life = span.life(now, None);
        assert!(life.usable_until > now);
        let way = life.counts_until.duration_since(life.usable_until).unsigned_abs().saturating_sub(length);
        assert_eq!(way, Duration::from_secs(seconds.min(30)), "{length:?}");
        let settled = span.settled_life(now, None);
        assert_ne!(settled.slice, life.slice, "{length:?}: they do not count for the same time");
        let whole = settled.counts_until.duration_since(now).unsigned_abs();
        assert!(whole > length, "{length:?}");
        assert!(whole <= length.mul_f64(1.02), "{length:?}: no fewer than 950 of 1,000, {whole:?}");
    }
}

/// A request that was under way when the API began anew may be one of either window; one that was answered before is of the old one.
#[test]
fn a_reset_ends_what_was_answered() {
    let (now, span) = (at("2026-02-17T13:45:10.123Z"), CountSpan::Sliding(Duration::from_secs(60)));
    let reset = at("2026-02-17T13:45:15Z");
    let unsettled = span.life(now, Some(reset)).counts_until;
    assert!(unsettled.duration_since(reset).as_secs() >= 25, "{unsettled}");
    let settled = span.settled_life(now, Some(reset)).counts_until;
    assert!(settled >= reset && settled.duration_since(reset).as_secs() <= 1, "{settled}");
}

/// The caller that waits is told the time at which units are there if what is under way ends now.
#[test]
fn the_next_free_unit() {
    let (now, span) = (at("2026-02-17T13:45:00Z"), CountSpan::Sliding(Duration::from_secs(60)));
    let after = |seconds| now.checked_add(jiff::SignedDuration::from_secs(seconds)).ok();
    let next = |settled, unsettled| span.next_free(now, &FirstEnds { settled, unsettled });
    assert_eq!(next(None, None), None);
    assert_eq!(next(after(20), None), after(20));
    assert_eq!(next(None, after(80)), after(50), "it could be spent just now, and can be answered");
    assert_eq!(next(None, after(25)), after(25), "it is under way for so long that it ends before");
    assert_eq!(next(after(20), after(80)), after(20));
}

/// Near the limit no one takes more than is needed.
#[test]
fn blocks_shrink_near_the_limit() {
    assert_eq!(granted(1_000, 1, 64), 64);
    assert_eq!(granted(80, 1, 64), 10);
    assert_eq!(granted(7, 1, 64), 1);
    assert_eq!(granted(7, 20, 64), 7);
    assert_eq!(granted(0, 1, 64), 0);
}

/// What every ledger adds: what was spent before counts whatever the ceiling, and a quota that goes on has another one.
#[test]
fn a_step_of_reserving() {
    let (now, span) = (at("2026-02-17T13:45:00Z"), CountSpan::Sliding(Duration::from_secs(60)));
    let about = CounterAbout {
        kind: CounterKind::Quota,
        name: "requests_per_minute".to_owned(),
        window: "minute".to_owned(),
        unit: "requests".to_owned(),
        limit: None,
        warn: None,
        pause: None,
        hard_stop: None,
        currency: None,
    };
    let want = UnitRequest {
        counter: "c".to_owned(),
        about,
        span,
        ceiling: Some(10),
        ceiling_continued: Some(20),
        owed: 3,
        needed: 4,
        ask: 4,
    };
    let step =
        |used, continued| want.reserve(now, &CounterState { used, continued, ..CounterState::default() });
    let reserved = |used, continued| {
        let reserved = step(used, continued).reserved;
        (reserved.granted, reserved.used)
    };
    assert_eq!(reserved(0, false), (4, 7));
    assert_eq!(reserved(5, false), (2, 10));
    assert_eq!(reserved(12, false), (0, 15));
    assert_eq!(reserved(12, true), (4, 19));
    let ReserveStep { reserved, owed, owed_life } = step(12, false);
    assert_eq!((owed, owed_life), (3, span.settled_life(now, None)));
    assert_eq!(reserved.next_free, Some(owed_life.counts_until), "nothing else counts that is known to end");
    let before = FirstEnds { settled: at("2026-02-17T13:45:05Z").into(), unsettled: None };
    let counter = CounterState { used: 12, first_ends: before, ..CounterState::default() };
    assert_eq!(want.reserve(now, &counter).reserved.next_free, before.settled);
}
