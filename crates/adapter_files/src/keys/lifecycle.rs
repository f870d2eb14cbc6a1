//! The keys about work that goes on after the call.
//!
//! Operations and parameters are named there; `check::lifecycle` looks for them.

use super::PATH;
use aqueduct_documents::keys::ValueForm::{Block, Filled, Flag, Like, Map, OneOf, Whole};
use aqueduct_documents::keys::{KeyBlock, ValueForm, optional, required};
use aqueduct_operations::execution::ExecutionState;

const STATE: ValueForm = OneOf(ExecutionState::NAMES);
const VALUE: ValueForm = Like(r"^(id|params\.[^.]+|response(\.[^.\[\]]+)+)$");
/// A day.
const LONGEST_WAIT_MS: i64 = 86_400_000;
/// Thirty days.
const LONGEST_TIMEOUT_S: i64 = 2_592_000;

pub(super) static LIFECYCLE: KeyBlock =
    KeyBlock::new("lifecycle", "Work that goes on after the call").keys(&[
        optional("id", Block(&ID), "Where the job's identifier is; the field id if absent"),
        optional("status", Block(&STEP), "The READ operation that tells its state"),
        optional("location", Flag, "The Location header tells where its state is"),
        optional("state_path", PATH, "Where the state is; status or state if absent"),
        optional("states", Map(&STATE), "Their states and ours"),
        optional("progress", Block(&PROGRESS), "Where the progress is"),
        optional("result_path", PATH, "Where the result is; all that is told in the end if absent"),
        optional("error_path", PATH, "Where the error is; error if absent"),
        optional("cancel", Block(&STEP), "The operation that ends it"),
        optional("retry", Block(&STEP), "The operation that tries a failed one again"),
        optional("events", Block(&STEP), "The operation that tells of changes as they come"),
        optional("poll", Block(&POLL), "How often the state is asked for"),
        optional("detached", Flag, "It goes on when the session ends"),
    ]);

static ID: KeyBlock = KeyBlock::new("job_id", "Where the identifier of a job is").keys(&[
    optional("path", PATH, "A field of the answer"),
    optional("header", Filled, "A header of the answer"),
]);

static STEP: KeyBlock = KeyBlock::new("step", "A call of another operation, about a job").keys(&[
    required("operation", Filled, "The operation", "The operation is required"),
    optional("params", Map(&VALUE), "Its parameters: id, params.NAME or response.PATH"),
]);

static PROGRESS: KeyBlock = KeyBlock::new("progress", "Where the progress of a job is").keys(&[
    optional("percentage", PATH, "A number from 0 to 100"),
    optional("current", PATH, "How many are done"),
    optional("total", PATH, "Of how many"),
    optional("message", PATH, "In words"),
]);

static POLL: KeyBlock = KeyBlock::new("poll", "How often the state is asked for").keys(&[
    optional("initial_ms", Whole(1, LONGEST_WAIT_MS), "The first wait, 500 if absent"),
    optional("max_ms", Whole(1, LONGEST_WAIT_MS), "The longest wait, 10000 if absent"),
    optional("timeout_s", Whole(1, LONGEST_TIMEOUT_S), "When it counts as failed, 3600 if absent"),
]);
