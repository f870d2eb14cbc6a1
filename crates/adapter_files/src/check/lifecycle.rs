//! Work that goes on after the call: how its job is named, asked about, cancelled and tried again.
//!
//! A draft and its siblings in; the rule out, with every parameter of every step, or findings. A step that names no parameters gets
//! those of the call that have the same names, and the identifier for the one that is left.

use super::operation::DraftOperation;
use super::path;
use super::response::block;
use super::siblings::SiblingOperations;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::category::Category;
use aqueduct_operations::execution::ExecutionState;
use aqueduct_operations::lifecycle::{
    JobIdentifier, Lifecycle, LifecycleStep, PollRule, ProgressPaths, StatusSource, StepValue,
};
use aqueduct_operations::naming::is_http_token;
use aqueduct_operations::params::Param;
use aqueduct_operations::response::FieldPath;
use aqueduct_operations::target::AnswerKind;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn check(
    draft: &DraftOperation<'_>,
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> Option<Arc<Lifecycle>> {
    let at = block(&draft.at, "lifecycle")?;
    let operation = &draft.operation;
    if operation.category != Category::Execute {
        let message =
            format!("'lifecycle' belongs to EXECUTE operations, and this is {}", operation.category.upper());
        at.error("BAD_REFERENCE", message).hint("move the operation to 'execute'").add_to(found);
        return None;
    }
    if operation.target.answer == AnswerKind::Events {
        let message = "The answer is a stream of events already, which is followed to its end";
        at.error("BAD_REFERENCE", message).hint("remove 'lifecycle'").add_to(found);
        return None;
    }
    let checker = StepChecker { draft, siblings };
    let status = status(&at, &checker, found);
    let step = |key: &str, role: StepRole, found: &mut Findings<'_>| {
        let at = block(&at, key)?;
        checker.step(&at, role, found)
    };
    let lifecycle = Lifecycle {
        id: identifier(&at, draft, found),
        state_path: path::of(&at, "state_path", found),
        states: states(&at),
        progress: progress(&at, found),
        result_path: path::of(&at, "result_path", found),
        error_path: path::of(&at, "error_path", found),
        cancel: step("cancel", StepRole::Acts, found),
        retry: step("retry", StepRole::Acts, found),
        events: step("events", StepRole::TellsEvents, found),
        poll: poll(&at, found),
        detached: at.flag("detached").unwrap_or(false),
        status: status?,
    };
    Some(Arc::new(lifecycle))
}

fn status(
    at: &NodeCursor<'_>,
    checker: &StepChecker<'_, '_>,
    found: &mut Findings<'_>,
) -> Option<StatusSource> {
    let by_location = at.flag("location").unwrap_or(false);
    match (block(at, "status"), by_location) {
        (Some(step), false) => checker.step(&step, StepRole::TellsState, found).map(StatusSource::Operation),
        (None, true) if checker.draft.operation.target.mapping.tool.is_none() => Some(StatusSource::Location),
        (None, true) => {
            let message = "A tool has no Location header";
            at.error("BAD_REFERENCE", message)
                .hint("name the tool that tells the state: status")
                .add_to(found);
            None
        }
        (Some(_), true) => {
            let message = "'status' and 'location' both say who tells the state";
            at.error("BAD_REFERENCE", message).hint("remove one of them").add_to(found);
            None
        }
        (None, false) => {
            let message = "Nothing says who tells the state of the job";
            at.error("MISSING_KEY", message)
                .expected("status: {operation: NAME}, or location: true")
                .add_to(found);
            None
        }
    }
}

fn identifier(at: &NodeCursor<'_>, draft: &DraftOperation<'_>, found: &mut Findings<'_>) -> JobIdentifier {
    let usual = || FieldPath::parse("id").map(JobIdentifier::Path);
    let written = block(at, "id").and_then(|at| {
        let by_path = path::of(&at, "path", found).map(JobIdentifier::Path);
        let by_header = at.get("header").and_then(|at| header(&at, draft, found));
        match (by_path, by_header) {
            (Some(_), Some(_)) => {
                let message = "'path' and 'header' both say where the identifier is";
                at.error("BAD_REFERENCE", message).hint("remove one of them").add_to(found);
                None
            }
            (path, header) => path.or(header),
        }
    });
    // No one calls an operation of a file with errors.
    written.or_else(usual).unwrap_or_else(|| JobIdentifier::Header(String::new()))
}

fn header(
    at: &NodeCursor<'_>,
    draft: &DraftOperation<'_>,
    found: &mut Findings<'_>,
) -> Option<JobIdentifier> {
    let name = at.node.filled_text()?;
    if draft.operation.target.mapping.tool.is_some() {
        at.error("BAD_REFERENCE", "A tool has no headers").hint("name a path").add_to(found);
    } else if !is_http_token(name) {
        at.error("INVALID_VALUE", "This is no name of a header").expected("such as X-Job-Id").add_to(found);
    }
    Some(JobIdentifier::Header(name.to_owned()))
}

fn states(at: &NodeCursor<'_>) -> Vec<(String, ExecutionState)> {
    let Some(at) = block(at, "states") else { return Vec::new() };
    let entries = at.entries();
    let state = |text: Option<&str>| text.and_then(ExecutionState::parse);
    entries.filter_map(|(entry, at)| Some((entry.key.clone(), state(at.node.text())?))).collect()
}

fn progress(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<ProgressPaths> {
    let at = block(at, "progress")?;
    let paths = ProgressPaths {
        percentage: path::of(&at, "percentage", found),
        current: path::of(&at, "current", found),
        total: path::of(&at, "total", found),
        message: path::of(&at, "message", found),
    };
    if paths.current.is_some() != paths.total.is_some() {
        let message = "'current' and 'total' are told together";
        at.error("MISSING_KEY", message).hint("add the other one, or use percentage").add_to(found);
    }
    if paths == ProgressPaths::default() {
        let message = "Nothing says where the progress is";
        at.error("MISSING_KEY", message).expected("percentage, current with total, or message").add_to(found);
    }
    Some(paths)
}

fn poll(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> PollRule {
    let usual = PollRule::default();
    let Some(at) = block(at, "poll") else { return usual };
    let millis = |key: &str, usual: Duration| {
        at.whole(key).and_then(|number| u64::try_from(number).ok()).map_or(usual, Duration::from_millis)
    };
    let initial = millis("initial_ms", usual.initial);
    let longest = millis("max_ms", usual.longest.max(initial));
    let timeout = at.whole("timeout_s").and_then(|number| u64::try_from(number).ok());
    if longest < initial {
        let message = "The longest wait is shorter than the first";
        at.error("INVALID_VALUE", message).expected("max_ms no less than initial_ms").add_to(found);
    }
    PollRule { initial, longest, timeout: timeout.map_or(usual.timeout, Duration::from_secs) }
}

/// What a step is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepRole {
    TellsState,
    TellsEvents,
    Acts,
}

struct StepChecker<'c, 'a> {
    draft: &'c DraftOperation<'a>,
    siblings: &'c SiblingOperations<'c, 'a>,
}

impl StepChecker<'_, '_> {
    fn step(&self, at: &NodeCursor<'_>, role: StepRole, found: &mut Findings<'_>) -> Option<LifecycleStep> {
        let named = at.get("operation")?;
        let called = match role {
            StepRole::Acts => self.siblings.any(&named, found)?,
            StepRole::TellsState | StepRole::TellsEvents => self.siblings.reader(&named, found)?,
        };
        let is_stream = called.operation.target.answer == AnswerKind::Events;
        let name = &called.operation.name;
        let (message, expected) = match (role, is_stream) {
            (StepRole::TellsEvents, false) => {
                (format!("'{name}' gives no events"), "an operation whose response is text/event-stream")
            }
            (StepRole::TellsState | StepRole::Acts, true) => {
                (format!("'{name}' gives a stream of events"), "an operation that answers at once")
            }
            _ if *name == self.draft.operation.name => {
                (format!("'{name}' cannot be a step of itself"), "another operation")
            }
            _ => {
                let params = self.params(at, called, found);
                return Some(LifecycleStep { operation: name.clone(), params });
            }
        };
        named.error("BAD_REFERENCE", message).expected(expected).add_to(found);
        None
    }

    fn params(
        &self,
        at: &NodeCursor<'_>,
        called: &DraftOperation<'_>,
        found: &mut Findings<'_>,
    ) -> Vec<(String, StepValue)> {
        let mut params: Vec<(String, StepValue)> = Vec::new();
        for (entry, at) in block(at, "params").iter().flat_map(NodeCursor::entries) {
            let declared = called.operation.params.iter().map(|param| param.name.as_str());
            if !declared.clone().any(|name| name == entry.key) && !called.broken.may_hold(&entry.key) {
                let hint = found.nearest(&entry.key, declared);
                let name = shortened(&entry.key, 60);
                let message = format!("The operation '{}' has no parameter '{name}'", called.operation.name);
                at.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
            }
            let Some(text) = at.node.text() else { continue };
            let Some(value) = StepValue::parse(text) else {
                at.error("INVALID_VALUE", "This does not say where the value comes from")
                    .expected("id, params.NAME or response.PATH")
                    .received(quoted(text))
                    .add_to(found);
                continue;
            };
            if let StepValue::Param(name) = &value {
                self.check_own(name, &at, found);
            }
            params.push((entry.key.clone(), value));
        }
        self.fill(at, called, &mut params, found);
        params
    }

    /// The parameters that no one wrote down.
    fn fill(
        &self,
        at: &NodeCursor<'_>,
        called: &DraftOperation<'_>,
        params: &mut Vec<(String, StepValue)>,
        found: &mut Findings<'_>,
    ) {
        let is_open = |param: &&Param| param.required && param.default.is_none();
        let given =
            |params: &[(String, StepValue)], name: &str| params.iter().any(|(known, _)| known == name);
        let needed: Vec<&Param> = called
            .operation
            .params
            .iter()
            .filter(is_open)
            .filter(|param| !given(params, &param.name))
            .collect();
        let mut left: Vec<&str> = Vec::new();
        for param in needed {
            let own = self.draft.operation.params.iter().find(|own| own.name == param.name);
            match own.filter(|own| !own.is_secret() && own.required) {
                Some(own) => params.push((param.name.clone(), StepValue::Param(own.name.clone()))),
                None => left.push(&param.name),
            }
        }
        if let [only] = left.as_slice() {
            params.push(((*only).to_owned(), StepValue::Id));
            return;
        }
        for name in left {
            let message = format!("The operation '{}' needs the parameter '{name}'", called.operation.name);
            at.error("BAD_REFERENCE", message)
                .expected("params: {NAME: id}, {NAME: params.NAME} or {NAME: response.PATH}")
                .add_to(found);
        }
    }

    /// A parameter of the call that starts the job. What is secret is not kept, so no later step has it.
    fn check_own(&self, name: &str, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
        let own = self.draft.operation.params.iter().find(|param| param.name == name);
        match own {
            Some(param) if param.is_secret() => {
                let why = if param.sensitive { "is sensitive" } else { "has the name of a credential" };
                let message = format!("'{name}' {why} and is not kept, so later calls do not have it");
                at.error("BAD_REFERENCE", message).add_to(found);
            }
            None if !self.draft.broken.may_hold(name) => {
                let names = self.draft.operation.params.iter().map(|param| param.name.as_str());
                let hint = found.nearest(name, names);
                let message = format!("This operation has no parameter '{}'", shortened(name, 60));
                at.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
            }
            _ => {}
        }
    }
}
