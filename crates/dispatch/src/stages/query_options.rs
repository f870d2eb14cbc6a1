//! What a request sets beyond its parameters: which fields, which items, in which order, how much, or only a preview.
//!
//! A checked request in, `QueryOptions` out, or every problem with the controls. Nothing has been sent yet.

mod fields;
mod window;

pub use fields::{FieldChoice, computed_names, preset_names};
pub use window::{PageWindow, PagingConflict, truncated};

use super::validate::{CheckedRequest, ProblemKind, Rejection, RequestProblem, SentControls};
use crate::collection::ListPlan;
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::reply::Warning;
use aqueduct_query::aggregate::Aggregate;
use aqueduct_query::error::{ParseResult, QueryError, QueryErrorKind};
use aqueduct_query::filter::Filter;
use aqueduct_query::item::ItemKey;
use aqueduct_query::search::Search;
use aqueduct_query::sort::Sort;
use serde_json::{Map, Value, json};

/// What is requested.
pub struct QueryOptions {
    /// Which fields to keep.
    pub choice: FieldChoice,
    /// The most tokens of the response.
    pub budget: u64,
    /// The cursor behind which a long text goes on.
    pub after: Option<String>,
    /// What for.
    pub kind: RequestKind,
    /// What was changed in it.
    pub warnings: Vec<Warning>,
}

/// What a request wants.
pub enum RequestKind {
    /// A response as the upstream gives it.
    Answer,
    /// Some of the items of a collection.
    Collection {
        /// The controls that are left.
        controls: Box<ListControls>,
        /// Who applies which of the others.
        plan: Box<ListPlan>,
    },
    /// To know what would be sent.
    Preview {
        /// The version that must still be there.
        if_match: Option<String>,
    },
    /// Something changed, if this version is still there.
    Change {
        /// The version.
        if_match: Option<String>,
    },
}

/// The controls of a list, as they were sent.
pub struct ListControls {
    /// Which items stay.
    pub filter: Option<Filter>,
    /// Their order.
    pub sort: Option<Sort>,
    /// Words that they must have.
    pub search: Option<Search>,
    /// The search as one text, which an upstream may do itself.
    pub search_text: Option<String>,
    /// What is counted in them.
    pub aggregate: Option<Aggregate>,
    /// The items are wanted too.
    pub include_items: bool,
    /// Which part of them.
    pub window: PageWindow,
    /// Filter, sort and query as they came: a cursor is bound to them.
    pub bound: Map<String, Value>,
}

/// Why controls make no sense.
pub enum QueryOptionsError {
    /// Some are not all right.
    Rejected(Box<Rejection>),
    /// They name two parts of a collection at once.
    Conflict(PagingConflict),
}

/// Works out what is requested, when the response may have so many tokens.
pub fn read(checked: &CheckedRequest<'_>, most_tokens: u64) -> Result<QueryOptions, QueryOptionsError> {
    let operation = &checked.entry.operation;
    let controls = &checked.controls;
    let mut problems = Vec::new();
    let choice = fields::choice(operation, controls, &mut problems);
    let budget = controls.number(Control::Budget).unwrap_or(u64::MAX).min(most_tokens);
    let mut warnings = Vec::new();
    let is_read = operation.category == Category::Read;
    let if_match = controls.text(Control::IfMatch).map(str::to_owned);
    let kind = if !is_read && controls.is_set(Control::DryRun) {
        RequestKind::Preview { if_match }
    } else if !is_read {
        RequestKind::Change { if_match }
    } else if operation.is_list() {
        let window =
            window::window(operation, controls, &checked.values).map_err(QueryOptionsError::Conflict)?;
        warnings.extend(window.clamped());
        let mut controls = Box::new(list_controls(operation, controls, window, &mut problems));
        let plan = Box::new(ListPlan::of(operation, &checked.values, &mut controls, &choice));
        RequestKind::Collection { controls, plan }
    } else {
        RequestKind::Answer
    };
    if problems.is_empty() {
        let after = controls.text(Control::After).filter(|_| operation.may_be_text()).map(str::to_owned);
        return Ok(QueryOptions { choice, budget, after, kind, warnings });
    }
    let mut rejection = Rejection::new(checked.entry, problems);
    show_controls(checked, &mut rejection.example);
    Err(QueryOptionsError::Rejected(rejection))
}

/// Adds the controls that were sent to an example, each as it could be.
fn show_controls(checked: &CheckedRequest<'_>, example: &mut Value) {
    let operation = &checked.entry.operation;
    let known = operation.answers.fields.known.as_ref().and_then(|known| known.first());
    let field = known.map_or("id", String::as_str);
    for control in checked.controls.sent() {
        let sample = match control {
            Control::Fields => json!([field]),
            Control::Filter => json!({field: {"exists": true}}),
            Control::Sort => json!({"field": field, "order": "desc"}),
            Control::Query => json!("some words"),
            Control::Aggregate => json!({"total": {"count": true}}),
            _ => continue,
        };
        example["params"][control.name_on(operation)] = sample;
    }
}

/// Reads the controls of a list; what is wrong with them goes to the problems.
fn list_controls(
    operation: &Operation,
    controls: &SentControls,
    window: PageWindow,
    problems: &mut Vec<RequestProblem>,
) -> ListControls {
    let mut bound = Map::new();
    for control in [Control::Filter, Control::Sort, Control::Order, Control::Query] {
        if let Some(value) = controls.get(control) {
            bound.insert(control.name().to_owned(), value.clone());
        }
    }
    let name = |control: Control| control.name_on(operation);
    let filter = controls.get(Control::Filter).map(Filter::parse);
    let filter = take(operation, Control::Filter, filter, problems);
    let sort = controls.get(Control::Sort).map(|value| Sort::parse(value, controls.get(Control::Order)));
    let sort = take(operation, Control::Sort, sort, problems);
    let search = take(operation, Control::Query, controls.get(Control::Query).map(Search::parse), problems);
    let rule = &operation.answers.aggregate;
    let aggregate = controls.get(Control::Aggregate).map(|value| Aggregate::parse(value, rule));
    let aggregate = take(operation, Control::Aggregate, aggregate, problems);
    if controls.get(Control::Order).is_some() && controls.get(Control::Sort).is_none() {
        let kind = ProblemKind::Constraint("together");
        let hint = format!("send '{}': {{field, order}}", name(Control::Sort));
        problems.push(RequestProblem::new(kind, name(Control::Order), "sent with 'sort'").hint(Some(hint)));
    }
    // Names are checked even where something else is wrong with the filter, so that all problems are reported at once.
    let names = controls.get(Control::Filter).and_then(Value::as_object).into_iter().flat_map(Map::keys);
    for key in &names.filter_map(|name| ItemKey::parse(name)).collect::<Vec<_>>() {
        let place = format!("{}.{}", name(Control::Filter), key.text());
        check_key(operation, key, &place, KeyUse::Filter, problems);
    }
    for key in sort.iter().map(Sort::key) {
        check_key(operation, key, &format!("{}.field", name(Control::Sort)), KeyUse::Sort, problems);
    }
    for key in search.iter().flat_map(Search::keys) {
        let place = format!("{}.{}", name(Control::Query), key.text());
        check_key(operation, key, &place, KeyUse::Other, problems);
    }
    for (place, key) in aggregate.iter().flat_map(Aggregate::keys) {
        let place = place.replacen(Control::Aggregate.name(), &name(Control::Aggregate), 1);
        check_key(operation, key, &place, KeyUse::Other, problems);
    }
    ListControls {
        filter: filter.filter(|filter| !filter.is_empty()),
        sort,
        search,
        search_text: controls.text(Control::Query).map(str::to_owned),
        aggregate,
        include_items: controls.is_set(Control::IncludeItems),
        window,
        bound,
    }
}

/// What was parsed of a control, if it was sent and is all right.
fn take<T>(
    operation: &Operation,
    control: Control,
    parsed: Option<ParseResult<T>>,
    problems: &mut Vec<RequestProblem>,
) -> Option<T> {
    let errors = match parsed? {
        Ok(parsed) => return Some(parsed),
        Err(errors) => errors,
    };
    let to = control.name_on(operation);
    problems.extend(errors.into_iter().map(|error| problem(error.renamed(control.name(), &to))));
    None
}

fn problem(error: QueryError) -> RequestProblem {
    let kind = match error.kind {
        QueryErrorKind::Type => ProblemKind::Type,
        QueryErrorKind::Unknown => ProblemKind::Constraint("known name"),
        QueryErrorKind::Value => ProblemKind::Constraint("value"),
    };
    RequestProblem::new(kind, error.param, error.expected)
        .received(error.received)
        .hint(error.hint.map(|hint| hint.trim_end_matches('.').to_owned()))
}

/// What a key is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyUse {
    Filter,
    Sort,
    Other,
}

/// A key must name something that can be there: a declared computed field, a filter of the upstream's own, or, where the
/// shape is known, a field of it.
fn check_key(
    operation: &Operation,
    key: &ItemKey,
    place: &str,
    wanted: KeyUse,
    problems: &mut Vec<RequestProblem>,
) {
    let answers = &operation.answers;
    if let Some(name) = key.computed() {
        let usable = answers.computed.iter().filter(|computed| match wanted {
            KeyUse::Filter => computed.filterable,
            KeyUse::Sort => computed.sortable,
            KeyUse::Other => true,
        });
        let usable: Vec<String> = computed_names(usable).collect();
        if !usable.iter().any(|each| each == key.text()) {
            problems.push(RequestProblem::unknown_name("known field", place, name, &usable));
        }
        return;
    }
    let (Some(known), Some(path)) = (&answers.fields.known, key.path()) else { return };
    let is_pushed = match wanted {
        KeyUse::Filter => answers.push.filter(key.text()).is_some(),
        KeyUse::Sort => {
            answers.push.sort.iter().flat_map(|sort| &sort.fields).any(|(name, _)| name == key.text())
        }
        KeyUse::Other => false,
    };
    if !is_pushed && !known.iter().any(|name| name == path.first()) {
        problems.push(RequestProblem::unknown_name("known field", place, key.text(), known));
    }
}
