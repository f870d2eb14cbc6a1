//! The operator's passphrase, as the hash that is made where it is set (argon2id, in the PHC format).
//!
//! The store neither makes nor checks the hash: that takes memory and time, and a passphrase has no business here. It sees to it that
//! a passphrase is set once, and replaced only by anyone who knew the one before.

use crate::audit::chain;
use crate::audit::entry::{AuditEntry, event};
use crate::error::StoreError;
use crate::rates::{self, Counted, Rate};
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use crate::value::Value;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

/// There is one operator, whose attempts are counted over all machines.
const OPERATOR: &str = "operator";

/// Sets the hash, on condition of the one before.
struct Set {
    hash: SecretString,
    before: Option<SecretString>,
}

impl StoreTask for Set {
    type Output = bool;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<bool, StoreError> {
        let now = transaction.now();
        let hash = Value::from(self.hash.expose_secret());
        let changed = match &self.before {
            None => {
                let sql =
                    "INSERT INTO operator (id, passphrase, set_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING";
                transaction.execute(sql, &[hash, now.into()]).await?
            }
            Some(before) => {
                let sql = "UPDATE operator SET passphrase = $1, set_at = $2 WHERE id = 1 AND passphrase = $3";
                transaction.execute(sql, &[hash, now.into(), before.expose_secret().into()]).await?
            }
        };
        if changed == 1 {
            let line = AuditEntry::new(event::PASSPHRASE_SET, "success");
            let line = AuditEntry { approver: Some(OPERATOR.to_owned()), ..line };
            chain::append(transaction, vec![line]).await?;
        }
        Ok(changed == 1)
    }
}

struct ReadPassphrase;

impl StoreTask for ReadPassphrase {
    type Output = Option<SecretString>;
    const READS_ONLY: bool = true;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<SecretString>, StoreError> {
        let row = transaction.query_one("SELECT passphrase FROM operator WHERE id = 1", &[]).await?;
        row.map(|row| row.text(0).map(SecretString::from)).transpose()
    }
}

/// Counts an attempt before the passphrase is looked at, so that those which are made at once all count.
struct BeginAttempt;

impl StoreTask for BeginAttempt {
    type Output = Option<Timestamp>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<Timestamp>, StoreError> {
        let Counted::Over { until, is_first } =
            rates::count(transaction, Rate::Passphrases, OPERATOR).await?
        else {
            return Ok(None);
        };
        let line = AuditEntry::new(event::PASSPHRASE_REJECTED, "limited");
        let line = line.because("too many were tried; none is looked at for a while");
        chain::append(transaction, is_first.then_some(line).into_iter().collect()).await?;
        Ok(Some(until))
    }
}

struct EndAttempt {
    is_accepted: bool,
}

impl StoreTask for EndAttempt {
    type Output = ();

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<(), StoreError> {
        if self.is_accepted {
            return rates::reset(transaction, Rate::Passphrases, OPERATOR).await;
        }
        chain::append(transaction, vec![AuditEntry::new(event::PASSPHRASE_REJECTED, "failure")]).await
    }
}

impl Store {
    /// Counts an attempt at the passphrase; until when none is taken, if there were too many.
    pub async fn begin_passphrase_attempt(&self) -> Result<Option<Timestamp>, StoreError> {
        self.perform(BeginAttempt).await
    }

    /// Notes what became of an attempt: a good passphrase makes the wrong ones before it forgotten.
    pub async fn end_passphrase_attempt(&self, is_accepted: bool) -> Result<(), StoreError> {
        self.perform(EndAttempt { is_accepted }).await
    }

    /// The hash of the operator's passphrase, once it is set.
    pub async fn operator_passphrase(&self) -> Result<Option<SecretString>, StoreError> {
        self.perform(ReadPassphrase).await
    }

    /// Sets the hash of the first passphrase; false if there is one already.
    pub async fn set_operator_passphrase(&self, hash: SecretString) -> Result<bool, StoreError> {
        self.perform(Set { hash, before: None }).await
    }

    /// Replaces the hash `before`; false if it is not the one that is set.
    pub async fn replace_operator_passphrase(
        &self,
        before: SecretString,
        hash: SecretString,
    ) -> Result<bool, StoreError> {
        self.perform(Set { hash, before: Some(before) }).await
    }
}
