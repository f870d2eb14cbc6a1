//! Tests of `operator_settings`.

use super::{unused_settings, with_settings};
use aqueduct_operations::auth::{Auth, KeyPlace};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_source_kind::settings::SourceSettings;
use secrecy::ExposeSecret;
use std::time::Duration;

fn config(reach: ServerTransport) -> ServerConfig {
    ServerConfig { name: "team".into(), reach, timeout: Duration::from_secs(1) }
}

/// What the operator sets is sent, over what the file says.
#[test]
fn what_is_set_is_sent() {
    let headers = vec![NamedSecret::new("authorization", "Bearer old"), NamedSecret::new("X-Kept", "1")];
    let server =
        config(ServerTransport::Http { url: "https://mcp.example.com/mcp".parse().unwrap(), headers });
    let settings = SourceSettings {
        auth: Some(Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() }),
        headers: vec![NamedSecret::new("X-Team", "blue")],
        ..SourceSettings::default()
    };
    let found = with_settings(&server, &settings).unwrap();
    let ServerTransport::Http { headers, .. } = &found.reach else { panic!() };
    let sent: Vec<String> = headers
        .iter()
        .map(|NamedSecret { name, value }| format!("{name}: {}", value.expose_secret()))
        .collect();
    assert_eq!(sent, ["X-Kept: 1", "Authorization: Bearer ${TOKEN}", "X-Team: blue"]);
    let elsewhere = SourceSettings {
        base_url: Some("https://mcp.corp.example/mcp".parse().unwrap()),
        ..SourceSettings::default()
    };
    let found = with_settings(&server, &elsewhere).unwrap();
    assert!(
        matches!(&found.reach, ServerTransport::Http { url, .. } if url.host_str() == Some("mcp.corp.example"))
    );
    let with = |auth: Auth| SourceSettings { auth: Some(auth), ..SourceSettings::default() };
    let basic =
        with_settings(&server, &with(Auth::Basic { username_env: "U".into(), password_env: "P".into() }));
    let ServerTransport::Http { headers, .. } = basic.unwrap().reach else { panic!() };
    assert_eq!(headers.last().unwrap().value.expose_secret(), "Basic ${U}:${P}");
    let in_query = Auth::ApiKey { key_env: "K".into(), place: KeyPlace::Query("key".into()) };
    let refused = with_settings(&server, &with(in_query));
    assert_eq!(refused.unwrap_err().code, "AUTH_NOT_POSSIBLE");
    let program =
        config(ServerTransport::Stdio { command: "x".into(), args: Vec::new(), env: Vec::new(), cwd: None });
    assert!(with_settings(&program, &settings).is_ok());
    assert_eq!(unused_settings(&program, &settings).unwrap().code, "NO_EFFECT");
    assert!(unused_settings(&server, &settings).is_none());
    assert!(unused_settings(&program, &SourceSettings::default()).is_none());
}
