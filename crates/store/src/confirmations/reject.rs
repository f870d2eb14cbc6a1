//! A token where there are none, because only the operator confirms: refused whatever it is, and counted like every wrong one.
//!
//! Who sends it and for which call in; until when no token of the session is looked at, if there were too many, out.

use super::redeem::{not_seen_until, refuse};
use crate::audit::entry::{AuditEntry, event};
use crate::call::{CallKey, Requester};
use crate::error::StoreError;
use crate::store::Store;
use crate::transaction::{StoreTask, Transaction};
use jiff::Timestamp;

struct Reject {
    asker: Requester,
    call: CallKey,
}

impl StoreTask for Reject {
    type Output = Option<Timestamp>;

    async fn run<T: Transaction>(&mut self, transaction: &mut T) -> Result<Option<Timestamp>, StoreError> {
        let Reject { asker, call } = &*self;
        let call = call.keyed(transaction.context().key()?);
        if let Some(until) = not_seen_until(transaction, asker, Some(&call)).await? {
            return Ok(Some(until));
        }
        let line = AuditEntry::new(event::TOKEN_REJECTED, "failure").by(asker).about_kept(&call);
        refuse(transaction, &asker.session, line, "only the operator confirms").await
    }
}

impl Store {
    /// Notes and counts a token that is refused unseen; until when none of the session is heard, if there were too many.
    pub async fn reject_token(
        &self,
        asker: Requester,
        call: CallKey,
    ) -> Result<Option<Timestamp>, StoreError> {
        self.perform(Reject { asker, call }).await
    }
}
