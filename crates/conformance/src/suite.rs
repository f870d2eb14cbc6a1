//! The whole run: what the server offers is read, things are made if that is allowed, every check looks at it, and the report and
//! the evidence are put together.

use crate::catalog::Catalog;
use crate::checks;
use crate::conversation::Conversation;
use crate::evidence::Evidence;
use crate::exchange::{Exchange, Received};
use crate::lifecycle::{self, CreatedThings, Cycle, ResourceHistory};
use crate::report::Report;
use crate::requests::ListedItems;
use crate::server::Server;
use crate::tools::{self, Tools};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The level that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Basic.
    One = 1,
    /// Full.
    Two = 2,
}

/// How to judge.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The level.
    pub level: Level,
    /// Operations that change something may be called, on things that the run makes itself.
    pub allow_writes: bool,
    /// The most operations that are examined; of more, a sample is.
    pub most_operations: usize,
}

/// Ends a run early: what was created is deleted, and nothing else is sent any more.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Stops.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// It is to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What came of a run.
#[derive(Debug)]
pub struct SuiteOutcome {
    /// The report.
    pub report: Report,
    /// The evidence bundle.
    pub evidence: Value,
    /// What was created and could not be deleted, in words.
    pub left_behind: Vec<String>,
}

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// It has no tools of the protocol.
    #[error("the server has no tool that takes 'operation': it is no MCP-AQL server")]
    NoTools,
    /// None of its tools answers to introspection.
    #[error("no tool of the server answers 'introspect'; the nearest answer was: {0}")]
    NoIntrospection(String),
    /// It was stopped.
    #[error("the run was stopped; {}", left(.0))]
    Stopped(Vec<String>),
}

fn left(things: &[String]) -> String {
    if things.is_empty() {
        "nothing was left behind".to_owned()
    } else {
        format!("left behind: {}", things.join("; "))
    }
}

/// What the checks look at.
pub(crate) struct Run<'a> {
    pub conversation: &'a Conversation<'a>,
    pub catalog: &'a Catalog,
    pub listed: &'a ListedItems,
    pub settings: Settings,
    /// The kinds of things that can be made and deleted.
    pub cycles: &'a [Cycle<'a>],
    /// The histories of things that were made; nothing when that is not allowed.
    pub histories: &'a [ResourceHistory<'a>],
    pub evidence: RefCell<Evidence>,
}

impl Run<'_> {
    /// Why nothing can be said about changes.
    pub fn why_no_writes(&self) -> &'static str {
        match (self.settings.allow_writes, self.cycles.is_empty()) {
            (false, _) => {
                "nothing was changed: run with --allow-writes, on a server that holds nothing of value"
            }
            (true, true) => "no operations to create, read and delete the same kind of thing were found",
            (true, false) => "nothing could be created",
        }
    }
}

/// Judges a server.
pub async fn run_suite(
    server: &dyn Server,
    settings: Settings,
    stop: &StopFlag,
) -> Result<SuiteOutcome, SuiteError> {
    let mut tools = Tools::read(server.tools());
    if tools.all.is_empty() {
        return Err(SuiteError::NoTools);
    }
    tools.introspection = find_introspection(server, stop, &tools).await?;
    let conversation = Conversation::new(server, stop, tools);
    let catalog = Catalog::read(&conversation, settings.most_operations).await;
    let listed = ListedItems::gather(&conversation, &catalog.operations).await;
    let cycles = lifecycle::cycles(&catalog.operations);
    let mut created = CreatedThings::default();
    let allowed = if settings.allow_writes { cycles.as_slice() } else { &[] };
    let histories = lifecycle::histories(&conversation, allowed, &listed, &mut created).await;
    let run = Run {
        conversation: &conversation,
        catalog: &catalog,
        listed: &listed,
        settings,
        cycles: &cycles,
        histories: &histories,
        evidence: RefCell::default(),
    };
    let tests = checks::all(&run).await;
    created.clean_up(&conversation).await;
    if conversation.is_stopped() {
        return Err(SuiteError::Stopped(created.left));
    }
    let report = Report::of(server.identity(), settings.level as u8, tests);
    let evidence = run.evidence.into_inner().bundle(&report);
    Ok(SuiteOutcome { report, evidence, left_behind: created.left })
}

/// The tool that answers to introspection, if only with a refusal.
async fn find_introspection(
    server: &dyn Server,
    stop: &StopFlag,
    tools: &Tools,
) -> Result<String, SuiteError> {
    let conversation = Conversation::new(server, stop, tools.clone());
    let mut nearest: Option<Rc<Exchange>> = None;
    let mut refused: Option<String> = None;
    let mut malformed: Option<String> = None;
    for tool in tools.for_introspection() {
        let request = json!({"operation": "introspect", "params": {"query": "operations"}});
        let answer = conversation.send(&tool, request).await;
        if answer.is_success() {
            return Ok(tool);
        }
        // The tool that it belongs to refuses it for another reason than that it belongs elsewhere.
        let is_elsewhere = answer.code() == "VALIDATION_ENDPOINT_MISMATCH";
        let is_own = answer.is_failure() && !is_elsewhere;
        refused = refused.or_else(|| is_own.then(|| tool.clone()));
        // Of a tool with the name of the protocol's own, an answer that cannot be read is a fault to be told.
        let is_malformed = matches!(answer.answer, Received::Tool { .. }) && answer.is_malformed();
        malformed = malformed.or_else(|| (is_malformed && tool.contains(tools::SINGLE)).then_some(tool));
        if nearest.as_ref().is_none_or(|nearest| closeness(nearest) < closeness(&answer)) {
            nearest = Some(answer);
        }
    }
    if stop.is_set() {
        return Err(SuiteError::Stopped(Vec::new()));
    }
    // A server that speaks the protocol and refuses introspection is judged by that.
    if let Some(tool) = refused.or(malformed) {
        return Ok(tool);
    }
    Err(SuiteError::NoIntrospection(nearest.map(|answer| answer.shown_answer()).unwrap_or_default()))
}

/// How near an answer comes to introspection: an error of JSON-RPC least, then one that sends the caller elsewhere.
fn closeness(exchange: &Exchange) -> u8 {
    match &exchange.answer {
        Received::Tool { .. } if exchange.code() != "VALIDATION_ENDPOINT_MISMATCH" => 2,
        Received::Tool { .. } => 1,
        _ => 0,
    }
}
