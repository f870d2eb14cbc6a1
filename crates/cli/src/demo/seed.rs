//! What the bookshop has on its shelves when it opens: authors, books and a few orders.
//!
//! An empty database in, a filled one out.

use rusqlite::{Connection, params};

const TABLES: &str = "
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE books (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        author_id INTEGER NOT NULL REFERENCES authors (id),
        year INTEGER,
        price_cents INTEGER NOT NULL,
        stock INTEGER NOT NULL
    );
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        book_id INTEGER NOT NULL,
        title TEXT NOT NULL,
        quantity INTEGER NOT NULL,
        total_cents INTEGER NOT NULL,
        customer TEXT NOT NULL,
        month TEXT NOT NULL DEFAULT (strftime('%Y-%m', 'now'))
    );
";

/// An author, and their books: title, year, price in cents, copies in stock.
type SeedAuthor = (&'static str, &'static [(&'static str, i64, i64, i64)]);

const SHELVES: &[SeedAuthor] = &[
    (
        "Jane Austen",
        &[
            ("Sense and Sensibility", 1811, 1090, 7),
            ("Pride and Prejudice", 1813, 1190, 12),
            ("Emma", 1815, 1250, 5),
            ("Persuasion", 1817, 990, 4),
        ],
    ),
    ("Mary Shelley", &[("Frankenstein", 1818, 990, 9), ("The Last Man", 1826, 1390, 2)]),
    (
        "Charles Dickens",
        &[
            ("Oliver Twist", 1838, 1150, 6),
            ("Bleak House", 1853, 1690, 3),
            ("Great Expectations", 1861, 1290, 8),
        ],
    ),
    ("Herman Melville", &[("Moby-Dick", 1851, 1490, 5), ("Bartleby, the Scrivener", 1853, 690, 11)]),
    (
        "Jules Verne",
        &[
            ("Journey to the Centre of the Earth", 1864, 1050, 6),
            ("Twenty Thousand Leagues Under the Seas", 1870, 1190, 10),
            ("Around the World in Eighty Days", 1872, 950, 14),
        ],
    ),
    ("George Eliot", &[("Silas Marner", 1861, 890, 3), ("Middlemarch", 1871, 1790, 4)]),
    ("Robert Louis Stevenson", &[("Treasure Island", 1883, 890, 13), ("Kidnapped", 1886, 950, 5)]),
    ("H. G. Wells", &[("The Time Machine", 1895, 850, 9), ("The War of the Worlds", 1898, 990, 7)]),
];

/// Book, copies, customer, month.
const ORDERS: &[(i64, i64, &str, &str)] = &[
    (2, 1, "Ada", "2026-01"),
    (13, 2, "Grace", "2026-01"),
    (17, 1, "Alan", "2026-02"),
    (2, 3, "Edsger", "2026-02"),
    (5, 1, "Barbara", "2026-02"),
    (20, 2, "Donald", "2026-03"),
];

/// Makes the tables and fills them.
pub(super) fn fill(database: &Connection) -> rusqlite::Result<()> {
    database.execute_batch(TABLES)?;
    for (name, books) in SHELVES {
        database.execute("INSERT INTO authors (name) VALUES (?1)", [name])?;
        let author = database.last_insert_rowid();
        for (title, year, price, stock) in *books {
            database.execute(
                "INSERT INTO books (title, author_id, year, price_cents, stock) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![title, author, year, price, stock],
            )?;
        }
    }
    for (book, quantity, customer, month) in ORDERS {
        database.execute(
            "INSERT INTO orders (book_id, title, quantity, total_cents, customer, month)
             SELECT id, title, ?2, price_cents * ?2, ?3, ?4 FROM books WHERE id = ?1",
            params![book, quantity, customer, month],
        )?;
    }
    Ok(())
}
