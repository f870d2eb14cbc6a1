//! How an UPDATE finds what is there before it writes, and what of it goes out (core specification, section 4.5.1).
//! Sources fill it in; the stage that updates reads it.

/// What is declared about updating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateRule {
    /// The operation that reads the resource; when absent, the GET on the same path.
    pub read: Option<String>,
    /// What is given is merged into what is read, where there is a way to read it; else it is sent as it is.
    pub merge: bool,
    /// The version seen is sent as `If-Match`.
    pub if_match: bool,
    /// What of it is not written back.
    pub leaves_out: OmittedFields,
}

/// What an update does not write back of what it read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OmittedFields {
    /// Nothing: all of it goes back.
    #[default]
    Nothing,
    /// These fields, by their names in the API: they are only for reading.
    These(Vec<String>),
    /// Every field that is no parameter: the API takes no others.
    Undeclared,
}

/// How what is given and what is stored become one body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeRule {
    /// All that is stored goes back, with what is given merged into it: a PUT replaces the whole.
    Whole,
    /// Only what is given goes out, its objects merged into the stored ones: an API may replace those whole.
    Given,
}

impl Default for UpdateRule {
    fn default() -> UpdateRule {
        UpdateRule { read: None, merge: true, if_match: true, leaves_out: OmittedFields::Nothing }
    }
}
