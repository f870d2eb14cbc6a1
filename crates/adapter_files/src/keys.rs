//! Every key of an adapter file, as one table: the loader checks files against it and the JSON Schema is made from it.
//!
//! What is not in the table is an error in a file. Keys marked `not_applied` are read and checked, but not applied.

mod body;
mod calls;
mod lifecycle;
mod operation;
mod rate_limits;
mod relationships;
mod response;
mod trust;

pub(super) use operation::PARAM_CONSTRAINTS;
pub use rate_limits::RATE_LIMITS;

use aqueduct_documents::DocumentNode;
use aqueduct_documents::keys::ValueForm::{
    Any, Block, Either, Filled, Flag, Like, List, Map, OneOf, Plugin, Text, Whole,
};
use aqueduct_documents::keys::{KeyBlock, ValueForm, not_applied, optional, required, required_when};
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_source_kind::autonomy::SAFETY;

const WORDS: ValueForm = List(&Filled);
const ENV_NAME: ValueForm = Like("^[A-Za-z_][A-Za-z0-9_]*$");
/// Names with dots between them; a bracket or a `$` in front is the habit of another language.
pub(super) const PATH_PATTERN: &str = r"^([^.\[\]$]|[^.\[\]]{2,})(\.[^.\[\]]+)*$";
const PATH: ValueForm = Like(PATH_PATTERN);
/// A JSON Schema.
const SCHEMA: ValueForm = Either(&[Map(&Any), Flag]);
const SEMVER: &str = concat!(
    r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)",
    r"(-(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?",
    r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$",
);
/// The whole front matter.
pub(super) static ADAPTER: KeyBlock =
    KeyBlock::new("adapter", "The front matter of an adapter file").keys(&[
        required(
            "name",
            Like("^[a-z][a-z0-9-]*[a-z0-9]$"),
            "The adapter's name, the file's name without -adapter.md",
            "Adapter name is required",
        ),
        required("type", OneOf(&["adapter"]), "Always adapter", "Adapter type is required"),
        required(
            "version",
            Like(SEMVER),
            "The adapter's version, SemVer, in quotes",
            "Adapter version is required",
        ),
        required(
            "description",
            Filled,
            "What the API is, in 10 to 200 characters",
            "Adapter description is required",
        ),
        required("target", Block(&TARGET), "The API that is called", "Target is required"),
        required(
            "operations",
            Block(&operation::LISTS),
            "The operations, by category",
            "Operations are required",
        ),
        optional("auth", Block(&AUTH), "How calls authenticate; absent is none"),
        optional("trust", Block(&trust::TRUST), "How far the adapter is trusted"),
        optional("author", Text, "Who wrote the adapter"),
        optional("created", Text, "When it was written, ISO 8601"),
        optional("modified", Text, "When it was last changed, ISO 8601"),
        optional("tags", WORDS, "Words under which the API is looked for"),
        optional("triggers", WORDS, "Words in a request that call for this API"),
        optional("when_to_use", Text, "When to use the API, in words"),
        optional(
            "shared_parameters",
            Map(&Either(&[Block(&operation::PARAM), List(&Block(&operation::PARAM))])),
            "Parameters that operations refer to with $ref: '#/shared_parameters/KEY'",
        ),
        optional("schemas", Map(&SCHEMA), "JSON Schemas that others refer to with $ref: '#/schemas/NAME'"),
        optional("types", Map(&Block(&operation::TYPE)), "Types that operations return"),
        optional("concurrency", OneOf(Concurrency::NAMES), "Which calls may overlap"),
        optional("compat", Block(&COMPAT), "Departures from the protocol for older clients"),
        optional("relationships", List(&Block(&relationships::RELATIONSHIP)), "Links between types"),
        optional("max_relationship_depth", Whole(1, 10), "How far links are followed; 5 if absent"),
        optional("cache", Block(&calls::CACHE), "Keeping answers for a while"),
        optional("error_mapping", Map(&Block(&calls::ERROR)), "Codes for HTTP statuses"),
        optional("rate_limits", Block(&RATE_LIMITS), "Limits and quotas of the API"),
        optional("danger_patterns", Block(&trust::DANGER_PATTERNS), "More names that mean danger"),
        optional("safety", Block(&SAFETY), "Limits for agents that work on their own"),
        not_applied("error_codes", Map(&Any), "Error codes of the adapter's own"),
    ]);

static TARGET: KeyBlock = KeyBlock::new("target", "The API that is called").keys(&[
    required_when(
        "base_url",
        Like("^https?://"),
        "Where the API is: paths are appended to it. For an MCP server, its endpoint",
        |target| !is_text(target, "transport", "stdio"),
        "Base URL is required",
    ),
    required(
        "transport",
        Plugin(&["http", "stdio"]),
        "How it is reached: http, or stdio for an MCP server that is started here",
        "Transport is required",
    ),
    required("protocol", Plugin(&["rest", "mcp"]), "What it speaks: rest or mcp", "Protocol is required"),
    required_when(
        "serialization",
        Plugin(&["json", "form"]),
        "How bodies are written: json or form",
        |target| !is_text(target, "protocol", "mcp"),
        "Serialization is required",
    ),
    optional("headers", Map(&Text), "Constant headers; never credentials"),
    optional("timeout_ms", Whole(1, 600_000), "Longest wait for one attempt, 30000 if absent"),
    optional("retries", Whole(0, 5), "Attempts after the first where it is safe, 2 if absent"),
    required_when(
        "command",
        Filled,
        "stdio: the program that is started",
        |target| is_text(target, "transport", "stdio") && is_text(target, "protocol", "mcp"),
        "The command of a stdio server is required",
    ),
    optional("args", List(&Text), "stdio: its arguments"),
    optional("env", Map(&Text), "stdio: its environment, secrets by ${VAR}"),
    optional("cwd", Filled, "stdio: the folder in which it starts"),
]);

fn is_text(block: &DocumentNode, key: &str, text: &str) -> bool {
    block.get(key).and_then(DocumentNode::text) == Some(text)
}

/// How calls authenticate.
pub static AUTH: KeyBlock =
    KeyBlock::new("auth", "How calls authenticate, by names of environment variables").keys(&[
        required_when(
            "type",
            Plugin(&["none", "bearer", "api_key", "basic", "oauth2"]),
            "The kind of authentication",
            |auth| auth.get("any_of").is_none() && auth.get("all").is_none(),
            "Authentication type is required",
        ),
        optional("token_env", ENV_NAME, "bearer: the variable that holds the token"),
        optional("prefix", Text, "bearer: text before the token, 'Bearer ' if absent"),
        optional("key_env", ENV_NAME, "api_key: the variable that holds the key"),
        optional("header_name", Filled, "api_key: the header that carries it"),
        optional("header", Filled, "Another name of header_name"),
        optional("query_name", Filled, "api_key: the query parameter that carries it"),
        optional("cookie_name", Filled, "api_key: the cookie that carries it"),
        optional("username_env", ENV_NAME, "basic: the variable that holds the user name"),
        optional("password_env", ENV_NAME, "basic: the variable that holds the password"),
        optional("token_url", Like("^https?://"), "oauth2: where tokens are issued"),
        optional("client_id_env", ENV_NAME, "oauth2: the variable that holds the client id"),
        optional("client_secret_env", ENV_NAME, "oauth2: the variable that holds the client secret"),
        optional("refresh_token_env", ENV_NAME, "oauth2: the variable that holds a refresh token"),
        optional("scopes", WORDS, "oauth2: what is asked for"),
        optional(
            "any_of",
            List(&Block(&AUTH)),
            "Instead of a type: ways of which the first is taken whose variables are all set",
        ),
        optional("all", List(&Block(&AUTH)), "Instead of a type: ways that go together"),
    ]);

static COMPAT: KeyBlock = KeyBlock::new("compat", "Departures from the protocol for older clients").keys(&[
    optional("flat_update", Flag, "UPDATE fields sit beside the identifiers, not in input"),
    optional("camel_case", Flag, "camelCase spellings of parameters are accepted; true if absent"),
]);
