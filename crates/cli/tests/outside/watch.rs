//! The binary watches its sources: what changes on disk is served, without a restart and without being asked.

use super::harness::{DEADLINE, Place, Server};
use super::http::server::HttpServer;
use super::several::adapter;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::time::{sleep, timeout};

const NOWHERE: &str = "http://127.0.0.1:9";
const CHANGED: &str = "notifications/tools/list_changed";

fn notes(things: &str) -> String {
    adapter("notes", NOWHERE, things)
}

/// A folder with a file, and a server of that file or folder with a session.
async fn serving(source: &str, arguments: &[&str]) -> (Place, Server) {
    let place = Place::new();
    place.write("apis/notes-adapter.md", notes("notes"));
    let source = place.path().join(source).display().to_string();
    let all = [&[source.as_str()], arguments].concat();
    let mut server = Server::start(&all, &[("AQUEDUCT_LOG", "aqueduct::load=info")]);
    server.open().await;
    server.tools().await;
    (place, server)
}

/// Waits for the news that clients get.
async fn announced(server: &mut Server) {
    while server.next().await["method"] != CHANGED {}
}

async fn operations(server: &mut Server) -> Vec<String> {
    let answer = server.call("mcp_aql_read", "introspect", json!({"query": "operations"})).await;
    let list = answer["data"]["operations"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
    let names = list.iter().map(|each| each["name"].as_str().unwrap().to_owned());
    names.filter(|name| name != "introspect").collect()
}

/// Replaces a file as editors do: another one is written beside it and takes its name.
fn replace(path: &Path, text: &str) {
    let beside = path.with_extension("tmp");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

async fn until_error(server: &Server, wanted: &str) {
    let seen = async {
        while !server.errors().contains(wanted) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(DEADLINE, seen).await.unwrap_or_else(|_| panic!("no '{wanted}' in {}", server.errors()));
}

/// R1.3-9 R10.1-1 R10.1-2: a change of the file is served, however it was made, and clients are told; an edit that is no
/// good leaves what was there, and says so once.
#[tokio::test]
async fn a_file() {
    let (place, mut server) = serving("apis/notes-adapter.md", &[]).await;
    let path = place.path().join("apis/notes-adapter.md");
    std::fs::write(&path, notes("letters")).unwrap();
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["get_letters"]);
    replace(&path, &notes("words"));
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["get_words"]);
    replace(&path, "---\nname: [\n---\n");
    until_error(&server, "the last good version stays in service").await;
    assert_eq!(operations(&mut server).await, ["get_words"]);
    let info = server.call("mcp_aql_read", "introspect", json!({"query": "adapter_info"})).await;
    assert_eq!(info["data"]["state"], "stale", "{info}");
    std::fs::remove_file(&path).unwrap();
    until_error(&server, "FILE_UNREADABLE").await;
    assert_eq!(operations(&mut server).await, ["get_words"]);
    replace(&path, &notes("books"));
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["get_books"]);
    let (exit, errors) = server.finish().await;
    assert_eq!(exit, 0);
    assert_eq!(errors.matches("error[YAML_SYNTAX]").count(), 1, "{errors}");
    let line = errors.lines().find(|line| line.contains("reloaded")).unwrap();
    for part in ["INFO aqueduct::load", "source=\"notes\"", "version=\"1.0.0\"", "operations=1"] {
        assert!(line.contains(part), "{line}");
    }
}

/// R10.1-1: files that appear in a directory are served, those that are deleted are not, and the directory may be
/// replaced as a whole.
#[tokio::test]
async fn a_directory() {
    let (place, mut server) = serving("apis", &[]).await;
    let more = place.write("apis/more-adapter.md", adapter("more", NOWHERE, "more"));
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["more__get_more", "notes__get_notes"]);
    std::fs::remove_file(more).unwrap();
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["notes__get_notes"]);
    place.write("next/notes-adapter.md", notes("letters"));
    std::fs::rename(place.path().join("apis"), place.path().join("old")).unwrap();
    std::fs::rename(place.path().join("next"), place.path().join("apis")).unwrap();
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["notes__get_letters"]);
    place.write("apis/notes-adapter.md", notes("words"));
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["notes__get_words"], "the new directory counts");
}

/// R10.1-1: a link that is changed to lead elsewhere counts, and so does a change of the file that it leads to.
#[cfg(unix)]
#[tokio::test]
async fn links() {
    let place = Place::new();
    place.write("one/notes-adapter.md", notes("notes"));
    place.write("two/notes-adapter.md", notes("letters"));
    std::fs::create_dir(place.path().join("apis")).unwrap();
    let link = |to: &str| {
        let (now, next) = (place.path().join("apis/notes-adapter.md"), place.path().join("apis/next"));
        std::os::unix::fs::symlink(place.path().join(to), &next).unwrap();
        std::fs::rename(next, now).unwrap();
    };
    link("one/notes-adapter.md");
    let mut server = Server::start(&[&place.path().join("apis/notes-adapter.md").display().to_string()], &[]);
    server.open().await;
    server.tools().await;
    place.write("one/notes-adapter.md", notes("words"));
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["get_words"]);
    link("two/notes-adapter.md");
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["get_letters"]);
    place.write("two/notes-adapter.md", notes("books"));
    announced(&mut server).await;
    assert_eq!(operations(&mut server).await, ["get_books"], "where it leads now counts");
}

/// R10.1-1: over HTTP too, and what was changed between loading and watching is not missed.
#[tokio::test]
async fn over_http() {
    let place = Place::new();
    let path = place.write("notes-adapter.md", notes("notes"));
    let mut server =
        HttpServer::start(Place::new(), &[&path], &[("AQUEDUCT_LOG", "aqueduct::load=info")]).await;
    std::fs::write(&path, notes("letters")).unwrap();
    while !server.next_error().await.contains("reloaded") {}
    let list = super::http::server::call(1, "mcp_aql_read", "introspect", json!({"query": "operations"}));
    let answer = server.stateless(&[], &list).await.inside();
    assert_eq!(answer["data"]["operations"][0]["name"], "get_letters", "{answer}");
}

/// The same content written again is no change: no one is told.
#[tokio::test]
async fn no_change_no_news() {
    let (place, mut server) = serving("apis/notes-adapter.md", &[]).await;
    let path = place.path().join("apis/notes-adapter.md");
    replace(&path, &notes("notes"));
    std::fs::write(&path, notes("notes")).unwrap();
    place.write("apis/README.md", "something else");
    sleep(Duration::from_millis(300)).await;
    std::fs::write(&path, notes("letters")).unwrap();
    announced(&mut server).await;
    assert!(server.is_alive().await);
    let news = server.seen.iter().filter(|line| line.contains(CHANGED)).count();
    assert_eq!(news, 1, "{:?}", server.seen);
}

/// `--no-watch` and `watch = false` leave files alone.
#[tokio::test]
async fn switched_off() {
    let place = Place::new();
    let off = place.write("off.toml", "watch = false\n");
    for arguments in [vec!["--no-watch"], vec!["--config", off.as_str()]] {
        let (place, mut server) = serving("apis/notes-adapter.md", &arguments).await;
        std::fs::write(place.path().join("apis/notes-adapter.md"), notes("letters")).unwrap();
        sleep(Duration::from_millis(300)).await;
        assert_eq!(operations(&mut server).await, ["get_notes"]);
        let (_, errors) = server.finish().await;
        assert!(!errors.contains("reloaded"), "{errors}");
    }
}

/// R10.1-3 R10.1-4: a call that has begun goes on with what it began with, and gets its answer.
#[tokio::test]
async fn a_call_under_way() {
    use aqueduct_testkit::api::{Answer, FakeApi};
    let slow = |_: &_| Answer::after(Duration::from_millis(600), Answer::json(200, json!("slow")));
    let api = FakeApi::start(slow).await;
    let place = Place::new();
    let path = place.write("notes-adapter.md", adapter("notes", &api.base_url(), "notes"));
    let mut server = Server::start(&[&path], &[]);
    server.open().await;
    let arguments: Value = json!({"operation": "get_notes"});
    let id = server.ask("tools/call", json!({"name": "mcp_aql_read", "arguments": arguments})).await;
    api.wait_for_request_count(1).await;
    std::fs::write(&path, notes("letters")).unwrap();
    announced(&mut server).await;
    let answer = super::harness::inside(&server.answer(id).await);
    assert_eq!(answer["data"], "slow");
    assert_eq!(operations(&mut server).await, ["get_letters"]);
}
