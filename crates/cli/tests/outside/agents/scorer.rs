//! A command of the operator's that scores: what it says holds, and when it fails no one goes on.

use super::Watched;
use crate::outside::harness::Place;
use serde_json::json;
use std::time::{Duration, Instant};

/// Answers by what is asked for.
const SCRIPT: &str = r#"#!/bin/sh
question=$(cat)
case "$question" in
  *'"element_name":"night clerk"'*'a name'*) echo 7 ;;
  *fine*) echo 12 ;;
  *fraction*) echo 30.2 ;;
  *money*) echo '{"score": 70, "factors": ["it is money", 7]}' ;;
  *minus*) echo -4 ;;
  *words*) echo 'quite harmless' ;;
  *fails*) echo 0; exit 1 ;;
  *flood*) exec yes 0 ;;
  *slow*) exec sleep 60 ;;
  *huge*) echo 1e999 ;;
  *nested*) echo '{"score": {"score": 0}}' ;;
  *silent*) ;;
  *) echo '[0]' ;;
esac
"#;

/// What goes wrong with it.
const FAILURES: [&str; 8] = [
    "words",
    "a script that fails",
    "a flood",
    "huge numbers",
    "nested ones",
    "silent ones",
    "lists",
    "slow ones",
];

/// C8.7.2-19: the command decides instead of the rules, with its own factors; whatever goes wrong with it counts as 100.
#[tokio::test]
async fn a_command_that_scores() {
    let place = Place::new();
    let script = place.write("score.sh", SCRIPT);
    let config = format!("[safety]\nmode = \"enforcing\"\nscorer_hook = [\"/bin/sh\", \"{script}\"]\n");
    let config = place.write("aqueduct.toml", config);
    let mut watched = Watched::open(&["--config", &config]).await;
    let good = [
        ("think of something fine, such as wiping all disks", "advisory", true),
        ("think of a name", "advisory", true),
        ("think of minus four", "advisory", true),
        ("think of a fraction", "confirm", false),
        ("think of money", "verify", false),
    ];
    let names = ["good", "night clerk", "minus", "fraction", "money"];
    for name in names.into_iter().chain(FAILURES).chain(["last"]) {
        watched.run(name).await;
    }
    for (agent, (hint, tier, goes_on)) in names.into_iter().zip(good) {
        let directive = watched.directive(agent, hint).await;
        assert_eq!(
            (&directive["nextStepRisk"], &directive["continue"]),
            (&json!(tier), &json!(goes_on)),
            "{directive}"
        );
        assert_eq!(hint.ends_with("money"), directive["factors"][0] == "it is money", "{directive}");
    }
    for what in FAILURES {
        let start = Instant::now();
        let directive = watched.directive(what, &format!("think of {what}")).await;
        assert_eq!(
            (&directive["stopped"], &directive["nextStepRisk"]),
            (&json!(true), &json!("danger_zone")),
            "{what}: {directive}"
        );
        assert!(directive["factors"][0].as_str().unwrap().contains("gave no score"), "{directive}");
        assert!(start.elapsed() < Duration::from_secs(25), "{what} took {:?}", start.elapsed());
    }
    // Patterns come first, whatever the command would say.
    assert_eq!(watched.directive("last", "something fine: rm -rf /").await["stopped"], true);
}
