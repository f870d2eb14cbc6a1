//! One thing from its creation to its end, with every answer on the way.
//!
//! Operations in, answers out; what they are worth is judged elsewhere. Whatever is created is remembered at once, to be deleted.

use super::{CreatedThings, Cycle, Probe, approval, confirmed, probes, with_token};
use crate::conversation::Conversation;
use crate::exchange::Exchange;
use crate::identifiers;
use crate::operation::{Operation, Parameter};
use crate::requests::ListedItems;
use crate::sample_value::{self, MARK};
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// Parameters of a creation that say how to do it, not what to make.
const NOT_OF_THE_THING: [&str; 6] =
    ["fields", "preset", "dry_run", "budget", "confirmation_token", "if_match"];

/// A text that has letters of several scripts.
const TEXT: &str = "conformance Größe ☕ 日本";

/// A token that no server gave.
const FORGED: &str = "conf_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What happened to one thing.
#[derive(Debug)]
pub(crate) struct ResourceHistory<'a> {
    /// The operations.
    pub cycle: Cycle<'a>,
    /// What it was created with.
    pub submitted: Map<String, Value>,
    /// The answer to that.
    pub created: Rc<Exchange>,
    /// The answer to a creation with nothing but what is required.
    pub created_with_least: Option<Rc<Exchange>>,
    /// The thing, read back.
    pub read_back: Option<Rc<Exchange>>,
    /// How it was changed.
    pub update: Option<UpdateHistory>,
    /// A change of a field that cannot be changed.
    pub read_only: Option<ReadOnlyChange>,
    /// A deletion without a confirmation.
    pub unconfirmed: Option<Rc<Exchange>>,
    /// The thing after that.
    pub after_unconfirmed: Option<Rc<Exchange>>,
    /// A deletion with a token that no one gave.
    pub forged: Option<Rc<Exchange>>,
    /// The deletion.
    pub deleted: Option<Rc<Exchange>>,
    /// The same deletion with the same token once more.
    pub repeated: Option<Rc<Exchange>>,
    /// The thing after its deletion.
    pub after_deletion: Option<Rc<Exchange>>,
    /// Requests that must be refused.
    pub probes: Vec<Probe<'a>>,
}

/// How a thing was changed.
#[derive(Debug)]
pub(crate) struct UpdateHistory {
    /// The thing before.
    pub before: Value,
    /// The fields that were sent.
    pub changed: Map<String, Value>,
    /// The answer.
    pub answer: Rc<Exchange>,
    /// The thing after it.
    pub after: Rc<Exchange>,
    /// The same without `input`.
    pub without_input: Rc<Exchange>,
}

/// A change of a field that introspection does not offer for it, or, where it offers none by name, of the identifier.
#[derive(Debug)]
pub(crate) struct ReadOnlyChange {
    /// The field.
    pub field: String,
    /// Introspection says that it cannot be changed, since it says which fields can.
    pub is_documented: bool,
    /// The field before it.
    pub before: Value,
    /// The answer.
    pub answer: Rc<Exchange>,
    /// The thing after it.
    pub after: Rc<Exchange>,
}

/// An operation with the parameters that lead to one thing.
struct AddressedOperation<'a> {
    operation: &'a Operation,
    address: Map<String, Value>,
}

impl AddressedOperation<'_> {
    async fn send(&self, conversation: &Conversation<'_>) -> Rc<Exchange> {
        conversation.operate(self.operation, self.address.clone()).await
    }

    /// The parameters of an update with this input.
    fn with_input(&self, input: Value) -> Map<String, Value> {
        let mut params = self.address.clone();
        params.insert("input".to_owned(), input);
        params
    }
}

impl<'a> ResourceHistory<'a> {
    /// Lets it happen.
    pub async fn live(
        conversation: &Conversation<'_>,
        cycle: Cycle<'a>,
        listed: &ListedItems,
        created: &mut CreatedThings<'a>,
    ) -> ResourceHistory<'a> {
        let mut submitted = whole_request(cycle.create, listed);
        let mut answer = conversation.operate(cycle.create, submitted.clone()).await;
        if !answer.is_success() {
            created.remember(cycle, &submitted, &answer);
            submitted = listed.request(cycle.create);
            answer = conversation.operate(cycle.create, submitted.clone()).await;
        }
        let is_known = created.remember(cycle, &submitted, &answer);
        let mut history = ResourceHistory {
            cycle,
            submitted,
            created: answer,
            created_with_least: None,
            read_back: None,
            update: None,
            read_only: None,
            unconfirmed: None,
            after_unconfirmed: None,
            forged: None,
            deleted: None,
            repeated: None,
            after_deletion: None,
            probes: Vec::new(),
        };
        if is_known {
            history.update_and_delete(conversation, created).await;
        }
        if is_known && !history.waits_for_approval() {
            history.create_with_least(conversation, listed, created).await;
            history.create_otherwise(conversation, created).await;
        }
        history
    }

    /// The thing could be read just before its deletion, so that it is seen afterwards whether it is still there.
    pub fn is_readable(&self) -> bool {
        let after_changes = self.read_only.as_ref().map(|change| &change.after);
        let after_an_update = self.update.as_ref().map(|update| &update.after);
        let last = after_changes.or(after_an_update).or(self.read_back.as_ref());
        last.is_some_and(|answer| answer.is_success())
    }

    /// Somebody else decides whether the thing is deleted: nothing more is created, for it would stay too.
    pub fn waits_for_approval(&self) -> bool {
        self.unconfirmed.as_ref().is_some_and(|answer| approval(answer).is_some())
    }

    /// Creates one with nothing but what is required, unless the first one was.
    async fn create_with_least(
        &mut self,
        conversation: &Conversation<'_>,
        listed: &ListedItems,
        created: &mut CreatedThings<'a>,
    ) {
        let least = listed.request(self.cycle.create);
        let answer = if least == self.submitted {
            Rc::clone(&self.created)
        } else {
            let answer = conversation.operate(self.cycle.create, least.clone()).await;
            created.remember(self.cycle, &least, &answer);
            answer
        };
        self.created_with_least = Some(answer);
    }

    /// Creates another one with each parameter that was not tried yet.
    async fn create_otherwise(&mut self, conversation: &Conversation<'_>, created: &mut CreatedThings<'a>) {
        let create = self.cycle.create;
        for parameter in untried(create, &self.submitted) {
            let mut params = self.submitted.clone();
            params.insert(parameter.name.clone(), test_value(create, parameter));
            let answer = conversation.operate(create, params.clone()).await;
            if identifiers::has_identifier(answer.data()) || answer.is_in_doubt() {
                created.remember(self.cycle, &params, &answer);
            }
        }
        for probe in probes(conversation, create, &self.submitted).await {
            // A server that does not refuse it has made another one.
            created.remember(self.cycle, &probe.params, &probe.answer);
            self.probes.push(probe);
        }
    }

    async fn update_and_delete(&mut self, conversation: &Conversation<'_>, created: &mut CreatedThings<'a>) {
        let (cycle, data) = (self.cycle, self.created.data().clone());
        let address = |operation: &Operation| cycle.address(operation, &self.submitted, &data);
        let (Some(to_read), Some(to_delete)) = (address(cycle.read), address(cycle.delete)) else { return };
        let update = cycle
            .update
            .and_then(|operation| Some(AddressedOperation { operation, address: address(operation)? }));
        let read = AddressedOperation { operation: cycle.read, address: to_read };
        let read_back = read.send(conversation).await;
        if let Some(update) = update.filter(|_| read_back.is_success()) {
            self.update = UpdateHistory::live(conversation, &update, &read, read_back.data().clone()).await;
            self.read_only = ReadOnlyChange::live(conversation, &update, &read, read_back.data()).await;
            if let Some(change) = self.read_only.as_ref().filter(|change| change.has_changed_elsewhere()) {
                // It is elsewhere now, and is to be deleted there.
                created.remember(cycle, &self.submitted, &change.answer);
            }
            if let Some(history) = &self.update {
                let params = update.with_input(Value::Object(history.changed.clone()));
                self.probes.extend(probes(conversation, update.operation, &params).await);
            }
        }
        self.read_back = Some(read_back);
        self.delete(conversation, &read, &to_delete).await;
        if self.deleted.as_ref().is_some_and(|deleted| deleted.is_success()) {
            created.forget(&to_delete);
        }
    }

    async fn delete(
        &mut self,
        conversation: &Conversation<'_>,
        read: &AddressedOperation<'_>,
        to_delete: &Map<String, Value>,
    ) {
        let delete = self.cycle.delete;
        let forged = with_token(delete, to_delete, FORGED);
        let unconfirmed = conversation.operate(delete, to_delete.clone()).await;
        self.after_unconfirmed = Some(read.send(conversation).await);
        let confirmation = confirmed(delete, to_delete, &unconfirmed);
        // Where a confirmation is asked for, nothing is deleted by a request without one.
        for parameter in untried(delete, to_delete).filter(|_| confirmation.is_some()) {
            let mut params = to_delete.clone();
            params.insert(parameter.name.clone(), test_value(delete, parameter));
            conversation.operate(delete, params).await;
        }
        if confirmation.is_some() {
            self.probes.extend(probes(conversation, delete, to_delete).await);
        }
        self.unconfirmed = Some(Rc::clone(&unconfirmed));
        match confirmation {
            Some(confirmation) => {
                self.forged = Some(conversation.operate(delete, forged).await);
                self.deleted = Some(conversation.operate(delete, confirmation.clone()).await);
                self.after_deletion = Some(read.send(conversation).await);
                self.repeated = Some(conversation.operate(delete, confirmation).await);
            }
            None => {
                self.after_deletion.clone_from(&self.after_unconfirmed);
                self.deleted = Some(unconfirmed);
            }
        }
    }
}

impl UpdateHistory {
    /// Changes one field, then tries what must be refused.
    async fn live(
        conversation: &Conversation<'_>,
        addressed: &AddressedOperation<'_>,
        read: &AddressedOperation<'_>,
        before: Value,
    ) -> Option<UpdateHistory> {
        let update = addressed.operation;
        let changed = Map::from_iter([change(update, &before)?]);
        let same = addressed.with_input(Value::Object(changed.clone()));
        let answer = conversation.operate(update, same.clone()).await;
        let after = read.send(conversation).await;
        for parameter in untried(update, &same) {
            let mut params = same.clone();
            params.insert(parameter.name.clone(), test_value(update, parameter));
            conversation.operate(update, params).await;
        }
        let without_input = addressed.send(conversation).await;
        Some(UpdateHistory { before, changed, answer, after, without_input })
    }
}

impl ReadOnlyChange {
    /// Tries it, if there is such a field.
    async fn live(
        conversation: &Conversation<'_>,
        addressed: &AddressedOperation<'_>,
        read: &AddressedOperation<'_>,
        thing: &Value,
    ) -> Option<ReadOnlyChange> {
        let update = addressed.operation;
        let is_documented = !input_fields(update).is_empty();
        let (field, other) = fixed_field(update, thing)?;
        let before = thing[&field].clone();
        let params = addressed.with_input(json!({field.as_str(): other}));
        let answer = conversation.operate(update, params).await;
        Some(ReadOnlyChange { field, is_documented, before, answer, after: read.send(conversation).await })
    }

    /// The thing is no longer where it was, but where the answer says.
    fn has_changed_elsewhere(&self) -> bool {
        !self.after.is_success() && identifiers::has_identifier(self.answer.data())
    }
}

/// A creation with everything that is documented about the thing.
fn whole_request(create: &Operation, listed: &ListedItems) -> Map<String, Value> {
    let mut request = listed.request(create);
    let is_missing = |parameter: &&Parameter| {
        !NOT_OF_THE_THING.contains(&parameter.name.as_str()) && !parameter.name.starts_with("aql_")
    };
    for parameter in create.parameters.iter().filter(is_missing) {
        if !request.contains_key(&parameter.name) {
            request.insert(parameter.name.clone(), sample_value::right(create, parameter));
        }
    }
    if let Some(name) =
        create.parameters.iter().find(|parameter| is_free_text(parameter)).map(|it| it.name.clone())
    {
        request.insert(name, TEXT.into());
    }
    request
}

/// The parameters of an operation that a request does not have; a token is tried by the deletion.
fn untried<'o>(
    operation: &'o Operation,
    request: &Map<String, Value>,
) -> impl Iterator<Item = &'o Parameter> {
    let names: Vec<String> = request.keys().cloned().collect();
    operation
        .parameters
        .iter()
        .filter(move |parameter| !names.contains(&parameter.name) && parameter.name != "confirmation_token")
}

/// The value that a parameter is tried with: a switch is switched on, if it keeps the call from changing anything.
fn test_value(operation: &Operation, parameter: &Parameter) -> Value {
    if parameter.name == "dry_run" { true.into() } else { sample_value::right(operation, parameter) }
}

/// A text that may be anything.
fn is_free_text(parameter: &Parameter) -> bool {
    let is_bound =
        ["enum", "pattern", "format", "maxLength"].iter().any(|key| parameter.raw.get(key).is_some());
    let is_identifier = parameter.name.ends_with("_id") || parameter.name == "id";
    parameter.kind == "string"
        && !is_bound
        && !is_identifier
        && !NOT_OF_THE_THING.contains(&parameter.name.as_str())
}

/// The fields that an update may change, as introspection describes them.
fn input_fields(update: &Operation) -> Vec<&Value> {
    let input = update.parameter("input").map(|input| &input.raw["items"]["fields"]);
    input.and_then(Value::as_array).into_iter().flatten().collect()
}

/// A field to change, and its new value.
fn change(update: &Operation, before: &Value) -> Option<(String, Value)> {
    input_fields(update).into_iter().find_map(|field| {
        let name = field["name"].as_str()?;
        let old = before.get(name)?;
        let is_bound = ["enum", "pattern", "format"].iter().any(|key| field.get(key).is_some());
        let new = match old {
            Value::String(_) if !is_bound => json!(format!("{MARK} changed")),
            Value::Number(number) if !is_bound => json!(number.as_i64()? + 1),
            Value::Bool(old) => json!(!old),
            _ => return None,
        };
        Some((name.to_owned(), new))
    })
}

/// A field of the thing that introspection does not offer for a change, and another value for it. Where no field is offered by its
/// name it is the identifier, which hardly any API lets be changed.
fn fixed_field(update: &Operation, before: &Value) -> Option<(String, Value)> {
    let offered: Vec<&str> = input_fields(update).iter().filter_map(|field| field["name"].as_str()).collect();
    let is_fixed = |name: &str| {
        if offered.is_empty() { name == "id" } else { !offered.contains(&name) && !name.starts_with('_') }
    };
    before.as_object()?.iter().filter(|(name, _)| is_fixed(name)).find_map(|(name, value)| {
        let other = match value {
            Value::Number(number) => json!(number.as_i64()? + 1_000),
            Value::String(_) => json!(format!("{MARK} other")),
            _ => return None,
        };
        Some((name.clone(), other))
    })
}
