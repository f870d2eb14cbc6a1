//! One connection of HTTP/1.1, and the half that sends requests on it.
//!
//! A request in, the head of its response out; then the connection is moved on by whoever reads the body. Nothing happens on a
//! connection that no one polls: while it is idle it notices nothing, and says so when it is used the next time.

use super::super::SendError;
use crate::resolver::GuardedResolver;
use http::{Request, Response, Uri};
use hyper::body::Incoming;
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{Connection, SendRequest, handshake};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use reqwest::Body;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use tokio::net::TcpStream;
use tokio::task::coop::unconstrained;
use tower_service::Service;

type OpenConnection = Connection<TokioIo<TcpStream>, Body>;

/// An open connection, or one that has been closed.
pub(super) struct PlainConnection {
    sender: SendRequest<Body>,
    /// Gone once it is closed. On the heap: it goes from hand to hand, and is large.
    connection: Option<Box<OpenConnection>>,
}

impl PlainConnection {
    /// Connects.
    pub(super) async fn open(
        connector: &HttpConnector<GuardedResolver>,
        uri: Uri,
    ) -> Result<PlainConnection, SendError> {
        let stream = connector.clone().call(uri).await.map_err(|error| SendError::Connect(error.into()))?;
        let (sender, connection) = handshake(stream).await.map_err(SendError::Exchange)?;
        Ok(PlainConnection { sender, connection: Some(Box::new(connection)) })
    }

    /// Sends a request and reads the head of its response. A request of which nothing was sent is given back.
    pub(super) async fn exchange(
        &mut self,
        request: Request<Body>,
    ) -> Result<Response<Incoming>, TrySendError<Request<Body>>> {
        // What is sent and what comes back move only with the connection, which wakes this task: they need not do so again.
        let mut response = pin!(unconstrained(self.sender.try_send_request(request)));
        let connection = &mut self.connection;
        poll_fn(|context| {
            drive(connection, context);
            response.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        })
        .await
    }

    /// Moves the connection on: writes what there is to write, reads what has come.
    pub(super) fn drive(&mut self, context: &mut Context<'_>) {
        drive(&mut self.connection, context);
    }

    /// Moves it on when no one waits for it; true when it can take another request then.
    pub(super) fn settle(&mut self) -> bool {
        self.drive(&mut Context::from_waker(Waker::noop()));
        self.connection.is_some() && self.sender.is_ready()
    }
}

fn drive(connection: &mut Option<Box<OpenConnection>>, context: &mut Context<'_>) {
    if let Some(open) = connection
        && let Poll::Ready(end) = Pin::new(&mut **open).poll(context)
    {
        // Whoever waits for something of it is told the reason.
        tracing::trace!(?end, "a connection is over");
        *connection = None;
    }
}
