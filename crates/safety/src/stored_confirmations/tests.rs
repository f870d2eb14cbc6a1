//! A gatekeeper on a store in a directory of the test: what is asked, what is written, and what happens when the store is lost.

use super::Confirmer;
use crate::confirmation::GateSettings;
use crate::stored_gatekeeper;
use crate::tests::gatekeeper::entry;
use aqueduct_operations::call::{CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{
    AskFailure, CallEnd, ConfirmationInput, ConfirmationNeed, GateOutcome, GateRefusal, GateRequest,
    Gatekeeper, PERSON, Permission, Permit, PersonRefusal, PlanRefusal, PolicyRule, PolicyRules, Question,
    RequestDigest, TokenRefusal, TokenScope,
};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::params::{Param, ValueKind};
use aqueduct_store::approvals::ApprovalDecision;
use aqueduct_store::audit::AuditFilter;
use aqueduct_store::{Store, StoreSettings};
use aqueduct_testkit::clock::TestClock;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

struct Place {
    directory: TempDir,
    clock: TestClock,
    store: Store,
}

impl Place {
    fn new() -> Place {
        Place::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut StoreSettings)) -> Place {
        let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::default());
        let mut settings = StoreSettings::sqlite(directory.path().join("state"));
        change(&mut settings);
        let store = Store::open(settings, Arc::new(clock.clone())).unwrap();
        Place { directory, clock, store }
    }

    fn gatekeeper(&self, confirmer: Confirmer) -> Gatekeeper {
        stored_gatekeeper(&self.store, GateSettings::default(), confirmer, Arc::new(self.clock.clone()))
    }

    /// The events of the audit, with their outcomes.
    async fn audit(&self) -> Vec<String> {
        self.store.settle(Duration::from_secs(5)).await;
        let lines = self.store.audit_lines(AuditFilter::default(), 1000).await.unwrap();
        lines.iter().map(|line| format!("{} {}", line.entry.event, line.entry.outcome)).collect()
    }

    /// The store can be neither read nor written any more.
    fn lose(&self) {
        std::fs::write(self.directory.path().join("state"), "in its place").unwrap();
    }
}

/// Who asks, in one session.
struct Client {
    origin: CallOrigin,
    values: Arc<Map<String, Value>>,
}

impl Client {
    fn new(session: &str) -> Client {
        let values = Arc::new(json!({"id": 7, "secret": "s3cret"}).as_object().unwrap().clone());
        let (session, caller) = (SessionId::new(session), Caller::named("ann"));
        Client { origin: CallOrigin::new(session, caller, Scopes::unrestricted()), values }
    }

    fn request<'a>(&'a self, entry: &'a RegistryEntry) -> GateRequest<'a> {
        GateRequest::new(entry, Arc::clone(&self.values), &self.origin)
    }

    async fn call<'a>(
        &'a self,
        gatekeeper: &Gatekeeper,
        entry: &'a RegistryEntry,
        token: Option<&str>,
    ) -> Result<Permit<'a>, GateRefusal> {
        let shown = || json!({"operation": "act", "params": {"password": "hush", "count": 2}});
        let given = ConfirmationInput { token, shown: &shown, ..ConfirmationInput::none() };
        gatekeeper.admit(self.request(entry), given).await.map_err(|refused| refused.refusal)
    }

    /// Asks for a yes to this call twice in one plan, or finds that it was given.
    async fn plan(
        &self,
        gatekeeper: &Gatekeeper,
        entry: &RegistryEntry,
        token: Option<&str>,
    ) -> Result<(), PlanRefusal> {
        let planned = || gatekeeper.foresee(self.request(entry)).unwrap().unwrap();
        gatekeeper.admit_plan(&[planned(), planned()], token).await
    }

    async fn token(&self, gatekeeper: &Gatekeeper, entry: &RegistryEntry) -> String {
        match self.call(gatekeeper, entry, None).await {
            Err(GateRefusal::ConfirmationNeeded(needed)) => match needed.need {
                ConfirmationNeed::Token(issued) => issued.token,
                ConfirmationNeed::Operator(approval) => panic!("{approval:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
}

fn delete() -> RegistryEntry {
    entry("validated", Category::Delete, DangerLevel::Destructive)
}

/// X-token-16 X-token-18: issued, used, and finished, each with its line; what another process issued is good here, once.
#[tokio::test]
async fn tokens_outlive_their_gatekeeper() {
    let (place, client, entry) = (Place::new(), Client::new("s"), delete());
    let token = client.token(&place.gatekeeper(Confirmer::Client), &entry).await;
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let mut permit = client.call(&gatekeeper, &entry, Some(&token)).await.unwrap();
    permit.take_confirmed().unwrap().finish(CallEnd::Failed("TRANSPORT_TIMEOUT".to_owned())).await;
    place.store.settle(Duration::from_secs(5)).await;
    let again = client.call(&gatekeeper, &entry, Some(&token)).await;
    assert!(matches!(again, Err(GateRefusal::Token(TokenRefusal::AlreadyUsed { .. }))), "{again:?}");
    let expected = [
        "TOKEN_ISSUED success",
        "TOKEN_VALIDATED success",
        "CALL_FINISHED failure",
        "TOKEN_REJECTED failure",
    ];
    assert_eq!(place.audit().await, expected);
}

/// X-danger-5: a token waits for its cooldown; the session's end takes tokens back; a call that no one finishes is abandoned.
#[tokio::test]
async fn revoked_cooling_down_and_abandoned() {
    let (place, client, mut entry) = (Place::new(), Client::new("s"), delete());
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    Arc::make_mut(&mut entry.operation).danger.cooldown_seconds = 30;
    let token = client.token(&gatekeeper, &entry).await;
    let early = client.call(&gatekeeper, &entry, Some(&token)).await;
    let Err(GateRefusal::Token(TokenRefusal::CoolingDown { retry_after_seconds })) = early else {
        panic!("{early:?}");
    };
    assert!((30..=31).contains(&retry_after_seconds), "{retry_after_seconds}");
    place.clock.advance(Duration::from_secs(30));
    drop(client.call(&gatekeeper, &entry, Some(&token)).await.unwrap());
    assert_eq!(place.audit().await.last().unwrap(), "CALL_FINISHED abandoned");
    let token = client.token(&gatekeeper, &entry).await;
    gatekeeper.end_session(&client.origin.session);
    place.store.settle(Duration::from_secs(5)).await;
    let revoked = client.call(&gatekeeper, &entry, Some(&token)).await;
    assert!(matches!(revoked, Err(GateRefusal::Token(TokenRefusal::Revoked { .. }))), "{revoked:?}");
}

/// X-token-19: who asks too often, or guesses too often, is told when to come again.
#[tokio::test]
async fn limited() {
    let place = Place::with(|settings| {
        settings.limits.issued_per_minute = 2;
        settings.limits.failures_per_minute = 1;
    });
    let (client, entry) = (Client::new("s"), delete());
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    for _ in 0..2 {
        client.token(&gatekeeper, &entry).await;
    }
    let asked = client.call(&gatekeeper, &entry, None).await;
    assert!(matches!(
        asked,
        Err(GateRefusal::NotAsked(AskFailure::RateLimited { retry_after_seconds: 60..=71 }))
    ));
    let guess = format!("conf_{}", "0".repeat(64));
    let first = client.call(&gatekeeper, &entry, Some(&guess)).await;
    assert!(matches!(first, Err(GateRefusal::Token(TokenRefusal::Invalid { .. }))), "{first:?}");
    let second = client.call(&gatekeeper, &entry, Some(&guess)).await;
    assert!(matches!(second, Err(GateRefusal::Token(TokenRefusal::RateLimited { .. }))), "{second:?}");
}

/// X-token-19: guesses are counted where the operator confirms too.
#[tokio::test]
async fn guesses_count_where_there_are_no_tokens() {
    let place = Place::with(|settings| settings.limits.failures_per_minute = 1);
    let (client, entry) = (Client::new("s"), delete());
    let gatekeeper = place.gatekeeper(Confirmer::Operator);
    let guess = format!("conf_{}", "0".repeat(64));
    let first = client.call(&gatekeeper, &entry, Some(&guess)).await;
    assert!(matches!(first, Err(GateRefusal::Token(TokenRefusal::Invalid { .. }))), "{first:?}");
    let second = client.call(&gatekeeper, &entry, Some(&guess)).await;
    assert!(matches!(second, Err(GateRefusal::Token(TokenRefusal::RateLimited { .. }))), "{second:?}");
    let lines = place.audit().await;
    let rejected = ["TOKEN_REJECTED failure", "TOKEN_REJECTED limited"];
    assert!(rejected.iter().all(|line| lines.iter().filter(|found| found == line).count() == 1), "{lines:?}");
}

/// S3: a yes runs the same call once; a token is of no use.
#[tokio::test]
async fn an_operator_is_asked() {
    let (place, client, entry) = (Place::new(), Client::new("s"), delete());
    let token = client.token(&place.gatekeeper(Confirmer::Client), &entry).await;
    let gatekeeper = place.gatekeeper(Confirmer::Operator);
    let refused = client.call(&gatekeeper, &entry, Some(&token)).await;
    assert!(matches!(refused, Err(GateRefusal::Token(TokenRefusal::Invalid { .. }))), "{refused:?}");
    for _ in 0..2 {
        let asked = client.call(&gatekeeper, &entry, None).await;
        assert!(matches!(asked, Err(GateRefusal::ConfirmationNeeded(_))), "{asked:?}");
    }
    let waiting = place.store.waiting_approvals(10).await.unwrap();
    assert_eq!(waiting.len(), 1);
    let shown = &waiting[0].shown["calls"][0];
    assert_eq!((&shown["operation"], &shown["danger_level"]), (&json!("act"), &json!("destructive")));
    assert_eq!(
        shown["params"],
        json!({"password": "[REDACTED]", "count": 2}),
        "a secret by its name is not kept"
    );
    let verdict = ApprovalDecision::Approve { usable_for: Duration::from_secs(900) };
    place.store.decide_approval(&waiting[0].id, verdict, "operator").await.unwrap();
    let other = Client::new("another session");
    let asked = other.call(&gatekeeper, &entry, None).await;
    assert!(matches!(asked, Err(GateRefusal::ConfirmationNeeded(_))), "{asked:?}");
    let mut permit = client.call(&gatekeeper, &entry, None).await.unwrap();
    permit.take_confirmed().unwrap().finish(CallEnd::Succeeded).await;
    let again = client.call(&gatekeeper, &entry, None).await;
    assert!(matches!(again, Err(GateRefusal::ConfirmationNeeded(_))), "{again:?}");
}

/// Rules that let a dangerous operation run without a confirmation.
fn lifted(gatekeeper: Gatekeeper) -> Gatekeeper {
    let rule = PolicyRule {
        source: None,
        operation: Some(Glob::parse("act").unwrap()),
        category: None,
        caller: None,
        params: Vec::new(),
        permission: Permission::Allow,
        reason: None,
    };
    gatekeeper.with_rules(Arc::new(PolicyRules::new(vec![rule])))
}

/// S12: denials have a line, and calls of which a rule lifts the confirmation have one and one for their end; what is safe or
/// reversible by itself has none, and the store is not even opened for it.
#[tokio::test]
async fn what_is_in_the_audit() {
    let (place, client) = (Place::new(), Client::new("s"));
    let gatekeeper = lifted(place.gatekeeper(Confirmer::Client));
    let read = entry("validated", Category::Read, DangerLevel::Safe);
    let change = entry("validated", Category::Update, DangerLevel::Reversible);
    for entry in [&read, &change] {
        drop(client.call(&gatekeeper, entry, None).await.unwrap());
    }
    gatekeeper.end_session(&client.origin.session);
    assert!(!place.directory.path().join("state").exists(), "nothing was asked of the store");
    let mut asking = entry("validated", Category::Update, DangerLevel::Reversible);
    Arc::make_mut(&mut asking.operation).danger.requires_confirmation = true;
    for lifted in [&delete(), &asking] {
        let mut permit = client.call(&gatekeeper, lifted, None).await.unwrap();
        assert_eq!(permit.record().outcome(), GateOutcome::Allowed);
        permit.take_confirmed().unwrap().finish(CallEnd::Succeeded).await;
        place.store.settle(Duration::from_secs(5)).await;
    }
    let denied = entry("generated", Category::Delete, DangerLevel::Destructive);
    client.call(&gatekeeper, &denied, None).await.unwrap_err();
    let (begun, ended) = ("OPERATION_ALLOWED allowed", "CALL_FINISHED success");
    assert_eq!(place.audit().await, [begun, ended, begun, ended, "OPERATION_DENIED denied"]);
    let lines = place.store.audit_lines(AuditFilter::default(), 10).await.unwrap();
    for line in lines {
        let line = line.entry;
        assert_eq!(
            (
                line.session.as_deref(),
                line.caller.as_deref(),
                line.source.as_deref(),
                line.operation.as_deref()
            ),
            (Some("s"), Some("ann"), Some("shop"), Some("act"))
        );
        assert!(line.params.unwrap().len() == 64 && (line.rule.is_some() || line.event == "CALL_FINISHED"));
    }
}

/// A lost store fails closed: nothing that needs it runs, a denial stays one, and reads go on.
#[tokio::test]
async fn a_lost_store() {
    let (place, client, entry) = (Place::new(), Client::new("s"), delete());
    place.lose();
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let asked = client.call(&gatekeeper, &entry, None).await;
    assert!(matches!(asked, Err(GateRefusal::NotAsked(AskFailure::Unavailable(_)))), "{asked:?}");
    let token = format!("conf_{}", "0".repeat(64));
    let redeemed = client.call(&gatekeeper, &entry, Some(&token)).await;
    assert!(matches!(redeemed, Err(GateRefusal::Token(TokenRefusal::Unavailable(_)))), "{redeemed:?}");
    let operator = client.call(&place.gatekeeper(Confirmer::Operator), &entry, None).await;
    assert!(matches!(operator, Err(GateRefusal::NotAsked(AskFailure::Unavailable(_)))), "{operator:?}");
    let lifted = client.call(&lifted(place.gatekeeper(Confirmer::Client)), &entry, None).await;
    assert!(matches!(lifted, Err(GateRefusal::NotAudited(_))), "{lifted:?}");
    let denied = crate::tests::gatekeeper::entry("generated", Category::Delete, DangerLevel::Destructive);
    let denied = client.call(&gatekeeper, &denied, None).await;
    assert!(matches!(denied, Err(GateRefusal::Denied(_))), "{denied:?}");
    let read = crate::tests::gatekeeper::entry("validated", Category::Read, DangerLevel::Safe);
    drop(client.call(&gatekeeper, &read, None).await.unwrap());
}

/// S3: the audit knows who said yes, and that somebody said no or nothing.
#[tokio::test]
async fn a_person_who_was_asked_is_in_the_audit() {
    let (place, client, entry) = (Place::new(), Client::new("s"), delete());
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let token = client.token(&gatekeeper, &entry).await;
    let given =
        ConfirmationInput { token: Some(&token), approver: Some(PERSON), ..ConfirmationInput::none() };
    let mut permit = gatekeeper.admit(client.request(&entry), given).await.unwrap();
    permit.take_confirmed().unwrap().finish(CallEnd::Succeeded).await;
    for refusal in [PersonRefusal::Declined, PersonRefusal::Unanswered] {
        let asked = gatekeeper.admit(client.request(&entry), ConfirmationInput::none()).await.unwrap_err();
        let refused = gatekeeper.refuse(asked.record, GateRefusal::NotAgreed(refusal));
        assert!(matches!(refused.refusal, GateRefusal::NotAgreed(said) if said == refusal));
    }
    place.store.settle(Duration::from_secs(5)).await;
    let lines = place.store.audit_lines(AuditFilter::default(), 1000).await.unwrap();
    let found: Vec<(&str, &str, Option<&str>)> = lines
        .iter()
        .map(|line| (line.entry.event.as_str(), line.entry.outcome.as_str(), line.entry.approver.as_deref()))
        .filter(|(event, ..)| ["TOKEN_VALIDATED", "OPERATION_DENIED"].contains(event))
        .collect();
    assert_eq!(
        found,
        [
            ("TOKEN_VALIDATED", "success", Some(PERSON)),
            ("OPERATION_DENIED", "declined", Some(PERSON)),
            ("OPERATION_DENIED", "unanswered", None),
        ]
    );
}

/// X-token-17: nothing tells a token that was never made from one that is none at all; a refusal has no value of the call, and a
/// token is random digits.
#[tokio::test]
async fn refusals_give_nothing_away() {
    let (place, client, entry) = (Place::new(), Client::new("s"), delete());
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let token = client.token(&gatekeeper, &entry).await;
    assert!(token.strip_prefix("conf_").unwrap().chars().all(|digit| digit.is_ascii_hexdigit()));
    let unknown = format!("conf_{}", "0".repeat(64));
    for guess in ["", "x", "conf_", "conf_zz\0", &"y".repeat(5000), &unknown] {
        let refused = client.call(&gatekeeper, &entry, Some(guess)).await.unwrap_err();
        assert!(matches!(refused, GateRefusal::Token(TokenRefusal::Invalid { .. })), "{refused:?}");
        let told = format!("{refused:?}");
        assert!(!told.contains("s3cret") && !told.contains(&token) && told.len() < 200, "{told}");
    }
    let other = Client { values: Arc::new(Map::new()), ..Client::new("s") };
    let refused = other.call(&gatekeeper, &entry, Some(&token)).await.unwrap_err();
    assert!(matches!(refused, GateRefusal::Token(TokenRefusal::ScopeMismatch { .. })), "{refused:?}");
    assert!(!format!("{refused:?}").contains("s3cret"));
}

/// S3: the calls of a plan are one question, by a token or to the operator, and each uses up its part of the yes.
#[tokio::test]
async fn plans() {
    let (place, client, entry) = (Place::new(), Client::new("s"), delete());
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let asked = client.plan(&gatekeeper, &entry, None).await;
    let Err(PlanRefusal::ConfirmationNeeded(ConfirmationNeed::Token(issued))) = asked else {
        panic!("{asked:?}")
    };
    let token = Some(issued.token.as_str());
    for _ in 0..2 {
        client.plan(&gatekeeper, &entry, token).await.unwrap();
    }
    for _ in 0..2 {
        drop(client.call(&gatekeeper, &entry, token).await.unwrap());
    }
    let used = client.plan(&gatekeeper, &entry, token).await;
    assert!(matches!(used, Err(PlanRefusal::Token(TokenRefusal::AlreadyUsed { .. }))), "{used:?}");
    let gatekeeper = place.gatekeeper(Confirmer::Operator);
    let guessed = client.plan(&gatekeeper, &entry, token).await;
    assert!(matches!(guessed, Err(PlanRefusal::Token(TokenRefusal::Invalid { .. }))), "{guessed:?}");
    let asked = client.plan(&gatekeeper, &entry, None).await;
    let Err(PlanRefusal::ConfirmationNeeded(ConfirmationNeed::Operator(approval))) = asked else {
        panic!("{asked:?}")
    };
    let yes = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };
    place.store.decide_approval(&approval.id, yes, "olga").await.unwrap();
    client.plan(&gatekeeper, &entry, None).await.unwrap();
    for _ in 0..2 {
        drop(client.call(&gatekeeper, &entry, None).await.unwrap());
    }
    let again = client.call(&gatekeeper, &entry, None).await;
    assert!(matches!(again, Err(GateRefusal::ConfirmationNeeded(_))), "{again:?}");
}

/// X-danger-3 X-danger-5: what its adapter wants signed for is the operator's, no matter who confirms the rest; a token for it is none, not
/// even one for a plan that it is in. The operator's yes is good after the cooldown, and for the rest of the plan too.
#[tokio::test]
async fn what_somebody_signs_in_for() {
    let (place, client, plain) = (Place::new(), Client::new("s"), delete());
    let mut signed = entry("validated", Category::Update, DangerLevel::Reversible);
    let danger = &mut Arc::make_mut(&mut signed.operation).danger;
    (danger.requires_reauth, danger.cooldown_seconds) = (true, 30);
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let asked = client.call(&gatekeeper, &signed, None).await;
    let Err(GateRefusal::ConfirmationNeeded(needed)) = asked else { panic!("{asked:?}") };
    assert!(matches!(needed.need, ConfirmationNeed::Operator(_)), "{needed:?}");
    let token = client.token(&gatekeeper, &plain).await;
    let refused = client.call(&gatekeeper, &signed, Some(&token)).await;
    assert!(matches!(refused, Err(GateRefusal::Token(TokenRefusal::Invalid { .. }))), "{refused:?}");
    let plan = async |token: Option<&str>| {
        let planned = |entry| {
            gatekeeper.foresee(client.request(entry)).unwrap().unwrap().shown_as(json!({"operation": "act"}))
        };
        gatekeeper.admit_plan(&[planned(&plain), planned(&signed)], token).await
    };
    let refused = plan(Some(&token)).await;
    assert!(matches!(refused, Err(PlanRefusal::Token(TokenRefusal::Invalid { .. }))), "{refused:?}");
    let asked = plan(None).await;
    let Err(PlanRefusal::ConfirmationNeeded(ConfirmationNeed::Operator(approval))) = asked else {
        panic!("{asked:?}")
    };
    let shown = place.store.approval(&approval.id).await.unwrap().unwrap().shown;
    assert_eq!(shown["calls"][1]["cooldown_seconds"], 30);
    let yes = ApprovalDecision::Approve { usable_for: Duration::from_secs(60) };
    place.store.decide_approval(&approval.id, yes, "olga").await.unwrap();
    let early = plan(None).await;
    let Err(PlanRefusal::Token(TokenRefusal::CoolingDown { retry_after_seconds })) = early else {
        panic!("{early:?}");
    };
    assert!((30..=31).contains(&retry_after_seconds), "{retry_after_seconds}");
    let early = client.call(&gatekeeper, &signed, None).await;
    assert!(matches!(early, Err(GateRefusal::Token(TokenRefusal::CoolingDown { .. }))), "{early:?}");
    place.clock.advance(Duration::from_secs(30));
    plan(None).await.unwrap();
    drop(client.call(&gatekeeper, &plain, None).await.unwrap());
    drop(client.call(&gatekeeper, &signed, None).await.unwrap());
    let token = client.token(&gatekeeper, &plain).await;
    assert!(token.starts_with("conf_"), "the rest has tokens as ever");
    let memory = crate::gatekeeper(GateSettings::default(), Arc::new(place.clock.clone()));
    let nobody = client.call(&memory, &signed, None).await;
    assert!(matches!(nobody, Err(GateRefusal::NotAsked(AskFailure::NoOperator))), "{nobody:?}");
    let planned = |entry| memory.foresee(client.request(entry)).unwrap().unwrap();
    let nobody = memory.admit_plan(&[planned(&plain), planned(&signed)], None).await;
    assert!(matches!(nobody, Err(PlanRefusal::NotAsked(AskFailure::NoOperator))), "{nobody:?}");
}

/// X-danger-3: values that the adapter names are in the lines of what ran and of what was refused; never a sensitive one, nor what looks
/// like a credential, and long ones are cut.
#[tokio::test]
async fn values_that_the_adapter_wants_kept() {
    let (place, mut client) = (Place::new(), Client::new("s"));
    let key = format!("sk-live-{}", "4f9A2c7B".repeat(6));
    let values = json!({"id": 7, "secret": "s3cret-value", "note": key, "long": "x".repeat(5_000), "other": "unnamed"});
    client.values = Arc::new(values.as_object().unwrap().clone());
    let named = |mut entry: RegistryEntry| {
        let operation = Arc::make_mut(&mut entry.operation);
        operation.danger.audit_context = ["id", "secret", "note", "long", "gone"].map(str::to_owned).to_vec();
        operation.params.extend(["note", "long", "other"].map(|name| Param::new(name, ValueKind::String)));
        entry
    };
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let (plain, denied) =
        (named(delete()), named(entry("generated", Category::Delete, DangerLevel::Destructive)));
    let token = client.token(&gatekeeper, &plain).await;
    drop(client.call(&gatekeeper, &plain, Some(&token)).await.unwrap());
    client.call(&gatekeeper, &denied, None).await.unwrap_err();
    place.store.settle(Duration::from_secs(5)).await;
    let lines = place.store.audit_lines(AuditFilter::default(), 100).await.unwrap();
    let detail = |event: &str| {
        let line = lines.iter().find(|line| line.entry.event == event).unwrap_or_else(|| panic!("{event}"));
        line.entry.detail.clone().unwrap_or_default()
    };
    for said in [detail("TOKEN_VALIDATED"), detail("OPERATION_DENIED")] {
        assert!(said.contains("id=7, note=\"[REDACTED]\", long=\"xxx"), "{said}");
        assert!(said.contains("more characters") && said.len() < 1_000, "{said}");
        for hidden in ["s3cret", "sk-live", "unnamed", "gone"] {
            assert!(!said.contains(hidden), "{hidden}: {said}");
        }
    }
}

/// X-danger-3: what is a secret by its name alone is kept in no line either, nor a field with such a name.
#[tokio::test]
async fn no_secret_by_its_name_is_kept() {
    let (place, mut client, mut entry) = (Place::new(), Client::new("s"), delete());
    let operation = Arc::make_mut(&mut entry.operation);
    operation.danger.audit_context = ["id", "password", "pin", "login"].map(str::to_owned).to_vec();
    let mut pin = Param::new("pin", ValueKind::String);
    pin.upstream_name = "access_token".to_owned();
    operation.params.extend([
        Param::new("password", ValueKind::String),
        pin,
        Param::new("login", ValueKind::Object),
    ]);
    let values =
        json!({"id": 7, "password": "hush1", "pin": "hush2", "login": {"user": "ann", "password": "hush3"}});
    client.values = Arc::new(values.as_object().unwrap().clone());
    let gatekeeper = place.gatekeeper(Confirmer::Client);
    let token = client.token(&gatekeeper, &entry).await;
    drop(client.call(&gatekeeper, &entry, Some(&token)).await.unwrap());
    place.store.settle(Duration::from_secs(5)).await;
    let lines = place.store.audit_lines(AuditFilter::default(), 100).await.unwrap();
    let details: Vec<&str> = lines.iter().filter_map(|line| line.entry.detail.as_deref()).collect();
    assert!(details.iter().any(|detail| detail.contains("id=7") && detail.contains("ann")), "{details:?}");
    assert!(!serde_json::to_string(&lines).unwrap().contains("hush"), "{details:?}");
}

/// S3 S9: where an operator confirms, a paused quota is theirs too, and the client gets no token to go on with.
#[tokio::test]
async fn a_pause_is_the_operators() {
    let (place, entry, caller, values) = (Place::new(), delete(), Caller::local(), Map::new());
    let resolved = RequestDigest::of(&entry, &values, None);
    let question = Question {
        scope: TokenScope::new(&SessionId::new("s"), &entry, Digest::of_values(&values), resolved),
        caller: &caller,
        rule: "quota".to_owned(),
        danger: DangerLevel::Safe,
        cooldown_seconds: 0,
        needs_operator: false,
        audit_context: None,
        reasons: &[],
        message: None,
        approver: None,
        shown: &|| Value::Null,
    };
    for (confirmer, is_given) in [(Confirmer::Client, true), (Confirmer::Operator, false)] {
        let gatekeeper = place.gatekeeper(confirmer);
        let given = gatekeeper.confirmations().ask_to_continue(&question).await.unwrap();
        assert_eq!(given.is_some(), is_given, "{confirmer:?}");
    }
}

/// X-token-7 X-token-9: a token that lets a paused quota go on, and the grace for clocks that disagree, have bounds.
#[test]
fn bounds_of_settings() {
    let of = |seconds| {
        let settings = GateSettings {
            ttl_seconds: seconds,
            clock_skew_seconds: seconds.unwrap_or(30),
            ..GateSettings::default()
        };
        (settings.quota_lifetime().as_secs(), settings.grace().as_secs())
    };
    assert_eq!(
        [of(None), of(Some(0)), of(Some(60)), of(Some(9_999))],
        [(300, 30), (0, 0), (60, 60), (600, 300)]
    );
}

/// X-token-7: an operator's yes lives as long as a token for a call of that danger.
#[test]
fn lives_by_danger() {
    let of = |ttl_seconds, danger| {
        GateSettings { ttl_seconds, ..GateSettings::default() }.lifetime(danger).as_secs()
    };
    for (danger, usual, longest) in [
        (DangerLevel::Reversible, 300, 900),
        (DangerLevel::Destructive, 300, 900),
        (DangerLevel::Dangerous, 300, 900),
        (DangerLevel::Forbidden, 120, 300),
    ] {
        assert_eq!((of(None, danger), of(Some(60), danger), of(Some(9_999), danger)), (usual, 60, longest));
        assert_eq!(DangerLevel::of_number(i64::from(danger.number())), danger);
    }
    assert_eq!(DangerLevel::of_number(9), DangerLevel::Forbidden);
    assert_eq!(DangerLevel::of_number(-1), DangerLevel::Forbidden);
}
