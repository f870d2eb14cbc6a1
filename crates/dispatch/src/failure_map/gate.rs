//! The gatekeeper's refusals: denied, to be confirmed, or with a token that is no good.
//!
//! Who is asked to confirm sees what would run: operation, source and values, sensitive ones hidden and long ones cut.

use super::{of_operation, with_some};
use crate::stages::validate::{CheckedRequest, token_name};
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::failure::wording::shortened;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::gatekeeper::{Denial, GateRefusal, NeededConfirmation, TokenRefusal};
use aqueduct_operations::operation::{Grouping, RegistryEntry};
use aqueduct_operations::params::Param;
use serde_json::{Map, Value, json};

/// Characters of a value that are shown to whoever confirms.
const LONGEST_VALUE: usize = 200;

/// The policy does not let it run.
pub fn denied(entry: &RegistryEntry, denial: Denial) -> Failure {
    let (operation, setting) = (entry.public_name.as_str(), denial.setting(entry));
    match denial {
        Denial::Trust { required, actual, danger } => of_operation(
            entry,
            Code::PermissionTrustLevelInsufficient,
            format!(
                "Operation '{operation}' requires trust level '{required}', adapter has '{actual}'. The operator can \
                 allow it with {setting}.",
                required = required.name(),
                actual = actual.name()
            ),
        )
        .with("required_trust", required.name())
        .with("actual_trust", actual.name())
        .with("danger_level", danger.number())
        .with("setting", setting),
        Denial::Danger { level, actual, minimum, reasons } => of_operation(
            entry,
            Code::PermissionDangerLevelDenied,
            format!(
                "Operation '{operation}' (danger: {level}) denied for adapter trust level '{actual}'. The operator can \
                 allow it with {setting}.",
                level = level.name(),
                actual = actual.name()
            ),
        )
        .with("danger_level", level.name())
        .with("adapter_trust", actual.name())
        .with("minimum_trust_required", minimum.name())
        .with("reasons", reasons)
        .with("setting", setting),
        Denial::Policy(denial) => policy(operation, &denial.reason),
    }
}

/// The operator's own policy does not let it run.
fn policy(operation: &str, reason: &str) -> Failure {
    let mut message = format!("Permission denied: the operator's policy forbids '{operation}'");
    // The words are the operator's own and may look like anything; the details have them in any case.
    if !wording::looks_like_a_leak(reason) {
        message = format!("{message}: {reason}");
    }
    Failure::new(Code::PermissionDenied, message).with("operation", operation).with("reason", reason)
}

/// A request that a call needs on its way, and that may not run.
pub fn refused_subrequest(
    checked: &CheckedRequest<'_>,
    refusal: GateRefusal,
    call: &RegistryEntry,
) -> Failure {
    let needed = checked.entry.public_name.as_str();
    let mut failure = match refusal {
        // The token would be for another call, which nobody has requested.
        GateRefusal::ConfirmationNeeded(_) | GateRefusal::Token(_) => Failure::new(
            Code::PermissionDenied,
            format!("Permission denied: '{needed}' needs a confirmation of its own"),
        ),
        refusal => refused(checked, refusal),
    };
    failure.message =
        format!("'{}' needs '{needed}' on its way, which may not run. {}", call.public_name, failure.message);
    failure.with("operation", call.public_name.as_str()).with("needs", needed)
}

/// One refusal of a request.
pub fn refused(checked: &CheckedRequest<'_>, refusal: GateRefusal) -> Failure {
    match refusal {
        GateRefusal::Denied(denial) => denied(checked.entry, denial),
        GateRefusal::Scope(scope) => {
            let message = format!("Permission denied: requires '{scope}' scope");
            of_operation(checked.entry, Code::PermissionDenied, message)
                .with("required_scopes", checked.entry.operation.required_scopes.clone())
                .with("missing_scope", scope)
        }
        GateRefusal::Policy(denial) => policy(&checked.entry.public_name, &denial.reason),
        GateRefusal::ConfirmationNeeded(needed) => confirmation_needed(checked, *needed),
        GateRefusal::Token(refusal) => token(refusal),
        GateRefusal::NoRandomness(error) => wording::internal(error),
    }
}

fn confirmation_needed(checked: &CheckedRequest<'_>, needed: NeededConfirmation) -> Failure {
    let NeededConfirmation { issued, danger_level, reasons, message } = needed;
    let entry = checked.entry;
    let expires_at = iso8601(issued.expires_at);
    let request = format!(
        "This operation requires confirmation. Ask the user; if they agree, send the same request again with {} added to \
         params.",
        token_name(&entry.operation)
    );
    let failure = of_operation(entry, Code::ConfirmationRequired, request)
        .with("source", entry.source.name.as_str())
        .with("params", what_would_run(checked))
        .with("danger_level", danger_level.name())
        .with("reasons", reasons.clone());
    let mut failure = with_some(failure, "confirmation_message", message.as_deref())
        .with("confirmation_token", issued.token.as_str())
        .with("expires_at", expires_at.as_str());
    let mut mirror = json!({"token": issued.token, "expires_at": expires_at, "reasons": reasons});
    if let Some(message) = message {
        mirror["message"] = Value::from(message);
    }
    failure.confirmation = Some(mirror);
    failure
}

/// The values as they would be sent, defaults included, in the places where a request has them.
fn what_would_run(checked: &CheckedRequest<'_>) -> Map<String, Value> {
    let operation = &checked.entry.operation;
    let shown = |param: &Param| Some((param.name.clone(), brief(param, checked.values.get(&param.name)?)));
    let mut params: Map<String, Value> = operation.outer_params().filter_map(shown).collect();
    if operation.grouping == Grouping::Input {
        let fields: Map<String, Value> = operation.input_params().filter_map(shown).collect();
        params.insert("input".to_owned(), Value::Object(fields));
    }
    params
}

fn brief(param: &Param, value: &Value) -> Value {
    if param.sensitive {
        return "[hidden]".into();
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= LONGEST_VALUE { value.clone() } else { shortened(&text, LONGEST_VALUE).into() }
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
        TokenRefusal::OperationChanged { token, operation } => Failure::new(
            Code::TokenScopeMismatch,
            format!(
                "Confirmation token scope mismatch: the operation '{operation}' has changed since the token was given, and would \
                 send something else now. {AGAIN}"
            ),
        )
        .with("token", token)
        .with("requested_operation", operation)
        .with("reason", "operation_changed"),
        TokenRefusal::ScopeMismatch { token, token_operation, requested_operation } => Failure::new(
            Code::TokenScopeMismatch,
            format!("Confirmation token scope mismatch: it was given for another operation or other parameters. {AGAIN}"),
        )
        .with("token", token)
        .with("token_operation", token_operation)
        .with("requested_operation", requested_operation),
    }
}
