//! Tokens under every kind of misuse, with a clock that the test moves.
//!
//! Each refusal is told apart from the others, and none of them uses the token up.

use super::record::MOST_PER_SOURCE;
use super::{ConfirmationTokens, GateSettings, TokenTerms};
use aqueduct_operations::call::{Caller, SessionId};
use aqueduct_operations::category::Category;
use aqueduct_operations::clock::Clock;
use aqueduct_operations::danger::DangerLevel;
use aqueduct_operations::digest::Digest;
use aqueduct_operations::gatekeeper::{
    AskFailure, Confirmations, RequestDigest, TokenRefusal, TokenScope, masked,
};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Method;
use aqueduct_testkit::operation::{operation, site, target};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug)]
struct HandClock(Mutex<Timestamp>);

impl HandClock {
    fn advance(&self, seconds: i64) {
        *self.0.lock().unwrap() += SignedDuration::from_secs(seconds);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

fn tokens(settings: GateSettings) -> (ConfirmationTokens, Arc<HandClock>) {
    let clock = Arc::new(HandClock(Mutex::new("2026-02-04T10:00:00Z".parse().unwrap())));
    (ConfirmationTokens::new(settings, Arc::clone(&clock) as Arc<dyn Clock>), clock)
}

fn scope(session: &str, source: &str, name: &str, id: i64) -> TokenScope {
    resolved(session, (source, name), id, "https://api.example")
}

/// The scope of a call whose operation goes to this site.
fn resolved(session: &str, (source, name): (&str, &str), id: i64, base_url: &str) -> TokenScope {
    let operation = operation(name, Category::Delete, target(site(base_url), Method::Delete, "/things"));
    let source = Source { name: source.to_owned(), ..Source::built_in() };
    let entry = RegistryEntry {
        public_name: name.to_owned(),
        operation: Arc::new(operation),
        source: Arc::new(source),
    };
    let values = json!({"id": id}).as_object().unwrap().clone();
    let resolved = RequestDigest::of(&entry, &values, None);
    TokenScope::new(&SessionId::new(session), &entry, Digest::of_values(&values), resolved)
}

/// X-token-1 X-token-3: the prefix and 256 random bits; two tokens are never alike.
#[test]
fn form_of_a_token() {
    let (tokens, _) = tokens(GateSettings::default());
    let one = tokens
        .issue_now(&Caller::local(), &scope("s", "a", "op", 1), DangerLevel::Destructive, Duration::ZERO)
        .unwrap()
        .token;
    let two = tokens
        .issue_now(&Caller::local(), &scope("s", "a", "op", 1), DangerLevel::Destructive, Duration::ZERO)
        .unwrap()
        .token;
    assert_ne!(one, two);
    let random = one.strip_prefix("conf_").unwrap();
    assert!(random.len() == 64 && random.bytes().all(|b| b.is_ascii_hexdigit()));
}

/// X-token-4 X-token-6 X-errors-30 C2.3.3-1: bound to session, source, operation and parameters.
#[test]
fn bound_to_one_call() {
    let (tokens, _) = tokens(GateSettings::default());
    let issued = tokens
        .issue_now(&Caller::local(), &scope("s", "a", "op", 1), DangerLevel::Destructive, Duration::ZERO)
        .unwrap()
        .token;
    for wrong in [scope("s", "b", "op", 1), scope("s", "a", "other", 1), scope("s", "a", "op", 2)] {
        assert!(matches!(tokens.redeem_now(&issued, &wrong), Err(TokenRefusal::ScopeMismatch { .. })));
    }
    let elsewhere = scope("another", "a", "op", 1);
    assert!(matches!(tokens.redeem_now(&issued, &elsewhere), Err(TokenRefusal::Invalid { .. })));
    assert_eq!(
        tokens.redeem_now(&issued, &scope("s", "a", "op", 1)),
        Ok(()),
        "a refused try does not use it up"
    );
}

/// X-token-13: a token is worth nothing once its operation would send something else, and works again when it would not.
#[test]
fn bound_to_what_would_be_sent() {
    let (tokens, _) = tokens(GateSettings::default());
    let at = |base_url| resolved("s", ("a", "op"), 1, base_url);
    let issued = tokens
        .issue_now(&Caller::local(), &at("https://api.example"), DangerLevel::Destructive, Duration::ZERO)
        .unwrap()
        .token;
    let refusal = tokens.redeem_now(&issued, &at("https://evil.example"));
    assert!(
        matches!(&refusal, Err(TokenRefusal::OperationChanged { operation, .. }) if operation == "op"),
        "{refusal:?}"
    );
    assert_eq!(tokens.redeem_now(&issued, &at("https://api.example")), Ok(()));
}

/// X-token-11 X-token-15 X-errors-29: good for one use.
#[test]
fn single_use() {
    let (tokens, _) = tokens(GateSettings::default());
    let scope = scope("s", "a", "op", 1);
    let issued =
        tokens.issue_now(&Caller::local(), &scope, DangerLevel::Destructive, Duration::ZERO).unwrap().token;
    assert_eq!(tokens.redeem_now(&issued, &scope), Ok(()));
    assert!(matches!(tokens.redeem_now(&issued, &scope), Err(TokenRefusal::AlreadyUsed { .. })));
    let issued =
        tokens.issue_now(&Caller::local(), &scope, DangerLevel::Destructive, Duration::ZERO).unwrap().token;
    let other_end = if issued.ends_with('0') { "1" } else { "0" };
    let altered = format!("{}{other_end}", &issued[..issued.len() - 1]);
    for forged in [altered, issued.to_uppercase(), format!("{issued}0"), "conf_0".to_owned(), String::new()] {
        assert!(tokens.redeem_now(&forged, &scope).is_err(), "{forged}");
    }
    assert_eq!(tokens.redeem_now(&issued, &scope), Ok(()), "a guess does not spend it");
}

/// X-errors-27: unknown, forged and malformed tokens look the same.
#[test]
fn unknown_tokens() {
    let (tokens, _) = tokens(GateSettings::default());
    let scope = scope("s", "a", "op", 1);
    let issued =
        tokens.issue_now(&Caller::local(), &scope, DangerLevel::Destructive, Duration::ZERO).unwrap().token;
    let last = if issued.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{last}", &issued[..issued.len() - 1]);
    for bad in ["", "conf_", "yes", "true", "conf_00", &forged, &issued.to_uppercase()] {
        assert!(matches!(tokens.redeem_now(bad, &scope), Err(TokenRefusal::Invalid { .. })), "{bad}");
    }
}

/// X-token-7 X-token-8 X-token-9 X-errors-28: tokens expire by level, with the grace that is set and no more.
#[test]
fn expiry() {
    for (danger, skew, ttl) in [
        (DangerLevel::Destructive, 30, 300),
        (DangerLevel::Forbidden, 30, 120),
        (DangerLevel::Reversible, 0, 300),
    ] {
        let (tokens, clock) = tokens(GateSettings { clock_skew_seconds: skew, ..GateSettings::default() });
        let scope = scope("s", "a", "op", 1);
        let issued = tokens.issue_now(&Caller::local(), &scope, danger, Duration::ZERO).unwrap();
        assert_eq!(issued.expires_at, clock.now() + SignedDuration::from_secs(ttl));
        let late = tokens.issue_now(&Caller::local(), &scope, danger, Duration::ZERO).unwrap().token;
        clock.advance(ttl + skew.cast_signed() - 1);
        assert_eq!(tokens.redeem_now(&issued.token, &scope), Ok(()));
        clock.advance(1);
        assert!(matches!(tokens.redeem_now(&late, &scope), Err(TokenRefusal::Expired { .. })));
    }
}

/// X-danger-5: a token cannot be used before its cooldown is over, and lives its whole time from then on.
#[test]
fn a_cooldown_is_waited_for() {
    let (tokens, clock) = tokens(GateSettings { clock_skew_seconds: 0, ..GateSettings::default() });
    let scope = scope("s", "a", "op", 1);
    let issue = || {
        let cooldown = Duration::from_secs(20);
        tokens.issue_now(&Caller::local(), &scope, DangerLevel::Destructive, cooldown).unwrap().token
    };
    let (early, late) = (issue(), issue());
    clock.advance(19);
    let refused = tokens.redeem_now(&early, &scope);
    assert_eq!(refused, Err(TokenRefusal::CoolingDown { retry_after_seconds: 2 }));
    clock.advance(1);
    assert_eq!(tokens.redeem_now(&early, &scope), Ok(()));
    clock.advance(299);
    assert_eq!(tokens.redeem_now(&late, &scope), Ok(()));
}

/// C2.3.3-1: nothing of a session is left when it ends.
#[test]
fn session_end_forgets() {
    let (tokens, _) = tokens(GateSettings::default());
    let scope = scope("s", "a", "op", 1);
    let issued =
        tokens.issue_now(&Caller::local(), &scope, DangerLevel::Destructive, Duration::ZERO).unwrap().token;
    tokens.end_session(&SessionId::new("s"));
    assert!(matches!(tokens.redeem_now(&issued, &scope), Err(TokenRefusal::Invalid { .. })));
}

/// X-token-14: a source has a bounded number of live tokens, half of them for one caller; used and dead ones are forgotten first, and
/// all of them in the end.
#[test]
fn the_store_is_bounded() {
    let settings = || GateSettings { issued_per_minute: 10_000, ..GateSettings::default() };
    let (tokens, clock) = tokens(settings());
    let issue = |caller: &Caller, session: &str| {
        let scope = scope(session, "a", "op", 1);
        tokens.issue_now(caller, &scope, DangerLevel::Destructive, Duration::ZERO).map(|issued| issued.token)
    };
    let (ann, bob, cy) = (Caller::named("ann"), Caller::named("bob"), Caller::named("cy"));
    let first = issue(&ann, "s").unwrap();
    clock.advance(1);
    for _ in 0..MOST_PER_SOURCE {
        issue(&ann, "s").unwrap();
    }
    assert_eq!(tokens.records().len(), MOST_PER_SOURCE / 2, "one caller has half of the room");
    let refusal = tokens.redeem_now(&first, &scope("s", "a", "op", 1));
    assert!(matches!(refusal, Err(TokenRefusal::Invalid { .. })), "its own oldest has made room");
    let kept = issue(&bob, "t").unwrap();
    for _ in 1..MOST_PER_SOURCE / 2 {
        issue(&bob, "t").unwrap();
    }
    assert_eq!(tokens.records().len(), MOST_PER_SOURCE);
    let full = issue(&cy, "u").unwrap_err();
    assert_eq!(full, AskFailure::RateLimited { retry_after_seconds: 301 }, "until the first expires");
    assert_eq!(tokens.redeem_now(&kept, &scope("t", "a", "op", 1)), Ok(()));
    issue(&cy, "u").unwrap();
    assert_eq!(tokens.records().len(), MOST_PER_SOURCE, "the used one has made room");
    clock.advance(300 + 3601);
    tokens.issue_now(&ann, &scope("s", "b", "op", 1), DangerLevel::Destructive, Duration::ZERO).unwrap();
    assert_eq!(tokens.records().len(), 1);
}

/// S3 S4: a client that asks for many tokens, in however many sessions, costs no one else one, and keeps no other caller from getting one.
#[test]
fn nobody_loses_tokens_to_others() {
    let (tokens, clock) = tokens(GateSettings { issued_per_minute: 2_000, ..GateSettings::default() });
    let issue = |caller: &str, session: &str| {
        let scope = scope(session, "a", "op", 1);
        let issued =
            tokens.issue_now(&Caller::named(caller), &scope, DangerLevel::Destructive, Duration::ZERO);
        issued.map(|issued| issued.token)
    };
    let quiet = [("quiet", "quiet"), ("greedy", "another of theirs")];
    let kept = quiet.map(|(caller, session)| (session, issue(caller, session).unwrap()));
    clock.advance(1);
    let oldest = issue("greedy", "greedy").unwrap();
    clock.advance(1);
    let many: Vec<String> = (0..MOST_PER_SOURCE).map(|_| issue("greedy", "greedy").unwrap()).collect();
    let newest = many.last().unwrap();
    for number in 0..MOST_PER_SOURCE {
        let refused = issue("greedy", &format!("one of many {number}"));
        assert!(matches!(refused, Err(AskFailure::RateLimited { .. })), "their half is full");
    }
    let redeem = |token: &str, session: &str| tokens.redeem_now(token, &scope(session, "a", "op", 1));
    assert!(matches!(redeem(&oldest, "greedy"), Err(TokenRefusal::Invalid { .. })));
    assert_eq!(redeem(newest, "greedy"), Ok(()));
    for (session, token) in &kept {
        assert_eq!(redeem(token, session), Ok(()), "{session} keeps what it has");
    }
    issue("quiet", "another").unwrap();
}

/// X-token-19: a session gets so many tokens in a minute, and may send so many wrong ones; then not even a right one is taken.
#[test]
fn limits_of_a_session() {
    let (tokens, clock) = tokens(GateSettings::default());
    let issue = |session: &str| {
        tokens.issue_now(
            &Caller::local(),
            &scope(session, "a", "op", 1),
            DangerLevel::Destructive,
            Duration::ZERO,
        )
    };
    let first = issue("s").unwrap().token;
    clock.advance(20);
    (1..120).for_each(|_| drop(issue("s").unwrap()));
    assert_eq!(issue("s").err(), Some(AskFailure::RateLimited { retry_after_seconds: 41 }));
    assert!(issue("another").is_ok(), "each session has its own");
    clock.advance(40);
    let last = issue("s").unwrap().token;
    let redeem = |token: &str| tokens.redeem_counted(token, &scope("s", "a", "op", 1));
    assert_eq!(redeem(&first), Ok(()), "a right one counts for nothing");
    for _ in 0..10 {
        assert!(matches!(redeem("conf_wrong"), Err(TokenRefusal::Invalid { .. })));
    }
    let limited = TokenRefusal::RateLimited { retry_after_seconds: 61 };
    assert_eq!((redeem("conf_wrong"), redeem(&last)), (Err(limited.clone()), Err(limited)));
    clock.advance(60);
    assert_eq!(redeem(&last), Ok(()));
}

/// R11.2-5: never more than the first four characters, and nothing of a short one.
#[test]
fn masking() {
    assert_eq!(masked(&format!("conf_{}", "ab12".repeat(16))), "conf_ab12...");
    assert_eq!(masked("hunter2"), "[REDACTED]");
    let (tokens, _) = tokens(GateSettings::default());
    let issued = tokens
        .issue_now(&Caller::local(), &scope("s", "a", "op", 1), DangerLevel::Destructive, Duration::ZERO)
        .unwrap();
    let secret = issued.token.strip_prefix("conf_").unwrap();
    let printed =
        format!("{issued:?} {tokens:?} {:?}", tokens.redeem_now(&issued.token, &scope("s", "a", "x", 1)));
    assert!(!printed.contains(secret));
}

/// X-token-12: a token for a plan is good for exactly its calls, each as often as it stands there, looked at or used.
#[test]
fn plans() {
    let (tokens, clock) = tokens(GateSettings::default());
    let (one, two) = (scope("s", "a", "op", 1), scope("s", "b", "op", 2));
    let calls = vec![one.clone(), two.clone(), one.clone()];
    let issue = |calls| {
        let five_minutes = Duration::from_secs(300);
        let terms = TokenTerms::confirming(five_minutes, Duration::ZERO);
        tokens.issue_for(&Caller::local(), calls, terms).unwrap().token
    };
    let token = issue(calls);
    let other = tokens.redeem_now(&token, &scope("s", "a", "op", 3));
    assert!(matches!(other, Err(TokenRefusal::ScopeMismatch { .. })), "{other:?}");
    let foreign = tokens.redeem_now(&token, &scope("t", "a", "op", 1));
    assert!(matches!(foreign, Err(TokenRefusal::Invalid { .. })), "{foreign:?}");
    for scope in [&one, &two, &one] {
        tokens.redeem_now(&token, scope).unwrap();
    }
    for scope in [&one, &two] {
        let again = tokens.redeem_now(&token, scope);
        assert!(matches!(again, Err(TokenRefusal::AlreadyUsed { .. })), "{again:?}");
    }
    let late = issue(vec![one.clone(), two]);
    clock.advance(330);
    let late = tokens.redeem_now(&late, &one);
    assert!(matches!(late, Err(TokenRefusal::Expired { .. })), "{late:?}");
}
