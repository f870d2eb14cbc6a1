//! Reads an answer: a response comes in, an `Answer` or the reason why there is none goes out (runtime specification,
//! sections 7 and 11.5).
//!
//! The body is read up to the limit, counted after decompression; a byte order mark is dropped, emptiness judged, then the
//! content type, then the JSON, and the status last. A good body is checked and passed on as text, no tree is built.

use super::error_text;
use super::send::{Sending, transport};
use super::{body_text, classify};
use crate::error::{StatusError, UnreadableError, UnreadableKind, UpstreamError};
use crate::redact::{Redactor, in_tree};
use crate::upstream::Answer;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::raw_json::RawJson;
use http::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER, SET_COOKIE};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use std::borrow::Cow;
use std::time::{Duration, SystemTime};

/// Bytes of memory taken on the word of a `Content-Length`.
const MOST_RESERVED: usize = 1024 * 1024;
/// Characters of a body shown in an error.
const PREVIEW: usize = 200;
/// Characters of the upstream's words shown in an error.
const MOST_WORDS: usize = 300;

/// Reads the answer to a call.
pub(crate) async fn read(call: &Sending<'_>, response: Response) -> Result<Answer, UpstreamError> {
    let head = Head {
        status: response.status(),
        content_type: content_type(response.headers(), &call.credentials.redactor),
        retry_after: retry_after(response.headers(), &*call.shared.settings.clock),
        text_allowed: call.target.text_response,
        redactor: &call.credentials.redactor,
    };
    let headers = response.headers().clone();
    let bytes = match body(call, response).await? {
        Body::Whole(bytes) => bytes,
        Body::Broken => return Err(head.unreadable(UnreadableKind::Encoding, "", None)),
    };
    let data = head.data(&bytes)?;
    Ok(Answer {
        status: head.status.as_u16(),
        headers: head.shown(&headers),
        content_type: head.content_type,
        data,
    })
}

enum Body {
    Whole(Vec<u8>),
    Broken,
}

async fn body(call: &Sending<'_>, mut response: Response) -> Result<Body, UpstreamError> {
    let limit = call.shared.settings.max_response_size;
    let announced = response.content_length().unwrap_or_default();
    if announced > limit {
        return Err(UpstreamError::TooLarge { limit, actual: announced });
    }
    let mut bytes =
        Vec::with_capacity(usize::try_from(announced).unwrap_or(MOST_RESERVED).min(MOST_RESERVED));
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(Body::Whole(bytes)),
            Err(error) => {
                let Some(trouble) = classify::reading(&error) else { return Ok(Body::Broken) };
                return Err(transport(call.site(), trouble));
            }
        }
        let seen = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if seen > limit {
            return Err(UpstreamError::TooLarge { limit, actual: seen });
        }
    }
}

/// What is known of an answer before its body.
struct Head<'a> {
    status: StatusCode,
    content_type: String,
    retry_after: Option<Duration>,
    text_allowed: bool,
    redactor: &'a Redactor,
}

impl Head<'_> {
    fn data(&self, bytes: &[u8]) -> Result<RawJson, UpstreamError> {
        if bytes.is_empty() {
            return self.of_empty();
        }
        if !body_text::is_text(&self.content_type) {
            return Err(self.unreadable(UnreadableKind::Binary, "", None));
        }
        let text = match body_text::decode(bytes, &self.content_type) {
            Ok(text) => text,
            Err(lossy) => return Err(self.unreadable(UnreadableKind::Encoding, &lossy, None)),
        };
        if text.trim().is_empty() {
            return self.of_empty();
        }
        if self.text_allowed && !body_text::is_json(&self.content_type) {
            return self.of_text(&text);
        }
        if self.status.is_success() {
            self.checked(&text).map_err(|error| self.unparseable(&text, &error))
        } else {
            let body: Value = serde_json::from_str(&text).map_err(|error| self.unparseable(&text, &error))?;
            Err(self.failed(&body))
        }
    }

    fn of_empty(&self) -> Result<RawJson, UpstreamError> {
        if self.status.is_success() { Ok(RawJson::of(&Value::Null)) } else { Err(self.failed(&Value::Null)) }
    }

    fn of_text(&self, text: &str) -> Result<RawJson, UpstreamError> {
        if self.status.is_success() {
            Ok(RawJson::of(&Value::from(self.redactor.data(text))))
        } else {
            Err(self.failed(&serde_json::json!({"message": text})))
        }
    }

    /// The text as checked JSON without credentials.
    fn checked(&self, text: &str) -> Result<RawJson, serde_json::Error> {
        let clean = self.redactor.json(text);
        match (RawJson::parse(&clean), clean) {
            // A credential of digits may have been a number: then it is replaced where it cannot break the JSON.
            (Err(_), Cow::Owned(_)) => Ok(RawJson::of(&in_tree(self.redactor, serde_json::from_str(text)?))),
            (parsed, _) => parsed,
        }
    }

    fn failed(&self, body: &Value) -> UpstreamError {
        let reason = error_text::reason(body);
        let words = reason.as_deref().map(|reason| self.redactor.words(reason, MOST_WORDS));
        let words = words.filter(|words| !words.is_empty());
        UpstreamError::Status(Box::new(StatusError {
            status: self.status.as_u16(),
            words_from_body: words.is_some(),
            words: words.unwrap_or_else(|| error_text::of_status(self.status)),
            retry_after: self.retry_after,
            missing_parameter: error_text::complains_of_missing_parameter(body, reason.as_deref()),
            content_type: self.content_type.clone(),
        }))
    }

    fn unparseable(&self, text: &str, error: &serde_json::Error) -> UpstreamError {
        let is_html = self.content_type.to_ascii_lowercase().contains("text/html");
        let kind = if is_html { UnreadableKind::Html } else { UnreadableKind::Json };
        self.unreadable(kind, text, Some(error.to_string()))
    }

    fn unreadable(&self, kind: UnreadableKind, text: &str, parser_message: Option<String>) -> UpstreamError {
        UpstreamError::Unreadable(Box::new(UnreadableError {
            kind,
            http_status: self.status.as_u16(),
            content_type: self.content_type.clone(),
            body_preview: self.redactor.preview(text, PREVIEW),
            parser_message,
            retry_after: self.retry_after,
        }))
    }

    /// The headers that may be shown: cookies are the upstream's credentials.
    fn shown(&self, headers: &HeaderMap) -> Vec<(String, String)> {
        headers
            .iter()
            .filter(|(name, _)| *name != SET_COOKIE)
            .map(|(name, value)| {
                let text = String::from_utf8_lossy(value.as_bytes());
                (name.to_string(), self.redactor.data(&text).into_owned())
            })
            .collect()
    }
}

fn content_type(headers: &HeaderMap, redactor: &Redactor) -> String {
    let bytes = headers.get(CONTENT_TYPE).map(|value| value.as_bytes()).unwrap_or_default();
    redactor.error(&String::from_utf8_lossy(bytes)).into_owned()
}

/// How long the upstream asks to wait: in seconds, or until a date.
fn retry_after(headers: &HeaderMap, clock: &dyn Clock) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    Some(until.duration_since(SystemTime::from(clock.now())).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use crate::error::{StatusError, UnreadableError, UnreadableKind, UpstreamError};
    use crate::test_support::{Variables, call};
    use crate::upstream::{Answer, Upstream, UpstreamSettings};
    use aqueduct_operations::auth::Auth;
    use aqueduct_operations::params::{Kind, Param, Place};
    use aqueduct_testkit::api::{self, FakeApi};
    use aqueduct_testkit::clock::TestClock;
    use aqueduct_testkit::operation::{get, http_target, param, with_param, with_site, with_target};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::{Map, Value, json};
    use std::io::Write;
    use std::sync::Arc;
    use std::time::Duration;

    async fn read(answer: api::Answer) -> Result<Answer, UpstreamError> {
        let api = FakeApi::always(answer).await;
        call(&get("g", &api.base_url(), "/x"), &[], json!({})).await
    }

    async fn data(answer: api::Answer) -> String {
        read(answer).await.unwrap().data.as_str().to_owned()
    }

    async fn failed(answer: api::Answer) -> StatusError {
        match read(answer).await {
            Err(UpstreamError::Status(status)) => *status,
            other => panic!("{other:?}"),
        }
    }

    async fn unreadable(answer: api::Answer) -> UnreadableError {
        match read(answer).await {
            Err(UpstreamError::Unreadable(unreadable)) => *unreadable,
            other => panic!("{other:?}"),
        }
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn deflate(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    /// R7.1-1 R2.2-6 X-plugins-7 X-plugins-9: every 2xx gives its body, status and headers.
    #[tokio::test]
    async fn success() {
        for status in [200, 201, 202, 299] {
            let answer = read(api::Answer::json(status, json!({"a": [1, "b"]})).header("X-Rate", "5")).await;
            let answer = answer.unwrap();
            assert_eq!((answer.status, answer.data.as_str()), (status, r#"{"a":[1,"b"]}"#));
            assert_eq!(answer.content_type, "application/json");
            assert!(answer.headers.contains(&("x-rate".to_owned(), "5".to_owned())));
        }
    }

    /// R7.2-1 R7.3-2 R8.2-13 X-plugins-9: any other status is a failure with the upstream's words.
    #[tokio::test]
    async fn failures() {
        for status in [304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504] {
            let body = if status == 304 {
                api::Answer::empty(304)
            } else {
                api::Answer::json(status, json!({"message": "no"}))
            };
            let failed = failed(body).await;
            assert_eq!(failed.status, status);
            assert_eq!(failed.words, if status == 304 { "304 Not Modified" } else { "no" });
            assert_eq!(failed.words_from_body, status != 304);
        }
        assert_eq!(failed(api::Answer::empty(302)).await.words, "302 Found");
        let switching = api::Answer::raw("HTTP/1.1 101 Switching Protocols\r\n\r\n");
        assert_eq!(failed(switching).await.words, "101 Switching Protocols");
    }

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

    /// R7.3-11: no body is null.
    #[tokio::test]
    async fn empty_bodies() {
        for answer in [
            api::Answer::empty(200),
            api::Answer::empty(204),
            api::Answer::empty(200).header("Content-Type", "application/octet-stream"),
            api::Answer::bytes(200, "\u{feff}\n"),
        ] {
            assert_eq!(data(answer).await, "null");
        }
    }

    /// R7.3-12: binary content is unexpected, even when it would parse.
    #[tokio::test]
    async fn binary() {
        for kind in
            ["image/png", "application/octet-stream", "application/pdf", "audio/mpeg", "application/zip"]
        {
            let binary = unreadable(api::Answer::bytes(200, "1").header("Content-Type", kind)).await;
            assert_eq!((binary.kind, binary.content_type.as_str()), (UnreadableKind::Binary, kind));
            assert_eq!(binary.body_preview, "");
        }
        for kind in ["application/problem+json", "text/plain", "application/json; charset=utf-8"] {
            assert_eq!(data(api::Answer::bytes(200, "1").header("Content-Type", kind)).await, "1");
        }
    }

    /// R7.3-13: a byte order mark is dropped.
    #[tokio::test]
    async fn byte_order_mark() {
        assert_eq!(data(api::Answer::bytes(200, "\u{feff}{\"a\":1}")).await, r#"{"a":1}"#);
    }

    #[tokio::test]
    async fn charsets() {
        let latin = api::Answer::bytes(200, b"\"caf\xe9\"".to_vec())
            .header("Content-Type", "application/json; charset=\"ISO-8859-1\"");
        assert_eq!(data(latin).await, "\"café\"");
        let broken = unreadable(api::Answer::bytes(200, b"\"caf\xe9\"".to_vec())).await;
        assert_eq!(broken.kind, UnreadableKind::Encoding);
    }

    #[tokio::test]
    async fn text_where_it_is_declared() {
        let read = async |answer| {
            let api = FakeApi::always(answer).await;
            let operation =
                with_target(get("g", &api.base_url(), "/x"), |target| target.text_response = true);
            call(&operation, &[], json!({})).await
        };
        let text = async |answer| read(answer).await.unwrap().data.as_str().to_owned();
        assert_eq!(text(api::Answer::text(200, "a \"b\"\n")).await, r#""a \"b\"\n""#);
        assert_eq!(text(api::Answer::html(200, "<p>")).await, "\"<p>\"");
        assert_eq!(text(api::Answer::json(200, json!({"a": 1}))).await, r#"{"a":1}"#);
        match read(api::Answer::text(404, "nothing\nhere")).await {
            Err(UpstreamError::Status(status)) => assert_eq!(status.words, "nothing here"),
            other => panic!("{other:?}"),
        }
    }

    async fn read_with_limit(limit: u64, answer: api::Answer) -> Result<Answer, UpstreamError> {
        let api = FakeApi::always(answer).await;
        let operation = get("g", &api.base_url(), "/x");
        let settings = UpstreamSettings { max_response_size: limit, ..UpstreamSettings::default() };
        let upstream = Upstream::new(settings, Arc::new(Variables::default())).unwrap();
        upstream.call(&operation, http_target(&operation), &Map::new()).await
    }

    /// R11.5-1 R11.5-2: bodies are capped, announced or not, and counted after decompression.
    #[tokio::test]
    async fn size_limit() {
        assert_eq!(UpstreamSettings::default().max_response_size, 10_485_760);
        let text = Value::from("x".repeat(998)).to_string();
        let fits = read_with_limit(1000, api::Answer::bytes(200, text.clone())).await;
        assert_eq!(fits.unwrap().data.as_str().len(), 1000);
        let announced = api::Answer::stall_after("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
        let error = read_with_limit(999, announced).await.unwrap_err();
        assert_eq!(error, UpstreamError::TooLarge { limit: 999, actual: 5000 });
        let unannounced = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{text}");
        let error = read_with_limit(999, api::Answer::raw(unannounced)).await.unwrap_err();
        assert_eq!(error, UpstreamError::TooLarge { limit: 999, actual: 1000 });
        let bomb = gzip(&Value::from("x".repeat(1_000_000)).to_string());
        assert!(bomb.len() < 5000);
        let error =
            read_with_limit(5000, api::Answer::bytes(200, bomb).header("Content-Encoding", "gzip")).await;
        assert!(matches!(error, Err(UpstreamError::TooLarge { limit: 5000, .. })), "{error:?}");
    }

    #[tokio::test]
    async fn compression() {
        let text = r#"{"a":1}"#;
        let zstd = [&b"\x28\xb5\x2f\xfd\x20\x07\x39\x00\x00"[..], text.as_bytes()].concat();
        let brotli = [&b"\x60\x00\x10"[..], text.as_bytes(), b"\x03"].concat();
        for (name, bytes) in
            [("gzip", gzip(text)), ("deflate", deflate(text)), ("zstd", zstd), ("br", brotli)]
        {
            let good = api::Answer::bytes(200, bytes).header("Content-Encoding", name);
            assert_eq!(data(good).await, text, "{name}");
        }
        let cut = gzip(&"1".repeat(5000));
        let cut = api::Answer::bytes(200, &cut[..cut.len() / 2]).header("Content-Encoding", "gzip");
        assert_eq!(unreadable(cut).await.kind, UnreadableKind::Encoding);
        let garbage = api::Answer::bytes(200, "no gzip").header("Content-Encoding", "gzip");
        assert_eq!(unreadable(garbage).await.kind, UnreadableKind::Encoding);
    }

    /// R11.2-1 R11.3-4: a credential that comes back, in body, headers or words, is not passed on.
    #[tokio::test]
    async fn echoed_credentials() {
        let echo = |status| {
            api::Answer::json(status, json!({"message": "bad p/ss\"word 123456", "n": 1}))
                .header("X-Echo", "p/ss\"word 123456")
                .header("Set-Cookie", "session=upstream")
        };
        for (secret, expected) in
            [("p/ss\"word", "bad [REDACTED] 123456"), ("123456", "bad p/ss\"word [REDACTED]")]
        {
            let api =
                FakeApi::start(move |request| echo(if request.path() == "/ok" { 200 } else { 400 })).await;
            let auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
            for path in ["/ok", "/bad"] {
                let operation = with_site(get("g", &api.base_url(), path), |site| site.auth = auth.clone());
                match call(&operation, &[("T", secret)], json!({})).await {
                    Ok(answer) => {
                        let data: Value = serde_json::from_str(answer.data.as_str()).unwrap();
                        assert_eq!(data["message"], expected);
                        assert!(!format!("{:?}", answer.headers).contains("upstream"));
                        let echoed = answer.headers.iter().find(|(name, _)| name == "x-echo").unwrap();
                        assert_eq!(format!("bad {}", echoed.1), expected);
                    }
                    Err(UpstreamError::Status(status)) => assert_eq!(status.words, expected),
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
    }

    /// R11.2-1 R11.3-4: a credential that is spelled with escapes is not passed on, in data, in words or in the beginning
    /// of a body that is no JSON.
    #[tokio::test]
    async fn escaped_credentials() {
        let secret = "s/cr\"t\\k3y";
        let lower: String = secret.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
        let upper: String = secret.bytes().map(|byte| format!("\\u{byte:04X}")).collect();
        let auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
        for form in [
            r#"s/cr\"t\\k3y"#,
            r#"s\/cr\"t\\k3y"#,
            r#"s\u002Fcr\"t\u005ck3y"#,
            r#"\u0073\/cr\u0022t\\k3y"#,
            &lower,
            &upper,
        ] {
            let whole = format!(r#"{{"message":"bad {form}","{form}":1}}"#);
            let api = FakeApi::start(move |request| match request.path() {
                "/ok" => api::Answer::bytes(200, whole.clone()),
                "/bad" => api::Answer::bytes(400, whole.clone()),
                _ => api::Answer::bytes(200, &whole[..whole.len() - 1]),
            })
            .await;
            for path in ["/ok", "/bad", "/cut"] {
                let operation = with_site(get("g", &api.base_url(), path), |site| site.auth = auth.clone());
                match call(&operation, &[("T", secret)], json!({})).await {
                    Ok(answer) => {
                        let data: Value = serde_json::from_str(answer.data.as_str()).unwrap();
                        assert_eq!(data, json!({"message": "bad [REDACTED]", "[REDACTED]": 1}), "{form}");
                    }
                    Err(UpstreamError::Status(status)) => assert_eq!(status.words, "bad [REDACTED]"),
                    Err(UpstreamError::Unreadable(cut)) => {
                        let preview = cut.body_preview;
                        assert_eq!(preview, r#"{"message":"bad [REDACTED]","[REDACTED]":1"#, "{form}");
                    }
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
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

    /// R11.2-1: a credential of digits is replaced without breaking the JSON.
    #[tokio::test]
    async fn numeric_credentials() {
        let api = FakeApi::always(api::Answer::json(200, json!({"id": 12345678, "t": "x12345678"}))).await;
        let auth = Auth::Bearer { token_env: "T".into(), prefix: String::new() };
        let operation = with_site(get("g", &api.base_url(), "/x"), |site| site.auth = auth);
        let answer = call(&operation, &[("T", "12345678")], json!({})).await.unwrap();
        assert_eq!(answer.data.as_str(), r#"{"id":"[REDACTED]","t":"x[REDACTED]"}"#);
    }

    /// The wait that the upstream asks for, as seconds or as a date.
    #[tokio::test]
    async fn retry_after() {
        let clock = TestClock::default();
        for (value, seconds) in [
            ("120", Some(120)),
            ("Thu, 01 Jan 2026 12:00:30 GMT", Some(30)),
            ("Thu, 01 Jan 2026 11:00:00 GMT", Some(0)),
            ("soon", None),
        ] {
            let api = FakeApi::always(api::Answer::empty(429).header("Retry-After", value)).await;
            let operation = get("g", &api.base_url(), "/x");
            let settings = UpstreamSettings { clock: Arc::new(clock.clone()), ..UpstreamSettings::default() };
            let upstream = Upstream::new(settings, Arc::new(Variables::default())).unwrap();
            let error = upstream.call(&operation, http_target(&operation), &Map::new()).await.unwrap_err();
            assert_eq!(error.retry_after(), seconds.map(Duration::from_secs), "{value}");
        }
    }
}
