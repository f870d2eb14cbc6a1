//! Holds answers back until a test lets them go, so that tests about order need no clock.
//!
//! Closed when made; copies share the gate.

use std::sync::Arc;
use tokio::sync::watch;

/// A gate before answers.
#[derive(Debug, Clone, Default)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    /// Lets every answer behind it go, also those that come later.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    /// Waits until it is open.
    pub(super) async fn opened(&self) {
        // The sender is here, so that the wait ends only when the gate is open.
        drop(self.0.subscribe().wait_for(|is_open| *is_open).await);
    }
}
