//! Round-Trip Integrity: what is created is read back as it was, and changes change what they should and nothing else.
//!
//! The histories of things that were made in, the tests of them out; nothing is sent from here.

use crate::lifecycle::{Cycle, ResourceHistory, UpdateHistory, approval};
use crate::report::TestReport;
use crate::suite::Run;
use crate::verdict::Check;
use serde_json::{Map, Value};

pub(super) fn checks(run: &Run<'_>) -> Vec<TestReport> {
    vec![create_read(run), preservation(run), changes(run), without_input(run), after_deletion(run)]
}

fn create_read(run: &Run<'_>) -> TestReport {
    let name = "Create-read cycles preserve submitted fields";
    let mut check = Check::new(name, "X-conf-65", run.why_no_writes());
    for ResourceHistory { cycle, submitted, created, read_back, .. } in run.histories {
        if !created.is_success() {
            if created.is_failure() && created.is_in_doubt() {
                let problem = || format!("'{}' fails in the midst of a right request.", cycle.create.name);
                check.prefer(false, problem, created);
            }
            check.skip(&format!("nothing could be created: {}", created.shown_answer()));
            continue;
        }
        let Some(read) = read_back else {
            check
                .skip(&format!("the answer of '{}' has no identifier to read it back by", cycle.create.name));
            continue;
        };
        let problem = || format!("'{}' does not read what '{}' made.", cycle.read.name, cycle.create.name);
        check.expect(read.is_success(), problem, read);
        let mut kept = Map::new();
        for (name, value) in expected(*cycle, submitted).filter(|_| read.is_success()) {
            let back = &read.data()[name];
            let problem = || format!("'{name}' was sent as {value}, and came back as {back}.");
            check.expect(back == value, problem, read);
            kept.insert(name.clone(), value.clone());
        }
        run.evidence.borrow_mut().round_trip(&format!("create-{}", cycle.create.name), &kept, read);
    }
    check.finish("What was sent came back unchanged.")
}

/// The submitted values that are fields of the thing: not where it is, nor what is not to be seen again.
fn expected<'a>(
    cycle: Cycle<'a>,
    submitted: &'a Map<String, Value>,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    submitted.iter().filter(move |(name, _)| {
        let is_secret =
            cycle.create.parameter(name).is_some_and(|parameter| parameter.raw["sensitive"] == true);
        !is_secret && cycle.read.parameter(name).is_none()
    })
}

/// The histories in which something was changed.
fn updates<'a>(run: &'a Run<'_>, check: &mut Check) -> Vec<(&'a ResourceHistory<'a>, &'a UpdateHistory)> {
    let updates: Vec<_> =
        run.histories.iter().filter_map(|history| Some((history, history.update.as_ref()?))).collect();
    if updates.is_empty() && run.histories.iter().any(|history| history.created.is_success()) {
        check.skip(
            "no operation was found that changes what was created, with fields that introspection describes",
        );
    }
    if let Some((_, update)) = updates.iter().find(|(_, update)| !update.answer.is_success()) {
        check.skip(&format!("nothing could be changed: {}", update.answer.shown_answer()));
    }
    updates.into_iter().filter(|(_, update)| update.answer.is_success()).collect()
}

fn preservation(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Updates preserve non-targeted fields", "X-conf-65", run.why_no_writes());
    for (history, update) in updates(run, &mut check) {
        let read = &history.cycle.read.name;
        let is_there = update.after.is_success();
        check.expect(is_there, || format!("'{read}' does not read it after its change."), &update.after);
        if !is_there {
            continue;
        }
        let mut kept = Map::new();
        for (name, value) in update.before.as_object().into_iter().flatten() {
            // Marks of the version change with every change.
            if update.changed.contains_key(name) || is_volatile(name) {
                continue;
            }
            let after = &update.after.data()[name];
            let problem = || format!("'{name}' was {value}, was not changed, and is {after}.");
            check.expect(after == value, problem, &update.after);
            kept.insert(name.clone(), value.clone());
        }
        run.evidence.borrow_mut().update(
            &format!("update-{}", history.cycle.create.name),
            &kept,
            &update.after,
        );
    }
    check.finish("What was not changed is as it was.")
}

fn is_volatile(name: &str) -> bool {
    name.starts_with('_')
        || ["updated", "modified", "version", "etag", "revision"].iter().any(|word| name.contains(word))
}

fn changes(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Updates change the fields that are sent", "C4.5.1-2", run.why_no_writes());
    for (_, update) in updates(run, &mut check).into_iter().filter(|(_, update)| update.after.is_success()) {
        for (name, value) in &update.changed {
            let after = &update.after.data()[name];
            check.expect(
                after == value,
                || format!("'{name}' was changed to {value}, and is {after}."),
                &update.after,
            );
        }
    }
    check.finish("What was changed is as it was sent.")
}

fn without_input(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("Updates without input are refused", "C4.5.3-1", run.why_no_writes());
    for (_, update) in updates(run, &mut check) {
        let answer = &update.without_input;
        let is_right = answer.is_failure() && answer.code() == "VALIDATION_MISSING_PARAM";
        check.expect(
            is_right,
            || "An update without 'input' is not refused as one with a missing parameter.".to_owned(),
            answer,
        );
    }
    check.finish("An update without 'input' is refused.")
}

fn after_deletion(run: &Run<'_>) -> TestReport {
    let mut check = Check::new("What is deleted is gone", "C8.1-4", run.why_no_writes());
    for history in run.histories {
        let (Some(deleted), Some(after_deletion)) = (&history.deleted, &history.after_deletion) else {
            continue;
        };
        if let Some(approval) = approval(deleted) {
            check.skip(&format!("the deletion waits for somebody to approve it, as '{approval}'"));
            continue;
        }
        check.expect(
            deleted.is_success(),
            || format!("'{}' does not delete it.", history.cycle.delete.name),
            deleted,
        );
        if deleted.is_success() && history.is_readable() {
            check.expect(
                after_deletion.is_failure(),
                || "It is still there after its deletion.".to_owned(),
                after_deletion,
            );
        }
    }
    check.finish("What was created is gone after its deletion.")
}
