//! Tests of `client`.

use super::{Client, Platform};
use aqueduct_testkit::environment::TestEnvironment;
use clap::ValueEnum;
use std::path::PathBuf;

#[test]
fn every_client_has_a_file_on_every_platform() {
    let unix = TestEnvironment::with(&[("HOME", "/h")]);
    let windows = TestEnvironment::with(&[("USERPROFILE", "/u"), ("APPDATA", "/u/r")]);
    let file = |client: Client, platform, environment| client.file(platform, environment).unwrap();
    for (client, linux, mac, win) in [
        (
            Client::ClaudeDesktop,
            "/h/.config/Claude/claude_desktop_config.json",
            "/h/Library/Application Support/Claude/claude_desktop_config.json",
            "/u/r/Claude/claude_desktop_config.json",
        ),
        (Client::ClaudeCode, ".mcp.json", ".mcp.json", ".mcp.json"),
        (Client::Cursor, "/h/.cursor/mcp.json", "/h/.cursor/mcp.json", "/u/.cursor/mcp.json"),
        (
            Client::VsCode,
            "/h/.config/Code/User/mcp.json",
            "/h/Library/Application Support/Code/User/mcp.json",
            "/u/r/Code/User/mcp.json",
        ),
        (
            Client::Windsurf,
            "/h/.codeium/windsurf/mcp_config.json",
            "/h/.codeium/windsurf/mcp_config.json",
            "/u/.codeium/windsurf/mcp_config.json",
        ),
        (
            Client::Zed,
            "/h/.config/zed/settings.json",
            "/h/.config/zed/settings.json",
            "/u/r/Zed/settings.json",
        ),
        (Client::Codex, "/h/.codex/config.toml", "/h/.codex/config.toml", "/u/.codex/config.toml"),
        (
            Client::GeminiCli,
            "/h/.gemini/settings.json",
            "/h/.gemini/settings.json",
            "/u/.gemini/settings.json",
        ),
    ] {
        assert_eq!(file(client, Platform::Linux, &unix), PathBuf::from(linux));
        assert_eq!(file(client, Platform::MacOs, &unix), PathBuf::from(mac));
        assert_eq!(file(client, Platform::Windows, &windows), PathBuf::from(win));
    }
}

#[test]
fn settings_may_be_kept_elsewhere_and_a_home_may_be_missing() {
    let elsewhere = TestEnvironment::with(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]);
    let found = Client::VsCode.file(Platform::Linux, &elsewhere);
    assert_eq!(found, Some(PathBuf::from("/x/Code/User/mcp.json")));
    let moved = TestEnvironment::with(&[("HOME", "/h"), ("CODEX_HOME", "/c")]);
    assert_eq!(Client::Codex.file(Platform::Linux, &moved), Some(PathBuf::from("/c/config.toml")));
    let nothing = TestEnvironment::with(&[("HOME", "")]);
    for client in Client::value_variants().iter().filter(|client| **client != Client::ClaudeCode) {
        for platform in [Platform::Linux, Platform::MacOs, Platform::Windows] {
            assert_eq!(client.file(platform, &nothing), None, "{client:?}");
        }
    }
}
