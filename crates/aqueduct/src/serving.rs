//! Serving MCP clients, over standard input and output, any streams, or HTTP: the feature `serve`.
//!
//! What was built in; sessions until the client leaves or the program stops out. Nothing else in this crate knows the web
//! server.

use crate::aqueduct::Aqueduct;
use aqueduct_surface::http::{self, HttpSettings, ListenError, Route};
use aqueduct_surface::metrics::Metrics;
use aqueduct_surface::stdio::{self, ServeError};
use futures::FutureExt;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How clients are served, and the counters that they can read.
#[derive(Debug)]
pub(crate) struct ServeState {
    /// How clients are served over HTTP.
    pub http: HttpSettings,
    /// Counts calls.
    pub metrics: Arc<Metrics>,
}

impl Aqueduct {
    /// Serves one MCP session over standard input and output, until the input ends or `stop` is cancelled.
    pub async fn serve_stdio(&self, stop: CancellationToken) -> Result<(), ServeError> {
        stdio::serve_process(Arc::clone(&self.dispatcher), stop).boxed().await
    }

    /// Serves one MCP session over any pair of byte streams.
    pub async fn serve_streams<R, W>(
        &self,
        input: R,
        output: W,
        stop: CancellationToken,
    ) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        stdio::serve(Arc::clone(&self.dispatcher), input, output, stop).boxed().await
    }

    /// Serves MCP clients over HTTP at `/mcp` until `stop` is cancelled. Off loopback there must be tokens.
    pub async fn serve_http(
        &self,
        listener: TcpListener,
        stop: CancellationToken,
    ) -> Result<(), ListenError> {
        let ServeState { http: settings, metrics } = &*self.serving;
        http::serve(&self.dispatcher, metrics, listener, settings.clone(), stop).boxed().await
    }

    /// The routes of `serve_http`, for a web server of one's own: to be merged with others, or nested under a path.
    /// A server that listens off loopback sets tokens, and names the hosts in [`HttpSettings::allowed_hosts`].
    ///
    /// ```
    /// # use aqueduct::{Aqueduct, BuildError, SourceSettings};
    /// # fn main() -> Result<(), BuildError> {
    /// let todo = "../../examples/todo-adapter.md";
    /// let aqueduct = Aqueduct::builder().source(todo, SourceSettings::default()).build()?;
    /// let own = aqueduct::axum::Router::<()>::new();
    /// let app = own.nest("/ai", aqueduct.router()); // MCP clients connect to /ai/mcp
    /// # drop(app);
    /// # Ok(())
    /// # }
    /// ```
    pub fn router(&self) -> axum::Router {
        self.router_of(&Route::ALL)
    }

    /// These routes alone, where the web server has others of the same path.
    pub fn router_of(&self, routes: &[Route]) -> axum::Router {
        let ServeState { http: settings, metrics } = &*self.serving;
        http::router(&self.dispatcher, metrics, settings, routes)
    }
}
