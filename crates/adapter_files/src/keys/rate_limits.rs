//! `rate_limits`: limits that are never exceeded, quotas and costs. The configuration of the operator has the same keys.
//!
//! The keys in; the block of keys that files and configuration are held against out.

use aqueduct_documents::keys::ValueForm::{
    Any, Block, Either, Filled, Flag, List, Map, Number, OneOf, Text, Whole,
};
use aqueduct_documents::keys::{KeyBlock, ValueForm, not_applied, optional, required};
use aqueduct_operations::rate_limits::{CostModel, Persistence, QuotaMetric};

const SOME: ValueForm = Whole(1, 1_000_000_000_000);
const ANYTHING: ValueForm = Map(&Any);

/// The whole block.
pub static RATE_LIMITS: KeyBlock = KeyBlock::new("rate_limits", "Limits and quotas of the API").keys(&[
    optional("requests_per_minute", SOME, "Requests in a minute"),
    optional("requests_per_hour", SOME, "Requests in an hour"),
    optional("requests_per_day", SOME, "Requests in a day"),
    optional("calls_per_minute", SOME, "Another name of requests_per_minute"),
    optional("calls_per_hour", SOME, "Another name of requests_per_hour"),
    optional("calls_per_day", SOME, "Another name of requests_per_day"),
    optional("burst_limit", SOME, "Requests in a second"),
    optional("concurrent_requests", Whole(1, 100_000), "Requests of one process in flight"),
    optional(
        "max_wait_seconds",
        Whole(0, 600),
        "How long a request waits for its turn, 30 if absent; the operator's alone",
    ),
    optional(
        "max_waiting",
        Whole(0, 100_000),
        "How many requests wait, 2000 if absent; the operator's alone",
    ),
    optional("api_limits", List(&Block(&API_LIMIT)), "Limits that are never exceeded"),
    optional("quotas", Block(&QUOTAS), "Budgets with a warning, a pause and a stop"),
    optional("cost", Block(&COST), "What requests cost"),
    not_applied("shared_pools", List(&ANYTHING), "Limits that several operations share"),
    not_applied("scheduling", ANYTHING, "Calls that wait for their turn"),
    not_applied("count_method", Text, "How tokens are counted"),
    not_applied("alerts", List(&ANYTHING), "Who is told of a limit"),
    not_applied("coordination", ANYTHING, "How several processes count together"),
]);

static API_LIMIT: KeyBlock = KeyBlock::new("api_limit", "A limit that is never exceeded").keys(&[
    optional("scope", OneOf(&["global", "endpoint", "category"]), "What it counts; global if absent"),
    optional(
        "endpoint",
        Filled,
        "Method and path, such as 'POST /search', '*' for any characters; or 'TOOL name'",
    ),
    optional("category", Filled, "create, read, update, delete or execute"),
    required("limit", SOME, "How many", "A limit needs 'limit'"),
    required("window", OneOf(&["second", "minute", "hour", "day"]), "In what time", "A limit needs 'window'"),
    optional("metric", Filled, "What is counted: requests, or tokens where it begins with that"),
    optional("remaining_header", Filled, "The header that says how many are left"),
    optional("reset_header", Filled, "The header that says when they are there again"),
]);

static QUOTAS: KeyBlock = KeyBlock::new("quotas", "Budgets").keys(&[
    optional("enabled", Flag, "They are held; true if absent"),
    optional("limits", List(&Block(&QUOTA)), "The budgets"),
    optional(
        "reset_schedule",
        Filled,
        "When they start again: five fields of cron, in UTC; the calendar if absent",
    ),
    optional(
        "persistence",
        OneOf(Persistence::NAMES),
        "Where they are kept; the store of the server decides",
    ),
]);

static QUOTA: KeyBlock = KeyBlock::new("quota", "One budget").keys(&[
    required("metric", OneOf(&QuotaMetric::NAMES), "What is counted in what time", "A quota needs 'metric'"),
    optional("warn", Number, "From here on with a warning"),
    optional("pause", Number, "From here on a person has to say yes"),
    optional("hard_stop", Number, "No further"),
    optional("currency", Filled, "The currency of a cost"),
]);

static COST: KeyBlock = KeyBlock::new("cost", "What requests cost").keys(&[
    optional("model", OneOf(CostModel::NAMES), "How the price is made; all that a price has if absent"),
    optional("currency", Filled, "The currency"),
    optional("pricing", List(&Block(&PRICE)), "The prices; the first that fits counts"),
]);

static PRICE: KeyBlock = KeyBlock::new("price", "The price of some requests").keys(&[
    optional("endpoint", Filled, "Which requests, as in api_limits; all if absent"),
    optional("cost_per_call", Number, "For each request"),
    optional(
        "cost_per_token",
        Either(&[Number, Block(&COST_PER_TOKEN)]),
        "For each token that comes back, or for those of each direction",
    ),
    optional("cost_per_byte", Number, "For each byte that comes back"),
]);

static COST_PER_TOKEN: KeyBlock = KeyBlock::new("cost_per_token", "The price of tokens by their direction")
    .keys(&[
        optional("input", Number, "For each token that is sent"),
        optional("output", Number, "For each token that comes back"),
    ]);
