//! Tests of `report`.

use super::{Measured, medians, table, targets};
use crate::bench::load::Run;
use crate::bench::peers::{CLIENT, OURS_STDIO, RAW};

fn run(median: f64, rate: f64) -> Run {
    Run { median, slow: median * 2.0, rate, calls: 10 }
}

#[test]
fn medians_are_of_each_figure() {
    let all = medians(&[run(3.0, 1.0), run(1.0, 9.0), run(2.0, 5.0)]);
    assert_eq!((all.median, all.slow, all.rate, all.calls), (2.0, 4.0, 5.0, 30));
}

#[test]
fn verdicts_are_about_the_difference() {
    let measured = |ours: Run| {
        vec![
            Measured { name: RAW, runs: Ok(vec![run(0.1, 3000.0)]) },
            Measured { name: CLIENT, runs: Ok(vec![run(0.2, 1000.0)]) },
            Measured { name: OURS_STDIO, runs: Ok(vec![ours]) },
            Measured { name: "peer", runs: Err("not installed".to_owned()) },
        ]
    };
    assert!(targets(&measured(run(0.3, 300.0))).iter().all(|row| row.is_met));
    let missed: Vec<bool> = targets(&measured(run(0.4, 200.0))).iter().map(|row| row.is_met).collect();
    assert_eq!(missed, [false, false, true]);
    let shown = table(&measured(run(0.3, 300.0)));
    assert!(
        shown.contains("0.200 ms")
            && shown.contains("30 %")
            && shown.contains("10 %")
            && shown.contains("not installed"),
        "{shown}"
    );
}
