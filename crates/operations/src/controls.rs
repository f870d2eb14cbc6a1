//! The controls: parameters that every operation of a kind takes, whatever its upstream can do (ruling W14).
//!
//! An operation in; out, which controls it takes and under which names. A parameter that the source declares keeps its
//! name, and the control is then called `aql_<name>`. Controls are never sent upstream.

use crate::category::Category;
use crate::operation::Operation;
use crate::params::{Param, Shape, ValueKind};
use crate::response::Paging;
use crate::target::{BuiltIn, Target};

/// One control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// Which fields to keep.
    Fields,
    /// The older word for a choice of fields.
    Preset,
    /// Which items to keep.
    Filter,
    /// In which order.
    Sort,
    /// The direction, beside a `sort` that is only a name.
    Order,
    /// Words to look for.
    Query,
    /// What to count.
    Aggregate,
    /// The items as well as the counts.
    IncludeItems,
    /// The first so many.
    First,
    /// Behind this cursor.
    After,
    /// The last so many.
    Last,
    /// In front of this cursor.
    Before,
    /// So many, by another name.
    Limit,
    /// Behind so many.
    Offset,
    /// The page with this number.
    Page,
    /// So many on a page.
    PageSize,
    /// All pages.
    All,
    /// The most tokens of the response.
    Budget,
    /// Only show what would be done.
    DryRun,
    /// Only when nothing has changed since.
    IfMatch,
}

/// How a control looks in a request.
struct ControlForm {
    control: Control,
    name: &'static str,
    kind: &'static str,
    least: Option<u32>,
    about: &'static str,
}

const fn form(
    control: Control,
    name: &'static str,
    kind: &'static str,
    least: Option<u32>,
    about: &'static str,
) -> ControlForm {
    ControlForm { control, name, kind, least, about }
}

const FORMS: [ControlForm; 20] = [
    form(
        Control::Fields,
        "fields",
        "string | string[]",
        None,
        "Fields to return: a preset or a list of paths",
    ),
    form(Control::Preset, "preset", "string", None, "Older name of a preset in fields"),
    form(
        Control::Filter,
        "filter",
        "object",
        None,
        "Items to keep: {field: value}, {field: [any of]} or {field: {eq, ne, in, gt, gte, lt, lte, contains, exists}}",
    ),
    form(Control::Sort, "sort", "string | object", None, "{field, order: asc or desc}, or \"-field\""),
    form(Control::Order, "order", "string", None, "Direction of a sort given as a name"),
    form(
        Control::Query,
        "query",
        "string | object",
        None,
        "Words to search for; any of them, \"in quotes\" exactly",
    ),
    form(
        Control::Aggregate,
        "aggregate",
        "object",
        None,
        "Summary instead of items: {label: {count: true, group_by, sum, avg, min, max: field}}",
    ),
    form(Control::IncludeItems, "include_items", "boolean", None, "Items beside the aggregate"),
    form(Control::First, "first", "integer", Some(0), "Items per page"),
    form(Control::After, "after", "string", None, "pageInfo.endCursor of the page before, with first"),
    form(Control::Last, "last", "integer", Some(0), "Items from the end"),
    form(Control::Before, "before", "string", None, "pageInfo.startCursor of the page behind, with last"),
    form(Control::Limit, "limit", "integer", Some(0), "Items per page, with offset"),
    form(Control::Offset, "offset", "integer", Some(0), "Items to skip"),
    form(Control::Page, "page", "integer", Some(1), "Number of the page, from 1"),
    form(Control::PageSize, "page_size", "integer", Some(1), "Items per page, with page"),
    form(Control::All, "all", "boolean", None, "All pages in one answer, as far as the budget goes"),
    form(Control::Budget, "budget", "integer", Some(1), "Most tokens of the answer"),
    form(Control::DryRun, "dry_run", "boolean", None, "Show the request instead of sending it"),
    form(Control::IfMatch, "if_match", "string", None, "The _etag that was read; fails when it has changed"),
];

impl Control {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Control> {
        FORMS.iter().map(|form| form.control)
    }

    fn form(self) -> &'static ControlForm {
        &FORMS[self as usize]
    }

    /// Its name where no parameter is in the way.
    pub fn name(self) -> &'static str {
        self.form().name
    }

    /// True when an operation takes it.
    pub fn is_offered_on(self, operation: &Operation) -> bool {
        match operation.target {
            Target::BuiltIn(BuiltIn::Introspect) => false,
            Target::BuiltIn(BuiltIn::QueryRelationships) => self == Control::Budget,
            Target::BuiltIn(BuiltIn::CancelExecution | BuiltIn::RetryExecution) => false,
            Target::BuiltIn(BuiltIn::GetExecution | BuiltIn::ListExecutions) => {
                self != Control::IfMatch && self.suits(operation.category, operation.is_list())
            }
            // Nothing behind a handler knows of versions.
            Target::Handler(_) if self == Control::IfMatch => false,
            // Where a long text goes on.
            _ if self == Control::After && operation.may_be_text() => true,
            Target::Http(_) | Target::Handler(_) => self.suits(operation.category, operation.is_list()),
        }
    }

    /// True when operations of this category take it, whose responses are lists of items or are not.
    pub fn suits(self, category: Category, collection: bool) -> bool {
        let is_read = category == Category::Read;
        match self {
            Control::Fields | Control::Preset | Control::Budget => is_read,
            Control::DryRun => !is_read,
            Control::IfMatch => category == Category::Update,
            _ => is_read && collection,
        }
    }

    /// Its name on this operation.
    pub fn name_on(self, operation: &Operation) -> String {
        let name = self.name();
        if operation.outer_params().any(|param| param.name == name) {
            format!("aql_{name}")
        } else {
            name.to_owned()
        }
    }

    /// The control that this name stands for on this operation.
    pub fn named(name: &str, operation: &Operation) -> Option<Control> {
        let bare = name.strip_prefix("aql_").unwrap_or(name);
        let control = FORMS.iter().find(|form| form.name == bare)?.control;
        (control.is_offered_on(operation) && control.name_on(operation) == name).then_some(control)
    }

    /// Which values it takes.
    pub fn shape(self) -> Shape {
        let form = self.form();
        // The table names only types that there are; text is what is left when one is mistyped, and a test sees to it.
        let mut shape = Shape::of(ValueKind::parse(form.kind).unwrap_or(ValueKind::String));
        shape.minimum = form.least.map(f64::from);
        shape.min_length = (self == Control::IfMatch).then_some(1);
        shape
    }

    /// What it is on this operation where it is not sent. Sending it changes nothing.
    pub fn default_on(self, operation: &Operation) -> Option<u64> {
        match self {
            Control::First | Control::Limit | Control::PageSize => {
                let paging = operation.answers.paging.as_ref();
                Some(paging.map_or(Paging::DEFAULT_LIMIT, |paging| paging.default_limit))
            }
            Control::Page => Some(1),
            Control::Offset => Some(0),
            _ => None,
        }
    }

    /// What it looks like on this operation, as a parameter.
    pub fn param_on(self, operation: &Operation) -> Param {
        let shape = self.shape();
        let mut param = Param::new(self.name_on(operation), shape.kind.clone());
        param.shape = shape;
        let about = match self {
            Control::After if !operation.is_list() => "pageInfo.endCursor of the part before, in a long text",
            _ => self.form().about,
        };
        param.description = Some(about.to_owned());
        param
    }
}

#[cfg(test)]
mod tests;
