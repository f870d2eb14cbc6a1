//! Whole requests for operations, made from introspection alone.
//!
//! Required parameters get values from harvested identifiers, examples, enums, defaults, limits and types, in this order.

use crate::conversation::Conversation;
use crate::identifiers;
use crate::operation::Operation;
use crate::sample_value;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The most lists that are read for identifiers.
const MOST_LISTS: usize = 20;

/// What lists hold, by the noun of their operations.
#[derive(Debug, Default)]
pub(crate) struct ListedItems {
    items: BTreeMap<String, Value>,
}

impl ListedItems {
    /// Calls the safe operations that need no parameter, and keeps the first item of what they list.
    pub async fn gather(conversation: &Conversation<'_>, operations: &[Operation]) -> ListedItems {
        let mut listed = ListedItems::default();
        let is_list = |operation: &&Operation| {
            operation.is_safe() && !operation.is_introspection() && operation.required().next().is_none()
        };
        for operation in operations.iter().filter(is_list).take(MOST_LISTS) {
            let answer = conversation.operate(operation, Map::new()).await;
            if let Some(item) = identifiers::items(answer.data()).first().filter(|_| answer.is_success()) {
                listed.items.entry(operation.words().1).or_insert_with(|| (*item).clone());
            }
        }
        listed
    }

    /// The parameters of a request that is right as far as introspection tells.
    pub fn request(&self, operation: &Operation) -> Map<String, Value> {
        let value = |name: &str| self.identifier(operation, name);
        operation
            .required()
            .map(|parameter| {
                let value =
                    value(&parameter.name).unwrap_or_else(|| sample_value::right(operation, parameter));
                (parameter.name.clone(), value)
            })
            .collect()
    }

    /// An identifier that some list has.
    fn identifier(&self, operation: &Operation, parameter: &str) -> Option<Value> {
        let noun = operation.words().1;
        let of_parameter = parameter.strip_suffix("_id").unwrap_or(parameter).to_owned();
        let is_identifier = parameter.ends_with("_id") || matches!(parameter, "id" | "key" | "name" | "slug");
        [noun.clone(), of_parameter]
            .iter()
            .filter(|_| is_identifier)
            .filter_map(|of| Some((of, self.items.get(of)?)))
            .find_map(|(of, item)| identifiers::identifier(item, parameter, of))
    }
}
