//! The gatekeeper's refusals: denied, to be confirmed, or with a token that is no good.
//!
//! Who is asked to confirm sees what would run: operation, source and values, sensitive ones hidden and long ones cut.

use super::{of_operation, with_some};
use crate::stages::validate::{CheckedRequest, token_name};
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::failure::wording::abridged;
use aqueduct_operations::failure::{Code, Failure, wording};
use aqueduct_operations::gatekeeper::{
    AskFailure, ConfirmationNeed, Denial, GateRefusal, IssuedToken, NeededConfirmation, PendingApproval,
    PersonRefusal, TokenRefusal,
};
use aqueduct_operations::operation::{Grouping, RegistryEntry};
use aqueduct_operations::params::Param;
use serde_json::{Map, Value, json};

/// Characters of a value that are shown to the person who confirms.
const LONGEST_VALUE: usize = 200;

/// Stands for a sensitive value.
const HIDDEN: &str = "[hidden]";

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

/// The caller lacks a scope.
pub fn scope_missing(entry: &RegistryEntry, scope: String) -> Failure {
    let message = format!("Permission denied: requires '{scope}' scope");
    of_operation(entry, Code::PermissionDenied, message)
        .with("required_scopes", entry.operation.required_scopes.clone())
        .with("missing_scope", scope)
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
    let mut failure = refused(checked, refusal);
    failure.message =
        format!("'{}' needs '{needed}' on its way, which may not run. {}", call.public_name, failure.message);
    failure.with("operation", call.public_name.as_str()).with("needs", needed)
}

/// One refusal of a request.
pub fn refused(checked: &CheckedRequest<'_>, refusal: GateRefusal) -> Failure {
    match refusal {
        GateRefusal::Denied(denial) => denied(checked.entry, denial),
        GateRefusal::Scope(scope) => scope_missing(checked.entry, scope),
        GateRefusal::Policy(denial) => policy(&checked.entry.public_name, &denial.reason),
        GateRefusal::ConfirmationNeeded(needed) => confirmation_needed(checked, *needed),
        GateRefusal::OperatorDenied { reason } => {
            let operation = checked.entry.public_name.as_str();
            operator_denied(operation, &format!("this call of '{operation}'"), reason.as_deref())
        }
        GateRefusal::NotAgreed(refusal) => {
            let operation = checked.entry.public_name.as_str();
            not_agreed(&format!("this call of '{operation}'"), refusal).with("operation", operation)
        }
        GateRefusal::Unconfirmed => {
            let operation = checked.entry.public_name.as_str();
            let message = format!("Permission denied: '{operation}' needs a confirmation of its own");
            Failure::new(Code::PermissionDenied, message)
        }
        GateRefusal::Agent(refusal) => {
            let failure = of_operation(checked.entry, Code::PermissionDenied, refusal.message);
            with_some(failure.with("reason", refusal.reason), "verificationId", refusal.verification_id)
        }
        GateRefusal::Token(refusal) => token(refusal),
        GateRefusal::NotAsked(failure) => not_asked(failure),
        GateRefusal::NotAudited(error) => unavailable("written to the audit", &error.0),
    }
}

/// No person could be asked.
pub(super) fn not_asked(failure: AskFailure) -> Failure {
    match failure {
        AskFailure::NoRandomness(error) => wording::internal(error),
        AskFailure::RateLimited { retry_after_seconds } => {
            limited("Too many confirmations were asked for in this session.", retry_after_seconds)
        }
        AskFailure::Unavailable(why) => unavailable("confirmed", &why),
        AskFailure::NoOperator => Failure::new(
            Code::PermissionDenied,
            "Permission denied: only an operator who signs in for it can confirm this, and this server has no place for approvals. The \
             operator can start it with a state directory.",
        )
        .with("reason", "operator_needed"),
    }
}

/// The store is lost: nothing runs that needs it (decision 0040).
pub(super) fn unavailable(what: &str, why: &str) -> Failure {
    let message = format!(
        "The call cannot be {what} now, so it did not run: {why}. Nothing was sent; try again later."
    );
    Failure::new(Code::InternalError, message).with("reason", "store_unavailable")
}

fn limited(what: &str, retry_after_seconds: u64) -> Failure {
    let message = format!("{what} Try again in {retry_after_seconds} seconds.");
    Failure::new(Code::RateLimitExceeded, message).with("retry_after_seconds", retry_after_seconds)
}

/// An operator has said no. Their words are shown as those of a policy are.
pub(super) fn operator_denied(operation: &str, what: &str, reason: Option<&str>) -> Failure {
    let mut message = format!("Permission denied: the operator has refused {what}");
    if let Some(reason) = reason.filter(|reason| !wording::looks_like_a_leak(reason)) {
        message = format!("{message}: {reason}");
    }
    let failure = Failure::new(Code::PermissionDenied, message).with("operation", operation);
    with_some(failure, "reason", reason)
}

/// The person behind the client has said no, or nothing.
pub(super) fn not_agreed(what_was_asked: &str, refusal: PersonRefusal) -> Failure {
    let (what, reason) = match refusal {
        PersonRefusal::Declined => ("did not agree", "declined"),
        PersonRefusal::Unanswered => ("gave no answer", "no_answer"),
    };
    let message = format!(
        "Permission denied: the user was asked about {what_was_asked}, and {what}. Nothing was sent. Send it again only if the user \
         wants it."
    );
    Failure::new(Code::PermissionDenied, message).with("reason", reason)
}

fn confirmation_needed(checked: &CheckedRequest<'_>, needed: NeededConfirmation) -> Failure {
    let NeededConfirmation { need, danger_level, reasons, message } = needed;
    let entry = checked.entry;
    let request = match &need {
        ConfirmationNeed::Token(_) => format!(
            "This operation requires confirmation. Ask the user; if they agree, send the same request again with {} added to \
             params.",
            token_name(&entry.operation)
        ),
        ConfirmationNeed::Operator(_) => "This operation requires an operator's approval, and the operator is asked. Send the same request \
                                  again when it is approved; it runs once. No parameter approves it."
            .to_owned(),
    };
    let failure = of_operation(entry, Code::ConfirmationRequired, request)
        .with("source", entry.source.name.as_str())
        .with("params", what_would_run(checked))
        .with("danger_level", danger_level.name())
        .with("reasons", reasons.clone());
    let failure = with_some(failure, "confirmation_message", message.as_deref());
    with_need(failure, need, &reasons, message)
}

/// Adds whose yes it takes.
pub(super) fn with_need(
    failure: Failure,
    need: ConfirmationNeed,
    reasons: &[String],
    message: Option<String>,
) -> Failure {
    let issued: IssuedToken = match need {
        ConfirmationNeed::Token(issued) => issued,
        ConfirmationNeed::Operator(PendingApproval { id, expires_at }) => {
            return failure.with("approval_id", id).with("expires_at", iso8601(expires_at));
        }
    };
    let expires_at = iso8601(issued.expires_at);
    let mut failure =
        failure.with("confirmation_token", issued.token.as_str()).with("expires_at", expires_at.as_str());
    let mut mirror = json!({"token": issued.token, "expires_at": expires_at, "reasons": reasons});
    if let Some(message) = message {
        mirror["message"] = Value::from(message);
    }
    failure.confirmation = Some(mirror);
    failure
}

/// The values as they would be sent, defaults included, and the controls, in the places where a request has them; long ones cut.
pub fn what_would_run(checked: &CheckedRequest<'_>) -> Map<String, Value> {
    params_shown(checked, brief)
}

/// The same with every value whole: who says yes to it can see all of it.
pub fn whole_params(checked: &CheckedRequest<'_>) -> Map<String, Value> {
    params_shown(checked, Value::clone)
}

fn params_shown(checked: &CheckedRequest<'_>, form: impl Fn(&Value) -> Value) -> Map<String, Value> {
    let operation = &checked.entry.operation;
    let shown = |param: &Param| {
        let value = checked.values.get(&param.name)?;
        Some((param.name.clone(), if param.is_secret() { HIDDEN.into() } else { form(value) }))
    };
    let mut params: Map<String, Value> = operation.outer_params().filter_map(shown).collect();
    if operation.grouping == Grouping::Input {
        let fields: Map<String, Value> = operation.input_params().filter_map(shown).collect();
        params.insert("input".to_owned(), Value::Object(fields));
    }
    let sensitive = |name: &str| {
        operation
            .params
            .iter()
            .any(|param| (param.name == name || param.upstream_name == name) && param.is_secret())
    };
    let hides = checked.pushed.iter().any(|param| sensitive(&param.name));
    params.extend(checked.controls.all().map(|(control, value)| {
        (control.name_on(operation), if hides { HIDDEN.into() } else { form(value) })
    }));
    params
}

/// The values, without those that are secret.
pub fn hiding_secrets(checked: &CheckedRequest<'_>) -> Map<String, Value> {
    let mut values = Map::clone(&checked.values);
    for param in checked.entry.operation.params.iter().filter(|param| param.is_secret()) {
        if let Some(value) = values.get_mut(&param.name) {
            *value = HIDDEN.into();
        }
    }
    values
}

fn brief(value: &Value) -> Value {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= LONGEST_VALUE { value.clone() } else { abridged(&text, LONGEST_VALUE).into() }
}

pub(super) fn token(refusal: TokenRefusal) -> Failure {
    const AGAIN: &str = "Send the request without a token to get a new one.";
    match refusal {
        TokenRefusal::Invalid { token } => {
            Failure::new(Code::TokenInvalid, format!("Invalid confirmation token. {AGAIN}")).with("token", token)
        }
        TokenRefusal::Revoked { token } => {
            Failure::new(Code::TokenInvalid, format!("Confirmation token was taken back. {AGAIN}"))
                .with("token", token)
                .with("reason", "revoked")
        }
        TokenRefusal::CoolingDown { retry_after_seconds } => Failure::new(
            Code::PermissionDenied,
            format!(
                "Permission denied: this confirmation can be used in {retry_after_seconds} seconds, to give the user time to think. \
                 Send the same request again then."
            ),
        )
        .with("reason", "cooldown")
        .with("retry_after_seconds", retry_after_seconds),
        TokenRefusal::RateLimited { retry_after_seconds } => {
            limited("Too many confirmation tokens of this session were refused.", retry_after_seconds)
        }
        TokenRefusal::Unavailable(why) => unavailable("confirmed", &why),
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
