//! Several processes on one store, killed at any moment; and disks that are full or cannot be written.
//!
//! A process is this test binary again, told by a variable what to do: it says on its standard output what it was allowed to do.

use crate::support::{Place, call, count_events, issue, on_both_engines, redeem_request};
use aqueduct_operations::clock::SystemClock;
use aqueduct_store::Store;
use aqueduct_store::confirmations::{Issue, Redemption, StoredTokenRefusal};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const TASK: &str = "AQUEDUCT_STORE_TASK";

on_both_engines!(four_processes, killed_while_they_redeem);

/// What a process of these tests does. Without a task it is no process of theirs.
#[test]
fn process() {
    let Some(task) = std::env::var_os(TASK) else { return };
    let task: Value = serde_json::from_str(task.to_str().unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut settings = Place::settings_at(&task);
        // A token is tried by many processes, and no limit hides what becomes of it.
        (settings.limits.lease, settings.limits.failures_per_minute) = (LEASE, 1000);
        let store = Store::open(settings, Arc::new(SystemClock)).unwrap();
        match task["task"].as_str().unwrap() {
            "redeem" => redeem_all(&store, &task).await,
            "fill" => fill(&store, &task).await,
            other => panic!("{other}"),
        }
    });
}

const LEASE: Duration = Duration::from_millis(500);

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\n{text}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

async fn redeem_all(store: &Store, task: &Value) {
    let tokens = task["tokens"].as_array().unwrap();
    for (index, token) in tokens.iter().enumerate().skip(task["from"].as_u64().unwrap() as usize) {
        let token = SecretString::from(token.as_str().unwrap());
        let request = redeem_request(&token, &format!("s{index}"), call("a"));
        say("trying");
        if let Redemption::Redeemed(started) = store.redeem_token(request).await.unwrap() {
            say(&format!("accepted {index}"));
            started.finish("success", None);
        }
    }
    crate::support::settle(store).await;
}

/// Asks for tokens until the store fails, then redeems tokens until that fails too: it takes less room.
async fn fill(store: &Store, task: &Value) {
    let error = loop {
        match store.issue_token(crate::support::request("filler", vec![call("a")])).await {
            Ok(Issue::Issued(_)) => {}
            Ok(Issue::Limited { .. }) => panic!("limited"),
            Err(error) => break error,
        }
    };
    say(&format!("failed {error}"));
    for (index, token) in task["tokens"].as_array().unwrap().iter().enumerate() {
        let token = SecretString::from(token.as_str().unwrap());
        let redeemed = store.redeem_token(redeem_request(&token, &format!("s{index}"), call("a"))).await;
        if redeemed.is_err() {
            say(&format!("closed {index}"));
            return;
        }
    }
    say("open");
}

fn command(place: &Place, task: &str, tokens: &[String], from: usize) -> Command {
    let mut description = place.address();
    description["task"] = task.into();
    description["tokens"] = json!(tokens);
    description["from"] = from.into();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["processes::process", "--exact", "--nocapture"]).env(TASK, description.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

async fn tokens(store: &Store, count: usize) -> Vec<String> {
    let mut tokens = Vec::new();
    for index in 0..count {
        let token = issue(store, &format!("s{index}"), vec![call("a")]).await;
        tokens.push(token.expose_secret().to_owned());
    }
    tokens
}

/// What a process said it was allowed to do.
fn accepted(process: Child) -> Vec<usize> {
    accepted_in(&process.wait_with_output().unwrap().stdout)
}

fn accepted_in(output: &[u8]) -> Vec<usize> {
    let text = String::from_utf8_lossy(output).into_owned();
    let whole_lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    whole_lines.filter_map(|line| line.strip_prefix("accepted ")?.parse().ok()).collect()
}

async fn four_processes(place: Place) {
    let store = place.open_now();
    let tokens = tokens(&store, 60).await;
    let processes: Vec<Child> =
        (0..4).map(|_| command(&place, "redeem", &tokens, 0).spawn().unwrap()).collect();
    let mut all: Vec<usize> = processes.into_iter().flat_map(accepted).collect();
    all.sort_unstable();
    assert_eq!(all, (0..60).collect::<Vec<_>>());
    assert!(store.verify_audit().await.unwrap().is_whole());
}

async fn killed_while_they_redeem(mut place: Place) {
    (place.settings.limits.lease, place.settings.limits.failures_per_minute) = (LEASE, 1000);
    let store = place.open_now();
    let tokens = tokens(&store, 400).await;
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    let mut rounds = 0;
    while rounds < 50 {
        let from = times.keys().last().copied().unwrap_or_default();
        let mut process = command(&place, "redeem", &tokens, from).spawn().unwrap();
        let mut output = std::io::BufReader::new(process.stdout.take().unwrap());
        // It is killed while it redeems, after some redemptions that it could finish, and a spread of moments later.
        let mut said = String::new();
        while said.matches("trying").count() < 2 + rounds % 3 {
            assert_ne!(output.read_line(&mut said).unwrap(), 0, "the process ended: {said}");
        }
        tokio::time::sleep(Duration::from_millis(rounds as u64 * 7 % 16)).await;
        process.kill().unwrap();
        process.wait().unwrap();
        output.read_to_string(&mut said).unwrap();
        for index in accepted_in(said.as_bytes()) {
            *times.entry(index).or_default() += 1;
        }
        rounds += 1;
    }
    assert!(times.len() > 5, "hardly anything was redeemed: {times:?}");
    let twice: Vec<_> = times.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "accepted twice: {twice:?}");
    // What was accepted is used up for those who outlive the killed ones.
    for index in times.keys().rev().take(5) {
        let token = SecretString::from(tokens[*index].clone());
        let again = store.redeem_token(redeem_request(&token, &format!("s{index}"), call("a"))).await;
        assert!(
            matches!(again, Ok(Redemption::Refused(StoredTokenRefusal::AlreadyUsed { .. }))),
            "{again:?}"
        );
    }
    tokio::time::sleep(LEASE * 2).await;
    store.maintain().await.unwrap();
    let ends = count_events(&store, "CALL_FINISHED").await + count_events(&store, "CALL_LOST").await;
    assert_eq!(count_events(&store, "TOKEN_VALIDATED").await, ends);
    assert!(ends >= times.len());
    let report = store.verify_audit().await.unwrap();
    assert!(report.is_whole(), "{report:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_full_disk_fails_closed() {
    let place = Place::sqlite();
    let store = place.open_now();
    let tokens = tokens(&store, 60).await;
    let inner = command(&place, "fill", &tokens, 0);
    // No file may grow past half a megabyte, and trying to is no signal.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"]).arg(inner.get_program());
    limited.args(inner.get_args()).stdin(Stdio::null()).stderr(Stdio::null());
    limited.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = limited.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let refused = said.lines().find_map(|line| line.strip_prefix("closed ")?.parse::<usize>().ok());
    let refused = refused.filter(|_| said.contains("failed the store")).unwrap_or_else(|| panic!("{said}"));
    let redeem = async |index: usize| {
        let token = SecretString::from(tokens[index].clone());
        store.redeem_token(redeem_request(&token, &format!("s{index}"), call("a"))).await.unwrap()
    };
    assert!(matches!(redeem(refused).await, Redemption::Redeemed(_)), "it is as good as before");
    if let Some(taken) = refused.checked_sub(1) {
        let again = redeem(taken).await;
        assert!(matches!(again, Redemption::Refused(StoredTokenRefusal::AlreadyUsed { .. })), "{again:?}");
    }
    assert!(store.verify_audit().await.unwrap().is_whole());
}

#[cfg(unix)]
#[tokio::test]
async fn a_disk_that_cannot_be_written_fails_closed() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let place = Place::sqlite();
    let store = place.open_now();
    let tokens = tokens(&store, 1).await;
    let inner = command(&place, "fill", &tokens, 0);
    // The owner of the files and root may do anything, so it is somebody else; who must find the program.
    let readable = tempfile::tempdir().unwrap();
    let program = readable.path().join("process");
    std::fs::copy(inner.get_program(), &program).unwrap();
    let state = place.address()["directory"].as_str().unwrap().to_owned();
    let state = std::path::Path::new(&state);
    for (path, mode) in [(readable.path(), 0o755), (state, 0o755), (state.parent().unwrap(), 0o755)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    for file in std::fs::read_dir(state).unwrap() {
        std::fs::set_permissions(file.unwrap().path(), std::fs::Permissions::from_mode(0o444)).unwrap();
    }
    let mut other = Command::new(program);
    other.args(inner.get_args()).stdin(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    other.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if rustix::process::getuid().is_root() {
        other.uid(65534).gid(65534);
    }
    let output = other.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("failed the store cannot be written") && said.contains("closed"), "{said}");
}
