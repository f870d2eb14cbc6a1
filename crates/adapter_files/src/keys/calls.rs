//! The keys about calls: what is kept of their answers, what errors mean, what a PUT reads first, what will go away.
//!
//! `check` has a file for each of them.

use super::WORDS;
use aqueduct_documents::keys::ValueForm::{Filled, Flag, Like, Text, Whole};
use aqueduct_documents::keys::{KeyBlock, optional, required};

/// Longer than a year is no cache.
const A_YEAR: i64 = 31_536_000;

pub(super) static CACHE: KeyBlock = KeyBlock::new("cache", "Keeping answers of GET for a while").keys(&[
    optional("enabled", Flag, "Answers are kept; true if absent"),
    optional("ttl_seconds", Whole(0, A_YEAR), "How long, where the headers say nothing"),
]);

pub(super) static OPERATION_CACHE: KeyBlock = KeyBlock::new("operation_cache", "Keeping answers of a GET for a while, and what a change makes stale").keys(&[
        optional("enabled", Flag, "Answers are kept; true if absent"),
        optional(
            "ttl_seconds",
            Whole(0, A_YEAR),
            "How long, where the headers say nothing",
        ),
        optional(
            "invalidates",
            WORDS,
            "The operations, by names or patterns with *, whose kept answers are stale after this change; all if absent",
        ),
    ]);

pub(super) static ERROR: KeyBlock = KeyBlock::new("error", "What an HTTP status means").keys(&[
    required("code", Filled, "The error code that goes out", "The error code is required"),
    optional("message_template", Filled, "The message, with {status}, {message} and {param} slots"),
]);

pub(super) static UPDATE: KeyBlock =
    KeyBlock::new("update", "How an update finds what is there, and what goes out").keys(&[
        optional("read", Filled, "The operation that reads it; if absent, the GET on the same path"),
        optional(
            "merge",
            Flag,
            "What is given is merged into what is stored; false: it is sent as it is. True if absent",
        ),
        optional("if_match", Flag, "The version seen is sent along; true if absent"),
        optional("leave_out", WORDS, "Fields, by their name in the API, that are not written back"),
        optional("declared_only", Flag, "Only fields that are parameters are written back"),
    ]);

pub(super) static DEPRECATED: KeyBlock =
    KeyBlock::new("deprecated", "That an operation will go away").keys(&[
        optional("since", Text, "From which version on"),
        optional("removal_date", Like(r"^\d{4}-\d{2}-\d{2}$"), "When it goes, YYYY-MM-DD"),
        optional("replacement", Filled, "What to call instead"),
    ]);
