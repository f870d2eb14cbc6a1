//! Tests of `limits`.

use super::{FleetReport, LimitRun, judge, mean_time, most_in};
use std::time::{Duration, Instant};

fn at(begin: Instant, seconds: &[u64]) -> Vec<Instant> {
    seconds.iter().map(|second| begin + Duration::from_secs(*second)).collect()
}

#[test]
fn a_window_begins_anywhere() {
    let arrived = at(Instant::now(), &[0, 30, 31, 32, 89, 90, 95]);
    assert_eq!(most_in(&arrived, Duration::from_secs(60)), 5);
    assert_eq!(most_in(&[], Duration::from_secs(60)), 0);
}

#[test]
fn too_many_and_too_few_are_found() {
    let problems = |seconds: &[u64], kills| {
        let mut report = FleetReport::default();
        let run = LimitRun { calls: 6, limit: 2, kills };
        let arrived = at(Instant::now(), seconds);
        let handed_out = arrived[arrived.len() - 2];
        judge(&arrived, 3, handed_out, run, &mut report);
        report.problems.len()
    };
    assert_eq!(problems(&[0, 1, 61, 62, 122, 123], 0), 0);
    assert_eq!(problems(&[0, 1, 59, 62, 122, 123], 0), 1, "three in a minute");
    assert_eq!(problems(&[0, 1, 61, 62, 132, 142], 0), 1, "too slow");
    assert_eq!(problems(&[0, 1, 61, 62, 132, 142], 4), 0, "what was reserved by the killed is lost");
    assert_eq!(problems(&[0, 1, 61, 62, 122, 200], 0), 0, "nobody waited for long but the last");
    assert_eq!(problems(&[0, 1, 61, 62, 122], 4), 1, "one is missing");
}

#[test]
fn bursts_count_wherever_they_are_cut() {
    let bursts = at(Instant::now(), &[0, 0, 0, 61, 61, 61, 122, 122, 122]);
    for end in 4..=9 {
        assert_eq!(mean_time(&bursts[..end], 3), Some(Duration::from_secs(61)), "{end}");
    }
    assert_eq!(mean_time(&bursts[..3], 3), None);
    assert_eq!(mean_time(&bursts[..2], 3), None);
}
