//! One item, in which each key is looked up once, however many expressions have it.
//!
//! Keys in, what they find out.

use crate::item::{FoundValue, Item, ItemKey};
use std::collections::HashMap;

/// An item, and what was found in it so far.
pub(super) struct ItemLookup<'k, 'i> {
    item: &'i Item<'i>,
    found: HashMap<&'k str, FoundValue>,
}

impl<'k, 'i> ItemLookup<'k, 'i> {
    /// Nothing looked up yet.
    pub(super) fn new(item: &'i Item<'i>) -> ItemLookup<'k, 'i> {
        ItemLookup { item, found: HashMap::new() }
    }

    /// What a key finds.
    pub(super) fn find(&mut self, key: &'k ItemKey) -> &FoundValue {
        self.found.entry(key.text()).or_insert_with(|| self.item.find(key))
    }
}
