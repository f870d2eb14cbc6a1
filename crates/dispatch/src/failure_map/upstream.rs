//! What went wrong upstream, with the codes of the MCP document (section 4.3) and the texts of the runtime document
//! (section 8). Hosts are those of the base URL, never resolved addresses.

use super::limits::limited;
use super::with_some;
use aqueduct_operations::address::AddressKind;
use aqueduct_operations::consent::ConsentRequest;
use aqueduct_operations::example::minimal_params;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::sanitize;
use aqueduct_operations::target::{Segment, Target};
use aqueduct_upstream::UpstreamError;
use aqueduct_upstream::error::{
    CredentialError, DestinationError, RequestBuildError, StatusError, TransportError, TransportErrorKind,
    UnreadableError, UnreadableKind, in_words,
};
use serde_json::{Map, Value, json};

/// Characters of a value in a message.
const LONGEST_VALUE: usize = 100;

/// Seconds to wait when an upstream is overloaded and does not say for how long.
const DEFAULT_RETRY_AFTER: u64 = 60;

/// An upstream's error.
pub fn upstream(error: UpstreamError, entry: &RegistryEntry, values: &Map<String, Value>) -> Failure {
    match error {
        UpstreamError::Build(error) => build(error),
        UpstreamError::Credential(error) => of_plugin(credential(error), "auth", auth_plugin(entry)),
        UpstreamError::Destination(error) => destination(&error),
        UpstreamError::Transport(error) => of_plugin(transport(&error), "transport", "http"),
        UpstreamError::Status(error) => status(&error, entry, values),
        UpstreamError::Unreadable(error) => of_plugin(unreadable(*error), "serialization", "json"),
        UpstreamError::Limited(refusal) => limited(*refusal, entry),
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

/// Values that make no request, found before anyone is asked to confirm it. Reported like any other rejected parameter.
pub fn unbuildable(error: RequestBuildError, entry: &RegistryEntry) -> Failure {
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

fn auth_plugin(entry: &RegistryEntry) -> &'static str {
    match &entry.operation.target {
        Target::Http(target) => target.auth_in_force().kind(),
        Target::Handler(_) | Target::BuiltIn(_) => "none",
    }
}

fn build(error: RequestBuildError) -> Failure {
    let invalid = |param: &str, why: &str| {
        Failure::new(Code::ValidationInvalidValue, format!("Parameter '{param}' {why}"))
            .with("param_name", param)
    };
    match error {
        RequestBuildError::MissingPathParam(param) => {
            Failure::new(Code::ValidationMissingParam, format!("Missing required path parameter: '{param}'"))
                .with("param_name", param)
        }
        RequestBuildError::InvalidType(param) => Failure::new(
            Code::ValidationInvalidType,
            format!("Parameter '{param}' expected 'string', got 'object': it goes into the URL or a header"),
        )
        .with("param_name", param)
        .with("expected_type", "string")
        .with("actual_type", "object"),
        RequestBuildError::EmptyPathParam(param) => invalid(
            &param,
            "must not be empty: it is a part of the path, and without it the path is another one",
        ),
        RequestBuildError::HiddenDotSegment(param) => invalid(
            &param,
            "must not hold the path segments '.' or '..', encoded or not; this source refuses them",
        ),
        RequestBuildError::DotSegment(param) => invalid(&param, "must not be '.' or '..'"),
        RequestBuildError::NotBase64(param) => {
            invalid(&param, "must be base64 with padding, or an object with it as 'content'")
        }
        RequestBuildError::NulCharacter(param) => wording::invalid_encoding(Some(&param), None),
        RequestBuildError::HeaderValue(param) => {
            invalid(&param, "goes into a header and must not hold line breaks or control characters")
        }
        RequestBuildError::HeaderName(header) | RequestBuildError::ConstantHeader(header) => {
            bad_mapping(&format!("the header '{}' cannot be set", wording::echo(&header)))
        }
        error @ RequestBuildError::NotPermitted => wording::internal(error),
        RequestBuildError::NotHttp => bad_mapping("it is not called over HTTP"),
        RequestBuildError::Url => bad_mapping("its path does not make a URL of the API"),
    }
}

/// The adapter file is at fault: no other request would do better.
fn bad_mapping(why: &str) -> Failure {
    let message = format!("The operation cannot be sent: {why}. Its source has to be corrected.");
    of_plugin(Failure::new(Code::ProtocolInvalidMapping, message), "protocol", "rest")
}

fn credential(error: CredentialError) -> Failure {
    match error {
        CredentialError::Missing(variable) => Failure::new(
            Code::AuthCredentialMissing,
            format!("The environment variable '{variable}' is not set. Set it where the server runs and start it again."),
        )
        .with("variable", variable),
        CredentialError::Malformed(variable) => Failure::new(
            Code::AuthConfigInvalid,
            format!("The environment variable '{variable}' holds characters which cannot be sent, such as a line break."),
        )
        .with("variable", variable),
        CredentialError::Placeholder(variable) => Failure::new(
            Code::AuthConfigInvalid,
            format!(
                "The environment variable '{variable}' holds a placeholder such as ${{env:NAME}}, which the client has not filled in. \
                 Set it to the credential itself where the server runs and start it again."
            ),
        )
        .with("variable", variable),
        CredentialError::PlaceholderHeader(name) => Failure::new(
            Code::AuthConfigInvalid,
            format!(
                "The header '{name}' holds a placeholder such as ${{env:NAME}}, which the client has not filled in. Give the value \
                 itself where the server is started."
            ),
        )
        .with("name", name),
        CredentialError::NotAllowed { ask, source_name } => {
            let failure = Failure::new(Code::PermissionDenied, ask.refusal(&source_name));
            let failure = failure.with("reason", "not_granted").with("adapter", source_name);
            match ask {
                ConsentRequest::Credential { variable, origin } => failure.with("variable", variable).with("origin", origin),
                ConsentRequest::Program { .. } => failure,
            }
        }
        CredentialError::Place(name) | CredentialError::OperatorHeader(name) => Failure::new(
            Code::AuthConfigInvalid,
            format!("'{name}' cannot carry a credential: it is not a valid header, query or cookie name, or its value cannot be sent."),
        )
        .with("name", name),
        CredentialError::NoAlternative(alternatives) => Failure::new(
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
        CredentialError::Unencrypted(host) => Failure::new(
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
    let TransportError { kind, host, port } = error;
    let (code, kind, message) = match kind {
        TransportErrorKind::Dns => {
            (Code::TransportDnsError, "dns", format!("Could not resolve host: {host}"))
        }
        TransportErrorKind::Refused => (
            Code::TransportConnectionRefused,
            "connection_refused",
            format!("Connection refused: {host}:{port}"),
        ),
        TransportErrorKind::Timeout { after } => {
            (Code::TransportTimeout, "timeout", format!("Request timed out after {}ms", after.as_millis()))
        }
        TransportErrorKind::Tls { detail } => {
            (Code::TransportTlsError, "tls", format!("TLS error: {detail}"))
        }
        TransportErrorKind::Network { detail, .. } => {
            (Code::TransportNetworkError, "network", format!("Network error: {detail}"))
        }
    };
    Failure::new(code, message).with("kind", kind)
}

fn status(error: &StatusError, entry: &RegistryEntry, values: &Map<String, Value>) -> Failure {
    let words = sanitize::one_line(&error.words);
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
        Some(template) => filled(template, error.status, &words, entry, values),
        None => format!("{opening}: {words}"),
    };
    let mut failure =
        Failure::new(code, message).with("http_status", error.status).with("source", "upstream");
    match code {
        Code::PermissionDenied => failure = failure.with("reason", words.as_str()),
        Code::InternalError => failure = failure.with("upstream_error", words.as_str()),
        _ => {}
    }
    if code == Code::NotFoundResource {
        failure = with_resource(failure, entry, values);
    }
    let failure = with_some(failure, "upstream_body", error.excerpt.clone());
    let usual = (code == Code::RateLimitExceeded).then_some(DEFAULT_RETRY_AFTER);
    with_some(failure, "retry_after_seconds", error.retry_after.map(|wait| wait.as_secs()).or(usual))
}

/// The words of an adapter for a status, with values in them: those of the call, the status, and the upstream's own words.
fn filled(
    template: &str,
    status: u16,
    words: &str,
    entry: &RegistryEntry,
    values: &Map<String, Value>,
) -> String {
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
            ("status", None, _) => message.push_str(&status.to_string()),
            ("message", None, _) => message.push_str(words),
            (_, Some(param), Some(_)) if param.is_secret() => message.push_str("[hidden]"),
            (_, Some(_), Some(value)) => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                message.push_str(&wording::shortened(&text, LONGEST_VALUE));
            }
            _ => message.push_str(&format!("{{{name}}}")),
        }
        rest = behind;
    }
    message.push_str(rest);
    sanitize::one_line(&message)
}

fn missing_or_invalid(error: &StatusError) -> Code {
    if error.missing_parameter { Code::ValidationMissingParam } else { Code::ValidationInvalidType }
}

/// Names the resource after the last placeholder of the path and the noun before it.
fn with_resource(failure: Failure, entry: &RegistryEntry, values: &Map<String, Value>) -> Failure {
    let Target::Http(target) = &entry.operation.target else { return failure };
    let mut noun = None;
    let mut resource = None;
    for segment in &target.path {
        match segment {
            Segment::Literal(text) => noun = text.split('/').rfind(|part| !part.is_empty()).or(noun),
            Segment::Placeholder(name) => resource = Some((noun, name)),
        }
    }
    let Some((noun, name)) = resource else { return failure };
    let shown = entry.operation.param(name).is_some_and(|param| !param.is_secret());
    let Some(id) = values.get(name).filter(|_| shown) else { return failure };
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    failure
        .with("resource_type", singular(noun.unwrap_or("resource")))
        .with("resource_id", wording::shortened(&id, 200))
}

fn singular(noun: &str) -> String {
    match noun {
        _ if noun.ends_with("ies") => format!("{}y", &noun[..noun.len() - 3]),
        _ if noun.ends_with('s') && !noun.ends_with("ss") => noun[..noun.len() - 1].to_owned(),
        _ => noun.to_owned(),
    }
}

fn unreadable(error: UnreadableError) -> Failure {
    let message = match error.kind {
        UnreadableKind::Html => format!("Server returned HTML instead of JSON (HTTP {})", error.http_status),
        UnreadableKind::Json => "Failed to parse response as JSON: the body is not valid JSON".to_owned(),
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
    let failure = Failure::new(Code::SerializationParseError, message)
        .with("content_type", error.content_type)
        .with("body_preview", error.body_preview)
        .with("http_status", error.http_status);
    let failure = with_some(failure, "parse_error", error.parser_message);
    with_some(failure, "retry_after_seconds", error.retry_after.map(|wait| wait.as_secs()))
}

#[cfg(test)]
mod tests;
