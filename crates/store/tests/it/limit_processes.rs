//! Several processes that hold themselves to one limit by one store, in real time, and are killed.
//!
//! A process is this test binary again; it writes down when each of its requests went out. `AQUEDUCT_LIMIT_CALLS` makes it as large as
//! the soak wants it.

use crate::support::{Place, on_both_engines};
use aqueduct_limiter::{Limiters, MeterOwner};
use aqueduct_operations::category::Category;
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::operation::{Declaration, Operation, RegistryEntry};
use aqueduct_operations::rate_limits::{ApiLimit, QueueRule, RateLimits, Window};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{HttpTarget, Method, Site, Target};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_store::Store;
use aqueduct_testkit::permit::NoPause;
use jiff::Timestamp;
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const TASK: &str = "AQUEDUCT_LIMIT_TASK";

/// Calls of all processes together, and the limit of a window.
const CALLS: &str = "AQUEDUCT_LIMIT_CALLS";

on_both_engines!(processes_hold_one_limit, killed_processes_hold_it_too);

fn entry(limit: u64, window: Window) -> RegistryEntry {
    let queue = QueueRule { max_wait: Some(Duration::from_secs(600)), max_waiting: Some(100_000) };
    let rules =
        RateLimits { api_limits: vec![ApiLimit::global(limit, window)], queue, ..RateLimits::default() };
    let site = Arc::new(Site::new("https://api.invalid".parse().unwrap()));
    let declaration = Declaration::new("get_x".to_owned(), "X".to_owned(), Category::Read, Vec::new());
    let target = Target::Http(HttpTarget::new(site, Method::Get, Vec::new()));
    let source =
        Source { rate_limits: Some(Arc::new(rules)), ..Source::new("shop".to_owned(), TrustLevel::Official) };
    RegistryEntry {
        public_name: "get_x".to_owned(),
        operation: Arc::new(Operation { declaration, target }),
        source: Arc::new(source),
    }
}

/// What a process of these tests does. Without a task it is no process of theirs.
#[test]
fn process() {
    let Some(task) = std::env::var_os(TASK) else { return };
    let task: Value = serde_json::from_str(task.to_str().unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(Place::settings_at(&task), Arc::new(SystemClock)).unwrap();
        let limiters = Arc::new(Limiters::new(Arc::new(store.clone()), Arc::new(SystemClock)));
        let log = OpenOptions::new().create(true).append(true).open(task["log"].as_str().unwrap()).unwrap();
        let log = Arc::new(Mutex::new(log));
        let window = Window::parse(task["window"].as_str().unwrap()).unwrap();
        let entry = Arc::new(entry(task["limit"].as_u64().unwrap(), window));
        let calls = (0..task["calls"].as_u64().unwrap()).map(|_| {
            let (limiters, log, entry) = (Arc::clone(&limiters), Arc::clone(&log), Arc::clone(&entry));
            tokio::spawn(async move {
                let owner = MeterOwner { caller: "one".to_owned(), pause_handler: Arc::new(NoPause) };
                let mut slot = limiters.meter(&entry, owner, String::new).admit().await.unwrap();
                let line = format!("{}\n", Timestamp::now().as_millisecond());
                log.lock().unwrap().write_all(line.as_bytes()).unwrap();
                slot.returned("");
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
        limiters.drain();
        store.settle(Duration::from_secs(5)).await;
    });
}

fn start(place: &Place, folder: &Path, calls: usize, limit: usize) -> Child {
    let mut task = place.address();
    task["calls"] = calls.into();
    task["limit"] = limit.into();
    task["window"] = "second".into();
    task["log"] = folder.join("sent").to_str().unwrap().into();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["limit_processes::process", "--exact", "--nocapture"]).env(TASK, task.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Four on one machine; three on a database.
fn processes(place: &Place) -> usize {
    if place.address()["url"].is_string() { 3 } else { 4 }
}

fn size() -> (usize, usize) {
    let calls = std::env::var(CALLS).ok().and_then(|calls| calls.parse().ok()).unwrap_or(600);
    (calls, calls / 10)
}

/// When requests went out, in milliseconds, in order.
fn sent(folder: &Path) -> Vec<i64> {
    let text = std::fs::read_to_string(folder.join("sent")).unwrap_or_default();
    let mut sent: Vec<i64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    sent.sort_unstable();
    sent
}

/// The most that went out in any second, wherever it begins.
fn most_in_a_second(sent: &[i64]) -> usize {
    let within = |first: usize| sent[first..].partition_point(|each| each - sent[first] < 1_000);
    (0..sent.len()).map(within).max().unwrap_or_default()
}

/// X-rate-14: never more than the limit in any window. How many go out while all of them wait is printed: in windows of a second, what
/// the store takes for its rounds is lost. The soak judges that by the minute.
async fn processes_hold_one_limit(place: Place) {
    place.open_now().prepare().await.unwrap();
    let count = processes(&place);
    let folder = tempfile::tempdir().unwrap();
    let (calls, limit) = size();
    // The first makes what does not divide.
    let share = |number: usize| calls / count + if number == 0 { calls % count } else { 0 };
    let processes: Vec<Child> =
        (0..count).map(|number| start(&place, folder.path(), share(number), limit)).collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let sent = sent(folder.path());
    assert_eq!(sent.len(), calls);
    let took = (sent[sent.len() - 1] - sent[0]) as f64 / 1e3;
    let (most, rate) = (most_in_a_second(&sent), (calls - limit) as f64 / took);
    assert!(most <= limit, "{most} of {limit} in a second");
    report(&format!(
        "{count} processes, {calls} calls, {limit} a second: {most} at most in any second, {rate:.0} a second while callers wait"
    ));
}

/// X-rate-15: what a killed process had in hand counts as spent.
async fn killed_processes_hold_it_too(place: Place) {
    place.open_now().prepare().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (calls, limit) = size();
    let count = processes(&place);
    let mut processes: Vec<Child> = (0..count).map(|_| start(&place, folder.path(), calls, limit)).collect();
    for round in 0..6_usize {
        // Killed when it has sent something more, and so somewhere in the midst of its work.
        let before = sent(folder.path()).len();
        while sent(folder.path()).len() < before + limit / 3 {
            tokio::time::sleep(Duration::from_millis(15 + 7 * round as u64)).await;
        }
        let killed = &mut processes[round % count];
        killed.kill().unwrap();
        killed.wait().unwrap();
        *killed = start(&place, folder.path(), calls, limit);
    }
    for process in &mut processes {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let sent = sent(folder.path());
    let most = most_in_a_second(&sent);
    report(&format!(
        "{count} processes, some killed: {} sent, {most} at most in any second of {limit}",
        sent.len()
    ));
    assert!(most <= limit, "{most} of {limit} in a second");
}

fn report(text: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{text}\n").as_bytes()).unwrap();
}
