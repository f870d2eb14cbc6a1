//! The closed table of error codes. A code that is not here cannot go out (error-code document; rulings W5 and W13).
//!
//! A code in; its name on the wire, and whether an agent can act on it, out.

use crate::named_enum::named_enum;

named_enum! {
    /// An error code on the wire.
    #[derive(Hash)]
    pub enum Code {
        /// A required parameter is not there.
        ValidationMissingParam = "VALIDATION_MISSING_PARAM",
        /// A value has the wrong JSON type.
        ValidationInvalidType = "VALIDATION_INVALID_TYPE",
        /// A parameter that the operation does not declare.
        ValidationUnknownParam = "VALIDATION_UNKNOWN_PARAM",
        /// A field of `input` that the operation does not declare.
        ValidationUnknownField = "VALIDATION_UNKNOWN_FIELD",
        /// A value breaks a constraint.
        ValidationInvalidValue = "VALIDATION_INVALID_VALUE",
        /// Not UTF-8, a lone surrogate, or a NUL.
        ValidationInvalidEncoding = "VALIDATION_INVALID_ENCODING",
        /// Over a limit.
        ValidationPayloadTooLarge = "VALIDATION_PAYLOAD_TOO_LARGE",
        /// The operation belongs to another tool.
        ValidationEndpointMismatch = "VALIDATION_ENDPOINT_MISMATCH",
        /// No such operation.
        NotFoundOperation = "NOT_FOUND_OPERATION",
        /// The upstream does not have it.
        NotFoundResource = "NOT_FOUND_RESOURCE",
        /// Refused.
        PermissionDenied = "PERMISSION_DENIED",
        /// The source is not trusted enough for this category.
        PermissionTrustLevelInsufficient = "PERMISSION_TRUST_LEVEL_INSUFFICIENT",
        /// The operation is too dangerous for the source's trust.
        PermissionDangerLevelDenied = "PERMISSION_DANGER_LEVEL_DENIED",
        /// A person must confirm it first.
        ConfirmationRequired = "CONFIRMATION_REQUIRED",
        /// It exists already.
        ConflictAlreadyExists = "CONFLICT_ALREADY_EXISTS",
        /// It was changed meanwhile.
        ConflictVersionMismatch = "CONFLICT_VERSION_MISMATCH",
        /// Its state does not allow it.
        ConflictInvalidState = "CONFLICT_INVALID_STATE",
        /// Too many requests.
        RateLimitExceeded = "RATE_LIMIT_EXCEEDED",
        /// A quota asks for a confirmation.
        RateLimitQuotaPause = "RATE_LIMIT_QUOTA_PAUSE",
        /// A quota is spent.
        RateLimitQuotaExhausted = "RATE_LIMIT_QUOTA_EXHAUSTED",
        /// A quota is nearly spent: a warning, never an error.
        RateLimitQuotaWarning = "RATE_LIMIT_QUOTA_WARNING",
        /// No such confirmation token.
        TokenInvalid = "TOKEN_INVALID",
        /// The token is too old.
        TokenExpired = "TOKEN_EXPIRED",
        /// The token was used.
        TokenAlreadyUsed = "TOKEN_ALREADY_USED",
        /// The token was given for something else.
        TokenScopeMismatch = "TOKEN_SCOPE_MISMATCH",
        /// `introspect` does not know this query.
        InvalidQueryType = "INVALID_QUERY_TYPE",
        /// A batch is not a batch.
        BatchValidationError = "BATCH_VALIDATION_ERROR",
        /// Our fault, or the upstream's.
        InternalError = "INTERNAL_ERROR",
        /// The host's name does not resolve.
        TransportDnsError = "TRANSPORT_DNS_ERROR",
        /// Nothing listens there.
        TransportConnectionRefused = "TRANSPORT_CONNECTION_REFUSED",
        /// No response in time.
        TransportTimeout = "TRANSPORT_TIMEOUT",
        /// TLS failed.
        TransportTlsError = "TRANSPORT_TLS_ERROR",
        /// Any other network trouble.
        TransportNetworkError = "TRANSPORT_NETWORK_ERROR",
        /// The request template does not make a request of this API.
        ProtocolInvalidMapping = "PROTOCOL_INVALID_MAPPING",
        /// The response could not be read.
        SerializationParseError = "SERIALIZATION_PARSE_ERROR",
        /// The credentials cannot be used as configured.
        AuthConfigInvalid = "AUTH_CONFIG_INVALID",
        /// A credential is not in the environment.
        AuthCredentialMissing = "AUTH_CREDENTIAL_MISSING",
        /// A transport, protocol or serialization that we do not have.
        PluginNotFound = "PLUGIN_NOT_FOUND",
    }
}

impl Code {
    /// True when an agent can act on it, so that `isError` is false.
    pub fn is_recoverable(self) -> bool {
        let name = self.name();
        ["VALIDATION_", "NOT_FOUND_", "PERMISSION_", "CONFLICT_", "RATE_LIMIT_", "TOKEN_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
            || matches!(
                self,
                Code::ConfirmationRequired | Code::InvalidQueryType | Code::BatchValidationError
            )
    }
}

#[cfg(test)]
mod tests;
