//! Results exactly as they came.
//!
//! The SDK's types keep only the fields that they know. The reader of a transport passes them through
//! here first, and the results of the requests that were announced are kept, whole, for their sender.

use aqueduct_egress::redact::Redactor;
use aqueduct_operations::sanitize;
use aqueduct_operations::size::LARGE;
use rmcp::model::{ErrorCode, ErrorData, NumberOrString, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Results by request.
#[derive(Debug, Default)]
pub(crate) struct RawResults {
    announced: Mutex<HashMap<RequestId, Option<Value>>>,
    handshake_result: Mutex<Option<Map<String, Value>>>,
    stray: Mutex<StrayLines>,
    redactor: Arc<Redactor>,
}

/// What a server wrote on its standard output that is no message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StrayLines {
    /// How many lines.
    pub count: u64,
    /// The beginning of the first: one line, without secrets.
    pub first: String,
}

/// Characters of a stray line that are kept.
const LONGEST_STRAY: usize = 200;

/// Keeps a request announced until it is dropped.
#[derive(Debug)]
pub(crate) struct AnnouncedRequest<'a> {
    results: &'a RawResults,
    id: RequestId,
}

impl RawResults {
    /// Of a server whose secrets this redactor knows.
    pub(crate) fn of(redactor: Arc<Redactor>) -> RawResults {
        RawResults { redactor, ..RawResults::default() }
    }

    /// Announces a request whose result is wanted as it comes.
    pub(crate) fn announce(&self, id: RequestId) -> AnnouncedRequest<'_> {
        self.announced.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), None);
        AnnouncedRequest { results: self, id }
    }

    /// The response to the handshake, as it came.
    pub(crate) fn handshake_result(&self) -> Map<String, Value> {
        self.handshake_result.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
    }

    /// Keeps what is wanted of a message, and gives it as the SDK reads it; a response that cannot be read becomes an
    /// error, so that no caller waits for it.
    pub(crate) fn read(&self, text: &[u8]) -> Result<ServerJsonRpcMessage, serde_json::Error> {
        let read = serde_json::from_slice(text).and_then(|message: Value| {
            self.record(&message);
            serde_json::from_value(message)
        });
        read.or_else(|error| {
            unreadable(text, &error).ok_or_else(|| {
                self.note_stray(text);
                error
            })
        })
    }

    fn note_stray(&self, line: &[u8]) {
        let mut stray = self.stray.lock().unwrap_or_else(PoisonError::into_inner);
        if stray.count == 0 {
            // What is made one line may hold a secret that was none before, and the other way round.
            let line = String::from_utf8_lossy(line);
            let line = sanitize::one_line(&self.redactor.error(&line));
            stray.first = self.redactor.words(&line, LONGEST_STRAY);
        }
        stray.count += 1;
    }

    /// The lines so far that were no messages.
    pub(crate) fn stray_lines(&self) -> StrayLines {
        self.stray.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same on another thread, where the text is long: other servers are not kept waiting.
    pub(crate) async fn read_off_thread(
        self: &Arc<Self>,
        text: Vec<u8>,
    ) -> Result<ServerJsonRpcMessage, serde_json::Error> {
        if text.len() <= LARGE {
            return self.read(&text);
        }
        let results = Arc::clone(self);
        let read = tokio::task::spawn_blocking(move || results.read(&text)).await;
        read.unwrap_or_else(|_| Err(serde::de::Error::custom("reading was given up")))
    }

    /// Keeps what is wanted of the text of a message; gives the error that stands in the place of a response that cannot
    /// be read.
    pub(crate) fn record_text(&self, text: &str) -> Option<String> {
        match serde_json::from_str(text) {
            Ok(message) => {
                self.record(&message);
                None
            }
            Err(error) => serde_json::to_string(&unreadable(text.as_bytes(), &error)?).ok(),
        }
    }

    /// Keeps what is wanted of a message.
    pub(crate) fn record(&self, message: &Value) {
        let (Some(id), Some(result)) = (message.get("id"), message.get("result")) else { return };
        if let Some(handshake_result) = result.as_object().filter(|result| is_handshake_result(result)) {
            *self.handshake_result.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(handshake_result.clone());
        }
        let Some(id) = request_id(id) else { return };
        let mut announced = self.announced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = announced.get_mut(&id) {
            *place = Some(result.clone());
        }
    }
}

impl AnnouncedRequest<'_> {
    /// The result, once it has come.
    pub(crate) fn take(&self) -> Option<Value> {
        let mut announced = self.results.announced.lock().unwrap_or_else(PoisonError::into_inner);
        announced.get_mut(&self.id).and_then(Option::take)
    }
}

impl Drop for AnnouncedRequest<'_> {
    fn drop(&mut self) {
        self.results.announced.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

fn is_handshake_result(result: &Map<String, Value>) -> bool {
    result.contains_key("serverInfo") || result.contains_key("supportedVersions")
}

/// The error in the place of a response. What is skipped may be of any depth.
fn unreadable(text: &[u8], error: &serde_json::Error) -> Option<ServerJsonRpcMessage> {
    #[derive(Deserialize)]
    struct ResultHead {
        id: Value,
        #[serde(default)]
        result: Option<IgnoredAny>,
        #[serde(default)]
        error: Option<IgnoredAny>,
    }
    let head: ResultHead = serde_json::from_slice(text).ok().filter(|head: &ResultHead| {
        // A request of the server has neither.
        head.result.is_some() || head.error.is_some()
    })?;
    // The parser has no other way to tell.
    let why = if error.to_string().starts_with("recursion limit") {
        "The answer of the server is nested too deeply"
    } else {
        "The answer of the server cannot be read"
    };
    let error = ErrorData::new(ErrorCode::PARSE_ERROR, why, None);
    Some(ServerJsonRpcMessage::error(error, Some(request_id(&head.id)?)))
}

/// Identifiers that come back as text count as the numbers that they were.
fn request_id(id: &Value) -> Option<RequestId> {
    let number = id.as_i64().or_else(|| id.as_str().and_then(|text| text.parse().ok()));
    match number {
        Some(number) => Some(NumberOrString::Number(number)),
        None => id.as_str().map(|text| NumberOrString::String(text.into())),
    }
}

#[cfg(test)]
mod tests;
