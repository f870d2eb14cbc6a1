//! Several instances on one store: small versions of `cargo xtask soak redeem`, `kill` and `store`; and reads without the database.

use aqueduct_testkit::fleet::{self, Answered, Engine, Fleet, FleetReport, Mix};
use std::path::Path;
use std::time::Duration;

const PAIRS: usize = 100;
const KILLS: usize = 50;

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_aqueduct"))
}

fn is_good(report: &FleetReport) {
    assert!(report.problems.is_empty(), "{report}");
}

/// Two redemptions at once give one success, in four processes on one state directory.
#[tokio::test(flavor = "multi_thread")]
async fn pairs_in_processes() {
    is_good(&fleet::redeem(program(), Engine::Sqlite, PAIRS).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn pairs_in_instances() {
    is_good(&fleet::redeem(program(), Engine::Postgres, PAIRS).await);
}

/// No token works twice, and no call is without a line of its end, no matter which process is killed.
#[tokio::test(flavor = "multi_thread")]
async fn killed_in_processes() {
    is_good(&fleet::kill(program(), Engine::Sqlite, KILLS).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_in_instances() {
    is_good(&fleet::kill(program(), Engine::Postgres, KILLS).await);
}

/// Two instances behind a balancer, clients of every kind, and instances killed under them.
#[tokio::test(flavor = "multi_thread")]
async fn killed_behind_a_balancer() {
    let mix = Mix { clients: 40, lasts: Duration::from_secs(10), kills_every: Duration::from_secs(2) };
    is_good(&fleet::mixed(program(), mix).await);
}

/// A READ that is allowed asks nothing of the database: it goes on when there is none, and what needs a yes does not.
#[tokio::test(flavor = "multi_thread")]
async fn reads_without_the_database() {
    let fleet = Fleet::open(program(), Engine::Postgres, Duration::ZERO).await;
    let client = fleet.start().await;
    let reads = client.client();
    assert_eq!(reads.read("one").await, Answered::Done);
    let token = reads.token_for("one").await;
    fleet.database().unwrap().crash();
    for _ in 0..20 {
        assert_eq!(reads.read("one").await, Answered::Done);
    }
    let refused = reads.delete("one", Some(&token)).await;
    assert_eq!(refused, Answered::Refused("INTERNAL_ERROR".to_owned()));
    assert!(fleet.deleted().is_empty());
    fleet.database().unwrap().restart();
    assert_eq!(reads.until_decided("one", Some(&token)).await, Answered::Done);
}
