//! Events of servers, for any number of subscribers.
//!
//! Sending never waits: a subscriber that falls behind misses the oldest events and learns that it did.

use aqueduct_operations::mcp::ServerListing;
use std::sync::Arc;
use std::time::Duration;

/// Something has happened to a server.
#[derive(Debug, Clone)]
pub enum ClientEvent {
    /// It is connected for the first time, and offers this.
    Listed {
        /// Its name.
        name: String,
        /// What it offers.
        listing: Arc<ServerListing>,
    },
    /// It offers something else than before.
    Changed {
        /// Its name.
        name: String,
        /// What it offers now.
        listing: Arc<ServerListing>,
    },
    /// It is back, or has listed its tools again, and offers the same as before.
    Same {
        /// Its name.
        name: String,
    },
    /// It has ended, or could not be started. Sent once for as long as it fails in the same way.
    Lost {
        /// Its name.
        name: String,
        /// Why, in words.
        why: String,
        /// The end of its standard error, for the operator's eyes.
        stderr: Vec<String>,
        /// When it is tried again; never, when only other settings would help.
        retry_in: Option<Duration>,
    },
}
