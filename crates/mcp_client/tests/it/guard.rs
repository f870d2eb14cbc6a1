#![cfg(target_os = "linux")]

use super::support::{
    LONG, add, data, eventually, example, fake, is_alive, program, run, settings, until, variables,
};
use aqueduct_mcp_client::{ClientEvent, ClientSettings, McpClients};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn guarded() -> McpClients {
    let settings =
        ClientSettings { guard: Some(example("guard")), grace: Duration::from_millis(300), ..settings() };
    McpClients::start(settings, variables()).unwrap()
}

/// A shell with a child, a grandchild whose parent is gone, one that left the session, and one that ignores TERM; it
/// prints their numbers.
const TREE: &str = r#"
    sleep 1000 & echo $!
    sh -c 'sleep 1000 & echo $!'
    setsid sh -c 'echo $$; exec sleep 1000' &
    sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &
    echo $$
    echo done
    wait
"#;

fn numbers(child: &mut Child) -> Vec<u64> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let (mut found, mut is_done) = (Vec::new(), false);
    for line in lines {
        match line.parse() {
            Ok(number) => found.push(number),
            Err(_) => is_done = true,
        }
        if is_done && found.len() == 5 {
            break;
        }
    }
    found
}

/// PEERS 8: when the process that started the guard is killed, nothing of the tree is left two seconds later.
#[tokio::test]
async fn nothing_is_left_behind_when_killed() {
    // A shell stands for the process that is killed; the guard's parent is that shell.
    let script = format!("\"$0\" __guard $$ -- sh -c '{}' & wait", TREE.replace('\'', r"'\''"));
    let mut parent = Command::new("sh")
        .args(["-c", &script])
        .arg(example("guard"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let tree = numbers(&mut parent);
    assert!(tree.iter().all(|pid| is_alive(*pid)), "{tree:?}");
    parent.kill().unwrap();
    let killed = Instant::now();
    parent.wait().unwrap();
    eventually(|| !tree.iter().any(|pid| is_alive(*pid))).await;
    assert!(killed.elapsed() < Duration::from_secs(2), "{:?}", killed.elapsed());
}

/// The guard passes the command's exit status on, and ends what the command leaves behind.
#[test]
fn the_exit_status_is_passed_on() {
    let guard = |script: &str| {
        let parent = std::process::id().to_string();
        Command::new(example("guard")).args(["__guard", &parent, "--", "sh", "-c", script]).output().unwrap()
    };
    assert_eq!(guard("exit 7").status.code(), Some(7));
    assert_eq!(guard("kill -9 $$").status.code(), Some(137));
    let left = guard("setsid sleep 1000 > /dev/null 2>&1 & echo $!");
    let pid = String::from_utf8(left.stdout).unwrap().trim().parse().unwrap();
    assert_eq!(left.status.code(), Some(0));
    assert!(!is_alive(pid));
    let parent = std::process::id().to_string();
    let none = Command::new(example("guard")).args(["__guard", &parent, "--", "/no/such"]).output().unwrap();
    assert_eq!(none.status.code(), Some(127));
    assert!(String::from_utf8_lossy(&none.stderr).contains("/no/such"));
}

/// A guard whose parent is already gone starts nothing that lasts.
#[test]
fn a_parent_that_is_gone_is_noticed() {
    let mut gone = Command::new("true").spawn().unwrap();
    let pid = gone.id().to_string();
    gone.wait().unwrap();
    let began = Instant::now();
    Command::new(example("guard")).args(["__guard", &pid, "--", "sleep", "1000"]).status().unwrap();
    assert!(began.elapsed() < Duration::from_secs(10));
}

/// Servers work through the guard as without, and close with all their descendants.
#[tokio::test]
async fn servers_run_through_the_guard() {
    let clients = guarded();
    add(&clients, fake("fake", &["--sticky"]));
    let server = example("fake_server");
    let wrapped = format!("setsid sleep 1000 & echo $! >&2; {} \"$@\"; true", server.display());
    add(&clients, program("wrapped", "sh", &["-c", &wrapped, "sh"]));
    assert_eq!(clients.wait_ready(LONG).await, []);
    let mut pids = Vec::new();
    for name in ["fake", "wrapped"] {
        pids.push(data(&clients, name, "process").await["pid"].as_u64().unwrap());
    }
    clients.close_all().await;
    assert!(!pids.iter().any(|pid| is_alive(*pid)));
}

/// A server that dies behind its guard is noticed, with its exit status, and started again.
#[tokio::test]
async fn death_behind_the_guard_is_noticed() {
    let clients = guarded();
    let mut events = clients.events();
    add(&clients, fake("fake", &[]));
    run(&clients, "fake", "die", json!({"code": 5})).await.unwrap_err();
    let why = until(&mut events, |event| match event {
        ClientEvent::Lost { why, .. } => Some(why),
        _ => None,
    })
    .await;
    assert_eq!(why, "it ended (exit status: 5)");
    until(&mut events, |event| matches!(event, ClientEvent::Same { .. }).then_some(())).await;
    clients.close_all().await;
}

/// Clients that are dropped end their children behind the guard too.
#[tokio::test]
async fn dropped_clients_leave_nothing() {
    let clients = guarded();
    add(&clients, fake("fake", &["--sticky"]));
    let pid = data(&clients, "fake", "process").await["pid"].as_u64().unwrap();
    tokio::task::spawn_blocking(move || drop(clients)).await.unwrap();
    eventually(|| !is_alive(pid)).await;
}
