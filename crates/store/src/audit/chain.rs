//! Adding to the chain, and sealing it.
//!
//! One chain for all writers: the row `audit_head` is changed by every line, so that two transactions cannot take one place.
//! It is the last thing that a transaction locks, which keeps waits short and makes deadlocks over it impossible.

use super::entry::{AuditEntry, AuditLine};
use super::key::AuditKey;
use crate::error::StoreError;
use crate::transaction::{StoreTask, Transaction};
use crate::value::{Row, Value};
use std::sync::atomic::Ordering;

/// The longest text of a field, in characters; more is cut.
const LONGEST_FIELD: usize = 1000;

/// The end of the chain.
#[derive(Debug, Clone)]
pub(crate) struct ChainHead {
    pub seq: i64,
    pub mac: String,
    pub seals: i64,
    pub sealed_seq: i64,
    pub seal_mac: String,
}

/// The columns of the head, in the order of `ChainHead::from_row`.
const HEAD: &str = "seq, mac, seals, sealed_seq, seal_mac";

impl ChainHead {
    fn from_row(row: &Row) -> Result<ChainHead, StoreError> {
        Ok(ChainHead {
            seq: row.int(0)?,
            mac: row.text(1)?,
            seals: row.int(2)?,
            sealed_seq: row.int(3)?,
            seal_mac: row.text(4)?,
        })
    }
}

/// A statement over everything up to one line.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Seal {
    /// Its number, from 1 without a gap.
    pub number: i64,
    /// The last line that it is about.
    pub through: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The code that binds it to that line and to the seal before.
    pub mac: String,
}

/// The code of a line that follows one with this code.
pub(crate) fn line_code(key: &AuditKey, before: &str, line: &AuditLine) -> String {
    key.code(&["line", before, &line.canonical()])
}

/// The code of a seal over a line with this code, after a seal with that one.
pub(crate) fn seal_code(key: &AuditKey, before: &str, seal: &Seal, line_mac: &str) -> String {
    let (number, through, at) = (seal.number.to_string(), seal.through.to_string(), seal.at.to_string());
    key.code(&["seal", before, &number, &through, &at, line_mac])
}

/// Reads the end of the chain.
pub(crate) async fn head<T: Transaction>(transaction: &mut T) -> Result<ChainHead, StoreError> {
    read_head(transaction, &format!("SELECT {HEAD} FROM audit_head WHERE id = 1")).await
}

/// Adds lines, in this order. Nothing else of the transaction may come after it.
pub(crate) async fn append<T: Transaction>(
    transaction: &mut T,
    entries: Vec<AuditEntry>,
) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    append_some(transaction, entries).await.map(|_| ())
}

/// The same, with some lines; the place of the last of them.
pub(crate) async fn append_some<T: Transaction>(
    transaction: &mut T,
    entries: Vec<AuditEntry>,
) -> Result<i64, StoreError> {
    let mut head = locked_head(transaction).await?;
    let at = transaction.now().as_millisecond();
    for entry in entries {
        let mut line = AuditLine { seq: head.seq + 1, at, entry: shortened(entry), mac: String::new() };
        line.mac = line_code(transaction.context().key()?, &head.mac, &line);
        let sql = "INSERT INTO audit (seq, at, event, outcome, session, caller, source, operation, params, rule, \
                   approver, token, detail, mac) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
        transaction.execute(sql, &line.values()).await?;
        transaction.count_line(&line.entry.event);
        (head.seq, head.mac) = (line.seq, line.mac);
    }
    let unsealed = u64::try_from(head.seq - head.sealed_seq).unwrap_or_default();
    if unsealed >= transaction.context().limits.lines_per_seal {
        add_seal(transaction, &mut head).await?;
    }
    write_head(transaction, &head).await?;
    Ok(head.seq)
}

/// Seals what is not sealed yet.
#[derive(Debug)]
pub(crate) struct SealNow;

impl StoreTask for SealNow {
    type Output = Option<Seal>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<Seal>, StoreError> {
        let mut head = locked_head(transaction).await?;
        if head.seq == head.sealed_seq {
            return Ok(None);
        }
        let seal = add_seal(transaction, &mut head).await?;
        write_head(transaction, &head).await?;
        Ok(Some(seal))
    }
}

/// The last seal.
#[derive(Debug)]
pub(crate) struct LastSeal;

impl StoreTask for LastSeal {
    type Output = Option<Seal>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<Seal>, StoreError> {
        let sql = "SELECT number, through, at, mac FROM audit_seals ORDER BY number DESC LIMIT 1";
        transaction.query_one(sql, &[]).await?.map(|row| seal_of(&row)).transpose()
    }
}

/// Lines that somebody outside of the store wants in the audit.
#[derive(Debug)]
pub(crate) struct Append(pub Vec<AuditEntry>);

impl StoreTask for Append {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        let key = transaction.context().key()?.clone();
        append(transaction, self.0.iter().map(|entry| entry.clone().keyed(&key)).collect()).await
    }
}

pub(crate) fn seal_of(row: &Row) -> Result<Seal, StoreError> {
    Ok(Seal { number: row.int(0)?, through: row.int(1)?, at: row.int(2)?, mac: row.text(3)? })
}

/// Reads the end of the chain, and keeps others from it until the transaction ends.
async fn locked_head<T: Transaction>(transaction: &mut T) -> Result<ChainHead, StoreError> {
    read_head(transaction, &format!("UPDATE audit_head SET seq = seq WHERE id = 1 RETURNING {HEAD}")).await
}

async fn read_head<T: Transaction>(transaction: &mut T, sql: &str) -> Result<ChainHead, StoreError> {
    let row = transaction.query_one(sql, &[]).await?;
    let missing = || StoreError::Damaged("the end of the audit is missing".to_owned());
    ChainHead::from_row(&row.ok_or_else(missing)?)
}

async fn write_head<T: Transaction>(transaction: &mut T, head: &ChainHead) -> Result<(), StoreError> {
    let sql =
        "UPDATE audit_head SET seq = $1, mac = $2, seals = $3, sealed_seq = $4, seal_mac = $5 WHERE id = 1";
    let values = [
        Value::from(head.seq),
        Value::from(&head.mac),
        Value::from(head.seals),
        Value::from(head.sealed_seq),
        Value::from(&head.seal_mac),
    ];
    transaction.execute(sql, &values).await?;
    Ok(())
}

async fn add_seal<T: Transaction>(transaction: &mut T, head: &mut ChainHead) -> Result<Seal, StoreError> {
    let at = transaction.now().as_millisecond();
    let mut seal = Seal { number: head.seals + 1, through: head.seq, at, mac: String::new() };
    seal.mac = seal_code(transaction.context().key()?, &head.seal_mac, &seal, &head.mac);
    let sql = "INSERT INTO audit_seals (number, through, at, mac) VALUES ($1, $2, $3, $4)";
    let values = [seal.number.into(), seal.through.into(), seal.at.into(), Value::from(&seal.mac)];
    transaction.execute(sql, &values).await?;
    (head.seals, head.sealed_seq, head.seal_mac) = (seal.number, seal.through, seal.mac.clone());
    transaction.context().has_new_seal.store(true, Ordering::Relaxed);
    Ok(seal)
}

fn shortened(mut entry: AuditEntry) -> AuditEntry {
    let fields = [
        Some(&mut entry.event),
        Some(&mut entry.outcome),
        entry.session.as_mut(),
        entry.caller.as_mut(),
        entry.source.as_mut(),
        entry.operation.as_mut(),
        entry.params.as_mut(),
        entry.rule.as_mut(),
        entry.approver.as_mut(),
        entry.token.as_mut(),
        entry.detail.as_mut(),
    ];
    for field in fields.into_iter().flatten() {
        if let Some((end, _)) = field.char_indices().nth(LONGEST_FIELD) {
            field.truncate(end);
        }
        // PostgreSQL keeps no NUL in a text.
        if field.contains('\0') {
            *field = field.replace('\0', "\u{fffd}");
        }
    }
    entry
}
