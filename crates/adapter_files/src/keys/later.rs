//! Keys that this version reads, so that files may hold them, but does not apply.
//!
//! The outermost one of them gives one warning, and so does each mistake inside: what nothing depends on refuses no file.

use super::WORDS;
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};

const TEXT: ValueForm = ValueForm::Text;
const SOME: ValueForm = ValueForm::Whole(1, i64::MAX);
const ANYTHING: ValueForm = ValueForm::Map(&ValueForm::Any);

pub(super) static RATE_LIMITS: KeyBlock = KeyBlock {
    name: "rate_limits",
    about: "Limits and quotas of the API",
    keys: &[
        KeySpec::optional("requests_per_minute", SOME, "Calls in a minute"),
        KeySpec::optional("requests_per_hour", SOME, "Calls in an hour"),
        KeySpec::optional("requests_per_day", SOME, "Calls in a day"),
        KeySpec::optional("calls_per_minute", SOME, "Another name of requests_per_minute"),
        KeySpec::optional("calls_per_hour", SOME, "Another name of requests_per_hour"),
        KeySpec::optional("calls_per_day", SOME, "Another name of requests_per_day"),
        KeySpec::optional("burst_limit", SOME, "Calls at once"),
        KeySpec::optional("concurrent_requests", SOME, "Calls in flight"),
        KeySpec::optional(
            "api_limits",
            ValueForm::List(&ValueForm::Block(&API_LIMIT)),
            "Limits that are never exceeded",
        ),
        KeySpec::optional("quotas", ValueForm::Block(&QUOTAS), "Budgets with a warning, a pause and a stop"),
        KeySpec::optional("cost", ValueForm::Block(&COST), "What calls cost"),
        KeySpec::optional("shared_pools", ValueForm::List(&ANYTHING), "Limits that several operations share"),
        KeySpec::optional("scheduling", ANYTHING, "Calls that wait for their turn"),
        KeySpec::optional("count_method", TEXT, "How tokens are counted"),
        KeySpec::optional("alerts", ValueForm::List(&ANYTHING), "Who is told of a limit"),
        KeySpec::optional("coordination", ANYTHING, "How several processes count together"),
    ],
};

static API_LIMIT: KeyBlock = KeyBlock {
    name: "api_limit",
    about: "A limit that is never exceeded",
    keys: &[
        KeySpec::optional("scope", ValueForm::OneOf(&["global", "endpoint", "category"]), "What it counts"),
        KeySpec::optional("endpoint", TEXT, "The operation"),
        KeySpec::optional("category", TEXT, "The category"),
        KeySpec::optional("limit", SOME, "How many"),
        KeySpec::optional("window", ValueForm::Either(&[TEXT, SOME]), "In what time"),
        KeySpec::optional("metric", TEXT, "What is counted"),
        KeySpec::optional("remaining_header", TEXT, "The header that says how many are left"),
        KeySpec::optional("reset_header", TEXT, "The header that says when it starts again"),
    ],
};

static QUOTAS: KeyBlock = KeyBlock {
    name: "quotas",
    about: "Budgets",
    keys: &[
        KeySpec::optional("enabled", ValueForm::Flag, "They are held; true if absent"),
        KeySpec::optional("limits", ValueForm::List(&ValueForm::Block(&QUOTA)), "The budgets"),
        KeySpec::optional("reset_schedule", ValueForm::Any, "When they start again"),
        KeySpec::optional("persistence", ValueForm::Any, "Where they are kept"),
    ],
};

static QUOTA: KeyBlock = KeyBlock {
    name: "quota",
    about: "One budget",
    keys: &[
        KeySpec::optional("metric", TEXT, "What is counted"),
        KeySpec::optional("warn", ValueForm::Number, "From here on with a warning"),
        KeySpec::optional("pause", ValueForm::Number, "From here on a person continues"),
        KeySpec::optional("hard_stop", ValueForm::Number, "No further"),
        KeySpec::optional("currency", TEXT, "The currency of a cost"),
    ],
};

static COST: KeyBlock = KeyBlock {
    name: "cost",
    about: "What calls cost",
    keys: &[
        KeySpec::optional("model", TEXT, "How the price is made"),
        KeySpec::optional("currency", TEXT, "The currency"),
        KeySpec::optional("pricing", ValueForm::List(&ValueForm::Block(&PRICE)), "The prices"),
    ],
};

static PRICE: KeyBlock = KeyBlock {
    name: "price",
    about: "The price of one operation",
    keys: &[
        KeySpec::optional("endpoint", TEXT, "The operation"),
        KeySpec::optional("cost_per_call", ValueForm::Number, "For each call"),
        KeySpec::optional(
            "cost_per_token",
            ValueForm::Either(&[ValueForm::Number, ValueForm::Block(&COST_PER_TOKEN)]),
            "For each token, or for those of each direction",
        ),
    ],
};

static COST_PER_TOKEN: KeyBlock = KeyBlock {
    name: "cost_per_token",
    about: "The price of tokens by their direction",
    keys: &[
        KeySpec::optional("input", ValueForm::Number, "For each token that is sent"),
        KeySpec::optional("output", ValueForm::Number, "For each token that is returned"),
    ],
};

pub(super) static DANGER_PATTERNS: KeyBlock = KeyBlock {
    name: "danger_patterns",
    about: "More names that mean danger",
    keys: &[
        KeySpec::optional("dangerous", WORDS, "Patterns of dangerous names"),
        KeySpec::optional("forbidden", WORDS, "Patterns of forbidden names"),
    ],
};

pub(super) static TRUST_OVERRIDE: KeyBlock = KeyBlock {
    name: "trust_override",
    about: "The level of one operation",
    keys: &[
        KeySpec::optional("level", TEXT, "The level"),
        KeySpec::optional("reason", TEXT, "Why the level is so"),
    ],
};

pub(super) static LIFECYCLE: KeyBlock = KeyBlock {
    name: "lifecycle",
    about: "Work that goes on after the call",
    keys: &[
        KeySpec::optional("id", ANYTHING, "Where its identifier is"),
        KeySpec::optional("status", ValueForm::Block(&STEP), "The operation that tells its state"),
        KeySpec::optional("location", ValueForm::Flag, "The Location header tells where its state is"),
        KeySpec::optional("state_path", TEXT, "Where the state is"),
        KeySpec::optional("states", ValueForm::Map(&TEXT), "Their states and ours"),
        KeySpec::optional("progress", ANYTHING, "Where the progress is"),
        KeySpec::optional("result_path", TEXT, "Where the result is"),
        KeySpec::optional("error_path", TEXT, "Where the error is"),
        KeySpec::optional("cancel", ValueForm::Block(&STEP), "The operation that ends it"),
        KeySpec::optional("retry", ValueForm::Block(&STEP), "The operation that starts it again"),
        KeySpec::optional("events", ValueForm::Block(&STEP), "The operation that tells what happened"),
        KeySpec::optional("poll", ValueForm::Block(&POLL), "How often the state is asked for"),
        KeySpec::optional("detached", ValueForm::Flag, "It goes on when the session ends"),
    ],
};

static STEP: KeyBlock = KeyBlock {
    name: "step",
    about: "A call of another operation",
    keys: &[
        KeySpec::optional("operation", TEXT, "The operation"),
        KeySpec::optional("params", ANYTHING, "Its parameters"),
    ],
};

static POLL: KeyBlock = KeyBlock {
    name: "poll",
    about: "How often the state is asked for",
    keys: &[
        KeySpec::optional("initial_ms", SOME, "The first wait, 500 if absent"),
        KeySpec::optional("max_ms", SOME, "The longest wait, 10000 if absent"),
        KeySpec::optional("timeout_s", SOME, "When to give up, 3600 if absent"),
    ],
};
