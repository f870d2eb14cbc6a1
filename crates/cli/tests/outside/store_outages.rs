//! A store that cannot be used, as its clients see it: a full disk, one that cannot be written, a database that is killed, one that
//! stops answering. What needs a yes is refused with a clear error and not sent; READs go on; and everything works again afterwards.

use super::harness::{Place, Server, TOKEN, code, command, shop};
use super::http::server::{ANN, HttpServer, call, delete, token_in};
use super::http::store::instance;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::postgres::Postgres;
use aqueduct_testkit::silent_proxy::SilentProxy;
use serde_json::{Value, json};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::process::Command;

/// The store failed, which the client is told in a sentence without a path.
fn is_closed(answer: &Value, said: &str) {
    let error = &answer["error"];
    assert_eq!(
        (code(answer), &error["details"]["reason"]),
        ("INTERNAL_ERROR", &json!("store_unavailable")),
        "{answer}"
    );
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(said) && !message.contains('/'), "{message}");
}

async fn read(server: &mut Server) {
    let read = server.call("mcp_aql_read", "list_products", json!({})).await;
    assert_eq!(read["success"], true, "{read}");
}

async fn remove(server: &mut Server, token: Option<&str>) -> Value {
    let mut params = json!({"order_id": "7"});
    if let Some(token) = token {
        params["confirmation_token"] = token.into();
    }
    server.call("mcp_aql_delete", "delete_order", params).await
}

fn deletions(api: &FakeApi) -> usize {
    api.requests().iter().filter(|request| request.method == "DELETE").count()
}

/// A disk that fills up while the server runs, and is emptied again.
#[tokio::test]
async fn a_full_disk() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let (place, shop, base_url) = (Place::new(), shop(), api.base_url());
    let disk = TinyDisk::new();
    let state = disk.path().display().to_string();
    let arguments =
        ["serve", &shop, "--base-url", &base_url, "--confirmation", "client", "--state-dir", &state];
    let plain = command(&arguments, &[("SHOP_TOKEN", TOKEN)], &place.path());
    // A file that may not grow is an error, and no signal.
    let mut patient = Command::new("sh");
    patient.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]).arg(plain.as_std().get_program());
    copied(&mut patient, &plain);
    let mut server = Server::start_with(place, patient);
    server.open().await;
    let token = token_in(&remove(&mut server, None).await);
    let said = disk.fill(server.process_id());
    is_closed(&remove(&mut server, None).await, said);
    is_closed(&remove(&mut server, Some(&token)).await, "store");
    for _ in 0..5 {
        read(&mut server).await;
    }
    assert_eq!(deletions(&api), 0);
    disk.empty(server.process_id());
    let done = remove(&mut server, Some(&token)).await;
    assert_eq!(done["success"], true, "{done}");
    assert_eq!(deletions(&api), 1);
}

/// A disk of its own with little space, where one can be mounted; elsewhere a directory in which files can be kept from growing.
struct TinyDisk {
    folder: tempfile::TempDir,
    is_mounted: bool,
}

impl TinyDisk {
    fn new() -> TinyDisk {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs"]).arg(folder.path());
        let is_mounted = mount.output().is_ok_and(|output| output.status.success());
        TinyDisk { folder, is_mounted }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// From now on nothing more can be written; what the store says of it.
    fn fill(&self, process: u32) -> &'static str {
        if !self.is_mounted {
            limit_files(process, "4096");
            return "the store failed";
        }
        let mut filler = std::fs::File::create(self.path().join("filler")).unwrap();
        for size in [65_536, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
        "no space left"
    }

    fn empty(&self, process: u32) {
        if self.is_mounted {
            std::fs::remove_file(self.path().join("filler")).unwrap();
        } else {
            limit_files(process, "unlimited");
        }
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        if self.is_mounted {
            // The server may have files open; the disk is gone with it.
            std::process::Command::new("umount").arg("--lazy").arg(self.path()).status().ok();
        }
    }
}

/// The longest file that a process may write.
fn limit_files(process: u32, bytes: &str) {
    let mut command = std::process::Command::new("prlimit");
    // The hard limit stays, so that it can be lifted again.
    command.args(["--pid", &process.to_string(), &format!("--fsize={bytes}:")]);
    assert!(command.status().unwrap().success());
}

/// Everything of a command but its program.
fn copied(to: &mut Command, from: &Command) {
    let from = from.as_std();
    to.args(from.get_args()).env_clear();
    to.envs(from.get_envs().filter_map(|(name, value)| Some((name, value?))));
    to.current_dir(from.get_current_dir().unwrap()).kill_on_drop(true);
    to.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    to.stderr(std::process::Stdio::piped());
}

/// A state directory that can be read and not written.
#[tokio::test]
async fn a_disk_that_cannot_be_written() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let (place, base_url) = (Place::new(), api.base_url());
    let adapter = place.write("shop-adapter.md", std::fs::read(shop()).unwrap());
    // What a server keeps there is there already.
    let kept = Place::new();
    let state = kept.path().join("state");
    let shown = state.display().to_string();
    let arguments = ["serve", &adapter, "--base-url", &base_url, "--confirmation", "client", "--state-dir"];
    let arguments = [&arguments as &[&str], &[shown.as_str()]].concat();
    let mut before = Server::start(&arguments[1..], &[("SHOP_TOKEN", TOKEN)]);
    before.open().await;
    token_in(&remove(&mut before, None).await);
    before.finish().await;
    let plain = command(&arguments, &[("SHOP_TOKEN", TOKEN)], &place.path());
    let program = place.path().join("program");
    std::fs::copy(plain.as_std().get_program(), &program).unwrap();
    // Root may write anything, so that it is somebody else; who must find the program.
    let is_root = rustix::process::getuid().is_root();
    let mut other = Command::new(if is_root { Path::new("setpriv") } else { &program });
    if is_root {
        other.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
    }
    copied(&mut other, &plain);
    for (path, mode) in
        [(place.path(), 0o755), (program, 0o755), (kept.path(), 0o755), (state.clone(), 0o555)]
    {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    for file in std::fs::read_dir(&state).unwrap() {
        std::fs::set_permissions(file.unwrap().path(), std::fs::Permissions::from_mode(0o444)).unwrap();
    }
    let mut server = Server::start_with(place, other);
    server.open().await;
    read(&mut server).await;
    is_closed(&remove(&mut server, None).await, "cannot be written");
    read(&mut server).await;
    assert_eq!(deletions(&api), 0);
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).unwrap();
}

async fn read_over_http(server: &HttpServer) {
    let read = call(6, "mcp_aql_read", "list_products", json!({}));
    let read = server.stateless(&[ANN], &read).await.inside();
    assert_eq!(read["success"], true, "{read}");
}

/// The token works once everything is back, unless the store has said that it is used; it never works twice.
async fn works_again(server: &HttpServer, token: &str) {
    let since = Instant::now();
    loop {
        let answer = server.stateless(&[ANN], &delete(Some(token))).await.inside();
        if answer["success"] == true {
            break;
        }
        assert!(code(&answer) == "INTERNAL_ERROR" && since.elapsed() < Duration::from_secs(60), "{answer}");
    }
    let again = server.stateless(&[ANN], &delete(Some(token))).await.inside();
    assert_eq!(code(&again), "TOKEN_ALREADY_USED");
}

/// Every process of the database is killed with SIGKILL, and it is started again.
#[tokio::test]
async fn a_database_that_is_killed() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let database = Postgres::start();
    let server = instance(&api, &database.database()).await;
    let token = token_in(&server.stateless(&[ANN], &delete(None)).await.inside());
    database.kill();
    is_closed(&server.stateless(&[ANN], &delete(Some(&token))).await.inside(), "store");
    read_over_http(&server).await;
    assert_eq!((server.ask("GET", "/readyz", &[]).await.status, deletions(&api)), (503, 0));
    database.restart();
    works_again(&server, &token).await;
    assert_eq!(deletions(&api), 1);
}

/// Nothing comes through any more, and no connection is closed: what needs the store is refused after its time limit.
#[tokio::test]
async fn a_connection_that_stops_answering() {
    let api = FakeApi::always(Answer::json(200, json!([]))).await;
    let database = Postgres::start();
    let proxy = SilentProxy::start(database.port()).await;
    let url = database.database().replace(&database.port().to_string(), &proxy.port().to_string());
    let server = instance(&api, &url).await;
    let token = token_in(&server.stateless(&[ANN], &delete(None)).await.inside());
    proxy.silence();
    let since = Instant::now();
    is_closed(&server.stateless(&[ANN], &delete(Some(&token))).await.inside(), "in time");
    assert!(since.elapsed() < Duration::from_secs(25), "{:?}", since.elapsed());
    read_over_http(&server).await;
    assert_eq!((server.ask("GET", "/readyz", &[]).await.status, deletions(&api)), (503, 0));
    proxy.carry();
    works_again(&server, &token).await;
    assert_eq!(deletions(&api), 1);
}
