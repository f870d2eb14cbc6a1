//! Whatever the order of reads and changes: two callers with two credentials each, one API, delays and hang-ups.
//!
//! Held to: an answer is never seen by another caller or with another credential than it was made for, and is never from
//! before a change that was over when it was asked for.

use crate::cache::ReadOptions;
use crate::test_support::{send, upstream};
use crate::upstream::Upstream;
use aqueduct_operations::auth::Auth;
use aqueduct_operations::category::Category;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::target::Method;
use aqueduct_testkit::api::{Answer, FakeApi, Recorded};
use aqueduct_testkit::operation::{get, operation, site, target, with_site};
use proptest::prelude::{Just, Strategy, any};
use proptest::{collection, prop_oneof, proptest};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PATHS: [&str; 3] = ["/books", "/books/1", "/books/1/pages"];
const CALLERS: [Option<&str>; 2] = [None, Some("ann")];
const TOKENS: [(&str, &str); 2] = [("T0", "token-zero"), ("T1", "token-one")];

#[derive(Debug, Clone, Copy)]
enum Action {
    Read { path: usize, caller: usize, token: usize },
    Change { path: usize, method: Method },
}

#[derive(Debug, Clone, Copy)]
struct Step {
    deed: Action,
    starts: u64,
    /// Given up after so many milliseconds.
    patience: Option<u64>,
    /// The step before has to be over.
    waits: bool,
}

fn step() -> impl Strategy<Value = Step> {
    let read = (0..PATHS.len(), 0..CALLERS.len(), 0..TOKENS.len())
        .prop_map(|(path, caller, token)| Action::Read { path, caller, token });
    let method = prop_oneof![Just(Method::Put), Just(Method::Post), Just(Method::Delete)];
    let change = (0..PATHS.len(), method).prop_map(|(path, method)| Action::Change { path, method });
    let deed = prop_oneof![4 => read, 1 => change];
    let patience = prop_oneof![6 => Just(None), 1 => (0..4u64).prop_map(Some)];
    (deed, 0..3u64, patience, any::<bool>()).prop_map(|(deed, starts, patience, waits)| Step {
        deed,
        starts,
        patience,
        waits,
    })
}

/// An API with one version for all its paths. How long it takes, and what may be kept, is different each time.
async fn api(seed: u64) -> (FakeApi, Arc<AtomicU64>) {
    let version = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&version);
    let api = FakeApi::start(move |request| {
        let turn = seed.wrapping_add(request.index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        Answer::after(Duration::from_millis(turn % 4), respond(request, turn / 4, &seen))
    })
    .await;
    (api, version)
}

fn respond(request: &Recorded, turn: u64, version: &AtomicU64) -> Answer {
    if request.method != "GET" {
        return Answer::json(200, json!(version.fetch_add(1, Ordering::SeqCst) + 1));
    }
    let version = version.load(Ordering::SeqCst);
    let token = request.header("authorization").unwrap_or_default();
    let etag = format!("\"{version}-{}\"", request.path());
    let response = match request.header("if-none-match") == Some(&etag) {
        true => Answer::empty(304),
        // The number tells for whom it was made.
        false => {
            Answer::json(200, json!({"number": request.index, "version": version, "token": token.len()}))
        }
    };
    match turn % 4 {
        0 => response,
        1 => response.header("ETag", &etag),
        2 => response.header("Cache-Control", "max-age=1000"),
        _ => response.header("Cache-Control", "max-age=1000").header("ETag", &etag),
    }
}

/// What was seen so far.
#[derive(Default)]
struct Observed {
    /// For whom each answer was made.
    owners: Mutex<HashMap<u64, (usize, usize)>>,
    /// The version that the last change which is over made.
    changed: AtomicU64,
}

struct World {
    upstream: Upstream,
    base_url: String,
    seen: Observed,
}

impl World {
    fn operation(&self, deed: Action) -> Operation {
        match deed {
            Action::Read { path, token, .. } => with_site(get("g", &self.base_url, PATHS[path]), |site| {
                site.auth = Auth::Bearer { token_env: TOKENS[token].0.into(), prefix: String::new() };
            }),
            Action::Change { path, method } => {
                operation("c", Category::Update, target(site(&self.base_url), method, PATHS[path]))
            }
        }
    }

    async fn act(&self, step: Step) {
        tokio::time::sleep(Duration::from_millis(step.starts)).await;
        let operation = self.operation(step.deed);
        let since = self.seen.changed.load(Ordering::SeqCst);
        let caller = match step.deed {
            Action::Read { caller, .. } => CALLERS[caller].map(Into::into),
            Action::Change { .. } => None,
        };
        let reading = ReadOptions { caller, ..ReadOptions::default() };
        let sending = send(&self.upstream, &operation, json!({}), &reading);
        let outcome = match step.patience {
            None => sending.await,
            Some(limit) => match tokio::time::timeout(Duration::from_millis(limit), sending).await {
                Ok(outcome) => outcome,
                Err(_) => return,
            },
        };
        let data: Value = serde_json::from_str(outcome.unwrap().data.as_str()).unwrap();
        match step.deed {
            Action::Change { .. } => {
                self.seen.changed.fetch_max(data.as_u64().unwrap(), Ordering::SeqCst);
            }
            Action::Read { caller, token, .. } => {
                assert!(data["version"].as_u64().unwrap() >= since, "{data} is older than {since}");
                assert_eq!(data["token"], TOKENS[token].1.len());
                let mut owners = self.seen.owners.lock().unwrap();
                let owner = *owners.entry(data["number"].as_u64().unwrap()).or_insert((caller, token));
                assert_eq!(owner, (caller, token), "{data}");
            }
        }
    }
}

async fn run(steps: Vec<Step>, seed: u64) {
    let (api, _version) = api(seed).await;
    let world =
        Arc::new(World { upstream: upstream(&TOKENS), base_url: api.base_url(), seen: Observed::default() });
    let mut running = tokio::task::JoinSet::new();
    for step in steps {
        if step.waits
            && let Some(ended) = running.join_next().await
        {
            ended.unwrap();
        }
        let world = Arc::clone(&world);
        running.spawn(async move { world.act(step).await });
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
    assert_eq!(world.upstream.shared().cache.shared_reads.count(), 0);
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(96))]

    /// R10.5-1 R10.5-3: neither cache nor sharing crosses callers or credentials, and no answer is from before the last
    /// change that is over.
    #[test]
    fn answers_are_ones_own_and_new(steps in collection::vec(step(), 1..40), seed in any::<u64>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(run(steps, seed));
    }
}
