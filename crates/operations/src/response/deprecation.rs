//! That an operation will go away.

/// What is known about the end of an operation. All of it may be unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deprecation {
    /// From which version on.
    pub since: Option<String>,
    /// When it goes: an ISO 8601 date, `YYYY-MM-DD`.
    pub removal_date: Option<String>,
    /// What to call instead.
    pub replacement: Option<String>,
}
