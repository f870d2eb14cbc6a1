//! For tests: adapter text in, a whole dispatcher out, calling a fake API with a clock and an environment of its own.
//!
//! Every answer that passes through here is checked: it has the closed shape of a response, and no sentence of ours looks
//! like leaked internals.

use crate::observe::Observer;
use crate::{Catalog, DispatchSettings, Dispatcher};
use aqueduct_adapter_files::load;
use aqueduct_egress::resolver::{AddressLookup, LookupFuture};
use aqueduct_operations::call::{Call, CallOrigin, SessionId, ToolEndpoint};
use aqueduct_operations::exposure::{Exposure, Mode, Profile};
use aqueduct_operations::failure::wording::looks_like_a_leak;
use aqueduct_operations::gatekeeper::{Policy, PolicyRule, PolicyRules};
use aqueduct_operations::handler::Elicitor;
use aqueduct_operations::limits::Limits;
use aqueduct_operations::progress::{Progress, ProgressListener};
use aqueduct_operations::registry::{LoadedSource, NamingScheme, Registry};
use aqueduct_operations::reply::Reply;
use aqueduct_operations::trust::TrustLevel;
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_source_kind::settings::SourceSettings;
use aqueduct_testkit::api::{Answer, FakeApi};
use aqueduct_testkit::clock::TestClock;
use aqueduct_testkit::environment::TestEnvironment;
use aqueduct_testkit::log;
use aqueduct_upstream::{Environment, Upstream, UpstreamSettings};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, OnceLock};

/// The credential of the sample adapter. No output may hold it.
pub const TOKEN: &str = "lib-t0ken-4711-secret";

/// The operations of the rich sample, in the order of its file.
pub const LIBRARY_OPERATIONS: &[&str] = &[
    "create_book",
    "get_book",
    "list_books",
    "find_shelf",
    "get_status",
    "get_secret_note",
    "update_book",
    "update_hours",
    "touch_book",
    "update_layout",
    "delete_book",
    "delete_all_books",
    "send_reminder",
    "start_scan",
    "cancel_scan",
];

/// The rich sample: every kind of operation and parameter.
pub fn library(base_url: &str) -> String {
    include_str!("test_server/library-adapter.md").replace("BASE_URL", base_url)
}

/// A small adapter with these blocks after its target, such as `operations:`.
pub fn adapter(name: &str, base_url: &str, blocks: &str) -> String {
    format!(
        "---\nname: {name}\ntype: adapter\nversion: \"1.0.0\"\ndescription: \"An API for tests\"\ntarget:\n  base_url: \
         {base_url}\n  transport: http\n  protocol: rest\n  serialization: json\n  retries: 0\n{blocks}\n---\n"
    )
}

/// What a test may set.
pub struct Setup {
    pub trust: Option<TrustLevel>,
    pub exposure: Exposure,
    pub settings: DispatchSettings,
    pub gate: GateSettings,
    pub max_response_size: u64,
    pub environment: Arc<dyn Environment>,
    pub policy: Option<Arc<dyn Policy>>,
    pub observer: Option<Arc<dyn Observer>>,
    pub rules: Vec<PolicyRule>,
}

/// Knows no name: no test asks the network for one.
#[derive(Debug)]
struct NoNames;

impl AddressLookup for NoNames {
    fn lookup(&self, _name: &str) -> LookupFuture {
        Box::pin(std::future::ready(Err(std::io::ErrorKind::NotFound.into())))
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            trust: None,
            exposure: Exposure::default(),
            settings: DispatchSettings::default(),
            gate: GateSettings::default(),
            max_response_size: Limits::default().max_response_size,
            environment: Arc::new(TestEnvironment::with(&[("LIBRARY_TOKEN", TOKEN)])),
            policy: None,
            observer: None,
            rules: Vec::new(),
        }
    }
}

impl Setup {
    pub fn trust(level: &str) -> Setup {
        Setup { trust: Some(TrustLevel::parse(level).unwrap()), ..Setup::default() }
    }

    pub fn profile(profile: Profile) -> Setup {
        Setup { exposure: Exposure { profile, ..Exposure::default() }, ..Setup::default() }
    }

    pub fn mode(mode: Mode) -> Setup {
        Setup { exposure: Exposure { mode, ..Exposure::default() }, ..Setup::default() }
    }

    pub fn limits(limits: Limits) -> Setup {
        let settings = DispatchSettings { limits, ..DispatchSettings::default() };
        Setup { settings, ..Setup::default() }
    }

    pub fn lenient() -> Setup {
        let settings = DispatchSettings { strict_mode: false, ..DispatchSettings::default() };
        Setup { settings, ..Setup::default() }
    }

    /// A server of these adapter texts.
    pub fn serve(self, adapters: &[String]) -> TestServer {
        let clock = TestClock::default();
        let settings = SourceSettings { trust: self.trust, ..SourceSettings::default() };
        let loaded = adapters.iter().map(|text| {
            let outcome = load("test-adapter.md", text.as_bytes(), &settings);
            let shown: Vec<String> = outcome.errors().map(ToString::to_string).collect();
            outcome.loaded.unwrap_or_else(|| panic!("{}", shown.join("\n")))
        });
        let loaded = loaded.collect();
        self.serve_loaded(loaded, clock)
    }

    /// A server of these sources.
    pub fn serve_loaded(self, loaded: Vec<LoadedSource>, clock: TestClock) -> TestServer {
        log::install();
        let names = if loaded.len() == 1 { NamingScheme::Bare } else { NamingScheme::Namespaced };
        let registry = Registry::build(loaded, names).unwrap();
        let rules = Arc::new(PolicyRules::new(self.rules));
        let catalog = Catalog::under(Arc::clone(&rules), registry, self.exposure, &self.settings.limits);
        let upstream = UpstreamSettings {
            max_response_size: self.max_response_size,
            clock: Arc::new(clock.clone()),
            ..UpstreamSettings::default()
        };
        let upstream = Upstream::with_lookup(upstream, self.environment, Arc::new(NoNames));
        let gatekeeper = aqueduct_safety::gatekeeper(self.gate, Arc::new(clock.clone())).with_rules(rules);
        let gatekeeper = match self.policy {
            Some(policy) => gatekeeper.with_policy(policy),
            None => gatekeeper,
        };
        let settings = DispatchSettings { clock: Arc::new(clock.clone()), ..self.settings };
        let dispatcher = Dispatcher::new(catalog, gatekeeper, upstream, settings);
        let dispatcher = match self.observer {
            Some(observer) => dispatcher.observed_by(observer),
            None => dispatcher,
        };
        TestServer { dispatcher: Arc::new(dispatcher).attached(), clock }
    }

    /// A server of the rich sample, in front of this API.
    pub fn serve_library(self, api: &FakeApi) -> TestServer {
        self.serve(&[library(&api.base_url())])
    }
}

/// A server under test.
#[derive(Clone, Debug)]
pub struct TestServer {
    pub dispatcher: Arc<Dispatcher>,
    pub clock: TestClock,
}

/// Listens to progress.
#[derive(Debug, Default)]
pub struct ProgressLog(Mutex<Vec<Progress>>);

impl ProgressLog {
    /// What it has heard.
    pub fn reports(&self) -> Vec<Progress> {
        self.0.lock().unwrap().clone()
    }
}

impl ProgressListener for ProgressLog {
    fn on_progress(&self, progress: Progress) {
        self.0.lock().unwrap().push(progress);
    }
}

fn plain(session: &str, endpoint: ToolEndpoint, request: Value) -> Call {
    let Value::Object(arguments) = request else { panic!("a request is an object") };
    Call { arguments, origin: CallOrigin { endpoint, ..CallOrigin::local(SessionId::new(session)) } }
}

impl TestServer {
    /// The rich sample in front of an API that answers everything with `{"ok": true}`.
    pub async fn library() -> (TestServer, FakeApi) {
        let api = FakeApi::always(Answer::json(200, json!({"ok": true}))).await;
        (Setup::default().serve_library(&api), api)
    }

    /// Calls through the endpoint that takes everything.
    pub async fn call(&self, request: Value) -> Value {
        self.call_as("session-1", ToolEndpoint::Any, request).await
    }

    /// Calls through the tool of one family.
    pub async fn call_by(&self, family: &str, request: Value) -> Value {
        self.call_as("session-1", ToolEndpoint::Family(family.to_owned()), request).await
    }

    /// Calls as another session.
    pub async fn call_as(&self, session: &str, endpoint: ToolEndpoint, request: Value) -> Value {
        let reply = self.reply(session, endpoint, request).await;
        let answer: Value = serde_json::from_str(&reply.to_json()).unwrap();
        lint(&answer);
        answer
    }

    /// Calls with somebody who listens: the response, and what was told on the way.
    pub async fn call_telling(&self, request: Value) -> (Value, Vec<Progress>) {
        let progress_log = Arc::new(ProgressLog::default());
        let mut call = plain("session-1", ToolEndpoint::Any, request);
        call.origin.progress = Some(Arc::clone(&progress_log) as _);
        let answer = serde_json::from_str(&self.dispatcher.call(call).await.to_json()).unwrap();
        (answer, progress_log.reports())
    }

    /// Calls with somebody who can be asked.
    pub async fn call_asking(&self, person: Arc<dyn Elicitor>, request: Value) -> Value {
        let mut call = plain("session-1", ToolEndpoint::Any, request);
        call.origin.asker = Some(person);
        serde_json::from_str(&self.dispatcher.call(call).await.to_json()).unwrap()
    }

    /// The reply itself.
    pub async fn reply(&self, session: &str, endpoint: ToolEndpoint, request: Value) -> Reply {
        self.dispatcher.call(plain(session, endpoint, request)).await
    }

    /// A call that must fail: its error.
    pub async fn error(&self, request: Value) -> Value {
        error_of(self.call(request).await)
    }

    /// A call that must work: its data.
    pub async fn data(&self, request: Value) -> Value {
        data_of(self.call(request).await)
    }
}

/// The error of a failure.
pub fn error_of(mut answer: Value) -> Value {
    assert_eq!(answer["success"], false, "{answer}");
    answer["error"].take()
}

/// The data of a success.
pub fn data_of(mut answer: Value) -> Value {
    assert_eq!(answer["success"], true, "{answer}");
    answer["data"].take()
}

/// Asserts the closed shape of a response (X-conf-6 to X-conf-10) and clean sentences.
pub fn lint(answer: &Value) {
    if let Some(results) = answer["results"].as_array() {
        results.iter().chain(answer.get("halted_at")).for_each(|result| lint(&result["result"]));
        let known = [
            "success",
            "data",
            "results",
            "summary",
            "halted_at",
            "pending_operations",
            "next_request",
            "warnings",
        ];
        assert!(answer.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{answer}");
        return;
    }
    assert_valid(operation_result(), answer);
    let error = &answer["error"];
    // The words of others stand in our messages as they are.
    let from_others = error["details"]["source"].is_string();
    let mut sentences: Vec<&Value> = vec![&error["message"]];
    sentences.extend(error["details"]["problems"].as_array().into_iter().flatten().map(|p| &p["message"]));
    sentences.extend(answer["warnings"].as_array().into_iter().flatten().map(|w| &w["message"]));
    for sentence in sentences.into_iter().filter_map(Value::as_str) {
        assert!(from_others || !looks_like_a_leak(sentence), "{sentence}");
    }
}

/// Asserts that a value fits a schema.
pub fn assert_valid(schema: &Validator, value: &Value) {
    let problems: Vec<String> = schema.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{problems:?}\n{value:#}");
}

fn operation_result() -> &'static Validator {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| schema(include_str!("introspect/schemas/operation-result.json")))
}

/// Compiles a schema.
pub fn schema(text: &str) -> Validator {
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}
