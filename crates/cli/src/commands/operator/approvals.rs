//! `operator approvals`, `approve` and `deny`: what waits, shown in full, and the answer.
//!
//! Ids in; how each question stands out. Everything that comes from a client or an adapter is made safe for the terminal.

use super::super::pretty;
use super::passphrase::{OPERATOR, unlocked};
use crate::cli::{ApprovalsArgs, ApproveArgs, DenyArgs, OutputFormat};
use crate::config;
use crate::report::{self, CommandError, Exit, terminal_safe};
use crate::store::failed;
use aqueduct::store::Store;
use aqueduct::store::approvals::{Approval, ApprovalDecision, ApprovalFilter, ApprovalState, Decided};
use aqueduct::store::audit::AuditFilter;
use aqueduct::store::audit::entry::event;
use aqueduct::{Clock, SystemClock};
use aqueduct_dispatch::request_in_words;
use aqueduct_operations::clock::iso8601;
use aqueduct_operations::failure::wording::abridged;
use aqueduct_operations::sanitize::one_line;
use aqueduct_safety::approval_terms::{cooldown, usable_for};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Characters of a reason.
const LONGEST_REASON: usize = 500;

/// Characters of a value, or of a request, that are shown on a line.
const LONGEST_LINE: usize = 1_000;
/// The most approvals that are shown or looked through.
const MOST: u32 = 500;
/// The shortest begin of an id that is taken for it: no one types so much by accident.
const SHORTEST: usize = 8;

/// How long a hook that failed is spoken of.
const HOUR: Duration = Duration::from_secs(3600);

/// Shows what waits, or everything.
pub async fn show(args: &ApprovalsArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    let filter = ApprovalFilter { only_waiting: !args.all, ..ApprovalFilter::default() };
    let found = store.find_approvals(filter, MOST).await.map_err(failed)?;
    if args.format == OutputFormat::Json {
        report::data(&pretty(&found.iter().map(as_json).collect()));
    } else if found.is_empty() {
        report::note(if args.all { "nobody has asked for anything" } else { "nothing waits" });
    } else {
        let blocks: Vec<String> = found.iter().map(as_text).collect();
        report::data(&blocks.join("\n\n"));
    }
    warn_of_hooks(&store).await
}

/// Says that no one was told of something, if that was not long ago.
async fn warn_of_hooks(store: &Store) -> Result<Exit, CommandError> {
    let since = SystemClock.now().checked_sub(HOUR).ok();
    let filter = AuditFilter { event: Some(event::HOOK_FAILED.to_owned()), since, ..AuditFilter::default() };
    if let Some(line) = store.audit_lines(filter, 1).await.map_err(failed)?.pop() {
        let why = terminal_safe(line.entry.detail.as_deref().unwrap_or_default());
        report::note(&format!("warning: nobody was told of what waits: {why} ({})", iso8601(line.moment())));
    }
    Ok(Exit::Done)
}

/// Lets a call run once.
pub async fn approve(args: &ApproveArgs) -> Result<Exit, CommandError> {
    let settings = config::gate_settings(args.operator.store.config.as_deref())?;
    let store = unlocked(&args.operator).await?;
    let pending = find(&store, &args.id).await?;
    let cooldown = cooldown(&pending).as_secs();
    let usable_for = usable_for(&settings, &pending);
    let approval = answered(&store, pending, ApprovalDecision::Approve { usable_for }).await?;
    report::data(&as_text(&approval));
    let until = iso8601(approval.expires_at);
    let from = if cooldown == 0 { String::new() } else { format!(" in {cooldown} seconds or later,") };
    report::note(&format!(
        "approved: {}; it runs when the same call comes again,{from} until {until}",
        names(&approval)
    ));
    Ok(Exit::Done)
}

/// Refuses a call.
pub async fn deny(args: &DenyArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    let pending = find(&store, &args.id).await?;
    // The caller reads it, in one line, as one that is given on the page.
    let reason = args.reason.as_deref().map(|reason| one_line(reason).chars().take(LONGEST_REASON).collect());
    let approval = answered(&store, pending, ApprovalDecision::Deny { reason }).await?;
    report::data(&as_text(&approval));
    report::note(&format!("denied: {}", names(&approval)));
    Ok(Exit::Done)
}

async fn answered(
    store: &Store,
    pending: Approval,
    verdict: ApprovalDecision,
) -> Result<Approval, CommandError> {
    match store.decide_approval(&pending.id, verdict, OPERATOR).await.map_err(failed)? {
        Decided::Done(approval) => Ok(approval),
        Decided::TooLate(approval) => {
            Err(CommandError::failed(format!("it is too late: {} is {}", approval.id, approval.state.name())))
        }
        Decided::Unknown => Err(unknown(&pending.id)),
    }
}

/// The approval whose id begins so, among those that wait.
async fn find(store: &Store, given: &str) -> Result<Approval, CommandError> {
    check_length(given, "aqueduct operator approvals")?;
    let id_prefix = Some(given.to_owned());
    let filter = ApprovalFilter { only_waiting: true, id_prefix, ..ApprovalFilter::default() };
    let waiting = store.find_approvals(filter, MOST).await.map_err(failed)?;
    if let Some(one) = only_one(&waiting, given)? {
        return Ok(one);
    }
    // One that was answered before has its own message.
    store.approval(given).await.map_err(failed)?.ok_or_else(|| unknown(given))
}

/// Refuses the begin of an id that is too short to be meant.
pub fn check_length(given: &str, shown_by: &str) -> Result<(), CommandError> {
    if given.chars().count() >= SHORTEST {
        return Ok(());
    }
    Err(CommandError::invalid(format!(
        "'{}' is too short; give at least {SHORTEST} characters of the id, as '{shown_by}' shows it",
        terminal_safe(given)
    )))
}

/// The only approval, if there is one. Of several the operator is shown all, and chooses.
fn only_one(found: &[Approval], given: &str) -> Result<Option<Approval>, CommandError> {
    match found {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        several => {
            let blocks: Vec<String> = several.iter().map(as_text).collect();
            let given = terminal_safe(given);
            Err(CommandError::invalid(format!(
                "several approvals begin with '{given}'; give more of the id\n\n{}",
                blocks.join("\n\n")
            )))
        }
    }
}

fn unknown(id: &str) -> CommandError {
    CommandError::invalid(format!(
        "nothing waits with the id '{}'; see 'aqueduct operator approvals'",
        terminal_safe(id)
    ))
}

/// The operations of an approval.
fn names(approval: &Approval) -> String {
    let names: Vec<&str> = calls(approval).map(|call| text(call, "operation")).collect();
    terminal_safe(&names.join(", "))
}

fn calls(approval: &Approval) -> impl Iterator<Item = &Value> {
    approval.shown["calls"].as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn as_json(approval: &Approval) -> Value {
    json!({
        "id": approval.id,
        "state": approval.state.name(),
        "caller": approval.caller,
        "session": approval.session,
        "danger": approval.danger,
        "rule": approval.rule,
        "calls": approval.shown["calls"],
        "requested_at": iso8601(approval.requested_at),
        "expires_at": iso8601(approval.expires_at),
        "seconds_left": seconds_left(approval),
        "decided_at": approval.decided_at.map(iso8601),
        "approver": approval.approver,
        "reason": approval.reason,
    })
}

fn seconds_left(approval: &Approval) -> i64 {
    approval.expires_at.duration_since(SystemClock.now()).as_secs().max(0)
}

fn as_text(approval: &Approval) -> String {
    let when = match approval.state {
        ApprovalState::Waiting | ApprovalState::Approved => {
            format!("{} left", length(seconds_left(approval)))
        }
        _ => format!("asked {}", iso8601(approval.requested_at)),
    };
    let Approval { id, caller, session, .. } = approval;
    let mut lines = vec![
        format!("{id}  {}, {when}", approval.state.name()),
        format!("  who    {caller}, session {session}"),
    ];
    for call in calls(approval) {
        lines.push(format!(
            "  call   {} of {} ({})",
            text(call, "operation"),
            text(call, "source"),
            text(call, "danger_level")
        ));
        let params = call["params"].as_object();
        lines.extend(params.into_iter().flat_map(params_lines));
        let reasons: Vec<&str> =
            call["reasons"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        lines.push(format!("  why    {}", reasons.join("; ")));
        lines.extend(call["message"].as_str().map(|message| format!("  says   {message}")));
        let sends = request_in_words(&call["request"]);
        lines.extend((!sends.is_empty()).then(|| format!("  sends  {}", cut(&sends))));
    }
    lines.extend(approval.rule.as_ref().map(|rule| format!("  rule   {rule}")));
    let cooldown = cooldown(approval).as_secs();
    lines.extend((cooldown > 0).then(|| format!("  waits  {cooldown} s after the yes, to think again")));
    let answer = approval.approver.as_ref().map(|by| {
        let reason = approval.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        format!("  answer by {by}{reason}")
    });
    lines.extend(answer);
    lines.iter().map(|line| terminal_safe(line)).collect::<Vec<_>>().join("\n")
}

fn params_lines(params: &Map<String, Value>) -> Vec<String> {
    params.iter().map(|(name, value)| format!("         {name}: {}", cut(&value.to_string()))).collect()
}

/// A text of a sensible length, which says when it is not all.
fn cut(text: &str) -> String {
    let shown = abridged(text, LONGEST_LINE);
    if shown == text { shown } else { format!("{shown} (--format json shows all of it)") }
}

fn length(seconds: i64) -> String {
    if seconds < 120 { format!("{seconds} s") } else { format!("{} min", seconds / 60) }
}

#[cfg(test)]
mod tests;
