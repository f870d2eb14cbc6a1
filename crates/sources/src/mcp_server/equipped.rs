//! A server with what the operator sets for it: another address, credentials and headers.
//!
//! A configuration and settings in; the configuration that is connected by, and findings on what has no effect, out. What is
//! set goes to the server's own address alone; a program that is started here gets none of it.

use crate::adapter_file::credential_headers;
use crate::settings::SourceSettings;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};

/// The server as the operator wants it reached; nothing when what is set cannot be sent.
pub fn equipped(config: &ServerConfig, settings: &SourceSettings) -> Result<ServerConfig, Diagnostic> {
    let about = |severity, code, message: &str| {
        Diagnostic::about(format!("MCP server {}", config.name), severity, code, message)
    };
    let ServerTransport::Http { url, headers } = &config.reach else {
        return Ok(config.clone());
    };
    let auth = settings.auth.clone().unwrap_or_default();
    let Some(credentials) = credential_headers(&auth) else {
        let message = "An MCP server takes credentials in headers only";
        let mut refused = about(DiagnosticSeverity::Error, "AUTH_NOT_POSSIBLE", message);
        refused.expected = Some("bearer, basic, or api_key with header_name".to_owned());
        return Err(refused);
    };
    let own: Vec<_> = credentials.into_iter().chain(settings.headers.iter().cloned()).collect();
    let is_open = |name: &str| !own.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let kept = headers.iter().filter(|(name, _)| is_open(name)).cloned();
    let reach = ServerTransport::Http {
        url: settings.base_url.clone().unwrap_or_else(|| url.clone()),
        headers: kept.chain(own.iter().cloned()).collect(),
    };
    Ok(ServerConfig { reach, ..config.clone() })
}

/// A remark on settings that a program which is started here does not get.
pub fn without_effect(config: &ServerConfig, settings: &SourceSettings) -> Option<Diagnostic> {
    let is_program = matches!(config.reach, ServerTransport::Stdio { .. });
    (is_program && settings.has_credentials()).then(|| {
        let message = "Credentials and headers have no effect: the server is a program that is started here";
        let about = format!("MCP server {}", config.name);
        let mut remark = Diagnostic::about(about, DiagnosticSeverity::Warning, "NO_EFFECT", message);
        remark.hint = Some("give them by 'env' of the server in its file".to_owned());
        remark
    })
}

#[cfg(test)]
mod tests {
    use super::{equipped, without_effect};
    use crate::settings::SourceSettings;
    use aqueduct_operations::auth::{Auth, KeyPlace};
    use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
    use secrecy::ExposeSecret;
    use std::time::Duration;

    fn config(reach: ServerTransport) -> ServerConfig {
        ServerConfig { name: "team".into(), reach, timeout: Duration::from_secs(1) }
    }

    /// What the operator sets is sent, over what the file says.
    #[test]
    fn what_is_set_is_sent() {
        let headers = vec![("authorization".into(), "Bearer old".into()), ("X-Kept".into(), "1".into())];
        let server =
            config(ServerTransport::Http { url: "https://mcp.example.com/mcp".parse().unwrap(), headers });
        let settings = SourceSettings {
            auth: Some(Auth::Bearer { token_env: "TOKEN".into(), prefix: "Bearer ".into() }),
            headers: vec![("X-Team".into(), "blue".into())],
            ..SourceSettings::default()
        };
        let found = equipped(&server, &settings).unwrap();
        let ServerTransport::Http { headers, .. } = &found.reach else { panic!() };
        let sent: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.expose_secret())).collect();
        assert_eq!(sent, ["X-Kept: 1", "Authorization: Bearer ${TOKEN}", "X-Team: blue"]);
        let elsewhere = SourceSettings {
            base_url: Some("https://mcp.corp.example/mcp".parse().unwrap()),
            ..SourceSettings::default()
        };
        let found = equipped(&server, &elsewhere).unwrap();
        assert!(
            matches!(&found.reach, ServerTransport::Http { url, .. } if url.host_str() == Some("mcp.corp.example"))
        );
        let with = |auth: Auth| SourceSettings { auth: Some(auth), ..SourceSettings::default() };
        let basic =
            equipped(&server, &with(Auth::Basic { username_env: "U".into(), password_env: "P".into() }));
        let ServerTransport::Http { headers, .. } = basic.unwrap().reach else { panic!() };
        assert_eq!(headers.last().unwrap().1.expose_secret(), "Basic ${U}:${P}");
        let in_query = Auth::ApiKey { key_env: "K".into(), place: KeyPlace::Query("key".into()) };
        let refused = equipped(&server, &with(in_query));
        assert_eq!(refused.unwrap_err().code, "AUTH_NOT_POSSIBLE");
        let program = config(ServerTransport::Stdio {
            command: "x".into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
        });
        assert!(equipped(&program, &settings).is_ok());
        assert_eq!(without_effect(&program, &settings).unwrap().code, "NO_EFFECT");
        assert!(without_effect(&server, &settings).is_none());
        assert!(without_effect(&program, &SourceSettings::default()).is_none());
    }
}
