//! A fake API: a small HTTP/1.1 server on this machine that records every request and answers as the test says, also
//! with what no good server sends (half a body, a wrong length, nothing at all).
//!
//! `FakeApi::start` takes a function from request to `Answer`. The server stops when the value is dropped.

mod answer;
mod connection;
mod gate;
mod record;

pub use answer::Answer;
pub use gate::Gate;
pub use record::Recorded;

use record::Records;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

type Handler = Arc<dyn Fn(&Recorded) -> Answer + Send + Sync>;

/// A running fake API.
#[derive(Debug)]
pub struct FakeApi {
    address: SocketAddr,
    records: Records,
    server: JoinHandle<()>,
}

impl FakeApi {
    /// Starts one on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When no port can be had: a test cannot go on without.
    pub async fn start(answer: impl Fn(&Recorded) -> Answer + Send + Sync + 'static) -> FakeApi {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port on 127.0.0.1");
        let address = listener.local_addr().expect("an address");
        let records = Records::default();
        let server = tokio::spawn(serve(listener, records.clone(), Arc::new(answer)));
        FakeApi { address, records, server }
    }

    /// Starts one that always gives the same answer.
    pub async fn always(answer: Answer) -> FakeApi {
        FakeApi::start(move |_| answer.clone()).await
    }

    /// Starts one that gives these answers in turn, the last one for ever.
    pub async fn in_turn(answers: Vec<Answer>) -> FakeApi {
        FakeApi::start(move |request| {
            let answer = answers.get(request.index).or(answers.last());
            answer.cloned().unwrap_or_else(Answer::drop_connection)
        })
        .await
    }

    /// `http://127.0.0.1:PORT`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Every request so far, in order of arrival.
    pub fn requests(&self) -> Vec<Recorded> {
        self.records.requests()
    }

    /// The only request.
    ///
    /// # Panics
    /// When there was none, or more than one.
    pub fn only_request(&self) -> Recorded {
        let mut requests = self.requests();
        match (requests.len(), requests.pop()) {
            (1, Some(only)) => only,
            (count, _) => panic!("{count} requests instead of one"),
        }
    }

    /// Waits until so many requests have come.
    pub fn wait_for_request_count(&self, count: usize) -> impl Future<Output = ()> {
        self.records.clone().wait_until(move |seen| seen.requests.len() >= count, "requests")
    }

    /// Waits until a client has closed a connection.
    pub fn wait_for_closed_connection(&self) -> impl Future<Output = ()> {
        self.records.clone().wait_until(|seen| seen.closed > 0, "closed connections")
    }

    /// How many connections were opened.
    pub fn connection_count(&self) -> usize {
        self.records.connections()
    }
}

impl Drop for FakeApi {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, records: Records, handler: Handler) {
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        records.opened();
        connections.spawn(connection::serve(stream, records.clone(), Arc::clone(&handler)));
    }
}

#[cfg(test)]
mod tests;
