//! Pairs of redemptions of one token at the same moment, in two processes: one of each pair may succeed.
//!
//! How many pairs in; successes, refusals and how fast it went out. The audit and the API have to agree with what callers were told.

use super::ledger::name_of;
use super::{Answered, Client, Engine, Fleet, FleetReport};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Pairs that are under way at once.
const AT_ONCE: usize = 16;

/// What became of one pair.
struct RedeemPair {
    order: String,
    token: String,
    answers: [Answered; 2],
}

/// Redeems so many pairs: in four processes on SQLite, in three instances on PostgreSQL.
///
/// # Panics
/// When the program or PostgreSQL does not do as it should.
pub async fn redeem(program: &Path, engine: Engine, pairs: usize) -> FleetReport {
    let fleet = Fleet::open(program, engine, Duration::ZERO).await;
    let mut instances = Vec::new();
    for _ in 0..if engine == Engine::Sqlite { 4 } else { 3 } {
        instances.push(fleet.start().await);
    }
    let clients: Arc<[Client]> = instances.iter().map(super::Instance::client).collect();
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut workers = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (clients, next) = (Arc::clone(&clients), Arc::clone(&next));
        workers.spawn(async move {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= pairs {
                    return done;
                }
                done.push(one_pair(&clients, number).await);
            }
        });
    }
    let done: Vec<RedeemPair> = workers.join_all().await.into_iter().flatten().collect();
    let took = started.elapsed();
    let ledger = fleet.ledger().await;
    let (mut successes, mut used) = (0, 0);
    let mut report = FleetReport::default();
    for RedeemPair { order, answers, .. } in &done {
        let count = |wanted: &Answered| answers.iter().filter(|answer| *answer == wanted).count();
        let (done, refused) =
            (count(&Answered::Done), count(&Answered::Refused("TOKEN_ALREADY_USED".to_owned())));
        report.check((done, refused) == (1, 1), || format!("{order}: {answers:?}"));
        (successes, used) = (successes + done, used + refused);
    }
    report.figure("processes", clients.len());
    report.figure("pairs", done.len());
    report.figure("successes", successes);
    report.figure("refused as used already", used);
    report.figure("requests at the API", fleet.deleted().values().sum::<usize>());
    report.figure("lines of the audit, verified", ledger.lines());
    report.figure("time", format!("{:.1} s", took.as_secs_f64()));
    report.figure("pairs a second", format!("{:.0}", pairs as f64 / took.as_secs_f64()));
    report.check(successes == pairs, || format!("{successes} successes of {pairs} pairs"));
    let yeses: BTreeMap<_, _> = done.into_iter().map(|pair| (pair.order, name_of(&pair.token))).collect();
    ledger.judge(&yeses, &fleet.deleted(), &mut report);
    report
}

/// The token comes from one process; two others, or it and another, get it at once.
async fn one_pair(clients: &[Client], number: usize) -> RedeemPair {
    let of = |step: usize| &clients[(number + step) % clients.len()];
    let order = format!("pair-{number}");
    let token = of(number / clients.len()).token_for(&order).await;
    let (one, other) = (of(0).delete(&order, Some(&token)), of(1).delete(&order, Some(&token)));
    let (one, other) = tokio::join!(one, other);
    RedeemPair { order, token, answers: [one, other] }
}
