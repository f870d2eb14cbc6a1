//! Tests of `tally`.

use super::Tally;

fn answer(version: u64) -> String {
    format!(r#"{{"text":"{{\"success\":true,\"data\":{{\"path\":\"/v/{version}\"}}}}"}}"#)
}

#[test]
fn answers_are_judged() {
    let tally = Tally::default();
    tally.write(7);
    tally.announce(6);
    for version in [6, 7] {
        tally.judge(tally.floor(), &answer(version));
    }
    assert_eq!((tally.calls(), tally.failures(), tally.stale()), (2, 0, 0));
    for version in [5, 8] {
        tally.judge(tally.floor(), &answer(version));
    }
    tally.judge(tally.floor(), &answer(7).replace("true", "false"));
    tally.judge(tally.floor(), "");
    assert_eq!((tally.calls(), tally.failures(), tally.stale()), (6, 2, 2));
    assert_eq!(tally.examples().len(), 4);
}
