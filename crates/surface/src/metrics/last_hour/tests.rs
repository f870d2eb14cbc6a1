//! Minutes come and go; nothing is counted twice, and nothing is kept for longer than an hour.

use super::{CallCount, LastHour};

#[test]
fn an_hour_is_kept() {
    let mut hour = LastHour::default();
    for minute in 100..=170 {
        hour.add(minute, Some("shop"), minute % 10 == 0);
        hour.add(minute, None, false);
    }
    let minutes: Vec<i64> = hour.all().map(|(minute, _)| minute).collect();
    assert_eq!((minutes.first(), minutes.last(), minutes.len()), (Some(&111), Some(&170), 60));
    assert_eq!(hour.all().last(), Some((170, CallCount { calls: 2, errors: 1 })));
    assert_eq!(hour.of_source("shop").last(), Some((170, CallCount { calls: 1, errors: 1 })));
    assert_eq!(hour.of_source("other").count(), 0);
}

#[test]
fn quiet_minutes_are_left_out() {
    let mut hour = LastHour::default();
    hour.add(5, Some("a"), false);
    hour.add(30, Some("b"), true);
    assert_eq!(hour.all().map(|(minute, _)| minute).collect::<Vec<_>>(), [5, 30]);
    hour.add(65, Some("a"), false);
    assert_eq!(hour.all().map(|(minute, _)| minute).collect::<Vec<_>>(), [30, 65]);
}
