//! The keys about an operation's answers: how they come, which fields they have, what the API does with them by itself.
//!
//! Only READ operations have them; `check::answers` judges what they mean.

use super::PATH;
use aqueduct_documents::keys::ValueForm::{
    Any, Block, Either, Filled, Flag, Like, List, Map, Number, OneOf, Text, Whole,
};
use aqueduct_documents::keys::{KeyBlock, ValueForm, optional, required};
use aqueduct_operations::response::{AggregateFunction, PagingStyle};

const SOME: ValueForm = Whole(1, i64::MAX);

pub(super) static PAGINATION: KeyBlock =
    KeyBlock::new("pagination", "How the API pages its answers").keys(&[
        required("style", OneOf(PagingStyle::NAMES), "The way of paging", "Pagination style is required"),
        optional("param_name", Filled, "The API's query parameter that moves on"),
        optional(
            "per_page_param",
            Either(&[Filled, Flag]),
            "The API's query parameter for the size of a page; false: none, whatever is declared",
        ),
        optional(
            "keep_params",
            Flag,
            "Callers may set the parameters of paging too, as far as they are declared; false if absent",
        ),
        optional("default_limit", SOME, "The size when none is asked for, 25 if absent"),
        optional("max_limit", SOME, "The largest size, 100 if absent"),
        optional("first_page", Whole(0, i64::MAX), "page: the number of the first, 1 if absent"),
        optional("items_path", PATH, "Where the items are"),
        optional("next_path", PATH, "cursor: where the next one is"),
        optional("total_path", PATH, "Where the total is"),
        optional("has_more_path", PATH, "Where it says whether there is more"),
    ]);

pub(super) static FIELDS: KeyBlock = KeyBlock::new("fields", "Choosing fields of the answer").keys(&[
    optional("presets", Map(&List(&PATH)), "Named choices"),
    optional("default", Filled, "The choice when none is made"),
    optional("param", Filled, "The API's own query parameter for it"),
    optional(
        "known",
        Either(&[List(&Text), Flag]),
        "The names of all fields; false: they are not known. If absent, those of the type",
    ),
    optional("join", Text, "What the API wants between the names, a comma if absent"),
]);

pub(super) static COLLECTION: KeyBlock =
    KeyBlock::new("collection", "What the API filters, sorts and searches by itself").keys(&[
        optional("filter", Map(&Block(&FILTER)), "Its filters, by the key in a request"),
        optional("sort", Block(&SORT), "Its sorting"),
        optional("query", Block(&QUERY), "Its search"),
    ]);

static FILTER: KeyBlock = KeyBlock::new("collection_filter", "A filter of the API").keys(&[
    required("param", Filled, "The API's query parameter", "The filter's parameter is required"),
    optional("values", List(&Any), "The only values it knows; any if absent"),
]);

static SORT: KeyBlock = KeyBlock::new("collection_sort", "The API's sorting").keys(&[
    required(
        "param",
        Filled,
        "The API's query parameter for the field",
        "The parameter for sorting is required",
    ),
    optional("order_param", Filled, "The API's query parameter for asc and desc"),
    required(
        "fields",
        Either(&[List(&PATH), Map(&Filled)]),
        "The fields it sorts by: a list, or a map to the API's own words",
        "The fields to sort by are required",
    ),
]);

static QUERY: KeyBlock = KeyBlock::new("collection_query", "The API's search").keys(&[required(
    "param",
    Filled,
    "The API's query parameter for words",
    "The parameter for searching is required",
)]);

pub(super) static COMPUTED: KeyBlock = KeyBlock::new("computed", "A field worked out here").keys(&[
    required(
        "name",
        Like("^[a-z][a-z0-9_]*$"),
        "Its name, snake_case",
        "The name of a computed field is required",
    ),
    required(
        "type",
        Filled,
        "string, integer, number, boolean, array, object, T[] or A | B",
        "The type of a computed field is required",
    ),
    optional("description", Text, "What it means"),
    optional("filterable", Flag, "It may be filtered by; true if absent"),
    optional("sortable", Flag, "It may be sorted by; true if absent"),
    required("value", Block(&VALUE), "How it is worked out", "The value is required"),
]);

const OPERANDS: ValueForm = List(&Either(&[PATH, Number]));

static VALUE: KeyBlock = KeyBlock::new("computed_value", "How a field is worked out: exactly one of these")
    .keys(&[
        optional("age_days", PATH, "Whole days since the time there"),
        optional("age_hours", PATH, "Whole hours since the time there"),
        optional("count", PATH, "The number of elements, keys or characters there"),
        optional("template", Text, "Text with {paths} in it"),
        optional("add", OPERANDS, "The sum of paths and numbers"),
        optional("sub", OPERANDS, "Their difference, from left to right"),
        optional("mul", OPERANDS, "Their product"),
        optional("div", OPERANDS, "Their quotient, from left to right"),
        optional("eq", OPERANDS, "Whether two are equal"),
        optional("gt", OPERANDS, "Whether the first is greater"),
        optional("lt", OPERANDS, "Whether the first is less"),
        optional("exists", PATH, "Whether there is something other than null"),
    ]);

pub(super) static AGGREGATE: KeyBlock = KeyBlock::new("aggregate", "What may be counted and summed").keys(&[
    optional("functions", List(&OneOf(AggregateFunction::NAMES)), "The functions offered; all if absent"),
    optional("groupable_fields", List(&PATH), "The only fields to group by"),
    optional("numeric_fields", List(&PATH), "The only fields to sum"),
]);
