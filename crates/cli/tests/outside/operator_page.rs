//! The operator's page of the real binary: a call approved through it, two processes on one store, and when there is none.

use super::harness::{Place, Server, TOKEN, code, shop};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const PASSPHRASE: &str = "correct horse battery";
const OPENED: &str = "operator's page on http://";

/// A browser without a window.
#[derive(Default)]
struct Browser {
    /// Host and port.
    host: String,
    cookie: String,
    desk: String,
}

impl Browser {
    /// Waits until a server says where its page is.
    async fn of(server: &Server) -> Browser {
        server.until_errors_have(OPENED).await;
        let (_, rest) =
            server.errors().split_once(OPENED).map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        Browser { host: rest.split('/').next().unwrap().to_owned(), ..Browser::default() }
    }

    /// The whole response to a request, or nothing when no one answers.
    async fn send(&self, method: &str, path: &str, body: &str) -> Option<String> {
        let mut stream = TcpStream::connect(&self.host).await.ok()?;
        let Browser { host, cookie, .. } = self;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut response = String::new();
        stream.read_to_string(&mut response).await.ok()?;
        Some(response)
    }

    async fn get(&self, path: &str) -> String {
        self.send("GET", path, "").await.unwrap()
    }

    async fn try_to_sign_in(&mut self, passphrase: &str) -> String {
        let body = format!("passphrase={}", passphrase.replace(' ', "+"));
        let response = self.send("POST", "/sign-in", &body).await.unwrap_or_default();
        let header = |name: &str| {
            let line = response.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.split(';').next()?.trim().to_owned())
        };
        self.desk = header("location:").unwrap_or_default();
        self.cookie = header("set-cookie:").unwrap_or_default();
        response
    }

    async fn sign_in(&mut self) {
        let response = self.try_to_sign_in(PASSPHRASE).await;
        assert!(response.starts_with("HTTP/1.1 303") && self.desk.starts_with("/desk/"), "{response}");
    }

    async fn desk(&self) -> String {
        self.get(&self.desk).await
    }

    /// Waits until the desk shows this.
    async fn until_desk_has(&self, text: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let page = self.desk().await;
            if page.contains(text) {
                return page;
            }
            assert!(Instant::now() < deadline, "no '{text}' in {page}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Answers what waits.
    async fn answer(&self, verdict: &str, id: &str, more: &str) -> String {
        let page = self.desk().await;
        let (_, rest) = page.split_once("name=\"token\" value=\"").unwrap();
        let token = rest.split('"').next().unwrap();
        let body = format!("token={token}&id={id}{more}");
        self.send("POST", &format!("{}{verdict}", self.desk), &body).await.unwrap()
    }
}

/// A place whose operator has a passphrase.
async fn place_with_operator() -> (Place, String) {
    let place = Place::new();
    let state = place.path().join("state").display().to_string();
    let init = ["operator", "init", "--state-dir", &state, "--passphrase-stdin"];
    let set = place.run(&init, &[], &format!("{PASSPHRASE}\n")).await;
    assert_eq!(set.code, 0, "{set:?}");
    (place, state)
}

async fn serve(api: &FakeApi, state: &str, arguments: &[&str]) -> Server {
    let (shop, base_url) = (shop(), api.base_url());
    let mut all =
        vec![shop.as_str(), "--base-url", &base_url, "--confirmation", "operator", "--state-dir", state];
    all.extend(arguments);
    let mut server = Server::start(&all, &[("SHOP_TOKEN", TOKEN)]);
    server.open().await;
    server
}

async fn delete(server: &mut Server, order: &str) -> Value {
    server.call("mcp_aql_delete", "delete_order", json!({"order_id": order})).await
}

fn approval_id(asked: &Value) -> String {
    assert_eq!(code(asked), "CONFIRMATION_REQUIRED", "{asked}");
    asked["error"]["details"]["approval_id"].as_str().unwrap().to_owned()
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// S3 S5: over stdio, a call waits on the page, is approved there, and runs once; another is denied with a reason.
#[tokio::test]
async fn a_call_is_approved_on_the_page() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let (place, state) = place_with_operator().await;
    let mut server = serve(&api, &state, &["--operator", "127.0.0.1:0"]).await;
    let mut browser = Browser::of(&server).await;
    assert!(browser.get("/").await.contains(">Passphrase</label>"));
    let (yes, no) =
        (approval_id(&delete(&mut server, "7").await), approval_id(&delete(&mut server, "8").await));
    browser.sign_in().await;
    let page = browser.desk().await;
    for said in [
        ">Waiting</h2>",
        &yes,
        &no,
        "delete_order",
        "the order is gone for good",
        "/orders/7",
        "asked by <b>local</b>",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!page.contains(TOKEN));
    assert!(browser.answer("approve", &yes, "").await.starts_with("HTTP/1.1 303"));
    assert!(browser.answer("deny", &no, "&reason=it+was+paid").await.starts_with("HTTP/1.1 303"));
    assert_eq!(delete(&mut server, "7").await["success"], true);
    let refused = delete(&mut server, "8").await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("it was paid"), "{refused}");
    assert_eq!(api.requests().len(), 1, "once, and only what was approved");
    browser.answer("approve", &yes, "").await;
    assert!(browser.desk().await.contains("Too late: delete_order was approved and run before"));
    assert!(browser.get(&format!("{}history", browser.desk)).await.contains("it was paid"));
    let audit = browser.get(&format!("{}audit?search=approval_used", browser.desk)).await;
    assert!(audit.contains("APPROVAL_USED") && !audit.contains("APPROVAL_DENIED"), "{audit}");
    let status = place.run(&["operator", "status", "--state-dir", &state], &[], "").await;
    assert!(status.stdout.contains(&format!("page               http://{}/", browser.host)), "{status:?}");
    // Calls and errors of the last hour, from this instance's own row.
    browser.until_desk_has("<b>1</b> errors").await;
    let (cookie, desk) = (browser.cookie.split_once('=').unwrap().1, browser.desk.split('/').nth(2).unwrap());
    let (exit, said) = server.finish().await;
    assert_eq!(exit, 0, "{said}");
    assert!(!said.contains(cookie) && !said.contains(desk) && !said.contains(PASSPHRASE), "{said}");
    let status = place.run(&["operator", "status", "--state-dir", &state], &[], "").await;
    assert!(status.stdout.contains("page               not served"), "{status:?}");
}

/// S5: of two processes on one state directory the first serves the page for both; the other takes over when that one is killed.
#[tokio::test]
async fn two_processes_and_one_page() {
    let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
    let (_place, state) = place_with_operator().await;
    let address = free_address();
    let mut first = serve(&api, &state, &["--operator", &address]).await;
    let mut browser = Browser::of(&first).await;
    browser.sign_in().await;
    browser.until_desk_has(&format!("process {}", first.process_id())).await;
    let mut second = serve(&api, &state, &["--operator", &address]).await;
    second.until_errors_have("another process serves the operator's page").await;
    // What the second asks is answered on the page of the first.
    let id = approval_id(&delete(&mut second, "5").await);
    let page = browser.until_desk_has(&format!("process {}", second.process_id())).await;
    assert!(page.contains(&id) && page.contains("on 2 instances"), "{page}");
    browser.answer("approve", &id, "").await;
    assert_eq!(delete(&mut second, "5").await["success"], true);
    first.kill().await;
    second.until_errors_have(OPENED).await;
    let mut browser = Browser::of(&second).await;
    assert_eq!(browser.host, address);
    browser.sign_in().await;
    let id = approval_id(&delete(&mut second, "6").await);
    assert!(browser.until_desk_has(&id).await.contains(&format!("process {}", second.process_id())));
}

/// S5: attempts are counted over all processes, and outlive them.
#[tokio::test]
async fn wrong_passphrases_are_counted_everywhere() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let (place, state) = place_with_operator().await;
    let server = serve(&api, &state, &["--operator", "127.0.0.1:0"]).await;
    let mut browser = Browser::of(&server).await;
    for attempt in 0..5 {
        let refused = browser.try_to_sign_in("not the passphrase").await;
        assert!(refused.starts_with("HTTP/1.1 401"), "{attempt}: {refused}");
    }
    let limited = browser.try_to_sign_in(PASSPHRASE).await;
    assert!(limited.starts_with("HTTP/1.1 429") && browser.cookie.is_empty(), "{limited}");
    let arguments = ["operator", "approvals", "--state-dir", &state, "--passphrase-stdin"];
    let by_command = place.run(&arguments, &[], &format!("{PASSPHRASE}\n")).await;
    assert!(
        by_command.code == 1 && by_command.stderr.contains("too many wrong passphrases"),
        "{by_command:?}"
    );
    let other = serve(&api, &state, &["--operator", "127.0.0.1:0"]).await;
    let limited = Browser::of(&other).await.try_to_sign_in(PASSPHRASE).await;
    assert!(limited.starts_with("HTTP/1.1 429"), "{limited}");
}

/// S5: the page is on loopback; it is there with a passphrase or when it is asked for, and can be turned off.
#[tokio::test]
async fn where_there_is_a_page() {
    let api = FakeApi::always(Answer::json(200, json!({}))).await;
    let (place, state) = place_with_operator().await;
    let shop = shop();
    for (arguments, exit, said) in [
        (vec!["--operator", "0.0.0.0:7433"], 2, "can be reached from other machines"),
        (vec!["--operator", "192.0.2.7:7433"], 2, "can be reached from other machines"),
        (vec!["--operator", "here"], 2, "no address of this machine"),
        (vec!["--operator", "127.0.0.1:0", "--state-dir", "none"], 3, "the operator's page needs a store"),
        (vec!["--config", "page.toml"], 3, "operator.listen: 0.0.0.0:1 can be reached from other machines"),
    ] {
        place.write("page.toml", "[operator]\nlisten = \"0.0.0.0:1\"\n");
        let mut all = vec!["serve", &shop];
        all.extend(arguments.iter().copied());
        let ran = place.run(&all, &[("SHOP_TOKEN", TOKEN)], "").await;
        assert!(ran.code == exit && ran.stderr.contains(said), "{arguments:?}: {ran:?}");
    }
    // Turned off, by flag and by file; and what is turned off is seen on the page of another.
    let config = place.write("off.toml", "[operator]\nlisten = \"none\"\n");
    let mut off = [
        serve(&api, &state, &["--operator", "none"]).await,
        serve(&api, &state, &["--config", &config]).await,
    ];
    let on = serve(&api, &state, &["--operator", "127.0.0.1:0"]).await;
    let mut browser = Browser::of(&on).await;
    browser.sign_in().await;
    for server in &off {
        browser.until_desk_has(&format!("process {}", server.process_id())).await;
    }
    for server in &mut off {
        let (_, said) = server.finish().await;
        assert!(!said.contains(OPENED), "{said}");
    }
    // No one can sign in before there is a passphrase; then everybody who knows it can.
    let empty = Place::new();
    let state = empty.path().join("state").display().to_string();
    let waiting = serve(&api, &state, &["--operator", "127.0.0.1:0"]).await;
    let mut browser = Browser::of(&waiting).await;
    assert!(browser.get("/").await.contains("aqueduct operator init"));
    assert!(browser.try_to_sign_in("").await.starts_with("HTTP/1.1 503"));
    let init = ["operator", "init", "--state-dir", &state, "--passphrase-stdin"];
    assert_eq!(empty.run(&init, &[], &format!("{PASSPHRASE}\n")).await.code, 0);
    browser.sign_in().await;
}
