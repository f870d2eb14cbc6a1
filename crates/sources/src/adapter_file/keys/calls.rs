//! The keys about calls: what is kept of their answers, what errors mean, what a PUT reads first, what will go away.
//!
//! `check` has a file for each of them.

use super::WORDS;
use crate::document::keys::{Block, Form, Key};

/// Longer than a year is no cache.
const A_YEAR: i64 = 31_536_000;

pub(super) static CACHE: Block = Block {
    name: "cache",
    about: "Keeping answers of GET for a while",
    keys: &[
        Key::optional("enabled", Form::Flag, "Answers are kept; true if absent"),
        Key::optional("ttl_seconds", Form::Whole(0, A_YEAR), "How long, where the headers say nothing"),
    ],
};

pub(super) static OPERATION_CACHE: Block = Block {
    name: "operation_cache",
    about: "Keeping answers of a GET for a while, and what a change makes stale",
    keys: &[
        Key::optional("enabled", Form::Flag, "Answers are kept; true if absent"),
        Key::optional("ttl_seconds", Form::Whole(0, A_YEAR), "How long, where the headers say nothing"),
        Key::optional(
            "invalidates",
            WORDS,
            "The operations, by names or patterns with *, whose kept answers are stale after this change; all if absent",
        ),
    ],
};

pub(super) static ERROR: Block = Block {
    name: "error",
    about: "What an HTTP status means",
    keys: &[
        Key::required("code", Form::Filled, "The error code that goes out", "The error code is required"),
        Key::optional(
            "message_template",
            Form::Filled,
            "The message, with {status}, {message} and {param} slots",
        ),
    ],
};

pub(super) static UPDATE: Block = Block {
    name: "update",
    about: "How an update finds what is there, and what goes out",
    keys: &[
        Key::optional(
            "read",
            Form::Filled,
            "The operation that reads it; if absent, the GET on the same path",
        ),
        Key::optional(
            "merge",
            Form::Flag,
            "What is given is merged into what is stored; false: it is sent as it is. True if absent",
        ),
        Key::optional("if_match", Form::Flag, "The version seen is sent along; true if absent"),
        Key::optional("leave_out", WORDS, "Fields, by their name in the API, that are not written back"),
        Key::optional("declared_only", Form::Flag, "Only fields that are parameters are written back"),
    ],
};

pub(super) static DEPRECATED: Block = Block {
    name: "deprecated",
    about: "That an operation will go away",
    keys: &[
        Key::optional("since", Form::Text, "From which version on"),
        Key::optional("removal_date", Form::Like(r"^\d{4}-\d{2}-\d{2}$"), "When it goes, YYYY-MM-DD"),
        Key::optional("replacement", Form::Filled, "What to call instead"),
    ],
};
