//! Filling an empty store from a file, all of it or nothing.
//!
//! JSON lines in; how many rows there were, or why the file is refused, out. The code over the file is checked before anything counts.

use super::tables::{ColumnKind, ExportTable, TABLES};
use super::{TransferLine, line, next_code};
use crate::audit::chain;
use crate::audit::entry::event;
use crate::error::StoreError;
use crate::migrations::known_version;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// Why a file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// There is something in the store.
    #[error("the store is not empty; import into a new one")]
    NotEmpty,
    /// The file is of a store with other tables.
    #[error("the file has version {found} and this program knows {known}; export it with the same program")]
    Version {
        /// That of the file.
        found: i64,
        /// That of the program.
        known: i64,
    },
    /// The file is of a store with another key.
    #[error("the file was written with another key of the audit; give this store the same key first")]
    Key,
    /// The file is not what was written.
    #[error("line {line} of the file is not what was written")]
    Changed {
        /// Where.
        line: u64,
    },
}

struct ImportLines {
    lines: mpsc::Receiver<String>,
    /// Why the file was refused: an error rolls everything back, and this one is no failure of the store.
    refused: Arc<Mutex<Option<ImportError>>>,
}

impl StoreTask for ImportLines {
    type Output = u64;
    const REPEATABLE: bool = false;
    const TIME_LIMIT: Duration = Duration::from_secs(3600);

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<u64, StoreError> {
        match fill(transaction, &mut self.lines).await {
            Ok(rows) => Ok(rows),
            Err(ImportError::Store(error)) => Err(error),
            Err(refused) => {
                let error = StoreError::Settings(refused.to_string());
                *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(refused);
                Err(error)
            }
        }
    }
}

async fn fill<T: Transaction>(
    transaction: &mut T,
    lines: &mut mpsc::Receiver<String>,
) -> Result<u64, ImportError> {
    transaction.lock_schema().await?;
    if !is_empty(transaction).await? {
        return Err(ImportError::NotEmpty);
    }
    transaction.execute("DELETE FROM audit_head", &[]).await?;
    let key = transaction.context().key()?.clone();
    let (mut code, mut number, mut rows, mut is_complete) = (String::new(), 0, 0, false);
    while let Some(text) = lines.recv().await {
        number += 1;
        let changed = || ImportError::Changed { line: number };
        let line: TransferLine = serde_json::from_str(&text).map_err(|_| changed())?;
        match line {
            TransferLine::Store { version, key: theirs } if number == 1 => {
                let known = known_version();
                if version != known {
                    return Err(ImportError::Version { found: version, known });
                }
                if !secret::same(&theirs, &key.check()) {
                    return Err(ImportError::Key);
                }
            }
            TransferLine::Row(table, values) if number > 1 && !is_complete => {
                let table = TABLES.iter().find(|known| known.name == table).ok_or_else(changed)?;
                insert(transaction, table, &values).await?.ok_or_else(changed)?;
                rows += 1;
            }
            TransferLine::End { rows: told, mac } if number > 1 && !is_complete => {
                if told != rows || !secret::same(&mac, &code) {
                    return Err(changed());
                }
                is_complete = true;
            }
            _ => return Err(changed()),
        }
        code = next_code(&key, &code, &text);
    }
    if !is_complete {
        return Err(ImportError::Changed { line: number + 1 });
    }
    let line = line(event::STORE_IMPORTED).because(format!("{rows} rows"));
    chain::append(transaction, vec![line]).await?;
    Ok(rows)
}

async fn is_empty<T: Transaction>(transaction: &mut T) -> Result<bool, StoreError> {
    for table in TABLES.iter().filter(|table| table.name != "audit_head") {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", table.name);
        if !transaction.query(&sql, &[]).await?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Inserts a row; nothing if its values are not those of the table.
async fn insert<T: Transaction>(
    transaction: &mut T,
    table: &ExportTable,
    row: &[serde_json::Value],
) -> Result<Option<()>, StoreError> {
    if row.len() != table.columns.len() {
        return Ok(None);
    }
    let mut values = Vec::with_capacity(row.len());
    for ((_, kind), value) in table.columns.iter().zip(row) {
        values.push(match (kind, value) {
            (_, serde_json::Value::Null) => Value::Null,
            (ColumnKind::Number, serde_json::Value::Number(number)) => match number.as_i64() {
                Some(number) => Value::Int(number),
                None => return Ok(None),
            },
            (ColumnKind::Text, serde_json::Value::String(text)) => Value::from(text),
            _ => return Ok(None),
        });
    }
    let places: Vec<String> = (1..=values.len()).map(|number| format!("${number}")).collect();
    let sql = format!("INSERT INTO {} ({}) VALUES ({})", table.name, table.column_list(), places.join(", "));
    transaction.execute(&sql, &values).await?;
    Ok(Some(()))
}

impl Store {
    /// Fills this store, which must be empty, from what another one wrote; how many rows it had.
    pub async fn import(&self, from: &mut (dyn BufRead + Send)) -> Result<u64, ImportError> {
        let (lines, read) = mpsc::channel(64);
        let refused = Arc::new(Mutex::new(None));
        let work = self.perform(ImportLines { lines: read, refused: Arc::clone(&refused) });
        let feed = async move {
            for line in from.lines() {
                // When no one takes lines any more, the reason comes from the other side.
                if lines.send(line?).await.is_err() {
                    break;
                }
            }
            Ok::<(), std::io::Error>(())
        };
        let (result, fed) = tokio::join!(work, feed);
        fed?;
        let refused = refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        match refused {
            Some(refused) => Err(refused),
            None => Ok(result?),
        }
    }
}
