//! Several instances of the real program on one store, in front of a recording API, for tests and soaks of what they share.
//!
//! The program in; instances, an operator and the audit out. All of it is on loopback and ends with the value. The runs
//! (`redeem`, `kill`, `mixed`, `limits`) are the same in a test and in a soak, but for their size.

mod balancer;
mod dice;
mod instance;
mod kill;
mod ledger;
mod limits;
mod mixed;
mod redeem;
mod report;

pub use balancer::Balancer;
pub use instance::{Answered, Client, Instance};
pub use kill::kill;
pub use ledger::RequestLedger;
pub use limits::{LimitRun, limits};
pub use mixed::{Mix, mixed};
pub use redeem::redeem;
pub use report::FleetReport;

use crate::api::{Answer, FakeApi};
use crate::postgres::Postgres;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

const PASSPHRASE: &[u8] = b"correct horse battery\n";
const AUDIT_KEY: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";
const PATIENCE: Duration = Duration::from_secs(120);
const ADAPTER: &str = "orders-adapter.md";

/// Which store the instances share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A state directory, for processes of one machine.
    Sqlite,
    /// A database of its own, for instances with a state directory each.
    Postgres,
}

/// Who confirms at an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmer {
    /// The client, with a token.
    Client,
    /// The operator.
    Operator,
}

/// What instances share.
#[derive(Debug)]
pub struct Fleet {
    program: PathBuf,
    folder: TempDir,
    api: FakeApi,
    database: Option<(Postgres, String)>,
    bearer: String,
    started: AtomicUsize,
}

impl Fleet {
    /// Makes a store with an operator and one caller, `agent`, and an API that answers after a while. No limit of a session is in the way.
    ///
    /// # Panics
    /// When the program or PostgreSQL does not do as it should.
    pub async fn open(program: &Path, engine: Engine, answers_after: Duration) -> Fleet {
        let deleted = Answer::after(answers_after, Answer::json(200, json!({"is_deleted": true})));
        let api = FakeApi::always(deleted).await;
        let folder = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: String| {
            std::fs::write(folder.path().join(name), text).expect("a file is written");
        };
        write(ADAPTER, adapter(&api.base_url()));
        write(
            "aqueduct.toml",
            "[confirmation]\nttl_seconds = 900\nissue_per_minute = 10000000\nfailures_per_minute = 10000000\n\
             [http]\nmax_connections = 4096\n"
                .to_owned(),
        );
        let database = (engine == Engine::Postgres).then(|| {
            let server = Postgres::start();
            let url = server.database();
            (server, url)
        });
        let started = AtomicUsize::new(0);
        let program = program.to_owned();
        let mut fleet = Fleet { program, folder, api, database, bearer: String::new(), started };
        fleet.operator(&["init"]).await;
        fleet.bearer = fleet.add_caller("agent").await;
        fleet
    }

    /// Makes one more caller; its token.
    ///
    /// # Panics
    /// When there is one of that name.
    pub async fn add_caller(&self, name: &str) -> String {
        self.operator(&["token", "add", name]).await.trim_end().to_owned()
    }

    /// Adds to the configuration of the instances that are started from now on.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn configure(&self, text: &str) {
        let path = self.folder.path().join("aqueduct.toml");
        let mut file = OpenOptions::new().append(true).open(path).expect("a configuration");
        file.write_all(text.as_bytes()).expect("a file is written");
    }

    /// When each READ arrived at the API, in order.
    pub fn reads(&self) -> Vec<Instant> {
        let requests = self.api.requests();
        let mut times: Vec<Instant> = requests
            .iter()
            .filter(|request| request.method == "GET")
            .filter_map(|request| request.at)
            .collect();
        times.sort_unstable();
        times
    }

    /// Starts one more instance and waits until it listens.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start(&self) -> Instance {
        self.start_with(Confirmer::Client).await
    }

    /// Starts one more instance, at which this one confirms.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_with(&self, confirmer: Confirmer) -> Instance {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let mut command = self.command();
        command.args(["serve", ADAPTER, "--http", "127.0.0.1:0", "--no-watch", "--state-dir"]);
        command.arg(self.state_of(number));
        command.args(["--confirmation", if confirmer == Confirmer::Client { "client" } else { "operator" }]);
        Instance::start(command, &self.bearer).await
    }

    /// What the operator does; what is printed.
    ///
    /// # Panics
    /// When it fails.
    pub async fn operator(&self, words: &[&str]) -> String {
        let mut command = self.command();
        command
            .arg("operator")
            .args(words)
            .arg("--passphrase-stdin")
            .arg("--state-dir")
            .arg(self.state_of(0));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program is started");
        let mut input = child.stdin.take().expect("an input");
        input.write_all(PASSPHRASE).await.expect("the passphrase is read");
        drop(input);
        let output = child.wait_with_output().await.expect("the program ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "operator {words:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The audit as it is now, checked.
    ///
    /// # Panics
    /// When the audit is not whole, or cannot be read.
    pub async fn ledger(&self) -> RequestLedger {
        self.operator(&["audit", "--verify"]).await;
        let lines = self.operator(&["audit", "--export", "-"]).await;
        let parsed = lines.lines().map(|line| serde_json::from_str(line).expect("a line of the audit"));
        RequestLedger::new(parsed.collect::<Vec<Value>>())
    }

    /// The audit once every call that began has its end. Where that does not come, it is as it was after two minutes; a call counts
    /// as lost after half a minute.
    ///
    /// # Panics
    /// When the audit is not whole, or cannot be read.
    pub async fn settled(&self) -> RequestLedger {
        let started = Instant::now();
        loop {
            let ledger = self.ledger().await;
            if ledger.is_settled() || started.elapsed() > PATIENCE {
                return ledger;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// How often the API was asked to delete each order.
    pub fn deleted(&self) -> BTreeMap<String, usize> {
        let mut times = BTreeMap::new();
        for request in self.api.requests().iter().filter(|request| request.method == "DELETE") {
            let order = request.path().trim_start_matches("/orders/").to_owned();
            *times.entry(order).or_default() += 1;
        }
        times
    }

    /// The database, where there is one.
    pub fn database(&self) -> Option<&Postgres> {
        self.database.as_ref().map(|(server, _)| server)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().env("AQUEDUCT_AUDIT_KEY", AUDIT_KEY).current_dir(self.folder.path());
        if let Some((_, url)) = &self.database {
            command.env("AQUEDUCT_STORE_URL", url);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }

    /// Instances on a database are machines of their own.
    fn state_of(&self, number: usize) -> PathBuf {
        let number = if self.database.is_some() { number } else { 0 };
        self.folder.path().join(format!("state-{number}"))
    }
}

fn adapter(base_url: &str) -> String {
    let order = "params: { order_id: { type: string, required: true } }";
    format!(
        "---\nname: orders\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Orders of a shop\"\ntarget: {{ base_url: \
         \"{base_url}\", transport: http, protocol: rest, serialization: json, retries: 0 }}\noperations:\n  read:\n    - \
         {{ name: get_order, maps_to: \"GET /orders/{{order_id}}\", description: \"Get an order\", {order} }}\n  delete:\n    \
         - {{ name: delete_order, maps_to: \"DELETE /orders/{{order_id}}\", description: \"Remove an order\", {order} }}\n---\n"
    )
}
