//! Orders: list and show them, and place one, which takes the copies out of stock.
//!
//! Requests in, orders as JSON out. More copies than there are is a 422 that says how many are left.

use super::api::{DemoProblem, Shop};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const SELECT: &str = "SELECT id, book_id, title, quantity, total_cents, customer, month FROM orders";

/// An order as the API shows it.
#[derive(Debug, Serialize)]
pub(super) struct Order {
    id: i64,
    book_id: i64,
    title: String,
    quantity: i64,
    total_cents: i64,
    customer: String,
    month: String,
}

impl Order {
    fn read(row: &Row<'_>) -> rusqlite::Result<Order> {
        Ok(Order {
            id: row.get(0)?,
            book_id: row.get(1)?,
            title: row.get(2)?,
            quantity: row.get(3)?,
            total_cents: row.get(4)?,
            customer: row.get(5)?,
            month: row.get(6)?,
        })
    }
}

/// A new order.
#[derive(Debug, Deserialize)]
pub(super) struct NewOrder {
    book_id: i64,
    quantity: i64,
    customer: String,
}

/// `GET /orders`
pub(super) async fn list(State(shop): State<Arc<Shop>>) -> Result<Json<Vec<Order>>, DemoProblem> {
    let database = shop.database();
    let mut statement = database.prepare(&format!("{SELECT} ORDER BY id"))?;
    let orders = statement.query_map([], Order::read)?.collect::<Result<_, _>>()?;
    Ok(Json(orders))
}

/// `GET /orders/{id}`
pub(super) async fn show(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<i64>,
) -> Result<Json<Order>, DemoProblem> {
    let database = shop.database();
    let found = database.query_row(&format!("{SELECT} WHERE id = ?1"), [id], Order::read).optional()?;
    found.map(Json).ok_or_else(|| DemoProblem::Missing(format!("There is no order {id}.")))
}

/// `POST /orders`
pub(super) async fn create(
    State(shop): State<Arc<Shop>>,
    Json(order): Json<NewOrder>,
) -> Result<(StatusCode, Json<Order>), DemoProblem> {
    let mut database = shop.database();
    let sale = database.transaction()?;
    let stock: Option<i64> = sale
        .query_row("SELECT stock FROM books WHERE id = ?1", [order.book_id], |row| row.get(0))
        .optional()?;
    let Some(stock) = stock else {
        return Err(DemoProblem::Unfit(format!("There is no book {}.", order.book_id)));
    };
    if order.quantity < 1 || order.quantity > stock {
        return Err(DemoProblem::Unfit(format!("Only {stock} of book {} can be ordered.", order.book_id)));
    }
    sale.execute("UPDATE books SET stock = stock - ?2 WHERE id = ?1", [order.book_id, order.quantity])?;
    sale.execute(
        "INSERT INTO orders (book_id, title, quantity, total_cents, customer)
            SELECT id, title, ?2, price_cents * ?2, ?3 FROM books WHERE id = ?1",
        params![order.book_id, order.quantity, order.customer],
    )?;
    let id = sale.last_insert_rowid();
    let placed = sale.query_row(&format!("{SELECT} WHERE id = ?1"), [id], Order::read)?;
    sale.commit()?;
    Ok((StatusCode::CREATED, Json(placed)))
}
