//! Callers of a store, for the listener: read at the start, and again whenever the store tells of a change.
//!
//! A store in; the list that `HttpSettings::callers` takes out. While the store is lost, what was read last holds.

use aqueduct_store::Store;
use aqueduct_store::callers::CallerRecord;
use aqueduct_surface::http::{CallerList, CallerListWriter, Token};
use std::time::Duration;
use tokio::sync::watch;

/// When callers that could not be read are asked for again.
const RETRY: Duration = Duration::from_secs(1);

/// The callers of this store. No request is let in by the list before its reader has begun, and has reached the store.
pub fn stored_callers(store: &Store) -> (CallerList, CallerReader) {
    let (writer, list) = CallerListWriter::new();
    (list, CallerReader { store: store.clone(), writer })
}

/// Reads callers for a list.
#[derive(Debug)]
pub struct CallerReader {
    store: Store,
    writer: CallerListWriter,
}

impl CallerReader {
    /// Reads them, if the store is there; then goes on by itself for as long as somebody has the list.
    pub async fn begin(self) {
        let changes = self.store.changes();
        let is_read = self.read().await;
        tokio::spawn(self.follow(changes, is_read));
    }

    async fn follow(self, mut changes: watch::Receiver<u64>, mut is_read: bool) {
        loop {
            let due = async {
                if is_read {
                    changes.changed().await.is_ok()
                } else {
                    tokio::time::sleep(RETRY).await;
                    true
                }
            };
            let is_open = tokio::select! {
                () = self.writer.unread() => false,
                is_open = due => is_open,
            };
            if !is_open {
                return;
            }
            is_read = self.read().await;
        }
    }

    /// Whether they could be read. The store logs why not.
    async fn read(&self) -> bool {
        let Ok(callers) = self.store.callers().await else { return false };
        if callers.were_ever_some() {
            self.writer.need_tokens();
        }
        self.writer.write(callers.iter().filter_map(token).collect());
        true
    }
}

fn token(caller: &CallerRecord) -> Option<Token> {
    match Token::new(caller.name.as_str(), caller.sha256()) {
        Ok(token) => Some(token.with_scopes(caller.scopes.iter().cloned()).with_expiry(caller.expires_at)),
        Err(error) => {
            tracing::error!(target: "aqueduct::http", caller = caller.name, %error, "a caller of the store is left out");
            None
        }
    }
}
