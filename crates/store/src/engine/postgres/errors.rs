//! What errors of PostgreSQL mean.
//!
//! An error of the driver in, an outage with its cause out; and whether it is worth trying again.

use crate::error::{Outage, StoreError};
use std::error::Error as _;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

pub(super) fn store_error(error: &Error) -> StoreError {
    let reason = match error.code() {
        Some(code) => outage(code),
        None => Outage::Unreachable,
    };
    // Its own text leaves out what the server or the system said.
    let cause = error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"));
    StoreError::unavailable(reason, cause)
}

/// Over by itself, so that trying again is worth it.
pub(super) fn is_passing(error: &StoreError) -> bool {
    let StoreError::Unavailable { reason, .. } = error else { return false };
    matches!(reason, Outage::Unreachable | Outage::Busy)
}

fn outage(code: &SqlState) -> Outage {
    let unreachable = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    let busy = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::OBJECT_IN_USE,
    ];
    if unreachable.contains(code) || code.code().starts_with("08") {
        Outage::Unreachable
    } else if busy.contains(code) {
        Outage::Busy
    } else if *code == SqlState::QUERY_CANCELED {
        Outage::TimedOut
    } else if *code == SqlState::DISK_FULL {
        Outage::Full
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION || *code == SqlState::INSUFFICIENT_PRIVILEGE {
        Outage::ReadOnly
    } else {
        Outage::Failed
    }
}
