//! `aqueduct.toml` as it is on disk: every key, with the form of its value.
//!
//! One table, which `file` holds a tree against. What values mean is for the readers of the blocks to judge.
//!
//! A table and nothing else: `check` holds a file against it, and names the nearest key where one is unknown.

use aqueduct_adapter_files::{AUTH, RATE_LIMITS};
use aqueduct_documents::keys::ValueForm::{Any, Block, Either, Filled, Flag, List, Map, OneOf, Text, Whole};
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm, optional, required};
use aqueduct_operations::autonomy::SafetyMode;
use aqueduct_operations::concurrency::Concurrency;
use aqueduct_operations::exposure::Mode;
use aqueduct_operations::gatekeeper::Permission;
use aqueduct_operations::operation::ValidationMode;
use aqueduct_operations::target::DotSegments;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::autonomy::WITH_AGENTS;
use aqueduct_sources::overrides::OVERRIDE;

const LIMITS: KeyBlock = KeyBlock::new("limits", "Payload limits").keys(&[
    optional("max_request_size", Whole(65_536, 10_485_760), "Bytes of a request"),
    optional("max_response_size", Whole(1_048_576, 104_857_600), "Bytes of an answer"),
    optional("max_string_length", Whole(65_536, 10_485_760), "Bytes of one string"),
    optional("max_array_elements", Whole(100, 100_000), "Elements of one array"),
    optional("max_nesting_depth", Whole(8, 64), "Nested objects and arrays"),
    optional("max_response_tokens", Whole(500, 1_000_000), "Estimated tokens of an answer"),
    optional("max_batch_items", Whole(1, 1_000), "Operations of a batch"),
    optional("max_gathered_items", Whole(100, 100_000), "Items that one call looks through"),
    optional("slow_call_ms", Whole(1, 600_000), "When a call is said to be slow"),
    optional("max_work_steps", Whole(1_000_000, 10_000_000_000), "Steps of work of one call"),
]);

const CACHE: KeyBlock = KeyBlock::new("cache", "Keeping answers for a while").keys(&[
    optional("enabled", Flag, "Answers are kept; true if absent"),
    optional("ttl_seconds", Whole(0, i64::MAX), "How long, where the headers say nothing"),
]);

const MCP: KeyBlock = KeyBlock::new("mcp", "Other MCP servers").keys(&[optional(
    "quarantine",
    Flag,
    "A tool that has changed is withheld until it is approved",
)]);

const SERVER: KeyBlock = KeyBlock::new("server", "The server as models see it").keys(&[optional(
    "description",
    Filled,
    "What the server covers, in place of what is made from its sources",
)]);

const SEARCH: KeyBlock = KeyBlock::new("search", "The search for operations").keys(&[optional(
    "synonyms",
    List(&Filled),
    "Words that mean the same, such as 'refund, money back', or one that means another: 'ticket -> issue'",
)]);

static SOURCE: KeyBlock = KeyBlock::new("source", "One source").keys(&[
    optional("from", Filled, "The adapter file"),
    optional("base_url", Filled, "Where the API is"),
    optional("trust", OneOf(TrustLevel::NAMES), "The trust level"),
    optional("concurrency", OneOf(Concurrency::NAMES), "Which calls may overlap"),
    optional("auth", Block(&AUTH), "How calls authenticate"),
    optional("headers", Map(&Text), "Constant headers; never credentials"),
    optional("cache", Either(&[Flag, Block(&CACHE)]), "Whether answers are kept"),
    optional("credential_origins", List(&Filled), "Other origins that 'auth' and 'headers' may go to"),
    optional("allow_refs", List(&Filled), "Other documents that this one may refer to"),
    optional("fit_answers", Flag, "Leaves out what answers have beyond what is declared; false if absent"),
    optional("merge", Flag, "An update by PUT is merged into what is stored, or never is"),
    optional(
        "validate",
        OneOf(ValidationMode::NAMES),
        "What happens to requests that are declared otherwise",
    ),
    optional(
        "dot_segments",
        OneOf(DotSegments::NAMES),
        "What becomes of values in a path that hold '..' or '.': encoded whole, or refused",
    ),
    optional(
        "rate_limits",
        Either(&[Flag, Block(&RATE_LIMITS)]),
        "Limits and quotas, block by block instead of the file's; false lifts them all",
    ),
    optional("operations", Map(&Block(&OVERRIDE)), "Corrections of single operations"),
]);

const FAMILY: KeyBlock = KeyBlock::new("family", "One family of a profile").keys(&[
    optional("categories", List(&Filled), "The categories it holds"),
    optional("operations", List(&Filled), "Operations it holds, '*' for any characters"),
    optional("description", Filled, "What it is for, as its tool says it"),
]);

const CONFIRMATION: KeyBlock = KeyBlock::new("confirmation", "How dangerous calls are confirmed").keys(&[
    optional("mode", OneOf(&["client", "ask", "operator"]), "Who confirms"),
    optional("ttl_seconds", Whole(1, 900), "How long a token lives"),
    optional("clock_skew_seconds", Whole(0, 300), "Grace for clocks that disagree"),
    optional(
        "issue_per_minute",
        Whole(1, i64::MAX),
        "Tokens and approvals that a session may ask for in a minute",
    ),
    optional("failures_per_minute", Whole(1, i64::MAX), "Wrong tokens of a session in a minute"),
    optional("batch", OneOf(&["halt", "skip"]), "What a batch does with a call to confirm"),
    optional("hook", COMMAND, "A program that is told of every call that needs a yes, or its words"),
]);

/// A program, or a program with its arguments. No shell reads it.
const COMMAND: ValueForm = Either(&[Filled, List(&Filled)]);

const OPERATOR: KeyBlock = KeyBlock::new("operator", "Whoever answers what waits").keys(&[
    optional(
        "listen",
        Filled,
        "Where the operator's page is: a loopback address such as 127.0.0.1:7433, or none",
    ),
    optional(
        "hook",
        COMMAND,
        "A program that is told of every call that waits for the operator, or its words",
    ),
    optional("desktop", Flag, "Shows a notification on the desktop of whoever runs the server"),
]);

const STORE: KeyBlock =
    KeyBlock::new("store", "Where confirmations, approvals and the audit are kept").keys(&[
        optional("url", Filled, "The database, postgres://…; SQLite in the state directory if absent"),
        optional("url_env", Filled, "The variable that has it"),
        optional(
            "audit_key_env",
            Filled,
            "The variable with the key of its audit; AQUEDUCT_AUDIT_KEY if absent",
        ),
        optional(
            "root_certificates",
            Filled,
            "Certificates that it is known by, as PEM; the system's if absent",
        ),
    ]);

const TOKEN: KeyBlock = KeyBlock::new("token", "One client that may send requests").keys(&[
    required("name", Filled, "Who it is", "Each token has a name"),
    required("sha256", Filled, "The SHA-256 of the token", "Each token has its SHA-256"),
    optional("scopes", List(&Filled), "What it may do where operations need scopes"),
]);

const HTTP: KeyBlock = KeyBlock::new("http", "The HTTP listener").keys(&[
    optional("listen", Filled, "Where to listen, such as 127.0.0.1:7300"),
    optional("allowed_hosts", List(&Filled), "Host names that requests may name"),
    optional("allowed_origins", List(&Filled), "Web pages that may send requests"),
    optional("tokens", List(&Block(&TOKEN)), "Who may send requests"),
    optional(
        "tls_cert",
        Filled,
        "The file with the certificate, in PEM; with tls_key, the listener speaks TLS",
    ),
    optional("tls_key", Filled, "The file with the key of the certificate, in PEM"),
    optional("max_connections", Whole(1, 100_000), "Connections open together"),
    optional("max_sessions", Whole(1, 100_000), "Sessions open together"),
    optional(
        "max_buffered_bytes",
        Whole(1_048_576, 1_099_511_627_776),
        "Bytes of request bodies held together",
    ),
    optional("requests_per_second", Whole(1, 1_000_000), "Requests a second of one client"),
    optional("request_timeout_seconds", Whole(1, 600), "Wait for a request's head or body"),
    optional("session_idle_seconds", Whole(1, 86_400), "Life of a session without requests"),
]);

static SAFETY: KeyBlock = KeyBlock::new("safety", "Agents that work on their own").keys(&SAFETY_KEYS);

/// Those of adapter files, and the operator's own.
const SAFETY_KEYS: [KeySpec; 13] = {
    let [a, b, c, d, e, f, g, h, i, agents] = WITH_AGENTS;
    let mode = optional("mode", OneOf(SafetyMode::NAMES), "Whether they are watched; disabled if absent");
    let scorer = Either(&[Filled, List(&Filled)]);
    let scorer = optional("scorer_hook", scorer, "A command that scores actions instead of the rules");
    let ttl = Whole(10, 86_400);
    let ttl = optional("challenge_ttl_seconds", ttl, "How long a challenge is good; 300 if absent");
    [mode, a, b, c, d, e, f, g, h, i, agents, scorer, ttl]
};

static EXECUTIONS: KeyBlock = KeyBlock::new("executions", "Work that goes on after its call").keys(&[
    optional("keep_days", Whole(1, 3_650), "How long ended ones are kept; 7 if absent"),
    optional("kept_per_caller", Whole(1, 100_000), "Ended ones of one caller that are kept; 500 if absent"),
    optional(
        "active_per_caller",
        Whole(1, 100_000),
        "Those of one caller that go on together; 100 if absent",
    ),
    optional("max_result_size", Whole(1, 104_857_600), "Bytes of a result that is kept; 1048576 if absent"),
    optional(
        "lease_seconds",
        Whole(1, 3_600),
        "After so long without a word another instance takes over; 30 if absent",
    ),
]);

static POLICY: KeyBlock = KeyBlock::new("policy", "One rule of the operator").keys(&[
    optional("source", Filled, "Its source, '*' for any characters"),
    optional("operation", Filled, "Its operation, '*' for any characters"),
    optional("category", Filled, "Its category"),
    optional("caller", Filled, "Who calls, '*' for any characters; 'local' runs the server"),
    optional("param", Map(&Any), "Values of parameters, each one or a list"),
    required("decision", OneOf(Permission::NAMES), "What becomes of such calls", "Each rule has a decision"),
    optional("reason", Filled, "Why, for those who meet it"),
]);

/// The whole file.
pub static CONFIG: KeyBlock = KeyBlock::new("configuration", "The configuration of a server").keys(&[
    optional("mode", OneOf(Mode::NAMES), "Which tools"),
    optional("profile", Filled, "Which families"),
    optional("prefix", Text, "What tool names start with"),
    optional("register_empty_families", Flag, "Registers tools without operations"),
    optional("strict_mode", Flag, "Rejects unknown parameters"),
    optional("expose_operation_enum", Flag, "Lists operations in the tools' schemas"),
    optional("watch", Flag, "Loads adapter files again when they change"),
    optional("server", Block(&SERVER), "The server as models see it"),
    optional("search", Block(&SEARCH), "The search for operations"),
    optional("limits", Block(&LIMITS), "Payload limits"),
    optional("sources", Map(&Block(&SOURCE)), "The sources, by name"),
    optional("confirmation", Block(&CONFIRMATION), "Confirmations"),
    optional("store", Block(&STORE), "Where confirmations, approvals and the audit are kept"),
    optional("profiles", Map(&Map(&Block(&FAMILY))), "Profiles of one's own"),
    optional("http", Block(&HTTP), "The HTTP listener"),
    optional("mcp", Block(&MCP), "Other MCP servers"),
    optional("policy", List(&Block(&POLICY)), "Rules of the operator"),
    optional("safety", Block(&SAFETY), "The safety loop"),
    optional("executions", Block(&EXECUTIONS), "Work that goes on after its call"),
    optional("operator", Block(&OPERATOR), "The operator's page, and who is told of what waits"),
]);
