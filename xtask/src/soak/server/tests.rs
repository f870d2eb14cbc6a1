//! Tests of `server`.

use super::super::Event;
use super::event_in;

#[test]
fn the_log_is_understood() {
    let line =
        "2026-11-15T10:00:00Z  INFO aqueduct::load: reloaded source=\"soak\" version=\"1.0.17\" operations=1";
    assert!(matches!(event_in(line), Some(Event::Reloaded(17))));
    let line = "2026-11-15T10:00:00Z  WARN aqueduct::load: has errors; the last good version stays in service file=\"x\"";
    assert!(matches!(event_in(line), Some(Event::Refused)));
    assert!(event_in("soak-adapter.md:1:1: error[FRONT_MATTER] ...").is_none());
}
