//! How often the person behind a call is asked, by its handler or because it needs a confirmation.
//!
//! An asker in; out, one that puts a few questions of each call, and so many in a minute of one source to one session, and declines
//! the rest by itself. A person who is asked without end gives in; a warning says how many were declined.

use aqueduct_operations::call::SessionId;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::handler::{Boxed, ElicitRequest, ElicitResponse, Elicitor};
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_operations::token_bucket::TokenBuckets;
use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Questions of one call.
pub const MOST_IN_A_CALL: u32 = 5;

/// Questions of one source to one session that may come in a burst.
const BURST: f64 = 20.0;

/// Seconds until one more question is allowed after that: ten in a minute.
pub const SECONDS_FOR_ONE: u64 = 6;

/// Counts the questions of each source to each session.
#[derive(Debug)]
pub struct QuestionLimiter(TokenBuckets<QuestionKey>);

impl Default for QuestionLimiter {
    fn default() -> QuestionLimiter {
        QuestionLimiter(TokenBuckets::new(1.0 / SECONDS_FOR_ONE as f64, BURST))
    }
}

/// Which source asks in which session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct QuestionKey {
    source: String,
    session: SessionId,
}

/// The asker of one call.
#[derive(Debug)]
pub struct BoundedElicitor {
    asker: Arc<dyn Elicitor>,
    questions: Arc<QuestionLimiter>,
    key: QuestionKey,
    clock: Arc<dyn Clock>,
    put: AtomicU32,
    declined: AtomicU32,
}

impl QuestionLimiter {
    /// An asker for one call of this source in this session.
    pub fn bounded(
        self: &Arc<Self>,
        asker: &Arc<dyn Elicitor>,
        source: &str,
        session: &SessionId,
        clock: &Arc<dyn Clock>,
    ) -> Arc<BoundedElicitor> {
        Arc::new(BoundedElicitor {
            asker: Arc::clone(asker),
            questions: Arc::clone(self),
            key: QuestionKey { source: source.to_owned(), session: session.clone() },
            clock: Arc::clone(clock),
            put: AtomicU32::new(0),
            declined: AtomicU32::new(0),
        })
    }

    /// Forgets a session.
    pub fn end_session(&self, session: &SessionId) {
        self.0.forget(|key| key.session == *session);
    }
}

impl BoundedElicitor {
    /// Counts a question; false for one too many.
    fn may_ask(&self) -> bool {
        let within_call = self.put.fetch_add(1, Ordering::SeqCst) < MOST_IN_A_CALL;
        let now = self.clock.now().duration_since(Timestamp::UNIX_EPOCH).unsigned_abs();
        let is_allowed = within_call && self.questions.0.take(self.key.clone(), now);
        if !is_allowed {
            self.declined.fetch_add(1, Ordering::SeqCst);
        }
        is_allowed
    }

    /// True when a question was asked, answered or not.
    pub fn has_asked(&self) -> bool {
        self.put.load(Ordering::SeqCst) > 0
    }

    /// The warning about questions that were declined.
    pub fn warning(&self) -> Option<Warning> {
        let declined = self.declined.load(Ordering::SeqCst);
        if declined == 0 {
            return None;
        }
        let source = &self.key.source;
        let message = format!(
            "'{source}' asked too many questions: {declined} were declined without asking anybody. A call may ask {MOST_IN_A_CALL}, \
             and one source ten in a minute"
        );
        Some(
            Warning::new("QUESTIONS_DECLINED", message)
                .with("source", source.as_str())
                .with("declined", declined)
                .rated(WarningSeverity::Medium),
        )
    }
}

impl Elicitor for BoundedElicitor {
    fn ask<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        if self.may_ask() { self.asker.ask(question) } else { Box::pin(async { ElicitResponse::Declined }) }
    }

    fn ask_apart<'a>(&'a self, question: ElicitRequest) -> Boxed<'a, ElicitResponse> {
        if self.may_ask() {
            self.asker.ask_apart(question)
        } else {
            Box::pin(async { ElicitResponse::Declined })
        }
    }
}

#[cfg(test)]
mod tests;
