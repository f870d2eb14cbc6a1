//! A source that is not as its file says: it has no good version yet, an older one is in service (ruling S8), or some of
//! it waits for approval.
//!
//! Made where files are loaded, shown by `adapter_info`; it changes nothing about what can be called.

/// What is wrong with one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceProblem {
    /// The source's name, or what its file's name says when the file does not.
    pub name: String,
    /// Its last good version is in service.
    pub is_served: bool,
    /// What is wrong, a line each, without the folders of this machine.
    pub problems: Vec<String>,
    /// Its own names of what is withheld until the operator approves it.
    pub withheld: Vec<String>,
}

impl SourceProblem {
    /// Its name.
    pub fn state(&self) -> &'static str {
        match self.is_served {
            false => "failed",
            true if self.problems.is_empty() => "partial",
            true => "stale",
        }
    }
}
