//! Standings by trust and danger, and the round trip of a confirmed call.
//!
//! Both tables of ruling S1 and the levels of S2 are walked through in full.

use crate::confirmation::GateSettings;
use crate::gatekeeper;
use aqueduct_operations::call::{CallOrigin, SessionId};
use aqueduct_operations::category::Category;
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::danger::{Danger, DangerLevel, DangerOrigin};
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::{
    ConfirmationInput, ConfirmationNeed, Denial, GateDecision, GateEffect, GateOutcome, GateRefusal,
    GateRequest, NeededConfirmation, RequestDigest,
};
use aqueduct_operations::operation::{Declaration, Operation, RegistryEntry, ReturnType};
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::{Method, Target};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_testkit::operation::{site, target};
use futures_executor::block_on;
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub(crate) fn entry(trust: &str, category: Category, danger: DangerLevel) -> RegistryEntry {
    let site = site("https://api.example.com");
    let mut secret = Param::new("secret", ValueKind::String);
    secret.sensitive = true;
    let params = vec![Param::new("id", ValueKind::Integer), secret];
    let declaration = Declaration {
        danger: Danger {
            confirmation_message: Some("Really act on '{id}' with {secret}?".into()),
            ..Danger::new(danger, DangerOrigin::Declared)
        },
        returns: ReturnType { name: "Thing".into(), kind: "object", description: None },
        ..Declaration::new("act".into(), String::new(), category, params)
    };
    RegistryEntry {
        public_name: "act".into(),
        source: Arc::new(Source {
            name: "shop".into(),
            trust: TrustLevel::parse(trust).unwrap(),
            ..Source::built_in()
        }),
        operation: Arc::new(Operation { declaration, target: Target::Http(target(site, Method::Get, "")) }),
    }
}

fn word(decision: &GateDecision) -> &'static str {
    match decision.denial() {
        Some(Denial::Trust { .. }) => "trust",
        Some(Denial::Danger { .. }) => "danger",
        Some(Denial::Policy(_)) => "policy",
        None => decision.name(),
    }
}

/// X-danger-24: the whole table of levels, categories with their own danger, and the stricter rule winning.
/// From destructive up a confirmation is asked for even where the matrix allows.
#[test]
fn decisions() {
    use Category::{Create, Delete, Execute, Read, Update};
    use DangerLevel::{Dangerous, Destructive, Forbidden, Reversible, Safe};
    let cases = [
        (Read, Safe),
        (Create, Reversible),
        (Update, Reversible),
        (Delete, Destructive),
        (Execute, Dangerous),
        (Execute, Forbidden),
    ];
    for (trust, expected) in [
        ("untested", "trust trust trust trust trust trust"),
        ("generated", "allow trust trust trust trust trust"),
        ("community", "allow allow trust trust trust trust"),
        ("verified", "allow allow allow trust danger danger"),
        ("validated", "allow allow allow confirm danger danger"),
        ("community_reviewed", "allow allow allow confirm confirm danger"),
        ("certified", "allow allow allow confirm confirm confirm"),
        ("official", "allow allow allow confirm confirm confirm"),
    ] {
        let found: Vec<_> = cases
            .iter()
            .map(|(category, danger)| word(&GateDecision::of(&entry(trust, *category, *danger))))
            .collect();
        assert_eq!(found.join(" "), expected, "{trust}");
    }
}

/// S1 S2 X-danger-10 X-danger-11 X-danger-12 X-danger-13 X-danger-24: what becomes of every danger of every category at every level, by
/// each of its names. A letter for each danger, mildest first: allow, confirm, denied by trust, denied by danger.
#[test]
fn every_cell() {
    let table = [
        // names                           CREATE   READ     UPDATE   DELETE   EXECUTE
        (&["untested", "untrusted"][..], ["ttttt", "ttttt", "ttttt", "ttttt", "ttttt"]),
        (&["generated", "low"], ["ttttt", "adddd", "ttttt", "ttttt", "ttttt"]),
        (&["community"], ["aacdd", "aacdd", "ttttt", "ttttt", "ttttt"]),
        (&["verified"], ["aacdd", "aacdd", "aacdd", "ttttt", "aacdd"]),
        (&["validated", "medium"], ["aacdd", "aacdd", "aacdd", "aacdd", "aacdd"]),
        (&["community_reviewed", "high"], ["aaccd", "aaccd", "aaccd", "aaccd", "aaccd"]),
        (&["certified", "official"], ["aaccc", "aaccc", "aaccc", "aaccc", "aaccc"]),
    ];
    let mut names: Vec<&str> = table.iter().flat_map(|(names, _)| names.iter().copied()).collect();
    let mut known = TrustLevel::NAMES.to_vec();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(names, known, "every name is in the table");
    for (names, rows) in table {
        for name in names {
            for (category, expected) in Category::ALL.into_iter().zip(rows) {
                let letter =
                    |danger: DangerLevel| match word(&GateDecision::of(&entry(name, category, danger))) {
                        "allow" => 'a',
                        "confirm" => 'c',
                        "trust" => 't',
                        _ => 'd',
                    };
                let found: String = DangerLevel::ALL.into_iter().map(letter).collect();
                assert_eq!(found, expected, "{name} {category:?}");
            }
        }
    }
}

/// X-danger-3: what an adapter wants signed for is confirmed, however mild; what is denied stays so.
#[test]
fn what_is_signed_for_is_confirmed() {
    for (trust, expected) in [("untested", "trust"), ("validated", "confirm"), ("certified", "confirm")] {
        let mut mild = entry(trust, Category::Read, DangerLevel::Safe);
        Arc::make_mut(&mut mild.operation).danger.requires_reauth = true;
        assert_eq!(word(&GateDecision::of(&mild)), expected, "{trust}");
    }
}

#[test]
fn an_adapter_may_ask_for_confirmation_of_a_mild_operation() {
    let mut mild = entry("validated", Category::Read, DangerLevel::Safe);
    assert_eq!(GateDecision::of(&mild).effect, GateEffect::Allow);
    Arc::make_mut(&mut mild.operation).danger.requires_confirmation = true;
    assert_eq!(word(&GateDecision::of(&mild)), "confirm");
}

/// N3: what needs review is not offered where no one has looked, and runs where somebody has.
#[test]
fn what_needs_review_waits() {
    let mut doubtful = entry("generated", Category::Read, DangerLevel::Safe);
    assert_eq!(GateDecision::of(&doubtful).effect, GateEffect::Allow);
    let origin = aqueduct_operations::origin::ImportOrigin {
        is_unnamed: false,
        name: "x".into(),
        place: "POST /x".into(),
        reason: String::new(),
        confidence: aqueduct_operations::origin::Confidence::Low,
        needs_review: true,
    };
    Arc::make_mut(&mut doubtful.operation).origin = Some(origin.clone());
    let decision = GateDecision::of(&doubtful);
    assert_eq!(word(&decision), "trust");
    assert_eq!(decision.rule.to_string(), "trust generated does not run what needs review");
    assert_eq!(decision.denial().unwrap().needed().map(TrustLevel::name), Some("validated"));
    let mut looked_at = entry("validated", Category::Read, DangerLevel::Safe);
    Arc::make_mut(&mut looked_at.operation).origin = Some(origin);
    assert_eq!(GateDecision::of(&looked_at).effect, GateEffect::Allow);
}

/// R11.3-4: what is a secret by its name alone, here or upstream, is hidden in the question as well, and so are fields with such a name.
#[test]
fn a_question_shows_no_secret() {
    let mut entry = entry("validated", Category::Delete, DangerLevel::Destructive);
    let operation = Arc::make_mut(&mut entry.operation);
    operation.danger.confirmation_message = Some("Set {password}, {pin} and {login} of {id}?".into());
    let mut pin = Param::new("pin", ValueKind::String);
    pin.upstream_name = "api_key".to_owned();
    operation.params.extend([
        Param::new("password", ValueKind::String),
        pin,
        Param::new("login", ValueKind::Object),
    ]);
    let values =
        json!({"id": 7, "password": "hush1", "pin": "hush2", "login": {"user": "ann", "Password": "hush3"}});
    let gatekeeper = gatekeeper(GateSettings::default(), Arc::new(SystemClock));
    let origin = CallOrigin::local(SessionId::new("s"));
    let request = GateRequest::new(&entry, Arc::new(values.as_object().unwrap().clone()), &origin);
    let refused = block_on(gatekeeper.admit(request, ConfirmationInput::none())).unwrap_err();
    let GateRefusal::ConfirmationNeeded(needed) = refused.refusal else { panic!("not asked") };
    let message = needed.message.unwrap();
    assert!(!message.contains("hush"), "{message}");
    assert!(message.starts_with("Set [hidden], [hidden] and {") && message.ends_with(" of 7?"), "{message}");
    assert!(message.contains("ann") && message.contains("[REDACTED]"), "{message}");
}

/// X-danger-4 X-danger-16: the first call is refused with a token and the adapter's question, the retry runs, once.
#[test]
fn confirmation_round_trip() {
    let gatekeeper = gatekeeper(GateSettings::default(), Arc::new(SystemClock));
    let entry = entry("validated", Category::Delete, DangerLevel::Destructive);
    let values: Arc<Map<String, Value>> =
        Arc::new(json!({"id": 7, "secret": "s3cret"}).as_object().unwrap().clone());
    let origin = CallOrigin::local(SessionId::new("s"));
    let ask = |token| {
        block_on(gatekeeper.admit(
            GateRequest::new(&entry, Arc::clone(&values), &origin),
            ConfirmationInput { token, ..ConfirmationInput::none() },
        ))
    };
    let refused = ask(None).unwrap_err();
    assert_eq!(refused.record.outcome(), GateOutcome::ConfirmationRequired);
    assert_eq!(refused.record.params_digest(), &Digest::of_values(&values));
    let GateRefusal::ConfirmationNeeded(needed) = refused.refusal else {
        panic!("not asked");
    };
    let NeededConfirmation { need, message, reasons, danger_level } = *needed;
    let ConfirmationNeed::Token(issued) = need else { panic!("an operator is asked") };
    assert_eq!(message.as_deref(), Some("Really act on '7' with [hidden]?"));
    assert_eq!((reasons, danger_level), (vec!["it removes data".to_owned()], DangerLevel::Destructive));
    let permit = ask(Some(&issued.token)).unwrap();
    let record = permit.record();
    assert_eq!((record.outcome(), record.danger()), (GateOutcome::Confirmed, DangerLevel::Destructive));
    assert_eq!(record.rule().to_string(), "trust validated, danger destructive (declared)");
    assert_eq!(record.digest(), &RequestDigest::of(&entry, &values, None));
    assert_eq!(record.params_digest(), &Digest::of_values(&values));
    let names = [record.caller().name(), record.session().as_str(), &record.entry().source.name];
    assert_eq!((names, record.purpose().name()), (["local", "s", "shop"], "call"));
    let again = ask(Some(&issued.token)).unwrap_err();
    assert!(matches!(again.refusal, GateRefusal::Token(_)));
}
