//! Keys that this version reads, so that files may hold them, but does not apply.
//!
//! The outermost one of them gives one warning, and so does each mistake inside: what nothing depends on refuses no file.

use aqueduct_documents::keys::ValueForm::{Any, Block, Flag, Map, Text, Whole};
use aqueduct_documents::keys::{KeyBlock, ValueForm, optional};

const TEXT: ValueForm = Text;
const SOME: ValueForm = Whole(1, i64::MAX);
const ANYTHING: ValueForm = Map(&Any);

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
