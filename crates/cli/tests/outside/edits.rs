//! Many edits of an adapter file under load: no call fails, and none that begins after a reload was announced is answered
//! by an older version.
//!
//! Version N of the adapter leads its operations to `/v/N`, and the API answers with the path that it was asked for.
//! `cargo xtask soak reload` does the same ten thousand times.

use super::harness::{DEADLINE, Place, Server, inside};
use super::http::server::{HttpServer, call};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;
use tokio::time::{sleep, timeout};

const EDITS: u64 = 200;
const LOG: [(&str, &str); 1] = [("AQUEDUCT_LOG", "aqueduct::load=info")];
const STAYS: &str = "the last good version stays";

/// What callers may see.
#[derive(Debug, Default)]
struct Versions {
    written: AtomicU64,
    announced: AtomicU64,
}

fn text(version: u64, base_url: &str) -> String {
    let operation = |name: &str| {
        format!(
            "    - {{ name: {name}, maps_to: \"GET /v/{version}\", description: \"Version {version}\" }}\n"
        )
    };
    format!(
        "---\nname: notes\ntype: adapter\nversion: \"1.0.{version}\"\ndescription: \"Notes in many versions\"\ntarget: {{ \
         base_url: \"{base_url}\", transport: http, protocol: rest, serialization: json }}\noperations:\n  read:\n{}{}---\n",
        operation("get_first"),
        operation("get_second")
    )
}

/// The adapter file, and the ways of writing it.
struct Edited {
    path: PathBuf,
    base_url: String,
}

impl Edited {
    /// A good version: moved into place, written in place at once, or in two parts with a pause between them.
    async fn write(&self, version: u64) {
        let text = text(version, &self.base_url);
        if version.is_multiple_of(2) {
            replace(&self.path, &text);
            return;
        }
        let (start, rest) = text.split_at(text.len() / 2);
        let mut file = File::create(&self.path).unwrap();
        file.write_all(start.as_bytes()).unwrap();
        if version % 4 == 1 {
            // Long enough for the half file to be seen.
            sleep(Duration::from_millis(70)).await;
        }
        file.write_all(rest.as_bytes()).unwrap();
    }

    /// A version that is no good: not YAML, empty, half of it, or no file.
    fn spoil(&self, version: u64) {
        match version / 5 % 4 {
            0 => std::fs::write(&self.path, "---\nname: [\n---\n").unwrap(),
            1 => replace(&self.path, ""),
            2 => replace(&self.path, &text(version, &self.base_url)[..200]),
            _ => std::fs::remove_file(&self.path).unwrap(),
        }
    }
}

fn replace(path: &Path, text: &str) {
    let beside = path.with_extension("tmp");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

/// The version that answered a call.
fn version_in(answer: &Value) -> u64 {
    let path = answer["data"]["path"].as_str().unwrap_or_else(|| panic!("a call failed: {answer}"));
    path.strip_prefix("/v/").unwrap().parse().unwrap()
}

/// Calls over HTTP without a pause until it is aborted; every fourth one asks what there is.
async fn hammer(server: Arc<Http>, versions: Arc<Versions>) {
    for id in 0.. {
        let floor = versions.announced.load(SeqCst);
        let found = if id % 4 == 0 {
            let list = call(id, "mcp_aql_read", "introspect", json!({"query": "operations"}));
            let answer = server.http.stateless(&[], &list).await.inside();
            let list = &answer["data"]["operations"];
            let of = |index: usize| {
                list[index]["description"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
            };
            assert_eq!(of(0), of(1), "an answer from two versions");
            of(0).strip_prefix("Version ").unwrap().parse().unwrap()
        } else {
            let get = call(id, "mcp_aql_read", "get_first", json!({}));
            version_in(&server.http.stateless(&[], &get).await.inside())
        };
        let written = versions.written.load(SeqCst);
        assert!((floor..=written).contains(&found), "{found} is not in {floor}..={written}");
        server.calls.fetch_add(1, SeqCst);
    }
}

struct Http {
    http: HttpServer,
    calls: AtomicU64,
}

/// Four calls at once over stdio, begun when `floor` was announced; true when the news came meanwhile.
async fn four(server: &mut Server, floor: u64, written: u64) -> bool {
    let arguments = json!({"name": "mcp_aql_read", "arguments": {"operation": "get_second"}});
    let mut waiting = Vec::new();
    for _ in 0..4 {
        waiting.push(server.ask("tools/call", arguments.clone()).await);
    }
    let mut is_announced = false;
    while !waiting.is_empty() {
        let message = server.next().await;
        if message["method"] == "notifications/tools/list_changed" {
            is_announced = true;
            continue;
        }
        waiting.retain(|id| message["id"] != *id);
        let found = version_in(&inside(&message));
        assert!((floor..=written).contains(&found), "{found} is not in {floor}..={written}");
    }
    is_announced
}

/// What a log says: the last version that was loaded, and how many edits were refused.
#[derive(Debug, Default)]
struct Heard {
    version: AtomicU64,
    refused: AtomicU64,
}

impl Heard {
    fn line(&self, line: &str) {
        if line.contains(STAYS) {
            self.refused.fetch_add(1, SeqCst);
        } else if line.contains("reloaded") {
            let version = line.split("version=\"1.0.").nth(1).and_then(|rest| rest.split('"').next());
            self.version.store(version.unwrap_or_else(|| panic!("{line}")).parse().unwrap(), SeqCst);
        }
    }
}

async fn until(what: &str, is_true: impl Fn() -> bool) {
    let waiting = async {
        while !is_true() {
            sleep(Duration::from_millis(2)).await;
        }
    };
    timeout(DEADLINE, waiting).await.unwrap_or_else(|_| panic!("never: {what}"));
}

/// R1.3-9 R10.1-1 R10.1-2 R10.1-3 R10.1-4: through HTTP, where the log announces, and through stdio, where the client is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_under_load() {
    let api = FakeApi::start(|request| Answer::json(200, json!({"path": request.path()}))).await;
    let place = Place::new();
    let edited = Edited {
        path: place.write("notes-adapter.md", text(0, &api.base_url())).into(),
        base_url: api.base_url(),
    };
    let file = edited.path.display().to_string();
    let mut stdio = Server::start(&[&file], &LOG);
    stdio.open().await;
    let mut http = HttpServer::start(Place::new(), &[&file], &LOG).await;
    let mut errors = http.take_errors();
    let http = Arc::new(Http { http, calls: AtomicU64::new(0) });
    let heard = Arc::new(Heard::default());
    let hearing = tokio::spawn({
        let heard = Arc::clone(&heard);
        async move {
            while let Some(line) = errors.next_line().await.unwrap() {
                heard.line(&line);
            }
        }
    });
    let versions = Arc::new(Versions::default());
    let mut hammers = tokio::task::JoinSet::new();
    for _ in 0..3 {
        hammers.spawn(hammer(Arc::clone(&http), Arc::clone(&versions)));
    }
    let mut announced = 0;
    for version in 1..=EDITS {
        if version.is_multiple_of(5) {
            let (by_http, by_stdio) = (heard.refused.load(SeqCst), stdio.errors().matches(STAYS).count());
            edited.spoil(version);
            let is_seen =
                || heard.refused.load(SeqCst) > by_http && stdio.errors().matches(STAYS).count() > by_stdio;
            until("a bad version is refused", is_seen).await;
            assert!(!four(&mut stdio, announced, announced).await, "news of what nobody sees");
            continue;
        }
        versions.written.store(version, SeqCst);
        edited.write(version).await;
        while !four(&mut stdio, announced, version).await {}
        announced = version;
        four(&mut stdio, version, version).await;
        until("the log says it", || heard.version.load(SeqCst) == version).await;
        versions.announced.store(version, SeqCst);
        assert!(hammers.try_join_next().is_none(), "a caller saw something wrong");
    }
    hammers.abort_all();
    while let Some(ended) = hammers.join_next().await {
        assert!(ended.is_err_and(|error| error.is_cancelled()), "a caller saw something wrong");
    }
    let calls = http.calls.load(SeqCst);
    assert!(calls > EDITS, "{calls} calls over HTTP are no load");
    assert_eq!(stdio.finish().await.0, 0);
    hearing.abort();
}
