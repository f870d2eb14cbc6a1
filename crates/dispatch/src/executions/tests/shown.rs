//! What clients are shown of executions: introspection, progress, names.

use super::{id_of, serving, started, until};
use crate::test_server::{Setup, adapter};
use aqueduct_testkit::jobs::{JobApi, WHOLE};
use serde_json::{Value, json};

async fn detail(server: &crate::test_server::TestServer, name: &str) -> Value {
    let request = json!({"operation": "introspect", "params": {"query": "operations", "name": name}});
    server.data(request).await["operation"].take()
}

/// C8.4.4-2 C8.4.4-3 C8.4.5-1 C8.4.5-2 C8.4.5-3 X-intro-15: states and what can be done, in the closed shape; what custom states stand for.
#[tokio::test]
async fn introspection() {
    let (server, _jobs) = serving(WHOLE).await;
    let run = detail(&server, "run_job").await;
    assert_eq!(
        run["lifecycle"],
        json!({
            "states": ["pending", "running", "completed", "failed", "cancelled", "warming_up", "on_hold"],
            "supports_cancel": true, "supports_retry": true, "progress_reporting": true,
        })
    );
    assert_eq!((&run["semantic_category"], &run["endpoint"]), (&json!("EXECUTE"), &json!("execute")));
    assert_eq!(detail(&server, "get_job").await.get("lifecycle"), None);
    let list = server.data(json!({"operation": "introspect", "params": {"query": "operations"}})).await;
    let states = json!({"warming_up": "running", "on_hold": "running"});
    assert_eq!(list["_protocol"]["execution_states"], states);
    let (plain, _jobs) = serving("        status: {operation: get_job}").await;
    let run = detail(&plain, "run_job").await;
    assert_eq!(
        run["lifecycle"],
        json!({
            "states": ["pending", "running", "completed", "failed", "cancelled"],
            "supports_cancel": false, "supports_retry": false, "progress_reporting": false,
        })
    );
}

/// C8.4.4-5: the four operations are there with their parameters, where they belong, and say which transitions they make.
#[tokio::test]
async fn the_operations() {
    let (server, _jobs) = serving(WHOLE).await;
    for (name, category) in [
        ("get_execution", "READ"),
        ("list_executions", "READ"),
        ("cancel_execution", "EXECUTE"),
        ("retry_execution", "EXECUTE"),
    ] {
        assert_eq!(detail(&server, name).await["semantic_category"], category, "{name}");
    }
    for (name, transition) in [
        ("cancel_execution", "pending or running becomes cancelled"),
        ("retry_execution", "failed becomes running"),
    ] {
        let description = detail(&server, name).await["description"].take();
        assert!(description.as_str().unwrap().contains(transition), "{description}");
    }
    let params = detail(&server, "list_executions").await["parameters"].take();
    let names: Vec<&str> =
        params.as_array().unwrap().iter().map(|param| param["name"].as_str().unwrap()).collect();
    assert!(
        ["filter", "sort", "first", "after", "fields"].iter().all(|name| names.contains(name)),
        "{names:?}"
    );
}

/// N4: a source that has the name keeps it, and ours is another.
#[tokio::test]
async fn a_name_that_is_taken() {
    let jobs = JobApi::start().await;
    let text = jobs
        .adapter(WHOLE)
        .replace("name: get_job", "name: get_execution")
        .replace("operation: get_job", "operation: get_execution");
    let server = Setup::default().serve(&[text]);
    assert_eq!(detail(&server, "get_execution").await["parameters"][0]["name"], "job_id");
    assert_eq!(detail(&server, "aql_get_execution").await["parameters"][0]["name"], "execution_id");
    let plain = adapter(
        "plain",
        &jobs.api.base_url(),
        "operations:\n  read:\n    - {name: get_x, maps_to: GET /x, description: An x}",
    );
    let without = Setup::default().serve(&[plain]);
    assert_eq!(detail(&without, "get_execution").await, Value::Null);
}

/// M5.1-1 M5.1-2 M5.2-2 M5.4-1 M5.4-2 M5.4-4 M5.4-6: who waits hears how far it is, in the bands of the document, and it only rises.
#[tokio::test]
async fn progress_rises() {
    let (server, jobs) = serving(WHOLE).await;
    let first = started(&server, json!([{"status": "queued"}])).await;
    let request =
        json!({"operation": "get_execution", "params": {"execution_id": id_of(&first), "wait_seconds": 60}});
    let reporting = async {
        for percent in [10, 50, 30, 50, 75] {
            jobs.tell("job-1", json!({"status": "running", "percent": percent}));
            let asked = jobs.asked("job-1");
            while jobs.asked("job-1") < asked + 3 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        }
        jobs.tell("job-1", json!({"status": "done"}));
    };
    let ((answer, heard), ()) = tokio::join!(server.call_telling(request), reporting);
    assert_eq!(answer["data"]["status"], "completed", "{answer}");
    let done: Vec<f64> = heard.iter().map(|progress| progress.done).collect();
    assert!(done.windows(2).all(|pair| pair[0] < pair[1]), "{done:?}");
    assert!(done.contains(&50.0) && done.contains(&70.0), "10 + percent * 0.8: {done:?}");
    assert_eq!((done.first(), done.last()), (Some(&0.0), Some(&100.0)), "it is pending at first");
    until(&server, &id_of(&first), "completed").await;
}
