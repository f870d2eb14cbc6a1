//! Tests of `settings`.

use super::HttpSettings;
use crate::http::Token;

#[test]
fn reach() {
    let open = HttpSettings::default();
    let tokens = vec![Token::new("ann", &"0".repeat(64)).unwrap()];
    let guarded = HttpSettings { tokens, ..HttpSettings::default() };
    for local in ["127.0.0.1:1", "127.8.8.8:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
        assert!(open.check_reach(local.parse().unwrap()).is_ok(), "{local}");
    }
    for elsewhere in ["0.0.0.0:1", "[::]:1", "192.168.1.5:1", "[::ffff:10.0.0.1]:1", "[fe80::1]:1"] {
        let address = elsewhere.parse().unwrap();
        assert!(open.check_reach(address).is_err(), "{elsewhere}");
        assert!(guarded.check_reach(address).is_ok(), "{elsewhere}");
    }
}
