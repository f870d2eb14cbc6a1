//! The author's claim how far the adapter can be trusted (trust document, sections 3, 4 and 7; ruling S1).
//!
//! The `trust` block in; the level that it is good for out, and the overrides of operations put into them. Nothing in the block
//! makes anything less strict: an expired certificate, a component that is trusted less and an override only lower.

use super::operation::DraftOperation;
use super::siblings::SiblingOperations;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, described, shortened};
use aqueduct_operations::clock::{Clock, SystemClock, parse_moment};
use aqueduct_operations::params::format::Format;
use aqueduct_operations::trust::TrustLevel;
use serde_json::{Map, Value as Json, json};

/// Judges the block; what becomes of an expired certificate is added to the history that is shown.
pub(super) fn check(
    root: &NodeCursor<'_>,
    shown: Option<&mut Map<String, Json>>,
    found: &mut Findings<'_>,
) -> Option<TrustLevel> {
    let at = root.get("trust")?;
    for key in ["verified_at", "verification_date", "generated_at", "validated_at"] {
        check_time(&at, key, found);
    }
    at.get("validation_report").iter().for_each(|report| check_report(report, found));
    let level = level_at(&at, "level");
    check_history(&at, level, found);
    let is_expired = at.get("certification").is_some_and(|at| check_certification(&at, level, found));
    let level = level?;
    let own = if is_expired { TrustLevel::CommunityReviewed } else { level };
    if let Some(shown) = shown.filter(|_| is_expired) {
        record_expiry(shown, level, own, at.get("certification").and_then(|at| at.text("expires_at")));
    }
    Some(lowest_component(&at, own, found))
}

fn level_at(at: &NodeCursor<'_>, key: &str) -> Option<TrustLevel> {
    TrustLevel::parse(at.text(key)?)
}

/// Times are ISO 8601: a moment, or a day.
fn check_time(block: &NodeCursor<'_>, key: &str, found: &mut Findings<'_>) {
    let Some(at) = block.get(key) else { return };
    let is_time = |text: &str| Format::DateTime.accepts(text) || Format::Date.accepts(text);
    if at.node.text().is_some_and(|text| !is_time(text)) {
        at.error("INVALID_VALUE", "There is no such day or time in ISO 8601")
            .expected("a time such as 2026-02-04T10:30:00Z, or a day such as 2026-02-04")
            .received(described(at.node))
            .add_to(found);
    }
}

fn check_report(at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    if let (Some(passed), Some(total)) = (at.whole("tests_passed"), at.whole("tests_total"))
        && passed > total
    {
        let message = format!("{passed} of {total} tests cannot have passed");
        at.error("CONTRADICTION", message).add_to(found);
    }
    if let (Some(percent), Some(place)) = (at.number("coverage_percent"), at.get("coverage_percent"))
        && !(0.0..=100.0).contains(&percent)
    {
        let finding = place.error("INVALID_VALUE", "This value is not allowed");
        finding.expected("a number from 0 to 100").received(described(place.node)).add_to(found);
    }
}

/// No promotion skips a level, no change is missing, and the last one leads to the level that is claimed.
fn check_history(trust: &NodeCursor<'_>, claimed: Option<TrustLevel>, found: &mut Findings<'_>) {
    let mut before: Option<TrustLevel> = None;
    let mut last = None;
    for at in trust.get("promotion_history").into_iter().flat_map(|list| list.elements()) {
        check_time(&at, "at", found);
        let (Some(from), Some(to)) = (level_at(&at, "from"), level_at(&at, "to")) else { return };
        check_step(&at, from, to, found);
        if let Some(before) = before.filter(|before| *before != from) {
            let message = format!("The change before led to '{}', this one begins elsewhere", before.name());
            at.error("CONTRADICTION", message).hint("write down every change, oldest first").add_to(found);
        }
        before = Some(to);
        last = Some((at, from, to));
    }
    let promoted = trust.get("promoted_from").zip(level_at(trust, "promoted_from"));
    let (Some(claimed), Some((at, from, to))) = (claimed, last) else {
        if let (Some(claimed), Some((at, from))) = (claimed, promoted) {
            check_step(&at, from, claimed, found);
        }
        return;
    };
    if to != claimed {
        let message = format!("The history ends with '{}', and the level is '{}'", to.name(), claimed.name());
        at.error("CONTRADICTION", message).hint("write down every change of the level").add_to(found);
    } else if to.step() < from.step() {
        let reason =
            at.text("reason").map(|reason| format!(": {}", shortened(reason, 200))).unwrap_or_default();
        let message = format!("The level was lowered from '{}' to '{}'{reason}", from.name(), to.name());
        at.warning("TRUST_LOWERED", message).add_to(found);
    }
    if let Some((at, stated)) = promoted.filter(|(_, stated)| *stated != from && to.step() > from.step()) {
        let message = format!("The history says '{}', and this is '{}'", from.name(), stated.name());
        at.error("CONTRADICTION", message).hint("write the level before the last promotion").add_to(found);
    }
}

fn check_step(at: &NodeCursor<'_>, from: TrustLevel, to: TrustLevel, found: &mut Findings<'_>) {
    if to.step() > from.step() + 1 {
        let message = format!("A promotion from '{}' to '{}' skips a level", from.name(), to.name());
        at.error("SKIPPED_LEVEL", message)
            .hint("untested, generated, validated, community_reviewed, certified: each is reached from the one before")
            .add_to(found);
    }
}

/// True when the level is that of a certificate, and the certificate is over.
fn check_certification(at: &NodeCursor<'_>, level: Option<TrustLevel>, found: &mut Findings<'_>) -> bool {
    check_time(at, "issued_at", found);
    check_time(at, "expires_at", found);
    if let Some(signature) = at.get("signature")
        && signature.node.text().is_some_and(|text| text.is_empty() || !Format::Base64.accepts(text))
    {
        let finding = signature.error("INVALID_VALUE", "The signature is not base64");
        finding.expected(Format::Base64.expectation()).add_to(found);
    }
    let Some(end) = at.get("expires_at") else { return false };
    let is_over = end.node.text().and_then(parse_moment).is_some_and(|end| end <= SystemClock.now());
    let is_claimed = level.is_some_and(|level| level.step() == TrustLevel::Certified.step());
    if is_over && is_claimed {
        let lower = TrustLevel::CommunityReviewed.name();
        let message = format!("The certificate is over, so the level is '{lower}'");
        end.warning("CERTIFICATE_EXPIRED", message).hint("have it certified again").add_to(found);
    }
    is_over && is_claimed
}

/// Writes the change into the history that is shown; what is written of the validation stays.
fn record_expiry(shown: &mut Map<String, Json>, from: TrustLevel, to: TrustLevel, at: Option<&str>) {
    let Some(trust) = shown.get_mut("trust").and_then(Json::as_object_mut) else { return };
    let history = trust.entry("promotion_history").or_insert_with(|| json!([]));
    if let Some(history) = history.as_array_mut() {
        history.push(json!({"from": from.name(), "to": to.name(), "at": at, "by": "aqueduct", "reason": "the certificate is over"}));
    }
}

/// What stands for several APIs is trusted as the one of them that is trusted least.
fn lowest_component(trust: &NodeCursor<'_>, own: TrustLevel, found: &mut Findings<'_>) -> TrustLevel {
    let components = trust.get("components").into_iter().flat_map(|list| list.elements());
    let Some(lowest) = components.filter_map(|at| level_at(&at, "level")).min_by_key(|level| level.step())
    else {
        return own;
    };
    if let Some((at, stated)) = trust.get("effective_level").zip(level_at(trust, "effective_level"))
        && stated != lowest
    {
        let message = format!("The lowest level of the components is '{}'", lowest.name());
        at.error("CONTRADICTION", message).add_to(found);
    }
    if !own.lets_through_more_than(lowest) {
        return own;
    }
    if let Some(at) = trust.get("components") {
        let message = format!("One of the components is trusted less, so the level is '{}'", lowest.name());
        at.warning("TRUST_LOWERED", message).add_to(found);
    }
    lowest
}

/// The levels of single operations, by their places in the list of drafts.
pub(super) fn overrides(
    root: &NodeCursor<'_>,
    drafts: &[DraftOperation<'_>],
    siblings: &SiblingOperations<'_, '_>,
    found: &mut Findings<'_>,
) -> Vec<(usize, TrustLevel)> {
    let Some(trust) = root.get("trust") else { return Vec::new() };
    let claimed = level_at(&trust, "level");
    let mut levels = Vec::new();
    for (entry, at) in trust.get("operation_overrides").into_iter().flat_map(|map| map.entries()) {
        if !siblings.is_written(&entry.key) {
            let hint = siblings.nearest(&entry.key, found);
            let message = format!("There is no operation '{}'", shortened(&entry.key, 80));
            at.error("UNKNOWN_REFERENCE", message).on_key(entry).maybe_hint(hint).add_to(found);
            continue;
        }
        let Some(level) = level_at(&at, "level") else { continue };
        let Some(index) = drafts.iter().position(|draft| draft.operation.name == entry.key) else { continue };
        let operation = &drafts[index].operation;
        let is_raise = |claimed: &TrustLevel| {
            level.outcome(operation.category, operation.danger.level)
                < claimed.outcome(operation.category, operation.danger.level)
        };
        if let Some(claimed) = claimed.filter(is_raise) {
            let message =
                format!("'{}' lets through more than the adapter's '{}'", level.name(), claimed.name());
            at.warning("NO_EFFECT", message)
                .hint(
                    "an override only makes stricter; operators raise the level of the adapter with --trust",
                )
                .add_to(found);
        }
        levels.push((index, level));
    }
    levels
}
