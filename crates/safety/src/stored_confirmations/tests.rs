//! A gatekeeper on a store in a directory of the test: what is asked, what is written, and what happens when the store is lost.

use super::Confirmer;
use crate::confirmation::GateSettings;
use crate::stored_gatekeeper;
use crate::tests::gatekeeper::entry;
use aqueduct_operations::call::{Caller, Scopes, SessionId};
use aqueduct_operations::category::Category;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{
    AskFailure, AskedFor, CallEnd, Consent, GateOutcome, GateRefusal, GateRequest, Gatekeeper, PERSON,
    Permission, Permit, PersonRefusal, PlanRefusal, PolicyRule, PolicyRules, Purpose, TokenRefusal,
};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_store::approvals::Verdict;
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
    session: SessionId,
    caller: Caller,
    scopes: Scopes,
    values: Arc<Map<String, Value>>,
}

impl Client {
    fn new(session: &str) -> Client {
        let values = Arc::new(json!({"id": 7, "secret": "s3cret"}).as_object().unwrap().clone());
        let (session, caller) = (SessionId::new(session), Caller::named("ann"));
        Client { session, caller, scopes: Scopes::unrestricted(), values }
    }

    fn request<'a>(&'a self, entry: &'a RegistryEntry) -> GateRequest<'a> {
        GateRequest {
            entry,
            values: Arc::clone(&self.values),
            pushed: Arc::default(),
            controls: Arc::default(),
            session: &self.session,
            caller: &self.caller,
            scopes: &self.scopes,
            purpose: Purpose::Call,
            reads_first: None,
        }
    }

    async fn call<'a>(
        &'a self,
        gatekeeper: &Gatekeeper,
        entry: &'a RegistryEntry,
        token: Option<&str>,
    ) -> Result<Permit<'a>, GateRefusal> {
        let shown = || json!({"operation": "act"});
        let consent = Consent { token, shown: &shown, ..Consent::none() };
        gatekeeper.admit(self.request(entry), consent).await.map_err(|refused| refused.refusal)
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
            Err(GateRefusal::ConfirmationNeeded(needed)) => match needed.asked {
                AskedFor::Token(issued) => issued.token,
                AskedFor::Operator(approval) => panic!("{approval:?}"),
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

/// X-danger-5: a token waits for its cooldown; the session's end takes tokens back; a call that nobody finishes is abandoned.
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
    gatekeeper.end_session(&client.session);
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
    let verdict = Verdict::Approve { usable_for: Duration::from_secs(900) };
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
    gatekeeper.end_session(&client.session);
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
    let consent = Consent { token: Some(&token), approver: Some(PERSON), ..Consent::none() };
    let mut permit = gatekeeper.admit(client.request(&entry), consent).await.unwrap();
    permit.take_confirmed().unwrap().finish(CallEnd::Succeeded).await;
    for refusal in [PersonRefusal::Declined, PersonRefusal::Unanswered] {
        let asked = gatekeeper.admit(client.request(&entry), Consent::none()).await.unwrap_err();
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
    let Err(PlanRefusal::ConfirmationNeeded(AskedFor::Token(issued))) = asked else { panic!("{asked:?}") };
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
    let Err(PlanRefusal::ConfirmationNeeded(AskedFor::Operator(approval))) = asked else {
        panic!("{asked:?}")
    };
    let yes = Verdict::Approve { usable_for: Duration::from_secs(60) };
    place.store.decide_approval(&approval.id, yes, "olga").await.unwrap();
    client.plan(&gatekeeper, &entry, None).await.unwrap();
    for _ in 0..2 {
        drop(client.call(&gatekeeper, &entry, None).await.unwrap());
    }
    let again = client.call(&gatekeeper, &entry, None).await;
    assert!(matches!(again, Err(GateRefusal::ConfirmationNeeded(_))), "{again:?}");
}
