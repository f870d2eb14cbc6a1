//! Limits and quotas: how far they are used, and paused ones that the operator lets go on.
//!
//! The counters of the store in; a table out. Letting a quota go on asks for the passphrase.

use super::passphrase::{OPERATOR, unlocked};
use crate::cli::ContinueArgs;
use crate::report::{self, CommandError, Exit};
use crate::store::failed;
use aqueduct_operations::rate_limits::status::{CounterStatus, SourceLimitStatus};

/// Lets paused quotas go on.
pub(super) async fn resume_quota(args: &ContinueArgs) -> Result<Exit, CommandError> {
    let store = unlocked(&args.operator).await?;
    let continued =
        store.continue_quotas(&args.source, args.metric.as_deref(), OPERATOR).await.map_err(failed)?;
    store.settle(std::time::Duration::from_secs(5)).await;
    if continued.is_empty() {
        let message = format!(
            "no quota of '{}' is paused; 'aqueduct operator status' shows how far they are used",
            args.source
        );
        return Err(CommandError::invalid(message));
    }
    report::data(&format!("{} goes on until it starts again: {}", args.source, continued.join(", ")));
    Ok(Exit::Done)
}

/// The lines of `operator status`, nothing without limits.
pub(super) fn table(sources: &[SourceLimitStatus]) -> String {
    let mut lines = String::new();
    for source in sources {
        lines.push_str(&format!("\n{}", source.source));
        if let Some(held_until) = &source.held_until {
            lines.push_str(&format!("  waits until {held_until}, as its API asked"));
        }
        for counter in &source.counters {
            lines.push_str(&format!("\n  {}", line(counter)));
        }
    }
    lines
}

fn line(counter: &CounterStatus) -> String {
    let number = |amount: f64| CounterStatus::number(amount).to_string();
    let thresholds = [
        ("of", counter.limit),
        ("warn", counter.warn),
        ("pause", counter.pause),
        ("stop", counter.hard_stop),
    ];
    let thresholds: Vec<String> = thresholds
        .into_iter()
        .filter_map(|(name, amount)| Some(format!("{name} {}", number(amount?))))
        .collect();
    let name = counter.full_name();
    let resets = counter.resets_at.as_ref().map_or_else(String::new, |at| format!(", starts again {at}"));
    format!("{name:<28} {:<9} {} {}{resets}", counter.status, number(counter.current), thresholds.join(", "))
}
