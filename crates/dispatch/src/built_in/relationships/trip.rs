//! One request on the way along a link: leave to send it, and the things that it gives.
//!
//! Values in; the things of the answer out, one by one: the items of a collection, the elements of a list, or the one
//! thing that came. Further pages are fetched when they are come to.

use super::reader::Reader;
use crate::collection::{Begun, Ground, Next, Rest, Walk, Ways};
use crate::cursor::{PageStart, Resume};
use crate::errand::Errand;
use crate::failure_map;
use crate::stages::gatekeep::{self, Permitted};
use crate::stages::validate::Checked;
use aqueduct_operations::answers::Paging;
use aqueduct_operations::failure::{Failure, wording};
use aqueduct_operations::operation::Entry;
use aqueduct_operations::target::{HttpTarget, Target};
use aqueduct_safety::gatekeeper::Purpose;
use aqueduct_upstream::{Answer, Prepared, Upstream};
use serde_json::{Map, Value};

/// A request that may be sent.
pub struct Trip<'e> {
    permitted: Permitted<'e>,
    target: &'e HttpTarget,
    prepared: Prepared,
    ways: Ways,
}

/// Why a request is not sent.
pub enum NoTrip {
    /// The values make none.
    Unbuildable(Failure),
    /// It may not be sent.
    Refused(Failure),
}

/// The things of an answer.
pub enum Things<'t> {
    /// Items of a collection.
    Paged(Box<Walk<'t>>),
    /// All there are.
    Here(std::vec::IntoIter<Value>),
}

impl<'e> Trip<'e> {
    /// Asks the gatekeeper for leave, on behalf of a call (ruling S10).
    pub fn plan(
        errand: &Errand<'e>,
        call: &Entry,
        reader: &Reader,
        values: Map<String, Value>,
    ) -> Result<Trip<'e>, NoTrip> {
        let (entry, standing) = errand.catalog.placed(reader.entry);
        let Target::Http(target) = &entry.operation.target else {
            return Err(NoTrip::Unbuildable(wording::internal("a link is followed by a built-in operation")));
        };
        let prepared = Upstream::prepare(&entry.operation, target, &values)
            .map_err(|error| NoTrip::Unbuildable(failure_map::unbuildable(error, entry)))?;
        let checked = Checked::on_the_way(entry, standing, values);
        let permitted = gatekeep::gatekeep(errand, checked, Purpose::Hop)
            .map_err(|refused| NoTrip::Refused(failure_map::refused_on_the_way(*refused, call)))?;
        let ways = Ways { paging: entry.operation.answers.paging.clone(), ..Ways::default() };
        Ok(Trip { permitted, target, prepared, ways })
    }

    /// Sends it. No more than so many pages are fetched.
    pub async fn things<'t>(
        &'t self,
        errand: &'t Errand<'t>,
        most_pages: u64,
    ) -> Result<Things<'t>, Failure> {
        let answers = &self.permitted.checked().entry.operation.answers;
        if !answers.collection {
            return errand
                .first(&self.permitted, self.target, &self.prepared)
                .await
                .map(|answer| Things::of(&answer));
        }
        let paging = self.ways.paging.as_ref();
        let size = paging.map_or(Paging::MAX_LIMIT, |paging| paging.max_limit).clamp(1, Paging::HARD_LIMIT);
        let ground = Ground {
            errand,
            permitted: &self.permitted,
            target: self.target,
            template: self.prepared.clone(),
            ways: &self.ways,
            shows_whole: false,
        };
        let start = Resume { page: PageStart::Start, skip: 0, size, before: 0 };
        let mut walk = Walk::new(ground, start).within(most_pages);
        Ok(match walk.begin().await? {
            Begun::List => Things::Paged(Box::new(walk)),
            Begun::NoList(answer) => Things::of(&answer),
        })
    }

    /// The values that are sent.
    pub fn values(&self) -> &Map<String, Value> {
        &self.permitted.checked().values
    }
}

/// What comes next.
pub enum Found {
    /// A thing.
    Thing(Value),
    /// There are no more.
    End,
    /// There may be more, but no more pages are fetched.
    Enough,
}

impl Things<'_> {
    fn of(answer: &Answer) -> Things<'static> {
        let things = match parsed(answer.data.as_str()) {
            Value::Null => Vec::new(),
            Value::Array(elements) => elements,
            one => vec![one],
        };
        Things::Here(things.into_iter())
    }

    /// The next thing.
    pub async fn next(&mut self) -> Result<Found, Failure> {
        match self {
            Things::Here(things) => Ok(things.next().map_or(Found::End, Found::Thing)),
            Things::Paged(walk) => Ok(match walk.next().await? {
                Next::Item(item) => Found::Thing(parsed(item.as_str())),
                Next::End | Next::Lost(Rest::End | Rest::Perhaps) => Found::End,
                Next::Enough | Next::Lost(Rest::More) => Found::Enough,
            }),
        }
    }

    /// How many requests it took so far.
    pub fn requests(&self) -> u64 {
        match self {
            Things::Here(_) => 1,
            Things::Paged(walk) => walk.pages(),
        }
    }
}

/// An answer is sound JSON, so this reads it.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or(Value::Null)
}

impl NoTrip {
    /// The failure of a call that cannot do without.
    pub fn into_failure(self) -> Failure {
        match self {
            NoTrip::Unbuildable(failure) | NoTrip::Refused(failure) => failure,
        }
    }
}
