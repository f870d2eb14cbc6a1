//! An API of jobs, and the adapter file for it: jobs are started, asked about, cancelled, tried again, and tell events.
//!
//! `POST /jobs` takes what the job will tell: `states`, one after the other, the last one for ever. A test may say what else the API
//! does: another first answer (`start`), another address (`location`), and how long the first answer takes (`takes_ms`).

use crate::api::{Answer, FakeApi, Recorded};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A running API of jobs.
#[derive(Debug)]
pub struct JobApi {
    /// What was asked of it.
    pub api: FakeApi,
    jobs: Arc<Mutex<HashMap<String, Job>>>,
}

#[derive(Debug, Clone, Default)]
struct Job {
    states: Vec<Value>,
    told: usize,
    asked: usize,
    cancelled: usize,
}

/// How long a job takes to say that it is told to end: longer than until it is asked for its state, which says so by then.
const CANCEL_TAKES: Duration = Duration::from_millis(150);

type Jobs = Mutex<HashMap<String, Job>>;

fn locked(jobs: &Jobs) -> MutexGuard<'_, HashMap<String, Job>> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobApi {
    /// Starts one on a free port.
    pub async fn start() -> JobApi {
        let jobs: Arc<Jobs> = Arc::default();
        let known = Arc::clone(&jobs);
        let api = FakeApi::start(move |request| answer(request, &known)).await;
        JobApi { api, jobs }
    }

    /// From now on a job tells this.
    pub fn tell(&self, id: &str, state: Value) {
        if let Some(job) = locked(&self.jobs).get_mut(id) {
            (job.states, job.told) = (vec![state], 0);
        }
    }

    /// How often the state of a job was asked for.
    pub fn asked(&self, id: &str) -> usize {
        locked(&self.jobs).get(id).map_or(0, |job| job.asked)
    }

    /// How often a job was told to end.
    pub fn cancelled(&self, id: &str) -> usize {
        locked(&self.jobs).get(id).map_or(0, |job| job.cancelled)
    }

    /// How many jobs there are.
    pub fn count(&self) -> usize {
        locked(&self.jobs).len()
    }

    /// The adapter file, with these further keys in its `lifecycle`.
    pub fn adapter(&self, lifecycle: &str) -> String {
        adapter(&self.api.base_url(), lifecycle)
    }
}

/// The adapter file of such an API, with these further keys in its `lifecycle`.
pub fn adapter(base_url: &str, lifecycle: &str) -> String {
    format!(
        r#"---
name: jobs
type: adapter
version: "1.0.0"
description: "An API of jobs for tests"
target:
  base_url: {base_url}
  transport: http
  protocol: rest
  serialization: json
  retries: 0
trust: {{level: certified}}
operations:
  execute:
    - name: run_job
      maps_to: POST /jobs
      description: Run a job
      danger_level: reversible
      params:
        states: {{type: array}}
        start: {{type: object}}
        location: {{type: string}}
        takes_ms: {{type: integer}}
      lifecycle:
        poll: {{initial_ms: 20, max_ms: 40}}
{lifecycle}
    - name: end_job
      maps_to: POST /jobs/{{job_id}}/cancel
      description: End a job
      danger_level: reversible
      params: {{job_id: {{type: string, required: true}}}}
    - name: repeat_job
      maps_to: POST /jobs/{{job_id}}/retry
      description: Run a job again
      danger_level: reversible
      params: {{job_id: {{type: string, required: true}}}}
  read:
    - name: get_job
      maps_to: GET /jobs/{{job_id}}
      description: Get a job
      params: {{job_id: {{type: string, required: true}}}}
    - name: hear_job
      maps_to: GET /jobs/{{job_id}}/events
      description: Hear what a job tells
      response: {{content_type: text/event-stream}}
      params: {{job_id: {{type: string, required: true}}}}
---
"#
    )
}

/// All that a lifecycle of this API can have.
pub const WHOLE: &str = "        id: {path: id}
        status: {operation: get_job}
        states: {warming_up: running, on_hold: running}
        progress: {percentage: percent, message: note}
        result_path: output
        error_path: problem
        cancel: {operation: end_job}
        retry: {operation: repeat_job}";

fn answer(request: &Recorded, jobs: &Jobs) -> Answer {
    let path = request.path();
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let mut jobs = locked(jobs);
    match (request.method.as_str(), parts.as_slice()) {
        ("POST", ["jobs"]) => {
            let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            let id = format!("job-{}", jobs.len() + 1);
            let states = body["states"].as_array().cloned().unwrap_or_default();
            jobs.insert(id.clone(), Job { states, ..Job::default() });
            let first = match &body["start"] {
                Value::Null => json!({"id": id, "status": "queued"}),
                other => other.clone(),
            };
            let location = body["location"].as_str().map_or_else(|| format!("/jobs/{id}"), str::to_owned);
            let takes = Duration::from_millis(body["takes_ms"].as_u64().unwrap_or_default());
            Answer::after(takes, Answer::json(202, first).header("Location", &location))
        }
        ("GET", ["jobs", id]) => match jobs.get_mut(*id) {
            Some(job) => {
                job.asked += 1;
                let state = job.states.get(job.told).or(job.states.last()).cloned();
                job.told += 1;
                Answer::json(200, state.unwrap_or_else(|| json!({"status": "running"})))
            }
            None => Answer::json(404, json!({"error": "no such job"})),
        },
        ("GET", ["jobs", id, "events"]) => match jobs.get(*id) {
            Some(job) => {
                let events: Vec<String> =
                    job.states.iter().map(|state| format!("data: {state}\n\n")).collect();
                Answer::bytes(200, events.concat()).header("Content-Type", "text/event-stream")
            }
            None => Answer::json(404, json!({"error": "no such job"})),
        },
        ("POST", ["jobs", id, "cancel"]) => match jobs.get_mut(*id) {
            Some(job) => {
                job.cancelled += 1;
                (job.states, job.told) = (vec![json!({"status": "canceled"})], 0);
                Answer::after(CANCEL_TAKES, Answer::json(200, json!({"id": id})))
            }
            None => Answer::json(404, json!({"error": "no such job"})),
        },
        ("POST", ["jobs", id, "retry"]) => match jobs.get_mut(*id) {
            Some(job) => {
                (job.states, job.told) = (vec![json!({"status": "done", "output": "again"})], 0);
                Answer::json(202, json!({"id": id, "status": "running"}))
            }
            None => Answer::json(404, json!({"error": "no such job"})),
        },
        _ => Answer::empty(404),
    }
}
