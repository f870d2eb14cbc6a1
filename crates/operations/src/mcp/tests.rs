//! Tests of `mcp`.

use super::{ServerConfig, ServerTransport};
use crate::named_secret::NamedSecret;
use std::time::Duration;

#[test]
fn variables_that_are_needed() {
    let env = vec![NamedSecret::new("A", "${TOKEN}"), NamedSecret::new("B", "${C:-none} ${HOME}")];
    let args = vec!["--key=${KEY}${TOKEN}".to_owned(), "${open".to_owned()];
    let stdio = ServerTransport::Stdio { command: "x".to_owned(), args, env, cwd: None };
    let headers = vec![NamedSecret::new("Authorization", "Bearer ${env:WEB}")];
    let url = "https://example.com/mcp?key=${QUERY}".parse().unwrap();
    for (reach, expected) in
        [(stdio, ["KEY", "TOKEN"]), (ServerTransport::Http { url, headers }, ["QUERY", "WEB"])]
    {
        let config = ServerConfig { name: "x".to_owned(), reach, timeout: Duration::from_secs(1) };
        assert_eq!(config.variables(), expected);
    }
}
