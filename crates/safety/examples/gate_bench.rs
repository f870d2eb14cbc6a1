//! What the gatekeeper, the meter and the audit cost for a READ that is allowed, with confirmations, units and audit in a store.
//!
//! In: nothing. Out: for each engine what a judgement adds to the same call without one at the median, with lists of rules and with
//! the meter, and what was sent to the database meanwhile, on stdout; exit code 1 when a target is missed. Run by
//! `cargo xtask bench gate`. The store is open and in use: a token was issued before.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement speaks to the person who runs it"
)]

use aqueduct_limiter::{Limiters, MeterOwner};
use aqueduct_operations::call::{CallOrigin, Caller, Scopes, SessionId};
use aqueduct_operations::category::Category;
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{
    ConfirmationInput, GateRequest, Gatekeeper, ParamCondition, Permission, PolicyRule, PolicyRules,
    SendPermit,
};
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::rate_limits::{Quota, QuotaMetric, Quotas, RateLimits};
use aqueduct_operations::source::Source;
use aqueduct_operations::target::Method;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_safety::stored_confirmations::Confirmer;
use aqueduct_store::audit::AuditKey;
use aqueduct_store::{PostgresSettings, Store, StoreSettings};
use aqueduct_testkit::fleet::Balancer;
use aqueduct_testkit::operation::{get, operation, site, target};
use aqueduct_testkit::permit::NoPause;
use aqueduct_testkit::postgres::Postgres;
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 20_000;
const MOST_MICROSECONDS: f64 = 15.0;
const MOST_WITH_A_QUOTA: f64 = 50.0;
/// A list of so many rules, each made of its number.
type RuleList = (&'static str, usize, fn(usize) -> PolicyRule);
/// Lists of rules, none of which fits.
const RULES: [RuleList; 6] = [
    ("no rules", 0, by_value),
    ("20 rules by value", 20, by_value),
    ("1,000 rules by value", 1_000, by_value),
    ("1,000 rules by operation", 1_000, by_operation),
    ("1,000 rules by caller", 1_000, by_caller),
    ("1,000 rules by patterns of callers", 1_000, by_pattern),
];

fn main() -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let is_met = runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = measured("SQLite", StoreSettings::sqlite(folder.path().join("state")), None).await;
        let server = Postgres::start();
        let url = server.database();
        // What goes to the database goes through here, and is counted.
        let counter = Balancer::start(vec![([127, 0, 0, 1], server.port()).into()]).await;
        let url = url.replace(&format!(":{}/", server.port()), &format!(":{}/", counter.address().port()));
        let key = AuditKey::parse(&SecretString::from("0f".repeat(32))).unwrap();
        let settings = StoreSettings::postgres(PostgresSettings::new(SecretString::from(url), key));
        sqlite & measured("PostgreSQL", settings, Some(&counter)).await
    });
    if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One way to judge the same call.
struct Subject {
    name: &'static str,
    gatekeeper: Gatekeeper,
    limiters: Option<Limiters>,
    entry: RegistryEntry,
    most: f64,
    times: Vec<Duration>,
}

/// Measures one engine; whether the targets are met.
async fn measured(engine: &str, settings: StoreSettings, counter: Option<&Balancer>) -> bool {
    let store = Store::open(settings, Arc::new(SystemClock)).unwrap();
    let gatekeeper = || {
        let (settings, clock) = (GateSettings::default(), Arc::new(SystemClock));
        aqueduct_safety::stored_gatekeeper(&store, settings, Confirmer::Client, clock)
    };
    let limiters = || Some(Limiters::new(Arc::new(store.clone()), Arc::new(SystemClock)));
    let site = site("https://api.example.com");
    let read = entry(get("get_order", "https://api.example.com", "/orders/{order_id}"));
    let delete = target(site, Method::Delete, "/orders/{order_id}");
    let mut delete = operation("delete_order", Category::Delete, delete);
    delete.danger.requires_confirmation = true;
    let delete = entry(delete);
    let asker = Requester::new();
    let refused = gatekeeper().admit(asker.request(&delete), ConfirmationInput::none()).await;
    assert!(refused.is_err(), "a token is issued, so that the store is open");
    let subject = |name, gatekeeper, limiters, entry: &RegistryEntry, most| Subject {
        name,
        gatekeeper,
        limiters,
        entry: entry.clone(),
        most,
        times: Vec::with_capacity(ROUNDS),
    };
    let mut subjects: Vec<Subject> = RULES
        .iter()
        .map(|(name, count, rule)| {
            let rules = Arc::new(PolicyRules::new((0..*count).map(rule).collect()));
            subject(*name, gatekeeper().with_rules(rules), None, &read, MOST_MICROSECONDS)
        })
        .collect();
    subjects.push(subject(
        "gatekeeper, meter and audit, no quota",
        gatekeeper(),
        limiters(),
        &read,
        MOST_MICROSECONDS,
    ));
    // Units of a quota are reserved in blocks; without one there is nothing to ask the database.
    let mut with_a_quota = vec![subject(
        "gatekeeper, meter and audit, a quota",
        gatekeeper(),
        limiters(),
        &with_quota(&read),
        MOST_WITH_A_QUOTA,
    )];
    measure(engine, &mut subjects, &asker, counter, true).await
        & measure(engine, &mut with_a_quota, &asker, counter, false).await
}

/// Measures some subjects in turns with the same call without a judgement, so that a busy machine slows all of them down.
async fn measure(
    engine: &str,
    subjects: &mut [Subject],
    asker: &Requester,
    counter: Option<&Balancer>,
    is_quiet: bool,
) -> bool {
    let before = counter.map(Balancer::sent);
    let mut without = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        drop(black_box(asker.request(black_box(&subjects[0].entry))));
        without.push(started.elapsed());
        for subject in subjects.iter_mut() {
            let started = Instant::now();
            judge(subject, asker).await;
            let time = started.elapsed();
            subject.times.push(time);
        }
    }
    let sent = counter.zip(before).map(|(counter, before)| counter.sent() - before);
    let (without, _) = median_and_tail(&mut without);
    let mut is_met = true;
    for subject in subjects {
        let (median, tail) = median_and_tail(&mut subject.times);
        let (name, most) = (subject.name, subject.most);
        println!(
            "{engine:<10} {name:<38} adds {:>6.2} us to {without:.2} us, 99 of 100 within {tail:>7.2} us, target < {most} us{}",
            median - without,
            if median < most { "" } else { ": MISSED" },
        );
        is_met &= median < most;
    }
    if let Some(sent) = sent {
        let is_missed = is_quiet && sent > 0;
        let told = match (is_quiet, is_missed) {
            (_, true) => ", target none: MISSED",
            (true, false) => ", target none",
            (false, false) => "",
        };
        println!("{engine:<10} {sent} bytes went to the database in {ROUNDS} rounds of these{told}");
        is_met &= !is_missed;
    }
    is_met
}

async fn judge(subject: &Subject, asker: &Requester) {
    let entry = black_box(&subject.entry);
    let meter = subject.limiters.as_ref().map(|limiters| {
        let owner = MeterOwner { caller: "agent".to_owned(), pause_handler: Arc::new(NoPause) };
        limiters.meter(entry, owner, String::new)
    });
    let is_metered = meter.is_some();
    let request = GateRequest { meter, ..asker.request(entry) };
    let permit = subject.gatekeeper.admit(request, ConfirmationInput::none()).await;
    let permit = permit.unwrap_or_else(|refused| panic!("{:?}", refused.refusal));
    if is_metered {
        black_box(permit.meter().unwrap().admit().await.unwrap()).returned("");
    }
    drop(black_box(permit));
}

/// In microseconds.
fn median_and_tail(times: &mut [Duration]) -> (f64, f64) {
    times.sort_unstable();
    (micros(times[times.len() / 2]), micros(times[times.len() * 99 / 100]))
}

/// The same operation of a source with a quota.
fn with_quota(entry: &RegistryEntry) -> RegistryEntry {
    let metric = QuotaMetric::parse("requests_per_day").unwrap();
    let quota = Quota { metric, warn: None, pause: None, hard_stop: Some(1_000_000_000), currency: None };
    let quotas = Quotas { limits: vec![quota], ..Quotas::default() };
    let limits = Arc::new(RateLimits { quotas, ..RateLimits::default() });
    let source =
        Source { name: "limited".to_owned(), rate_limits: Some(limits), ..Source::clone(&entry.source) };
    RegistryEntry { source: Arc::new(source), ..entry.clone() }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn entry(operation: Operation) -> RegistryEntry {
    let trust = TrustLevel::parse("validated").unwrap();
    RegistryEntry {
        public_name: operation.name.clone(),
        source: Arc::new(Source { name: "orders".to_owned(), trust, ..Source::built_in() }),
        operation: Arc::new(operation),
    }
}

/// A rule that fits all but the value.
fn by_value(number: usize) -> PolicyRule {
    PolicyRule {
        source: Glob::parse("orders").ok(),
        operation: Glob::parse("get_*").ok(),
        category: Some(Category::Read),
        caller: None,
        params: vec![ParamCondition {
            name: "order_id".to_owned(),
            values: vec![json!(format!("held-{number}"))],
        }],
        permission: Permission::Deny,
        reason: None,
    }
}

/// A rule about other operations of the same source, every other one by a pattern.
fn by_operation(number: usize) -> PolicyRule {
    let name =
        if number.is_multiple_of(2) { format!("get_order_{number}") } else { format!("get_*_{number}") };
    PolicyRule { operation: Glob::parse(&name).ok(), params: Vec::new(), ..by_value(number) }
}

/// A rule about somebody else.
fn by_caller(number: usize) -> PolicyRule {
    let caller = Glob::parse(&format!("agent-{number}")).ok();
    PolicyRule { caller, params: Vec::new(), ..by_value(number) }
}

/// A rule about some others.
fn by_pattern(number: usize) -> PolicyRule {
    let caller = Glob::parse(&format!("agent-{number}-*")).ok();
    PolicyRule { caller, params: Vec::new(), ..by_value(number) }
}

/// Who calls, and with what.
struct Requester {
    origin: CallOrigin,
    values: Arc<Map<String, Value>>,
}

impl Requester {
    fn new() -> Requester {
        let values: Map<String, Value> =
            [("order_id", json!("7")), ("fields", json!(["id", "state", "total"]))]
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
        let (session, caller) = (SessionId::new("sess_bench"), Caller::named("agent"));
        let origin = CallOrigin::new(session, caller, Scopes::unrestricted());
        Requester { origin, values: Arc::new(values) }
    }

    fn request<'a>(&'a self, entry: &'a RegistryEntry) -> GateRequest<'a> {
        GateRequest::new(entry, Arc::clone(&self.values), &self.origin)
    }
}
