//! What directives and notifications look like, whatever is reported.

use super::{Watched, kinds};
use crate::outside::harness::code;
use serde_json::{Value, json};

const TIERS: [&str; 4] = ["advisory", "confirm", "verify", "danger_zone"];
const KINDS: [&str; 5] = ["permission_pending", "autonomy_pause", "danger_zone", "status", "error"];

/// Fails unless a directive has the fields that it may have, each of its type.
fn check(directive: &Value) {
    let members = directive.as_object().unwrap_or_else(|| panic!("no directive: {directive}"));
    for (key, value) in members {
        let is_good = match key.as_str() {
            "continue" => value.is_boolean(),
            "stopped" => *value == json!(true) && directive["continue"] == false,
            "factors" => value.as_array().is_some_and(|factors| {
                !factors.is_empty()
                    && factors.iter().all(|factor| factor.as_str().is_some_and(|text| text.contains(' ')))
            }),
            "reason" => value.is_string(),
            "stepsRemaining" => value.is_u64(),
            "nextStepRisk" => TIERS.contains(&value.as_str().unwrap()),
            "notifications" => value.as_array().is_some_and(|all| all.iter().all(is_notification)),
            _ => false,
        };
        assert!(is_good, "{key}: {directive}");
    }
    assert!(members.contains_key("continue") && members.contains_key("factors"), "{directive}");
    assert_eq!(directive["continue"] == false, members.contains_key("reason"), "{directive}");
}

fn is_notification(notification: &Value) -> bool {
    let members = notification.as_object().unwrap();
    let metadata = notification["metadata"].as_object().cloned().unwrap_or_default();
    let is_moment = notification["timestamp"].as_str().is_some_and(|text| {
        text.len() >= 20 && text.as_bytes()[10] == b'T' && (text.ends_with('Z') || text.contains('+'))
    });
    let known = ["type", "message", "metadata", "timestamp"];
    let facts = ["operation", "reason", "level", "verificationId"];
    members.keys().all(|key| known.contains(&key.as_str()))
        && KINDS.contains(&notification["type"].as_str().unwrap())
        && notification["message"].as_str().is_some_and(|text| !text.is_empty())
        && metadata.iter().all(|(key, value)| facts.contains(&key.as_str()) && value.is_string())
        && is_moment
}

/// C8.6.4-1 C8.6.3-2 C8.6.3-7 C8.6.6-1 C8.7.1-3 C8.7.1-4 C8.7.1-5 C8.7.3-1 C8.7.3-2 C8.7.3-3 X-loop-4: whatever an agent is about to do, with whichever tool, its report is
/// answered with a directive of these fields; what takes a code says by which challenge.
#[tokio::test]
async fn every_report_has_its_directive() {
    let mut watched = Watched::open(&["--safety", "enforcing"]).await;
    let cases = [
        ("calling read_file of the filesystem server on notes.md", "advisory", "goes on"),
        ("editing src/main.rs with the editor of this client", "advisory", "goes on"),
        ("fetching https://example.com/weather with the web tool", "advisory", "goes on"),
        ("SELECT name FROM customers LIMIT 10", "advisory", "goes on"),
        ("git push origin feature", "confirm", "pause"),
        ("stop the database of the shop", "confirm", "pause"),
        ("wire 2500 USD to the new supplier", "verify", "code"),
        ("shell: cd / && rm  -rf *", "danger_zone", "stop"),
        ("wipe all backups of every customer right now", "danger_zone", "stop"),
    ];
    for number in 0..cases.len() {
        watched.run(&format!("agent {number}")).await;
    }
    for (number, (hint, tier, what)) in cases.into_iter().enumerate() {
        let agent = format!("agent {number}");
        let params = json!({"element_name": agent, "nextActionHint": hint, "stepDescription": "looked around", "findings": "nothing yet"});
        let answer = watched.call("mcp_aql_create", "record_execution_step", params).await;
        let directive = &answer["data"]["directive"];
        check(directive);
        assert_eq!(directive["nextStepRisk"], tier, "{hint}: {directive}");
        let own: Vec<&Value> = directive["notifications"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|each| each["metadata"]["operation"] == hint)
            .collect();
        let has_challenge = own.iter().any(|each| each["metadata"]["verificationId"].is_string());
        let (goes_on, stopped) = (directive["continue"] == true, directive["stopped"] == true);
        assert_eq!(
            (goes_on, stopped, has_challenge),
            match what {
                "goes on" => (true, false, false),
                "pause" => (false, false, false),
                "code" => (false, false, true),
                _ => (false, true, true),
            },
            "{hint}: {directive}"
        );
        let own: Vec<&str> = own.iter().filter_map(|each| each["type"].as_str()).collect();
        let levels = directive["notifications"].as_array().into_iter().flatten();
        let levels: Vec<&Value> = levels.filter_map(|each| each["metadata"].get("level")).collect();
        match what {
            "goes on" => assert!(own.is_empty(), "{directive}"),
            "stop" => assert_eq!(own, ["danger_zone"], "{directive}"),
            "code" => assert_eq!(own, ["autonomy_pause"], "{directive}"),
            _ => {
                assert!(own.contains(&"autonomy_pause"), "{directive}");
                assert!(levels.iter().all(|level| **level == json!("CONFIRM_SINGLE_USE")), "{directive}");
            }
        }
    }
    let bad = json!({"element_name": "agent 0", "nextActionHint": "read it", "findings": 7});
    let bad = watched.call("mcp_aql_create", "record_execution_step", bad).await;
    assert!(code(&bad).starts_with("VALIDATION_"), "{bad}");
}

/// C8.8.3-5 C8.7.4-1 C8.7.4-2 X-loop-2: an adapter file brings limits for agents along. They only tighten, introspection shows them, and what they deny is a block
/// as every other; a file that is read again changes them.
#[tokio::test]
async fn limits_of_a_source() {
    let place = crate::outside::harness::Place::new();
    let shop = std::fs::read_to_string(crate::outside::harness::shop()).unwrap();
    let safety = "safety:\n  maxAutonomousSteps: 3\n  riskTolerance: conservative\n  deny: [\"ship_to_mars*\"]\n  requiresApproval: [\"*weekend*\"]\n  \
                  autoApprove: [\"*\"]\n  agents:\n    Slow Bot: { max_autonomous_steps: 1 }\n";
    let file =
        place.write("shop-adapter.md", shop.replacen("operations:\n", &format!("{safety}operations:\n"), 1));
    let config = place.write("aqueduct.toml", "[safety]\nmode = \"enforcing\"\nmax_autonomous_steps = 2\n[safety.agents.free]\nmax_autonomous_steps = 9\n");
    let mut watched = Watched::open(&[&file, "--config", &config]).await;
    let shown = watched.call("mcp_aql_read", "introspect", json!({"query": "capabilities"})).await;
    let autonomy = &shown["data"]["autonomy"];
    assert_eq!(
        (&autonomy["max_autonomous_steps"], &autonomy["risk_tolerance"]),
        (&json!(2), &json!("conservative"))
    );
    assert!(autonomy["deny"].as_array().unwrap().contains(&json!("ship_to_mars*")), "{autonomy}");
    assert!(autonomy["requires_approval"].to_string().contains("weekend"), "{autonomy}");
    assert!(!autonomy["auto_approve"].as_array().unwrap().contains(&json!("*")), "{autonomy}");
    let agents = [("bot", 2), ("free", 3), ("SLOW BOT", 1)];
    for (agent, _) in agents {
        watched.run(agent).await;
    }
    for (agent, steps) in agents {
        for step in 0..=steps {
            let goes_on = watched.directive(agent, "look at the weather").await["continue"] == true;
            assert_eq!(goes_on, step < steps, "{agent} {step}");
        }
    }
    assert_eq!(watched.operator(&["release", "free"]).await.code, 0);
    let paused = watched.directive("free", "plan the WEEKEND").await;
    assert_eq!((&paused["continue"], paused.get("stopped")), (&json!(false), None), "{paused}");
    assert_eq!(watched.operator(&["release", "free"]).await.code, 0);
    let stopped = watched.directive("free", "please Ship-To  Mars the order").await;
    assert_eq!(
        (&stopped["stopped"], kinds(&stopped).contains(&"danger_zone".to_owned())),
        (&json!(true), true)
    );
    watched.restart().await;
    assert_eq!(code(&watched.execute("free").await), "PERMISSION_DENIED", "it is a block as any other");
}

/// X-danger-28 X-danger-29: an operation that is declared dangerous makes its report wait for a code, of which no one else hears; a
/// forbidden one blocks, of which everybody hears.
#[tokio::test]
async fn levels_of_operations_that_are_named() {
    let place = crate::outside::harness::Place::new();
    let shop = std::fs::read_to_string(crate::outside::harness::shop()).unwrap();
    let more = "    - name: execute_tidying\n      maps_to: \"POST /tidying\"\n      description: \"Tidy\"\n      danger: { level: dangerous, reasons: [\"it is\"] }\n    \
                - name: execute_burning\n      maps_to: \"POST /burning\"\n      description: \"Burn\"\n      danger: { level: forbidden, reasons: [\"it is\"] }\n---\n";
    let file = place.write("shop-adapter.md", shop.replacen("\n---\n", &format!("\n{more}"), 1));
    let mut watched = Watched::open(&[&file, "--safety", "enforcing"]).await;
    for agent in ["careful", "reckless", "other"] {
        watched.run(agent).await;
    }
    let harmless = watched.directive("careful", "calling execute_recount for order 7").await;
    assert_eq!(harmless["continue"], true, "{harmless}");
    let waits = watched.directive("careful", "calling execute_tidying for the shelves").await;
    assert_eq!(
        (&waits["nextStepRisk"], kinds(&waits)),
        (&json!("verify"), vec!["autonomy_pause".to_owned()]),
        "{waits}"
    );
    assert!(waits["factors"][0].as_str().unwrap().contains("dangerous"), "{waits}");
    assert!(
        kinds(&watched.directive("other", "look at the weather").await).is_empty(),
        "nobody else hears of it"
    );
    let stopped = watched.directive("reckless", "calling executeBurning for the shelves").await;
    assert_eq!(
        (&stopped["stopped"], &stopped["nextStepRisk"]),
        (&json!(true), &json!("danger_zone")),
        "{stopped}"
    );
    assert_eq!(
        kinds(&watched.directive("other", "look at the weather").await),
        ["danger_zone"],
        "everybody does"
    );
}
