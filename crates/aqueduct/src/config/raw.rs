//! `aqueduct.toml` as it is on disk: every key, with the form of its value.
//!
//! One table, which `file` holds a tree against. What values mean is for the readers of the blocks to judge.
//!
//! A table and nothing else: `check` holds a file against it, and names the nearest key where one is unknown.

use aqueduct_operations::target::DotSegments;
use aqueduct_sources::adapter_file::{AUTH, CONCURRENCY, TRUST_LEVELS};
use aqueduct_sources::document::keys::{Block, Form, Key};
use aqueduct_sources::overrides::{OVERRIDE, VALIDATIONS};

const LIMITS: Block = Block {
    name: "limits",
    about: "Payload limits",
    keys: &[
        Key::optional("max_request_size", Form::Whole(65_536, 10_485_760), "Bytes of a request"),
        Key::optional("max_response_size", Form::Whole(1_048_576, 104_857_600), "Bytes of an answer"),
        Key::optional("max_string_length", Form::Whole(65_536, 10_485_760), "Bytes of one string"),
        Key::optional("max_array_elements", Form::Whole(100, 100_000), "Elements of one array"),
        Key::optional("max_nesting_depth", Form::Whole(8, 64), "Nested objects and arrays"),
        Key::optional("max_response_tokens", Form::Whole(500, 1_000_000), "Estimated tokens of an answer"),
        Key::optional("max_batch_items", Form::Whole(1, 1_000), "Operations of a batch"),
        Key::optional("max_gathered_items", Form::Whole(100, 100_000), "Items that one call looks through"),
        Key::optional("slow_call_ms", Form::Whole(1, 600_000), "When a call is said to be slow"),
        Key::optional("max_work_steps", Form::Whole(1_000_000, 10_000_000_000), "Steps of work of one call"),
    ],
};

const CACHE: Block = Block {
    name: "cache",
    about: "Keeping answers for a while",
    keys: &[
        Key::optional("enabled", Form::Flag, "Answers are kept; true if absent"),
        Key::optional("ttl_seconds", Form::Whole(0, i64::MAX), "How long, where the headers say nothing"),
    ],
};

const MCP: Block = Block {
    name: "mcp",
    about: "Other MCP servers",
    keys: &[Key::optional(
        "quarantine",
        Form::Flag,
        "A tool that has changed is withheld until it is approved",
    )],
};

static SOURCE: Block = Block {
    name: "source",
    about: "One source",
    keys: &[
        Key::optional("from", Form::Filled, "The adapter file"),
        Key::optional("base_url", Form::Filled, "Where the API is"),
        Key::optional("trust", Form::OneOf(TRUST_LEVELS), "The trust level"),
        Key::optional("concurrency", Form::OneOf(CONCURRENCY), "Which calls may overlap"),
        Key::optional("auth", Form::Block(&AUTH), "How calls authenticate"),
        Key::optional("headers", Form::Map(&Form::Text), "Constant headers; never credentials"),
        Key::optional("cache", Form::Either(&[Form::Flag, Form::Block(&CACHE)]), "Whether answers are kept"),
        Key::optional(
            "credential_origins",
            Form::List(&Form::Filled),
            "Other origins that 'auth' and 'headers' may go to",
        ),
        Key::optional("allow_refs", Form::List(&Form::Filled), "Other documents that this one may refer to"),
        Key::optional(
            "fit_answers",
            Form::Flag,
            "Leaves out what answers have beyond what is declared; false if absent",
        ),
        Key::optional("merge", Form::Flag, "An update by PUT is merged into what is stored, or never is"),
        Key::optional(
            "validate",
            Form::OneOf(VALIDATIONS),
            "What happens to requests that are declared otherwise",
        ),
        Key::optional(
            "dot_segments",
            Form::OneOf(DotSegments::NAMES),
            "What becomes of values in a path that hold '..' or '.': encoded whole, or refused",
        ),
        Key::optional("operations", Form::Map(&Form::Block(&OVERRIDE)), "Corrections of single operations"),
    ],
};

const FAMILY: Block = Block {
    name: "family",
    about: "One family of a profile",
    keys: &[
        Key::optional("categories", Form::List(&Form::Filled), "The categories it holds"),
        Key::optional("operations", Form::List(&Form::Filled), "Operations it holds, '*' for any characters"),
        Key::optional("description", Form::Filled, "What it is for, as its tool says it"),
    ],
};

const CONFIRMATION: Block = Block {
    name: "confirmation",
    about: "How dangerous calls are confirmed",
    keys: &[
        Key::optional("mode", Form::OneOf(&["client", "ask"]), "Who confirms"),
        Key::optional("ttl_seconds", Form::Whole(1, 900), "How long a token lives"),
        Key::optional("clock_skew_seconds", Form::Whole(0, 300), "Grace for clocks that disagree"),
        Key::later("issue_per_minute", Form::Whole(1, i64::MAX), "Tokens issued a minute"),
        Key::later("failures_per_minute", Form::Whole(1, i64::MAX), "Wrong tokens a minute"),
        Key::optional("batch", Form::OneOf(&["halt", "skip"]), "What a batch does with a call to confirm"),
        Key::later("hook", Form::Text, "A command to notify"),
    ],
};

const TOKEN: Block = Block {
    name: "token",
    about: "One client that may send requests",
    keys: &[
        Key::required("name", Form::Filled, "Who it is", "Each token has a name"),
        Key::required("sha256", Form::Filled, "The SHA-256 of the token", "Each token has its SHA-256"),
        Key::optional("scopes", Form::List(&Form::Filled), "What it may do where operations need scopes"),
    ],
};

const HTTP: Block = Block {
    name: "http",
    about: "The HTTP listener",
    keys: &[
        Key::optional("listen", Form::Filled, "Where to listen, such as 127.0.0.1:7300"),
        Key::optional("allowed_hosts", Form::List(&Form::Filled), "Host names that requests may name"),
        Key::optional("allowed_origins", Form::List(&Form::Filled), "Web pages that may send requests"),
        Key::optional("tokens", Form::List(&Form::Block(&TOKEN)), "Who may send requests"),
        Key::optional("max_connections", Form::Whole(1, 100_000), "Connections open together"),
        Key::optional("max_sessions", Form::Whole(1, 100_000), "Sessions open together"),
        Key::optional(
            "max_buffered_bytes",
            Form::Whole(1_048_576, 1_099_511_627_776),
            "Bytes of request bodies held together",
        ),
        Key::optional("requests_per_second", Form::Whole(1, 1_000_000), "Requests a second of one client"),
        Key::optional("request_timeout_seconds", Form::Whole(1, 600), "Wait for a request's head or body"),
        Key::optional("session_idle_seconds", Form::Whole(1, 86_400), "Life of a session without requests"),
    ],
};

/// The whole file.
pub static CONFIG: Block = Block {
    name: "configuration",
    about: "The configuration of a server",
    keys: &[
        Key::optional("mode", Form::OneOf(&["semantic", "single", "all", "crude"]), "Which tools"),
        Key::optional("profile", Form::Filled, "Which families"),
        Key::optional("prefix", Form::Text, "What tool names start with"),
        Key::optional("register_empty_families", Form::Flag, "Registers tools without operations"),
        Key::optional("strict_mode", Form::Flag, "Rejects unknown parameters"),
        Key::optional("expose_operation_enum", Form::Flag, "Lists operations in the tools' schemas"),
        Key::optional("watch", Form::Flag, "Loads adapter files again when they change"),
        Key::optional("limits", Form::Block(&LIMITS), "Payload limits"),
        Key::optional("sources", Form::Map(&Form::Block(&SOURCE)), "The sources, by name"),
        Key::optional("confirmation", Form::Block(&CONFIRMATION), "Confirmations"),
        Key::optional("profiles", Form::Map(&Form::Map(&Form::Block(&FAMILY))), "Profiles of one's own"),
        Key::optional("http", Form::Block(&HTTP), "The HTTP listener"),
        Key::optional("mcp", Form::Block(&MCP), "Other MCP servers"),
        Key::optional("policy", Form::Any, "Rules of the operator"),
        Key::optional("safety", Form::Any, "The safety loop"),
        Key::optional("operator", Form::Any, "The operator's listener"),
    ],
};

/// Blocks that protect: a server that ignored them would do harm, so they are refused until they are applied.
pub const PROTECTIVE: [&str; 3] = ["policy", "safety", "operator"];
