//! The `trust` block: what its author claims, what is checked of it, and what it is good for.
//!
//! Trust document, sections 3, 4 and 7; ruling S1.

use super::{SHOP, changed, codes, good, load_text, refusal, with_operations};
use crate::load;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_source_kind::settings::SourceSettings;

fn adding(block: &str) -> String {
    changed("operations:", &format!("{block}\noperations:"))
}

fn trust(keys: &str) -> String {
    adding(&format!("trust: {{{keys}}}"))
}

const CERTIFICATE: &str = "{authority: Vendor, signature: c2lnbmVk, certificate_id: C-1, issued_at: \"2026-01-01\", \
                           expires_at: \"2999-01-01T00:00:00Z\", scope: [all_operations]}";

fn history(changes: &[(&str, &str)]) -> String {
    let change = |(from, to): &(&str, &str)| {
        format!("{{from: {from}, to: {to}, at: \"2026-01-01T10:00:00+01:00\", by: me, reason: why}}")
    };
    format!("promotion_history: [{}]", changes.iter().map(change).collect::<Vec<_>>().join(", "))
}

const LADDER: &[(&str, &str)] = &[
    ("untested", "generated"),
    ("generated", "validated"),
    ("validated", "community_reviewed"),
    ("community_reviewed", "certified"),
];

/// X-trust-5 X-trust-6 X-trust-7 X-trust-8 X-adapter-23: every key is read without a word, and kept as it is written.
#[test]
fn metadata() {
    let text = trust(&format!(
        "level: certified, generated_at: \"2026-01-01T00:00:00Z\", generated_by: gen, validated_at: \"2026-01-02\", \
         validated_by: me, validation_report: {{tests_passed: 3, tests_total: 4, endpoints_verified: 2, \
         coverage_percent: 62.5, last_api_response: \"2026-01-02T08:00:00Z\"}}, promoted_from: community_reviewed, \
         {}, certification: {CERTIFICATE}, verified_by: us, verified_at: \"2026-01-03T00:00:00Z\", \
         verification_date: \"2026-01-03\", delegated_from: {{authority: Vendor, scope: all}}",
        history(LADDER)
    ));
    assert_eq!(codes(&text), Vec::<String>::new());
    let source = good(&text).source;
    assert_eq!(source.trust, TrustLevel::Certified);
    let shown = &source.info["trust"];
    assert_eq!(shown["validation_report"]["coverage_percent"], 62.5);
    assert_eq!(shown["promotion_history"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        (&shown["certification"]["certificate_id"], &shown["verified_by"]),
        (&"C-1".into(), &"us".into())
    );
    assert_eq!(codes(&trust("level: validated, certification: null")), Vec::<String>::new());
}

/// X-trust-5 X-trust-6 X-trust-7 X-trust-8 X-trust-14: what is wrong is told with its place, and the file is not taken. (A
/// missing block is `validated` here, by ruling S1.)
#[test]
fn metadata_that_does_not_fit() {
    let change = |keys: &str| format!("promotion_history: [{{{keys}}}]");
    let certificate = |from: &str, to: &str| format!("certification: {}", CERTIFICATE.replace(from, to));
    for (keys, code) in [
        ("generated_at: yesterday".to_owned(), "INVALID_VALUE trust.generated_at"),
        ("validated_at: \"2026-02-30\"".to_owned(), "INVALID_VALUE trust.validated_at"),
        ("verified_at: 2026".to_owned(), "WRONG_TYPE trust.verified_at"),
        ("validated_by: [me]".to_owned(), "WRONG_TYPE trust.validated_by"),
        ("validation_report: good".to_owned(), "WRONG_TYPE trust.validation_report"),
        (
            "validation_report: {tests_passed: 1.5}".to_owned(),
            "WRONG_TYPE trust.validation_report.tests_passed",
        ),
        (
            "validation_report: {tests_total: -1}".to_owned(),
            "INVALID_VALUE trust.validation_report.tests_total",
        ),
        ("validation_report: {tests: 1}".to_owned(), "UNKNOWN_KEY trust.validation_report.tests"),
        (
            "validation_report: {tests_passed: 2, tests_total: 1}".to_owned(),
            "CONTRADICTION trust.validation_report",
        ),
        (
            "validation_report: {coverage_percent: 101}".to_owned(),
            "INVALID_VALUE trust.validation_report.coverage_percent",
        ),
        ("promoted_from: gold".to_owned(), "INVALID_VALUE trust.promoted_from"),
        (
            change("from: generated, to: validated, at: \"2026-01-01\""),
            "MISSING_KEY trust.promotion_history[0].by",
        ),
        (
            change("from: generated, to: validated, at: noon, by: me"),
            "INVALID_VALUE trust.promotion_history[0].at",
        ),
        (
            change("from: generated, to: gold, at: \"2026-01-01\", by: me"),
            "INVALID_VALUE trust.promotion_history[0].to",
        ),
        (certificate("c2lnbmVk", "'not base64!'"), "INVALID_VALUE trust.certification.signature"),
        (certificate("c2lnbmVk", "''"), "INVALID_VALUE trust.certification.signature"),
        (certificate("\"2026-01-01\"", "soon"), "INVALID_VALUE trust.certification.issued_at"),
        (certificate("authority: Vendor, ", ""), "MISSING_KEY trust.certification.authority"),
        (certificate("[all_operations]", "all"), "WRONG_TYPE trust.certification.scope"),
        (
            "operation_overrides: {get_item: {reason: x}}".to_owned(),
            "MISSING_KEY trust.operation_overrides.get_item.level",
        ),
        ("components: [{api: a}]".to_owned(), "MISSING_KEY trust.components[0].level"),
    ] {
        assert_eq!(refusal(&trust(&format!("level: validated, {keys}"))), [code], "{keys}");
    }
}

/// X-trust-2: whatever level a file claims, it is not taken without what `generated` asks for: front matter that parses, the
/// required fields, a target and operations in their form.
#[test]
fn no_level_replaces_a_good_file() {
    for level in TrustLevel::NAMES {
        let text = trust(&format!("level: {level}"));
        good(&text);
        for (from, to) in [
            ("name: shop\n", ""),
            ("version: \"1.0.0\"\n", ""),
            ("  transport: http\n", ""),
            ("https://api.example.com/v1", "somewhere"),
            ("name: get_item", "nome: get_item"),
            ("operations:", "operations: ["),
        ] {
            assert!(text.contains(from), "{from}");
            assert!(load_text(&text.replacen(from, to, 1)).loaded.is_none(), "{level}: {to}");
        }
    }
}

/// X-trust-9: no promotion skips a level, in the history or in `promoted_from`.
#[test]
fn promotions() {
    for (from, to) in [("untested", "validated"), ("generated", "community_reviewed"), ("low", "official")] {
        let text = trust(&format!("level: {to}, {}", history(&[(from, to)])));
        assert_eq!(refusal(&text), ["SKIPPED_LEVEL trust.promotion_history[0]"], "{from} {to}");
        let text = trust(&format!("level: {to}, promoted_from: {from}"));
        assert_eq!(refusal(&text), ["SKIPPED_LEVEL trust.promoted_from"], "{from} {to}");
    }
    for (from, to) in [("generated", "community"), ("community", "verified"), ("verified", "official")] {
        let text = trust(&format!("level: {to}, promoted_from: {from}, {}", history(&[(from, to)])));
        assert_eq!(codes(&text), Vec::<String>::new(), "{from} {to}");
    }
    let gap = [("untested", "generated"), ("validated", "community_reviewed")];
    let text = trust(&format!("level: community_reviewed, {}", history(&gap)));
    assert_eq!(refusal(&text), ["CONTRADICTION trust.promotion_history[1]"], "a change is missing");
    let text = trust(&format!("level: validated, promoted_from: community, {}", history(&LADDER[..2])));
    assert_eq!(refusal(&text), ["CONTRADICTION trust.promoted_from"]);
}

/// X-trust-10: the history ends with the level that is claimed; anyone who loads the file is told that it was lowered, and when it
/// was validated stays.
#[test]
fn demotions() {
    let up = LADDER[..3].to_vec();
    let down = [up.as_slice(), &[("community_reviewed", "generated")]].concat();
    let text = trust(&format!("level: generated, validated_at: \"2026-01-01\", {}", history(&down)));
    let outcome = load_text(&text);
    let [told] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!((told.code, told.path.as_str()), ("TRUST_LOWERED", "trust.promotion_history[3]"));
    assert!(told.message.contains("from 'community_reviewed' to 'generated': why"), "{}", told.message);
    let source = outcome.loaded.unwrap().source;
    assert_eq!(
        (source.trust, &source.info["trust"]["validated_at"]),
        (TrustLevel::Generated, &"2026-01-01".into())
    );
    for level in ["generated", "certified"] {
        let text = trust(&format!("level: {level}, {}", history(&up)));
        assert_eq!(
            refusal(&text),
            ["CONTRADICTION trust.promotion_history[2]"],
            "{level} is not in the history"
        );
    }
}

/// X-trust-10: what was certified is a level lower when its certificate is over; that is told, and recorded in what is shown.
#[test]
fn certificates_that_are_over() {
    let over = CERTIFICATE.replace("2999-01-01T00:00:00Z", "2026-02-01T00:00:00+02:00");
    for level in ["certified", "official"] {
        let text = trust(&format!("level: {level}, certification: {over}"));
        assert_eq!(codes(&text), ["CERTIFICATE_EXPIRED trust.certification.expires_at"]);
        let source = good(&text).source;
        assert_eq!(source.trust, TrustLevel::CommunityReviewed);
        let recorded = &source.info["trust"]["promotion_history"][0];
        assert_eq!((&recorded["from"], &recorded["to"]), (&level.into(), &"community_reviewed".into()));
        assert_eq!(recorded["at"], "2026-02-01T00:00:00+02:00");
    }
    let day = trust(&format!("level: certified, certification: {}", over.replace("T00:00:00+02:00", "")));
    assert_eq!(good(&day).source.trust, TrustLevel::CommunityReviewed);
    let other = trust(&format!("level: validated, certification: {over}"));
    assert_eq!((codes(&other), good(&other).source.trust), (Vec::new(), TrustLevel::Validated));
    let set = SourceSettings { trust: Some(TrustLevel::Certified), ..Default::default() };
    let text = trust(&format!("level: certified, certification: {over}"));
    let outcome = load("shop-adapter.md", text.as_bytes(), &set);
    assert_eq!(outcome.loaded.unwrap().source.trust, TrustLevel::Certified, "the operator decides");
}

/// X-trust-16: of several APIs the one that is trusted least decides.
#[test]
fn components() {
    let text = |level: &str, more: &str| {
        trust(&format!(
            "level: {level}, composite: true, components: [{{api: a, level: certified}}, {{api: b, level: generated}}]{more}"
        ))
    };
    assert_eq!(good(&text("validated", ", effective_level: generated")).source.trust, TrustLevel::Generated);
    assert_eq!(codes(&text("validated", "")), ["TRUST_LOWERED trust.components"]);
    assert_eq!(good(&text("untested", "")).source.trust, TrustLevel::Untested, "never raised");
    let wrong = text("validated", ", effective_level: certified");
    assert_eq!(refusal(&wrong)[0], "TRUST_LOWERED trust.components");
    assert_eq!(refusal(&wrong)[1], "CONTRADICTION trust.effective_level");
}

/// X-trust-16: single operations may be trusted less than the rest; what would trust them more is told and counts for nothing,
/// as `dispatch` tests. An operation that is not there is an error with the nearest name.
#[test]
fn operation_overrides() {
    let operations = "  read:\n    - {name: get_item, maps_to: GET /item, description: It reads}\n  \
                      delete:\n    - {name: delete_item, maps_to: DELETE /item, description: It removes}\n";
    let text = |overrides: &str| {
        let block = format!("trust: {{level: validated, operation_overrides: {{{overrides}}}}}\noperations:");
        with_operations(operations).replacen("operations:", &block, 1)
    };
    let loaded = good(&text("delete_item: {level: generated, reason: not tried}"));
    let levels: Vec<_> = loaded.operations.iter().map(|each| (each.name.as_str(), each.trust)).collect();
    assert_eq!(levels, [("get_item", None), ("delete_item", Some(TrustLevel::Generated))]);
    assert_eq!(codes(&text("delete_item: {level: generated}")), Vec::<String>::new());
    let raising = text("delete_item: {level: certified}");
    assert_eq!(codes(&raising), ["NO_EFFECT trust.operation_overrides.delete_item"]);
    assert_eq!(codes(&text("get_item: {level: certified}")), Vec::<String>::new(), "a READ runs by both");
    let outcome = load_text(&text("delete_itm: {level: generated}"));
    assert!(outcome.loaded.is_none());
    let found = &outcome.diagnostics[0];
    assert_eq!(
        (found.code, found.hint.as_deref()),
        ("UNKNOWN_REFERENCE", Some("did you mean 'delete_item'?"))
    );
    assert_eq!(codes(SHOP), Vec::<String>::new());
}
