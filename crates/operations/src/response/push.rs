//! What an upstream filters, sorts and searches by itself, and by which query parameters.
//!
//! Declared in an adapter file; what is not there is done here.

use serde_json::Value;

/// The controls that are pushed upstream; the others are done here.
#[derive(Debug, Clone, Default)]
pub struct PushRules {
    /// Filter keys that the upstream knows.
    pub filters: Vec<PushFilter>,
    /// Its sorting.
    pub sort: Option<PushSort>,
    /// Its search.
    pub query: Option<PushQuery>,
}

/// One filter key. Only equality with one value is pushed.
#[derive(Debug, Clone)]
pub struct PushFilter {
    /// The key in `filter`.
    pub key: String,
    /// The upstream's query parameter.
    pub param: String,
    /// The values that it knows; any when absent.
    pub values: Option<Vec<Value>>,
}

/// The upstream's sorting.
#[derive(Debug, Clone)]
pub struct PushSort {
    /// The query parameter for the field.
    pub param: String,
    /// The query parameter for `asc` and `desc`; without one only ascending order is pushed.
    pub order_param: Option<String>,
    /// Field by our name, with the upstream's word for it.
    pub fields: Vec<(String, String)>,
}

/// The upstream's search.
#[derive(Debug, Clone)]
pub struct PushQuery {
    /// The query parameter for the words.
    pub param: String,
}

impl PushRules {
    /// The upstream's parameter for this filter key.
    pub fn filter(&self, key: &str) -> Option<&PushFilter> {
        self.filters.iter().find(|filter| filter.key == key)
    }
}
