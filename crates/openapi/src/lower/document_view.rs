//! Looking things up in a document: references followed, schemas kept as text until a call needs them.
//!
//! The library in; values, and schemas to be put together later, out. A reference that leads nowhere was named when the
//! document was opened, so it is only passed over here.

use crate::read::{DocumentSet, PartLocation, ResolvedReference};
use aqueduct_schema::{LazySchema, LocatedSchema, SchemaDiscriminator, SchemaResolver, SchemaSubtype};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A document, as lowering looks into it.
pub(super) struct DocumentView<'l> {
    pub library: &'l Arc<DocumentSet>,
    shared: RefCell<HashMap<(u32, String), Arc<LazySchema>>>,
}

impl<'l> DocumentView<'l> {
    pub(super) fn new(library: &'l Arc<DocumentSet>) -> DocumentView<'l> {
        DocumentView { library, shared: RefCell::default() }
    }

    /// What a value stands for; nothing when its reference leads nowhere.
    pub(super) fn follow<'v>(&self, value: &'v Value, from: &PartLocation) -> Option<ResolvedReference<'v>> {
        self.library.resolve(value, from).ok()
    }

    /// The schema, complete with everything it refers to, put together when it is first needed. A schema that is the same
    /// text in the same document is kept once.
    pub(super) fn later(&self, schema: &Value, from: &PartLocation) -> Arc<LazySchema> {
        let key = (from.document_number(), schema.to_string());
        if let Some(known) = self.shared.borrow().get(&key) {
            return Arc::clone(known);
        }
        let (library, from, text) = (Arc::clone(self.library), *from, Arc::<str>::from(key.1.as_str()));
        let (same, alone) = (Arc::clone(&library), Arc::clone(&text));
        let made = LazySchema::new(move || library.schema(&parsed(&text), &from))
            .sharing(move || same.schema_alone(&parsed(&alone), &from), Arc::clone(self.library) as _);
        let made = Arc::new(made);
        self.shared.borrow_mut().insert(key, Arc::clone(&made));
        made
    }
}

impl SchemaResolver for DocumentView<'_> {
    type Location = PartLocation;

    fn resolve<'s>(
        &'s self,
        schema: &'s Value,
        from: &PartLocation,
    ) -> Option<LocatedSchema<'s, PartLocation>> {
        self.follow(schema, from)
    }

    fn document(&self, location: &PartLocation) -> u32 {
        location.document_number()
    }

    fn discriminator(&self, location: &PartLocation) -> Option<SchemaDiscriminator<'_, PartLocation>> {
        let Some(discriminated) = self.library.discriminated(location) else {
            let (property, values) = self.library.chosen_by(location)?;
            return Some(SchemaDiscriminator { property, values: values.to_vec(), subtypes: Vec::new() });
        };
        let listed = if discriminated.has_alternatives { &[][..] } else { &discriminated.subtypes };
        let subtypes = listed.iter().map(|subtype| SchemaSubtype {
            location: subtype.node,
            values: &subtype.values,
            schema: Box::new(|| self.library.value(&subtype.node)),
        });
        Some(SchemaDiscriminator {
            property: &discriminated.property,
            values: discriminated.values().map(Into::into).collect(),
            subtypes: subtypes.collect(),
        })
    }
}

/// What was written as text before.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Bool(true))
}

/// The text under a key.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// True when a flag is set.
pub(super) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}
