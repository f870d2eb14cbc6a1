//! Instances killed at any moment of a redemption, and the database stopped and started: no token works twice, and no call that
//! was allowed to run is without a line that says how it ended.
//!
//! A caller, who outlives the instances, redeems a token at one of them, which is killed a moment later. Then it tries the same
//! token at another one, until there is a yes or a no.

use super::dice::Dice;
use super::ledger::name_of;
use super::{Answered, Engine, Fleet, FleetReport};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest moment between a call and the kill, at first. It follows what is found, so that as many are killed before the token is
/// used as after the answer, and the others in between.
const FIRST_LONGEST: Duration = Duration::from_millis(60);
/// How long the API takes, so that many are killed while they wait for it.
const ANSWERS_AFTER: Duration = Duration::from_millis(4);
/// One round in so many stops the database.
const CRASHES_IN: u64 = 20;

/// Kills so many instances.
///
/// # Panics
/// When the program or PostgreSQL does not do as it should.
pub async fn kill(program: &Path, engine: Engine, times: usize) -> FleetReport {
    let fleet = Arc::new(Fleet::open(program, engine, ANSWERS_AFTER).await);
    let survivor = fleet.start().await;
    let mut dice = Dice::new();
    let (mut crashes, mut rounds) = (0, Vec::new());
    let mut report = FleetReport::default();
    let mut yeses = BTreeMap::new();
    let started = Instant::now();
    let mut victim = fleet.start().await;
    let mut longest = FIRST_LONGEST;
    for number in 0..times {
        let order = format!("order-{number}");
        let token = survivor.client().token_for(&order).await;
        let next = tokio::spawn({
            let fleet = Arc::clone(&fleet);
            async move { fleet.start().await }
        });
        // Somebody who has never called it finds it without its callers.
        victim.client().read(&order).await;
        let outage = (fleet.database().is_some() && dice.below(CRASHES_IN) == 0).then(|| crash(&fleet));
        if outage.is_some() {
            crashes += 1;
            tokio::time::sleep(dice.moment(Duration::from_millis(200))).await;
        }
        let first = tokio::spawn({
            let (client, order, token) = (victim.client(), order.clone(), token.clone());
            async move { client.delete(&order, Some(&token)).await }
        });
        tokio::time::sleep(dice.moment(longest)).await;
        victim.kill().await;
        let first = first.await.expect("a caller does not panic");
        let second = survivor.client().until_decided(&order, Some(&token)).await;
        let round = Round::of(&first, &second);
        report.check(round.is_some(), || format!("{order}: {first:?}, then {second:?}"));
        rounds.extend(round);
        yeses.insert(order, name_of(&token));
        if let Some(outage) = outage {
            outage.await.expect("the database comes back");
        } else if round == Some(Round::Before) {
            longest = longest * 21 / 20;
        } else if round == Some(Round::Done) {
            longest = longest * 20 / 21;
        }
        victim = next.await.expect("an instance starts");
    }
    let took = started.elapsed();
    let ledger = fleet.settled().await;
    let count = |wanted: Round| rounds.iter().filter(|round| **round == wanted).count();
    report.figure("instances killed", times);
    report.figure("database stopped and started", crashes);
    report.figure("killed after the answer", count(Round::Done));
    report.figure("killed before the token was used", count(Round::Before));
    report.figure("killed after the token was used", count(Round::After));
    report.figure("answered that the store is lost", count(Round::Undecided));
    report.figure("requests at the API", fleet.deleted().values().sum::<usize>());
    report.figure("calls that began", ledger.count("TOKEN_VALIDATED"));
    report.figure("of which finished", ledger.count("CALL_FINISHED"));
    report.figure("of which noted as lost", ledger.count("CALL_LOST"));
    report.figure("lines of the audit, verified", ledger.lines());
    report.figure("longest wait before a kill", format!("{:.1} ms", longest.as_secs_f64() * 1000.0));
    report.figure("time", format!("{:.0} s", took.as_secs_f64()));
    ledger.judge(&yeses, &fleet.deleted(), &mut report);
    report
}

/// How a round went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    /// The killed instance had answered, and the token is used.
    Done,
    /// It was killed before the token was used: it worked at the other one.
    Before,
    /// It was killed after the token was used, and no one knows more.
    After,
    /// It could not reach the store and said so.
    Undecided,
}

impl Round {
    /// None where a token worked twice, or was refused for another reason than that it is used.
    fn of(first: &Answered, second: &Answered) -> Option<Round> {
        let is_used = *second == Answered::Refused("TOKEN_ALREADY_USED".to_owned());
        match (first, second) {
            (Answered::Done, _) if is_used => Some(Round::Done),
            (Answered::Unanswered(_), Answered::Done) => Some(Round::Before),
            (Answered::Unanswered(_), _) if is_used => Some(Round::After),
            (first, Answered::Done) if first.is_undecided() => Some(Round::Undecided),
            (first, _) if first.is_undecided() && is_used => Some(Round::Undecided),
            _ => None,
        }
    }
}

/// Stops the database like a crash, and starts it again.
fn crash(fleet: &Arc<Fleet>) -> tokio::task::JoinHandle<()> {
    let fleet = Arc::clone(fleet);
    tokio::task::spawn_blocking(move || {
        if let Some(database) = fleet.database() {
            database.crash();
            database.restart();
        }
    })
}
