//! `aqueduct.toml` as it is on disk: every key, with the form of its value.
//!
//! One table, which `file` holds a tree against. What values mean is for the readers of the blocks to judge.
//!
//! A table and nothing else: `check` holds a file against it, and names the nearest key where one is unknown.

use aqueduct_adapter_files::{AUTH, CONCURRENCY, TRUST_LEVELS};
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};
use aqueduct_operations::target::DotSegments;
use aqueduct_sources::overrides::{OVERRIDE, VALIDATIONS};

const LIMITS: KeyBlock = KeyBlock {
    name: "limits",
    about: "Payload limits",
    keys: &[
        KeySpec::optional("max_request_size", ValueForm::Whole(65_536, 10_485_760), "Bytes of a request"),
        KeySpec::optional(
            "max_response_size",
            ValueForm::Whole(1_048_576, 104_857_600),
            "Bytes of an answer",
        ),
        KeySpec::optional("max_string_length", ValueForm::Whole(65_536, 10_485_760), "Bytes of one string"),
        KeySpec::optional("max_array_elements", ValueForm::Whole(100, 100_000), "Elements of one array"),
        KeySpec::optional("max_nesting_depth", ValueForm::Whole(8, 64), "Nested objects and arrays"),
        KeySpec::optional(
            "max_response_tokens",
            ValueForm::Whole(500, 1_000_000),
            "Estimated tokens of an answer",
        ),
        KeySpec::optional("max_batch_items", ValueForm::Whole(1, 1_000), "Operations of a batch"),
        KeySpec::optional(
            "max_gathered_items",
            ValueForm::Whole(100, 100_000),
            "Items that one call looks through",
        ),
        KeySpec::optional("slow_call_ms", ValueForm::Whole(1, 600_000), "When a call is said to be slow"),
        KeySpec::optional(
            "max_work_steps",
            ValueForm::Whole(1_000_000, 10_000_000_000),
            "Steps of work of one call",
        ),
    ],
};

const CACHE: KeyBlock = KeyBlock {
    name: "cache",
    about: "Keeping answers for a while",
    keys: &[
        KeySpec::optional("enabled", ValueForm::Flag, "Answers are kept; true if absent"),
        KeySpec::optional(
            "ttl_seconds",
            ValueForm::Whole(0, i64::MAX),
            "How long, where the headers say nothing",
        ),
    ],
};

const MCP: KeyBlock = KeyBlock {
    name: "mcp",
    about: "Other MCP servers",
    keys: &[KeySpec::optional(
        "quarantine",
        ValueForm::Flag,
        "A tool that has changed is withheld until it is approved",
    )],
};

static SOURCE: KeyBlock = KeyBlock {
    name: "source",
    about: "One source",
    keys: &[
        KeySpec::optional("from", ValueForm::Filled, "The adapter file"),
        KeySpec::optional("base_url", ValueForm::Filled, "Where the API is"),
        KeySpec::optional("trust", ValueForm::OneOf(TRUST_LEVELS), "The trust level"),
        KeySpec::optional("concurrency", ValueForm::OneOf(CONCURRENCY), "Which calls may overlap"),
        KeySpec::optional("auth", ValueForm::Block(&AUTH), "How calls authenticate"),
        KeySpec::optional("headers", ValueForm::Map(&ValueForm::Text), "Constant headers; never credentials"),
        KeySpec::optional(
            "cache",
            ValueForm::Either(&[ValueForm::Flag, ValueForm::Block(&CACHE)]),
            "Whether answers are kept",
        ),
        KeySpec::optional(
            "credential_origins",
            ValueForm::List(&ValueForm::Filled),
            "Other origins that 'auth' and 'headers' may go to",
        ),
        KeySpec::optional(
            "allow_refs",
            ValueForm::List(&ValueForm::Filled),
            "Other documents that this one may refer to",
        ),
        KeySpec::optional(
            "fit_answers",
            ValueForm::Flag,
            "Leaves out what answers have beyond what is declared; false if absent",
        ),
        KeySpec::optional(
            "merge",
            ValueForm::Flag,
            "An update by PUT is merged into what is stored, or never is",
        ),
        KeySpec::optional(
            "validate",
            ValueForm::OneOf(VALIDATIONS),
            "What happens to requests that are declared otherwise",
        ),
        KeySpec::optional(
            "dot_segments",
            ValueForm::OneOf(DotSegments::NAMES),
            "What becomes of values in a path that hold '..' or '.': encoded whole, or refused",
        ),
        KeySpec::optional(
            "operations",
            ValueForm::Map(&ValueForm::Block(&OVERRIDE)),
            "Corrections of single operations",
        ),
    ],
};

const FAMILY: KeyBlock = KeyBlock {
    name: "family",
    about: "One family of a profile",
    keys: &[
        KeySpec::optional("categories", ValueForm::List(&ValueForm::Filled), "The categories it holds"),
        KeySpec::optional(
            "operations",
            ValueForm::List(&ValueForm::Filled),
            "Operations it holds, '*' for any characters",
        ),
        KeySpec::optional("description", ValueForm::Filled, "What it is for, as its tool says it"),
    ],
};

const CONFIRMATION: KeyBlock = KeyBlock {
    name: "confirmation",
    about: "How dangerous calls are confirmed",
    keys: &[
        KeySpec::optional("mode", ValueForm::OneOf(&["client", "ask"]), "Who confirms"),
        KeySpec::optional("ttl_seconds", ValueForm::Whole(1, 900), "How long a token lives"),
        KeySpec::optional("clock_skew_seconds", ValueForm::Whole(0, 300), "Grace for clocks that disagree"),
        KeySpec::later("issue_per_minute", ValueForm::Whole(1, i64::MAX), "Tokens issued a minute"),
        KeySpec::later("failures_per_minute", ValueForm::Whole(1, i64::MAX), "Wrong tokens a minute"),
        KeySpec::optional(
            "batch",
            ValueForm::OneOf(&["halt", "skip"]),
            "What a batch does with a call to confirm",
        ),
        KeySpec::later("hook", ValueForm::Text, "A command to notify"),
    ],
};

const TOKEN: KeyBlock = KeyBlock {
    name: "token",
    about: "One client that may send requests",
    keys: &[
        KeySpec::required("name", ValueForm::Filled, "Who it is", "Each token has a name"),
        KeySpec::required(
            "sha256",
            ValueForm::Filled,
            "The SHA-256 of the token",
            "Each token has its SHA-256",
        ),
        KeySpec::optional(
            "scopes",
            ValueForm::List(&ValueForm::Filled),
            "What it may do where operations need scopes",
        ),
    ],
};

const HTTP: KeyBlock = KeyBlock {
    name: "http",
    about: "The HTTP listener",
    keys: &[
        KeySpec::optional("listen", ValueForm::Filled, "Where to listen, such as 127.0.0.1:7300"),
        KeySpec::optional(
            "allowed_hosts",
            ValueForm::List(&ValueForm::Filled),
            "Host names that requests may name",
        ),
        KeySpec::optional(
            "allowed_origins",
            ValueForm::List(&ValueForm::Filled),
            "Web pages that may send requests",
        ),
        KeySpec::optional("tokens", ValueForm::List(&ValueForm::Block(&TOKEN)), "Who may send requests"),
        KeySpec::optional("max_connections", ValueForm::Whole(1, 100_000), "Connections open together"),
        KeySpec::optional("max_sessions", ValueForm::Whole(1, 100_000), "Sessions open together"),
        KeySpec::optional(
            "max_buffered_bytes",
            ValueForm::Whole(1_048_576, 1_099_511_627_776),
            "Bytes of request bodies held together",
        ),
        KeySpec::optional(
            "requests_per_second",
            ValueForm::Whole(1, 1_000_000),
            "Requests a second of one client",
        ),
        KeySpec::optional(
            "request_timeout_seconds",
            ValueForm::Whole(1, 600),
            "Wait for a request's head or body",
        ),
        KeySpec::optional(
            "session_idle_seconds",
            ValueForm::Whole(1, 86_400),
            "Life of a session without requests",
        ),
    ],
};

/// The whole file.
pub static CONFIG: KeyBlock = KeyBlock {
    name: "configuration",
    about: "The configuration of a server",
    keys: &[
        KeySpec::optional("mode", ValueForm::OneOf(&["semantic", "single", "all", "crude"]), "Which tools"),
        KeySpec::optional("profile", ValueForm::Filled, "Which families"),
        KeySpec::optional("prefix", ValueForm::Text, "What tool names start with"),
        KeySpec::optional("register_empty_families", ValueForm::Flag, "Registers tools without operations"),
        KeySpec::optional("strict_mode", ValueForm::Flag, "Rejects unknown parameters"),
        KeySpec::optional("expose_operation_enum", ValueForm::Flag, "Lists operations in the tools' schemas"),
        KeySpec::optional("watch", ValueForm::Flag, "Loads adapter files again when they change"),
        KeySpec::optional("limits", ValueForm::Block(&LIMITS), "Payload limits"),
        KeySpec::optional("sources", ValueForm::Map(&ValueForm::Block(&SOURCE)), "The sources, by name"),
        KeySpec::optional("confirmation", ValueForm::Block(&CONFIRMATION), "Confirmations"),
        KeySpec::optional(
            "profiles",
            ValueForm::Map(&ValueForm::Map(&ValueForm::Block(&FAMILY))),
            "Profiles of one's own",
        ),
        KeySpec::optional("http", ValueForm::Block(&HTTP), "The HTTP listener"),
        KeySpec::optional("mcp", ValueForm::Block(&MCP), "Other MCP servers"),
        KeySpec::optional("policy", ValueForm::Any, "Rules of the operator"),
        KeySpec::optional("safety", ValueForm::Any, "The safety loop"),
        KeySpec::optional("operator", ValueForm::Any, "The operator's listener"),
    ],
};

/// Blocks that protect: a server that ignored them would do harm, so they are refused until they are applied.
pub const PROTECTIVE: [&str; 3] = ["policy", "safety", "operator"];
