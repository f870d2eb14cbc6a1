//! Answers that are none: a body and its head come in, the error that tells of them goes out (runtime specification,
//! sections 7.2 and 7.3; ruling W1).
//!
//! Invariant: the upstream's words, and what is shown of its body, have passed the redactor.

use super::head::Head;
use crate::error::{StatusError, UnreadableError, UnreadableKind, UpstreamError};
use crate::http::{body_text, error_text};
use serde_json::Value;

/// Characters of a body shown in an error.
const PREVIEW: usize = 200;
/// Characters of the upstream's words shown in an error.
const MOST_WORDS: usize = 300;
/// Bytes of a plain text that is still a sentence or two.
const LONGEST_PLAIN_TEXT: usize = 1000;

impl Head<'_> {
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
            missing_parameter: error_text::complains_of_missing_parameter(body, reason.as_deref()),
            content_type: self.content_type.clone(),
        }))
    }

    /// Text that is not JSON.
    pub(super) fn unparseable(&self, text: &str, error: &serde_json::Error) -> UpstreamError {
        let is_html = body_text::is_html(&self.content_type);
        let kind = if is_html { UnreadableKind::Html } else { UnreadableKind::Json };
        self.unreadable(kind, text, Some(error.to_string()))
    }

    /// An answer that cannot be read.
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
            plain_words: self.plain_words(text),
            parser_message,
            retry_after: self.retry_after,
        }))
    }

    /// The sentence of a failed answer in plain text, such as `page not found`.
    fn plain_words(&self, text: &str) -> Option<String> {
        let is_sentence = body_text::is_plain(&self.content_type)
            && text.len() <= LONGEST_PLAIN_TEXT
            && !text.trim_start().starts_with(['<', '{', '[']);
        if self.status.is_success() || !is_sentence {
            return None;
        }
        Some(self.redactor.words(text, MOST_WORDS)).filter(|words| !words.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use crate::error::{UnreadableKind, UpstreamError};
    use crate::test_support::{call, failed, unreadable};
    use aqueduct_operations::params::{Kind, Param, Place};
    use aqueduct_testkit::api::{self, FakeApi};
    use aqueduct_testkit::operation::{get, param, with_param};
    use serde_json::json;

    /// R7.3-7: without words in the body, the status in words.
    #[tokio::test]
    async fn fallback_words() {
        assert_eq!(failed(api::Answer::empty(404)).await.words, "404 Not Found");
        assert_eq!(failed(api::Answer::json(500, json!({"x": 1}))).await.words, "500 Internal Server Error");
        assert_eq!(failed(api::Answer::json(400, json!({"message": " "}))).await.words, "400 Bad Request");
    }

    /// X-errors-32: a body that complains of a missing parameter is told from others.
    #[tokio::test]
    async fn missing_parameter() {
        assert!(
            failed(api::Answer::json(422, json!({"message": "title is required"}))).await.missing_parameter
        );
        assert!(!failed(api::Answer::json(422, json!({"message": "title is odd"}))).await.missing_parameter);
    }

    /// R7.3-8 R7.3-10: a web page is no answer, whatever its status.
    #[tokio::test]
    async fn html() {
        for status in [200, 502] {
            let page = unreadable(api::Answer::html(status, "<html>nginx</html>")).await;
            assert_eq!((page.kind, page.http_status), (UnreadableKind::Html, status));
            assert_eq!(page.content_type, "text/html; charset=utf-8");
            assert_eq!(page.body_preview, "<html>nginx</html>");
        }
    }

    /// R7.3-1 R7.3-9 R7.3-10: the body is parsed before the status is judged; the preview has 200 characters.
    #[tokio::test]
    async fn broken_json() {
        let cut = unreadable(api::Answer::bytes(200, r#"{"a": [1, 2"#)).await;
        assert_eq!((cut.kind, cut.content_type.as_str()), (UnreadableKind::Json, ""));
        assert_eq!(cut.body_preview, r#"{"a": [1, 2"#);
        assert!(cut.parser_message.is_some_and(|text| text.contains("EOF")));
        let plain = unreadable(api::Answer::text(500, &"é".repeat(300))).await;
        assert_eq!((plain.kind, plain.http_status), (UnreadableKind::Json, 500));
        assert_eq!(plain.body_preview, "é".repeat(200));
    }

    /// R11.3-1 R11.3-2 R11.3-3 R11.3-4 R11.3-5: the words of an upstream lose what they should not have said, and do not
    /// echo a sensitive parameter.
    #[tokio::test]
    async fn words_without_leaks() {
        let said =
            "Bad pin 98765\n  at run (/app/x.js:1:2)\nin /etc/app.conf on 10.0.0.7 by postgres://u:p@db/x";
        let api = FakeApi::always(api::Answer::json(400, json!({"message": said}))).await;
        let pin = Param { sensitive: true, ..param("pin", Kind::String, Place::Query) };
        let operation = with_param(get("g", &api.base_url(), "/x"), pin);
        match call(&operation, &[], json!({"pin": "98765"})).await {
            Err(UpstreamError::Status(status)) => {
                assert_eq!(status.words, "Bad pin [REDACTED] in [REDACTED] on [REDACTED] by [REDACTED]");
            }
            other => panic!("{other:?}"),
        }
    }

    /// X-errors-6: what the body says besides its words is kept, without a sensitive parameter.
    #[tokio::test]
    async fn the_rest_of_the_body() {
        let body = json!({"message": "Validation Failed", "errors": [{"field": "pin", "value": "98765"}]});
        let api = FakeApi::always(api::Answer::json(422, body)).await;
        let pin = Param { sensitive: true, ..param("pin", Kind::String, Place::Query) };
        let operation = with_param(get("g", &api.base_url(), "/x"), pin);
        match call(&operation, &[], json!({"pin": "98765"})).await {
            Err(UpstreamError::Status(status)) => {
                assert_eq!(status.words, "Validation Failed");
                let errors = json!([{"field": "pin", "value": "[REDACTED]"}]);
                assert_eq!(status.excerpt, Some(json!({"message": "Validation Failed", "errors": errors})));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(failed(api::Answer::json(404, json!({"message": "no"}))).await.excerpt, None);
        assert_eq!(failed(api::Answer::empty(404)).await.excerpt, None);
    }

    /// A short plain text of a failed answer is told; not of a good one, not a page, not broken JSON, not a long one.
    #[tokio::test]
    async fn plain_words() {
        let said = unreadable(api::Answer::text(404, "404 page\nnot found on 10.0.0.7\n")).await;
        assert_eq!(said.kind, UnreadableKind::Json);
        assert_eq!(said.plain_words.as_deref(), Some("404 page not found on [REDACTED]"));
        for answer in [
            api::Answer::text(200, "page not found"),
            api::Answer::text(500, "<html>"),
            api::Answer::text(500, "{\"a\":"),
            api::Answer::text(500, &"long ".repeat(500)),
            api::Answer::html(500, "page not found"),
        ] {
            assert_eq!(unreadable(answer).await.plain_words, None);
        }
    }
}
