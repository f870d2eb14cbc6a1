//! How an UPDATE by PUT finds what is there before it writes.

/// What is declared about updating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateRule {
    /// The operation that reads the resource; when absent, the GET on the same path.
    pub read: Option<String>,
    /// The version seen is sent as `If-Match`.
    pub if_match: bool,
    /// What of it is not written back.
    pub leaves_out: LeavesOut,
}

/// What an update does not write back of what it read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LeavesOut {
    /// Nothing: all of it goes back.
    #[default]
    Nothing,
    /// These fields, by their names in the API: they are only for reading.
    These(Vec<String>),
    /// Every field that is no parameter: the API takes no others.
    Undeclared,
}

impl Default for UpdateRule {
    fn default() -> UpdateRule {
        UpdateRule { read: None, if_match: true, leaves_out: LeavesOut::Nothing }
    }
}
