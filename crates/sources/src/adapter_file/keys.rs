//! Every key of an adapter file, as one table: the loader checks files against it and the JSON Schema is made from it.
//!
//! What is not in the table is an error in a file. Keys marked `later` are read and checked, but not applied.

mod answers;
mod body;
mod calls;
mod later;
mod operation;
mod relationships;

pub(super) use operation::PARAM_CONSTRAINTS;

use crate::document::Node;
use crate::document::keys::{Block, Form, Key};

const WORDS: Form = Form::List(&Form::Filled);
const ENV_NAME: Form = Form::Like("^[A-Za-z_][A-Za-z0-9_]*$");
/// Names with dots between them; a bracket or a `$` in front is the habit of another language.
pub(super) const PATH_PATTERN: &str = r"^([^.\[\]$]|[^.\[\]]{2,})(\.[^.\[\]]+)*$";
const PATH: Form = Form::Like(PATH_PATTERN);
/// A JSON Schema.
const SCHEMA: Form = Form::Either(&[Form::Map(&Form::Any), Form::Flag]);
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
pub(super) static ADAPTER: Block = Block {
    name: "adapter",
    about: "The front matter of an adapter file",
    keys: &[
        Key::required(
            "name",
            Form::Like("^[a-z][a-z0-9-]*[a-z0-9]$"),
            "The adapter's name, the file's name without -adapter.md",
            "Adapter name is required",
        ),
        Key::required("type", Form::OneOf(&["adapter"]), "Always adapter", "Adapter type is required"),
        Key::required(
            "version",
            Form::Like(SEMVER),
            "The adapter's version, SemVer, in quotes",
            "Adapter version is required",
        ),
        Key::required(
            "description",
            Form::Filled,
            "What the API is, in 10 to 200 characters",
            "Adapter description is required",
        ),
        Key::required("target", Form::Block(&TARGET), "The API that is called", "Target is required"),
        Key::required(
            "operations",
            Form::Block(&operation::LISTS),
            "The operations, by category",
            "Operations are required",
        ),
        Key::optional("auth", Form::Block(&AUTH), "How calls authenticate; absent is none"),
        Key::optional("trust", Form::Block(&TRUST), "How far the adapter is trusted"),
        Key::optional("author", Form::Text, "Who wrote the adapter"),
        Key::optional("created", Form::Text, "When it was written, ISO 8601"),
        Key::optional("modified", Form::Text, "When it was last changed, ISO 8601"),
        Key::optional("tags", WORDS, "Words under which the API is looked for"),
        Key::optional("triggers", WORDS, "Words in a request that call for this API"),
        Key::optional("when_to_use", Form::Text, "When to use the API, in words"),
        Key::optional(
            "shared_parameters",
            Form::Map(&Form::Either(&[
                Form::Block(&operation::PARAM),
                Form::List(&Form::Block(&operation::PARAM)),
            ])),
            "Parameters that operations refer to with $ref: '#/shared_parameters/KEY'",
        ),
        Key::optional(
            "schemas",
            Form::Map(&SCHEMA),
            "JSON Schemas that others refer to with $ref: '#/schemas/NAME'",
        ),
        Key::optional("types", Form::Map(&Form::Block(&operation::TYPE)), "Types that operations return"),
        Key::optional("concurrency", Form::OneOf(CONCURRENCY), "Which calls may overlap"),
        Key::optional("compat", Form::Block(&COMPAT), "Departures from the protocol for older clients"),
        Key::optional(
            "relationships",
            Form::List(&Form::Block(&relationships::RELATIONSHIP)),
            "Links between types",
        ),
        Key::optional(
            "max_relationship_depth",
            Form::Whole(1, 10),
            "How far links are followed; 5 if absent",
        ),
        Key::optional("cache", Form::Block(&calls::CACHE), "Keeping answers for a while"),
        Key::optional("error_mapping", Form::Map(&Form::Block(&calls::ERROR)), "Codes for HTTP statuses"),
        Key::later("rate_limits", Form::Block(&later::RATE_LIMITS), "Limits and quotas of the API"),
        Key::later("danger_patterns", Form::Block(&later::DANGER_PATTERNS), "More names that mean danger"),
        Key::later("safety", Form::Map(&Form::Any), "Limits for autonomous agents"),
        Key::later("error_codes", Form::Map(&Form::Any), "Error codes of the adapter's own"),
    ],
};

static TARGET: Block = Block {
    name: "target",
    about: "The API that is called",
    keys: &[
        Key::required_when(
            "base_url",
            Form::Like("^https?://"),
            "Where the API is: paths are appended to it. For an MCP server, its endpoint",
            |target| !is_text(target, "transport", "stdio"),
            "Base URL is required",
        ),
        Key::required(
            "transport",
            Form::Plugin(&["http", "stdio"]),
            "How it is reached: http, or stdio for an MCP server that is started here",
            "Transport is required",
        ),
        Key::required(
            "protocol",
            Form::Plugin(&["rest", "mcp"]),
            "What it speaks: rest or mcp",
            "Protocol is required",
        ),
        Key::required_when(
            "serialization",
            Form::Plugin(&["json", "form"]),
            "How bodies are written: json or form",
            |target| !is_text(target, "protocol", "mcp"),
            "Serialization is required",
        ),
        Key::optional("headers", Form::Map(&Form::Text), "Constant headers; never credentials"),
        Key::optional("timeout_ms", Form::Whole(1, 600_000), "Longest wait for one attempt, 30000 if absent"),
        Key::optional("retries", Form::Whole(0, 5), "Attempts after the first where it is safe, 2 if absent"),
        Key::required_when(
            "command",
            Form::Filled,
            "stdio: the program that is started",
            |target| is_text(target, "transport", "stdio") && is_text(target, "protocol", "mcp"),
            "The command of a stdio server is required",
        ),
        Key::optional("args", Form::List(&Form::Text), "stdio: its arguments"),
        Key::optional("env", Form::Map(&Form::Text), "stdio: its environment, secrets by ${VAR}"),
        Key::optional("cwd", Form::Filled, "stdio: the folder in which it starts"),
    ],
};

fn is_text(block: &Node, key: &str, text: &str) -> bool {
    block.get(key).and_then(Node::text) == Some(text)
}

/// How calls authenticate.
pub static AUTH: Block = Block {
    name: "auth",
    about: "How calls authenticate, by names of environment variables",
    keys: &[
        Key::required_when(
            "type",
            Form::Plugin(&["none", "bearer", "api_key", "basic", "oauth2"]),
            "The kind of authentication",
            |auth| auth.get("any_of").is_none() && auth.get("all").is_none(),
            "Authentication type is required",
        ),
        Key::optional("token_env", ENV_NAME, "bearer: the variable that holds the token"),
        Key::optional("prefix", Form::Text, "bearer: text before the token, 'Bearer ' if absent"),
        Key::optional("key_env", ENV_NAME, "api_key: the variable that holds the key"),
        Key::optional("header_name", Form::Filled, "api_key: the header that carries it"),
        Key::optional("header", Form::Filled, "Another name of header_name"),
        Key::optional("query_name", Form::Filled, "api_key: the query parameter that carries it"),
        Key::optional("cookie_name", Form::Filled, "api_key: the cookie that carries it"),
        Key::optional("username_env", ENV_NAME, "basic: the variable that holds the user name"),
        Key::optional("password_env", ENV_NAME, "basic: the variable that holds the password"),
        Key::optional("token_url", Form::Like("^https?://"), "oauth2: where tokens are issued"),
        Key::optional("client_id_env", ENV_NAME, "oauth2: the variable that holds the client id"),
        Key::optional("client_secret_env", ENV_NAME, "oauth2: the variable that holds the client secret"),
        Key::optional("refresh_token_env", ENV_NAME, "oauth2: the variable that holds a refresh token"),
        Key::optional("scopes", WORDS, "oauth2: what is asked for"),
        Key::optional(
            "any_of",
            Form::List(&Form::Block(&AUTH)),
            "Instead of a type: ways of which the first is taken whose variables are all set",
        ),
        Key::optional("all", Form::List(&Form::Block(&AUTH)), "Instead of a type: ways that go together"),
    ],
};

static TRUST: Block = Block {
    name: "trust",
    about: "How far the adapter is trusted: its author's claim",
    keys: &[
        Key::required("level", Form::OneOf(TRUST_LEVELS), "The level", "Trust level is required"),
        Key::later("verified_by", Form::Text, "Who verified it"),
        Key::later("verified_at", Form::Text, "When, ISO 8601"),
        Key::later("verification_date", Form::Text, "When, a date"),
        Key::later("generated_at", Form::Text, "When it was generated, ISO 8601"),
        Key::later("generated_by", Form::Text, "What generated it"),
        Key::later("validated_at", Form::Text, "When it was validated, ISO 8601"),
        Key::later("validated_by", Form::Text, "What validated it"),
        Key::later("validation_report", Form::Map(&Form::Any), "What the validation found"),
        Key::later("promoted_from", Form::Text, "The level before"),
        Key::later("promotion_history", Form::List(&Form::Map(&Form::Any)), "Every change of the level"),
        Key::later("certification", Form::Map(&Form::Any), "Who certified it"),
        Key::later(
            "operation_overrides",
            Form::Map(&Form::Block(&later::TRUST_OVERRIDE)),
            "Levels of single operations",
        ),
        Key::later("delegated_from", Form::Map(&Form::Any), "Who vouches for it"),
        Key::later("composite", Form::Flag, "It stands for several APIs"),
        Key::later("components", Form::List(&Form::Map(&Form::Any)), "The APIs it stands for"),
        Key::later("effective_level", Form::Text, "The lowest level of these"),
    ],
};

static COMPAT: Block = Block {
    name: "compat",
    about: "Departures from the protocol for older clients",
    keys: &[
        Key::optional("flat_update", Form::Flag, "UPDATE fields sit beside the identifiers, not in input"),
        Key::optional(
            "camel_case",
            Form::Flag,
            "camelCase spellings of parameters are accepted; true if absent",
        ),
    ],
};

#[cfg(test)]
mod tests {
    use super::{CONCURRENCY, LEVELS, TRUST_LEVELS};
    use aqueduct_operations::concurrency::Concurrency;
    use aqueduct_operations::danger::DangerLevel;
    use aqueduct_operations::trust::TrustLevel;

    #[test]
    fn words_are_those_of_the_vocabulary() {
        assert_eq!(LEVELS, DangerLevel::ALL.map(DangerLevel::name));
        assert_eq!(TRUST_LEVELS, TrustLevel::names().collect::<Vec<_>>());
        assert_eq!(CONCURRENCY, Concurrency::ALL.map(Concurrency::name));
    }
}
