//! What went wrong upstream, with the codes of the MCP document (section 4.3) and the texts of the runtime document
//! (section 8). Hosts are those of the base URL, never resolved addresses.

use aqueduct_operations::address::AddressKind;
use aqueduct_operations::example::minimal_params;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::operation::Entry;
use aqueduct_operations::target::{Segment, Target};
use aqueduct_upstream::UpstreamError;
use aqueduct_upstream::error::{
    BuildError, CredentialError, DestinationError, StatusError, TransportError, Trouble, UnreadableError,
    UnreadableKind, in_words,
};
use serde_json::{Map, Value, json};

/// Characters of a value in a message.
const LONGEST_VALUE: usize = 100;

/// Seconds to wait when an upstream is overloaded and does not say for how long.
const DEFAULT_RETRY_AFTER: u64 = 60;

/// An upstream's error.
pub fn upstream(error: UpstreamError, entry: &Entry, values: &Map<String, Value>) -> Failure {
    match error {
        UpstreamError::Build(error) => build(error),
        UpstreamError::Credential(error) => of_plugin(credential(error), "auth", auth_plugin(entry)),
        UpstreamError::Destination(error) => destination(&error),
        UpstreamError::Transport(error) => of_plugin(transport(&error), "transport", "http"),
        UpstreamError::Status(error) => status(&error, entry, values),
        UpstreamError::Unreadable(error) => of_plugin(unreadable(*error), "serialization", "json"),
        UpstreamError::TooLarge { limit, actual } => Failure::new(
            Code::ValidationPayloadTooLarge,
            format!("Payload exceeds response_size limit of {limit}. Response exceeds maximum size limit: ask for less."),
        )
        .with("limit_type", "response_size")
        .with("limit_value", limit)
        .with("actual_value", actual)
        .with("unit", "bytes"),
    }
}

/// Values that make no request, found before anyone is asked to confirm it. Told like any other rejected parameter.
pub fn unbuildable(error: BuildError, entry: &Entry) -> Failure {
    let failure = build(error);
    let Some(param) = failure.details.get("param_name").or_else(|| failure.details.get("location")).cloned()
    else {
        return failure;
    };
    let problem = json!({"code": failure.code.name(), "param": param, "message": failure.message});
    let example = json!({"operation": entry.public_name, "params": minimal_params(&entry.operation)});
    failure
        .with("operation", entry.public_name.as_str())
        .with("problems", vec![problem])
        .with("example", example)
}

/// Names the plugin in which a call failed (plugin contracts, section 8.1).
fn of_plugin(failure: Failure, category: &str, plugin: &str) -> Failure {
    failure.with("plugin", plugin).with("category", category)
}

fn auth_plugin(entry: &Entry) -> &'static str {
    match &entry.operation.target {
        Target::Http(target) => target.auth_in_force().kind(),
        Target::Handler(_) | Target::BuiltIn(_) => "none",
    }
}

fn build(error: BuildError) -> Failure {
    let invalid = |param: &str, why: &str| {
        Failure::new(Code::ValidationInvalidValue, format!("Parameter '{param}' {why}"))
            .with("param_name", param)
    };
    match error {
        BuildError::MissingPathParam { param } => {
            Failure::new(Code::ValidationMissingParam, format!("Missing required path parameter: '{param}'"))
                .with("param_name", param)
        }
        BuildError::InvalidType { param } => Failure::new(
            Code::ValidationInvalidType,
            format!("Parameter '{param}' expected 'string', got 'object': it goes into the URL or a header"),
        )
        .with("param_name", param)
        .with("expected_type", "string")
        .with("actual_type", "object"),
        BuildError::DotSegment { param } => invalid(&param, "must not be '.' or '..'"),
        BuildError::NotBase64 { param } => {
            invalid(&param, "must be base64 with padding, or an object with it as 'content'")
        }
        BuildError::NulCharacter { param } => wording::invalid_encoding(Some(&param), None),
        BuildError::HeaderValue { param } => {
            invalid(&param, "goes into a header and must not hold line breaks or control characters")
        }
        BuildError::HeaderName { header } | BuildError::ConstantHeader { header } => {
            bad_mapping(&format!("the header '{}' cannot be set", wording::echo(&header)))
        }
        BuildError::Url => bad_mapping("its path does not make a URL of the API"),
    }
}

/// The adapter file is at fault: no other request would do better.
fn bad_mapping(why: &str) -> Failure {
    let message = format!("The operation cannot be sent: {why}. Its adapter file has to be corrected.");
    of_plugin(Failure::new(Code::ProtocolInvalidMapping, message), "protocol", "rest")
}

fn credential(error: CredentialError) -> Failure {
    match error {
        CredentialError::Missing { variable } => Failure::new(
            Code::AuthCredentialMissing,
            format!("The environment variable '{variable}' is not set. Set it where the server runs and start it again."),
        )
        .with("variable", variable),
        CredentialError::Malformed { variable } => Failure::new(
            Code::AuthConfigInvalid,
            format!("The environment variable '{variable}' holds characters which cannot be sent, such as a line break."),
        )
        .with("variable", variable),
        CredentialError::Place { name } | CredentialError::OperatorHeader { header: name } => Failure::new(
            Code::AuthConfigInvalid,
            format!("'{name}' cannot carry a credential: it is not a valid header, query or cookie name, or its value cannot be sent."),
        )
        .with("name", name),
        CredentialError::NoAlternative { alternatives } => Failure::new(
            Code::AuthCredentialMissing,
            format!(
                "None of the credentials which this operation accepts is set: {}. Set one of them where the server runs and start it again.",
                in_words(&alternatives)
            ),
        )
        .with("alternatives", alternatives),
        CredentialError::Token { host, why } => Failure::new(
            Code::AuthConfigInvalid,
            format!("The token server '{host}' gave no token: {why}"),
        )
        .with("token_server", host),
        CredentialError::Unencrypted { host } => Failure::new(
            Code::PermissionDenied,
            format!("Permission denied: credentials are not sent over plain http to '{host}'. Use an https base URL."),
        )
        .with("reason", "unencrypted")
        .with("host", host),
    }
}

fn destination(error: &DestinationError) -> Failure {
    let (host, why) = match error {
        DestinationError::Address { host, kind } => (
            host,
            match kind {
                AddressKind::Metadata => {
                    format!("'{host}' leads to a {kind} address. Nothing is ever sent there.")
                }
                _ => format!(
                    "'{host}' leads to a {kind} address. Only a base URL which names such an address itself may go there."
                ),
            },
        ),
        DestinationError::RedirectAddress { host, kind } => {
            (host, format!("'{host}' redirected the call to a {kind} address"))
        }
        DestinationError::RedirectScheme { host } => {
            (host, format!("'{host}' redirected the call to an unencrypted or unknown place"))
        }
        DestinationError::RedirectUnusable { host } => {
            (host, format!("'{host}' redirected the call too often or to nowhere"))
        }
    };
    Failure::new(Code::PermissionDenied, format!("Permission denied: {why}"))
        .with("reason", "destination")
        .with("host", host.as_str())
}

fn transport(error: &TransportError) -> Failure {
    let TransportError { trouble, host, port } = error;
    let (code, kind, message) = match trouble {
        Trouble::Dns => (Code::TransportDnsError, "dns", format!("Could not resolve host: {host}")),
        Trouble::Refused => (
            Code::TransportConnectionRefused,
            "connection_refused",
            format!("Connection refused: {host}:{port}"),
        ),
        Trouble::Timeout { after } => {
            (Code::TransportTimeout, "timeout", format!("Request timed out after {}ms", after.as_millis()))
        }
        Trouble::Tls { detail } => (Code::TransportTlsError, "tls", format!("TLS error: {detail}")),
        Trouble::Network { detail, .. } => {
            (Code::TransportNetworkError, "network", format!("Network error: {detail}"))
        }
    };
    Failure::new(code, message).with("kind", kind)
}

fn status(error: &StatusError, entry: &Entry, values: &Map<String, Value>) -> Failure {
    let words = &error.words;
    let (code, opening) = match error.status {
        400 => (missing_or_invalid(error), "Invalid request".to_owned()),
        401 => (Code::PermissionDenied, "Authentication required".to_owned()),
        403 => (Code::PermissionDenied, "Permission denied".to_owned()),
        404 => (Code::NotFoundResource, "Not found".to_owned()),
        409 => (Code::ConflictAlreadyExists, "Conflict".to_owned()),
        422 => (missing_or_invalid(error), "Validation failed".to_owned()),
        429 => (Code::RateLimitExceeded, "Rate limit exceeded".to_owned()),
        500 => (Code::InternalError, "Server error".to_owned()),
        502 => (Code::InternalError, "Bad gateway".to_owned()),
        503 => (Code::InternalError, "Service unavailable".to_owned()),
        504 => (Code::InternalError, "Gateway timeout".to_owned()),
        410 => (Code::NotFoundResource, "HTTP 410".to_owned()),
        412 => (Code::ConflictVersionMismatch, "HTTP 412".to_owned()),
        413 => (Code::ValidationPayloadTooLarge, "HTTP 413".to_owned()),
        other @ 400..=499 => (Code::ValidationInvalidType, format!("HTTP {other}")),
        other => (Code::InternalError, format!("HTTP {other}")),
    };
    let rule = entry.source.error_rules.iter().find(|rule| rule.status == error.status);
    let code = rule.map_or(code, |rule| rule.code);
    let message = match rule.and_then(|rule| rule.message_template.as_deref()) {
        Some(template) => filled(template, error, entry, values),
        None => format!("{opening}: {words}"),
    };
    let mut failure =
        Failure::new(code, message).with("http_status", error.status).with("source", "upstream");
    match code {
        Code::NotFoundResource => failure = with_resource(failure, entry, values),
        Code::PermissionDenied => failure = failure.with("reason", words.as_str()),
        Code::InternalError => failure = failure.with("upstream_error", words.as_str()),
        _ => {}
    }
    if let Some(excerpt) = &error.excerpt {
        failure = failure.with("upstream_body", excerpt.clone());
    }
    match error.retry_after.map(|wait| wait.as_secs()) {
        Some(seconds) => failure.with("retry_after_seconds", seconds),
        None if code == Code::RateLimitExceeded => failure.with("retry_after_seconds", DEFAULT_RETRY_AFTER),
        None => failure,
    }
}

/// The words of an adapter for a status, with values in them: those of the call, the status, and the upstream's own words.
fn filled(template: &str, error: &StatusError, entry: &Entry, values: &Map<String, Value>) -> String {
    let mut message = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        message.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            message.push('{');
            rest = after;
            continue;
        };
        let param = entry.operation.param(name);
        match (name, param, values.get(name)) {
            ("status", None, _) => message.push_str(&error.status.to_string()),
            ("message", None, _) => message.push_str(&error.words),
            (_, Some(param), Some(_)) if param.sensitive => message.push_str("[hidden]"),
            (_, Some(_), Some(Value::String(text))) => {
                message.push_str(&wording::shortened(text, LONGEST_VALUE))
            }
            (_, Some(_), Some(value)) => {
                message.push_str(&wording::shortened(&value.to_string(), LONGEST_VALUE))
            }
            _ => message.push_str(&format!("{{{name}}}")),
        }
        rest = behind;
    }
    message.push_str(rest);
    message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn missing_or_invalid(error: &StatusError) -> Code {
    if error.missing_parameter { Code::ValidationMissingParam } else { Code::ValidationInvalidType }
}

/// Names the resource after the last placeholder of the path and the word before it.
fn with_resource(failure: Failure, entry: &Entry, values: &Map<String, Value>) -> Failure {
    let Target::Http(target) = &entry.operation.target else { return failure };
    let mut word = None;
    let mut resource = None;
    for segment in &target.path {
        match segment {
            Segment::Literal(text) => word = text.split('/').rfind(|part| !part.is_empty()).or(word),
            Segment::Placeholder(name) => resource = Some((word, name)),
        }
    }
    let Some((word, name)) = resource else { return failure };
    let shown = entry.operation.param(name).is_some_and(|param| !param.sensitive);
    let Some(id) = values.get(name).filter(|_| shown) else { return failure };
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    failure
        .with("resource_type", singular(word.unwrap_or("resource")))
        .with("resource_id", wording::shortened(&id, 200))
}

fn singular(word: &str) -> String {
    match word {
        _ if word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        _ if word.ends_with('s') && !word.ends_with("ss") => word[..word.len() - 1].to_owned(),
        _ => word.to_owned(),
    }
}

fn unreadable(error: UnreadableError) -> Failure {
    let message = match error.kind {
        UnreadableKind::Html => format!("Server returned HTML instead of JSON (HTTP {})", error.http_status),
        UnreadableKind::Json => match &error.plain_words {
            Some(words) => format!(
                "Failed to parse response as JSON: the API answered HTTP {} in plain text: {words}",
                error.http_status
            ),
            None => "Failed to parse response as JSON: the body is not valid JSON".to_owned(),
        },
        UnreadableKind::Binary => {
            format!("Unexpected content type '{}': JSON was expected", wording::echo(&error.content_type))
        }
        UnreadableKind::NotEvents => {
            let found = wording::echo(&error.content_type);
            format!("Unexpected content type '{found}': a stream of events was expected")
        }
        UnreadableKind::Encoding => {
            "Failed to parse response as JSON: its compression or character encoding is broken".to_owned()
        }
    };
    let mut failure = Failure::new(Code::SerializationParseError, message)
        .with("content_type", error.content_type)
        .with("body_preview", error.body_preview)
        .with("http_status", error.http_status);
    if let Some(parser) = error.parser_message {
        failure = failure.with("parse_error", parser);
    }
    if let Some(wait) = error.retry_after {
        failure = failure.with("retry_after_seconds", wait.as_secs());
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::upstream;
    use aqueduct_operations::address::AddressKind;
    use aqueduct_operations::category::Category;
    use aqueduct_operations::failure::wording::looks_like_a_leak;
    use aqueduct_operations::operation::Entry;
    use aqueduct_operations::source::Source;
    use aqueduct_operations::target::Method;
    use aqueduct_testkit::operation::{operation, site, target};
    use aqueduct_upstream::UpstreamError;
    use aqueduct_upstream::error::{
        BuildError, CredentialError, DestinationError, StatusError, TransportError, Trouble, UnreadableError,
        UnreadableKind,
    };
    use serde_json::{Map, Value, json};
    use std::sync::Arc;
    use std::time::Duration;

    fn entry() -> Entry {
        let target = target(site("https://api.example.com"), Method::Get, "/x/{id}");
        Entry {
            public_name: "get_x".to_owned(),
            operation: operation("get_x", Category::Read, target),
            source: Arc::new(Source::built_in()),
        }
    }

    /// R8.3-1 R8.3-2 R8.3-3 R8.3-4 R8.3-5 X-plugins-12 X-plugins-13: code, text and plugin of every trouble that has one.
    #[test]
    fn plugin_failures() {
        let transport =
            |trouble| TransportError { trouble, host: "api.example.com".to_owned(), port: 443 }.into();
        let after = Duration::from_millis(1500);
        let broken = Trouble::Network { detail: "the connection was reset", before_answer: false };
        let cases: Vec<(UpstreamError, &str, &str, &str)> = vec![
            (
                transport(Trouble::Dns),
                "TRANSPORT_DNS_ERROR",
                "transport",
                "Could not resolve host: api.example.com",
            ),
            (
                transport(Trouble::Refused),
                "TRANSPORT_CONNECTION_REFUSED",
                "transport",
                "Connection refused: api.example.com:443",
            ),
            (
                transport(Trouble::Timeout { after }),
                "TRANSPORT_TIMEOUT",
                "transport",
                "Request timed out after 1500ms",
            ),
            (
                transport(Trouble::Tls { detail: "the certificate is not valid" }),
                "TRANSPORT_TLS_ERROR",
                "transport",
                "TLS error: the certificate is not valid",
            ),
            (
                transport(broken),
                "TRANSPORT_NETWORK_ERROR",
                "transport",
                "Network error: the connection was reset",
            ),
            (
                BuildError::Url.into(),
                "PROTOCOL_INVALID_MAPPING",
                "protocol",
                "The operation cannot be sent: its path does not make a URL of the API. Its adapter file has to be corrected.",
            ),
            (
                BuildError::HeaderName { header: "Host".to_owned() }.into(),
                "PROTOCOL_INVALID_MAPPING",
                "protocol",
                "The operation cannot be sent: the header 'Host' cannot be set. Its adapter file has to be corrected.",
            ),
            (
                CredentialError::Missing { variable: "X_TOKEN".to_owned() }.into(),
                "AUTH_CREDENTIAL_MISSING",
                "auth",
                "The environment variable 'X_TOKEN' is not set. Set it where the server runs and start it again.",
            ),
            (
                CredentialError::NoAlternative {
                    alternatives: vec![
                        vec!["X_TOKEN".to_owned()],
                        vec!["X_USER".to_owned(), "X_PASS".to_owned()],
                    ],
                }
                .into(),
                "AUTH_CREDENTIAL_MISSING",
                "auth",
                "None of the credentials which this operation accepts is set: X_TOKEN; X_USER and X_PASS. Set one of them where the server runs and start it again.",
            ),
            (
                CredentialError::Token {
                    host: "auth.example.com".to_owned(),
                    why: "invalid_client".to_owned(),
                }
                .into(),
                "AUTH_CONFIG_INVALID",
                "auth",
                "The token server 'auth.example.com' gave no token: invalid_client",
            ),
        ];
        for (error, code, category, message) in cases {
            let failure = upstream(error, &entry(), &Map::new());
            assert_eq!((failure.code.name(), failure.message.as_str()), (code, message));
            assert_eq!(failure.details["category"], category);
            assert!(failure.details["plugin"].is_string());
            assert!(failure.is_error(), "no other request would do better");
        }
    }

    fn status(words: &str, excerpt: Option<Value>) -> UpstreamError {
        UpstreamError::Status(Box::new(StatusError {
            status: 422,
            words: words.to_owned(),
            words_from_body: true,
            excerpt,
            retry_after: None,
            missing_parameter: false,
            content_type: "application/json".to_owned(),
        }))
    }

    /// X-errors-6: what the API said besides its words is in the details, and nowhere when there was no more.
    #[test]
    fn the_rest_of_the_body() {
        let excerpt = json!({"message": "no", "errors": [{"field": "title"}]});
        let failure = upstream(status("no", Some(excerpt.clone())), &entry(), &Map::new());
        assert_eq!(failure.message, "Validation failed: no");
        assert_eq!(failure.details["upstream_body"], excerpt);
        let failure = upstream(status("no", None), &entry(), &Map::new());
        assert!(!failure.details.contains_key("upstream_body"));
    }

    /// R7.3-9: a failure in plain text has the code and the opening of a body that is not JSON, and the API's sentence.
    #[test]
    fn plain_text() {
        let error = UpstreamError::Unreadable(Box::new(UnreadableError {
            kind: UnreadableKind::Json,
            http_status: 404,
            content_type: "text/plain".to_owned(),
            body_preview: "page not found".to_owned(),
            plain_words: Some("page not found".to_owned()),
            parser_message: None,
            retry_after: None,
        }));
        let failure = upstream(error, &entry(), &Map::new());
        assert_eq!(failure.code.name(), "SERIALIZATION_PARSE_ERROR");
        assert_eq!(
            failure.message,
            "Failed to parse response as JSON: the API answered HTTP 404 in plain text: page not found"
        );
    }

    /// X-intro-29: every sentence about an upstream's trouble is clean, also with a hostile content type.
    #[test]
    fn clean_sentences() {
        let host = || "api.example.com".to_owned();
        let param = || "id".to_owned();
        let kind = AddressKind::Private;
        let unreadable = |kind| {
            UpstreamError::Unreadable(Box::new(UnreadableError {
                kind,
                http_status: 200,
                content_type: "evil at /src/main".to_owned(),
                body_preview: String::new(),
                plain_words: None,
                parser_message: Some("expected value at line 1".to_owned()),
                retry_after: None,
            }))
        };
        let errors: Vec<UpstreamError> = vec![
            BuildError::MissingPathParam { param: param() }.into(),
            BuildError::InvalidType { param: param() }.into(),
            BuildError::DotSegment { param: param() }.into(),
            BuildError::NulCharacter { param: param() }.into(),
            BuildError::NotBase64 { param: param() }.into(),
            BuildError::HeaderValue { param: param() }.into(),
            BuildError::ConstantHeader { header: "X-A".to_owned() }.into(),
            CredentialError::Malformed { variable: "X".to_owned() }.into(),
            CredentialError::Place { name: "X".to_owned() }.into(),
            CredentialError::OperatorHeader { header: "X".to_owned() }.into(),
            CredentialError::Unencrypted { host: host() }.into(),
            CredentialError::NoAlternative { alternatives: vec![vec!["A".to_owned(), "B".to_owned()]] }
                .into(),
            CredentialError::Token { host: host(), why: "invalid_client".to_owned() }.into(),
            DestinationError::Address { host: host(), kind }.into(),
            DestinationError::Address { host: host(), kind: AddressKind::Metadata }.into(),
            DestinationError::RedirectAddress { host: host(), kind }.into(),
            DestinationError::RedirectScheme { host: host() }.into(),
            DestinationError::RedirectUnusable { host: host() }.into(),
            UpstreamError::TooLarge { limit: 1, actual: 2 },
            unreadable(UnreadableKind::Html),
            unreadable(UnreadableKind::Json),
            unreadable(UnreadableKind::Binary),
            unreadable(UnreadableKind::Encoding),
            unreadable(UnreadableKind::NotEvents),
        ];
        for error in errors {
            let message = upstream(error, &entry(), &Map::new()).message;
            assert!(!looks_like_a_leak(&message), "{message}");
        }
    }
}
