//! Tests of `toml_file`.

use super::{merge, snippet};
use crate::commands::client_config::merge::MergeRefusal;
use serde_json::{Map, Value, json};

fn members(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// Comments, order and layout of everything else stay, and the same again changes nothing.
#[test]
fn the_rest_stays_as_it_is_written() {
    let old = "# mine\nmodel = \"o3\"   # fast\n\n[mcp_servers.other] # theirs\ncommand = 'x'\nargs = [ 1, # one\n 2]\n\n[tui]\ntheme = \"dark\"\n";
    let entry = members(json!({"command": "/bin/aqueduct", "args": ["serve", "demo"], "env_vars": ["T"]}));
    let new = merge(old.as_bytes(), "mcp_servers", "shop", &entry).unwrap();
    for part in old.split("\n\n") {
        assert!(new.contains(part.trim_end()), "{new}");
    }
    assert!(new.contains(snippet("mcp_servers", "shop", &entry).trim_end()), "{new}");
    assert_eq!(merge(new.as_bytes(), "mcp_servers", "shop", &entry).unwrap(), new);
    let filled = new.replace("env_vars = [\"T\"]", "env_vars = [\"MINE\"] # own");
    let again = merge(filled.as_bytes(), "mcp_servers", "shop", &entry).unwrap();
    assert!(again.contains("\"MINE\"") && again.contains("\"T\""), "{again}");
}

#[test]
fn files_that_cannot_be_kept_are_refused() {
    let entry = members(json!({"command": "x"}));
    let refusal = |old: &[u8]| merge(old, "mcp_servers", "shop", &entry).unwrap_err();
    assert!(matches!(refusal(b"a = "), MergeRefusal::NotToml(_)));
    assert!(matches!(refusal(b"\xff"), MergeRefusal::NotToml(_)));
    assert!(matches!(refusal(b"mcp_servers = 1"), MergeRefusal::Form(_)));
    assert!(matches!(refusal(b"[mcp_servers]\nshop = 1"), MergeRefusal::Form(_)));
}
