//! Who has signed in: sessions of this process, which end after a while without use, and in any case after half a day.
//!
//! A session has two secrets. Its key is in the address of every page, and its cookie is sent to addresses with that key alone:
//! browsers send cookies to every port of a host, so that a cookie for the whole host would reach whatever else listens on this
//! machine. Forms carry a third, which no other page can read. None of them is ever logged.

use super::backend::PassphraseMark;
use crate::headers::only;
use aqueduct_operations::digest::hex;
use http::{HeaderMap, HeaderValue, header};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use subtle::ConstantTimeEq;
use tokio::time::Instant;

/// How long a session lives without a request of a person.
pub const IDLE: Duration = Duration::from_secs(2 * 3600);
/// How long it lives in any case.
pub const LONGEST: Duration = Duration::from_secs(12 * 3600);
/// How many there are at most; for a further one, the one that was idle for longest is ended.
const MOST: usize = 32;

const COOKIE: &str = "aqueduct_operator";

/// No random numbers can be had, so no one is signed in.
#[derive(Debug)]
pub struct NoRandomNumbers;

/// The sessions.
#[derive(Default)]
pub struct Sessions(Mutex<HashMap<String, OperatorSession>>);

struct OperatorSession {
    cookie: String,
    form_token: String,
    mark: PassphraseMark,
    began: Instant,
    used: Instant,
    notice: Option<String>,
}

/// Somebody who has signed in, as a request shows it.
#[derive(Clone)]
pub struct SignedIn {
    /// The key of the session.
    pub key: String,
    /// What its forms carry.
    pub form_token: String,
    /// The passphrase that was used.
    pub mark: PassphraseMark,
}

/// Whether a request counts as use of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionUse {
    /// A person did something.
    Person,
    /// The page asks by itself.
    Page,
}

impl Sessions {
    /// Begins a session; its key, and the cookie to set.
    pub fn begin(&self, mark: PassphraseMark) -> Result<(String, HeaderValue), NoRandomNumbers> {
        let (key, cookie, form_token) = (secret()?, secret()?, secret()?);
        let attributes = format!("Path={}; HttpOnly; SameSite=Strict", desk_path(&key));
        let header = HeaderValue::from_str(&format!("{COOKIE}={cookie}; {attributes}"))
            .map_err(|_| NoRandomNumbers)?;
        let now = Instant::now();
        let mut sessions = self.lock();
        sessions.retain(|_, session| session.is_alive(now));
        if sessions.len() >= MOST {
            let oldest = sessions.iter().min_by_key(|(_, session)| session.used).map(|(key, _)| key.clone());
            oldest.map(|oldest| sessions.remove(&oldest));
        }
        let session = OperatorSession { cookie, form_token, mark, began: now, used: now, notice: None };
        sessions.insert(key.clone(), session);
        Ok((key, header))
    }

    /// Who sends a request for this key, if it is somebody who has signed in.
    pub fn find(&self, key: &str, headers: &HeaderMap, usage: SessionUse) -> Option<SignedIn> {
        let now = Instant::now();
        let mut sessions = self.lock();
        let session = sessions.get_mut(key)?;
        if !session.is_alive(now) {
            sessions.remove(key);
            return None;
        }
        if !same(cookie(headers)?, &session.cookie) {
            return None;
        }
        if usage == SessionUse::Person {
            session.used = now;
        }
        let (form_token, mark) = (session.form_token.clone(), session.mark.clone());
        Some(SignedIn { key: key.to_owned(), form_token, mark })
    }

    /// Whether a session that was found before still lives.
    pub fn lives(&self, key: &str) -> bool {
        let now = Instant::now();
        self.lock().get(key).is_some_and(|session| session.is_alive(now))
    }

    /// Ends a session; gives the cookie that takes its own back.
    pub fn end(&self, key: &str) -> Option<HeaderValue> {
        self.lock().remove(key)?;
        let cleared = format!("{COOKIE}=; Path={}; Max-Age=0; HttpOnly; SameSite=Strict", desk_path(key));
        HeaderValue::from_str(&cleared).ok()
    }

    /// Notes what the next page says once.
    pub fn set_notice(&self, key: &str, notice: String) {
        if let Some(session) = self.lock().get_mut(key) {
            session.notice = Some(notice);
        }
    }

    /// What the page says now.
    pub fn take_notice(&self, key: &str) -> Option<String> {
        self.lock().get_mut(key)?.notice.take()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, OperatorSession>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SignedIn {
    /// Whether a form is one that was given to this session.
    pub fn sent(&self, form_token: Option<&str>) -> bool {
        form_token.is_some_and(|token| same(token, &self.form_token))
    }

    /// Where the pages of the session are.
    pub fn base_path(&self) -> String {
        desk_path(&self.key)
    }
}

impl OperatorSession {
    fn is_alive(&self, now: Instant) -> bool {
        now.duration_since(self.used) < IDLE && now.duration_since(self.began) < LONGEST
    }
}

/// Where the pages of a session are.
fn desk_path(key: &str) -> String {
    format!("/desk/{key}/")
}

fn secret() -> Result<String, NoRandomNumbers> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomNumbers)?;
    Ok(hex(&bytes))
}

fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

/// The cookie of a session, if a request carries exactly one.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let pairs = only(headers, &header::COOKIE)?.split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value);
    let value = values.next()?;
    if values.next().is_some() { None } else { Some(value) }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

impl fmt::Debug for SignedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedIn").finish_non_exhaustive()
    }
}
