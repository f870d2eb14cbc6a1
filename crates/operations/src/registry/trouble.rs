//! A source that is not as its file says: it has no good version yet, or an older one is in service (ruling S8).
//!
//! Made where files are loaded, shown by `adapter_info`; it changes nothing about what can be called.

/// What is wrong with one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The source's name, or what its file's name says when the file does not.
    pub name: String,
    /// Its last good version is in service.
    pub is_served: bool,
    /// What is wrong, a line each, without the folders of this machine.
    pub problems: Vec<String>,
}

impl Trouble {
    /// The word for it.
    pub fn state(&self) -> &'static str {
        if self.is_served { "stale" } else { "failed" }
    }
}
