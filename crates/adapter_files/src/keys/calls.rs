//! The keys about calls: what is kept of their answers, what errors mean, what a PUT reads first, what will go away.
//!
//! `check` has a file for each of them.

use super::WORDS;
use aqueduct_documents::keys::{KeyBlock, KeySpec, ValueForm};

/// Longer than a year is no cache.
const A_YEAR: i64 = 31_536_000;

pub(super) static CACHE: KeyBlock = KeyBlock {
    name: "cache",
    about: "Keeping answers of GET for a while",
    keys: &[
        KeySpec::optional("enabled", ValueForm::Flag, "Answers are kept; true if absent"),
        KeySpec::optional(
            "ttl_seconds",
            ValueForm::Whole(0, A_YEAR),
            "How long, where the headers say nothing",
        ),
    ],
};

pub(super) static OPERATION_CACHE: KeyBlock = KeyBlock {
    name: "operation_cache",
    about: "Keeping answers of a GET for a while, and what a change makes stale",
    keys: &[
        KeySpec::optional("enabled", ValueForm::Flag, "Answers are kept; true if absent"),
        KeySpec::optional(
            "ttl_seconds",
            ValueForm::Whole(0, A_YEAR),
            "How long, where the headers say nothing",
        ),
        KeySpec::optional(
            "invalidates",
            WORDS,
            "The operations, by names or patterns with *, whose kept answers are stale after this change; all if absent",
        ),
    ],
};

pub(super) static ERROR: KeyBlock = KeyBlock {
    name: "error",
    about: "What an HTTP status means",
    keys: &[
        KeySpec::required(
            "code",
            ValueForm::Filled,
            "The error code that goes out",
            "The error code is required",
        ),
        KeySpec::optional(
            "message_template",
            ValueForm::Filled,
            "The message, with {status}, {message} and {param} slots",
        ),
    ],
};

pub(super) static UPDATE: KeyBlock = KeyBlock {
    name: "update",
    about: "How an update finds what is there, and what goes out",
    keys: &[
        KeySpec::optional(
            "read",
            ValueForm::Filled,
            "The operation that reads it; if absent, the GET on the same path",
        ),
        KeySpec::optional(
            "merge",
            ValueForm::Flag,
            "What is given is merged into what is stored; false: it is sent as it is. True if absent",
        ),
        KeySpec::optional("if_match", ValueForm::Flag, "The version seen is sent along; true if absent"),
        KeySpec::optional("leave_out", WORDS, "Fields, by their name in the API, that are not written back"),
        KeySpec::optional(
            "declared_only",
            ValueForm::Flag,
            "Only fields that are parameters are written back",
        ),
    ],
};

pub(super) static DEPRECATED: KeyBlock = KeyBlock {
    name: "deprecated",
    about: "That an operation will go away",
    keys: &[
        KeySpec::optional("since", ValueForm::Text, "From which version on"),
        KeySpec::optional(
            "removal_date",
            ValueForm::Like(r"^\d{4}-\d{2}-\d{2}$"),
            "When it goes, YYYY-MM-DD",
        ),
        KeySpec::optional("replacement", ValueForm::Filled, "What to call instead"),
    ],
};
