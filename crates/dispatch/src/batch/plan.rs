//! Plan approval (ruling S3): with `plan: true` every operation of a batch is checked and judged before anything runs, and
//! what needs a yes is confirmed together: by one token, one approval, or one answer of the person behind the client, for
//! exactly these calls.
//!
//! The items in; the same out, where they may run, with the token in those that it is for, or the person's yes beside them.
//! Each of them still passes every stage when it runs, the gate included, and redeems its part there. What refers to an
//! earlier result has no values yet: one that needs a yes by its operation is refused, others are judged when they run.

use super::{name_of, references, request_of};
use crate::catalog::Catalog;
use crate::catalog_view::CatalogView;
use crate::dispatcher::Dispatcher;
use crate::failure_map;
use crate::observe::CallRecord;
use crate::pipeline::{CallBudget, PlanConsent};
use crate::stages::envelope::{self, ParsedRequest};
use crate::stages::query_options::RequestKind;
use crate::stages::route::{DenialCause, DeniedRequest, RouteError};
use crate::stages::validate::{TOKEN, TOKEN_ALIAS, token_name};
use crate::stages::{call, gatekeep, route};
use crate::update;
use aqueduct_operations::call::CallOrigin;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::{GateDecision, GateEffect, PlannedCall};
use aqueduct_operations::params::shape::type_name;
use aqueduct_schema::work::Meter;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;
use tracing::{Instrument, field};

/// That a batch is a plan.
pub struct PlanRequest {
    /// The token that came with it.
    token: Option<String>,
}

/// An operation of a plan that needs a yes.
pub struct PlannedItem<'a> {
    /// Its place in the batch.
    pub index: usize,
    /// What was decided about it.
    pub call: PlannedCall<'a>,
    /// Its values, sensitive ones hidden.
    pub params: Map<String, Value>,
}

/// An operation of a plan that cannot run.
pub struct ItemProblem {
    /// Its place in the batch.
    pub index: usize,
    /// Its name as it was sent.
    pub operation: String,
    /// Why.
    pub failure: Failure,
}

/// What is known when the operations of a plan are looked at.
struct PlanContext<'a> {
    dispatcher: &'a Dispatcher,
    catalog: &'a Arc<Catalog>,
    origin: &'a CallOrigin,
    call_record: &'a CallRecord<'a>,
    meter: Arc<Meter>,
}

/// Whether a batch is a plan, by what stands beside its operations.
pub fn requested(beside: &Map<String, Value>) -> Result<Option<PlanRequest>, Failure> {
    match beside.get("plan") {
        None | Some(Value::Null | Value::Bool(false)) => Ok(None),
        Some(Value::Bool(true)) => {
            let token =
                beside.get(TOKEN).or_else(|| beside.get(TOKEN_ALIAS)).filter(|token| !token.is_null());
            // Anything but text cannot be a token; as text it fails as an unknown one.
            let token = token.map(|token| token.as_str().map_or_else(|| token.to_string(), str::to_owned));
            Ok(Some(PlanRequest { token }))
        }
        Some(other) => Err(failure_map::no_plan(type_name(other))),
    }
}

/// The yes of a person to some operations of a plan.
pub struct AnsweredPlan {
    consent: PlanConsent,
    indexes: HashSet<usize>,
}

impl AnsweredPlan {
    /// What the operation of this place redeems, if it is one of them.
    pub fn of_item(&self, index: usize) -> Option<PlanConsent> {
        self.indexes.contains(&index).then(|| self.consent.clone())
    }
}

/// Looks at all operations before one runs, and has those confirmed that need it. When they are, they have the token, or there is the
/// answer of a person, whose token no reader sees.
pub async fn confirm(
    dispatcher: &Dispatcher,
    items: &mut [Value],
    PlanRequest { token }: PlanRequest,
    meter: Arc<Meter>,
    origin: &CallOrigin,
) -> Result<Option<AnsweredPlan>, Failure> {
    let (catalog, call_record) = (dispatcher.catalog(), CallRecord::default());
    let outlook = PlanContext { dispatcher, catalog: &catalog, origin, call_record: &call_record, meter };
    let (mut planned, mut problems) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        // What is recorded about one operation is not about the batch.
        let span = tracing::info_span!(
            target: "aqueduct::call",
            "plan",
            source = field::Empty,
            gate = field::Empty,
            danger = field::Empty,
            rule = field::Empty,
        );
        match outlook.look_at(item, index).instrument(span).await {
            Ok(item) => planned.extend(item),
            Err(failure) => {
                problems.push(ItemProblem { index, operation: name_of(item).to_owned(), failure })
            }
        }
    }
    if !problems.is_empty() {
        return Err(failure_map::unrunnable_plan(problems));
    }
    if planned.is_empty() {
        return Ok(None);
    }
    let places: Vec<(usize, &'static str)> =
        planned.iter().map(|item| (item.index, token_name(&item.call.entry().operation))).collect();
    let (calls, shown): (Vec<PlannedCall<'_>>, Vec<_>) =
        planned.into_iter().map(|item| (item.call, (item.index, item.params))).unzip();
    let answered = match dispatcher.gatekeeper.admit_plan(&calls, token.as_deref()).await {
        Ok(()) => Ok(None),
        Err(refusal) => gatekeep::ask_about_plan(dispatcher, origin, &calls, refusal).await.map(Some),
    };
    match answered {
        Ok(None) => {
            for (index, name) in places {
                give_token(&mut items[index], name, token.as_deref());
            }
            Ok(None)
        }
        Ok(Some(consent)) => {
            Ok(Some(AnsweredPlan { consent, indexes: places.into_iter().map(|(index, _)| index).collect() }))
        }
        Err(refusal) => {
            let planned = calls.into_iter().zip(shown);
            let planned = planned.map(|(call, (index, params))| PlannedItem { index, call, params });
            Err(failure_map::plan_refused(&planned.collect::<Vec<_>>(), refusal))
        }
    }
}

/// Puts the token where an operation has its parameters.
fn give_token(item: &mut Value, name: &str, token: Option<&str>) {
    let Some(token) = token else { return };
    let place = match item.get("params") {
        Some(Value::Object(_)) => item.get_mut("params"),
        _ => Some(item),
    };
    if let Some(Value::Object(place)) = place {
        place.insert(name.to_owned(), token.into());
    }
}

impl<'a> PlanContext<'a> {
    /// Checks and judges one operation: nothing when it needs no yes, or has a token of its own.
    async fn look_at(&self, item: &Value, index: usize) -> Result<Option<PlannedItem<'a>>, Failure> {
        let mut arguments = request_of(item, index)?;
        let referred = references::referred(item);
        if !referred.is_empty() {
            return self.look_at_reference(arguments, item).map(|()| None);
        }
        let mut room = self.dispatcher.limits().max_request_size;
        for (_, value) in arguments.iter_mut().filter(|(key, _)| *key != "operation") {
            references::resolve(value, &|_| None, &mut room)
                .map_err(|dangling| failure_map::dangling(name_of(item), &dangling))?;
        }
        let PlanContext { dispatcher, catalog, origin, call_record, meter } = self;
        let ParsedRequest::One(envelope) = self.open(arguments)? else {
            return Err(failure_map::nested_batch(index));
        };
        let budget = dispatcher.limits().max_response_tokens;
        let budget = CallBudget { budget, meter: Arc::clone(meter), consent: None };
        let (mut checked, options) =
            dispatcher.check(envelope, origin, catalog, &budget, call_record).await?;
        let prepared = call::prepare(&checked);
        let prepared = prepared.map_err(|error| failure_map::unbuildable(error, checked.entry))?;
        match &options.kind {
            // Nothing of it is sent.
            RequestKind::Preview { .. } => return Ok(None),
            RequestKind::Collection { plan, .. } => checked.pushed = Arc::clone(&plan.pushed),
            RequestKind::Answer | RequestKind::Change { .. } => {}
        }
        let context = dispatcher.context(&checked, origin, catalog, Arc::clone(meter), call_record);
        // The read before it is judged now as it will be; nothing is sent by this permit.
        drop(update::read_first(&context, &checked).await?);
        let planned = gatekeep::foresee(&context, &checked, &prepared)?;
        let is_asked = checked.token.is_none();
        let params = failure_map::what_would_run(&checked);
        Ok(planned.filter(|_| is_asked).map(|call| PlannedItem { index, call, params }))
    }

    fn open(&self, arguments: Map<String, Value>) -> Result<ParsedRequest, Failure> {
        let opened = envelope::open(arguments, self.dispatcher.limits());
        opened.map_err(|error| failure_map::envelope(error, &self.view()))
    }

    /// What the caller may see, which errors keep to.
    fn view(&self) -> CatalogView<'a> {
        self.catalog.view_of(&self.origin.caller, &self.origin.scopes)
    }

    /// Judges an operation whose values are not known yet, whatever they will be.
    fn look_at_reference(&self, arguments: Map<String, Value>, item: &Value) -> Result<(), Failure> {
        let PlanContext { dispatcher, catalog, origin, .. } = self;
        let ParsedRequest::One(envelope) = self.open(arguments)? else { return Ok(()) };
        let params = Arc::new(envelope.params.clone());
        let routed = route::route(catalog, envelope, origin).map_err(|error| {
            if let RouteError::Denied(denied) = &error {
                gatekeep::deny(&dispatcher.gatekeeper, denied, origin);
            }
            failure_map::route(error, &self.view())
        })?;
        let entry = routed.entry;
        let GateDecision { effect, rule } = dispatcher.gatekeeper.foresee_any_values(entry, &origin.caller);
        match effect {
            GateEffect::Allow => Ok(()),
            GateEffect::Confirm(_) => Err(failure_map::unknown_values(name_of(item))),
            GateEffect::Deny(denial) => {
                let cause = DenialCause::Decision(denial.clone());
                gatekeep::deny(&dispatcher.gatekeeper, &DeniedRequest { entry, rule, cause, params }, origin);
                Err(failure_map::denied(entry, denial))
            }
        }
    }
}
