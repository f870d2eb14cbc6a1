//! The keys of operations, parameters and types.
//!
//! A parameter looks the same in a map, in a list and among the shared ones.

use super::{AUTH, LEVELS, PATH, SCHEMA, WORDS, answers, body, calls, later, relationships};
use crate::document::keys::{Block, Form, Key};

const PLACES: &[&str] = &["path", "query", "header", "cookie", "body"];
const COUNT: Form = Form::Whole(0, i64::MAX);

/// The constraints of a parameter, in the order in which they are checked.
pub(in crate::adapter_file) const PARAM_CONSTRAINTS: &[&str] =
    &["minimum", "maximum", "minLength", "maxLength", "pattern", "format", "items"];

/// The five lists.
pub(super) static LISTS: Block = Block {
    name: "operations",
    about: "The operations, by category",
    keys: &[
        Key::optional("create", LIST, "Operations that add"),
        Key::optional("read", LIST, "Operations that change nothing"),
        Key::optional("update", LIST, "Operations that overwrite"),
        Key::optional("delete", LIST, "Operations that remove"),
        Key::optional("execute", LIST, "Operations that act"),
    ],
};

const LIST: Form = Form::List(&Form::Block(&OPERATION));

static OPERATION: Block = Block {
    name: "operation",
    about: "One operation",
    keys: &[
        Key::required(
            "name",
            Form::Like("^[a-z][a-z0-9_]*$"),
            "A verb and a noun, snake_case",
            "Operation name is required",
        ),
        Key::required(
            "maps_to",
            Form::Filled,
            "METHOD /path, with {placeholders} for parameters; TOOL name for a tool of an MCP server",
            "Operation mapping is required",
        ),
        Key::optional("description", Form::Text, "What it does: a model reads this"),
        Key::optional("semantic_category", Form::Filled, "The category, the same as the list's"),
        Key::optional("endpoint", Form::Filled, "The category, the same as the list's"),
        Key::optional("handler", Form::Text, "A note for other implementations"),
        Key::optional("dangerous", Form::Flag, "true is at least destructive"),
        Key::optional(
            "params",
            Form::Either(&[Form::Map(&Form::Block(&PARAM)), Form::List(&Form::Block(&PARAM))]),
            "Its parameters: a map, or a list with name or $ref",
        ),
        Key::optional("response", Form::Block(&RESPONSE), "What it returns"),
        Key::optional("danger_level", Form::OneOf(LEVELS), "The harm it can do"),
        Key::optional(
            "danger",
            Form::Either(&[Form::Block(&DANGER), Form::OneOf(LEVELS)]),
            "The harm it can do, in detail",
        ),
        Key::optional("requires_confirmation", Form::Flag, "A person confirms every call"),
        Key::optional("non_idempotent", Form::Flag, "A repeat may act twice, whatever the method"),
        Key::optional("examples", Form::List(&Form::Block(&EXAMPLE)), "Requests that work"),
        Key::optional("tags", WORDS, "Words under which it is looked for"),
        Key::optional("triggers", WORDS, "Words in a request that call for it"),
        Key::optional("when_to_use", Form::Text, "When to use it, in words"),
        Key::optional("body", Form::Block(&body::BODY), "How the body is written"),
        Key::optional("required_scopes", WORDS, "Scopes that a caller needs, every one of them"),
        Key::optional("base_url", Form::Like("^https?://"), "Where it is, when not where the others are"),
        Key::optional("auth", Form::Block(&AUTH), "How it authenticates, when not as the others do"),
        Key::optional(
            "grouping",
            Form::OneOf(&["flat", "input", "whole_input"]),
            "Whether body fields stand in 'input'; if absent, those of an UPDATE do",
        ),
        Key::optional("imported_from", Form::Block(&body::IMPORTED_FROM), "Where it was imported from"),
        Key::optional("pagination", Form::Block(&answers::PAGINATION), "How the API pages its answers"),
        Key::optional("fields", Form::Block(&answers::FIELDS), "Choosing fields of the answer"),
        Key::optional("supports_fields", Form::Flag, "Fields may be chosen, as in every READ"),
        Key::optional(
            "default_fields",
            Form::List(&PATH),
            "Short for a preset 'standard' that is the default",
        ),
        Key::optional(
            "collection",
            Form::Either(&[Form::Block(&answers::COLLECTION), Form::Flag]),
            "Filters and sorting done by the API; true or false: whether the answer is a list",
        ),
        Key::optional("computed", Form::List(&Form::Block(&answers::COMPUTED)), "Fields worked out here"),
        Key::optional("aggregate", Form::Block(&answers::AGGREGATE), "Counting and summing"),
        Key::optional("update", Form::Block(&calls::UPDATE), "How a PUT finds what is there"),
        Key::optional("cache", Form::Block(&calls::OPERATION_CACHE), "Keeping answers for a while"),
        Key::optional(
            "deprecated",
            Form::Either(&[Form::Block(&calls::DEPRECATED), Form::Flag]),
            "That it will go away",
        ),
        Key::later("lifecycle", Form::Block(&later::LIFECYCLE), "Work that goes on after the call"),
    ],
};

/// One parameter, in a map, a list or `shared_parameters`.
pub(super) static PARAM: Block = Block {
    name: "param",
    about: "One parameter",
    keys: &[
        Key::optional(
            "$ref",
            Form::Like("^#/shared_parameters/."),
            "A shared parameter or group, instead of all else",
        ),
        Key::optional("name", Form::Like("^[a-z][a-z0-9_]*$"), "Its name, when it stands in a list"),
        Key::optional("type", Form::Filled, "string, integer, number, boolean, array, object, T[] or A | B"),
        Key::optional("required", Form::Flag, "It must be sent; false if absent"),
        Key::optional("default", Form::Any, "The value when it is not sent"),
        Key::optional("description", Form::Text, "What it means"),
        Key::optional("enum", Form::List(&Form::Any), "The only values allowed"),
        Key::optional("minimum", Form::Number, "The least number, inclusive"),
        Key::optional("maximum", Form::Number, "The greatest number, inclusive"),
        Key::optional("minLength", COUNT, "The fewest characters"),
        Key::optional("maxLength", COUNT, "The most characters"),
        Key::optional("pattern", Form::Text, "A regular expression that text matches"),
        Key::optional("format", Form::Text, "date, date-time, email, uri, uuid, byte or any other name"),
        Key::optional("items", Form::Block(&ITEMS), "What the elements of an array are"),
        Key::optional("sensitive", Form::Flag, "Never logged, echoed or stored"),
        Key::optional("mapTo", Form::Filled, "The name it has in the API"),
        Key::optional("sources", Form::List(&Form::Filled), "Where it is looked for in a request, in order"),
        Key::optional("in", Form::OneOf(PLACES), "Where it goes in the HTTP request"),
        Key::optional("style", Form::OneOf(body::STYLES), "How lists and objects are written, as in OpenAPI"),
        Key::optional("explode", Form::Flag, "Each member stands for itself, as in OpenAPI"),
        Key::optional("allow_reserved", Form::Flag, "Reserved characters are sent as they are"),
        Key::optional("schema", SCHEMA, "A JSON Schema, which is checked instead of the type"),
        Key::optional("type_name", Form::Filled, "The declared type that it is, or that its elements are"),
    ],
};

static ITEMS: Block = Block {
    name: "items",
    about: "What the elements of an array are",
    keys: &[
        Key::required("type", Form::Filled, "The type of each element", "Type is required"),
        Key::optional("description", Form::Text, "What an element means"),
        Key::optional("enum", Form::List(&Form::Any), "The only values allowed"),
        Key::optional("minimum", Form::Number, "The least number, inclusive"),
        Key::optional("maximum", Form::Number, "The greatest number, inclusive"),
        Key::optional("minLength", COUNT, "The fewest characters"),
        Key::optional("maxLength", COUNT, "The most characters"),
        Key::optional("pattern", Form::Text, "A regular expression that text matches"),
        Key::optional("format", Form::Text, "A named format of text"),
        Key::optional("items", Form::Block(&ITEMS), "What the elements of each element are"),
    ],
};

static RESPONSE: Block = Block {
    name: "response",
    about: "What an operation returns",
    keys: &[
        Key::optional("type", Form::Filled, "A type's name"),
        Key::optional("description", Form::Text, "What it is, in words"),
        Key::optional(
            "content_type",
            Form::Filled,
            "The media type, when it is not JSON; text/event-stream is a stream of events",
        ),
        Key::optional("schema", SCHEMA, "A JSON Schema of the answer"),
        Key::optional(
            "kind",
            Form::OneOf(&["object", "enum", "union", "scalar"]),
            "What the type is made of, when it is not declared",
        ),
    ],
};

static DANGER: Block = Block {
    name: "danger",
    about: "The harm an operation can do",
    keys: &[
        Key::required("level", Form::OneOf(LEVELS), "The level", "Danger level is required"),
        Key::optional("reasons", WORDS, "Why, for the person who confirms"),
        Key::optional("reason", Form::Filled, "Why, for the person who confirms"),
        Key::optional("confirmation_message", Form::Filled, "What to ask, with {param} slots"),
        Key::optional("requires_confirmation", Form::Flag, "A person confirms every call"),
        Key::later("cooldown_seconds", COUNT, "Least time between confirmation and call"),
        Key::later("requires_reauth", Form::Flag, "The person signs in again"),
        Key::later("audit_context", WORDS, "Parameters kept in the audit log"),
        Key::later("hook_blockable", Form::Flag, "Hooks may stop it"),
    ],
};

static EXAMPLE: Block = Block {
    name: "example",
    about: "A request that works",
    keys: &[
        Key::optional("description", Form::Text, "What it shows"),
        Key::optional("params", Form::Map(&Form::Any), "The parameters of the request"),
        Key::optional("request", Form::Map(&Form::Any), "The whole request: operation and params"),
    ],
};

/// A declared type.
pub(super) static TYPE: Block = Block {
    name: "type",
    about: "A type that operations return",
    keys: &[
        Key::required(
            "kind",
            Form::OneOf(&["enum", "object", "union", "scalar"]),
            "What it is made of",
            "Type kind is required",
        ),
        Key::optional("description", Form::Text, "What it is, in words"),
        Key::optional("values", Form::List(&Form::Filled), "enum: the words"),
        Key::optional("fields", Form::Map(&Form::Block(&FIELD)), "object: the fields"),
        Key::optional("members", WORDS, "union: the names of the types"),
        Key::optional("presets", Form::Map(&Form::List(&PATH)), "Named choices of fields"),
        Key::optional("fetch", Form::Block(&relationships::FETCH), "How one is read"),
    ],
};

static FIELD: Block = Block {
    name: "field",
    about: "A field of an object type",
    keys: &[
        Key::required(
            "type",
            Form::Filled,
            "One of the six types, T[], A | B or a declared type",
            "Type is required",
        ),
        Key::optional("required", Form::Flag, "It is always there"),
        Key::optional("description", Form::Text, "What it means"),
        Key::optional("enum", Form::List(&Form::Any), "The only values"),
        Key::optional("minimum", Form::Number, "The least number, inclusive"),
        Key::optional("maximum", Form::Number, "The greatest number, inclusive"),
        Key::optional("minLength", COUNT, "The fewest characters"),
        Key::optional("maxLength", COUNT, "The most characters"),
        Key::optional("pattern", Form::Text, "A regular expression that text matches"),
        Key::optional("format", Form::Text, "A named format of text"),
        Key::optional("items", Form::Block(&ITEMS), "What the elements of an array are"),
        Key::optional("type_name", Form::Filled, "The declared type that it is, or that its elements are"),
        Key::optional("default", Form::Any, "The value when it is not set"),
    ],
};
