//! What an adapter says an HTTP status means.

use crate::failure::Code;

/// The code, and maybe the words, for one status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorRule {
    /// The HTTP status, 400 to 599.
    pub status: u16,
    /// The code that goes out.
    pub code: Code,
    /// The message, with `{status}`, `{message}` (the upstream's words) and `{param}` for each parameter of the call.
    pub message_template: Option<String>,
}
