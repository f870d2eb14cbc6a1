//! Several operations in one call (operations document, section 7; ruling W6): in order, each on its own, each through all
//! stages. Reads that stand side by side run together where nothing forbids it, and keep their places.
//!
//! The list of operations in, a `BatchReply` out, or a failure when it is no batch.

mod plan;
mod references;

use crate::dispatcher::{BatchMode, Dispatcher};
use crate::failure_map;
use crate::pipeline::CallBudget;
use crate::stages::query_options::truncated;
use aqueduct_operations::call::{Call, CallOrigin};
use aqueduct_operations::category::Category;
use aqueduct_operations::failure::{Code, Failure};
use aqueduct_operations::gatekeeper::GateEffect;
use aqueduct_operations::params::shape::type_name;
use aqueduct_operations::progress::ProgressStage;
use aqueduct_operations::reply::{BatchHalt, BatchReply, ItemResult, PendingOperation, Reply, Warning};
use aqueduct_query::measure;
use aqueduct_schema::work::Meter;
use futures::StreamExt;
use plan::AnsweredPlan;
pub use plan::{ItemProblem, PlanRequest, PlannedItem};
pub use references::DanglingReference;
use serde_json::{Map, Value};
use std::sync::Arc;

/// What a change may answer: with less room left, none is begun.
const ROOM_OF_A_CHANGE: u64 = 1_000;

/// Reads that run at the same time.
const MOST_TOGETHER: usize = 8;

/// A batch on its way.
struct BatchRun<'a> {
    dispatcher: &'a Dispatcher,
    origin: &'a CallOrigin,
    meter: Arc<Meter>,
    items: Vec<Value>,
    /// The yes of a person, where the batch is a plan and they were asked.
    answered: Option<AnsweredPlan>,
    results: Vec<ItemResult>,
    /// The results that later items refer to, parsed once.
    seen: Vec<Option<Value>>,
    /// Tokens that the results may have in all, and those left of them.
    room: u64,
    left: u64,
}

/// What may stand beside the operations of a batch.
pub struct BatchOptions {
    /// The most tokens of the whole response.
    pub budget: Option<u64>,
    /// The batch is a plan: what needs a yes is confirmed together, before anything runs.
    pub plan: Option<PlanRequest>,
}

/// An item that can be run, or why it cannot.
struct PreparedItem {
    index: usize,
    operation: String,
    arguments: Result<Map<String, Value>, Failure>,
}

/// Reads what stands beside the operations of a batch.
pub fn options(beside: &Map<String, Value>) -> Result<BatchOptions, Failure> {
    Ok(BatchOptions { budget: failure_map::batch_budget(beside)?, plan: plan::requested(beside)? })
}

/// Runs a batch of these operations, whatever they are, within what all of them may take.
pub async fn run(
    dispatcher: &Dispatcher,
    operations: Value,
    plan: Option<PlanRequest>,
    CallBudget { budget, meter, .. }: CallBudget,
    origin: &CallOrigin,
) -> Result<BatchReply, Failure> {
    let most = dispatcher.limits().max_batch_items;
    let mut items = match operations {
        Value::Array(items) if items.is_empty() => return Err(failure_map::empty_batch()),
        Value::Array(items) if items.len() as u64 > most => {
            return Err(failure_map::batch_too_long(items.len() as u64, most));
        }
        Value::Array(items) => items,
        other => return Err(failure_map::no_batch(type_name(&other))),
    };
    let answered = match plan {
        Some(plan) => plan::confirm(dispatcher, &mut items, plan, Arc::clone(&meter), origin).await?,
        None => None,
    };
    let seen = vec![None; items.len()];
    let budget = dispatcher.limits().max_response_tokens.min(budget);
    // What does not fit is sent back as the request that goes on.
    let sent_back = measure::tokens(&Value::Array(items.clone()).to_string());
    let room = budget - sent_back.min(budget / 2);
    let results = Vec::new();
    let mut run = BatchRun { dispatcher, origin, meter, items, answered, results, seen, room, left: room };
    let halted = run.carry_out().await;
    let pending = match halted {
        Some(_) => Vec::new(),
        None => run.pending(run.results.len(), run.results.len()),
    };
    let mut results = run.results;
    let mut warnings = gathered_warnings(&mut results);
    if !pending.is_empty() {
        warnings.push(cut_warning(results.len(), pending.len(), budget));
    }
    Ok(BatchReply { results, halted, pending, warnings })
}

/// The warning that the budget was full before the operations were at an end.
fn cut_warning(done: usize, pending: usize, budget: u64) -> Warning {
    let all = done + pending;
    let message = format!(
        "Only {done} of {all} operations were answered, by the budget of {budget} tokens. Send next_request to go on."
    );
    Warning { message, ..truncated("results", all as u64, done as u64, budget) }.with("unit", "tokens")
}

impl BatchRun<'_> {
    async fn carry_out(&mut self) -> Option<BatchHalt> {
        while self.results.len() < self.items.len() {
            let from = self.results.len();
            let together = self.together(from);
            let is_read = self.is_free_read(&self.items[from]);
            if !is_read && from > 0 && self.left < ROOM_OF_A_CHANGE.min(self.room / 2) {
                return None;
            }
            let share = self.left;
            let (dispatcher, meter) = (self.dispatcher, Arc::clone(&self.meter));
            // How far an item is, is no one's business: what is reported is how many are done.
            let origin = &CallOrigin { progress: None, ..self.origin.clone() };
            let ready: Vec<PreparedItem> = (from..from + together).map(|index| self.ready(index)).collect();
            let (meter, answered) = (&meter, &self.answered);
            let running = ready.into_iter().map(|PreparedItem { index, operation, arguments }| async move {
                let reply = match arguments {
                    Ok(arguments) => {
                        let call = Call { arguments, origin: origin.clone() };
                        let consent = answered.as_ref().and_then(|answered| answered.of_item(index));
                        let allowance = CallBudget { budget: share, meter: Arc::clone(meter), consent };
                        dispatcher.run_item(call, allowance).await
                    }
                    Err(failure) => Reply::Failure(failure),
                };
                ItemResult { index, operation, reply }
            });
            let done: Vec<ItemResult> =
                futures::stream::iter(running).buffered(MOST_TOGETHER).collect().await;
            for result in done {
                if needs_confirmation(&result.reply) && dispatcher.settings.batch == BatchMode::Halt {
                    let pending = self.pending(result.index + 1, result.index);
                    return Some(BatchHalt { at: result, pending });
                }
                // A read that has no room is as if it had not been sent; the first one is reported whatever it is.
                if is_read && !self.results.is_empty() && self.is_too_much(&result.reply, share) {
                    return None;
                }
                self.keep(result);
            }
        }
        None
    }

    /// True when there is no room for a result any more, or there would be with the whole room for itself.
    fn is_too_much(&self, reply: &Reply, share: u64) -> bool {
        match reply {
            Reply::Success(success) => measure::tokens(success.data.as_str()) > self.left,
            Reply::Failure(failure) => {
                let is_by_budget = failure.code == Code::ValidationPayloadTooLarge
                    && failure.details.get("limit_type") == Some(&Value::from("budget"));
                is_by_budget && share < self.room
            }
            Reply::Batch(_) => false,
        }
    }

    /// How many items from this one on run at the same time: it alone, or reads that need nothing of one another.
    fn together(&self, from: usize) -> usize {
        let free = |index: &usize| {
            let item = &self.items[*index];
            self.is_free_read(item) && references::referred(item).iter().all(|referred| *referred < from)
        };
        (from..self.items.len()).take(MOST_TOGETHER).take_while(free).count().max(1)
    }

    fn is_free_read(&self, item: &Value) -> bool {
        let catalog = self.dispatcher.catalog();
        catalog.find(name_of(item)).is_some_and(|(_, entry, decision)| {
            // What may have to be confirmed by its values waits for its turn: nothing behind it runs before.
            entry.operation.category == Category::Read
                && decision.effect == GateEffect::Allow
                && !self.dispatcher.gatekeeper.depends_on_call(entry)
        })
    }

    /// The arguments of an item, with values in the place of references.
    fn ready(&mut self, index: usize) -> PreparedItem {
        let name = name_of(&self.items[index]).to_owned();
        let arguments = self.arguments(index, &name);
        PreparedItem { index, operation: name, arguments }
    }

    fn arguments(&mut self, index: usize, name: &str) -> Result<Map<String, Value>, Failure> {
        let mut arguments = request_of(&self.items[index], index)?;
        self.parse_results(&references::referred(&self.items[index]));
        let earlier = |referred: usize| self.seen[..index].get(referred)?.as_ref();
        let mut room = self.dispatcher.limits().max_request_size;
        for (key, value) in &mut arguments {
            if key != "operation" {
                references::resolve(value, &earlier, &mut room)
                    .map_err(|dangling| failure_map::dangling(name, &dangling))?;
            }
        }
        self.suit(&mut arguments, index, name);
        Ok(arguments)
    }

    /// A number that a reference found becomes text where text is declared: APIs often write one and read the other.
    fn suit(&self, arguments: &mut Map<String, Value>, index: usize, name: &str) {
        let catalog = self.dispatcher.catalog();
        let Some((_, entry, _)) = catalog.find(name) else { return };
        let Some(Value::Object(params)) = arguments.get_mut("params") else { return };
        for (key, value) in params.iter_mut().filter(|(_, value)| value.is_number()) {
            let is_reference = self.items[index]["params"][key.as_str()].is_string();
            let takes_text = entry
                .operation
                .param(key)
                .is_some_and(|param| param.shape.kind.takes_text() && !param.shape.kind.takes_numbers());
            if is_reference && takes_text {
                *value = value.to_string().into();
            }
        }
    }

    /// Results that are referred to become trees; the others stay text.
    fn parse_results(&mut self, referred: &[usize]) {
        for index in referred {
            let (Some(slot), Some(result)) = (self.seen.get_mut(*index), self.results.get(*index)) else {
                continue;
            };
            if slot.is_none() {
                *slot = serde_json::from_str(&result.reply.to_json()).ok();
            }
        }
    }

    fn keep(&mut self, mut result: ItemResult) {
        match &mut result.reply {
            Reply::Success(success) => {
                self.left = self.left.saturating_sub(measure::tokens(success.data.as_str()));
            }
            Reply::Failure(failure) => {
                // With nothing left, the code and the message must do.
                if self.left == 0 {
                    failure.details.clear();
                }
                let text = failure.to_value().to_string();
                self.left = self.left.saturating_sub(measure::tokens(&text));
            }
            Reply::Batch(_) => {}
        }
        self.results.push(result);
        if let Some(listener) = &self.origin.progress {
            let (done, steps) = (self.results.len() as u64, self.items.len() as u64);
            listener.on_progress(
                ProgressStage::Running { done, steps }.with(format!("{done} of {steps} operations done")),
            );
        }
    }

    /// The operations from this one on, as they must be sent to go on in a batch that begins with `first`.
    fn pending(&mut self, from: usize, first: usize) -> Vec<PendingOperation> {
        let mut pending = Vec::new();
        for index in from..self.items.len() {
            let item = &self.items[index];
            let operation = name_of(item).to_owned();
            let mut params = params_of(item);
            self.parse_results(&references::referred(&params));
            let earlier = |referred: usize| self.seen.get(referred)?.as_ref();
            references::carry_over(&mut params, first, &earlier);
            pending.push(PendingOperation { index, operation, params });
        }
        pending
    }
}

/// The request that an item is, its references included.
fn request_of(item: &Value, index: usize) -> Result<Map<String, Value>, Failure> {
    let Value::Object(mut arguments) = item.clone() else {
        return Err(failure_map::no_item(index, type_name(item)));
    };
    let name = name_of(item);
    if name == "batch" || (name.is_empty() && arguments.contains_key("operations")) {
        return Err(failure_map::nested_batch(index));
    }
    drop_index(&mut arguments);
    Ok(arguments)
}

fn name_of(item: &Value) -> &str {
    item.get("operation").and_then(Value::as_str).unwrap_or_default()
}

/// The parameters of an item, those beside `params` included.
fn params_of(item: &Value) -> Value {
    let mut params = item.get("params").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut beside = item.as_object().cloned().unwrap_or_default();
    drop_index(&mut beside);
    beside.retain(|key, _| key != "operation" && key != "params" && !params.contains_key(key));
    params.extend(beside);
    Value::Object(params)
}

/// Takes away the `index` that `pending_operations` have, so that they can be sent as they came.
fn drop_index(item: &mut Map<String, Value>) {
    if item.contains_key("params") && item.get("index").is_some_and(Value::is_u64) {
        item.remove("index");
    }
}

fn needs_confirmation(reply: &Reply) -> bool {
    matches!(reply, Reply::Failure(failure) if failure.code == Code::ConfirmationRequired)
}

/// Takes the warnings out of the results, which have no room for them: each is given once beside them, with the places that it is
/// about (warnings document, section 6.5; batch document).
fn gathered_warnings(results: &mut [ItemResult]) -> Vec<Warning> {
    let is_same = |one: &Warning, other: &Warning| one.code == other.code && one.details == other.details;
    let mut gathered: Vec<(Warning, Vec<usize>)> = Vec::new();
    for result in results {
        let Reply::Success(success) = &mut result.reply else { continue };
        for warning in std::mem::take(&mut success.warnings) {
            match gathered.iter_mut().find(|(other, _)| is_same(other, &warning)) {
                Some((_, indexes)) => indexes.push(result.index),
                None => gathered.push((warning, vec![result.index])),
            }
        }
    }
    let with_places = |(warning, indexes): (Warning, Vec<usize>)| {
        let count = indexes.len();
        let warning = warning.with("indexes", indexes);
        if count > 1 { warning.with("occurrence_count", count) } else { warning }
    };
    gathered.into_iter().map(with_places).collect()
}
