//! The keys of operations, parameters and types.
//!
//! A parameter looks the same in a map, in a list and among the shared ones.

use super::{AUTH, LEVELS, PATH, SCHEMA, WORDS, body, calls, later, relationships, response};
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};

const PLACES: &[&str] = &["path", "query", "header", "cookie", "body"];
const COUNT: ValueForm = ValueForm::Whole(0, i64::MAX);

/// The constraints of a parameter, in the order in which they are checked.
pub(crate) const PARAM_CONSTRAINTS: &[&str] =
    &["minimum", "maximum", "minLength", "maxLength", "pattern", "format", "items"];

/// The five lists.
pub(super) static LISTS: KeyBlock = KeyBlock {
    name: "operations",
    about: "The operations, by category",
    keys: &[
        KeySpec::optional("create", LIST, "Operations that add"),
        KeySpec::optional("read", LIST, "Operations that change nothing"),
        KeySpec::optional("update", LIST, "Operations that overwrite"),
        KeySpec::optional("delete", LIST, "Operations that remove"),
        KeySpec::optional("execute", LIST, "Operations that act"),
    ],
};

const LIST: ValueForm = ValueForm::List(&ValueForm::Block(&OPERATION));

static OPERATION: KeyBlock = KeyBlock {
    name: "operation",
    about: "One operation",
    keys: &[
        KeySpec::required(
            "name",
            ValueForm::Like("^[a-z][a-z0-9_]*$"),
            "A verb and a noun, snake_case",
            "Operation name is required",
        ),
        KeySpec::required(
            "maps_to",
            ValueForm::Filled,
            "METHOD /path, with {placeholders} for parameters; TOOL name for a tool of an MCP server",
            "Operation mapping is required",
        ),
        KeySpec::optional("description", ValueForm::Text, "What it does: a model reads this"),
        KeySpec::optional("semantic_category", ValueForm::Filled, "The category, the same as the list's"),
        KeySpec::optional("endpoint", ValueForm::Filled, "The category, the same as the list's"),
        KeySpec::optional("handler", ValueForm::Text, "A note for other implementations"),
        KeySpec::optional("dangerous", ValueForm::Flag, "true is at least destructive"),
        KeySpec::optional(
            "params",
            ValueForm::Either(&[
                ValueForm::Map(&ValueForm::Block(&PARAM)),
                ValueForm::List(&ValueForm::Block(&PARAM)),
            ]),
            "Its parameters: a map, or a list with name or $ref",
        ),
        KeySpec::optional("response", ValueForm::Block(&RESPONSE), "What it returns"),
        KeySpec::optional("danger_level", ValueForm::OneOf(LEVELS), "The harm it can do"),
        KeySpec::optional(
            "danger",
            ValueForm::Either(&[ValueForm::Block(&DANGER), ValueForm::OneOf(LEVELS)]),
            "The harm it can do, in detail",
        ),
        KeySpec::optional("requires_confirmation", ValueForm::Flag, "A person confirms every call"),
        KeySpec::optional("non_idempotent", ValueForm::Flag, "A repeat may act twice, whatever the method"),
        KeySpec::optional("examples", ValueForm::List(&ValueForm::Block(&EXAMPLE)), "Requests that work"),
        KeySpec::optional("tags", WORDS, "Words under which it is looked for"),
        KeySpec::optional("triggers", WORDS, "Words in a request that call for it"),
        KeySpec::optional("when_to_use", ValueForm::Text, "When to use it, in words"),
        KeySpec::optional("body", ValueForm::Block(&body::BODY), "How the body is written"),
        KeySpec::optional("required_scopes", WORDS, "Scopes that a caller needs, every one of them"),
        KeySpec::optional(
            "base_url",
            ValueForm::Like("^https?://"),
            "Where it is, when not where the others are",
        ),
        KeySpec::optional("auth", ValueForm::Block(&AUTH), "How it authenticates, when not as the others do"),
        KeySpec::optional(
            "grouping",
            ValueForm::OneOf(&["flat", "input", "whole_input"]),
            "Whether body fields stand in 'input'; if absent, those of an UPDATE do",
        ),
        KeySpec::optional(
            "imported_from",
            ValueForm::Block(&body::IMPORTED_FROM),
            "Where it was imported from",
        ),
        KeySpec::optional(
            "pagination",
            ValueForm::Block(&response::PAGINATION),
            "How the API pages its answers",
        ),
        KeySpec::optional("fields", ValueForm::Block(&response::FIELDS), "Choosing fields of the answer"),
        KeySpec::optional("supports_fields", ValueForm::Flag, "Fields may be chosen, as in every READ"),
        KeySpec::optional(
            "default_fields",
            ValueForm::List(&PATH),
            "Short for a preset 'standard' that is the default",
        ),
        KeySpec::optional(
            "collection",
            ValueForm::Either(&[ValueForm::Block(&response::COLLECTION), ValueForm::Flag]),
            "Filters and sorting done by the API; true or false: whether the answer is a list",
        ),
        KeySpec::optional(
            "computed",
            ValueForm::List(&ValueForm::Block(&response::COMPUTED)),
            "Fields worked out here",
        ),
        KeySpec::optional("aggregate", ValueForm::Block(&response::AGGREGATE), "Counting and summing"),
        KeySpec::optional("update", ValueForm::Block(&calls::UPDATE), "How a PUT finds what is there"),
        KeySpec::optional("cache", ValueForm::Block(&calls::OPERATION_CACHE), "Keeping answers for a while"),
        KeySpec::optional(
            "deprecated",
            ValueForm::Either(&[ValueForm::Block(&calls::DEPRECATED), ValueForm::Flag]),
            "That it will go away",
        ),
        KeySpec::later("lifecycle", ValueForm::Block(&later::LIFECYCLE), "Work that goes on after the call"),
    ],
};

/// One parameter, in a map, a list or `shared_parameters`.
pub(super) static PARAM: KeyBlock = KeyBlock {
    name: "param",
    about: "One parameter",
    keys: &[
        KeySpec::optional(
            "$ref",
            ValueForm::Like("^#/shared_parameters/."),
            "A shared parameter or group, instead of all else",
        ),
        KeySpec::optional("name", ValueForm::Like("^[a-z][a-z0-9_]*$"), "Its name, when it stands in a list"),
        KeySpec::optional(
            "type",
            ValueForm::Filled,
            "string, integer, number, boolean, array, object, T[] or A | B",
        ),
        KeySpec::optional("required", ValueForm::Flag, "It must be sent; false if absent"),
        KeySpec::optional("default", ValueForm::Any, "The value when it is not sent"),
        KeySpec::optional("description", ValueForm::Text, "What it means"),
        KeySpec::optional("enum", ValueForm::List(&ValueForm::Any), "The only values allowed"),
        KeySpec::optional("minimum", ValueForm::Number, "The least number, inclusive"),
        KeySpec::optional("maximum", ValueForm::Number, "The greatest number, inclusive"),
        KeySpec::optional("minLength", COUNT, "The fewest characters"),
        KeySpec::optional("maxLength", COUNT, "The most characters"),
        KeySpec::optional("pattern", ValueForm::Text, "A regular expression that text matches"),
        KeySpec::optional(
            "format",
            ValueForm::Text,
            "date, date-time, email, uri, uuid, byte or any other name",
        ),
        KeySpec::optional("items", ValueForm::Block(&ITEMS), "What the elements of an array are"),
        KeySpec::optional("sensitive", ValueForm::Flag, "Never logged, echoed or stored"),
        KeySpec::optional("mapTo", ValueForm::Filled, "The name it has in the API"),
        KeySpec::optional(
            "sources",
            ValueForm::List(&ValueForm::Filled),
            "Where it is looked for in a request, in order",
        ),
        KeySpec::optional("in", ValueForm::OneOf(PLACES), "Where it goes in the HTTP request"),
        KeySpec::optional(
            "style",
            ValueForm::OneOf(body::STYLES),
            "How lists and objects are written, as in OpenAPI",
        ),
        KeySpec::optional("explode", ValueForm::Flag, "Each member stands for itself, as in OpenAPI"),
        KeySpec::optional("allow_reserved", ValueForm::Flag, "Reserved characters are sent as they are"),
        KeySpec::optional("schema", SCHEMA, "A JSON Schema, which is checked instead of the type"),
        KeySpec::optional(
            "type_name",
            ValueForm::Filled,
            "The declared type that it is, or that its elements are",
        ),
    ],
};

static ITEMS: KeyBlock = KeyBlock {
    name: "items",
    about: "What the elements of an array are",
    keys: &[
        KeySpec::required("type", ValueForm::Filled, "The type of each element", "Type is required"),
        KeySpec::optional("description", ValueForm::Text, "What an element means"),
        KeySpec::optional("enum", ValueForm::List(&ValueForm::Any), "The only values allowed"),
        KeySpec::optional("minimum", ValueForm::Number, "The least number, inclusive"),
        KeySpec::optional("maximum", ValueForm::Number, "The greatest number, inclusive"),
        KeySpec::optional("minLength", COUNT, "The fewest characters"),
        KeySpec::optional("maxLength", COUNT, "The most characters"),
        KeySpec::optional("pattern", ValueForm::Text, "A regular expression that text matches"),
        KeySpec::optional("format", ValueForm::Text, "A named format of text"),
        KeySpec::optional("items", ValueForm::Block(&ITEMS), "What the elements of each element are"),
    ],
};

static RESPONSE: KeyBlock = KeyBlock {
    name: "response",
    about: "What an operation returns",
    keys: &[
        KeySpec::optional("type", ValueForm::Filled, "A type's name"),
        KeySpec::optional("description", ValueForm::Text, "What it is, in words"),
        KeySpec::optional(
            "content_type",
            ValueForm::Filled,
            "The media type, when it is not JSON; text/event-stream is a stream of events",
        ),
        KeySpec::optional("schema", SCHEMA, "A JSON Schema of the answer"),
        KeySpec::optional(
            "kind",
            ValueForm::OneOf(&["object", "enum", "union", "scalar"]),
            "What the type is made of, when it is not declared",
        ),
    ],
};

static DANGER: KeyBlock = KeyBlock {
    name: "danger",
    about: "The harm an operation can do",
    keys: &[
        KeySpec::required("level", ValueForm::OneOf(LEVELS), "The level", "Danger level is required"),
        KeySpec::optional("reasons", WORDS, "Why, for the person who confirms"),
        KeySpec::optional("reason", ValueForm::Filled, "Why, for the person who confirms"),
        KeySpec::optional("confirmation_message", ValueForm::Filled, "What to ask, with {param} slots"),
        KeySpec::optional("requires_confirmation", ValueForm::Flag, "A person confirms every call"),
        KeySpec::later("cooldown_seconds", COUNT, "Least time between confirmation and call"),
        KeySpec::later("requires_reauth", ValueForm::Flag, "The person signs in again"),
        KeySpec::later("audit_context", WORDS, "Parameters kept in the audit log"),
        KeySpec::later("hook_blockable", ValueForm::Flag, "Hooks may stop it"),
    ],
};

static EXAMPLE: KeyBlock = KeyBlock {
    name: "example",
    about: "A request that works",
    keys: &[
        KeySpec::optional("description", ValueForm::Text, "What it shows"),
        KeySpec::optional("params", ValueForm::Map(&ValueForm::Any), "The parameters of the request"),
        KeySpec::optional(
            "request",
            ValueForm::Map(&ValueForm::Any),
            "The whole request: operation and params",
        ),
    ],
};

/// A declared type.
pub(super) static TYPE: KeyBlock = KeyBlock {
    name: "type",
    about: "A type that operations return",
    keys: &[
        KeySpec::required(
            "kind",
            ValueForm::OneOf(&["enum", "object", "union", "scalar"]),
            "What it is made of",
            "Type kind is required",
        ),
        KeySpec::optional("description", ValueForm::Text, "What it is, in words"),
        KeySpec::optional("values", ValueForm::List(&ValueForm::Filled), "enum: the words"),
        KeySpec::optional("fields", ValueForm::Map(&ValueForm::Block(&FIELD)), "object: the fields"),
        KeySpec::optional("members", WORDS, "union: the names of the types"),
        KeySpec::optional("presets", ValueForm::Map(&ValueForm::List(&PATH)), "Named choices of fields"),
        KeySpec::optional("fetch", ValueForm::Block(&relationships::FETCH), "How one is read"),
    ],
};

static FIELD: KeyBlock = KeyBlock {
    name: "field",
    about: "A field of an object type",
    keys: &[
        KeySpec::required(
            "type",
            ValueForm::Filled,
            "One of the six types, T[], A | B or a declared type",
            "Type is required",
        ),
        KeySpec::optional("required", ValueForm::Flag, "It is always there"),
        KeySpec::optional("description", ValueForm::Text, "What it means"),
        KeySpec::optional("enum", ValueForm::List(&ValueForm::Any), "The only values"),
        KeySpec::optional("minimum", ValueForm::Number, "The least number, inclusive"),
        KeySpec::optional("maximum", ValueForm::Number, "The greatest number, inclusive"),
        KeySpec::optional("minLength", COUNT, "The fewest characters"),
        KeySpec::optional("maxLength", COUNT, "The most characters"),
        KeySpec::optional("pattern", ValueForm::Text, "A regular expression that text matches"),
        KeySpec::optional("format", ValueForm::Text, "A named format of text"),
        KeySpec::optional("items", ValueForm::Block(&ITEMS), "What the elements of an array are"),
        KeySpec::optional(
            "type_name",
            ValueForm::Filled,
            "The declared type that it is, or that its elements are",
        ),
        KeySpec::optional("default", ValueForm::Any, "The value when it is not set"),
    ],
};
