//! The server under judgement: what is named on the command line becomes a connection, and its calls those of a `Server`.
//!
//! A URL or a command in, a `LiveServer` out, whose results are those of the server to the last member.

use crate::report::CommandError;
use aqueduct_conformance::{Boxed, CallFailure, Identity, Server, StrayOutput};
use aqueduct_mcp_client::{ClientSettings, DirectCallError, DirectClient, OwnOrigins, ProcessEnvironment};
use aqueduct_operations::gatekeeper::ExaminePermit;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use aqueduct_operations::named_secret::NamedSecret;
use aqueduct_sources::mcp_server::one_server;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a call that is under way is waited for when the run is stopped: what it created is only known by its answer.
const STOPPED_CALL: Duration = Duration::from_secs(2);

/// How long a server may take to answer the handshake and list its tools.
const STARTUP: Duration = Duration::from_secs(30);

/// A server that is connected.
pub struct LiveServer {
    client: DirectClient,
    stopped: CancellationToken,
}

impl LiveServer {
    /// Connects to a URL, to `mcp:COMMAND`, or to a command in one string; with the token of a variable where one is named. Once
    /// `stopped` is cancelled, a call that is under way is not waited for much longer; later ones clean up, and are.
    pub async fn connect(
        named: &str,
        token_env: Option<&str>,
        stopped: CancellationToken,
    ) -> Result<LiveServer, CommandError> {
        let config = config(named, token_env)?;
        let own_origins = OwnOrigins::default();
        if let ServerTransport::Http { url, .. } = &config.reach {
            own_origins.add(url);
        }
        let settings = ClientSettings {
            guard: std::env::current_exe().ok(),
            own_origins,
            startup: STARTUP,
            ..ClientSettings::default()
        };
        let permit = ExaminePermit::named_by_operator(config);
        let client = DirectClient::connect(permit, settings, &ProcessEnvironment).await;
        client.map(|client| LiveServer { client, stopped }).map_err(|error| {
            CommandError::configuration(format!("{error}{}", source_hint(named).unwrap_or_default()))
        })
    }

    /// Calls a tool, unless the run is stopped meanwhile.
    async fn answer(&self, tool: &str, arguments: Map<String, Value>) -> Result<Value, DirectCallError> {
        let call = self.client.call(tool, arguments);
        if self.stopped.is_cancelled() {
            return call.await;
        }
        let given_up = async {
            self.stopped.cancelled().await;
            tokio::time::sleep(STOPPED_CALL).await;
        };
        tokio::select! {
            answer = call => answer,
            () = given_up => Err(DirectCallError::NoAnswer("the run was stopped".to_owned())),
        }
    }

    /// Ends it.
    pub async fn close(self) {
        self.client.close().await;
    }
}

impl Server for LiveServer {
    fn identity(&self) -> Identity {
        let text =
            |key: &str| self.client.listing().server.get(key).and_then(Value::as_str).map(str::to_owned);
        Identity {
            name: text("name").unwrap_or_else(|| "unknown".to_owned()),
            version: text("version").unwrap_or_else(|| "unknown".to_owned()),
        }
    }

    fn stray_output(&self) -> Option<StrayOutput> {
        let stray = self.client.stray_lines()?;
        Some(StrayOutput { lines: stray.count, first: stray.first })
    }

    fn tools(&self) -> &[Value] {
        &self.client.listing().tools
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Map<String, Value>,
    ) -> Boxed<'a, Result<Value, CallFailure>> {
        Box::pin(async move {
            self.answer(tool, arguments).await.map_err(|error| match error {
                DirectCallError::JsonRpc { code, message } => CallFailure::JsonRpc { code, message },
                DirectCallError::NoAnswer(why) => CallFailure::NoAnswer(why),
            })
        })
    }
}

/// What was probably meant by the name of a source: the server that serves it.
fn source_hint(named: &str) -> Option<String> {
    let path = Path::new(named);
    let is_document =
        path.extension().is_some_and(|end| ["md", "json", "yaml", "yml"].iter().any(|of| end == *of));
    let what = match named {
        "demo" => "the built-in sample",
        _ if path.is_dir() || is_document && path.is_file() => "a source",
        _ => return None,
    };
    Some(format!(
        "; to judge {what}, give the command that serves it: aqueduct conformance 'aqueduct serve {named}'"
    ))
}

/// How the server is reached.
fn config(named: &str, token_env: Option<&str>) -> Result<ServerConfig, CommandError> {
    let is_url = named.starts_with("http://") || named.starts_with("https://");
    let text = match named {
        _ if is_url => format!("mcp+{named}"),
        _ if named.starts_with("mcp:") || named.starts_with("mcp+") => named.to_owned(),
        _ => format!("mcp:{named}"),
    };
    let cannot = |why: &str| CommandError::configuration(format!("'{named}' is no server: {why}"));
    let config = one_server(&text).ok_or_else(|| cannot("name a URL or a command"))?;
    let mut config = config.map_err(|problem| cannot(&problem.to_string()))?;
    if let Some(variable) = token_env {
        let ServerTransport::Http { headers, .. } = &mut config.reach else {
            return Err(cannot("--token-env is for servers with a URL"));
        };
        headers.push(NamedSecret::new("authorization", format!("Bearer ${{{variable}}}")));
    }
    Ok(config)
}

#[cfg(test)]
mod tests;
