//! The examples of an operation: each one must pass as a request; when there is none, one is made.
//!
//! Examples are held against the same rules as requests, the nesting of UPDATE fields in `input` included.

use super::params::{report_problems, report_unfit};
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, shortened};
use aqueduct_documents::{NodeValue, credentials};
use aqueduct_operations::category::Category;
use aqueduct_operations::controls::Control;
use aqueduct_operations::example;
use aqueduct_operations::operation::{Example, Grouping};
use aqueduct_operations::params::Param;
use aqueduct_operations::response::ResponseRules;
use serde_json::{Map, Value as Json};

/// The parts of an operation that its examples depend on.
pub(super) struct ExampleContext<'a> {
    pub name: &'a str,
    pub params: &'a [Param],
    pub grouping: Grouping,
    pub category: Category,
    pub answers: &'a ResponseRules,
}

impl ExampleContext<'_> {
    /// The control that a request of this operation means by this name (ruling W14).
    fn control(&self, name: &str) -> Option<Control> {
        let bare = name.strip_prefix("aql_").unwrap_or(name);
        let is_beside = |param: &Param| self.grouping != Grouping::Input || !param.is_body();
        let is_declared = self.params.iter().any(|param| param.name == bare && is_beside(param));
        let control = Control::all().find(|control| control.name() == bare)?;
        let is_meant = control.suits(self.category, self.answers.collection) && (bare != name) == is_declared;
        is_meant.then_some(control)
    }
}

pub(super) fn check(
    operation: &NodeCursor<'_>,
    context: &ExampleContext<'_>,
    found: &mut Findings<'_>,
) -> Vec<Example> {
    let Some(list) = operation.get("examples").filter(|at| !at.node.elements().is_empty()) else {
        return vec![generated(operation, context, found)];
    };
    list.elements().filter_map(|at| one(&at, context, found)).collect()
}

fn generated(operation: &NodeCursor<'_>, context: &ExampleContext<'_>, found: &mut Findings<'_>) -> Example {
    let made = example::minimal(context.params, context.grouping);
    for name in &made.doubtful {
        operation
            .notice("NO_EXAMPLE", format!("No example value could be made for '{name}'"))
            .hint("add an entry to 'examples'")
            .add_to(found);
    }
    Example { description: None, params: made.params }
}

fn one(at: &NodeCursor<'_>, context: &ExampleContext<'_>, found: &mut Findings<'_>) -> Option<Example> {
    if !matches!(at.node.value, NodeValue::Map(_)) {
        return None;
    }
    let description = at.owned_text("description");
    let params = match (at.get("params"), at.get("request")) {
        (Some(_), Some(request)) => {
            request.error("INVALID_VALUE", "An example has params or a request, not both").add_to(found);
            return None;
        }
        (Some(params), None) => params,
        (None, None) => {
            check_params(&ExampleSlots::outer(context), at, &[], found);
            return Some(Example { description, params: Map::new() });
        }
        (None, Some(request)) => {
            if let Some(name) = request.get("operation")
                && name.node.text() != Some(context.name)
            {
                name.error("INVALID_VALUE", "The example is a request of another operation")
                    .expected(context.name)
                    .add_to(found);
            }
            request.get("params").unwrap_or(request)
        }
    };
    let slots = ExampleSlots::outer(context);
    let skipped: &[&str] = if at.get("request").is_some() { &["operation"] } else { &[] };
    check_params(&slots, &params, skipped, found);
    let json = params.node.to_json().as_object().cloned().unwrap_or_default();
    let params = json.into_iter().filter(|(key, _)| !skipped.contains(&key.as_str())).collect();
    Some(Example { description, params })
}

/// What may stand in one object of a request.
struct ExampleSlots<'a> {
    params: Vec<&'a Param>,
    /// What stands in `input`, when the operation has it.
    input: Option<Vec<&'a Param>>,
    /// Null removes a field here, so it fits every optional one.
    null_removes: bool,
    /// Whose controls may stand here as well.
    controls_of: Option<&'a ExampleContext<'a>>,
}

impl<'a> ExampleSlots<'a> {
    fn outer(context: &'a ExampleContext<'a>) -> ExampleSlots<'a> {
        let (input, params) = if context.grouping == Grouping::Input {
            let (input, params) = context.params.iter().partition(|param| param.is_body());
            (Some(input), params)
        } else {
            (None, context.params.iter().collect())
        };
        ExampleSlots { params, input, null_removes: false, controls_of: Some(context) }
    }

    fn control(&self, name: &str) -> Option<Control> {
        self.controls_of.and_then(|context| context.control(name))
    }

    /// True for a parameter that the pager sends by itself.
    fn is_paging(&self, name: &str) -> bool {
        let paging = self.controls_of.and_then(|context| context.answers.paging.as_ref());
        paging.is_some_and(|paging| {
            [&paging.param, &paging.size_param].iter().any(|each| each.as_deref() == Some(name))
        })
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.params.iter().map(|param| param.name.as_str()).chain(self.input.as_ref().map(|_| "input"))
    }
}

fn check_params(slots: &ExampleSlots<'_>, at: &NodeCursor<'_>, skipped: &[&str], found: &mut Findings<'_>) {
    for (entry, value) in at.entries().filter(|(entry, _)| !skipped.contains(&entry.key.as_str())) {
        if let Some(input) = slots.input.as_ref().filter(|_| entry.key == "input") {
            if matches!(value.node.value, NodeValue::Map(_)) {
                let fields = ExampleSlots {
                    params: input.clone(),
                    input: None,
                    null_removes: true,
                    controls_of: None,
                };
                check_params(&fields, &value, &[], found);
            } else {
                value.error("WRONG_TYPE", "'input' is an object").expected("a map").add_to(found);
            }
            continue;
        }
        if let Some(control) = slots.control(&entry.key) {
            let json = value.node.to_json();
            report_problems(&control.shape(), &json, &value, "The example value", found);
            continue;
        }
        match slots.params.iter().find(|param| param.name == entry.key) {
            Some(param)
                if slots.null_removes && !param.required && matches!(value.node.value, NodeValue::Null) => {}
            Some(param) => {
                if param.sensitive {
                    credentials::hide_value(value.node, found);
                }
                let json: Json = value.node.to_json();
                report_unfit(param, &json, &value, "The example value", found);
            }
            None => {
                let hint = if slots.input.iter().flatten().any(|param| param.name == entry.key) {
                    Some("fields to change stand in 'input'".to_owned())
                } else if slots.is_paging(&entry.key) {
                    Some("the server sends it by itself: write first, or page and page_size".to_owned())
                } else {
                    found.nearest(&entry.key, slots.names())
                };
                let message = format!("The operation has no parameter '{}'", shortened(&entry.key, 60));
                value.error("BAD_EXAMPLE", message).maybe_hint(hint).add_to(found);
            }
        }
    }
    for param in slots.params.iter().filter(|param| param.required && at.node.get(&param.name).is_none()) {
        let message = format!("The example lacks the required parameter '{}'", param.name);
        at.error("BAD_EXAMPLE", message).add_to(found);
    }
    if slots.input.is_some() && at.node.get("input").is_none() {
        at.error("BAD_EXAMPLE", "The example lacks 'input', which holds the fields to change").add_to(found);
    }
}
