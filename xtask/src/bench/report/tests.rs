//! Tests of `report`.

use super::{FEW, LONG, MANY, Measured, Scenario, medians, table, targets};
use crate::bench::load::Run;
use crate::bench::peers::{Contestant, Ready};

fn run(median: f64, rate: f64) -> Run {
    Run { median, slow: median * 2.0, rate, calls: 10 }
}

fn line(scenario: Scenario, contestant: Contestant, run: Run) -> Measured {
    let ready = Some(Ready { start: 12.0, megabytes: 20.0, tokens: 500 });
    Measured { contestant, scenario, ready, runs: Ok(vec![run]) }
}

#[test]
fn medians_are_of_each_figure() {
    let all = medians(&[run(3.0, 1.0), run(1.0, 9.0), run(2.0, 5.0)]);
    assert_eq!((all.median, all.slow, all.rate, all.calls), (2.0, 4.0, 5.0, 30));
}

#[test]
fn verdicts_are_about_ratios() {
    let measured = |ours: Run, many: Run, long: Run| {
        let mut lines = vec![
            line(FEW, Contestant::Raw, run(0.1, 3000.0)),
            line(FEW, Contestant::Client, run(0.2, 1000.0)),
            line(FEW, Contestant::OursHttp, ours),
            line(FEW, Contestant::OursStdio, run(0.2, 1000.0)),
            line(FEW, Contestant::RmcpOpenApi, run(1.0, 200.0)),
            line(FEW, Contestant::FastMcpHttp, run(9.0, 60.0)),
            line(LONG, Contestant::Client, run(1.0, 100.0)),
            line(LONG, Contestant::OursHttp, long),
            line(MANY, Contestant::OursHttp, many),
        ];
        lines.push(Measured {
            runs: Err("not installed".to_owned()),
            ..line(FEW, Contestant::Generated, run(1.0, 1.0))
        });
        lines
    };
    let good = measured(run(0.2, 600.0), run(0.2, 550.0), run(1.9, 50.0));
    assert!(
        targets(&good).iter().all(|row| row.is_met),
        "{:?}",
        targets(&good).iter().map(super::Row::line).collect::<Vec<_>>()
    );
    let shown = table(&good);
    for part in ["3.0", "60 %", "0.100", "26.667", "not installed", "10000 operations, 1 KB", "500"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let bad = measured(run(0.3, 590.0), run(0.3, 400.0), run(2.1, 50.0));
    let missed: Vec<String> =
        targets(&bad).iter().filter(|row| !row.is_met).map(|row| row.what.clone()).collect();
    assert_eq!(
        missed,
        [
            "aqueduct, HTTP: added to a direct call",
            "aqueduct, HTTP: calls of 16 callers, of rmcp-openapi-server, HTTP",
            "aqueduct, HTTP: calls of 16 callers, of FastMCP, HTTP",
            "aqueduct, HTTP: calls with 10000 operations, of those with 10",
            "aqueduct, HTTP: 100 KB, of the direct client's time",
            "aqueduct, HTTP: calls, of those over stdio",
        ]
    );
}
