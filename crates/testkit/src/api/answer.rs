//! What the fake API answers: good answers, raw bytes, late answers, none.
//!
//! A test builds an `Answer`; `connection` acts on it.

use super::gate::Gate;
use serde_json::Value;
use std::time::Duration;

/// One answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(super) delay: Duration,
    pub(super) gate: Option<Gate>,
    pub(super) act: Act,
}

#[derive(Debug, Clone)]
pub(super) enum Act {
    Respond { status: u16, headers: Vec<(String, String)>, body: Vec<u8> },
    Raw(Vec<u8>),
    Stall(Vec<u8>),
    Flood { head: Vec<u8>, piece: Vec<u8> },
    Trickle { bytes: Vec<u8>, pause: Duration },
    Drop,
}

impl Answer {
    /// A JSON answer.
    pub fn json(status: u16, body: Value) -> Answer {
        Answer::bytes(status, body.to_string()).header("Content-Type", "application/json")
    }

    /// A plain text answer.
    pub fn text(status: u16, body: &str) -> Answer {
        Answer::bytes(status, body).header("Content-Type", "text/plain; charset=utf-8")
    }

    /// A web page.
    pub fn html(status: u16, body: &str) -> Answer {
        Answer::bytes(status, body).header("Content-Type", "text/html; charset=utf-8")
    }

    /// An answer without a body.
    pub fn empty(status: u16) -> Answer {
        Answer::bytes(status, "")
    }

    /// An answer with any body and no content type.
    pub fn bytes(status: u16, body: impl Into<Vec<u8>>) -> Answer {
        Answer::of(Act::Respond { status, headers: Vec::new(), body: body.into() })
    }

    /// A redirect.
    pub fn redirect(status: u16, location: &str) -> Answer {
        Answer::empty(status).header("Location", location)
    }

    /// Exactly these bytes, after which the connection is closed.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::of(Act::Raw(bytes.into()))
    }

    /// Exactly these bytes, after which nothing more comes until the client closes the connection.
    pub fn stall_after(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::of(Act::Stall(bytes.into()))
    }

    /// These bytes, then the same piece again and again until the client closes the connection.
    pub fn flood(head: impl Into<Vec<u8>>, piece: impl Into<Vec<u8>>) -> Answer {
        Answer::of(Act::Flood { head: head.into(), piece: piece.into() })
    }

    /// These bytes one by one, with a pause after each.
    pub fn trickle(bytes: impl Into<Vec<u8>>, pause: Duration) -> Answer {
        Answer::of(Act::Trickle { bytes: bytes.into(), pause })
    }

    /// No answer, and the connection stays open until the client closes it.
    pub fn hang() -> Answer {
        Answer::stall_after("")
    }

    /// No answer: the connection is closed.
    pub fn drop_connection() -> Answer {
        Answer::of(Act::Drop)
    }

    /// Another answer, later.
    pub fn after(delay: Duration, mut answer: Answer) -> Answer {
        answer.delay += delay;
        answer
    }

    /// Another answer, once a gate is open.
    pub fn behind(gate: &Gate, mut answer: Answer) -> Answer {
        answer.gate = Some(gate.clone());
        answer
    }

    /// Adds a header; has no effect on answers that have none.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Answer {
        if let Act::Respond { headers, .. } = &mut self.act {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    fn of(act: Act) -> Answer {
        Answer { delay: Duration::ZERO, gate: None, act }
    }
}

/// The bytes of an answer on the wire. A `Content-Length` that the test set is kept, however wrong.
pub(super) fn on_the_wire(status: u16, headers: &[(String, String)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Status\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let has_length = headers.iter().any(|(name, _)| {
        name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("transfer-encoding")
    });
    if !has_length && status != 204 && status != 304 {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
