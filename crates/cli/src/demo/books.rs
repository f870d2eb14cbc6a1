//! Books and authors: list, show, search, add, change and remove them.
//!
//! Requests in, books as JSON out. A book that is not there is a 404.

use super::api::{DemoProblem, Shop};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

const SELECT: &str = "SELECT books.id, title, author_id, name, year, price_cents, stock
    FROM books JOIN authors ON authors.id = author_id";

/// A book as the API shows it.
#[derive(Debug, Serialize)]
pub(super) struct Book {
    id: i64,
    title: String,
    author_id: i64,
    author: String,
    year: Option<i64>,
    price_cents: i64,
    stock: i64,
}

impl Book {
    fn read(row: &Row<'_>) -> rusqlite::Result<Book> {
        Ok(Book {
            id: row.get(0)?,
            title: row.get(1)?,
            author_id: row.get(2)?,
            author: row.get(3)?,
            year: row.get(4)?,
            price_cents: row.get(5)?,
            stock: row.get(6)?,
        })
    }

    /// True when the title or the author has every one of the words, in any letter case.
    fn has_all(&self, words: &str) -> bool {
        let text = format!("{} {}", self.title, self.author).to_lowercase();
        words.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }
}

/// Which books are wanted.
#[derive(Debug, Deserialize)]
pub(super) struct BookQuery {
    author_id: Option<i64>,
    author: Option<String>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

/// Some of the books that are wanted, and how many those are.
#[derive(Debug, Serialize)]
pub(super) struct BookPage {
    books: Vec<Book>,
    total: usize,
}

/// What is looked for.
#[derive(Debug, Deserialize)]
pub(super) struct BookSearch {
    q: String,
}

/// A new book.
#[derive(Debug, Deserialize)]
pub(super) struct NewBook {
    title: String,
    author_id: i64,
    year: Option<i64>,
    #[serde(default)]
    price_cents: i64,
    #[serde(default)]
    stock: i64,
}

/// What changes about a book; what is absent stays, what is null goes.
#[derive(Debug, Deserialize)]
pub(super) struct Changes {
    #[serde(default, deserialize_with = "present")]
    title: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    year: Option<Option<i64>>,
    #[serde(default, deserialize_with = "present")]
    price_cents: Option<Option<i64>>,
    #[serde(default, deserialize_with = "present")]
    stock: Option<Option<i64>>,
}

/// Tells null from absence.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(field: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(field).map(Some)
}

/// A change of what every book has.
fn kept<T>(field: &str, change: Option<Option<T>>) -> Result<Option<T>, DemoProblem> {
    match change {
        Some(None) => Err(DemoProblem::Unfit(format!("Every book has a {field}: it cannot be removed."))),
        other => Ok(other.flatten()),
    }
}

/// An author and how many of their books there are.
#[derive(Debug, Serialize)]
pub(super) struct Author {
    id: i64,
    name: String,
    books: i64,
}

/// `GET /books`
pub(super) async fn list(
    State(shop): State<Arc<Shop>>,
    Query(wanted): Query<BookQuery>,
) -> Result<Json<BookPage>, DemoProblem> {
    let mut books = all(&shop.database())?;
    books.retain(|book| {
        wanted.author_id.is_none_or(|author| book.author_id == author)
            && wanted.author.as_ref().is_none_or(|author| book.author == *author)
    });
    let total = books.len();
    let books = books.into_iter().skip(wanted.offset).take(wanted.limit.unwrap_or(total)).collect();
    Ok(Json(BookPage { books, total }))
}

/// `GET /search`
pub(super) async fn search(
    State(shop): State<Arc<Shop>>,
    Query(words): Query<BookSearch>,
) -> Result<Json<Vec<Book>>, DemoProblem> {
    let mut books = all(&shop.database())?;
    books.retain(|book| book.has_all(&words.q));
    Ok(Json(books))
}

/// `GET /books/{id}`
pub(super) async fn show(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<i64>,
) -> Result<Json<Book>, DemoProblem> {
    one(&shop.database(), id).map(Json)
}

/// `POST /books`
pub(super) async fn create(
    State(shop): State<Arc<Shop>>,
    Json(book): Json<NewBook>,
) -> Result<(StatusCode, Json<Book>), DemoProblem> {
    let database = shop.database();
    let author = book.author_id;
    let is_known =
        database.query_row("SELECT EXISTS (SELECT 1 FROM authors WHERE id = ?1)", [author], |row| {
            row.get::<_, bool>(0)
        })?;
    if !is_known {
        return Err(DemoProblem::Unfit(format!("There is no author {author}; GET /authors lists them.")));
    }
    database.execute(
        "INSERT INTO books (title, author_id, year, price_cents, stock) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![book.title, author, book.year, book.price_cents, book.stock],
    )?;
    let created = one(&database, database.last_insert_rowid())?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// `PATCH /books/{id}`
pub(super) async fn update(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<i64>,
    Json(changes): Json<Changes>,
) -> Result<Json<Book>, DemoProblem> {
    let title = kept("title", changes.title)?;
    let price_cents = kept("price", changes.price_cents)?;
    let stock = kept("stock", changes.stock)?;
    let database = shop.database();
    database.execute(
        "UPDATE books SET title = COALESCE(?2, title), price_cents = COALESCE(?3, price_cents),
            stock = COALESCE(?4, stock), year = CASE WHEN ?5 THEN ?6 ELSE year END WHERE id = ?1",
        params![id, title, price_cents, stock, changes.year.is_some(), changes.year.flatten()],
    )?;
    one(&database, id).map(Json)
}

/// `DELETE /books/{id}`; orders of the book keep its title.
pub(super) async fn delete(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<i64>,
) -> Result<StatusCode, DemoProblem> {
    match shop.database().execute("DELETE FROM books WHERE id = ?1", [id])? {
        0 => Err(missing(id)),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// `GET /authors`
pub(super) async fn authors(State(shop): State<Arc<Shop>>) -> Result<Json<Vec<Author>>, DemoProblem> {
    all_authors(&shop.database()).map(Json)
}

/// `GET /authors/{id}`
pub(super) async fn author(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<i64>,
) -> Result<Json<Author>, DemoProblem> {
    let found = all_authors(&shop.database())?.into_iter().find(|author| author.id == id);
    found.map(Json).ok_or_else(|| DemoProblem::Missing(format!("There is no author {id}.")))
}

fn all_authors(database: &Connection) -> Result<Vec<Author>, DemoProblem> {
    let mut statement = database.prepare(
        "SELECT authors.id, name, COUNT(books.id) FROM authors LEFT JOIN books ON author_id = authors.id
            GROUP BY authors.id ORDER BY authors.id",
    )?;
    let authors = statement
        .query_map([], |row| Ok(Author { id: row.get(0)?, name: row.get(1)?, books: row.get(2)? }))?
        .collect::<Result<_, _>>()?;
    Ok(authors)
}

fn all(database: &Connection) -> Result<Vec<Book>, DemoProblem> {
    let mut statement = database.prepare(&format!("{SELECT} ORDER BY books.id"))?;
    let books = statement.query_map([], Book::read)?.collect::<Result<_, _>>()?;
    Ok(books)
}

fn one(database: &Connection, id: i64) -> Result<Book, DemoProblem> {
    let found = database.query_row(&format!("{SELECT} WHERE books.id = ?1"), [id], Book::read).optional()?;
    found.ok_or_else(|| missing(id))
}

fn missing(id: i64) -> DemoProblem {
    DemoProblem::Missing(format!("There is no book {id}."))
}
