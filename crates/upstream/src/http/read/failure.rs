//! Responses that are none: a body and its head come in, the error that describes them goes out (runtime specification,
//! sections 7.2 and 7.3; ruling W1).
//!
//! Invariant: the upstream's words, and what is shown of its body, have passed the redactor.

use super::head::ResponseHead;
use crate::error::{StatusError, UnreadableError, UnreadableKind, UpstreamError};
use crate::http::{body_text, error_text};
use serde_json::Value;

/// Characters of a body shown in an error.
const PREVIEW: usize = 200;
/// Characters of the upstream's words shown in an error.
const MOST_WORDS: usize = 300;
/// Bytes of a plain text that is still a sentence or two.
const LONGEST_PLAIN_TEXT: usize = 1000;

impl ResponseHead<'_> {
    /// A status other than 2xx, with the reason that the body gives.
    pub(super) fn failed(&self, body: &Value) -> UpstreamError {
        let reason = error_text::reason(body);
        let words = reason.as_deref().map(|reason| self.redactor.words(reason, MOST_WORDS));
        let words = words.filter(|words| !words.is_empty());
        let words_from_body = words.is_some();
        let words = words.unwrap_or_else(|| error_text::of_status(self.status));
        UpstreamError::Status(Box::new(StatusError {
            status: self.status.as_u16(),
            words_from_body,
            excerpt: error_text::excerpt(body, &words, self.status.as_u16(), self.redactor),
            words,
            retry_after: self.retry_after,
            missing_parameter: error_text::reports_missing_parameter(body, reason.as_deref()),
            content_type: self.content_type.clone(),
        }))
    }

    /// A status other than 2xx, with whatever the body says, of whatever kind: the status comes first.
    pub(super) fn refused(&self, bytes: &[u8]) -> UpstreamError {
        if bytes.is_empty() || !body_text::is_text(&self.content_type) {
            return self.failed(&Value::Null);
        }
        let text = body_text::decode(bytes, &self.content_type).unwrap_or_else(|lossy| lossy);
        if let Ok(body) = serde_json::from_str::<Value>(&text) {
            return self.failed(&body);
        }
        let trimmed = text.trim_start();
        if body_text::is_html(&self.content_type) || trimmed.starts_with('<') {
            return self.failed(&body_text::words_of_page(&text).map_or(Value::Null, Value::from));
        }
        let is_sentence = text.len() <= LONGEST_PLAIN_TEXT && !trimmed.starts_with(['{', '[']);
        let mut error = self.failed(&if is_sentence { Value::from(&*text) } else { Value::Null });
        if let (UpstreamError::Status(status), false) = (&mut error, is_sentence) {
            status.excerpt = Some(self.redactor.preview(&text, PREVIEW))
                .filter(|shown| !shown.is_empty())
                .map(Value::from);
        }
        error
    }

    /// Text that is not JSON.
    pub(super) fn unparseable(&self, text: &str, error: &serde_json::Error) -> UpstreamError {
        let is_html = body_text::is_html(&self.content_type);
        let kind = if is_html { UnreadableKind::Html } else { UnreadableKind::Json };
        self.unreadable(kind, text, Some(error.to_string()))
    }

    /// A response that cannot be read.
    pub(super) fn unreadable(
        &self,
        kind: UnreadableKind,
        text: &str,
        parser_message: Option<String>,
    ) -> UpstreamError {
        UpstreamError::Unreadable(Box::new(UnreadableError {
            kind,
            http_status: self.status.as_u16(),
            content_type: self.content_type.clone(),
            body_preview: self.redactor.preview(text, PREVIEW),
            parser_message,
            retry_after: self.retry_after,
        }))
    }
}

#[cfg(test)]
mod tests;
