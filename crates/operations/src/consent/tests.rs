//! Tests of `consent`.

use super::ConsentRequest;
use crate::auth::{Auth, OAuth2};
use crate::mcp::{ServerConfig, ServerTransport};
use crate::named_secret::NamedSecret;
use std::time::Duration;

fn credential(variable: &str, origin: &str) -> ConsentRequest {
    ConsentRequest::Credential { variable: variable.to_owned(), origin: origin.to_owned() }
}

/// Every variable with every origin that it, or a token for it, goes to.
#[test]
fn credentials_that_are_asked_for() {
    let base = "https://api.example.com/v1".parse().unwrap();
    let bearer = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
    assert_eq!(bearer.consent_requests(&base), [credential("T", "https://api.example.com")]);
    let oauth = Auth::OAuth2(OAuth2 {
        token_url: "https://login.example.com:8443/token".parse().unwrap(),
        client_id_env: "I".into(),
        client_secret_env: "S".into(),
        refresh_token_env: None,
        scopes: Vec::new(),
    });
    let asked = Auth::AnyOf(vec![bearer, oauth, Auth::None]).consent_requests(&base);
    let origins = ["https://api.example.com", "https://login.example.com:8443"];
    let both = |variable: &str| origins.map(|origin| credential(variable, origin));
    let mut expected = [&both("I")[..], &both("S")[..], &[credential("T", origins[0])]].concat();
    expected.sort();
    assert_eq!(asked, expected);
}

/// A server is asked for with everything that a change of the file could slip in.
#[test]
fn servers_that_are_asked_for() {
    let of =
        |reach| ServerConfig { name: "x".into(), reach, timeout: Duration::from_secs(1) }.consent_requests();
    let stdio = ServerTransport::Stdio {
        command: "/opt/bin/tool".into(),
        args: vec!["--key=${KEY}".into()],
        env: vec![NamedSecret::new("A", "${SECRET:-none}")],
        cwd: Some("/srv".into()),
    };
    let asked = of(stdio);
    let line = "A=${SECRET:-none} /opt/bin/tool --key=${KEY} (in /srv)";
    assert_eq!(asked, [ConsentRequest::Program { name: "tool".into(), line: line.into() }]);
    let told = asked[0].refusal("files");
    assert!(told.contains("'tool'") && told.contains("aqueduct grants files --allow"), "{told}");
    assert!(!told.contains("/opt"), "{told}");
    let web = ServerTransport::Http {
        url: "https://mcp.example.com/mcp?k=${Q}".parse().unwrap(),
        headers: vec![NamedSecret::new("X", "${H:-x}")],
    };
    assert_eq!(of(web), ["Q", "H"].map(|name| credential(name, "https://mcp.example.com")));
}
