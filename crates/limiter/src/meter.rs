//! The meter of one operation for one call: what its permit asks before each request, and tells what came back.
//!
//! First the API limits, then the quotas, then the request (companion document, section 4.1).

use crate::source_limiter::SourceLimiter;
use crate::turns::TakenTurn;
use aqueduct_operations::handler::Boxed;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::rate_limits::ledger::RequestEnd;
use aqueduct_operations::rate_limits::metering::{
    LimitRefusal, PauseHandler, RequestMeter, RequestRecord, RequestSlot, ResponseFacts,
};
use aqueduct_operations::rate_limits::{CostModel, Price};
use aqueduct_query::measure;
use std::sync::Arc;

/// Whose requests they are.
#[derive(Debug, Clone)]
pub struct MeterOwner {
    /// Whose turn it is: a caller with a token by its name, any other by its session.
    pub caller: String,
    /// Decides when a quota pauses.
    pub pause_handler: Arc<dyn PauseHandler>,
}

#[derive(Debug)]
pub(crate) struct CallMeter {
    limiter: Arc<SourceLimiter>,
    owner: MeterOwner,
    /// The API limits that count the operation.
    limits: Arc<[usize]>,
    price: Option<Price>,
    /// Estimated tokens that a request sends.
    input_tokens: u64,
}

impl CallMeter {
    pub fn new(
        limiter: Arc<SourceLimiter>,
        operation: &Operation,
        owner: MeterOwner,
        sent: impl FnOnce() -> String,
    ) -> CallMeter {
        let rules = &limiter.rules;
        let limits = rules.api_limits.iter().enumerate().filter(|(_, limit)| limit.scope.covers(operation));
        let limits = limits.map(|(index, _)| index).collect();
        let cost = rules.cost.as_ref();
        let price = cost.and_then(|cost| Some(chosen(cost.model, cost.price(operation)?)));
        let pays_input = price.as_ref().is_some_and(|price| price.input_token > 0.0);
        let input_tokens = if pays_input { measure::tokens(&sent()) } else { 0 };
        CallMeter { limits, price, input_tokens, owner, limiter }
    }

    async fn admitted(&self) -> Result<RequestSlot, Box<LimitRefusal>> {
        let taken = self.limiter.turn(&self.owner.caller, &self.limits).await?;
        let mut turn = Turn::new(&self.limiter, taken);
        let price = self.price.as_ref();
        let cost = price.map_or(0.0, |price| price.call + price.input_token * self.input_tokens as f64);
        self.limiter.take_quotas(cost.round() as u64, &*self.owner.pause_handler).await?;
        // A person may have thought about a pause for minutes: by then the turn's units are those of a window that is over.
        while turn.taken.as_ref().is_some_and(|taken| taken.is_over(self.limiter.clock.now())) {
            drop(turn);
            let taken = self.limiter.turn(&self.owner.caller, &self.limits).await?;
            turn = Turn::new(&self.limiter, taken);
        }
        turn.is_sent = true;
        let record = RequestInFlight { turn, limits: Arc::clone(&self.limits), price: self.price.clone() };
        Ok(RequestSlot::recorded(record))
    }
}

/// A price with what its model counts.
fn chosen(model: CostModel, price: &Price) -> Price {
    let none = Price { endpoint: price.endpoint.clone(), ..Price::default() };
    match model {
        CostModel::PerCall => Price { call: price.call, ..none },
        CostModel::PerToken => {
            Price { input_token: price.input_token, output_token: price.output_token, ..none }
        }
        CostModel::PerByte => Price { byte: price.byte, ..none },
        CostModel::Tiered => price.clone(),
    }
}

impl RequestMeter for CallMeter {
    fn admit<'a>(&'a self) -> Boxed<'a, Result<RequestSlot, Box<LimitRefusal>>> {
        Box::pin(async move {
            let admitted = self.admitted().await;
            let mut state = self.limiter.state();
            match &admitted {
                Ok(_) => state.tally.admitted += 1,
                Err(refusal) => *state.tally.refused.entry(refusal.name()).or_default() += 1,
            }
            drop(state);
            admitted
        })
    }
}

/// A turn that was given, until it is over. One that is not used is given back.
#[derive(Debug)]
struct Turn {
    limiter: Arc<SourceLimiter>,
    /// Until the request has ended.
    taken: Option<TakenTurn>,
    /// The request may be on its way.
    is_sent: bool,
}

impl Turn {
    fn new(limiter: &Arc<SourceLimiter>, taken: TakenTurn) -> Turn {
        Turn { limiter: Arc::clone(limiter), taken: Some(taken), is_sent: false }
    }

    /// The request has ended, if it had not before.
    fn end(&mut self, end: RequestEnd) {
        if let Some(taken) = self.taken.take() {
            self.limiter.end_request(taken, end);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(taken) = self.taken.take_if(|_| !self.is_sent) {
            return self.limiter.return_turn(taken);
        }
        self.end(RequestEnd::GivenUp);
        self.limiter.end_turn();
    }
}

/// A request that is under way.
#[derive(Debug)]
struct RequestInFlight {
    turn: Turn,
    limits: Arc<[usize]>,
    price: Option<Price>,
}

impl RequestRecord for RequestInFlight {
    fn answered(&mut self, head: &dyn ResponseFacts) {
        self.turn.end(RequestEnd::Answered);
        self.turn.limiter.learn(&self.limits, head);
    }

    fn returned(&mut self, body: &str) {
        self.turn.end(RequestEnd::Answered);
        if !self.turn.limiter.counts_bodies() {
            return;
        }
        let tokens = measure::tokens(body);
        let price = self.price.as_ref();
        let cost =
            price.map_or(0.0, |price| price.output_token * tokens as f64 + price.byte * body.len() as f64);
        self.turn.limiter.charge(&self.limits, tokens, cost.round() as u64);
    }
}
