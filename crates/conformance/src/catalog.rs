//! What the server offers: its operations and types, over all pages of their lists, and the details of those that are examined.
//!
//! Invariant: with more operations than are to be examined the choice is the same in every run: introspection, then in turn
//! those of each category, the easiest first.

use crate::conversation::Conversation;
use crate::exchange::Exchange;
use crate::operation::Operation;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most pages of a list that are read.
const MOST_PAGES: usize = 200;

/// What the server offers.
#[derive(Debug)]
pub(crate) struct Catalog {
    /// The pages of the operations list.
    pub operation_pages: Vec<Rc<Exchange>>,
    /// The pages of the types list.
    pub type_pages: Vec<Rc<Exchange>>,
    /// The items of the operations list.
    pub listed: Vec<Value>,
    /// The items of the types list.
    pub types: Vec<Value>,
    /// The answers with the details of those that are examined.
    pub details: Vec<Rc<Exchange>>,
    /// Those that are examined.
    pub operations: Vec<Operation>,
}

impl Catalog {
    /// Reads it.
    pub async fn read(conversation: &Conversation<'_>, most: usize) -> Catalog {
        let (operation_pages, listed) = pages(conversation, "operations").await;
        let (type_pages, types) = pages(conversation, "types").await;
        let mut details = Vec::new();
        let mut operations = Vec::new();
        for name in chosen(&listed, most) {
            let detail = conversation.introspect(json!({"query": "operations", "name": name})).await;
            operations.extend(Operation::read(&detail.data()["operation"]));
            details.push(detail);
        }
        Catalog { operation_pages, type_pages, listed, types, details, operations }
    }

    /// The first page of the operations list.
    pub fn first_page(&self) -> &Exchange {
        &self.operation_pages[0]
    }

    /// The facts about the protocol.
    pub fn protocol(&self) -> &Value {
        &self.first_page().data()["_protocol"]
    }

    /// What the server says it can do.
    pub fn claims(&self, capability: &str) -> bool {
        self.protocol()["capabilities"][capability] == true
    }

    /// The answer with the details of an operation.
    pub fn detail(&self, operation: &Operation) -> Option<&Exchange> {
        let is_wanted =
            |detail: &&Rc<Exchange>| detail.data()["operation"]["name"] == operation.name.as_str();
        self.details.iter().find(is_wanted).map(Rc::as_ref)
    }

    /// The operations that change nothing, introspection apart.
    pub fn safe(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|operation| operation.is_safe() && !operation.is_introspection())
    }
}

/// All pages of a list. A server that does not say where to go on has one.
async fn pages(conversation: &Conversation<'_>, query: &str) -> (Vec<Rc<Exchange>>, Vec<Value>) {
    let (mut pages, mut items, mut after) = (Vec::new(), Vec::new(), None::<String>);
    let mut seen = BTreeSet::new();
    for _ in 0..MOST_PAGES {
        let mut params = json!({"query": query});
        if let Some(after) = &after {
            params["after"] = after.as_str().into();
        }
        let page = conversation.introspect(params).await;
        items.extend(page.data()[query].as_array().into_iter().flatten().cloned());
        after = page.data()["_protocol"]["page"]["after"].as_str().map(str::to_owned);
        pages.push(page);
        if after.as_ref().is_none_or(|after| !seen.insert(after.clone())) {
            break;
        }
    }
    (pages, items)
}

/// The names of the operations whose details are read.
pub(crate) fn chosen(listed: &[Value], most: usize) -> Vec<&str> {
    let all: Vec<&str> = listed.iter().filter_map(|item| item["name"].as_str()).collect();
    if all.len() <= most {
        return all;
    }
    let mut groups: Vec<Vec<&str>> = ["READ", "CREATE", "UPDATE", "DELETE", "EXECUTE"]
        .iter()
        .map(|category| {
            let of_category = listed.iter().filter(|item| item["semantic_category"] == *category);
            let mut names: Vec<&str> = of_category.filter_map(|item| item["name"].as_str()).collect();
            names.sort_by_key(|name| (*name != "introspect", !is_list(name)));
            names.reverse();
            names
        })
        .collect();
    let mut chosen = Vec::new();
    while chosen.len() < most && groups.iter().any(|group| !group.is_empty()) {
        chosen.extend(groups.iter_mut().filter_map(Vec::pop).take(most - chosen.len()).collect::<Vec<_>>());
    }
    chosen
}

fn is_list(name: &str) -> bool {
    let bare = name.rsplit("__").next().unwrap_or(name);
    bare.starts_with("list_")
}
