//! A schema that is put together and compiled when it is first needed, once.
//!
//! How to make the document in, the compiled schema out. Schemas of one source may share their definitions: then each
//! also says what is its own, so that the shared ones can be looked at once. Printing one shows nothing of it.

use crate::Schema;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

type MakeDocument = Box<dyn Fn() -> Value + Send + Sync>;

/// Definitions that several schemas refer to as `#/$defs/NAME`, each name with one meaning.
pub trait Definitions: Send + Sync {
    /// The definitions of these names and all that they lead to, whole.
    fn reachable(&self, names: BTreeSet<String>) -> BTreeMap<String, Value>;
}

/// A schema to be compiled later.
pub struct LazySchema {
    make: MakeDocument,
    shared: Option<(MakeDocument, Arc<dyn Definitions>)>,
    compiled: OnceLock<Schema>,
    is_closed: OnceLock<bool>,
}

impl LazySchema {
    /// The schema that this makes. The document is complete: every reference in it leads to a place in it.
    pub fn new(make: impl Fn() -> Value + Send + Sync + 'static) -> LazySchema {
        LazySchema {
            make: Box::new(make),
            shared: None,
            compiled: OnceLock::new(),
            is_closed: OnceLock::new(),
        }
    }

    /// The schema in this document.
    pub fn of(document: Value) -> LazySchema {
        LazySchema::new(move || document.clone())
    }

    /// The same schema, of which `own` is what stands beside the definitions that it shares with others.
    pub fn sharing(
        self,
        own: impl Fn() -> Value + Send + Sync + 'static,
        definitions: Arc<dyn Definitions>,
    ) -> LazySchema {
        LazySchema { shared: Some((Box::new(own), definitions)), ..self }
    }

    /// The document.
    pub fn document(&self) -> Value {
        match self.compiled.get() {
            Some(schema) => schema.document().clone(),
            None => (self.make)(),
        }
    }

    /// The document without the definitions that are shared, and these; nothing when it shares none.
    pub fn own(&self) -> Option<(Value, &Arc<dyn Definitions>)> {
        self.shared.as_ref().map(|(own, definitions)| (own(), definitions))
    }

    /// True when some object in it refuses properties that it does not declare.
    pub fn closes_objects(&self) -> bool {
        *self.is_closed.get_or_init(|| closes(&self.document()))
    }

    /// True when `closes_objects` is known.
    pub fn is_examined(&self) -> bool {
        self.is_closed.get().is_some()
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

fn closes(document: &Value) -> bool {
    let mut open = vec![document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) if map.get("additionalProperties") == Some(&Value::Bool(false)) => {
                return true;
            }
            Value::Object(map) => open.extend(map.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    false
}

impl fmt::Debug for LazySchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazySchema").finish_non_exhaustive()
    }
}
