//! Every key of an adapter file, as one table: the loader checks files against it and the JSON Schema is made from it.
//!
//! What is not in the table is an error in a file. Keys marked `later` are read and checked, but not applied.

mod body;
mod calls;
mod later;
mod operation;
mod relationships;
mod response;

pub(super) use operation::PARAM_CONSTRAINTS;

use aqueduct_documents::DocumentNode;
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};

const WORDS: ValueForm = ValueForm::List(&ValueForm::Filled);
const ENV_NAME: ValueForm = ValueForm::Like("^[A-Za-z_][A-Za-z0-9_]*$");
/// Names with dots between them; a bracket or a `$` in front is the habit of another language.
pub(super) const PATH_PATTERN: &str = r"^([^.\[\]$]|[^.\[\]]{2,})(\.[^.\[\]]+)*$";
const PATH: ValueForm = ValueForm::Like(PATH_PATTERN);
/// A JSON Schema.
const SCHEMA: ValueForm = ValueForm::Either(&[ValueForm::Map(&ValueForm::Any), ValueForm::Flag]);
const SEMVER: &str = concat!(
    r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)",
    r"(-(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?",
    r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$",
);
const LEVELS: &[&str] = &["safe", "reversible", "destructive", "dangerous", "forbidden"];
/// Every trust level.
pub const TRUST_LEVELS: &[&str] = &[
    "untested",
    "generated",
    "community",
    "validated",
    "verified",
    "community_reviewed",
    "certified",
    "official",
    "untrusted",
    "low",
    "medium",
    "high",
];
/// Every way in which calls may overlap.
pub const CONCURRENCY: &[&str] = &["fully-concurrent", "read-concurrent", "resource-locked", "serialized"];

/// The whole front matter.
pub(super) static ADAPTER: KeyBlock = KeyBlock {
    name: "adapter",
    about: "The front matter of an adapter file",
    keys: &[
        KeySpec::required(
            "name",
            ValueForm::Like("^[a-z][a-z0-9-]*[a-z0-9]$"),
            "The adapter's name, the file's name without -adapter.md",
            "Adapter name is required",
        ),
        KeySpec::required(
            "type",
            ValueForm::OneOf(&["adapter"]),
            "Always adapter",
            "Adapter type is required",
        ),
        KeySpec::required(
            "version",
            ValueForm::Like(SEMVER),
            "The adapter's version, SemVer, in quotes",
            "Adapter version is required",
        ),
        KeySpec::required(
            "description",
            ValueForm::Filled,
            "What the API is, in 10 to 200 characters",
            "Adapter description is required",
        ),
        KeySpec::required(
            "target",
            ValueForm::Block(&TARGET),
            "The API that is called",
            "Target is required",
        ),
        KeySpec::required(
            "operations",
            ValueForm::Block(&operation::LISTS),
            "The operations, by category",
            "Operations are required",
        ),
        KeySpec::optional("auth", ValueForm::Block(&AUTH), "How calls authenticate; absent is none"),
        KeySpec::optional("trust", ValueForm::Block(&TRUST), "How far the adapter is trusted"),
        KeySpec::optional("author", ValueForm::Text, "Who wrote the adapter"),
        KeySpec::optional("created", ValueForm::Text, "When it was written, ISO 8601"),
        KeySpec::optional("modified", ValueForm::Text, "When it was last changed, ISO 8601"),
        KeySpec::optional("tags", WORDS, "Words under which the API is looked for"),
        KeySpec::optional("triggers", WORDS, "Words in a request that call for this API"),
        KeySpec::optional("when_to_use", ValueForm::Text, "When to use the API, in words"),
        KeySpec::optional(
            "shared_parameters",
            ValueForm::Map(&ValueForm::Either(&[
                ValueForm::Block(&operation::PARAM),
                ValueForm::List(&ValueForm::Block(&operation::PARAM)),
            ])),
            "Parameters that operations refer to with $ref: '#/shared_parameters/KEY'",
        ),
        KeySpec::optional(
            "schemas",
            ValueForm::Map(&SCHEMA),
            "JSON Schemas that others refer to with $ref: '#/schemas/NAME'",
        ),
        KeySpec::optional(
            "types",
            ValueForm::Map(&ValueForm::Block(&operation::TYPE)),
            "Types that operations return",
        ),
        KeySpec::optional("concurrency", ValueForm::OneOf(CONCURRENCY), "Which calls may overlap"),
        KeySpec::optional(
            "compat",
            ValueForm::Block(&COMPAT),
            "Departures from the protocol for older clients",
        ),
        KeySpec::optional(
            "relationships",
            ValueForm::List(&ValueForm::Block(&relationships::RELATIONSHIP)),
            "Links between types",
        ),
        KeySpec::optional(
            "max_relationship_depth",
            ValueForm::Whole(1, 10),
            "How far links are followed; 5 if absent",
        ),
        KeySpec::optional("cache", ValueForm::Block(&calls::CACHE), "Keeping answers for a while"),
        KeySpec::optional(
            "error_mapping",
            ValueForm::Map(&ValueForm::Block(&calls::ERROR)),
            "Codes for HTTP statuses",
        ),
        KeySpec::later("rate_limits", ValueForm::Block(&later::RATE_LIMITS), "Limits and quotas of the API"),
        KeySpec::later(
            "danger_patterns",
            ValueForm::Block(&later::DANGER_PATTERNS),
            "More names that mean danger",
        ),
        KeySpec::later("safety", ValueForm::Map(&ValueForm::Any), "Limits for autonomous agents"),
        KeySpec::later("error_codes", ValueForm::Map(&ValueForm::Any), "Error codes of the adapter's own"),
    ],
};

static TARGET: KeyBlock = KeyBlock {
    name: "target",
    about: "The API that is called",
    keys: &[
        KeySpec::required_when(
            "base_url",
            ValueForm::Like("^https?://"),
            "Where the API is: paths are appended to it. For an MCP server, its endpoint",
            |target| !is_text(target, "transport", "stdio"),
            "Base URL is required",
        ),
        KeySpec::required(
            "transport",
            ValueForm::Plugin(&["http", "stdio"]),
            "How it is reached: http, or stdio for an MCP server that is started here",
            "Transport is required",
        ),
        KeySpec::required(
            "protocol",
            ValueForm::Plugin(&["rest", "mcp"]),
            "What it speaks: rest or mcp",
            "Protocol is required",
        ),
        KeySpec::required_when(
            "serialization",
            ValueForm::Plugin(&["json", "form"]),
            "How bodies are written: json or form",
            |target| !is_text(target, "protocol", "mcp"),
            "Serialization is required",
        ),
        KeySpec::optional("headers", ValueForm::Map(&ValueForm::Text), "Constant headers; never credentials"),
        KeySpec::optional(
            "timeout_ms",
            ValueForm::Whole(1, 600_000),
            "Longest wait for one attempt, 30000 if absent",
        ),
        KeySpec::optional(
            "retries",
            ValueForm::Whole(0, 5),
            "Attempts after the first where it is safe, 2 if absent",
        ),
        KeySpec::required_when(
            "command",
            ValueForm::Filled,
            "stdio: the program that is started",
            |target| is_text(target, "transport", "stdio") && is_text(target, "protocol", "mcp"),
            "The command of a stdio server is required",
        ),
        KeySpec::optional("args", ValueForm::List(&ValueForm::Text), "stdio: its arguments"),
        KeySpec::optional(
            "env",
            ValueForm::Map(&ValueForm::Text),
            "stdio: its environment, secrets by ${VAR}",
        ),
        KeySpec::optional("cwd", ValueForm::Filled, "stdio: the folder in which it starts"),
    ],
};

fn is_text(block: &DocumentNode, key: &str, text: &str) -> bool {
    block.get(key).and_then(DocumentNode::text) == Some(text)
}

/// How calls authenticate.
pub static AUTH: KeyBlock = KeyBlock {
    name: "auth",
    about: "How calls authenticate, by names of environment variables",
    keys: &[
        KeySpec::required_when(
            "type",
            ValueForm::Plugin(&["none", "bearer", "api_key", "basic", "oauth2"]),
            "The kind of authentication",
            |auth| auth.get("any_of").is_none() && auth.get("all").is_none(),
            "Authentication type is required",
        ),
        KeySpec::optional("token_env", ENV_NAME, "bearer: the variable that holds the token"),
        KeySpec::optional("prefix", ValueForm::Text, "bearer: text before the token, 'Bearer ' if absent"),
        KeySpec::optional("key_env", ENV_NAME, "api_key: the variable that holds the key"),
        KeySpec::optional("header_name", ValueForm::Filled, "api_key: the header that carries it"),
        KeySpec::optional("header", ValueForm::Filled, "Another name of header_name"),
        KeySpec::optional("query_name", ValueForm::Filled, "api_key: the query parameter that carries it"),
        KeySpec::optional("cookie_name", ValueForm::Filled, "api_key: the cookie that carries it"),
        KeySpec::optional("username_env", ENV_NAME, "basic: the variable that holds the user name"),
        KeySpec::optional("password_env", ENV_NAME, "basic: the variable that holds the password"),
        KeySpec::optional("token_url", ValueForm::Like("^https?://"), "oauth2: where tokens are issued"),
        KeySpec::optional("client_id_env", ENV_NAME, "oauth2: the variable that holds the client id"),
        KeySpec::optional("client_secret_env", ENV_NAME, "oauth2: the variable that holds the client secret"),
        KeySpec::optional("refresh_token_env", ENV_NAME, "oauth2: the variable that holds a refresh token"),
        KeySpec::optional("scopes", WORDS, "oauth2: what is asked for"),
        KeySpec::optional(
            "any_of",
            ValueForm::List(&ValueForm::Block(&AUTH)),
            "Instead of a type: ways of which the first is taken whose variables are all set",
        ),
        KeySpec::optional(
            "all",
            ValueForm::List(&ValueForm::Block(&AUTH)),
            "Instead of a type: ways that go together",
        ),
    ],
};

static TRUST: KeyBlock = KeyBlock {
    name: "trust",
    about: "How far the adapter is trusted: its author's claim",
    keys: &[
        KeySpec::required("level", ValueForm::OneOf(TRUST_LEVELS), "The level", "Trust level is required"),
        KeySpec::later("verified_by", ValueForm::Text, "Who verified it"),
        KeySpec::later("verified_at", ValueForm::Text, "When, ISO 8601"),
        KeySpec::later("verification_date", ValueForm::Text, "When, a date"),
        KeySpec::later("generated_at", ValueForm::Text, "When it was generated, ISO 8601"),
        KeySpec::later("generated_by", ValueForm::Text, "What generated it"),
        KeySpec::later("validated_at", ValueForm::Text, "When it was validated, ISO 8601"),
        KeySpec::later("validated_by", ValueForm::Text, "What validated it"),
        KeySpec::later("validation_report", ValueForm::Map(&ValueForm::Any), "What the validation found"),
        KeySpec::later("promoted_from", ValueForm::Text, "The level before"),
        KeySpec::later(
            "promotion_history",
            ValueForm::List(&ValueForm::Map(&ValueForm::Any)),
            "Every change of the level",
        ),
        KeySpec::later("certification", ValueForm::Map(&ValueForm::Any), "Who certified it"),
        KeySpec::later(
            "operation_overrides",
            ValueForm::Map(&ValueForm::Block(&later::TRUST_OVERRIDE)),
            "Levels of single operations",
        ),
        KeySpec::later("delegated_from", ValueForm::Map(&ValueForm::Any), "Who vouches for it"),
        KeySpec::later("composite", ValueForm::Flag, "It stands for several APIs"),
        KeySpec::later(
            "components",
            ValueForm::List(&ValueForm::Map(&ValueForm::Any)),
            "The APIs it stands for",
        ),
        KeySpec::later("effective_level", ValueForm::Text, "The lowest level of these"),
    ],
};

static COMPAT: KeyBlock = KeyBlock {
    name: "compat",
    about: "Departures from the protocol for older clients",
    keys: &[
        KeySpec::optional(
            "flat_update",
            ValueForm::Flag,
            "UPDATE fields sit beside the identifiers, not in input",
        ),
        KeySpec::optional(
            "camel_case",
            ValueForm::Flag,
            "camelCase spellings of parameters are accepted; true if absent",
        ),
    ],
};

#[cfg(test)]
mod tests;
