//! How a list goes on: as its source declares it, and what the names of the target's own parameters tell beyond that.
//!
//! An operation and the values of a call in; out, the style of paging, the parameter for the size of a page, and which of
//! these the caller has set. What the caller sets stays as it is.

use aqueduct_operations::naming::letters_of;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::{Param, ParamLocation};
use aqueduct_operations::response::{Paging, PagingStyle};
use aqueduct_operations::target::Target;
use serde_json::{Map, Value};

/// Names of parameters that say how many items there are on a page, as far as letters and digits go.
const SIZES: [&str; 7] =
    ["perpage", "pagesize", "limit", "maxresults", "itemsperpage", "top", "resultsperpage"];
/// Names of page numbers, and of numbers of items to skip.
const PAGES: [&str; 4] = ["page", "pagenumber", "pageno", "pagenum"];
const OFFSETS: [&str; 2] = ["offset", "skip"];
/// Names of other parameters that say where a list begins.
const PLACES: [&str; 8] =
    ["cursor", "after", "startingafter", "endingbefore", "pagetoken", "nexttoken", "marker", "startindex"];

/// Of these, those that take the cursor of the page before, where a tool has them.
const CURSORS: [&str; 5] = ["cursor", "nextcursor", "pagecursor", "pagetoken", "nexttoken"];

/// How a list goes on.
#[derive(Debug, Clone, Default)]
pub struct PagingParams {
    /// The paging, when there is one.
    pub paging: Option<Paging>,
    /// It is known by the names of parameters alone: what the answer says counts more.
    pub is_guessed: bool,
    /// Items of a page, as the caller sent it to the API.
    pub own_size: Option<u64>,
    /// The caller sent the API where to begin, so that it is unknown what is before it.
    pub begins_elsewhere: bool,
    /// The API's own parameters for pages, for clients that must page by hand.
    pub own_params: Vec<String>,
}

impl PagingParams {
    /// What is known of an operation in this call.
    pub fn of(operation: &Operation, values: &Map<String, Value>) -> PagingParams {
        let size = size_param(operation);
        let own_size = size.and_then(|param| given(param, values)).and_then(Value::as_u64);
        let places = [&PAGES[..], &OFFSETS, &PLACES].into_iter().filter_map(|names| find(operation, names));
        let begins_elsewhere = places.clone().any(|param| given(param, values).is_some());
        let own_params = size.into_iter().chain(places).map(|param| param.name.clone()).collect();
        let mut found = PagingParams { own_size, begins_elsewhere, own_params, ..PagingParams::default() };
        found.paging = match &operation.answers.paging {
            Some(declared) => Some(declared.clone()),
            None => {
                found.is_guessed = true;
                (!begins_elsewhere).then(|| guessed(operation)).flatten()
            }
        };
        if let (Some(param), None) = (size, own_size) {
            push_size(param, &mut found);
        }
        found
    }

    /// The size of a page that was requested, when one was sent to the API.
    pub fn requested_size(&self, size: u64) -> Option<u64> {
        let is_sent = self.paging.as_ref().is_some_and(|paging| paging.size_param.is_some());
        self.own_size.or(is_sent.then_some(size))
    }
}

/// The parameter that says how many items there are on a page.
pub fn size_param(operation: &Operation) -> Option<&Param> {
    // Beside the number of a page, a size is that of the page.
    find(operation, &SIZES).or_else(|| find(operation, &PAGES).and_then(|_| find(operation, &["size"])))
}

/// Sends the API how many items a page is to have.
fn push_size(param: &Param, paging_params: &mut PagingParams) {
    let paging = paging_params.paging.get_or_insert_with(|| Paging::of(PagingStyle::LinkHeader));
    if paging.size_param.is_some() {
        return;
    }
    paging.size_param = Some(param.upstream_name.clone());
    if let Some(most) = param.shape.maximum.filter(|most| *most >= 1.0) {
        paging.max_limit = (most as u64).min(Paging::HARD_LIMIT);
        paging.is_max_declared = true;
    }
}

/// Paging by a number of the page or of items, or by the cursor of a tool, where its meaning is not in doubt.
fn guessed(operation: &Operation) -> Option<Paging> {
    let cursor = || find(operation, &CURSORS).filter(|_| !is_http(operation));
    let (style, param) = if let Some(param) = find(operation, &OFFSETS) {
        (PagingStyle::Offset, param)
    } else if let Some(param) = cursor() {
        (PagingStyle::Cursor, param)
    } else {
        (PagingStyle::Page, find(operation, &PAGES)?)
    };
    let mut paging = Paging::of(style);
    if style == PagingStyle::Page {
        paging.first_page = first_page(param)?;
    }
    paging.param = Some(param.upstream_name.clone());
    Some(paging)
}

/// The number of the first page, where the parameter says it.
fn first_page(param: &Param) -> Option<u64> {
    let described = |number: u64| {
        let default = format!("Default: {number}");
        param
            .description
            .as_deref()
            .is_some_and(|text| text == default || text.ends_with(&format!(" {default}")))
    };
    [0, 1].into_iter().find(|number| {
        param.default.as_ref().and_then(Value::as_u64) == Some(*number)
            || described(*number)
            || param.shape.minimum == Some(*number as f64)
    })
}

fn find<'o>(operation: &'o Operation, names: &[&str]) -> Option<&'o Param> {
    operation.params.iter().find(|param| {
        let letters = letters_of(&param.upstream_name);
        (param.place == ParamLocation::Query || !is_http(operation)) && names.contains(&letters.as_str())
    })
}

fn is_http(operation: &Operation) -> bool {
    matches!(operation.target, Target::Http(_))
}

/// The value that the caller has given, as far as it differs from the default.
fn given<'v>(param: &Param, values: &'v Map<String, Value>) -> Option<&'v Value> {
    values.get(&param.name).filter(|value| param.default.as_ref() != Some(*value))
}
