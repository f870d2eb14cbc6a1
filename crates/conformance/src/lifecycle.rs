//! The life of things that the run itself makes: created, read back, changed, read again, deleted, looked for.
//!
//! Operations in; for each kind of thing the history of one of them out, which the checks judge. Invariants: nothing is created that
//! cannot be deleted again; no call is confirmed but the deletion of what was created here; whatever is left is deleted in the
//! end, after a failure or a stop too.

mod history;
mod probe;

pub(crate) use history::{ReadOnlyChange, ResourceHistory, UpdateHistory};
pub(crate) use probe::{Probe, probes};

use crate::conversation::Conversation;
use crate::exchange::Exchange;
use crate::identifiers;
use crate::operation::Operation;
use crate::requests::ListedItems;
use serde_json::{Map, Value};

const CREATE_VERBS: [&str; 5] = ["create", "add", "insert", "register", "post"];
const READ_VERBS: [&str; 4] = ["get", "read", "fetch", "show"];
const UPDATE_VERBS: [&str; 4] = ["update", "edit", "patch", "modify"];
const DELETE_VERBS: [&str; 3] = ["delete", "remove", "destroy"];

/// The most kinds of things that are made.
const MOST_CYCLES: usize = 5;

/// The operations on one kind of thing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cycle<'a> {
    /// Makes one.
    pub create: &'a Operation,
    /// Reads one.
    pub read: &'a Operation,
    /// Changes one.
    pub update: Option<&'a Operation>,
    /// Deletes one.
    pub delete: &'a Operation,
}

/// The kinds of things that can be created, read and deleted.
pub(crate) fn cycles(operations: &[Operation]) -> Vec<Cycle<'_>> {
    let find = |create: &Operation, category: &str, verbs: &[&str]| {
        let (_, noun) = create.words();
        operations.iter().find(|each| {
            let (verb, of) = each.words();
            each.category == category
                && verbs.contains(&verb)
                && of == noun
                && each.source() == create.source()
        })
    };
    let creates =
        operations.iter().filter(|each| each.category == "CREATE" && CREATE_VERBS.contains(&each.words().0));
    creates
        .filter_map(|create| {
            let read = find(create, "READ", &READ_VERBS)?;
            let delete = find(create, "DELETE", &DELETE_VERBS)?;
            Some(Cycle { create, read, update: find(create, "UPDATE", &UPDATE_VERBS), delete })
        })
        .take(MOST_CYCLES)
        .collect()
}

impl<'a> Cycle<'a> {
    /// Every operation of it that changes something.
    pub fn changing(self) -> impl Iterator<Item = &'a Operation> {
        [Some(self.create), self.update, Some(self.delete)].into_iter().flatten()
    }

    /// The parameters by which an operation finds the thing that was made with these values, and answered with this data.
    fn address(
        self,
        operation: &Operation,
        submitted: &Map<String, Value>,
        data: &Value,
    ) -> Option<Map<String, Value>> {
        let noun = self.create.words().1;
        let mut address = Map::new();
        for parameter in operation.required().filter(|parameter| parameter.name != "input") {
            let own = || identifiers::identifier(data, &parameter.name, &noun);
            let value = match submitted.get(&parameter.name) {
                // What both share is where the thing is; its own identifier comes with the answer.
                Some(value) => data.get(&parameter.name).unwrap_or(value).clone(),
                None => own()?,
            };
            address.insert(parameter.name.clone(), value);
        }
        (!address.is_empty()).then_some(address)
    }
}

/// Things that were created, and are to be deleted.
#[derive(Debug, Default)]
pub(crate) struct CreatedThings<'a> {
    things: Vec<(&'a Operation, Map<String, Value>)>,
    /// What could not be deleted, in words.
    pub left: Vec<String>,
}

impl<'a> CreatedThings<'a> {
    /// Remembers what a creation made, or may have made; tells how the operations of the cycle find it.
    fn remember(&mut self, cycle: Cycle<'a>, submitted: &Map<String, Value>, answer: &Exchange) -> bool {
        if !answer.is_success() {
            if answer.is_in_doubt() {
                let name = &cycle.create.name;
                let left = format!("what '{name}' may have created; its answer: {}", answer.shown_answer());
                if !self.left.contains(&left) {
                    self.left.push(left);
                }
            }
            return false;
        }
        match cycle.address(cycle.delete, submitted, answer.data()) {
            Some(address) => {
                self.things.push((cycle.delete, address));
                true
            }
            None => {
                let name = &cycle.create.name;
                self.left
                    .push(format!("what '{name}' created: its answer has no identifier to delete it by"));
                false
            }
        }
    }

    /// Takes what has been deleted off the list.
    fn forget(&mut self, address: &Map<String, Value>) {
        self.things.retain(|(_, known)| known != address);
    }

    /// Deletes what is left, whatever has happened.
    pub async fn clean_up(&mut self, conversation: &Conversation<'_>) {
        for (delete, address) in std::mem::take(&mut self.things) {
            let mut answer = conversation.clean_up(delete, address.clone()).await;
            if let Some(confirmed) = confirmed(delete, &address, &answer) {
                answer = conversation.clean_up(delete, confirmed).await;
            }
            if !answer.is_success() && !answer.code().starts_with("NOT_FOUND") {
                let place = Value::Object(address);
                self.left.push(format!(
                    "{place}, which '{}' did not delete: {}",
                    delete.name,
                    answer.shown_answer()
                ));
            }
        }
    }
}

/// The token that an answer asks to be repeated with.
pub(crate) fn token(answer: &Exchange) -> Option<&str> {
    let own = answer.result()["confirmation"]["token"].as_str();
    own.or_else(|| answer.details()["confirmation_token"].as_str()).filter(|_| !answer.is_success())
}

/// What somebody else has to approve before the request can be repeated: the answer names it and has no token (ruling S3).
pub(crate) fn approval(answer: &Exchange) -> Option<&str> {
    let is_wanted = answer.code() == "CONFIRMATION_REQUIRED" && token(answer).is_none();
    answer.details()["approval_id"].as_str().filter(|id| is_wanted && !id.is_empty())
}

/// The same request with the token of the answer to it.
fn confirmed(
    operation: &Operation,
    params: &Map<String, Value>,
    answer: &Exchange,
) -> Option<Map<String, Value>> {
    token(answer).map(|token| with_token(operation, params, token))
}

/// A request with a token, in the parameter that the operation has for it.
fn with_token(operation: &Operation, params: &Map<String, Value>, token: &str) -> Map<String, Value> {
    let name = if operation.parameter("confirmation_token").is_some() {
        "confirmation_token"
    } else {
        "_confirmation"
    };
    let mut params = params.clone();
    params.insert(name.to_owned(), token.into());
    params
}

/// Lets every kind of thing have its history.
pub(crate) async fn histories<'a>(
    conversation: &Conversation<'_>,
    cycles: &[Cycle<'a>],
    listed: &ListedItems,
    created: &mut CreatedThings<'a>,
) -> Vec<ResourceHistory<'a>> {
    let mut histories = Vec::new();
    for cycle in cycles {
        let history = ResourceHistory::live(conversation, *cycle, listed, created).await;
        let is_over = history.waits_for_approval();
        histories.push(history);
        // A server that lets somebody else decide on deletions would keep all that is created.
        if is_over {
            break;
        }
    }
    histories
}
