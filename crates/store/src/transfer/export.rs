//! Writing a store out: one state of it, in pages, however large it is.
//!
//! A store in, JSON lines out. Rows go out in the order of their keys, so that two exports of one state are the same.

use super::tables::{ExportTable, TABLES};
use super::{TransferLine, line, next_code};
use crate::audit::entry::event;
use crate::error::{Outage, StoreError};
use crate::migrations::known_version;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};
use std::io::Write;
use std::time::Duration;
use tokio::sync::mpsc;

const PAGE: i64 = 500;

struct Export {
    lines: mpsc::Sender<String>,
}

impl StoreTask for Export {
    type Output = u64;
    const READS_ONLY: bool = true;
    const REPEATABLE: bool = false;
    const TIME_LIMIT: Duration = Duration::from_secs(3600);

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<u64, StoreError> {
        let key = transaction.context().key()?.clone();
        let (mut rows, mut code) = (0, String::new());
        let head =
            serde_json::json!(TransferLine::Store { version: known_version(), key: key.check() }).to_string();
        code = next_code(&key, &code, &head);
        self.send(head).await?;
        for table in TABLES {
            let mut last: Option<Row> = None;
            loop {
                let page = page(transaction, table, last.as_ref()).await?;
                for row in &page {
                    let line = TransferLine::Row(table.name.to_owned(), row.0.iter().map(json).collect());
                    let line = serde_json::json!(line).to_string();
                    code = next_code(&key, &code, &line);
                    self.send(line).await?;
                    rows += 1;
                }
                last = page.into_iter().next_back();
                if last.is_none() {
                    break;
                }
            }
        }
        self.send(serde_json::json!(TransferLine::End { rows, mac: code }).to_string()).await?;
        Ok(rows)
    }
}

impl Export {
    async fn send(&self, line: String) -> Result<(), StoreError> {
        let closed = |_| StoreError::unavailable(Outage::Failed, "nobody takes the lines any more");
        self.lines.send(line).await.map_err(closed)
    }
}

/// The rows after this one, by the key of the table.
async fn page<T: Transaction>(
    transaction: &mut T,
    table: &ExportTable,
    after: Option<&Row>,
) -> Result<Vec<Row>, StoreError> {
    let (columns, key) = (table.column_list(), table.key.join(", "));
    let Some(after) = after else {
        let sql = format!("SELECT {columns} FROM {} ORDER BY {key} LIMIT $1", table.name);
        return transaction.query(&sql, &[PAGE.into()]).await;
    };
    let mut values: Vec<Value> = table.key_places().filter_map(|place| after.0.get(place).cloned()).collect();
    let places: Vec<String> = (1..=values.len()).map(|number| format!("${number}")).collect();
    values.push(PAGE.into());
    let sql = format!(
        "SELECT {columns} FROM {} WHERE ({key}) > ({}) ORDER BY {key} LIMIT ${}",
        table.name,
        places.join(", "),
        values.len()
    );
    transaction.query(&sql, &values).await
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Int(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}

impl Store {
    /// Writes the whole store, with a line of the audit that says so; how many rows it has. Stop whatever else uses it first: what changes afterwards is not in it.
    pub async fn export(&self, to: &mut (dyn Write + Send)) -> Result<u64, StoreError> {
        self.append_audit(vec![line(event::STORE_EXPORTED)]).await?;
        let (lines, mut written) = mpsc::channel(64);
        let store = self.clone();
        let work = async move { store.perform(Export { lines }).await };
        let write = async {
            while let Some(line) = written.recv().await {
                to.write_all(line.as_bytes())?;
                to.write_all(b"\n")?;
            }
            drop(written);
            to.flush()
        };
        let (rows, result) = tokio::join!(work, write);
        result.map_err(|error| StoreError::unavailable(Outage::Failed, error))?;
        rows
    }
}
