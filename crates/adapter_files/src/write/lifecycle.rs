//! How work is followed that goes on after the call: the block `lifecycle` of an operation.
//!
//! A rule in; its keys out. Parameters of steps are written out, also those that a reader would find by itself.

use super::yaml::{YamlEntries, YamlValue};
use aqueduct_operations::lifecycle::{
    JobIdentifier, Lifecycle, LifecycleStep, PollRule, ProgressPaths, StatusSource,
};
use aqueduct_operations::response::FieldPath;

pub(super) fn put(lifecycle: &Lifecycle, entries: &mut YamlEntries) {
    let Lifecycle { id, status, state_path, states, progress, result_path, error_path, .. } = lifecycle;
    let mut block = YamlEntries::default();
    let mut identifier = YamlEntries::default();
    match id {
        JobIdentifier::Path(path) => identifier.json("path", path.to_string()),
        JobIdentifier::Header(name) => identifier.json("header", name.as_str()),
    }
    block.map("id", identifier);
    match status {
        StatusSource::Operation(operation) => block.map("status", step(operation)),
        StatusSource::Location => block.json("location", true),
    }
    let text = |path: &Option<FieldPath>| path.as_ref().map(FieldPath::to_string);
    block.maybe_json("state_path", text(state_path));
    let mut words = YamlEntries::default();
    states.iter().for_each(|(theirs, ours)| words.json(theirs, ours.name()));
    block.map("states", words);
    if let Some(ProgressPaths { percentage, current, total, message }) = progress {
        let mut paths = YamlEntries::default();
        paths.maybe_json("percentage", text(percentage));
        paths.maybe_json("current", text(current));
        paths.maybe_json("total", text(total));
        paths.maybe_json("message", text(message));
        block.map("progress", paths);
    }
    block.maybe_json("result_path", text(result_path));
    block.maybe_json("error_path", text(error_path));
    let steps = [("cancel", &lifecycle.cancel), ("retry", &lifecycle.retry), ("events", &lifecycle.events)];
    for (key, called) in steps {
        if let Some(called) = called {
            block.map(key, step(called));
        }
    }
    let (PollRule { initial, longest, timeout }, usual) = (lifecycle.poll, PollRule::default());
    let mut poll = YamlEntries::default();
    poll.unless("initial_ms", initial.as_millis() as u64, usual.initial.as_millis() as u64);
    poll.unless("max_ms", longest.as_millis() as u64, usual.longest.max(initial).as_millis() as u64);
    poll.unless("timeout_s", timeout.as_secs(), usual.timeout.as_secs());
    block.map("poll", poll);
    block.unless("detached", lifecycle.detached, false);
    entries.put("lifecycle", YamlValue::Map(block));
}

fn step(step: &LifecycleStep) -> YamlEntries {
    let mut entries = YamlEntries::default();
    entries.json("operation", step.operation.as_str());
    let mut params = YamlEntries::default();
    step.params.iter().for_each(|(name, value)| params.json(name, value.text()));
    entries.map("params", params);
    entries
}
