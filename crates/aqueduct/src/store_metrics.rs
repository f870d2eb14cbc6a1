//! What metrics show of the store, the audit, hooks and agents.
//!
//! The counts of this process, and what one state of the store says for all processes, in; families out. A store that does not answer
//! in time is left out, and one that was never used is not opened for it.

use aqueduct_operations::handler::Boxed;
use aqueduct_operations::rate_limits::metering::PausedQuota;
use aqueduct_safety::hooks::{HookFailure, WaitingAgent, WaitingCalls, WaitingListener};
use aqueduct_store::{AgentCounts, Store, StoreError, StoreStatus, StoreTally};
use aqueduct_surface::metrics::{Labels, MetricFamily, MetricsSource, Samples};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long the store is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often people were told of what waits, and were not.
#[derive(Debug, Default)]
pub(crate) struct HookCounts {
    delivered: AtomicU64,
    failed: AtomicU64,
}

/// A listener whose ends are counted.
#[derive(Debug)]
pub(crate) struct CountedListener {
    pub listener: Arc<dyn WaitingListener>,
    pub counts: Arc<HookCounts>,
}

impl WaitingListener for CountedListener {
    fn notify(&self, what: WaitingCalls) -> Boxed<'static, Result<(), HookFailure>> {
        self.counted(self.listener.notify(what))
    }

    fn notify_of_agent(&self, what: WaitingAgent) -> Boxed<'static, Result<(), HookFailure>> {
        self.counted(self.listener.notify_of_agent(what))
    }

    fn notify_of_quota(&self, what: PausedQuota) -> Boxed<'static, Result<(), HookFailure>> {
        self.counted(self.listener.notify_of_quota(what))
    }
}

impl CountedListener {
    fn counted(
        &self,
        delivered: Boxed<'static, Result<(), HookFailure>>,
    ) -> Boxed<'static, Result<(), HookFailure>> {
        let counts = Arc::clone(&self.counts);
        Box::pin(async move {
            let result = delivered.await;
            let count = if result.is_ok() { &counts.delivered } else { &counts.failed };
            count.fetch_add(1, Ordering::Relaxed);
            result
        })
    }
}

/// Everything that hangs on the store.
#[derive(Debug)]
pub(crate) struct StoreMetrics {
    pub store: Store,
    pub hooks: Arc<HookCounts>,
}

impl MetricsSource for StoreMetrics {
    fn collect(&self) -> Boxed<'_, Vec<MetricFamily>> {
        Box::pin(async {
            let shared = if self.store.is_used() { self.shared().await } else { None };
            let mut families = Vec::from(of_process(self.store.tally()));
            families.extend(of_hooks(&self.hooks));
            families.extend(of_all_processes(shared));
            families
        })
    }
}

/// What the store says for all processes.
#[derive(Debug)]
struct SharedCounts {
    status: StoreStatus,
    agents: AgentCounts,
    instances: usize,
}

impl StoreMetrics {
    async fn shared(&self) -> Option<SharedCounts> {
        let counts_in_store = async {
            let (status, agents) = (self.store.status().await?, self.store.agent_counts().await?);
            let instances = self.store.instances().await?.len();
            Ok::<SharedCounts, StoreError>(SharedCounts { status, agents, instances })
        };
        // Why it fails is in the log of the store, and in its counts.
        tokio::time::timeout(PATIENCE, counts_in_store).await.ok()?.ok()
    }
}

fn one(label: &'static str, text: impl Into<String>) -> Labels {
    vec![(label, text.into())]
}

fn of_process(tally: StoreTally) -> [MetricFamily; 5] {
    let StoreTally { reads, writes, failures, audit_lines, waiting_lines, is_lost } = tally;
    let durations = vec![(one("kind", "read"), reads), (one("kind", "write"), writes)];
    let failures = failures.into_iter().map(|(reason, count)| (one("reason", reason), count));
    let lines = audit_lines.into_iter().map(|(event, count)| (one("event", event), count));
    [
        MetricFamily {
            name: "aqueduct_store_seconds",
            about: "What the store was asked for by this process, and how long it took.",
            samples: Samples::Histogram(durations),
        },
        MetricFamily {
            name: "aqueduct_store_failures_total",
            about: "Requests to the store that failed.",
            samples: Samples::Counter(failures.collect()),
        },
        gauge("aqueduct_store_lost", "1 while the last request to the store failed.", i64::from(is_lost)),
        MetricFamily {
            name: "aqueduct_audit_lines_total",
            about: "Lines that this process added to the audit, by event.",
            samples: Samples::Counter(lines.collect()),
        },
        gauge(
            "aqueduct_audit_waiting_lines",
            "Lines of the audit that wait to be written.",
            i64::try_from(waiting_lines).unwrap_or(i64::MAX),
        ),
    ]
}

fn of_hooks(hooks: &HookCounts) -> [MetricFamily; 1] {
    let (delivered, failed) = (hooks.delivered.load(Ordering::Relaxed), hooks.failed.load(Ordering::Relaxed));
    let samples = vec![(one("outcome", "success"), delivered), (one("outcome", "failure"), failed)];
    let about = "Times that hooks and the desktop were told of what waits.";
    [MetricFamily { name: "aqueduct_hooks_total", about, samples: Samples::Counter(samples) }]
}

fn gauge(name: &'static str, about: &'static str, value: i64) -> MetricFamily {
    MetricFamily { name, about, samples: Samples::Gauge(vec![(Vec::new(), value)]) }
}

/// Gauges of the whole store; without values when it does not answer.
fn of_all_processes(shared: Option<SharedCounts>) -> Vec<MetricFamily> {
    type Value = fn(&SharedCounts) -> i64;
    let simple: [(&'static str, &'static str, Value); 6] = [
        ("aqueduct_confirmation_tokens", "Confirmation tokens that can still be used.", |all| {
            all.status.live_tokens
        }),
        ("aqueduct_approvals_waiting", "Questions that wait for the operator.", |all| {
            all.status.waiting_approvals
        }),
        ("aqueduct_confirmed_calls_running", "Confirmed calls that run now.", |all| all.status.running_calls),
        ("aqueduct_callers", "Callers with a good token.", |all| all.status.callers),
        ("aqueduct_agent_challenges_waiting", "Challenges that wait for a code.", |all| {
            all.agents.challenges
        }),
        ("aqueduct_instances", "Instances on the store that run.", |all| {
            i64::try_from(all.instances).unwrap_or(i64::MAX)
        }),
    ];
    let mut families: Vec<MetricFamily> = simple
        .into_iter()
        .map(|(name, about, value)| {
            let samples = shared.iter().map(|shared| (Vec::new(), value(shared))).collect();
            MetricFamily { name, about, samples: Samples::Gauge(samples) }
        })
        .collect();
    let agents = shared.iter().flat_map(|SharedCounts { agents, .. }| {
        let states = [
            ("running", agents.running - agents.paused),
            ("paused", agents.paused),
            ("blocked", agents.blocked),
        ];
        states.map(|(state, count)| (one("state", state), count))
    });
    families.push(MetricFamily {
        name: "aqueduct_agents",
        about: "Agents that run, wait for a person, or are blocked.",
        samples: Samples::Gauge(agents.collect()),
    });
    families
}
