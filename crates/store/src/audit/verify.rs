//! Checks the whole audit: every line, every seal, and what this machine remembers of the last seal.
//!
//! Lines are read in pages, so that an audit of any length takes little memory. What is found is reported in full up to a
//! bound, not only the first.

use super::chain::{self, ChainHead, Seal, line_code, seal_code, seal_of};
use super::entry::{AuditLine, COLUMNS};
use super::key::AuditKey;
use crate::error::StoreError;
use crate::secret;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use std::fmt;
use std::time::Duration;

const PAGE: i64 = 500;
const MOST_PROBLEMS: usize = 100;

/// What a check of the audit found.
#[derive(Debug, Clone)]
pub struct AuditReport {
    /// Lines that are there.
    pub lines: i64,
    /// Seals that are there.
    pub seals: i64,
    /// The last line that a seal is about; later ones can be cut off unnoticed.
    pub sealed_through: i64,
    /// The seal that this machine remembers, which the store was compared with. Without one, a store that was set back as a whole
    /// looks whole.
    pub remembered: Option<i64>,
    /// Everything that is wrong, up to a bound.
    pub problems: Vec<AuditProblem>,
}

impl AuditReport {
    /// True if nothing was changed.
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Something that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditProblem {
    /// A line is not what was written, or not after the line that it was written after.
    Changed {
        /// Its place.
        seq: i64,
    },
    /// Lines are gone.
    Missing {
        /// The first of them.
        from: i64,
        /// The last of them.
        to: i64,
    },
    /// The end of the chain is not what the last line says.
    HeadChanged,
    /// A seal is not what was written, or what it was put on has changed.
    SealChanged {
        /// Its number.
        number: i64,
    },
    /// A seal is gone.
    SealMissing {
        /// Its number.
        number: i64,
    },
    /// This machine has seen a later seal than the store has, or another one.
    SetBack {
        /// The number of the seal.
        number: i64,
    },
}

impl fmt::Display for AuditProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditProblem::Changed { seq } => write!(f, "line {seq} was changed or moved"),
            AuditProblem::Missing { from, to } if from == to => write!(f, "line {from} is missing"),
            AuditProblem::Missing { from, to } => write!(f, "lines {from} to {to} are missing"),
            AuditProblem::HeadChanged => write!(f, "the end of the audit was changed"),
            AuditProblem::SealChanged { number } => {
                write!(f, "seal {number} does not fit the lines before it")
            }
            AuditProblem::SealMissing { number } => write!(f, "seal {number} is missing"),
            AuditProblem::SetBack { number } => {
                write!(f, "this machine has seen seal {number}, and the store does not have it")
            }
        }
    }
}

/// Reads everything in one state of the store.
#[derive(Debug)]
pub(crate) struct VerifyAudit {
    pub witnessed: Option<Seal>,
}

impl StoreTask for VerifyAudit {
    type Output = AuditReport;
    const READS_ONLY: bool = true;
    const TIME_LIMIT: Duration = Duration::from_secs(3600);

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<AuditReport, StoreError> {
        let key = transaction.context().key()?.clone();
        let head = chain::head(transaction).await?;
        let mut check = ChainCheck::new(key, self.witnessed.clone());
        check.seals = seals(transaction).await?;
        loop {
            let sql = format!("SELECT {COLUMNS} FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2");
            let rows = transaction.query(&sql, &[check.last_seq.into(), PAGE.into()]).await?;
            for row in &rows {
                check.line(&AuditLine::from_row(row)?);
            }
            if rows.len() < usize::try_from(PAGE).unwrap_or_default() {
                break;
            }
        }
        Ok(check.end(&head))
    }
}

async fn seals<T: Transaction>(transaction: &mut T) -> Result<Vec<Seal>, StoreError> {
    let sql = "SELECT number, through, at, mac FROM audit_seals ORDER BY number";
    transaction.query(sql, &[]).await?.iter().map(seal_of).collect()
}

/// The state of a check that goes from line to line.
struct ChainCheck {
    key: AuditKey,
    witnessed: Option<Seal>,
    seals: Vec<Seal>,
    next_seal: usize,
    last_seal_mac: String,
    last_seq: i64,
    last_mac: String,
    lines: i64,
    problems: Vec<AuditProblem>,
}

impl ChainCheck {
    fn new(key: AuditKey, witnessed: Option<Seal>) -> ChainCheck {
        ChainCheck {
            key,
            witnessed,
            seals: Vec::new(),
            next_seal: 0,
            last_seal_mac: String::new(),
            last_seq: 0,
            last_mac: String::new(),
            lines: 0,
            problems: Vec::new(),
        }
    }

    fn found(&mut self, problem: AuditProblem) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        }
    }

    fn line(&mut self, line: &AuditLine) {
        self.seals_through(line.seq - 1);
        if line.seq != self.last_seq + 1 {
            self.found(AuditProblem::Missing { from: self.last_seq + 1, to: line.seq - 1 });
        } else if !secret::same(&line_code(&self.key, &self.last_mac, line), &line.mac) {
            self.found(AuditProblem::Changed { seq: line.seq });
        }
        // Going on from what is written names the changed line alone, and not all that follow it.
        (self.last_seq, self.last_mac) = (line.seq, line.mac.clone());
        self.lines += 1;
    }

    /// Checks the seals over lines up to this one.
    fn seals_through(&mut self, seq: i64) {
        while let Some(seal) = self.seals.get(self.next_seal).filter(|seal| seal.through <= seq).cloned() {
            let expected =
                self.seals.get(self.next_seal.wrapping_sub(1)).map_or(1, |before| before.number + 1);
            for number in expected..seal.number.min(expected + 100) {
                self.found(AuditProblem::SealMissing { number });
            }
            let code = seal_code(&self.key, &self.last_seal_mac, &seal, &self.last_mac);
            let is_whole = seal.through == self.last_seq && secret::same(&code, &seal.mac);
            if seal.number == expected && !is_whole {
                self.found(AuditProblem::SealChanged { number: seal.number });
            }
            self.last_seal_mac = seal.mac;
            self.next_seal += 1;
        }
    }

    fn end(mut self, head: &ChainHead) -> AuditReport {
        let last = self.last_seq;
        self.seals_through(last);
        let open: Vec<i64> = self.seals.iter().skip(self.next_seal).map(|seal| seal.number).collect();
        for number in open {
            self.found(AuditProblem::SealChanged { number });
        }
        if head.seq > last {
            self.found(AuditProblem::Missing { from: last + 1, to: head.seq });
        } else if head.seq < last || !secret::same(&head.mac, &self.last_mac) {
            self.found(AuditProblem::HeadChanged);
        }
        let last_seal = self.seals.last().map_or(0, |seal| seal.number);
        for number in (last_seal + 1)..=head.seals.min(last_seal + 100) {
            self.found(AuditProblem::SealMissing { number });
        }
        let seen = self.witnessed.take();
        if let Some(seen) = seen.as_ref().filter(|seen| !self.seals.contains(seen)) {
            self.found(AuditProblem::SetBack { number: seen.number });
        }
        AuditReport {
            lines: self.lines,
            seals: i64::try_from(self.seals.len()).unwrap_or(i64::MAX),
            sealed_through: self.seals.last().map_or(0, |seal| seal.through),
            remembered: seen.map(|seal| seal.number),
            problems: self.problems,
        }
    }
}

impl Store {
    /// Checks the whole audit.
    pub async fn verify_audit(&self) -> Result<AuditReport, StoreError> {
        let witnessed = self.seal_file().read()?;
        self.perform(VerifyAudit { witnessed }).await
    }
}
