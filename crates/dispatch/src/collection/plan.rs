//! Shares the work of a request for a list: controls that the adapter maps to parameters go to the source, the others are
//! applied here.
//!
//! List controls in; out, the parameters to send, and what is left to do with the items that come. What is pushed is judged by
//! the gatekeeper like any other parameter. A parameter that the caller has set is not overwritten: the control is applied here.

use crate::stages::query_options::{FieldChoice, ListControls};
use aqueduct_operations::gatekeeper::PushedParam;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::params::ParamLocation;
use aqueduct_operations::response::{FieldPath, PushSort};
use aqueduct_operations::target::Target;
use aqueduct_query::aggregate::Aggregate;
use aqueduct_query::filter::Filter;
use aqueduct_query::item::{Item, ItemKey};
use aqueduct_query::search::Search;
use aqueduct_query::sort::{Sort, SortDirection};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Who applies which control.
pub struct ListPlan {
    /// Parameters for the source.
    pub pushed: Arc<[PushedParam]>,
    /// Which items are left out here.
    pub items: ItemFilters,
    /// The order, where it is made here.
    pub sort: Option<Sort>,
    /// By control that was sent, `upstream` or `here`.
    applied_by: Vec<(&'static str, &'static str)>,
}

/// What decides here whether an item is given.
#[derive(Clone)]
pub struct ItemFilters {
    /// What is left of the filter.
    pub filter: Option<Filter>,
    /// The search, where it is done here.
    pub search: Option<Search>,
}

impl ItemFilters {
    /// True when every item passes.
    pub fn is_empty(&self) -> bool {
        self.filter.is_none() && self.search.is_none()
    }

    /// True when an item passes filter and search.
    pub fn matches(&self, item: &Item<'_>) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.matches(item))
            && self.search.as_ref().is_none_or(|search| search.matches(item))
    }

    /// How many times an item is read to know whether it passes.
    pub fn passes_per_item(&self) -> u64 {
        self.filter.as_ref().map_or(0, Filter::weight) + self.search.as_ref().map_or(0, Search::weight)
    }
}

impl ListPlan {
    /// Shares out the work of a call with these values.
    pub fn of(
        operation: &Operation,
        values: &Map<String, Value>,
        controls: &mut ListControls,
        choice: &FieldChoice,
    ) -> ListPlan {
        let push = &operation.answers.push;
        let mut pushed = PushedParams { operation, values, params: Vec::new() };
        let filter = controls.filter.take();
        let had_filter = filter.is_some();
        let filter = filter.map(|filter| push_filter(filter, &mut pushed)).filter(|f| !f.is_empty());
        let sort = controls.sort.take();
        let had_sort = sort.is_some();
        let sort = sort.filter(|sort| !push.sort.as_ref().is_some_and(|to| push_sort(to, sort, &mut pushed)));
        let search = controls.search.take();
        let had_search = search.is_some();
        let mut here = search;
        if let (Some(to), Some(text), true) = (&push.query, &controls.search_text, had_search)
            && pushed.push(&to.param, text.clone())
        {
            here = None;
        }
        let sent = [
            ("filter", had_filter, filter.is_some()),
            ("sort", had_sort, sort.is_some()),
            ("query", had_search, here.is_some()),
            ("aggregate", controls.aggregate.is_some(), true),
        ];
        let sent = sent.into_iter().filter(|(_, is_sent, _)| *is_sent);
        let applied_by =
            sent.map(|(name, _, is_left)| (name, if is_left { "here" } else { "upstream" })).collect();
        let items = ItemFilters { filter, search: here };
        let plan = ListPlan { pushed: Arc::default(), items, sort, applied_by };
        if let Some((param, names)) = plan.fields(operation, choice, controls.aggregate.as_ref()) {
            pushed.push(param, names);
        }
        ListPlan { pushed: pushed.params.into(), ..plan }
    }

    /// The fields to ask the upstream for: the chosen ones, and those that are looked into here.
    fn fields<'o>(
        &self,
        operation: &'o Operation,
        choice: &FieldChoice,
        aggregate: Option<&Aggregate>,
    ) -> Option<(&'o str, String)> {
        let rules = &operation.answers.fields;
        let (param, paths) = (rules.param.as_ref()?, choice.paths.as_ref()?);
        if self.items.search.is_some() {
            return None;
        }
        let keys = self.items.filter.iter().flat_map(Filter::keys).chain(self.sort.iter().map(Sort::key));
        let keys: Vec<&ItemKey> =
            keys.chain(aggregate.into_iter().flat_map(Aggregate::keys).map(|(_, key)| key)).collect();
        let works_out = !choice.computed.is_empty() || keys.iter().any(|key| key.computed().is_some());
        let needed = operation.answers.computed.iter().filter(|_| works_out);
        let needed = needed.flat_map(|computed| computed.value.paths());
        let all = paths.iter().chain(keys.iter().filter_map(|key| key.path())).chain(needed);
        let mut names: Vec<&str> = Vec::new();
        for name in all.map(FieldPath::first) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Some((param, names.join(&rules.join)))
    }

    /// True when items are left out here.
    pub fn filters_items(&self) -> bool {
        !self.items.is_empty()
    }

    /// The `applied` of a response; nothing when no control was sent.
    pub fn applied(&self, seen: u64, complete: bool) -> Option<Value> {
        if self.applied_by.is_empty() {
            return None;
        }
        let applied = self.applied_by.iter().map(|(name, by)| ((*name).to_owned(), Value::from(*by)));
        let mut applied: Map<String, Value> = applied.collect();
        applied.insert("items_seen".to_owned(), seen.into());
        applied.insert("complete".to_owned(), complete.into());
        Some(Value::Object(applied))
    }
}

/// The parameters that are pushed so far.
struct PushedParams<'a> {
    operation: &'a Operation,
    values: &'a Map<String, Value>,
    params: Vec<PushedParam>,
}

impl PushedParams<'_> {
    /// True when the caller has set a parameter of the source. A default that was filled in is no one's wish.
    fn is_set_by_caller(&self, to: &str) -> bool {
        let is_http = matches!(self.operation.target, Target::Http(_));
        self.operation.params.iter().any(|param| {
            let is_it = if is_http {
                param.place == ParamLocation::Query && param.upstream_name == to
            } else {
                param.name == to
            };
            is_it && self.values.get(&param.name).is_some_and(|value| param.default.as_ref() != Some(value))
        })
    }

    /// Pushes one; false when the caller has set it.
    fn push(&mut self, to: &str, value: String) -> bool {
        let is_free = !self.is_set_by_caller(to);
        if is_free {
            self.params.push(PushedParam { name: to.to_owned(), value });
        }
        is_free
    }
}

/// Pushes what can be pushed; gives what is left.
fn push_filter(filter: Filter, pushed: &mut PushedParams<'_>) -> Filter {
    let mut pushed_keys: Vec<&str> = Vec::new();
    for to in &pushed.operation.answers.push.filters {
        let Some(value) = filter.equality(&to.key) else { continue };
        let is_known = to.values.as_ref().is_none_or(|values| values.contains(value));
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => continue,
        };
        if is_known && pushed.push(&to.param, text) {
            pushed_keys.push(&to.key);
        }
    }
    filter.without(&pushed_keys)
}

/// True when the upstream sorts like this.
fn push_sort(to: &PushSort, sort: &Sort, pushed: &mut PushedParams<'_>) -> bool {
    let Some((_, value)) = to.fields.iter().find(|(name, _)| name == sort.key().text()) else { return false };
    if [Some(&to.param), to.order_param.as_ref()].into_iter().flatten().any(|to| pushed.is_set_by_caller(to))
    {
        return false;
    }
    match (&to.order_param, sort.direction()) {
        (Some(param), direction) => _ = pushed.push(param, direction.name().to_owned()),
        (None, SortDirection::Ascending) => {}
        (None, SortDirection::Descending) => return false,
    }
    pushed.push(&to.param, value.clone())
}
