//! Ends long-running work once the server stops.
//!
//! A token that is cancelled when the server stops in; a moment after that, checks and questions that are still computed
//! are ended, and their calls fail. Calls that wait for an API have longer.

use aqueduct_dispatch::Dispatcher;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::{CancellationToken, DropGuard};

/// What is nearly done may still be finished.
const GRACE: Duration = Duration::from_millis(1_500);

/// Ends work that takes long after this token; as long as the guard is kept.
pub fn on(stop: CancellationToken, dispatcher: &Arc<Dispatcher>) -> DropGuard {
    let over = CancellationToken::new();
    let (dispatcher, is_over) = (Arc::clone(dispatcher), over.clone());
    tokio::spawn(async move {
        // A call may begin more of it: it is ended again and again until the server is gone.
        let end = async {
            stop.cancelled().await;
            loop {
                tokio::time::sleep(GRACE).await;
                dispatcher.end_work();
            }
        };
        tokio::select! {
            () = end => {}
            () = is_over.cancelled() => {}
        }
    });
    over.drop_guard()
}
