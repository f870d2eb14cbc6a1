//! How an UPDATE by PUT finds what is there before it writes.

/// What is declared about updating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateRule {
    /// The operation that reads the resource; when absent, the GET on the same path.
    pub read: Option<String>,
    /// The version seen is sent as `If-Match`.
    pub if_match: bool,
}

impl Default for UpdateRule {
    fn default() -> UpdateRule {
        UpdateRule { read: None, if_match: true }
    }
}
