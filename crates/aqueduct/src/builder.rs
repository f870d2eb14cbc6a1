//! `Builder`: sources and settings in, an `Aqueduct` out. What is set here is checked when it is built.
//!
//! Sources and settings in; an `Aqueduct`, or every error of the sources, out. Nothing is read before `build`.

#[cfg(any(feature = "serve", feature = "store"))]
mod parts;

#[cfg(feature = "store")]
use crate::agents::{self, WatchedAgents};
use crate::aqueduct::Aqueduct;
use crate::boot::{
    self, Corrections, LoadContext, SettingsByName, SourceInput, SourceSet, SourceSetSettings,
};
use crate::build_error::BuildError;
use crate::grants::GrantList;
use crate::native::{FunctionHandler, NativeOperations, key_of};
use crate::reload::{CatalogPlan, Reloader};
use crate::servers::{ConnectedServers, ServerConnector, ServerNeed, ServerSettings, WaitNotice};
use crate::session::Session;
#[cfg(all(feature = "serve", feature = "store"))]
use crate::store_metrics::HookCounts;
#[cfg(not(feature = "store"))]
use aqueduct_dispatch::Executions;
use aqueduct_dispatch::cursor::CursorKey;
use aqueduct_dispatch::{DispatchSettings, Dispatcher};
#[cfg(not(feature = "store"))]
use aqueduct_operations::clock::SystemClock;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::execution::ExecutionSettings;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::failure::wording::shortened;
use aqueduct_operations::gatekeeper::{PolicyRule, PolicyRules, RuleParam};
use aqueduct_operations::handler::{HandlerError, SealedHandler};
use aqueduct_operations::native::OperationSpec;
#[cfg(not(feature = "store"))]
use aqueduct_operations::registry::OwnOperations;
use aqueduct_operations::registry::Registry;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_safety::confirmation::GateSettings;
#[cfg(all(feature = "serve", feature = "store"))]
use aqueduct_safety::safety_loop::CHALLENGE_TTL;
#[cfg(feature = "store")]
use aqueduct_safety::safety_loop::LoopSettings;
#[cfg(feature = "store")]
use aqueduct_safety::stored_confirmations::Confirmer;
use aqueduct_source_kind::kind::SourceKind;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_sources::filter::OperationFilter;
use aqueduct_sources::kind_table::KindTable;
use aqueduct_sources::overrides::{Override, OverridesFile};
#[cfg(feature = "store")]
use aqueduct_store::Store;
#[cfg(feature = "serve")]
use aqueduct_surface::http::HttpSettings;
use aqueduct_upstream::{Environment, ProcessEnvironment, Upstream, UpstreamSettings};
#[cfg(feature = "store")]
use parts::ConfirmingStore;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Collects sources and settings.
///
/// ```
/// use aqueduct::{Aqueduct, SourceSettings, TrustLevel};
///
/// let settings = SourceSettings { trust: Some(TrustLevel::Certified), ..SourceSettings::default() };
/// let nothing = Aqueduct::builder().adapter_text("shop-adapter.md", "---\nname: shop\n---\n", settings).build();
/// let error = nothing.err().map(|error| error.to_string()).unwrap_or_default();
/// assert!(error.contains("shop-adapter.md:2:1: error[MISSING_KEY] type: Adapter type is required"), "{error}");
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    sources: Vec<SourceInput>,
    kinds: KindTable,
    by_name: SettingsByName,
    exposure: Exposure,
    dispatch: DispatchSettings,
    gate: GateSettings,
    policy: PolicyRules,
    executions: ExecutionSettings,
    #[cfg(feature = "store")]
    store: Option<ConfirmingStore>,
    #[cfg(feature = "store")]
    safety: Option<LoopSettings>,
    #[cfg(feature = "serve")]
    http: HttpSettings,
    environment: Option<Arc<dyn Environment>>,
    cursor_key: Option<CursorKey>,
    corrections: Corrections,
    servers: ServerSettings,
    grants: Option<PathBuf>,
    need: ServerNeed,
    natives: NativeOperations,
}

impl Builder {
    /// Adds an adapter file, or a directory of them, a document or a server.
    #[must_use]
    pub fn source(mut self, path: impl Into<PathBuf>, settings: SourceSettings) -> Builder {
        self.sources.push(SourceInput::Path(path.into(), settings));
        self
    }

    /// Adds a kind of source, which is asked after those that are known.
    #[must_use]
    pub fn source_kind(mut self, kind: Arc<dyn SourceKind>) -> Builder {
        self.kinds.add(kind);
        self
    }

    /// Sets which kinds of sources there are.
    #[must_use]
    pub fn kinds(mut self, kinds: KindTable) -> Builder {
        self.kinds = kinds;
        self
    }

    /// Adds an adapter file by its text. `file` is the name shown in messages, and ends in `-adapter.md`.
    #[must_use]
    pub fn adapter_text(
        mut self,
        file: impl Into<String>,
        text: impl Into<String>,
        settings: SourceSettings,
    ) -> Builder {
        self.sources.push(SourceInput::Text { file: file.into(), text: text.into(), settings });
        self
    }

    /// Adds an operation of the program itself: what it is, and the function that runs it. Its source is the namespace.
    #[must_use]
    pub fn operation<F, A>(self, spec: OperationSpec, function: F) -> Builder
    where
        F: Fn(Map<String, Value>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Value, HandlerError>> + Send + 'static,
    {
        let key = key_of(&spec);
        let handler = Arc::new(FunctionHandler::new(key.clone(), function));
        self.operation_spec(spec).handler(key, handler)
    }

    /// Adds an operation of the program itself, whose handler is added apart.
    #[must_use]
    pub fn operation_spec(mut self, spec: OperationSpec) -> Builder {
        self.natives.spec(spec);
        self
    }

    /// Adds the handler of an operation that is declared apart, here or in an operation file: `<namespace>.<name>`.
    #[must_use]
    pub fn handler(mut self, key: impl Into<String>, handler: impl Into<SealedHandler>) -> Builder {
        self.natives.handler(key.into(), handler.into());
        self
    }

    /// Keeps only some operations of every source.
    #[must_use]
    pub fn filter(mut self, filter: OperationFilter) -> Builder {
        self.corrections.filter = filter;
        self
    }

    /// Corrects what sources say of their operations, as a file says.
    #[must_use]
    pub fn overrides(mut self, overrides: OverridesFile) -> Builder {
        self.corrections.overrides = overrides;
        self
    }

    /// Corrects what the source with this name says of its operations.
    #[must_use]
    pub fn corrections_for(mut self, name: impl Into<String>, rules: Vec<Override>) -> Builder {
        self.corrections.by_source.insert(name.into(), rules);
        self
    }

    /// Sets how other MCP servers are run.
    #[must_use]
    pub fn servers(mut self, settings: ServerSettings) -> Builder {
        self.servers = settings;
        self
    }

    /// Sets the file in which it is kept what the operator allows to adapter files that somebody else wrote: which of the
    /// variables that they name is sent where, which program is started. Without one nothing of that is allowed.
    #[must_use]
    pub fn grants_file(mut self, path: impl Into<PathBuf>) -> Builder {
        self.grants = Some(path.into());
        self
    }

    /// Sets what holds for the source with this name, wherever it comes from. There must be such a source.
    #[must_use]
    pub fn settings_for(mut self, name: impl Into<String>, settings: SourceSettings) -> Builder {
        self.by_name.required.insert(name.into(), settings);
        self
    }

    /// Sets the trust in every source for whose name nothing else is set.
    #[must_use]
    pub fn trust_in_all(mut self, level: TrustLevel) -> Builder {
        self.by_name.trust_in_all = Some(level);
        self
    }

    /// Sets what holds for the source with this name, if there is one, where nothing else says so.
    #[must_use]
    pub fn defaults_for(mut self, name: impl Into<String>, settings: SourceSettings) -> Builder {
        self.by_name.defaults.insert(name.into(), settings);
        self
    }

    /// Sets mode, profile and prefix of the tools.
    #[must_use]
    pub fn exposure(mut self, exposure: Exposure) -> Builder {
        self.exposure = exposure;
        self
    }

    /// Sets limits and strictness.
    #[must_use]
    pub fn dispatch(mut self, settings: DispatchSettings) -> Builder {
        self.dispatch = settings;
        self
    }

    /// Answers are as long as they are, for people who read them: models pay for each token. Comes after `dispatch`.
    #[must_use]
    pub fn whole_answers(mut self) -> Builder {
        self.dispatch.limits.max_response_tokens = u64::MAX;
        self
    }

    /// Sets how confirmations work.
    #[must_use]
    pub fn gate(mut self, settings: GateSettings) -> Builder {
        self.gate = settings;
        self
    }

    /// Keeps confirmations and the audit in this store, and says who confirms. Without one they are in memory, and the user of the
    /// client confirms.
    #[cfg(feature = "store")]
    #[must_use]
    pub fn store(mut self, store: Store, confirmer: Confirmer) -> Builder {
        self.store = Some(ConfirmingStore { store, confirmer });
        self
    }

    /// Watches agents that work on their own: its operations are offered, and while an agent runs its calls are held against what it
    /// has reported. Needs a store.
    #[cfg(feature = "store")]
    #[must_use]
    pub fn safety(mut self, settings: LoopSettings) -> Builder {
        self.safety = Some(settings);
        self
    }

    /// Sets rules that allow, confirm or deny calls, beside what trust and danger say.
    #[must_use]
    pub fn policy(mut self, rules: PolicyRules) -> Builder {
        self.policy = rules;
        self
    }

    /// Sets how clients are served over HTTP, and which.
    #[cfg(feature = "serve")]
    #[must_use]
    pub fn http(mut self, settings: HttpSettings) -> Builder {
        self.http = settings;
        self
    }

    /// Sets the key of cursors. Servers with the same key take each other's; without one, cursors end with the process.
    #[must_use]
    pub fn cursor_key(mut self, key: CursorKey) -> Builder {
        self.cursor_key = Some(key);
        self
    }

    /// Sets how long and how much of executions is kept.
    #[must_use]
    pub fn executions(mut self, settings: ExecutionSettings) -> Builder {
        self.executions = settings;
        self
    }

    /// Waits so long for MCP servers that were never seen before.
    pub fn patience(mut self, patience: Duration) -> Builder {
        self.servers.patience = patience;
        self
    }

    /// Tells somebody which servers are waited for when they take long.
    #[must_use]
    pub fn wait_notice(mut self, notice: WaitNotice) -> Builder {
        self.servers.notice = Some(notice);
        self
    }

    /// Says which MCP servers are needed.
    pub fn need(mut self, need: ServerNeed) -> Builder {
        self.need = need;
        self
    }

    /// Notes sections of a configuration that have to find their source among the others.
    pub fn sections(mut self, sections: Vec<boot::SourceSection>) -> Builder {
        self.by_name.sections = sections;
        self
    }

    /// Takes out sources that are not at hand, on the web or behind a server; gives them with what is set for each.
    pub fn take_elsewhere(&mut self) -> Vec<(PathBuf, SourceSettings)> {
        let is_elsewhere = |source: &mut SourceInput| matches!(source, SourceInput::Path(path, _) if boot::is_elsewhere(path));
        let taken: Vec<SourceInput> = self.sources.extract_if(.., is_elsewhere).collect();
        if !taken.is_empty() {
            // What has to be there may be what was taken out.
            for (name, required) in std::mem::take(&mut self.by_name.required) {
                let lower = self.by_name.defaults.remove(&name).unwrap_or_default();
                self.by_name.defaults.insert(name, boot::layered(&required, &lower));
            }
        }
        let named = |source| match source {
            SourceInput::Path(path, settings) => Some((path, settings)),
            SourceInput::Text { .. } | SourceInput::Ready(_) => None,
        };
        taken.into_iter().filter_map(named).collect()
    }

    /// True when something was given to serve.
    pub fn has_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Sets where credentials are looked up; the process environment when not set.
    #[must_use]
    pub fn environment(mut self, environment: Arc<dyn Environment>) -> Builder {
        self.environment = Some(environment);
        self
    }

    /// Loads every source. With several files, one with errors does not keep the others from being served; when nothing can
    /// be served, the errors of all files are reported together.
    pub fn build(self) -> Result<Aqueduct, BuildError> {
        let mut given = self.sources;
        let mut natives = self.natives;
        let declared = natives.declared_in(&given);
        let (sources, warnings) = natives.joined();
        given.extend(sources.into_iter().map(|loaded| SourceInput::Ready(Box::new(loaded))));
        let environment = self.environment.unwrap_or_else(|| Arc::new(ProcessEnvironment));
        let patience = self.servers.patience;
        let servers = Arc::new(ConnectedServers::new(self.servers, self.need, Arc::clone(&environment)));
        let context = LoadContext {
            kinds: self.kinds.connected(Arc::clone(&servers) as Arc<dyn ServerConnector>),
            by_name: self.by_name,
            corrections: self.corrections,
            grants: Arc::new(GrantList::new(self.grants)),
        };
        #[cfg(all(feature = "serve", feature = "store"))]
        let challenge_ttl = self.safety.as_ref().map_or(CHALLENGE_TTL, |safety| safety.challenge_ttl);
        #[cfg(all(feature = "serve", feature = "store"))]
        let gate_settings = self.gate.clone();
        #[cfg(all(feature = "serve", feature = "store"))]
        let hooks: Arc<HookCounts> = Arc::default();
        #[cfg(all(feature = "serve", feature = "store"))]
        let gate = parts::counted(self.gate, &hooks);
        #[cfg(not(all(feature = "serve", feature = "store")))]
        let gate = self.gate;
        #[cfg(feature = "store")]
        let store = self.store.as_ref().map(|kept| &kept.store);
        #[cfg(feature = "store")]
        let listener = gate.listener.clone();
        #[cfg(feature = "store")]
        let agents = agents::watched(self.safety, store, listener.clone())?;
        #[cfg(feature = "store")]
        let own = agents.as_ref().map(WatchedAgents::own).unwrap_or_default();
        #[cfg(not(feature = "store"))]
        let own = OwnOperations::default();
        let settings = SourceSetSettings { context, exposure: self.exposure.clone(), patience, own };
        let (sources, registry, mut diagnostics) = SourceSet::open(given, settings)?;
        diagnostics.extend(declared.into_iter().chain(warnings));
        diagnostics.extend(idle_rules(&self.policy, &registry));
        let rules = Arc::new(self.policy);
        let plan = CatalogPlan {
            exposure: self.exposure,
            limits: self.dispatch.limits.clone(),
            rules: Arc::clone(&rules),
            #[cfg(feature = "store")]
            agents: agents.as_ref().map(WatchedAgents::safety_loop),
        };
        let catalog = plan.catalog(registry);
        let max_response_size = self.dispatch.limits.max_response_size;
        let upstream_settings = UpstreamSettings { max_response_size, ..UpstreamSettings::default() };
        let upstream = Upstream::new(upstream_settings, environment);
        #[cfg(feature = "store")]
        let gatekeeper = parts::gatekeeper(gate, self.store.as_ref(), agents);
        #[cfg(not(feature = "store"))]
        let gatekeeper = aqueduct_safety::gatekeeper(gate, Arc::new(SystemClock));
        let mut dispatch = self.dispatch;
        dispatch.cursor_key = self.cursor_key.or(dispatch.cursor_key);
        #[cfg(feature = "store")]
        let clock = Arc::clone(&dispatch.clock);
        let dispatcher = Dispatcher::new(catalog, gatekeeper.with_rules(rules), upstream, dispatch);
        #[cfg(feature = "store")]
        let dispatcher = parts::keeping(dispatcher, self.store.as_ref(), self.executions, clock, listener);
        #[cfg(not(feature = "store"))]
        let dispatcher = dispatcher.keeping(Executions::in_memory(self.executions));
        #[cfg(feature = "serve")]
        let serving = parts::serving(self.http, &dispatcher);
        #[cfg(all(feature = "serve", feature = "store"))]
        let serving = parts::with_store(serving, self.store.as_ref(), hooks);
        #[cfg(feature = "serve")]
        let dispatcher = dispatcher.observed_by(Arc::clone(&serving.metrics) as _);
        let dispatcher = Arc::new(dispatcher).attached();
        Ok(Aqueduct {
            reloader: Arc::new(Reloader::new(sources, Arc::clone(&dispatcher), plan)),
            dispatcher,
            diagnostics: Arc::new(diagnostics),
            #[cfg(feature = "serve")]
            serving: Arc::new(serving),
            servers,
            #[cfg(feature = "store")]
            store: self.store.map(|kept| kept.store),
            #[cfg(all(feature = "serve", feature = "store"))]
            gate_settings,
            #[cfg(all(feature = "serve", feature = "store"))]
            challenge_ttl,
            own_session: Session::new_id(),
        })
    }
}

/// Rules of the operator that do nothing.
fn idle_rules(policy: &PolicyRules, registry: &Registry) -> Vec<Diagnostic> {
    let entries = registry.entries();
    let unused = policy.unused(entries).map(|(number, rule)| fits_nothing(number, rule));
    let undeclared = policy.undeclared_params(entries).map(|found| fits_no_param(&found));
    let starred = policy.starred_params().map(|found| is_no_pattern(&found));
    let idle = policy.lifting_nothing(entries).map(|(number, rule)| lifts_nothing(number, rule));
    unused.chain(undeclared).chain(starred).chain(idle).collect()
}

/// A rule that protects nothing is most likely misspelt.
fn fits_nothing(number: usize, rule: &PolicyRule) -> Diagnostic {
    let message =
        format!("Rule {number} ({rule}) fits no operation; aqueduct introspect --why lists their names");
    Diagnostic::about("policy", DiagnosticSeverity::Warning, "POLICY_FITS_NOTHING", message)
}

/// The same of a parameter.
fn fits_no_param(RuleParam { number, rule, param }: &RuleParam<'_>) -> Diagnostic {
    let message = format!(
        "Rule {number} ({rule}) fits no call: none of its operations has a parameter '{}'",
        shortened(&param.name, 60)
    );
    Diagnostic::about("policy", DiagnosticSeverity::Warning, "POLICY_FITS_NOTHING", message)
}

/// A value that was meant as a pattern, most likely.
fn is_no_pattern(RuleParam { number, rule, param }: &RuleParam<'_>) -> Diagnostic {
    let message = format!(
        "Rule {number} ({rule}) has a '*' in a value of '{}', which is compared as it stands: values of parameters are no patterns",
        shortened(&param.name, 60)
    );
    Diagnostic::about("policy", DiagnosticSeverity::Warning, "POLICY_NO_PATTERN", message)
}

/// A rule that was meant to lift confirmations, and lifts none (ruling S2).
fn lifts_nothing(number: usize, rule: &PolicyRule) -> Diagnostic {
    let message = format!(
        "Rule {number} ({rule}) lifts no confirmation: only a rule with the operation's whole name does, one rule for each"
    );
    Diagnostic::about("policy", DiagnosticSeverity::Warning, "POLICY_LIFTS_NOTHING", message)
}
