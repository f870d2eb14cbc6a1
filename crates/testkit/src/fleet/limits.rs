//! Instances that hold themselves to one limit by one store, with more callers than the limit lets through: never more arrive at the
//! API in any minute, and while callers wait hardly fewer; a killed instance takes along what it had reserved, and no more.
//!
//! How many calls, and how many instances are killed, in; what arrived when, out. What is judged is the API's own clock.

use super::dice::Dice;
use super::{Answered, Client, Engine, Fleet, FleetReport, Instance};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// The window of the limit.
const WINDOW: Duration = Duration::from_secs(60);
/// The longest time between two kills.
const LONGEST: Duration = Duration::from_secs(40);
/// How often it is looked how many wait.
const LOOK: Duration = Duration::from_millis(500);
/// The least share of the limit that goes out while callers wait, in percent.
const LEAST: usize = 95;

/// How much is done.
#[derive(Debug, Clone, Copy)]
pub struct LimitRun {
    /// Calls of all callers together.
    pub calls: usize,
    /// How many of them the API takes in a minute.
    pub limit: usize,
    /// How many instances are killed meanwhile.
    pub kills: usize,
}

/// Makes the calls: in four processes on SQLite, in three instances on PostgreSQL.
///
/// # Panics
/// When the program or PostgreSQL does not do as it should.
pub async fn limits(program: &Path, engine: Engine, run: LimitRun) -> FleetReport {
    let fleet = Fleet::open(program, engine, Duration::ZERO).await;
    fleet.configure(&format!(
        "[sources.orders.rate_limits]\nrequests_per_minute = {}\nmax_wait_seconds = 600\nmax_waiting = 1000\n",
        run.limit
    ));
    let mut instances = Vec::new();
    for _ in 0..if engine == Engine::Sqlite { 4 } else { 3 } {
        instances.push(fleet.start().await);
    }
    let addresses: Arc<[Address]> = instances.iter().map(|each| Address::new(each.client())).collect();
    let next = Arc::new(AtomicUsize::new(0));
    let mut callers = JoinSet::new();
    // Half as many again as a minute has room for, each with one call after another: so somebody always waits.
    for number in 0..run.limit + run.limit / 2 {
        let (addresses, next) = (Arc::clone(&addresses), Arc::clone(&next));
        callers.spawn(async move { call(&addresses[number % addresses.len()], &next, run.calls).await });
    }
    let fewest = tokio::spawn(fewest_waiting(Arc::clone(&addresses), Arc::clone(&next), run));
    let mut dice = Dice::new();
    for kill in 0..run.kills {
        tokio::time::sleep(dice.moment(LONGEST)).await;
        replace(&fleet, &mut instances, &addresses, kill % addresses.len()).await;
    }
    let problems: Vec<String> = callers.join_all().await.into_iter().flatten().collect();
    let mut report = FleetReport::default();
    report.problems = problems;
    let (fewest, handed_out) = fewest.await.expect("somebody looked how many wait");
    report.figure("fewest calls on an instance", fewest);
    report.check(fewest > 0 || run.kills > 0, || "at times nobody waited on an instance".to_owned());
    judge(&fleet.reads(), addresses.len(), handed_out, run, &mut report);
    report
}

/// An instance to call, and how many calls of it are under way: most of them wait for their turn.
struct Address {
    client: Mutex<Client>,
    under_way: AtomicUsize,
}

impl Address {
    fn new(client: Client) -> Address {
        Address { client: Mutex::new(client), under_way: AtomicUsize::new(0) }
    }

    fn client(&self) -> MutexGuard<'_, Client> {
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn read(&self, order: &str) -> Answered {
        let client = self.client().clone();
        self.under_way.fetch_add(1, Ordering::Relaxed);
        let answered = client.read(order).await;
        self.under_way.fetch_sub(1, Ordering::Relaxed);
        answered
    }
}

/// The fewest calls that were under way on any instance, until all were handed out, and when that was.
async fn fewest_waiting(
    addresses: Arc<[Address]>,
    next: Arc<AtomicUsize>,
    run: LimitRun,
) -> (usize, Instant) {
    let mut fewest = usize::MAX;
    loop {
        tokio::time::sleep(LOOK).await;
        if next.load(Ordering::Relaxed) >= run.calls {
            return (fewest, Instant::now());
        }
        let now = addresses.iter().map(|each| each.under_way.load(Ordering::Relaxed)).min();
        fewest = fewest.min(now.unwrap_or_default());
    }
}

/// Kills an instance and puts a new one in its place.
async fn replace(fleet: &Fleet, instances: &mut [Instance], addresses: &[Address], number: usize) {
    let new = fleet.start().await;
    let client = new.client();
    std::mem::replace(&mut instances[number], new).kill().await;
    *addresses[number].client() = client;
}

/// Calls one after another until all are made; what was answered that should not be. A call whose instance was killed is made again.
async fn call(address: &Address, next: &AtomicUsize, calls: usize) -> Vec<String> {
    let mut problems = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= calls {
            return problems;
        }
        let order = format!("order-{number}");
        loop {
            match address.read(&order).await {
                Answered::Done => break,
                Answered::Unanswered(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                other => {
                    problems.push(format!("{order}: {other:?}"));
                    break;
                }
            }
        }
    }
}

fn judge(
    arrived: &[Instant],
    processes: usize,
    handed_out: Instant,
    LimitRun { calls, limit, kills }: LimitRun,
    report: &mut FleetReport,
) {
    let most = most_in(arrived, WINDOW);
    let took = arrived.last().zip(arrived.first()).map_or(Duration::ZERO, |(last, first)| *last - *first);
    // Once all calls are handed out, fewer and fewer wait: the last of them may have a window for themselves.
    let while_waiting = arrived.partition_point(|each| *each <= handed_out);
    let rate = mean_time(&arrived[..while_waiting], limit)
        .map_or(0.0, |mean| limit as f64 / mean.as_secs_f64() * WINDOW.as_secs_f64());
    report.figure("processes", processes);
    report.figure("instances killed", kills);
    report.figure("calls", calls);
    report.figure("limit of a minute", limit);
    report.figure("requests at the API", arrived.len());
    report.figure("most of them in any minute", most);
    report.figure("of them until all had begun", while_waiting);
    report.figure("a minute while callers waited", format!("{rate:.0}"));
    report.figure("time", format!("{:.0} s", took.as_secs_f64()));
    report.check(most <= limit, || format!("{most} in a minute"));
    report.check(arrived.len() >= calls, || format!("{} of {calls} arrived", arrived.len()));
    if kills == 0 {
        report.check(arrived.len() == calls, || format!("{} of {calls} arrived", arrived.len()));
        report.check(rate * 100.0 >= (limit * LEAST) as f64, || format!("only {rate:.0} a minute"));
    }
}

/// How long it took on average until as many more had arrived as the limit has, from every arrival on. They come in bursts, so that a
/// stretch that is counted from begin to end says as much about where it was cut.
fn mean_time(arrived: &[Instant], limit: usize) -> Option<Duration> {
    let stretches = arrived.iter().zip(arrived.get(limit..)?).map(|(first, last)| *last - *first);
    let count = u32::try_from(arrived.len() - limit).ok().filter(|count| *count > 0)?;
    Some(stretches.sum::<Duration>() / count)
}

/// The most in any stretch of this length, wherever it begins.
fn most_in(arrived: &[Instant], window: Duration) -> usize {
    let within = |first: usize| arrived[first..].partition_point(|each| *each - arrived[first] <= window);
    (0..arrived.len()).map(within).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
