//! The keys of operations, parameters and types.
//!
//! A parameter looks the same in a map, in a list and among the shared ones.

use super::{AUTH, PATH, SCHEMA, WORDS, body, calls, lifecycle, relationships, response};
use aqueduct_documents::keys::ValueForm::{
    Any, Block, Either, Filled, Flag, Like, List, Map, Number, OneOf, Text, Whole,
};
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm, optional, required};
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::params::{ParamLocation, ParamStyle};

const COUNT: ValueForm = Whole(0, i64::MAX);

/// The constraints of a parameter, in the order in which they are checked.
pub(crate) const PARAM_CONSTRAINTS: &[&str] =
    &["minimum", "maximum", "minLength", "maxLength", "pattern", "format", "items"];

const MINIMUM: KeySpec = optional("minimum", Number, "The least number, inclusive");
const MAXIMUM: KeySpec = optional("maximum", Number, "The greatest number, inclusive");
const MIN_LENGTH: KeySpec = optional("minLength", COUNT, "The fewest characters");
const MAX_LENGTH: KeySpec = optional("maxLength", COUNT, "The most characters");
const PATTERN: KeySpec = optional("pattern", Text, "A regular expression that text matches");

/// The five lists.
pub(super) static LISTS: KeyBlock = KeyBlock::new("operations", "The operations, by category").keys(&[
    optional("create", LIST, "Operations that add"),
    optional("read", LIST, "Operations that change nothing"),
    optional("update", LIST, "Operations that overwrite"),
    optional("delete", LIST, "Operations that remove"),
    optional("execute", LIST, "Operations that act"),
]);

const LIST: ValueForm = List(&Block(&OPERATION));

static OPERATION: KeyBlock = KeyBlock::new("operation", "One operation").keys(&[
    required(
        "name",
        Like("^[a-z][a-z0-9_]*$"),
        "A verb and a noun, snake_case",
        "Operation name is required",
    ),
    required(
        "maps_to",
        Filled,
        "METHOD /path, with {placeholders} for parameters; TOOL name for a tool of an MCP server",
        "Operation mapping is required",
    ),
    optional("description", Text, "What it does: a model reads this"),
    optional("semantic_category", Filled, "The category, the same as the list's"),
    optional("endpoint", Filled, "The category, the same as the list's"),
    optional("handler", Text, "A note for other implementations"),
    optional("dangerous", Flag, "true is at least destructive"),
    optional(
        "params",
        Either(&[Map(&Block(&PARAM)), List(&Block(&PARAM))]),
        "Its parameters: a map, or a list with name or $ref",
    ),
    optional("response", Block(&RESPONSE), "What it returns"),
    optional("danger_level", OneOf(DangerLevel::NAMES), "The harm it can do"),
    optional("danger", Either(&[Block(&DANGER), OneOf(DangerLevel::NAMES)]), "The harm it can do, in detail"),
    optional("requires_confirmation", Flag, "A person confirms every call"),
    optional("non_idempotent", Flag, "A repeat may act twice, whatever the method"),
    optional("examples", List(&Block(&EXAMPLE)), "Requests that work"),
    optional("tags", WORDS, "Words under which it is looked for"),
    optional("triggers", WORDS, "Words in a request that call for it"),
    optional("when_to_use", Text, "When to use it, in words"),
    optional("body", Block(&body::BODY), "How the body is written"),
    optional("required_scopes", WORDS, "Scopes that a caller needs, every one of them"),
    optional("base_url", Like("^https?://"), "Where it is, when not where the others are"),
    optional("auth", Block(&AUTH), "How it authenticates, when not as the others do"),
    optional(
        "grouping",
        OneOf(Grouping::NAMES),
        "Whether body fields stand in 'input'; if absent, those of an UPDATE do",
    ),
    optional("imported_from", Block(&body::IMPORTED_FROM), "Where it was imported from"),
    optional("pagination", Block(&response::PAGINATION), "How the API pages its answers"),
    optional("fields", Block(&response::FIELDS), "Choosing fields of the answer"),
    optional("supports_fields", Flag, "Fields may be chosen, as in every READ"),
    optional("default_fields", List(&PATH), "Short for a preset 'standard' that is the default"),
    optional(
        "collection",
        Either(&[Block(&response::COLLECTION), Flag]),
        "Filters and sorting done by the API; true or false: whether the answer is a list",
    ),
    optional("computed", List(&Block(&response::COMPUTED)), "Fields worked out here"),
    optional("aggregate", Block(&response::AGGREGATE), "Counting and summing"),
    optional("update", Block(&calls::UPDATE), "How a PUT finds what is there"),
    optional("cache", Block(&calls::OPERATION_CACHE), "Keeping answers for a while"),
    optional("deprecated", Either(&[Block(&calls::DEPRECATED), Flag]), "That it will go away"),
    optional("lifecycle", Block(&lifecycle::LIFECYCLE), "Work that goes on after the call"),
]);

/// One parameter, in a map, a list or `shared_parameters`.
pub(super) static PARAM: KeyBlock = KeyBlock::new("param", "One parameter").keys(&[
    optional("$ref", Like("^#/shared_parameters/."), "A shared parameter or group, instead of all else"),
    optional("name", Like("^[a-z][a-z0-9_]*$"), "Its name, when it stands in a list"),
    optional("type", Filled, "string, integer, number, boolean, array, object, T[] or A | B"),
    optional("required", Flag, "It must be sent; false if absent"),
    optional("default", Any, "The value when it is not sent"),
    optional("description", Text, "What it means"),
    optional("enum", List(&Any), "The only values allowed"),
    MINIMUM,
    MAXIMUM,
    MIN_LENGTH,
    MAX_LENGTH,
    PATTERN,
    optional("format", Text, "date, date-time, email, uri, uuid, byte or any other name"),
    optional("items", Block(&ITEMS), "What the elements of an array are"),
    optional("sensitive", Flag, "Never logged, echoed or stored"),
    optional("mapTo", Filled, "The name it has in the API"),
    optional("sources", List(&Filled), "Where it is looked for in a request, in order"),
    optional("in", OneOf(ParamLocation::NAMES), "Where it goes in the HTTP request"),
    optional("style", OneOf(ParamStyle::NAMES), "How lists and objects are written, as in OpenAPI"),
    optional("explode", Flag, "Each member stands for itself, as in OpenAPI"),
    optional("allow_reserved", Flag, "Reserved characters are sent as they are"),
    optional("schema", SCHEMA, "A JSON Schema, which is checked instead of the type"),
    optional("type_name", Filled, "The declared type that it is, or that its elements are"),
]);

static ITEMS: KeyBlock = KeyBlock::new("items", "What the elements of an array are").keys(&[
    required("type", Filled, "The type of each element", "Type is required"),
    optional("description", Text, "What an element means"),
    optional("enum", List(&Any), "The only values allowed"),
    MINIMUM,
    MAXIMUM,
    MIN_LENGTH,
    MAX_LENGTH,
    PATTERN,
    optional("format", Text, "A named format of text"),
    optional("items", Block(&ITEMS), "What the elements of each element are"),
]);

static RESPONSE: KeyBlock = KeyBlock::new("response", "What an operation returns").keys(&[
    optional("type", Filled, "A type's name"),
    optional("description", Text, "What it is, in words"),
    optional(
        "content_type",
        Filled,
        "The media type, when it is not JSON; text/event-stream is a stream of events",
    ),
    optional("schema", SCHEMA, "A JSON Schema of the answer"),
    optional(
        "kind",
        OneOf(&["object", "enum", "union", "scalar"]),
        "What the type is made of, when it is not declared",
    ),
]);

static DANGER: KeyBlock = KeyBlock::new("danger", "The harm an operation can do").keys(&[
    required("level", OneOf(DangerLevel::NAMES), "The level", "Danger level is required"),
    optional("reasons", WORDS, "Why, for the person who confirms"),
    optional("reason", Filled, "Why, for the person who confirms"),
    optional("confirmation_message", Filled, "What to ask, with {param} slots"),
    optional("requires_confirmation", Flag, "A person confirms every call"),
    optional(
        "cooldown_seconds",
        Whole(0, 600),
        "Least time between a token and the call that brings it back",
    ),
    optional("requires_reauth", Flag, "Only an operator, who signs in for it, can confirm it"),
    optional("audit_context", WORDS, "Parameters whose values are kept in the audit"),
    optional("hook_blockable", Flag, "Hooks may stop it; none of this server's does, whatever it says"),
]);

static EXAMPLE: KeyBlock = KeyBlock::new("example", "A request that works").keys(&[
    optional("description", Text, "What it shows"),
    optional("params", Map(&Any), "The parameters of the request"),
    optional("request", Map(&Any), "The whole request: operation and params"),
]);

/// A declared type.
pub(super) static TYPE: KeyBlock = KeyBlock::new("type", "A type that operations return").keys(&[
    required(
        "kind",
        OneOf(&["enum", "object", "union", "scalar"]),
        "What it is made of",
        "Type kind is required",
    ),
    optional("description", Text, "What it is, in words"),
    optional("values", List(&Filled), "enum: the words"),
    optional("fields", Map(&Block(&FIELD)), "object: the fields"),
    optional("members", WORDS, "union: the names of the types"),
    optional("presets", Map(&List(&PATH)), "Named choices of fields"),
    optional("fetch", Block(&relationships::FETCH), "How one is read"),
]);

static FIELD: KeyBlock = KeyBlock::new("field", "A field of an object type").keys(&[
    required("type", Filled, "One of the six types, T[], A | B or a declared type", "Type is required"),
    optional("required", Flag, "It is always there"),
    optional("description", Text, "What it means"),
    optional("enum", List(&Any), "The only values"),
    MINIMUM,
    MAXIMUM,
    MIN_LENGTH,
    MAX_LENGTH,
    PATTERN,
    optional("format", Text, "A named format of text"),
    optional("items", Block(&ITEMS), "What the elements of an array are"),
    optional("type_name", Filled, "The declared type that it is, or that its elements are"),
    optional("default", Any, "The value when it is not set"),
]);
