//! Tests of `gate`.

use super::PinGate;
use aqueduct_mcp_client::Pins;
use aqueduct_operations::handler::HandlerError;
use aqueduct_operations::mcp::{ServerConfig, ServerListing, ServerTransport};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn config() -> ServerConfig {
    let reach = ServerTransport::Stdio { command: "x".to_owned(), args: vec![], env: vec![], cwd: None };
    ServerConfig { name: "s".to_owned(), reach, timeout: Duration::from_secs(1) }
}

fn gate(path: &Path, quarantine: bool) -> Arc<PinGate> {
    Arc::new(PinGate::new(Some(Pins::new(path)), quarantine))
}

fn offering(description: &str) -> ServerListing {
    let tool = json!({"name": "a", "description": description});
    ServerListing { tools: vec![tool], ..ServerListing::default() }
}

/// A call is held against what the server offers then, whatever was shown before; an approval lets it through.
#[test]
fn calls_of_changed_tools_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pins.json");
    let (good, evil) = (offering("good"), offering("evil"));
    let gate = gate(&path, true);
    assert_eq!(gate.reviewed(&config(), &good).unwrap().listing, good);
    let check = gate.check(&config(), "a").unwrap();
    assert_eq!(check.check(&good), Ok(()));
    let refused = check.check(&evil).unwrap_err();
    assert!(matches!(refused, HandlerError::Withheld { .. }), "{refused:?}");
    assert!(refused.to_string().contains("aqueduct pins"), "{refused}");
    let gone = check.check(&ServerListing::default()).unwrap_err();
    // W1: these words may reach a client.
    for words in [refused.to_string(), gone.to_string(), super::uncompared("s")] {
        assert!(!words.contains("at "), "{words}");
    }
    let pins = Pins::new(&path);
    assert_eq!(pins.approve(|_| true).unwrap().len(), 1, "it was written down by the call");
    assert_eq!(check.check(&evil), Ok(()));
    let offer = gate.reviewed(&config(), &offering("worse")).unwrap();
    assert_eq!((offer.listing.tools.len(), offer.withheld), (0, vec!["a".to_owned()]));
}

/// Where the pins are of no use, quarantine lets nothing through, and without it all goes on; either is reported once.
#[test]
fn damaged_pins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pins.json");
    std::fs::write(&path, "{").unwrap();
    let offered = offering("good");
    let held = gate(&path, true);
    for _ in 0..2 {
        assert!(held.reviewed(&config(), &offered).unwrap_err().contains("withheld"));
        assert!(held.known(&config()).is_err());
        assert!(held.check(&config(), "a").unwrap().check(&offered).is_err());
    }
    assert_eq!(held.reported.lock().unwrap().len(), 1);
    let open = gate(&path, false);
    assert_eq!(open.reviewed(&config(), &offered).unwrap().listing, offered);
    assert!(open.check(&config(), "a").is_none());
}
