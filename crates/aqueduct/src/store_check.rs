//! Whether the store answers: `/readyz` says no while it is lost, and calls that need nothing of it go on.
//!
//! Anybody may ask for `/readyz`, so that the store is asked once a second at most.

use aqueduct_operations::handler::Boxed;
use aqueduct_store::Store;
use aqueduct_surface::http::ReadyCheck;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long an answer of the store stands.
const FRESH: Duration = Duration::from_secs(1);
/// How long its answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks the store.
#[derive(Debug)]
pub(crate) struct StoreCheck {
    store: Store,
    last: Mutex<Option<(Instant, Result<(), String>)>>,
}

impl StoreCheck {
    pub(crate) fn new(store: Store) -> StoreCheck {
        StoreCheck { store, last: Mutex::default() }
    }

    fn last(&self) -> MutexGuard<'_, Option<(Instant, Result<(), String>)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReadyCheck for StoreCheck {
    fn check(&self) -> Boxed<'_, Result<(), String>> {
        Box::pin(async {
            if let Some((at, answer)) = &*self.last()
                && at.elapsed() < FRESH
            {
                return answer.clone();
            }
            let answer = match tokio::time::timeout(PATIENCE, self.store.ping()).await {
                Ok(answer) => answer.map_err(|error| error.to_string()),
                Err(_) => Err("the store did not answer in time".to_owned()),
            };
            *self.last() = Some((Instant::now(), answer.clone()));
            answer
        })
    }
}
