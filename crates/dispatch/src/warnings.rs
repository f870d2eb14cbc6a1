//! Warnings about calls that worked: that an operation will go away, that a word is out of use, that it took long (warnings
//! document, section 4).
//!
//! A call and the time in, warnings out. The same condition always has the same severity. Only what this caller may call is
//! named as the replacement of what goes away.

use crate::context::CallContext;
use crate::stages::validate::CheckedRequest;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::controls::Control;
use aqueduct_operations::reply::{Warning, WarningSeverity};
use aqueduct_operations::response::Deprecation;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::time::Duration;

/// Days before an operation goes in which it matters much.
const LAST_DAYS: i32 = 30;

/// The warnings about a call, whatever its result.
pub fn of(checked: &CheckedRequest<'_>, context: &CallContext<'_>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let operation = &checked.entry.operation;
    if let Some(deprecation) = &operation.deprecated {
        let name = &checked.entry.public_name;
        let replacement = deprecation.replacement.as_ref().and_then(|_| replacement(name, context));
        warnings.push(deprecated(name, deprecation, replacement, &*context.dispatcher.settings.clock));
    }
    if checked.controls.get(Control::Preset).is_some() {
        let name = Control::Preset.name_on(operation);
        warnings.push(
            Warning::new("DEPRECATION_WARNING", format!("Parameter '{name}' is deprecated"))
                .with("type", "parameter")
                .with("deprecated_item", name)
                .with("replacement", Control::Fields.name_on(operation))
                .rated(WarningSeverity::Low),
        );
    }
    warnings
}

/// What this caller may call instead of an operation, by the name to call it by.
fn replacement<'c>(name: &str, context: &CallContext<'c>) -> Option<&'c str> {
    let (index, ..) = context.catalog.find(name)?;
    context.catalog.view_of(&context.origin.caller, &context.origin.scopes).replacement_of(index)
}

fn deprecated(
    name: &str,
    deprecation: &Deprecation,
    replacement: Option<&str>,
    clock: &dyn Clock,
) -> Warning {
    let mut warning = Warning::new("DEPRECATION_WARNING", format!("Operation '{name}' is deprecated"))
        .with("type", "operation")
        .with("deprecated_item", name);
    if let Some(since) = &deprecation.since {
        warning = warning.with("since", since.as_str());
    }
    if let Some(replacement) = replacement {
        warning.message.push_str(&format!(". Use '{replacement}' instead"));
        warning = warning.with("replacement", replacement);
    }
    let Some(date) = &deprecation.removal_date else { return warning.rated(WarningSeverity::Low) };
    let is_soon = date.parse::<Date>().is_ok_and(|date| {
        let today = clock.now().to_zoned(TimeZone::UTC).date();
        today.until(date).is_ok_and(|left| left.get_days() <= LAST_DAYS)
    });
    let severity = if is_soon { WarningSeverity::High } else { WarningSeverity::Medium };
    warning.with("removal_date", date.as_str()).rated(severity)
}

/// The warning that a call of this operation took long.
pub fn slow(operation: &str, took: Duration, threshold: Duration) -> Option<Warning> {
    if took <= threshold {
        return None;
    }
    let (took, threshold) = (millis(took), millis(threshold).max(1));
    let severity = match took / threshold {
        0..2 => WarningSeverity::Low,
        2..=10 => WarningSeverity::Medium,
        _ => WarningSeverity::High,
    };
    let suggestions = ["ask for fewer items", "add a filter which the API applies itself"];
    let message = format!("Operation took {took}ms (threshold: {threshold}ms)");
    let warning = Warning::new("PERFORMANCE_SLOW_QUERY_WARNING", message)
        .with("operation", operation)
        .with("duration_ms", took)
        .with("threshold_ms", threshold)
        .with("suggestions", suggestions.to_vec())
        .rated(severity);
    Some(warning)
}

/// Fields that are stored and that the API does not take back.
pub fn not_written_back(operation: &str, fields: &[String]) -> Warning {
    const NAMED: usize = 10;
    let named: Vec<&str> = fields.iter().take(NAMED).map(String::as_str).collect();
    let message = format!(
        "Stored fields were not written back, because '{operation}' does not take them: {}",
        named.join(", ")
    );
    Warning::new("STORED_FIELDS_OMITTED", message)
        .with("fields", named)
        .with("count", fields.len())
        .rated(WarningSeverity::Medium)
}

/// Fields were chosen of a response that has none.
pub fn no_fields_in_text(control: &str) -> Warning {
    let message = format!(
        "The answer is text without fields of its own, so '{control}' chooses nothing of it. It is given whole."
    );
    Warning::new("VALIDATION_UNKNOWN_FIELD_WARNING", message)
        .with("control", control)
        .rated(WarningSeverity::Low)
}

/// Numbers of a response that no machine number holds.
pub fn numbers_beyond_range(count: usize) -> Warning {
    let message = format!(
        "{count} numbers of the answer are larger than programs can hold. They are given as text, and are no numbers for \
         filter, sort and aggregate."
    );
    Warning::new("NUMBER_OUT_OF_RANGE", message).with("count", count).rated(WarningSeverity::Medium)
}

/// Stored fields by which the API checks that nothing has changed since the client looked.
pub fn check_not_filled_in(operation: &str, fields: &[String]) -> Warning {
    let message = format!(
        "Not filled in, because the API checks changes by it: {}. Where '{operation}' must have it, send it as it was read.",
        fields.join(", ")
    );
    Warning::new("STORED_FIELDS_OMITTED", message)
        .with("fields", fields.to_vec())
        .with("count", fields.len())
        .rated(WarningSeverity::Medium)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
