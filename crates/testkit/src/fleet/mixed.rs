//! Two instances on one database behind a balancer, with clients of every kind, one instance killed again and again: no call is
//! carried out twice, and the audit is whole.
//!
//! Half of the clients have a session, which stays with the instance that made it and is lost with it; the others have none. They
//! are of two callers. An instance has one way of confirming, so there are two pairs of instances on the one database, each behind a balancer: one where
//! the client confirms, one where the operator does. Each round kills one instance of one pair.

use super::ledger::name_of;
use super::{Answered, Balancer, Client, Confirmer, Engine, Fleet, FleetReport, Instance};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

/// Between two calls of one client.
const PACE: Duration = Duration::from_millis(250);

/// The callers that the clients are of.
const FIRST_CALLER: &str = "agent";
const SECOND_CALLER: &str = "assistant";

/// How much is done.
#[derive(Debug, Clone, Copy)]
pub struct Mix {
    /// How many clients there are: seven of ten read, two confirm what they delete, one has it approved.
    pub clients: usize,
    /// For how long.
    pub lasts: Duration,
    /// How often an instance is killed.
    pub kills_every: Duration,
}

/// What a client does.
#[derive(Debug, Clone, Copy)]
enum Habit {
    Reads,
    Confirms,
    IsApproved,
}

/// What the clients have done.
#[derive(Debug, Default)]
struct Done {
    reads: usize,
    unanswered: usize,
    confirmed: usize,
    approved: usize,
    unknown: usize,
    /// Sessions that were opened.
    sessions: usize,
    yeses: BTreeMap<String, String>,
    problems: Vec<String>,
}

/// An id, and who waits for its approval.
type Wanted = (String, oneshot::Sender<()>);

/// Runs the mix.
///
/// # Panics
/// When the program or PostgreSQL does not do as it should.
pub async fn mixed(program: &Path, mix: Mix) -> FleetReport {
    let fleet = Arc::new(Fleet::open(program, Engine::Postgres, Duration::from_millis(2)).await);
    let mut pairs = Vec::new();
    for confirmer in [Confirmer::Client, Confirmer::Operator] {
        pairs.push(BalancedPair::start(&fleet, confirmer).await);
    }
    let second = fleet.add_caller(SECOND_CALLER).await;
    let (wanted, asked) = mpsc::unbounded_channel();
    let operator = tokio::spawn(approve_all(Arc::clone(&fleet), asked));
    let started = Instant::now();
    let (mut clients, mut in_sessions) = (JoinSet::new(), 0);
    for number in 0..mix.clients {
        let (habit, pair) = match number % 10 {
            0 => (Habit::IsApproved, &pairs[1]),
            1 | 2 => (Habit::Confirms, &pairs[0]),
            odd if odd % 2 == 1 => (Habit::Reads, &pairs[0]),
            _ => (Habit::Reads, &pairs[1]),
        };
        let mut its_own = pair.client();
        if number / 10 % 2 == 1 {
            its_own = its_own.in_session();
            in_sessions += 1;
        }
        if number / 20 % 2 == 1 {
            its_own = its_own.by(&second);
        }
        clients.spawn(client(number, habit, its_own, wanted.clone(), started + mix.lasts));
    }
    drop(wanted);
    // By the clock: the time that a new instance takes to start is none between two kills.
    let (mut kills, mut next) = (0, started + mix.kills_every);
    while next < started + mix.lasts {
        tokio::time::sleep_until(next.into()).await;
        pairs[kills % 2].replace(&fleet, kills / 2 % 2).await;
        kills += 1;
        next += mix.kills_every;
    }
    let mut done = Done::default();
    for each in clients.join_all().await {
        done.add(each);
    }
    operator.await.expect("the operator does not panic");
    let took = started.elapsed().as_secs_f64();
    let ledger = fleet.settled().await;
    let mut report = FleetReport::default();
    report.problems = done.problems;
    report.figure("clients", mix.clients);
    report.figure("clients with a session", in_sessions);
    report.figure("sessions opened", done.sessions);
    report.figure("instances killed", kills);
    report.figure("time", format!("{took:.0} s"));
    report.figure("reads", done.reads);
    report.figure("reads cut off by a kill", done.unanswered);
    report.figure("deletions with a token", done.confirmed);
    report.figure("deletions by approval", done.approved);
    report.figure("deletions cut off by a kill", done.unknown);
    report.figure("deletions at the API", fleet.deleted().values().sum::<usize>());
    report.figure("calls noted as lost", ledger.count("CALL_LOST"));
    report.figure("lines of the audit, verified", ledger.lines());
    report.check(done.confirmed > 0 && done.approved > 0 && done.reads > 0, || {
        "hardly anything was done".to_owned()
    });
    for caller in [FIRST_CALLER, SECOND_CALLER] {
        report.check(ledger.begun_by(caller) > 0, || format!("nothing was confirmed by {caller}"));
    }
    report.check(kills == 0 || done.sessions > in_sessions, || {
        format!("{} sessions were opened: none anew after a kill", done.sessions)
    });
    ledger.judge(&done.yeses, &fleet.deleted(), &mut report);
    report
}

/// Two instances behind a balancer.
struct BalancedPair {
    confirmer: Confirmer,
    instances: [Option<Instance>; 2],
    balancer: Balancer,
    client: Client,
}

impl BalancedPair {
    async fn start(fleet: &Fleet, confirmer: Confirmer) -> BalancedPair {
        let (one, other) = (fleet.start_with(confirmer).await, fleet.start_with(confirmer).await);
        let balancer = Balancer::start(vec![one.address(), other.address()]).await;
        let client = one.client().at(balancer.address());
        BalancedPair { confirmer, instances: [Some(one), Some(other)], balancer, client }
    }

    fn client(&self) -> Client {
        self.client.clone()
    }

    /// Kills one, and puts a new one in its place.
    async fn replace(&mut self, fleet: &Fleet, number: usize) {
        if let Some(instance) = self.instances[number].take() {
            instance.kill().await;
        }
        let new = fleet.start_with(self.confirmer).await;
        self.balancer.replace(number, new.address());
        self.instances[number] = Some(new);
    }
}

/// The operator, who approves what is wanted, one after another.
async fn approve_all(fleet: Arc<Fleet>, mut asked: mpsc::UnboundedReceiver<Wanted>) {
    while let Some((id, done)) = asked.recv().await {
        fleet.operator(&["approve", &id]).await;
        // Anyone who does not wait any more needs no answer.
        done.send(()).ok();
    }
}

async fn client(
    number: usize,
    habit: Habit,
    client: Client,
    wanted: mpsc::UnboundedSender<Wanted>,
    until: Instant,
) -> Done {
    let mut done = Done::default();
    // Not all at the same moment.
    tokio::time::sleep(PACE * u32::try_from(number % 20).unwrap_or_default() / 20).await;
    let mut turn = 0;
    while Instant::now() < until {
        turn += 1;
        let order = format!("order-{number}-{turn}");
        match habit {
            Habit::Reads => done.read(client.read(&order).await),
            Habit::Confirms => {
                let token = client.token_for(&order).await;
                let session = client.sessions_opened();
                done.yeses.insert(order.clone(), name_of(&token));
                let answered = client.until_decided(&order, Some(&token)).await;
                done.deleted(&order, answered, habit, client.sessions_opened() > session);
            }
            Habit::IsApproved => {
                let id = client.token_for(&order).await;
                let (approved, answer) = oneshot::channel();
                if wanted.send((id.clone(), approved)).is_err() || answer.await.is_err() {
                    return done;
                }
                done.yeses.insert(order.clone(), id);
                done.deleted(&order, client.until_decided(&order, None).await, habit, false);
            }
        }
        tokio::time::sleep(PACE).await;
    }
    done.sessions = client.sessions_opened();
    done
}

impl Done {
    fn read(&mut self, answered: Answered) {
        match answered {
            Answered::Done => self.reads += 1,
            Answered::Unanswered(_) => self.unanswered += 1,
            other => self.problems.push(format!("a read: {other:?}")),
        }
    }

    /// A call whose answer was cut off may have used its yes up: then a token is refused, and an operator is asked again. So it is
    /// in a new session, which has nothing of the one that was lost.
    fn deleted(&mut self, order: &str, answered: Answered, habit: Habit, in_new_session: bool) {
        match (answered, habit) {
            (Answered::Done, Habit::IsApproved) => self.approved += 1,
            (Answered::Done, _) => self.confirmed += 1,
            (Answered::Asked(_), Habit::IsApproved) => self.unknown += 1,
            (Answered::Refused(code), _) if code == "TOKEN_ALREADY_USED" => self.unknown += 1,
            (Answered::Refused(code), _) if in_new_session && code == "TOKEN_INVALID" => self.unknown += 1,
            (other, _) => self.problems.push(format!("{order}: {other:?}")),
        }
    }

    fn add(&mut self, other: Done) {
        self.reads += other.reads;
        self.unanswered += other.unanswered;
        self.confirmed += other.confirmed;
        self.approved += other.approved;
        self.unknown += other.unknown;
        self.sessions += other.sessions;
        self.yeses.extend(other.yeses);
        self.problems.extend(other.problems);
    }
}
