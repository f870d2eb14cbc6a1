//! Sales reports: a job that takes a while. Starting one answers at once; asking again shows how far it is.
//!
//! A month in, a job out, and the figures of that month when the job is done.

use super::api::{DemoProblem, Shop};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use rusqlite::OptionalExtension;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the shop pretends to count.
const DURATION: Duration = Duration::from_secs(2);

/// A report that was asked for.
#[derive(Debug)]
pub(super) struct Job {
    month: String,
    started: Instant,
}

/// What is asked for.
#[derive(Debug, Deserialize)]
pub(super) struct NewReport {
    month: String,
}

/// `POST /reports`
pub(super) async fn start(
    State(shop): State<Arc<Shop>>,
    Json(report): Json<NewReport>,
) -> (StatusCode, Json<Value>) {
    let mut jobs = shop.reports();
    jobs.push(Job { month: report.month.clone(), started: Instant::now() });
    let job = json!({"id": jobs.len(), "month": report.month, "state": "running", "percent": 0});
    (StatusCode::ACCEPTED, Json(job))
}

/// `GET /reports/{id}`
pub(super) async fn show(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<usize>,
) -> Result<Json<Value>, DemoProblem> {
    let job = id.checked_sub(1).and_then(|index| {
        let jobs = shop.reports();
        jobs.get(index).map(|job| (job.month.clone(), job.started.elapsed()))
    });
    let Some((month, elapsed)) = job else {
        return Err(DemoProblem::Missing(format!("There is no report {id}.")));
    };
    if elapsed < DURATION {
        let percent = elapsed.as_millis() * 100 / DURATION.as_millis();
        return Ok(Json(json!({"id": id, "month": month, "state": "running", "percent": percent as u64})));
    }
    let figures = figures(&shop, &month)?;
    Ok(Json(json!({"id": id, "month": month, "state": "done", "percent": 100, "result": figures})))
}

fn figures(shop: &Shop, month: &str) -> Result<Value, DemoProblem> {
    let database = shop.database();
    let (orders, copies, revenue): (i64, i64, i64) = database.query_row(
        "SELECT COUNT(*), COALESCE(SUM(quantity), 0), COALESCE(SUM(total_cents), 0) FROM orders WHERE month = ?1",
        [month],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let best_seller: Option<String> = database
        .query_row(
            "SELECT title FROM orders WHERE month = ?1 GROUP BY book_id ORDER BY SUM(quantity) DESC, book_id LIMIT 1",
            [month],
            |row| row.get(0),
        )
        .optional()?;
    Ok(json!({"orders": orders, "copies": copies, "revenue_cents": revenue, "best_seller": best_seller}))
}
