//! An operation that a file declares, whose code the program registers.
//!
//! What a file says in; the specification and the key of its handler out.

use aqueduct_operations::native::OperationSpec;

/// What a file declares.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationManifest {
    /// The file, as it was named.
    pub file: String,
    /// The operation.
    pub spec: OperationSpec,
    /// The key of its code, when the file names one.
    pub handler: Option<String>,
}

impl OperationManifest {
    /// The key under which its code is registered: `<namespace>.<name>` where nothing else is said.
    pub fn handler_key(&self) -> String {
        self.handler.clone().unwrap_or_else(|| format!("{}.{}", self.spec.namespace, self.spec.name))
    }
}
