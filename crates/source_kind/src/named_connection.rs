//! Something live that content names for its operations, such as the server of an adapter file.
//!
//! The loader asks what reaching it takes, and says what the operator allows; its handlers reach it as far as that goes.
//! Nothing is listed there: the content says what its operations are.

use aqueduct_operations::consent::{Consent, ConsentRequest};
use aqueduct_operations::handler::SealedHandler;
use std::fmt::Debug;
use std::sync::Arc;

/// A connection that content names. Its kind sets `needs_consent`: before `allow` nothing reaches it.
pub trait NamedConnection: Debug + Send + Sync {
    /// What reaching it asks of the operator.
    fn consent_requests(&self) -> Vec<ConsentRequest>;

    /// Sets who knows what the operator allows to the content. The first one stays.
    fn allow(&self, consent: Arc<dyn Consent>);

    /// Reaches it now, because nothing that it asks for waits for the operator. Without this, the first call that finds it
    /// allowed does.
    fn open(&self);

    /// The code that runs what has this name there.
    fn handler(self: Arc<Self>, name: &str) -> SealedHandler;
}
