//! What is counted of the operator's page: who signs in, what is done there, and how many browsers follow it.
//!
//! Words of closed sets in; lines of the metrics out.

use super::text::MetricsText;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The counts.
#[derive(Debug, Default)]
pub struct PageCounts {
    sign_ins: Mutex<BTreeMap<&'static str, u64>>,
    actions: Mutex<BTreeMap<&'static str, u64>>,
    followers: AtomicU64,
}

/// A browser that follows what changes; it has gone when this is dropped.
#[derive(Debug)]
pub struct Follower(Arc<PageCounts>);

impl PageCounts {
    /// Somebody tried to sign in.
    pub fn sign_in(&self, outcome: &'static str) {
        *self.sign_ins.lock().unwrap_or_else(PoisonError::into_inner).entry(outcome).or_default() += 1;
    }

    /// The operator did something.
    pub fn act(&self, action: &'static str) {
        *self.actions.lock().unwrap_or_else(PoisonError::into_inner).entry(action).or_default() += 1;
    }

    /// A browser begins to follow.
    pub fn follow(self: &Arc<Self>) -> Follower {
        self.followers.fetch_add(1, Ordering::Relaxed);
        Follower(Arc::clone(self))
    }

    pub(super) fn write(&self, page: &mut MetricsText) {
        let counted = [
            (
                "aqueduct_operator_sign_ins_total",
                "Attempts to sign in on the operator's page.",
                "outcome",
                &self.sign_ins,
            ),
            (
                "aqueduct_operator_actions_total",
                "What was done on the operator's page.",
                "action",
                &self.actions,
            ),
        ];
        for (name, about, label, counts) in counted {
            page.head(name, "counter", about);
            for (word, count) in counts.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                page.line(name, &[(label, word)], count);
            }
        }
        let name = "aqueduct_operator_followers";
        page.head(name, "gauge", "Browsers that follow the operator's page.");
        page.line(name, &[], self.followers.load(Ordering::Relaxed));
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.followers.fetch_sub(1, Ordering::Relaxed);
    }
}
