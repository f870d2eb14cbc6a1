//! The bookshop's HTTP side: opens the shop on a free port of this machine and answers on a thread of its own.
//!
//! Nothing in, the base URL out. Problems are answered as `{"message": …}`, as most APIs do.

use super::{books, orders, reports, seed};
use aqueduct_source_kind::base_url::{self, BaseUrlProblem};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::json;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::Url;

/// The shop cannot open.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// No port, thread or runtime could be had.
    #[error("the sample bookshop cannot listen on this machine: {0}")]
    Listen(#[from] std::io::Error),
    /// The database could not be filled.
    #[error("the sample bookshop cannot be stocked: {0}")]
    Stock(#[from] rusqlite::Error),
    /// The address it got makes no base URL.
    #[error("the sample bookshop has no usable address: {0}")]
    Address(#[from] BaseUrlProblem),
}

/// What the handlers share.
#[derive(Debug)]
pub(super) struct Shop {
    database: Mutex<Connection>,
    reports: Mutex<Vec<reports::Job>>,
}

impl Shop {
    /// A shop with the sample's stock.
    pub(super) fn stocked() -> rusqlite::Result<Shop> {
        let database = Connection::open_in_memory()?;
        seed::fill(&database)?;
        Ok(Shop { database: Mutex::new(database), reports: Mutex::new(Vec::new()) })
    }

    /// The database. A handler that panicked leaves no transaction open, so it may be used on.
    pub(super) fn database(&self) -> MutexGuard<'_, Connection> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The report jobs, in the order they were asked for.
    pub(super) fn reports(&self) -> MutexGuard<'_, Vec<reports::Job>> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a request is not answered as wished.
#[derive(Debug)]
pub(super) enum DemoProblem {
    /// There is no such thing.
    Missing(String),
    /// The request makes no sense here.
    Unfit(String),
    /// The database says no.
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for DemoProblem {
    fn from(error: rusqlite::Error) -> DemoProblem {
        DemoProblem::Database(error)
    }
}

impl IntoResponse for DemoProblem {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            DemoProblem::Missing(message) => (StatusCode::NOT_FOUND, message),
            DemoProblem::Unfit(message) => (StatusCode::UNPROCESSABLE_ENTITY, message),
            DemoProblem::Database(error) => {
                tracing::error!(target: "aqueduct::demo", %error, "the bookshop's database");
                (StatusCode::INTERNAL_SERVER_ERROR, "The bookshop has a problem.".to_owned())
            }
        };
        (status, Json(json!({ "message": message }))).into_response()
    }
}

/// Opens the shop; it stays open until the process ends.
pub fn open() -> Result<Url, DemoError> {
    let shop = Arc::new(Shop::stocked()?);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let url = base_url::parse(&format!("http://{}", listener.local_addr()?))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("bookshop".to_owned()).spawn(move || {
        if let Err(error) = runtime.block_on(serve(listener, shop)) {
            tracing::error!(target: "aqueduct::demo", %error, "the bookshop has closed");
        }
    })?;
    Ok(url)
}

async fn serve(listener: TcpListener, shop: Arc<Shop>) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|stream| {
        // Without it small answers may wait for the client's acknowledgement.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(target: "aqueduct::demo", %error, "no delay cannot be set");
        }
    });
    axum::serve(listener, router(shop)).await
}

fn router(shop: Arc<Shop>) -> Router {
    Router::new()
        .route("/", get(|| async { Json(json!({ "shop": "The Aqueduct Bookshop" })) }))
        .route("/books", get(books::list).post(books::create))
        .route("/books/{id}", get(books::show).patch(books::update).delete(books::delete))
        .route("/search", get(books::search))
        .route("/authors", get(books::authors))
        .route("/authors/{id}", get(books::author))
        .route("/orders", get(orders::list).post(orders::create))
        .route("/orders/{id}", get(orders::show))
        .route("/reports", post(reports::start))
        .route("/reports/{id}", get(reports::show))
        .with_state(shop)
}
