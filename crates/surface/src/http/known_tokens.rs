//! Every token that is known: those of the settings, which stay, and those of a list that changes while the server runs.
//!
//! What a client sent in; who it is and what it may do, or why it is no one, out. The list is written by the code that keeps the callers
//! (`CallerListWriter`); no request waits for them. Until it was written once, no request is let in by it, and no one without a token.

use super::bearer_tokens::{Token, find};
use super::settings::HttpSettings;
use aqueduct_operations::call::{Caller, Scopes};
use aqueduct_operations::clock::Clock;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Callers whose tokens come and go, as they were written last.
#[derive(Debug, Clone)]
pub struct CallerList(watch::Receiver<ListedTokens>);

/// Writes a list.
#[derive(Debug)]
pub struct CallerListWriter(watch::Sender<ListedTokens>);

#[derive(Debug, Clone, Default)]
struct ListedTokens {
    tokens: Option<Arc<[Token]>>,
    /// Anyone who takes the last token back does not open the server to everybody.
    had_some: bool,
}

impl CallerListWriter {
    /// A list of which nothing is known yet, and what writes it.
    pub fn new() -> (CallerListWriter, CallerList) {
        let (writer, list) = watch::channel(ListedTokens::default());
        (CallerListWriter(writer), CallerList(list))
    }

    /// From now on these are the tokens.
    pub fn write(&self, tokens: Vec<Token>) {
        self.0.send_modify(|listed| {
            listed.had_some |= !tokens.is_empty();
            listed.tokens = Some(tokens.into());
        });
    }

    /// From now on no request is let in without a token, though there may be none in the list: there were some.
    pub fn need_tokens(&self) {
        self.0.send_modify(|listed| listed.had_some = true);
    }

    /// Waits until no one reads the list any more.
    pub async fn unread(&self) {
        self.0.closed().await;
    }
}

impl CallerList {
    /// Whether the list was read, and there never was a token in it.
    pub(super) fn is_known_to_be_empty(&self) -> bool {
        let listed = self.0.borrow();
        listed.tokens.is_some() && !listed.had_some
    }
}

/// All of them.
#[derive(Debug, Clone)]
pub struct KnownTokens {
    fixed: Arc<[Token]>,
    listed: Option<CallerList>,
    clock: Arc<dyn Clock>,
    /// No request is let in without a token, though there may be none.
    are_needed: bool,
}

/// Why a request has no caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BearerRefusal {
    /// It came without one.
    Missing,
    /// It is not known.
    Unknown,
    /// It was good once.
    Expired,
    /// The list could not be read yet.
    NotReady,
}

impl KnownTokens {
    /// The tokens of these settings.
    pub fn of(settings: &HttpSettings, clock: &Arc<dyn Clock>) -> KnownTokens {
        KnownTokens {
            fixed: settings.tokens.as_slice().into(),
            listed: settings.callers.clone(),
            clock: Arc::clone(clock),
            are_needed: settings.needs_tokens,
        }
    }

    /// Who calls and what they may do: what the token says. Where there are no tokens, every client runs the server.
    pub fn sender(&self, presented: Option<&str>) -> Result<(Caller, Scopes), BearerRefusal> {
        let listed = self.listed.as_ref().map(|list| list.0.borrow().clone());
        let is_ready = listed.as_ref().is_none_or(|listed| listed.tokens.is_some());
        let had_some = listed.as_ref().is_some_and(|listed| listed.had_some);
        if self.fixed.is_empty() && !is_ready {
            return Err(BearerRefusal::NotReady);
        }
        if self.fixed.is_empty() && !had_some && !self.are_needed {
            return Ok((Caller::local(), Scopes::unrestricted()));
        }
        let presented = presented.ok_or(BearerRefusal::Missing)?;
        let listed = listed.and_then(|listed| listed.tokens).unwrap_or_default();
        match find(self.fixed.iter().chain(&*listed), presented) {
            Some(token) if token.is_expired(self.clock.now()) => Err(BearerRefusal::Expired),
            Some(token) => Ok((token.caller(), token.scopes())),
            None if is_ready => Err(BearerRefusal::Unknown),
            None => Err(BearerRefusal::NotReady),
        }
    }

    /// Whether there is a list that may change.
    pub fn may_change(&self) -> bool {
        self.listed.is_some()
    }

    /// Waits for another list, at most for this long: tokens end by themselves too.
    pub async fn changed_within(&mut self, most: Duration) {
        let Some(list) = &mut self.listed else { return tokio::time::sleep(most).await };
        // Without a writer the list stays as it is.
        if let Ok(Err(_)) = tokio::time::timeout(most, list.0.changed()).await {
            tokio::time::sleep(most).await;
        }
    }

    /// Whether the caller of this name has a token that is good.
    pub fn is_good(&self, name: &str) -> bool {
        let now = self.clock.now();
        let is_good = |token: &Token| token.is_of(name) && !token.is_expired(now);
        let listed = self.listed.as_ref().and_then(|list| list.0.borrow().tokens.clone()).unwrap_or_default();
        self.fixed.iter().chain(&*listed).any(is_good)
    }
}

#[cfg(test)]
mod tests;
