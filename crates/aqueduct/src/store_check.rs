//! Whether the store answers: `/readyz` says no while it is lost, and calls that need nothing of it go on.
//!
//! Anyone may ask for `/readyz`, as often as they like: the store is asked by one check at a time, and once a second at most.
//! A caller that comes while it is asked waits for the same answer, for a bounded time.

use aqueduct_operations::handler::Boxed;
use aqueduct_store::Store;
use aqueduct_surface::http::ReadyCheck;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long an answer of the store stands.
const FRESH: Duration = Duration::from_secs(1);
/// How long its answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks the store.
pub(crate) struct StoreCheck {
    ping: Box<dyn Fn() -> Boxed<'static, Result<(), String>> + Send + Sync>,
    state: Arc<watch::Sender<StoreCheckState>>,
}

#[derive(Debug, Default)]
struct StoreCheckState {
    is_asked: bool,
    answer: Option<(Instant, Result<(), String>)>,
}

impl StoreCheckState {
    fn fresh(&self) -> Option<&Result<(), String>> {
        self.answer.as_ref().filter(|(at, _)| at.elapsed() < FRESH).map(|(_, answer)| answer)
    }
}

impl StoreCheck {
    pub(crate) fn new(store: Store) -> StoreCheck {
        StoreCheck::asking(move || {
            let store = store.clone();
            Box::pin(async move { store.ping().await.map_err(|error| error.to_string()) })
        })
    }

    fn asking(ping: impl Fn() -> Boxed<'static, Result<(), String>> + Send + Sync + 'static) -> StoreCheck {
        StoreCheck { ping: Box::new(ping), state: Arc::new(watch::Sender::new(StoreCheckState::default())) }
    }

    /// Asks the store, unless somebody does already or its answer is fresh.
    fn ask(&self) {
        let begin = |state: &mut StoreCheckState| {
            let begins = !state.is_asked && state.fresh().is_none();
            state.is_asked |= begins;
            begins
        };
        if !self.state.send_if_modified(begin) {
            return;
        }
        let (ping, state) = ((self.ping)(), Arc::clone(&self.state));
        // Apart from the request, which may be given up: only a check that has ended makes room for the next.
        tokio::spawn(async move {
            let answer = ping.await;
            state.send_replace(StoreCheckState { is_asked: false, answer: Some((Instant::now(), answer)) });
        });
    }
}

impl ReadyCheck for StoreCheck {
    fn check(&self) -> Boxed<'_, Result<(), String>> {
        Box::pin(async {
            let mut changes = self.state.subscribe();
            self.ask();
            let answered = changes.wait_for(|state| state.fresh().is_some());
            let answer = tokio::time::timeout(PATIENCE, answered).await;
            let state = answer.ok().and_then(Result::ok);
            match state.as_ref().and_then(|state| state.fresh()) {
                Some(answer) => answer.clone(),
                None => Err("the store did not answer in time".to_owned()),
            }
        })
    }
}

impl fmt::Debug for StoreCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreCheck").field("state", &*self.state.borrow()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
