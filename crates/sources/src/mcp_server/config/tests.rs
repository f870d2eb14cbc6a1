//! Files of servers: every client's way of writing them, and every way of getting one wrong.
//!
//! The text of a file in; servers, the ones left out and the mistakes out. One bad server never takes the others
//! with it, and no value of a secret is shown.

use super::{LeftOutServer, ServerList, looks_like_servers, read_servers};
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::mcp::{ServerConfig, ServerTransport};
use secrecy::ExposeSecret;
use std::path::PathBuf;
use std::time::Duration;

fn read(text: &str) -> ServerList {
    read_servers("mcp.json", text)
}

fn clean(text: &str) -> Vec<ServerConfig> {
    let outcome = read(text);
    assert!(outcome.diagnostics.is_empty(), "{:#?}", outcome.diagnostics);
    outcome.servers
}

fn names(outcome: &ServerList) -> Vec<&str> {
    outcome.servers.iter().map(|server| server.name.as_str()).collect()
}

fn errors(outcome: &ServerList) -> Vec<String> {
    let errors = outcome.diagnostics.iter().filter(|each| each.severity == DiagnosticSeverity::Error);
    errors
        .map(|each| format!("{}:{} {} {}", each.position.line, each.position.column, each.code, each.message))
        .collect()
}

/// S-mcp-21: command, args, env and cwd of a child process.
#[test]
fn child_process() {
    let servers = clean(
        r#"{"mcpServers": {"My Files": {"command": "npx", "args": ["-y", "pkg", 8080, "${env:DIR}"],
            "env": {"TOKEN": "${TOKEN}", "DEBUG": true, "NONE": null}, "cwd": "~/work", "timeout": 30}}}"#,
    );
    let [server] = servers.as_slice() else { panic!() };
    assert_eq!((server.name.as_str(), server.timeout), ("my-files", Duration::from_secs(30)));
    let ServerTransport::Stdio { command, args, env, cwd } = &server.reach else { panic!() };
    assert_eq!(command, "npx");
    assert_eq!(args, &["-y", "pkg", "8080", "${DIR}"]);
    let env: Vec<_> = env.iter().map(|set| (set.name.as_str(), set.value.expose_secret())).collect();
    assert_eq!(env, [("TOKEN", "${TOKEN}"), ("DEBUG", "true")]);
    assert_eq!(cwd, &Some(PathBuf::from("${HOME}/work")));
}

/// A server that cannot have its key for a name is told of; capitals and blanks are not worth a word.
#[test]
fn other_names_are_told() {
    let outcome = read(
        r#"{"mcpServers": {"p": {"command": "a"}, "My_Files": {"command": "b"}, "my files": {"command": "c"}}}"#,
    );
    assert_eq!(names(&outcome), ["server-p", "my-files", "my-files-2"]);
    let told: Vec<_> = outcome.diagnostics.iter().map(|each| (each.code, each.message.as_str())).collect();
    assert_eq!(
        told,
        [
            ("SERVER_RENAMED", "The server 'p' is called 'server-p' here"),
            ("SERVER_RENAMED", "The server 'my files' is called 'my-files-2' here"),
        ]
    );
}

/// S-mcp-21: url and headers, under every key that clients use for it.
#[test]
fn streamable_http() {
    for (key, kind) in
        [("url", "http"), ("url", "streamable-http"), ("serverUrl", "streamableHttp"), ("httpUrl", "remote")]
    {
        let text = format!(
            r#"{{"mcpServers": {{"x1": {{"{key}": "https://h/mcp", "type": "{kind}",
                "headers": {{"Authorization": "Bearer ${{env:T}}"}}, "timeout": 600000}}}}}}"#
        );
        let servers = clean(&text);
        let ServerTransport::Http { url, headers } = &servers[0].reach else { panic!() };
        assert_eq!(url.as_str(), "https://h/mcp");
        assert_eq!(
            (headers[0].name.as_str(), headers[0].value.expose_secret()),
            ("Authorization", "Bearer ${T}")
        );
        assert_eq!(servers[0].timeout, Duration::from_secs(600));
    }
}

/// S-mcp-21: the places where the popular clients keep their servers; comments and trailing commas are read.
#[test]
fn places_of_servers() {
    for text in [
        "{\"mcpServers\": {\"ab\": {\"command\": \"x\"}}}",
        "{\n  // VS Code\n  \"inputs\": [],\n  \"servers\": {\"ab\": {\"type\": \"stdio\", \"command\": \"x\",},},\n}",
        "{\"editor.fontSize\": 12, \"mcp.servers\": {\"ab\": {\"command\": \"x\"}}}",
        "{\"mcp\": {\"servers\": {\"ab\": {\"command\": [\"x\"]}}}, \"telemetry\": false}",
        "{\"context_servers\": {\"ab\": {\"command\": {\"path\": \"x\", \"args\": [], \"env\": {}}, \"settings\": {}}}}",
    ] {
        assert!(looks_like_servers(text), "{text}");
        let servers = clean(text);
        let ServerTransport::Stdio { command, args, .. } = &servers[0].reach else { panic!() };
        assert_eq!((servers[0].name.as_str(), command.as_str(), args.len()), ("ab", "x", 0));
    }
    for text in [
        "{\"openapi\": \"3.1.0\", \"servers\": [{\"url\": \"https://x\"}]}",
        "{\"openapi\": \"3.1.0\", \"servers\": {\"a\": {}}}",
        "{\"mcpServers\": []}",
        "mcpServers: {}",
        "[]",
    ] {
        assert!(!looks_like_servers(text), "{text}");
    }
}

/// S-mcp-22: neither a command nor a url, or both, is an error that names the server; the others are served.
#[test]
fn one_bad_server_does_not_take_the_others() {
    let outcome = read(
        "{\"mcpServers\": {\n\"neither\": {\"args\": []},\n\"both\": {\"command\": \"x\", \"url\": \"https://h\"},\n\
         \"good\": {\"command\": \"x\"},\n\"text\": \"npx\",\n\"odd\": {\"command\": \"x\", \"args\": \"-y\"},\n\
         \"ftp\": {\"url\": \"ftp://x\"},\n\"empty\": {\"command\": \" \"}\n}}",
    );
    assert_eq!(names(&outcome), ["good"]);
    let errors = errors(&outcome);
    assert_eq!(errors.len(), 6, "{errors:#?}");
    assert_eq!(errors[0], "2:12 MISSING_KEY The server 'neither' has neither a 'command' nor a 'url'");
    assert_eq!(errors[1], "3:33 CONTRADICTION The server 'both' has both a 'command' and a 'url'");
    let left_out: Vec<_> = outcome.left_out.iter().map(|each| each.name.as_str()).collect();
    assert_eq!(left_out, ["neither", "both", "text", "odd", "ftp", "empty"]);
}

#[test]
fn switched_off() {
    let outcome = read(
        r#"{"mcpServers": {"a1": {"command": "x", "disabled": true}, "b1": {"url": "https://h", "enabled": false},
            "c1": {"command": "x", "disabled": false, "enabled": true}}}"#,
    );
    assert_eq!(names(&outcome), ["c1"]);
    assert!(outcome.diagnostics.is_empty());
    let why = "it is switched off in the file".to_owned();
    assert_eq!(outcome.left_out[0], LeftOutServer { name: "a1".to_owned(), why });
}

#[test]
fn the_older_transport_is_refused_with_advice() {
    let outcome = read(
        r#"{"mcpServers": {"old": {"type": "sse", "url": "https://h/sse"}, "ok": {"url": "https://h/sse"}}}"#,
    );
    assert_eq!(names(&outcome), ["ok"]);
    let hint = outcome.diagnostics[0].hint.clone().unwrap();
    assert!(errors(&outcome)[0].contains("SSE transport") && hint.contains("streamable HTTP"), "{hint}");
    assert_eq!(outcome.diagnostics[1].severity, DiagnosticSeverity::Warning);
}

#[test]
fn variables_of_an_editor_are_refused_with_advice() {
    let outcome = read(
        r#"{"servers": {"a1": {"command": "x", "env": {"K": "${input:api-key}"}}, "b1": {"command": "y"}}}"#,
    );
    assert_eq!(names(&outcome), ["b1"]);
    assert!(outcome.diagnostics[0].hint.as_deref().unwrap().contains("${API_KEY}"));
}

#[test]
fn keys_of_other_programs_are_never_fatal() {
    let outcome = read(
        r#"{"mcpServers": {"a1": {"command": "x", "autoApprove": ["y"], "alwaysAllow": [], "icon": "i", "args": [],
            "comand": 1, "disabledTools": ["rm"], "envFile": ".env", "excludeTools": []}}}"#,
    );
    assert_eq!(names(&outcome), ["a1"]);
    let codes: Vec<_> = outcome.diagnostics.iter().map(|each| (each.severity, each.code)).collect();
    assert_eq!(
        codes,
        [
            (DiagnosticSeverity::Warning, "UNKNOWN_KEY"),
            (DiagnosticSeverity::Warning, "NOT_APPLIED"),
            (DiagnosticSeverity::Warning, "NOT_APPLIED")
        ]
    );
    assert_eq!(outcome.diagnostics[0].hint.as_deref(), Some("did you mean 'command'?"));
}

#[test]
fn words_that_mean_a_key() {
    for (word, meant) in [("cmd", "command"), ("uri", "url"), ("endpoint", "url"), ("dir", "cwd")] {
        let outcome = read(&format!(r#"{{"mcpServers": {{"a1": {{"{word}": "x", "command": "y"}}}}}}"#));
        assert_eq!(outcome.diagnostics[0].hint, Some(format!("did you mean '{meant}'?")));
    }
}

#[test]
fn this_program_is_not_started_on_this_file() {
    let outcome = read(
        r#"{"mcpServers": {"us": {"command": "aqueduct", "args": ["serve", "mcp.json"]}, "b1": {"command": "y"}}}"#,
    );
    assert_eq!(names(&outcome), ["b1"]);
    assert_eq!(
        (outcome.diagnostics[0].severity, outcome.diagnostics[0].code),
        (DiagnosticSeverity::Warning, "OWN_SERVER")
    );
    assert_eq!(outcome.left_out[0].name, "us");
}

/// N2: names are legal, unique, and do not depend on what is switched off.
#[test]
fn names_of_servers() {
    let text = |off: bool| {
        format!(
            r#"{{"mcpServers": {{"My Server": {{"command": "x", "disabled": {off}}}, "my_server": {{"command": "x"}},
                "サーバー": {{"command": "x"}}}}}}"#
        )
    };
    assert_eq!(names(&read(&text(false))), ["my-server", "my-server-2", "server"]);
    assert_eq!(names(&read(&text(true))), ["my-server-2", "server"]);
}

/// Nothing of a variable, a header, an argument or an address is ever shown, in whatever shape the file is.
#[test]
fn secrets_are_not_shown() {
    let server = |value: &str| {
        format!(
            "{{\"mcpServers\":{{\"a1\":{{\"command\":\"x\",\"env\":{{\"K\":\"hunter2hunter2\",\"L\":{value}}},\"args\":[\"--key\",\
             \"hunter3hunter3\", {value}],\"weird\":1,\"timeout\":\"x\"}},\"b1\":{{\"url\":\"ht!tps://h?k=hunter4\",\"headers\":{{\"X\":\
             \"hunter5\",\"Y\":{value}}}}}}}}}"
        )
    };
    for text in [server("[1]"), server("\"${input:x}\""), server("\"open"), server("[1]").replace(',', ",\n")]
    {
        let outcome = read(&text);
        assert!(!outcome.diagnostics.is_empty());
        for diagnostic in &outcome.diagnostics {
            let shown = format!("{diagnostic} {diagnostic:?}");
            assert!(!shown.contains("hunter"), "{shown}");
        }
    }
}

#[test]
fn text_that_is_no_json_has_a_place() {
    let outcome = read("{\"mcpServers\": {\n  \"a\": {\"command\": \"x\" \"args\": []}\n}}");
    assert_eq!(errors(&outcome), ["2:24 JSON_SYNTAX A ',' or '}' was expected"]);
    assert_eq!(read("{}").diagnostics[0].code, "MISSING_KEY");
    let twice = read("{\"mcpServers\": {\"a1\": {\"command\": \"x\"}, \"a1\": {\"command\": \"y\"}}}");
    assert_eq!((twice.servers.len(), twice.diagnostics[0].code), (1, "DUPLICATE_KEY"));
}
