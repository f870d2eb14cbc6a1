//! The keys about an operation's answers: how they come, which fields they have, what the API does with them by itself.
//!
//! Only READ operations have them; `check::answers` judges what they mean.

use super::PATH;
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};

const SOME: ValueForm = ValueForm::Whole(1, i64::MAX);

pub(super) static PAGINATION: KeyBlock = KeyBlock {
    name: "pagination",
    about: "How the API pages its answers",
    keys: &[
        KeySpec::required(
            "style",
            ValueForm::OneOf(&["link_header", "cursor", "offset", "page"]),
            "The way of paging",
            "Pagination style is required",
        ),
        KeySpec::optional("param_name", ValueForm::Filled, "The API's query parameter that moves on"),
        KeySpec::optional(
            "per_page_param",
            ValueForm::Either(&[ValueForm::Filled, ValueForm::Flag]),
            "The API's query parameter for the size of a page; false: none, whatever is declared",
        ),
        KeySpec::optional(
            "keep_params",
            ValueForm::Flag,
            "Callers may set the parameters of paging too, as far as they are declared; false if absent",
        ),
        KeySpec::optional("default_limit", SOME, "The size when none is asked for, 25 if absent"),
        KeySpec::optional("max_limit", SOME, "The largest size, 100 if absent"),
        KeySpec::optional(
            "first_page",
            ValueForm::Whole(0, i64::MAX),
            "page: the number of the first, 1 if absent",
        ),
        KeySpec::optional("items_path", PATH, "Where the items are"),
        KeySpec::optional("next_path", PATH, "cursor: where the next one is"),
        KeySpec::optional("total_path", PATH, "Where the total is"),
        KeySpec::optional("has_more_path", PATH, "Where it says whether there is more"),
    ],
};

pub(super) static FIELDS: KeyBlock = KeyBlock {
    name: "fields",
    about: "Choosing fields of the answer",
    keys: &[
        KeySpec::optional("presets", ValueForm::Map(&ValueForm::List(&PATH)), "Named choices"),
        KeySpec::optional("default", ValueForm::Filled, "The choice when none is made"),
        KeySpec::optional("param", ValueForm::Filled, "The API's own query parameter for it"),
        KeySpec::optional(
            "known",
            ValueForm::Either(&[ValueForm::List(&ValueForm::Text), ValueForm::Flag]),
            "The names of all fields; false: they are not known. If absent, those of the type",
        ),
        KeySpec::optional("join", ValueForm::Text, "What the API wants between the names, a comma if absent"),
    ],
};

pub(super) static COLLECTION: KeyBlock = KeyBlock {
    name: "collection",
    about: "What the API filters, sorts and searches by itself",
    keys: &[
        KeySpec::optional(
            "filter",
            ValueForm::Map(&ValueForm::Block(&FILTER)),
            "Its filters, by the key in a request",
        ),
        KeySpec::optional("sort", ValueForm::Block(&SORT), "Its sorting"),
        KeySpec::optional("query", ValueForm::Block(&QUERY), "Its search"),
    ],
};

static FILTER: KeyBlock = KeyBlock {
    name: "collection_filter",
    about: "A filter of the API",
    keys: &[
        KeySpec::required(
            "param",
            ValueForm::Filled,
            "The API's query parameter",
            "The filter's parameter is required",
        ),
        KeySpec::optional(
            "values",
            ValueForm::List(&ValueForm::Any),
            "The only values it knows; any if absent",
        ),
    ],
};

static SORT: KeyBlock = KeyBlock {
    name: "collection_sort",
    about: "The API's sorting",
    keys: &[
        KeySpec::required(
            "param",
            ValueForm::Filled,
            "The API's query parameter for the field",
            "The parameter for sorting is required",
        ),
        KeySpec::optional("order_param", ValueForm::Filled, "The API's query parameter for asc and desc"),
        KeySpec::required(
            "fields",
            ValueForm::Either(&[ValueForm::List(&PATH), ValueForm::Map(&ValueForm::Filled)]),
            "The fields it sorts by: a list, or a map to the API's own words",
            "The fields to sort by are required",
        ),
    ],
};

static QUERY: KeyBlock = KeyBlock {
    name: "collection_query",
    about: "The API's search",
    keys: &[KeySpec::required(
        "param",
        ValueForm::Filled,
        "The API's query parameter for words",
        "The parameter for searching is required",
    )],
};

pub(super) static COMPUTED: KeyBlock = KeyBlock {
    name: "computed",
    about: "A field worked out here",
    keys: &[
        KeySpec::required(
            "name",
            ValueForm::Like("^[a-z][a-z0-9_]*$"),
            "Its name, snake_case",
            "The name of a computed field is required",
        ),
        KeySpec::required(
            "type",
            ValueForm::Filled,
            "string, integer, number, boolean, array, object, T[] or A | B",
            "The type of a computed field is required",
        ),
        KeySpec::optional("description", ValueForm::Text, "What it means"),
        KeySpec::optional("filterable", ValueForm::Flag, "It may be filtered by; true if absent"),
        KeySpec::optional("sortable", ValueForm::Flag, "It may be sorted by; true if absent"),
        KeySpec::required("value", ValueForm::Block(&VALUE), "How it is worked out", "The value is required"),
    ],
};

const OPERANDS: ValueForm = ValueForm::List(&ValueForm::Either(&[PATH, ValueForm::Number]));

static VALUE: KeyBlock = KeyBlock {
    name: "computed_value",
    about: "How a field is worked out: exactly one of these",
    keys: &[
        KeySpec::optional("age_days", PATH, "Whole days since the time there"),
        KeySpec::optional("age_hours", PATH, "Whole hours since the time there"),
        KeySpec::optional("count", PATH, "The number of elements, keys or characters there"),
        KeySpec::optional("template", ValueForm::Text, "Text with {paths} in it"),
        KeySpec::optional("add", OPERANDS, "The sum of paths and numbers"),
        KeySpec::optional("sub", OPERANDS, "Their difference, from left to right"),
        KeySpec::optional("mul", OPERANDS, "Their product"),
        KeySpec::optional("div", OPERANDS, "Their quotient, from left to right"),
        KeySpec::optional("eq", OPERANDS, "Whether two are equal"),
        KeySpec::optional("gt", OPERANDS, "Whether the first is greater"),
        KeySpec::optional("lt", OPERANDS, "Whether the first is less"),
        KeySpec::optional("exists", PATH, "Whether there is something other than null"),
    ],
};

pub(super) static AGGREGATE: KeyBlock = KeyBlock {
    name: "aggregate",
    about: "What may be counted and summed",
    keys: &[
        KeySpec::optional(
            "functions",
            ValueForm::List(&ValueForm::OneOf(&["count", "group_by", "sum", "avg", "min", "max"])),
            "The functions offered; all if absent",
        ),
        KeySpec::optional("groupable_fields", ValueForm::List(&PATH), "The only fields to group by"),
        KeySpec::optional("numeric_fields", ValueForm::List(&PATH), "The only fields to sum"),
    ],
};
