//! Tests of `definitions`.

use super::{DefinitionLimits, names, reach};
use serde_json::{Value, json};

fn chain(name: &str) -> Option<Value> {
    let number: usize = name.strip_prefix('S')?.parse().ok()?;
    Some(
        json!({"properties": {"next": {"$ref": format!("#/$defs/S{}", number + 1)}, "back": {"$ref": "#/$defs/S0"}}}),
    )
}

/// The nearest definitions stay, the next ones accept anything, and nothing leads to a place that is not there.
#[test]
fn the_nearest_come_first() {
    let most = DefinitionLimits { definitions: 10, size: usize::MAX };
    let reached = reach(names(&json!({"items": {"$ref": "#/$defs/S0"}})), most, &mut chain);
    assert_eq!(reached.definitions.len(), 11);
    assert_eq!(reached.definitions["S10"], json!(true));
    assert_eq!(reached.cut, ["S10"]);
    let by_size = DefinitionLimits { definitions: usize::MAX, size: 200 };
    let reached = reach(names(&json!({"$ref": "#/$defs/S0"})), by_size, &mut chain);
    assert!(reached.definitions.len() < 10 && reached.cut.len() == 1, "{reached:?}");
}

/// A name that means nothing is passed over, and what is referred to twice is looked up once.
#[test]
fn each_is_looked_up_once() {
    let mut asked = Vec::new();
    let mut find = |name: &str| {
        asked.push(name.to_owned());
        (name != "C")
            .then(|| json!({"anyOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}, {"$ref": "#/$defs/A"}]}))
    };
    let reached = reach(["A".to_owned()].into(), DefinitionLimits::ALL, &mut find);
    assert_eq!(reached.definitions.keys().collect::<Vec<_>>(), ["A", "B"]);
    assert!(asked.iter().filter(|name| *name != "C").count() == 2, "{asked:?}");
}
