//! Every stage's error becomes a `Failure` here: one function a stage, one exhaustive match each.
//!
//! Messages say what was expected, what was found and what to send next; none may look like leaked internals
//! (ruling W1). The upstream's errors have a file of their own.

mod rejection;
mod upstream;

pub use rejection::validate;
pub use upstream::{unbuildable, upstream};

use crate::stages::envelope::EnvelopeError;
use crate::stages::route::RouteError;
use crate::stages::validate::token_name;
use aqueduct_operations::call::SessionId;
use aqueduct_operations::category::Category;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::operation::Entry;
use aqueduct_safety::confirmation::TokenRefusal;
use aqueduct_safety::gatekeeper::{Denial, Refusal};
use serde_json::{Value, json};

/// Adds the session to a failure's details. Failures of `introspect` have code and message only (ruling W2).
pub fn finish(mut failure: Failure, is_introspect: bool, session: &SessionId) -> Failure {
    if is_introspect {
        failure.details.clear();
        return failure;
    }
    failure.with("session_id", session.as_str())
}

/// A bug: something panicked on the way. The call fails, the server goes on.
pub fn panicked() -> Failure {
    wording::internal("the call panicked")
}

/// Errors of the first look at a request.
pub fn envelope(error: EnvelopeError) -> Failure {
    match error {
        EnvelopeError::Encoding { location } => {
            wording::invalid_encoding(Some(location.as_str()).filter(|text| !text.is_empty()), None)
        }
        EnvelopeError::TooLarge { limit_type, limit, actual, unit } => {
            wording::payload_too_large(limit_type, limit, actual, unit)
        }
        EnvelopeError::NoOperation => Failure::new(
            Code::ValidationMissingParam,
            "Missing required parameter 'operation'. Send {\"operation\": \"introspect\", \"params\": {\"query\": \
             \"operations\"}} to list the operations.",
        )
        .with("param_name", "operation")
        .of_envelope(),
        EnvelopeError::OperationType(found) => wrong_type("operation", "string", found).of_envelope(),
        EnvelopeError::ParamsType(found) => wrong_type("params", "object", found).of_envelope(),
    }
}

fn wrong_type(param: &str, expected: &str, found: &str) -> Failure {
    Failure::new(
        Code::ValidationInvalidType,
        format!("Parameter '{param}' expected '{expected}', got '{found}'"),
    )
    .with("param_name", param)
    .with("expected_type", expected)
    .with("actual_type", found)
}

/// Errors of finding the operation.
pub fn route(error: RouteError, exposure: &Exposure) -> Failure {
    match error {
        RouteError::Unknown { operation, suggestions } => {
            let suggestions: Vec<&str> = suggestions.iter().map(String::as_str).collect();
            wording::unknown_operation(&operation, &suggestions)
                .with("introspect_tool", exposure.introspect_tool())
        }
        RouteError::Denied { operation, denial } => denied(&operation, denial),
        RouteError::WrongDoor { operation, expected, actual } => wording::endpoint_mismatch(
            &operation,
            (&family_name(&expected.0), &expected.1),
            (&family_name(&actual.0), &actual.1),
        ),
    }
}

/// The five standard families are written as categories, others as they are.
fn family_name(family: &str) -> String {
    Category::parse(family).map_or_else(|| family.to_owned(), |category| category.upper().to_owned())
}

fn denied(operation: &str, denial: Denial) -> Failure {
    match denial {
        Denial::Trust { required, actual, danger } => Failure::new(
            Code::PermissionTrustLevelInsufficient,
            format!(
                "Operation '{operation}' requires trust level '{required}', adapter has '{actual}'. The operator can \
                 allow it with --trust {required}.",
                required = required.name(),
                actual = actual.name()
            ),
        )
        .with("operation", operation)
        .with("required_trust", required.name())
        .with("actual_trust", actual.name())
        .with("danger_level", danger.number())
        .with("setting", format!("--trust {}", required.name())),
        Denial::Danger { level, actual, minimum, reasons } => Failure::new(
            Code::PermissionDangerLevelDenied,
            format!(
                "Operation '{operation}' (danger: {level}) denied for adapter trust level '{actual}'. The operator can \
                 allow it with --trust {minimum}.",
                level = level.name(),
                actual = actual.name(),
                minimum = minimum.name()
            ),
        )
        .with("operation", operation)
        .with("danger_level", level.name())
        .with("adapter_trust", actual.name())
        .with("minimum_trust_required", minimum.name())
        .with("reasons", reasons)
        .with("setting", format!("--trust {}", minimum.name())),
    }
}

/// The gatekeeper's refusals.
pub fn gatekeep(refusal: Refusal, entry: &Entry) -> Failure {
    let operation = &entry.public_name;
    match refusal {
        Refusal::Denied(denial) => denied(operation, denial),
        Refusal::ConfirmationNeeded { issued, danger_level, reasons, message } => {
            let expires_at = iso8601(issued.expires_at);
            let mut failure = Failure::new(
                Code::ConfirmationRequired,
                format!(
                    "This operation requires confirmation. Ask the user; if they agree, send the same request again \
                     with {} added to params.",
                    token_name(&entry.operation)
                ),
            )
            .with("operation", operation.as_str())
            .with("danger_level", danger_level.name())
            .with("reasons", reasons.clone());
            if let Some(message) = &message {
                failure = failure.with("confirmation_message", message.as_str());
            }
            failure = failure
                .with("confirmation_token", issued.token.as_str())
                .with("expires_at", expires_at.as_str());
            let mut mirror = json!({"token": issued.token, "expires_at": expires_at, "reasons": reasons});
            if let Some(message) = message {
                mirror["message"] = Value::from(message);
            }
            failure.confirmation = Some(mirror);
            failure
        }
        Refusal::Token(refusal) => token(refusal),
        Refusal::NoRandomness(error) => wording::internal(error),
    }
}

fn token(refusal: TokenRefusal) -> Failure {
    const AGAIN: &str = "Send the request without a token to get a new one.";
    match refusal {
        TokenRefusal::Invalid { token } => {
            Failure::new(Code::TokenInvalid, format!("Invalid confirmation token. {AGAIN}")).with("token", token)
        }
        TokenRefusal::Expired { token, expired_at, now } => {
            Failure::new(Code::TokenExpired, format!("Confirmation token has expired. {AGAIN}"))
                .with("token", token)
                .with("expired_at", iso8601(expired_at))
                .with("current_time", iso8601(now))
        }
        TokenRefusal::AlreadyUsed { token, consumed_at } => {
            Failure::new(Code::TokenAlreadyUsed, format!("Confirmation token has already been used. {AGAIN}"))
                .with("token", token)
                .with("consumed_at", iso8601(consumed_at))
        }
        TokenRefusal::ScopeMismatch { token, token_operation, requested_operation } => Failure::new(
            Code::TokenScopeMismatch,
            format!("Confirmation token scope mismatch: it was given for another operation or other parameters. {AGAIN}"),
        )
        .with("token", token)
        .with("token_operation", token_operation)
        .with("requested_operation", requested_operation),
    }
}
