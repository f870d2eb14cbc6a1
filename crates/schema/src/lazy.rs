//! A schema that is put together and compiled when it is first needed, once.
//!
//! How to make the document in, the compiled schema out. Printing one shows nothing of it.

use crate::Schema;
use serde_json::Value;
use std::fmt;
use std::sync::OnceLock;

type Make = Box<dyn Fn() -> Value + Send + Sync>;

/// A schema to be compiled later.
pub struct LazySchema {
    make: Make,
    compiled: OnceLock<Schema>,
}

impl LazySchema {
    /// The schema that this makes. The document is complete: every reference in it leads to a place in it.
    pub fn new(make: impl Fn() -> Value + Send + Sync + 'static) -> LazySchema {
        LazySchema { make: Box::new(make), compiled: OnceLock::new() }
    }

    /// The schema in this document.
    pub fn of(document: Value) -> LazySchema {
        LazySchema::new(move || document.clone())
    }

    /// The document.
    pub fn document(&self) -> Value {
        match self.compiled.get() {
            Some(schema) => schema.document().clone(),
            None => (self.make)(),
        }
    }

    /// True when it has been compiled.
    pub fn is_ready(&self) -> bool {
        self.compiled.get().is_some()
    }

    /// The compiled schema.
    pub fn get(&self) -> &Schema {
        self.compiled.get_or_init(|| Schema::owning((self.make)()))
    }
}

impl fmt::Debug for LazySchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazySchema").finish_non_exhaustive()
    }
}
