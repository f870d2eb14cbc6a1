//! Work that goes on after its call, from outside: followed by the real program, across restarts, kills and instances.

use super::harness::{Place, Ran, Server, inside};
use aqueduct_testkit::jobs::{JobApi, WHOLE};
use aqueduct_testkit::postgres;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Short leases, so that no caller waits long for a killed instance.
const CONFIG: &str = "[executions]\nlease_seconds = 1\n";
const PASSPHRASE: &str = "correct horse battery\n";
const AUDIT_KEY: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

/// The files of a test: the adapter of its jobs, the configuration, and where state is kept.
struct Files {
    place: Place,
    adapter: String,
    config: String,
}

impl Files {
    fn of(jobs: &JobApi, lifecycle: &str) -> Files {
        let place = Place::new();
        let adapter = place.write("jobs-adapter.md", jobs.adapter(lifecycle));
        let config = place.write("aqueduct.toml", CONFIG);
        Files { place, adapter, config }
    }

    /// A server on the state of this test, with a session.
    async fn serve(&self, instance: &str, variables: &[(&str, &str)]) -> Server {
        let state =
            self.place.path().join(format!("state{}", if variables.is_empty() { "" } else { instance }));
        let header = format!("X-Instance: {instance}");
        let state = state.display().to_string();
        let arguments = [&self.adapter, "--config", &self.config, "--state-dir", &state, "--header", &header];
        let mut server = Server::start(&arguments, variables);
        server.open().await;
        server
    }
}

async fn run_job(server: &mut Server, states: Value) -> String {
    let started = server.call("mcp_aql_execute", "run_job", json!({"states": states})).await;
    assert_eq!(started["success"], true, "{started}");
    started["data"]["execution_id"].as_str().unwrap().to_owned()
}

async fn state(server: &mut Server, id: &str, wait: u64) -> Value {
    let params = json!({"execution_id": id, "wait_seconds": wait});
    server.call("mcp_aql_read", "get_execution", params).await["data"].take()
}

/// Waits for something, for a good while.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..6_000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

/// The instances that asked about a job, in order, each once in a row.
fn askers(jobs: &JobApi) -> Vec<String> {
    let requests = jobs.api.requests();
    let asked = requests.iter().filter(|request| request.method == "GET");
    let mut names: Vec<String> =
        asked.map(|request| request.header("x-instance").unwrap_or_default().to_owned()).collect();
    names.dedup();
    names
}

fn detached() -> String {
    format!("{WHOLE}\n        detached: true")
}

/// C8.4-1 C8.4.3-6: a job to its end, over the protocol.
#[tokio::test]
async fn a_job_to_its_end() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, WHOLE);
    let mut server = files.serve("a", &[]).await;
    let states = json!([{"status": "running", "percent": 50}, {"status": "done", "output": {"rows": 3}}]);
    let id = run_job(&mut server, states).await;
    let last = state(&mut server, &id, 60).await;
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &json!({"rows": 3})), "{last}");
    let (code, _) = server.finish().await;
    assert_eq!(code, 0);
    assert_eq!(jobs.cancelled("job-1"), 0, "what has ended is left alone");
}

/// S11: a process that is killed while it asks leaves a detached execution to the next one, which brings it to its end.
#[tokio::test]
async fn a_restart_goes_on() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, &detached());
    let mut server = files.serve("a", &[]).await;
    let id = run_job(&mut server, json!([{"status": "running", "percent": 20}])).await;
    until("the job is asked", || jobs.asked("job-1") > 2).await;
    server.kill().await;
    let mut server = files.serve("b", &[]).await;
    until("the next process asks", || askers(&jobs) == ["a", "b"]).await;
    jobs.tell("job-1", json!({"status": "done", "output": 7}));
    let last = state(&mut server, &id, 60).await;
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &json!(7)), "{last}");
    server.finish().await;
    let mut server = files.serve("c", &[]).await;
    assert_eq!(state(&mut server, &id, 0).await["result"], 7, "the result is kept");
}

/// C2.3.3-4 C2.3.3-7: what belongs to a session ends with it, also when the process is killed; its API is told.
#[tokio::test]
async fn ends_with_its_session() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, WHOLE);
    let mut server = files.serve("a", &[]).await;
    run_job(&mut server, json!([{"status": "running"}])).await;
    until("the job is asked", || jobs.asked("job-1") > 0).await;
    server.finish().await;
    assert_eq!(jobs.cancelled("job-1"), 1, "in order");
    let mut server = files.serve("b", &[]).await;
    let id = run_job(&mut server, json!([{"status": "running"}])).await;
    while state(&mut server, &id, 0).await["status"] != "running" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    server.kill().await;
    let mut server = files.serve("c", &[]).await;
    until("its API is told", || jobs.cancelled("job-2") == 1).await;
    assert!(!askers(&jobs).contains(&"c".to_owned()), "nobody asks about it any more");
    let list = server.call("mcp_aql_read", "list_executions", json!({})).await;
    assert_eq!(list["data"]["items"], json!([]), "another session sees nothing of it");
    let state = with_operator(&files).await;
    let ran = operator(&files, &state, &["executions", "--format", "json"]).await;
    let statuses: Vec<Value> =
        ran.json().as_array().unwrap().iter().map(|each| each["status"].clone()).collect();
    assert_eq!(statuses, ["failed", "cancelled"], "newest first: {ran:?}");
}

/// On several machines exactly one asks about an execution, and another takes over when that one is killed.
#[tokio::test]
async fn one_of_two_instances_asks() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, &detached());
    let url = postgres::shared().database();
    let variables = [("AQUEDUCT_STORE_URL", url.as_str()), ("AQUEDUCT_AUDIT_KEY", AUDIT_KEY)];
    let mut one = files.serve("one", &variables).await;
    let mut two = files.serve("two", &variables).await;
    let id = run_job(&mut one, json!([{"status": "running"}])).await;
    until("the job is asked for longer than a lease", || jobs.asked("job-1") > 60).await;
    assert_eq!(askers(&jobs), ["one"], "and by one of them");
    assert_eq!(state(&mut two, &id, 0).await["status"], "running", "the other one knows it too");
    one.kill().await;
    until("the other one asks", || askers(&jobs) == ["one", "two"]).await;
    jobs.tell("job-1", json!({"status": "done", "output": 1}));
    assert_eq!(state(&mut two, &id, 60).await["status"], "completed");
    assert_eq!(askers(&jobs), ["one", "two"], "never both");
}

/// A job that its API takes longer to start than a lease lasts is followed by the instance that started it, and no other closes it meanwhile.
#[tokio::test]
async fn a_start_that_takes_longer_than_a_lease() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, WHOLE);
    let url = postgres::shared().database();
    let shared = [("AQUEDUCT_STORE_URL", url.as_str()), ("AQUEDUCT_AUDIT_KEY", AUDIT_KEY)];
    for (number, variables) in [(1, &[][..]), (2, &shared[..])] {
        let mut one = files.serve("one", variables).await;
        let mut two = files.serve("two", variables).await;
        let params = json!({"takes_ms": 4_000, "states": [{"status": "running"}]});
        let started = one.call("mcp_aql_execute", "run_job", params).await;
        assert_eq!(started["data"]["status"], "pending", "{started}");
        let id = started["data"]["execution_id"].as_str().unwrap().to_owned();
        let job = format!("job-{number}");
        until("the job is asked", || jobs.asked(&job) > 2).await;
        assert_eq!((askers(&jobs), jobs.cancelled(&job)), (vec!["one".to_owned()], 0));
        jobs.tell(&job, json!({"status": "done", "output": 1}));
        assert_eq!(state(&mut one, &id, 60).await["status"], "completed");
        one.finish().await;
        two.finish().await;
    }
}

/// A call from the terminal waits for what would end with it.
#[tokio::test]
async fn a_call_from_the_terminal() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, WHOLE);
    let states = r#"states:=[{"status":"running"},{"status":"done","output":"ok"}]"#;
    let dir = files.place.path().join("terminal").display().to_string();
    let ran =
        files.place.run(&["call", &files.adapter, "run_job", states, "--state-dir", &dir], &[], "").await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        (&ran.json()["data"]["status"], &ran.json()["data"]["result"]),
        (&json!("completed"), &json!("ok"))
    );
    assert_eq!(jobs.cancelled("job-1"), 0);
}

/// A client that knows tasks gets one, asks for it and ends it; another one gets the state.
#[tokio::test]
async fn as_a_task() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, WHOLE);
    let state = files.place.path().join("state").display().to_string();
    let mut server = Server::start(&[&files.adapter, "--config", &files.config, "--state-dir", &state], &[]);
    let capabilities = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let client = json!({"name": "test", "version": "1.0"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client});
    let opened = server.request("initialize", params).await;
    assert!(
        opened["result"]["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"].is_object(),
        "{opened}"
    );
    server.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let call = |states: Value| json!({"operation": "run_job", "params": {"states": states}});
    let made = server.call_raw("mcp_aql_execute", call(json!([{"status": "running", "note": "half"}]))).await;
    let task = &made["result"];
    assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")), "{made}");
    let id = task["taskId"].as_str().unwrap().to_owned();
    let created = task["createdAt"].as_str().unwrap().to_owned();
    tokio::time::sleep(Duration::from_millis(20)).await;
    jobs.tell("job-1", json!({"status": "done", "output": {"rows": 3}}));
    let mut got = Value::Null;
    for _ in 0..3_000 {
        got = server.request("tasks/get", json!({"taskId": id})).await;
        if got["result"]["status"] != "working" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(got["result"]["status"], "completed", "{got}");
    assert_eq!(got["result"]["createdAt"], created.as_str(), "it was made once");
    let updated = got["result"]["lastUpdatedAt"].clone();
    assert!(updated.as_str().is_some_and(|updated| updated >= created.as_str()), "{got}");
    let again = server.request("tasks/get", json!({"taskId": id})).await;
    assert_eq!(again["result"]["lastUpdatedAt"], updated, "it has ended");
    let result = inside(&json!({"result": got["result"]["result"]}));
    assert_eq!(result["data"]["result"], json!({"rows": 3}));
    let made = server.call_raw("mcp_aql_execute", call(json!([{"status": "running"}]))).await;
    let id = made["result"]["taskId"].as_str().unwrap().to_owned();
    let ended = server.request("tasks/cancel", json!({"taskId": id})).await;
    assert!(ended["error"].is_null(), "{ended}");
    assert_eq!(server.request("tasks/get", json!({"taskId": id})).await["result"]["status"], "cancelled");
    assert_eq!(jobs.cancelled("job-2"), 1);
    let unknown = server.request("tasks/get", json!({"taskId": "exec_none"})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(Path::new(&state).exists());
}

/// The operator's passphrase, set in the state of a test.
async fn with_operator(files: &Files) -> String {
    let state = files.place.path().join("state").display().to_string();
    let set = ["operator", "init", "--state-dir", &state, "--passphrase-stdin"];
    assert_eq!(files.place.run(&set, &[], PASSPHRASE).await.code, 0);
    state
}

/// What the operator types.
async fn operator(files: &Files, state: &str, words: &[&str]) -> Ran {
    let all = [&["operator"], words, &["--state-dir", state, "--passphrase-stdin"]].concat();
    files.place.run(&all, &[], PASSPHRASE).await
}

/// C8.4.2-5: an operator ends somebody's execution. It is cancelled at once, its API is told once by the server that follows it, though a
/// caller would have had to confirm that, and the caller that started it learns who ended it.
#[tokio::test]
async fn ended_by_the_operator() {
    let jobs = JobApi::start().await;
    let mut files = Files::of(&jobs, WHOLE);
    let text = jobs.adapter(WHOLE).replacen(
        "description: End a job\n      danger_level: reversible",
        "description: End a job\n      danger_level: destructive",
        1,
    );
    files.adapter = files.place.write("jobs-adapter.md", text);
    let state_dir = with_operator(&files).await;
    let mut server = files.serve("a", &[]).await;
    let id = run_job(&mut server, json!([{"status": "running", "percent": 40}])).await;
    let own = server.call("mcp_aql_execute", "cancel_execution", json!({"execution_id": id})).await;
    assert_eq!(own["error"]["code"], "CONFIRMATION_REQUIRED", "{own}");
    until("the job is asked", || jobs.asked("job-1") > 1).await;
    let unknown = operator(&files, &state_dir, &["cancel", "exec_none"]).await;
    assert!(unknown.code != 0 && unknown.stderr.contains("no execution of that name"), "{unknown:?}");
    let done = operator(&files, &state_dir, &["cancel", &id]).await;
    assert_eq!(done.code, 0, "{done:?}");
    until("its API is told", || jobs.cancelled("job-1") == 1).await;
    let shown = server.call("mcp_aql_read", "get_execution", json!({"execution_id": id})).await;
    assert_eq!(shown["data"]["status"], "cancelled", "{shown}");
    assert_eq!(shown["warnings"][0]["code"], "EXECUTION_CANCELLED_BY_OPERATOR", "{shown}");
    let late = operator(&files, &state_dir, &["cancel", &id]).await;
    assert!(late.code != 0 && late.stderr.contains("it is cancelled already"), "{late:?}");
    let mut listed = Value::Null;
    for _ in 0..200 {
        listed = operator(&files, &state_dir, &["executions", "--format", "json"]).await.json()[0].take();
        if listed["job_stop"] == "told" {
            break;
        }
    }
    assert_eq!(
        (&listed["status"], &listed["cancelled_by"], &listed["job_stop"]),
        (&json!("cancelled"), &json!("operator"), &json!("told")),
        "{listed}"
    );
    let asked = jobs.asked("job-1");
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!((jobs.asked("job-1"), jobs.cancelled("job-1")), (asked, 1), "and left alone then");
    let audit =
        operator(&files, &state_dir, &["audit", "--search", "EXECUTION_CANCELLED", "--format", "json"]).await;
    let line: Value = serde_json::from_str(audit.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&line["approver"], &line["detail"]), (&json!("operator"), &json!(id)), "{line}");
}

/// An instance that is killed before it could tell an API leaves that to the next one.
#[tokio::test]
async fn told_after_a_restart() {
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, &detached());
    let state_dir = with_operator(&files).await;
    let mut server = files.serve("a", &[]).await;
    let id = run_job(&mut server, json!([{"status": "running"}])).await;
    until("the job is asked", || jobs.asked("job-1") > 0).await;
    server.kill().await;
    assert_eq!(operator(&files, &state_dir, &["cancel", &id]).await.code, 0);
    let asked = jobs.asked("job-1");
    assert_eq!(jobs.cancelled("job-1"), 0, "nobody is there to tell it");
    let mut server = files.serve("b", &[]).await;
    until("its API is told", || jobs.cancelled("job-1") == 1).await;
    assert_eq!(state(&mut server, &id, 0).await["status"], "cancelled");
    assert_eq!(jobs.asked("job-1"), asked, "nobody asks about it any more");
}

/// What an API says of its jobs is text wherever an operator sees it: no other line, no command of the terminal, no markup.
#[tokio::test]
async fn jobs_say_nothing_but_words() {
    const HOSTILE: &str =
        "x\r\nINJECTED line\n{\"event\":\"INJECTED\"}\u{1b}[2J\u{7}\u{202e}\u{2028}<script>alert(1)</script>";
    let jobs = JobApi::start().await;
    let files = Files::of(&jobs, WHOLE);
    let state_dir = with_operator(&files).await;
    let arguments = [&files.adapter, "--config", &files.config, "--state-dir", &state_dir];
    let mut server = Server::start(&arguments, &[("AQUEDUCT_LOG", "trace")]);
    server.open().await;
    for states in [
        json!([{"status": "running", "note": HOSTILE, "percent": HOSTILE}]),
        json!([{"status": HOSTILE, "note": HOSTILE}]),
        json!([{"status": "error", "problem": {"code": HOSTILE, "message": HOSTILE}}]),
    ] {
        run_job(&mut server, states).await;
    }
    until("all were asked", || (1..=3).all(|number| jobs.asked(&format!("job-{number}")) > 0)).await;
    let list = server.call("mcp_aql_read", "list_executions", json!({})).await;
    assert_eq!(list["data"]["items"].as_array().unwrap().len(), 3, "{list}");
    for words in [&["executions"][..], &["executions", "--format", "json"]] {
        let ran = operator(&files, &state_dir, words).await;
        assert_eq!(ran.code, 0, "{ran:?}");
        let text = format!("{}{}", ran.stdout, ran.stderr);
        assert!(text.contains("run_job"), "{text}");
        for bad in ['\u{1b}', '\u{7}', '\u{202e}', '\u{2028}', '\r'] {
            assert!(!text.contains(bad), "{words:?} has {bad:?}: {text:?}");
        }
        assert!(!text.lines().any(|line| line.trim_start().starts_with("INJECTED")), "{text:?}");
    }
    let (_, log) = server.finish().await;
    assert!(!log.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{2028}']), "{log:?}");
    assert!(!log.contains("alert(1)"), "the log has what an API said: {log}");
}
