//! An API that breaks in every way we could think of: each gives the caller one clear error, and no other call is harmed.
//!
//! The faults are a table: what comes on the wire, and the code and words that the caller gets. One server meets them
//! all, one after the other, with a good call between them; those that take their time are met by one that waits less.

mod http1;
mod http2;

use crate::outside::harness::{Place, Server, fixture};
use aqueduct_testkit::api::{Answer, FakeApi};
use serde_json::{Value, json};
use std::time::Duration;

/// How one fault is seen by the caller.
struct Fault {
    name: &'static str,
    answer: Answer,
    seen: Seen,
}

/// The code of the error, and words of its message.
type Seen = (&'static str, &'static str);

fn fault(name: &'static str, answer: Answer, seen: Seen) -> Fault {
    Fault { name, answer, seen }
}

/// For faults that are seen as such only after a while.
const IMPATIENT: Duration = Duration::from_millis(1500);
/// For all others: on a loaded machine even what comes at once takes a while.
const PATIENT: Duration = Duration::from_secs(60);

/// A server that waits so long for its API, and gives up at once.
async fn served(base_url: &str, patience: Duration, variables: &[(&str, &str)]) -> Server {
    let timeout = patience.as_millis();
    let adapter = format!(
        "---\nname: frail\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"Breaks\"\n\
         target: {{ base_url: \"{base_url}\", transport: http, protocol: rest, serialization: json, timeout_ms: {timeout}, retries: 0 }}\n\
         operations:\n  read:\n    - name: get_thing\n      maps_to: \"GET /things/{{thing_id}}\"\n      description: \"Get a thing\"\n\
         \x20     params: {{ thing_id: {{ type: string, required: true }} }}\n---\n"
    );
    let place = Place::new();
    let file = place.write("frail-adapter.md", adapter);
    let mut server = Server::start_in(place, &[&file], variables);
    server.open().await;
    server
}

async fn get(server: &mut Server, thing: &str) -> Value {
    server.call("mcp_aql_read", "get_thing", json!({"thing_id": thing})).await
}

fn whole() -> Answer {
    Answer::json(200, json!({"id": "whole"}))
}

/// The bytes of an answer with this body and these header lines.
fn wire(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

/// A compressed body that is forty megabytes when it is unpacked.
fn bomb(file: &str, encoding: &str) -> Answer {
    let body = std::fs::read(fixture(&format!("bombs/{file}"))).unwrap();
    let headers = format!("Content-Encoding: {encoding}\r\nContent-Length: {}\r\n", body.len());
    Answer::raw(wire(&headers, &body))
}

/// Two servers before one API, and what was not as it should be.
struct Served {
    impatient: Server,
    patient: Server,
    wrong: Vec<String>,
}

impl Served {
    async fn start(base_url: &str, variables: &[(&str, &str)]) -> Served {
        let impatient = served(base_url, IMPATIENT, variables).await;
        let patient = served(base_url, PATIENT, variables).await;
        Served { impatient, patient, wrong: Vec::new() }
    }

    /// Meets the fault of this number, and makes a good call after it.
    async fn meet(&mut self, number: usize, name: &str, (code, words): Seen) {
        let is_timeout = code == "TRANSPORT_TIMEOUT";
        let server = if is_timeout { &mut self.impatient } else { &mut self.patient };
        let told = get(server, &number.to_string()).await;
        let message = told["error"]["message"].as_str().unwrap_or_default();
        if told["error"]["code"] != code || !message.contains(words) {
            self.wrong.push(format!("{name}: expected {code} '{words}', found {told}"));
        }
        let good = format!("good-{number}");
        let mut after = get(server, &good).await;
        // On a loaded machine a good call may take too long for the impatient one: harm is what stays.
        for _ in 0..20 {
            if after["error"]["code"] != "TRANSPORT_TIMEOUT" {
                break;
            }
            after = get(server, &good).await;
        }
        if after["data"]["id"] != "whole" {
            self.wrong.push(format!("{name}: the call after it failed: {after}"));
        }
    }
}

/// Meets every fault, and gives back what was not as it should be.
async fn meet(faults: Vec<Fault>) -> Vec<String> {
    let answers: Vec<Answer> = faults.iter().map(|fault| fault.answer.clone()).collect();
    let api = FakeApi::start(move |request| {
        let number = request.path().strip_prefix("/things/").and_then(|rest| rest.parse::<usize>().ok());
        number.and_then(|number| answers.get(number).cloned()).unwrap_or_else(whole)
    })
    .await;
    let mut served = Served::start(&api.base_url(), &[]).await;
    for (number, fault) in faults.iter().enumerate() {
        served.meet(number, fault.name, fault.seen).await;
    }
    served.wrong
}
