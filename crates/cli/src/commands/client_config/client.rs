//! The clients: where each keeps its servers, under which key, and how it writes a variable of its environment.
//!
//! A client and a platform in, facts out. What the vendors' documentation says is in `docs/clients.md`.

use aqueduct_upstream::Environment;
use clap::ValueEnum;
use secrecy::ExposeSecret;
use std::path::PathBuf;

/// A program that connects to MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Desktop.
    ClaudeDesktop,
    /// Claude Code, in the project in this directory.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    #[value(name = "vscode")]
    VsCode,
    /// Windsurf.
    Windsurf,
    /// Zed.
    Zed,
    /// Codex: its command line, its app and its extensions share one file.
    Codex,
    /// Gemini CLI.
    #[value(name = "gemini-cli", alias = "gemini")]
    GeminiCli,
}

/// How a client writes down a server that is already running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteForm {
    /// Its address under this key, headers beside it.
    Under(&'static str),
    /// Not at all: the file is for programs that the client starts.
    InSettings,
}

/// Where programs keep their files in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and its like.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// The platform this program was built for.
    pub fn this() -> Platform {
        if cfg!(target_os = "macos") {
            Platform::MacOs
        } else if cfg!(windows) {
            Platform::Windows
        } else {
            Platform::Linux
        }
    }
}

impl Client {
    /// The key that holds the servers by name.
    pub fn key(self) -> &'static str {
        match self {
            Client::VsCode => "servers",
            Client::Zed => "context_servers",
            Client::Codex => "mcp_servers",
            Client::ClaudeDesktop
            | Client::ClaudeCode
            | Client::Cursor
            | Client::Windsurf
            | Client::GeminiCli => "mcpServers",
        }
    }

    /// True when an entry says how the server is spoken to.
    pub fn names_transport(self) -> bool {
        matches!(self, Client::VsCode | Client::ClaudeCode | Client::Cursor)
    }

    /// True when the client's file is TOML.
    pub fn is_toml(self) -> bool {
        self == Client::Codex
    }

    /// How the client writes down a server that is already running.
    pub fn remote(self) -> RemoteForm {
        match self {
            Client::ClaudeDesktop => RemoteForm::InSettings,
            Client::Windsurf => RemoteForm::Under("serverUrl"),
            Client::GeminiCli => RemoteForm::Under("httpUrl"),
            Client::ClaudeCode | Client::Cursor | Client::VsCode | Client::Zed | Client::Codex => {
                RemoteForm::Under("url")
            }
        }
    }

    /// True when the client's file may hold comments.
    pub fn allows_comments(self) -> bool {
        matches!(self, Client::VsCode | Client::Zed | Client::GeminiCli)
    }

    /// How an entry refers to a variable of the client's own environment, where the client knows such a thing.
    pub fn reference(self, variable: &str) -> Option<String> {
        match self {
            Client::ClaudeCode | Client::GeminiCli => Some(format!("${{{variable}}}")),
            Client::Cursor | Client::VsCode | Client::Windsurf => Some(format!("${{env:{variable}}}")),
            // It is told their names, and passes them on.
            Client::Codex => Some(variable.to_owned()),
            Client::ClaudeDesktop | Client::Zed => None,
        }
    }

    /// The file that the client reads; nothing when the home directory is not known.
    pub fn file(self, platform: Platform, environment: &dyn Environment) -> Option<PathBuf> {
        let folder = |variable: &str| {
            let value = environment.get(variable)?;
            Some(value.expose_secret().to_owned()).filter(|text| !text.is_empty()).map(PathBuf::from)
        };
        let home = || folder(if platform == Platform::Windows { "USERPROFILE" } else { "HOME" });
        // Where programs keep their settings.
        let settings = || match platform {
            Platform::Linux => folder("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config"))),
            Platform::MacOs => Some(home()?.join("Library/Application Support")),
            Platform::Windows => folder("APPDATA"),
        };
        match (self, platform) {
            (Client::ClaudeDesktop, _) => Some(settings()?.join("Claude/claude_desktop_config.json")),
            (Client::ClaudeCode, _) => Some(PathBuf::from(".mcp.json")),
            (Client::Cursor, _) => Some(home()?.join(".cursor/mcp.json")),
            (Client::VsCode, _) => Some(settings()?.join("Code/User/mcp.json")),
            (Client::Windsurf, _) => Some(home()?.join(".codeium/windsurf/mcp_config.json")),
            (Client::Codex, _) => {
                Some(folder("CODEX_HOME").or_else(|| Some(home()?.join(".codex")))?.join("config.toml"))
            }
            (Client::GeminiCli, _) => Some(home()?.join(".gemini/settings.json")),
            (Client::Zed, Platform::Linux) => Some(settings()?.join("zed/settings.json")),
            (Client::Zed, Platform::MacOs) => Some(home()?.join(".config/zed/settings.json")),
            (Client::Zed, Platform::Windows) => Some(settings()?.join("Zed/settings.json")),
        }
    }
}

#[cfg(test)]
mod tests;
