//! Keys that this version reads, so that files may hold them, but does not apply.
//!
//! The outermost one of them gives one warning, and so does each mistake inside: what nothing depends on refuses no file.

use aqueduct_documents::keys::ValueForm::{Any, Block, Either, Flag, List, Map, Number, OneOf, Text, Whole};
use aqueduct_documents::keys::{KeyBlock, ValueForm, optional};

const TEXT: ValueForm = Text;
const SOME: ValueForm = Whole(1, i64::MAX);
const ANYTHING: ValueForm = Map(&Any);

pub(super) static RATE_LIMITS: KeyBlock =
    KeyBlock::new("rate_limits", "Limits and quotas of the API").keys(&[
        optional("requests_per_minute", SOME, "Calls in a minute"),
        optional("requests_per_hour", SOME, "Calls in an hour"),
        optional("requests_per_day", SOME, "Calls in a day"),
        optional("calls_per_minute", SOME, "Another name of requests_per_minute"),
        optional("calls_per_hour", SOME, "Another name of requests_per_hour"),
        optional("calls_per_day", SOME, "Another name of requests_per_day"),
        optional("burst_limit", SOME, "Calls at once"),
        optional("concurrent_requests", SOME, "Calls in flight"),
        optional("api_limits", List(&Block(&API_LIMIT)), "Limits that are never exceeded"),
        optional("quotas", Block(&QUOTAS), "Budgets with a warning, a pause and a stop"),
        optional("cost", Block(&COST), "What calls cost"),
        optional("shared_pools", List(&ANYTHING), "Limits that several operations share"),
        optional("scheduling", ANYTHING, "Calls that wait for their turn"),
        optional("count_method", TEXT, "How tokens are counted"),
        optional("alerts", List(&ANYTHING), "Who is told of a limit"),
        optional("coordination", ANYTHING, "How several processes count together"),
    ]);

static API_LIMIT: KeyBlock = KeyBlock::new("api_limit", "A limit that is never exceeded").keys(&[
    optional("scope", OneOf(&["global", "endpoint", "category"]), "What it counts"),
    optional("endpoint", TEXT, "The operation"),
    optional("category", TEXT, "The category"),
    optional("limit", SOME, "How many"),
    optional("window", Either(&[TEXT, SOME]), "In what time"),
    optional("metric", TEXT, "What is counted"),
    optional("remaining_header", TEXT, "The header that says how many are left"),
    optional("reset_header", TEXT, "The header that says when it starts again"),
]);

static QUOTAS: KeyBlock = KeyBlock::new("quotas", "Budgets").keys(&[
    optional("enabled", Flag, "They are held; true if absent"),
    optional("limits", List(&Block(&QUOTA)), "The budgets"),
    optional("reset_schedule", Any, "When they start again"),
    optional("persistence", Any, "Where they are kept"),
]);

static QUOTA: KeyBlock = KeyBlock::new("quota", "One budget").keys(&[
    optional("metric", TEXT, "What is counted"),
    optional("warn", Number, "From here on with a warning"),
    optional("pause", Number, "From here on a person continues"),
    optional("hard_stop", Number, "No further"),
    optional("currency", TEXT, "The currency of a cost"),
]);

static COST: KeyBlock = KeyBlock::new("cost", "What calls cost").keys(&[
    optional("model", TEXT, "How the price is made"),
    optional("currency", TEXT, "The currency"),
    optional("pricing", List(&Block(&PRICE)), "The prices"),
]);

static PRICE: KeyBlock = KeyBlock::new("price", "The price of one operation").keys(&[
    optional("endpoint", TEXT, "The operation"),
    optional("cost_per_call", Number, "For each call"),
    optional(
        "cost_per_token",
        Either(&[Number, Block(&COST_PER_TOKEN)]),
        "For each token, or for those of each direction",
    ),
]);

static COST_PER_TOKEN: KeyBlock = KeyBlock::new("cost_per_token", "The price of tokens by their direction")
    .keys(&[
        optional("input", Number, "For each token that is sent"),
        optional("output", Number, "For each token that is returned"),
    ]);

pub(super) static LIFECYCLE: KeyBlock =
    KeyBlock::new("lifecycle", "Work that goes on after the call").keys(&[
        optional("id", ANYTHING, "Where its identifier is"),
        optional("status", Block(&STEP), "The operation that tells its state"),
        optional("location", Flag, "The Location header tells where its state is"),
        optional("state_path", TEXT, "Where the state is"),
        optional("states", Map(&TEXT), "Their states and ours"),
        optional("progress", ANYTHING, "Where the progress is"),
        optional("result_path", TEXT, "Where the result is"),
        optional("error_path", TEXT, "Where the error is"),
        optional("cancel", Block(&STEP), "The operation that ends it"),
        optional("retry", Block(&STEP), "The operation that starts it again"),
        optional("events", Block(&STEP), "The operation that tells what happened"),
        optional("poll", Block(&POLL), "How often the state is asked for"),
        optional("detached", Flag, "It goes on when the session ends"),
    ]);

static STEP: KeyBlock = KeyBlock::new("step", "A call of another operation")
    .keys(&[optional("operation", TEXT, "The operation"), optional("params", ANYTHING, "Its parameters")]);

static POLL: KeyBlock = KeyBlock::new("poll", "How often the state is asked for").keys(&[
    optional("initial_ms", SOME, "The first wait, 500 if absent"),
    optional("max_ms", SOME, "The longest wait, 10000 if absent"),
    optional("timeout_s", SOME, "When to give up, 3600 if absent"),
]);
