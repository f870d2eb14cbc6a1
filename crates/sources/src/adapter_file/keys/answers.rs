//! The keys about an operation's answers: how they come, which fields they have, what the API does with them by itself.
//!
//! Only READ operations have them; `check::answers` judges what they mean.

use super::PATH;
use crate::document::keys::{Block, Form, Key};

const SOME: Form = Form::Whole(1, i64::MAX);

pub(super) static PAGINATION: Block = Block {
    name: "pagination",
    about: "How the API pages its answers",
    keys: &[
        Key::required(
            "style",
            Form::OneOf(&["link_header", "cursor", "offset", "page"]),
            "The way of paging",
            "Pagination style is required",
        ),
        Key::optional("param_name", Form::Filled, "The API's query parameter that moves on"),
        Key::optional(
            "per_page_param",
            Form::Either(&[Form::Filled, Form::Flag]),
            "The API's query parameter for the size of a page; false: none, whatever is declared",
        ),
        Key::optional(
            "keep_params",
            Form::Flag,
            "Callers may set the parameters of paging too, as far as they are declared; false if absent",
        ),
        Key::optional("default_limit", SOME, "The size when none is asked for, 25 if absent"),
        Key::optional("max_limit", SOME, "The largest size, 100 if absent"),
        Key::optional("first_page", Form::Whole(0, i64::MAX), "page: the number of the first, 1 if absent"),
        Key::optional("items_path", PATH, "Where the items are"),
        Key::optional("next_path", PATH, "cursor: where the next one is"),
        Key::optional("total_path", PATH, "Where the total is"),
        Key::optional("has_more_path", PATH, "Where it says whether there is more"),
    ],
};

pub(super) static FIELDS: Block = Block {
    name: "fields",
    about: "Choosing fields of the answer",
    keys: &[
        Key::optional("presets", Form::Map(&Form::List(&PATH)), "Named choices"),
        Key::optional("default", Form::Filled, "The choice when none is made"),
        Key::optional("param", Form::Filled, "The API's own query parameter for it"),
        Key::optional(
            "known",
            Form::Either(&[Form::List(&Form::Text), Form::Flag]),
            "The names of all fields; false: they are not known. If absent, those of the type",
        ),
        Key::optional("join", Form::Text, "What the API wants between the names, a comma if absent"),
    ],
};

pub(super) static COLLECTION: Block = Block {
    name: "collection",
    about: "What the API filters, sorts and searches by itself",
    keys: &[
        Key::optional("filter", Form::Map(&Form::Block(&FILTER)), "Its filters, by the key in a request"),
        Key::optional("sort", Form::Block(&SORT), "Its sorting"),
        Key::optional("query", Form::Block(&QUERY), "Its search"),
    ],
};

static FILTER: Block = Block {
    name: "collection_filter",
    about: "A filter of the API",
    keys: &[
        Key::required(
            "param",
            Form::Filled,
            "The API's query parameter",
            "The filter's parameter is required",
        ),
        Key::optional("values", Form::List(&Form::Any), "The only values it knows; any if absent"),
    ],
};

static SORT: Block = Block {
    name: "collection_sort",
    about: "The API's sorting",
    keys: &[
        Key::required(
            "param",
            Form::Filled,
            "The API's query parameter for the field",
            "The parameter for sorting is required",
        ),
        Key::optional("order_param", Form::Filled, "The API's query parameter for asc and desc"),
        Key::required(
            "fields",
            Form::Either(&[Form::List(&PATH), Form::Map(&Form::Filled)]),
            "The fields it sorts by: a list, or a map to the API's own words",
            "The fields to sort by are required",
        ),
    ],
};

static QUERY: Block = Block {
    name: "collection_query",
    about: "The API's search",
    keys: &[Key::required(
        "param",
        Form::Filled,
        "The API's query parameter for words",
        "The parameter for searching is required",
    )],
};

pub(super) static COMPUTED: Block = Block {
    name: "computed",
    about: "A field worked out here",
    keys: &[
        Key::required(
            "name",
            Form::Like("^[a-z][a-z0-9_]*$"),
            "Its name, snake_case",
            "The name of a computed field is required",
        ),
        Key::required(
            "type",
            Form::Filled,
            "string, integer, number, boolean, array, object, T[] or A | B",
            "The type of a computed field is required",
        ),
        Key::optional("description", Form::Text, "What it means"),
        Key::optional("filterable", Form::Flag, "It may be filtered by; true if absent"),
        Key::optional("sortable", Form::Flag, "It may be sorted by; true if absent"),
        Key::required("value", Form::Block(&VALUE), "How it is worked out", "The value is required"),
    ],
};

const OPERANDS: Form = Form::List(&Form::Either(&[PATH, Form::Number]));

static VALUE: Block = Block {
    name: "computed_value",
    about: "How a field is worked out: exactly one of these",
    keys: &[
        Key::optional("age_days", PATH, "Whole days since the time there"),
        Key::optional("age_hours", PATH, "Whole hours since the time there"),
        Key::optional("count", PATH, "The number of elements, keys or characters there"),
        Key::optional("template", Form::Text, "Text with {paths} in it"),
        Key::optional("add", OPERANDS, "The sum of paths and numbers"),
        Key::optional("sub", OPERANDS, "Their difference, from left to right"),
        Key::optional("mul", OPERANDS, "Their product"),
        Key::optional("div", OPERANDS, "Their quotient, from left to right"),
        Key::optional("eq", OPERANDS, "Whether two are equal"),
        Key::optional("gt", OPERANDS, "Whether the first is greater"),
        Key::optional("lt", OPERANDS, "Whether the first is less"),
        Key::optional("exists", PATH, "Whether there is something other than null"),
    ],
};

pub(super) static AGGREGATE: Block = Block {
    name: "aggregate",
    about: "What may be counted and summed",
    keys: &[
        Key::optional(
            "functions",
            Form::List(&Form::OneOf(&["count", "group_by", "sum", "avg", "min", "max"])),
            "The functions offered; all if absent",
        ),
        Key::optional("groupable_fields", Form::List(&PATH), "The only fields to group by"),
        Key::optional("numeric_fields", Form::List(&PATH), "The only fields to sum"),
    ],
};
