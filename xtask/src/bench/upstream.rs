//! A fast API on loopback: 1 or 100 KB of JSON to every request, at once.
//!
//! Nothing in; where it listens out, and how many requests it has answered, so that no one can answer from memory unseen.

use crate::loopback_api;
use anyhow::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A word that is in every answer.
pub const MARKER: &str = "doggie";

/// How long the body of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// 1 KB.
    Small,
    /// 100 KB.
    Large,
}

impl Body {
    /// The path that is answered with it. The number is the parameter of the operation that is called.
    pub fn path(self) -> String {
        format!("/pet/{}", self.number())
    }

    /// The number in the path.
    pub fn number(self) -> u64 {
        match self {
            Body::Small => 1,
            Body::Large => 100,
        }
    }

    fn bytes(self) -> usize {
        1024 * self.number() as usize
    }
}

/// The running API.
pub struct Upstream {
    address: SocketAddr,
    answered: Arc<AtomicU64>,
}

impl Upstream {
    /// Starts it on a free port. It ends with the process.
    pub fn start() -> Result<Upstream> {
        let answered = Arc::new(AtomicU64::new(0));
        let answers = [Body::Small, Body::Large].map(|body| Arc::<[u8]>::from(answer(body)));
        let count = Arc::clone(&answered);
        let address = loopback_api::start("upstream", move |request| {
            count.fetch_add(1, Ordering::Relaxed);
            Arc::clone(&answers[usize::from(request.starts_with(b"GET /pet/100 "))])
        })?;
        Ok(Upstream { address, answered })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many requests it has answered.
    pub fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }
}

/// A pet with as many visits to the doctor as fit.
fn answer(body: Body) -> Vec<u8> {
    let length = body.bytes();
    let start = format!(
        "{{\"id\":1,\"name\":\"{MARKER}\",\"status\":\"available\",\"tags\":[\"a\",\"b\"],\"visits\":["
    );
    let mut text = format!("{start}{}", visit(0));
    let mut number = 1;
    while text.len() + visit(number).len() + 64 < length {
        text = text + "," + &visit(number);
        number += 1;
    }
    let text = format!("{text}],\"note\":\"");
    let body = format!("{text}{}\"}}", "x".repeat(length - text.len() - 2));
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    (head + &body).into_bytes()
}

fn visit(number: u32) -> String {
    format!(
        "{{\"id\":{number},\"doctor\":\"Doctor {}\",\"at\":\"2026-01-{:02}T09:30:00Z\",\"cost\":{}.5,\"paid\":{},\"note\":null}}",
        number % 7,
        number % 28 + 1,
        number * 3,
        number.is_multiple_of(2)
    )
}

#[cfg(test)]
mod tests;
