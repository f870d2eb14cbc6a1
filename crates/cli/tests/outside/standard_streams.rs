//! What standard input and output may be: pipes, sockets (as Node gives them), files. Others may hold them after us.

use super::harness::{Place, shop};
use rustix::fs::{OFlags, fcntl_getfl};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write, pipe};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn requests() -> String {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    format!("{hello}\n{INITIALIZED}\n{list}\n")
}

/// Runs `serve` to its end over these streams.
fn serve(input: impl Into<Stdio>, output: impl Into<Stdio>) {
    let place = Place::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_aqueduct"));
    command
        .args(["serve", &shop(), "--state-dir", "state"])
        .current_dir(place.path())
        .env_clear()
        .env("SHOP_TOKEN", "t");
    let ended = command.stdin(input).stdout(output).stderr(Stdio::null()).status().unwrap();
    assert_eq!(ended.code(), Some(0));
}

fn check(answers: impl std::io::Read) {
    let answers: Vec<Value> =
        BufReader::new(answers).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers[1]["result"]["tools"].is_array());
}

/// Pipes are read without blocking while they are ours, and left as they were.
#[test]
fn pipes_are_given_back_as_they_were() {
    let ((input, mut requests_in), (answers, output)) = (pipe().unwrap(), pipe().unwrap());
    requests_in.write_all(requests().as_bytes()).unwrap();
    drop(requests_in);
    let (ours_in, ours_out) = (input.try_clone().unwrap(), output.try_clone().unwrap());
    serve(input, output);
    for flags in [fcntl_getfl(&ours_in).unwrap(), fcntl_getfl(&ours_out).unwrap()] {
        assert!(!flags.contains(OFlags::NONBLOCK), "{flags:?}");
    }
    drop(ours_out);
    check(answers);
}

#[test]
fn sockets() {
    let ((mut client_in, input), (client_out, output)) =
        (UnixStream::pair().unwrap(), UnixStream::pair().unwrap());
    client_in.write_all(requests().as_bytes()).unwrap();
    client_in.shutdown(std::net::Shutdown::Write).unwrap();
    serve(std::os::fd::OwnedFd::from(input), std::os::fd::OwnedFd::from(output));
    check(client_out);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the file is the standard input")]
fn files() {
    let place = Place::new();
    let (input, output) = (place.write("in", requests()), place.write("out", ""));
    serve(File::open(input).unwrap(), File::create(&output).unwrap());
    check(File::open(output).unwrap());
}
