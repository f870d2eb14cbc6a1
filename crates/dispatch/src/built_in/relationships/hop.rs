//! One request on the way along a link, with its permit, and the elements that it gives.
//!
//! Values in; the elements of the response out, one by one: the items of a list, or the one value that came. Further
//! pages are fetched when they are needed.

use super::reader::LinkReader;
use crate::collection::{
    AfterLastPage, HttpPages, PageWalk, PagingParams, PermittedPages, WalkContext, WalkStep,
};
use crate::context::CallContext;
use crate::cursor::ResumePoint;
use crate::failure_map;
use crate::stages::gatekeep::{self, Admitted, Permitted};
use crate::stages::validate::CheckedRequest;
use aqueduct_operations::failure::Failure;
use aqueduct_operations::gatekeeper::{Permit, Purpose};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::response::Paging;
use aqueduct_upstream::{PreparedRequest, Upstream};
use serde_json::{Map, Value};

/// A request that may be sent.
pub struct PermittedHop<'e> {
    permitted: Permitted<'e>,
    prepared: PreparedRequest<'e>,
    paging_params: PagingParams,
}

/// Why a request is not sent.
pub enum HopRefusal {
    /// The values make none.
    Unbuildable(Failure),
    /// It may not be sent.
    Refused(Failure),
}

/// The elements of an answer.
pub enum HopItems<'t> {
    /// Items of a collection.
    Paged(Box<PageWalk<'t>>),
    /// All there are.
    Here(std::vec::IntoIter<Value>),
}

impl<'e> PermittedHop<'e> {
    /// Asks the gatekeeper for a permit, on behalf of a call (ruling S10).
    pub async fn plan(
        context: &CallContext<'e>,
        call: &RegistryEntry,
        reader: &LinkReader,
        values: Map<String, Value>,
    ) -> Result<Admitted<'e, PermittedHop<'e>>, HopRefusal> {
        let entry = context.catalog.placed(reader.entry);
        let checked = CheckedRequest::subrequest(entry, values);
        let prepared = Upstream::prepare(&entry.operation, &checked.values)
            .map_err(|error| HopRefusal::Unbuildable(failure_map::unbuildable(error, entry)))?;
        let admitted = gatekeep::gatekeep_subrequest(context, checked, Purpose::Hop, call).await;
        let Admitted { request: permitted, permit } = admitted.map_err(HopRefusal::Refused)?;
        let paging = entry.operation.answers.paging.clone();
        let paging_params = PagingParams { paging, ..PagingParams::default() };
        Ok(Admitted { request: PermittedHop { permitted, prepared, paging_params }, permit })
    }

    /// Sends it. No more than so many pages are fetched.
    pub async fn items<'t>(
        &'t self,
        permit: Permit<'t>,
        context: &'t CallContext<'t>,
        max_pages: u64,
    ) -> Result<HopItems<'t>, Failure> {
        let checked = self.permitted.checked();
        if !checked.entry.operation.answers.collection {
            let response = context.send_in_slot(permit, checked, &self.prepared).await?;
            return Ok(HopItems::of(response.data.as_str()));
        }
        let paging = self.paging_params.paging.as_ref();
        let size = paging.map_or(Paging::MAX_LIMIT, |paging| paging.max_limit).clamp(1, Paging::HARD_LIMIT);
        let (permitted, template) = (&self.permitted, self.prepared.clone());
        let pages = PermittedPages { source: Box::new(HttpPages { context, permitted, template }), permit };
        let paging_params = &self.paging_params;
        let walk_context = WalkContext { context, permitted, paging_params, shows_whole: false };
        let start = ResumePoint::beginning(size);
        let mut walk = PageWalk::new(walk_context, pages, start).with_max_pages(max_pages);
        Ok(match walk.begin().await? {
            None => HopItems::Paged(Box::new(walk)),
            Some(page) => HopItems::of(page.data.as_str()),
        })
    }

    /// The values that are sent.
    pub fn values(&self) -> &Map<String, Value> {
        &self.permitted.checked().values
    }
}

/// What comes next.
pub enum HopStep {
    /// An item.
    Item(Value),
    /// There are no more.
    End,
    /// There may be more, but no more pages are fetched.
    Enough,
}

impl HopItems<'_> {
    fn of(data: &str) -> HopItems<'static> {
        let items = match parsed(data) {
            Value::Null => Vec::new(),
            Value::Array(elements) => elements,
            one => vec![one],
        };
        HopItems::Here(items.into_iter())
    }

    /// The next item.
    pub async fn next(&mut self) -> Result<HopStep, Failure> {
        match self {
            HopItems::Here(items) => Ok(items.next().map_or(HopStep::End, HopStep::Item)),
            HopItems::Paged(walk) => Ok(match walk.next().await? {
                WalkStep::Item(item) => HopStep::Item(parsed(item.as_str())),
                WalkStep::End | WalkStep::Lost(AfterLastPage::End | AfterLastPage::Perhaps) => HopStep::End,
                WalkStep::Enough | WalkStep::Lost(AfterLastPage::More) => HopStep::Enough,
            }),
        }
    }

    /// How many requests it took so far.
    pub fn requests(&self) -> u64 {
        match self {
            HopItems::Here(_) => 1,
            HopItems::Paged(walk) => walk.pages(),
        }
    }
}

/// A response is sound JSON, so this reads it.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or(Value::Null)
}

impl HopRefusal {
    /// The failure of a call that cannot do without.
    pub fn into_failure(self) -> Failure {
        match self {
            HopRefusal::Unbuildable(failure) | HopRefusal::Refused(failure) => failure,
        }
    }
}
