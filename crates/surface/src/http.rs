//! Streamable HTTP: `/mcp` for clients, `/healthz`, `/readyz` and `/metrics` for those who run the server.
//!
//! A request passes `guard` (host, origin, token, rate), then `endpoint` (size, encoding, session). Calls that only read are answered
//! by `direct_call`; all else goes to the SDK, whose sessions are under `session_manager`, and its response passes
//! `immediate_response`. `listener` accepts connections;
//! `settings` says what may be set.

pub(crate) mod authority;
mod bearer_tokens;
mod body;
mod body_budget;
mod body_headers;
pub(crate) mod connection;
mod cors;
mod direct_call;
mod disconnect;
mod endpoint;
mod guard;
mod guarded_body;
mod immediate_response;
mod known_tokens;
mod listener;
mod per_client_limit;
mod rate_limiter;
mod session;
mod session_manager;
pub(crate) mod settings;
mod slow_call;
mod tls;
pub(crate) mod write_timeout;

use crate::metrics::Metrics;
use aqueduct_dispatch::Dispatcher;
use axum::Router;
use axum::extract::State;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use endpoint::Endpoint;
use guard::Guard;
use http::{StatusCode, header};
use std::sync::Arc;

pub use bearer_tokens::{BadToken, Token};
pub use known_tokens::{CallerList, CallerListWriter};
pub use listener::{ListenError, serve};
pub use settings::{HttpSettings, ReadyCheck};
pub use tls::{TlsError, TlsFiles};

/// A route of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// `/mcp`: MCP clients.
    Mcp,
    /// `/healthz`: whether the process lives.
    Health,
    /// `/readyz`: whether it takes calls.
    Ready,
    /// `/metrics`: what it counts.
    Metrics,
}

impl Route {
    /// Every route.
    pub const ALL: [Route; 4] = [Route::Mcp, Route::Health, Route::Ready, Route::Metrics];
}

/// These routes, for a web server of one's own. A server that listens off loopback sets tokens. What else that server has, paths
/// that lead nowhere included, is not guarded here.
pub fn router(
    dispatcher: &Arc<Dispatcher>,
    metrics: &Arc<Metrics>,
    settings: &HttpSettings,
    routes: &[Route],
) -> Router {
    let endpoint = Arc::new(Endpoint::new(dispatcher, metrics, settings));
    let router = routed(&endpoint, metrics, routes);
    if routes.is_empty() {
        return router;
    }
    let guard = Arc::new(Guard::new(settings, endpoint.tokens().clone(), Arc::clone(metrics)));
    router.route_layer(from_fn_with_state(guard, guard::guard))
}

/// All routes, for a listener of our own, where everything is guarded.
fn assemble(endpoint: &Arc<Endpoint>, metrics: &Arc<Metrics>, settings: &HttpSettings) -> Router {
    let guard = Arc::new(Guard::new(settings, endpoint.tokens().clone(), Arc::clone(metrics)));
    routed(endpoint, metrics, &Route::ALL).layer(from_fn_with_state(guard, guard::guard))
}

fn routed(endpoint: &Arc<Endpoint>, metrics: &Arc<Metrics>, routes: &[Route]) -> Router {
    let chosen = Route::ALL.into_iter().filter(|route| routes.contains(route));
    chosen.fold(Router::new(), |router, route| match route {
        Route::Mcp => router.route("/mcp", any(endpoint::serve).with_state(Arc::clone(endpoint))),
        Route::Health => router.route(guard::HEALTH, get(|| async { "ok\n" })),
        Route::Ready => router.route("/readyz", get(readyz).with_state(Arc::clone(endpoint))),
        Route::Metrics => router.route("/metrics", get(show).with_state(Arc::clone(metrics))),
    })
}

async fn readyz(State(endpoint): State<Arc<Endpoint>>) -> Response {
    let unavailable = |why: String| (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response();
    if endpoint.is_stopping() {
        return unavailable("stopping".to_owned());
    }
    match endpoint.is_ready().await {
        Ok(()) => "ready\n".into_response(),
        Err(why) => unavailable(why),
    }
}

async fn show(State(metrics): State<Arc<Metrics>>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics.whole_text().await)
        .into_response()
}

#[cfg(test)]
mod tests;
