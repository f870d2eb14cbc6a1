//! What the gatekeeper, the meter and the audit cost for a READ that is allowed, with confirmations, units and audit in a store.
//!
//! In: nothing. Out: for each engine the median time of a judgement, with the meter and without, and what was sent to the database
//! meanwhile, on stdout; exit code 1 when a target is missed. Run by `cargo xtask bench gate`. The store is open and in use: a token was issued before.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement speaks to the person who runs it"
)]

use aqueduct::store::audit::AuditKey;
use aqueduct::store::{PostgresSettings, Store, StoreSettings};
use aqueduct::{
    CallOrigin, Caller, Category, Confirmer, GateSettings, Scopes, SecretString, SessionId, Source,
    SystemClock,
};
use aqueduct_limiter::{Limiters, MeterOwner};
use aqueduct_operations::exposure::Glob;
use aqueduct_operations::gatekeeper::{
    GateRequest, GivenConfirmation, ParamCondition, Permission, PolicyRule, PolicyRules, SendPermit,
};
use aqueduct_operations::operation::RegistryEntry;
use aqueduct_operations::rate_limits::{Quota, QuotaMetric, Quotas, RateLimits};
use aqueduct_operations::trust::TrustLevel;
use aqueduct_testkit::fleet::Balancer;
use aqueduct_testkit::operation::{get, operation, site, target};
use aqueduct_testkit::permit::NoPause;
use aqueduct_testkit::postgres::Postgres;
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const JUDGEMENTS: usize = 100_000;
const MOST_MICROSECONDS: f64 = 15.0;
const MOST_WITH_A_QUOTA: f64 = 50.0;
const RULES: [usize; 2] = [0, 20];

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

/// What all judgements took, in microseconds.
struct Timing {
    median: f64,
    /// 99 of 100 took no longer.
    slowest: f64,
    /// Bytes that went to the database, where these are counted.
    sent: Option<u64>,
    /// The same in words.
    told: String,
}

async fn timed(counter: Option<&Balancer>, judge: impl AsyncFn()) -> Timing {
    let before = counter.map(Balancer::sent);
    let mut times = Vec::with_capacity(JUDGEMENTS);
    for _ in 0..JUDGEMENTS {
        let started = Instant::now();
        judge().await;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    let sent = counter.zip(before).map(|(counter, before)| counter.sent() - before);
    let told = sent.map_or_else(String::new, |sent| format!(", {sent} bytes to the database"));
    let at = |share: usize| micros(times[JUDGEMENTS * share / 100]);
    Timing { median: at(50), slowest: at(99), sent, told }
}

/// Measures one engine; whether the targets are met.
async fn measured(engine: &str, settings: StoreSettings, counter: Option<&Balancer>) -> bool {
    let store = Store::open(settings, Arc::new(SystemClock)).unwrap();
    let gatekeeper = || {
        let (settings, clock) = (GateSettings::default(), Arc::new(SystemClock));
        aqueduct_safety::stored_gatekeeper(&store, settings, Confirmer::Client, clock)
    };
    let site = site("https://api.example.com");
    let read = entry(get("get_order", "https://api.example.com", "/orders/{order_id}"));
    let delete = target(site, aqueduct_operations::target::Method::Delete, "/orders/{order_id}");
    let mut delete = operation("delete_order", Category::Delete, delete);
    delete.danger.requires_confirmation = true;
    let delete = entry(delete);
    let asker = Asker::new();
    let refused = gatekeeper().admit(asker.request(&delete), GivenConfirmation::none()).await;
    assert!(refused.is_err(), "a token is issued, so that the store is open");
    let mut is_met = true;
    for count in RULES {
        let gatekeeper = gatekeeper().with_rules(Arc::new(PolicyRules::new((0..count).map(rule).collect())));
        let Timing { median, slowest, sent, told } = timed(counter, async || {
            let permit = gatekeeper.admit(black_box(asker.request(&read)), GivenConfirmation::none()).await;
            drop(black_box(permit.unwrap_or_else(|refused| panic!("{:?}", refused.refusal))));
        })
        .await;
        println!(
            "{engine:<10} {count:>3} rules: median {median:.2} us, 99 of 100 within {slowest:.2} us, of {JUDGEMENTS}{told}"
        );
        is_met &= median < MOST_MICROSECONDS && sent.is_none_or(|sent| sent == 0);
    }
    let ledger = Arc::new(store.clone());
    let limiters = Limiters::new(ledger, Arc::new(SystemClock));
    let gatekeeper = gatekeeper();
    for (name, entry, most) in
        [("no quota", read.clone(), MOST_MICROSECONDS), ("a quota", with_quota(&read), MOST_WITH_A_QUOTA)]
    {
        let Timing { median, slowest, sent, told } = timed(counter, async || {
            let owner = MeterOwner { caller: "agent".to_owned(), pause_handler: Arc::new(NoPause) };
            let meter = limiters.meter(&entry, owner, String::new);
            let request = GateRequest { meter: Some(meter), ..asker.request(&entry) };
            let permit = gatekeeper.admit(black_box(request), GivenConfirmation::none()).await;
            let permit = permit.unwrap_or_else(|refused| panic!("{:?}", refused.refusal));
            black_box(permit.meter().unwrap().admit().await.unwrap()).returned("");
        })
        .await;
        println!(
            "{engine:<10} gatekeeper and meter, {name}: median {median:.2} us, 99 of 100 within {slowest:.2} us, target {most} us{told}"
        );
        // Units of a quota are reserved in blocks; without one there is nothing to ask the database.
        let is_quiet = entry.source.rate_limits.is_some() || sent.is_none_or(|sent| sent == 0);
        is_met &= median < most && is_quiet;
    }
    println!(
        "{engine:<10} target: median < {MOST_MICROSECONDS} us: {}",
        if is_met { "met" } else { "MISSED" }
    );
    is_met
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

fn entry(operation: aqueduct::Operation) -> RegistryEntry {
    let trust = TrustLevel::parse("validated").unwrap();
    RegistryEntry {
        public_name: operation.name.clone(),
        source: Arc::new(Source { name: "orders".to_owned(), trust, ..Source::built_in() }),
        operation: Arc::new(operation),
    }
}

/// A rule that has to be looked at to its last condition, and does not fit.
fn rule(number: usize) -> PolicyRule {
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

/// Who calls, and with what.
struct Asker {
    origin: CallOrigin,
    values: Arc<Map<String, Value>>,
}

impl Asker {
    fn new() -> Asker {
        let values: Map<String, Value> =
            [("order_id", json!("7")), ("fields", json!(["id", "state", "total"]))]
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
        let (session, caller) = (SessionId::new("sess_bench"), Caller::named("agent"));
        let origin = CallOrigin::new(session, caller, Scopes::unrestricted());
        Asker { origin, values: Arc::new(values) }
    }

    fn request<'a>(&'a self, entry: &'a RegistryEntry) -> GateRequest<'a> {
        GateRequest::new(entry, Arc::clone(&self.values), &self.origin)
    }
}
