//! Which version of a source is in service.
//!
//! What the source says now is offered; the other sources accept or refuse it. A refused one keeps the version in service.

use super::{SourceState, SourceVersion};
use std::sync::Arc;

impl SourceState {
    /// The version to serve if the other sources allow it: what the file says, else what is in service.
    pub fn offered(&self) -> Option<&Arc<SourceVersion>> {
        self.latest.as_ref().or(self.served.as_ref())
    }

    /// The version in service.
    pub fn served(&self) -> Option<&Arc<SourceVersion>> {
        self.served.as_ref()
    }

    /// True when something else is offered than what is in service.
    pub fn has_offer(&self) -> bool {
        self.latest.as_ref().is_some_and(|latest| !self.serves(latest))
    }

    /// True when this version is in service.
    pub(super) fn serves(&self, version: &SourceVersion) -> bool {
        self.served.as_ref().is_some_and(|served| served.digest == version.digest)
    }

    /// Puts what is offered into service. True when that is something else than before.
    pub fn accept(&mut self) -> bool {
        let is_new = self.has_offer();
        self.refusal = None;
        self.served = self.offered().cloned();
        is_new
    }

    /// Keeps what is in service, because what the file says cannot be served beside the others. True when that is news.
    pub fn refuse(&mut self, reason: String) -> bool {
        let refusal = self.error("SOURCE_CLASH", reason);
        let is_news = self.refusal.as_ref() != Some(&refusal);
        self.refusal = Some(refusal);
        is_news
    }
}
