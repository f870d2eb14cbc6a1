//! Keys that this version reads, so that files may hold them, but does not apply.
//!
//! The outermost one of them gives one warning, and so does each mistake inside: what nothing depends on refuses no file.

use super::WORDS;
use crate::document::keys::{Block, Form, Key};

const TEXT: Form = Form::Text;
const SOME: Form = Form::Whole(1, i64::MAX);
const ANYTHING: Form = Form::Map(&Form::Any);

pub(super) static RATE_LIMITS: Block = Block {
    name: "rate_limits",
    about: "Limits and quotas of the API",
    keys: &[
        Key::optional("requests_per_minute", SOME, "Calls in a minute"),
        Key::optional("requests_per_hour", SOME, "Calls in an hour"),
        Key::optional("requests_per_day", SOME, "Calls in a day"),
        Key::optional("calls_per_minute", SOME, "Another name of requests_per_minute"),
        Key::optional("calls_per_hour", SOME, "Another name of requests_per_hour"),
        Key::optional("calls_per_day", SOME, "Another name of requests_per_day"),
        Key::optional("burst_limit", SOME, "Calls at once"),
        Key::optional("concurrent_requests", SOME, "Calls in flight"),
        Key::optional("api_limits", Form::List(&Form::Block(&API_LIMIT)), "Limits that are never exceeded"),
        Key::optional("quotas", Form::Block(&QUOTAS), "Budgets with a warning, a pause and a stop"),
        Key::optional("cost", Form::Block(&COST), "What calls cost"),
        Key::optional("shared_pools", Form::List(&ANYTHING), "Limits that several operations share"),
        Key::optional("scheduling", ANYTHING, "Calls that wait for their turn"),
        Key::optional("count_method", TEXT, "How tokens are counted"),
        Key::optional("alerts", Form::List(&ANYTHING), "Who is told of a limit"),
        Key::optional("coordination", ANYTHING, "How several processes count together"),
    ],
};

static API_LIMIT: Block = Block {
    name: "api_limit",
    about: "A limit that is never exceeded",
    keys: &[
        Key::optional("scope", Form::OneOf(&["global", "endpoint", "category"]), "What it counts"),
        Key::optional("endpoint", TEXT, "The operation"),
        Key::optional("category", TEXT, "The category"),
        Key::optional("limit", SOME, "How many"),
        Key::optional("window", Form::Either(&[TEXT, SOME]), "In what time"),
        Key::optional("metric", TEXT, "What is counted"),
        Key::optional("remaining_header", TEXT, "The header that says how many are left"),
        Key::optional("reset_header", TEXT, "The header that says when it starts again"),
    ],
};

static QUOTAS: Block = Block {
    name: "quotas",
    about: "Budgets",
    keys: &[
        Key::optional("enabled", Form::Flag, "They are held; true if absent"),
        Key::optional("limits", Form::List(&Form::Block(&QUOTA)), "The budgets"),
        Key::optional("reset_schedule", Form::Any, "When they start again"),
        Key::optional("persistence", Form::Any, "Where they are kept"),
    ],
};

static QUOTA: Block = Block {
    name: "quota",
    about: "One budget",
    keys: &[
        Key::optional("metric", TEXT, "What is counted"),
        Key::optional("warn", Form::Number, "From here on with a warning"),
        Key::optional("pause", Form::Number, "From here on a person continues"),
        Key::optional("hard_stop", Form::Number, "No further"),
        Key::optional("currency", TEXT, "The currency of a cost"),
    ],
};

static COST: Block = Block {
    name: "cost",
    about: "What calls cost",
    keys: &[
        Key::optional("model", TEXT, "How the price is made"),
        Key::optional("currency", TEXT, "The currency"),
        Key::optional("pricing", Form::List(&Form::Block(&PRICE)), "The prices"),
    ],
};

static PRICE: Block = Block {
    name: "price",
    about: "The price of one operation",
    keys: &[
        Key::optional("endpoint", TEXT, "The operation"),
        Key::optional("cost_per_call", Form::Number, "For each call"),
        Key::optional(
            "cost_per_token",
            Form::Either(&[Form::Number, Form::Block(&COST_PER_TOKEN)]),
            "For each token, or for those of each direction",
        ),
    ],
};

static COST_PER_TOKEN: Block = Block {
    name: "cost_per_token",
    about: "The price of tokens by their direction",
    keys: &[
        Key::optional("input", Form::Number, "For each token that is sent"),
        Key::optional("output", Form::Number, "For each token that is returned"),
    ],
};

pub(super) static DANGER_PATTERNS: Block = Block {
    name: "danger_patterns",
    about: "More names that mean danger",
    keys: &[
        Key::optional("dangerous", WORDS, "Patterns of dangerous names"),
        Key::optional("forbidden", WORDS, "Patterns of forbidden names"),
    ],
};

pub(super) static TRUST_OVERRIDE: Block = Block {
    name: "trust_override",
    about: "The level of one operation",
    keys: &[Key::optional("level", TEXT, "The level"), Key::optional("reason", TEXT, "Why the level is so")],
};

pub(super) static LIFECYCLE: Block = Block {
    name: "lifecycle",
    about: "Work that goes on after the call",
    keys: &[
        Key::optional("id", ANYTHING, "Where its identifier is"),
        Key::optional("status", Form::Block(&STEP), "The operation that tells its state"),
        Key::optional("location", Form::Flag, "The Location header tells where its state is"),
        Key::optional("state_path", TEXT, "Where the state is"),
        Key::optional("states", Form::Map(&TEXT), "Their states and ours"),
        Key::optional("progress", ANYTHING, "Where the progress is"),
        Key::optional("result_path", TEXT, "Where the result is"),
        Key::optional("error_path", TEXT, "Where the error is"),
        Key::optional("cancel", Form::Block(&STEP), "The operation that ends it"),
        Key::optional("retry", Form::Block(&STEP), "The operation that starts it again"),
        Key::optional("events", Form::Block(&STEP), "The operation that tells what happened"),
        Key::optional("poll", Form::Block(&POLL), "How often the state is asked for"),
        Key::optional("detached", Form::Flag, "It goes on when the session ends"),
    ],
};

static STEP: Block = Block {
    name: "step",
    about: "A call of another operation",
    keys: &[
        Key::optional("operation", TEXT, "The operation"),
        Key::optional("params", ANYTHING, "Its parameters"),
    ],
};

static POLL: Block = Block {
    name: "poll",
    about: "How often the state is asked for",
    keys: &[
        Key::optional("initial_ms", SOME, "The first wait, 500 if absent"),
        Key::optional("max_ms", SOME, "The longest wait, 10000 if absent"),
        Key::optional("timeout_s", SOME, "When to give up, 3600 if absent"),
    ],
};
