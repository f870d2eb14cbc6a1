//! What holds: flag, then environment, then file, then default. Command line in, a builder out.
//!
//! Every setting is decided here and nowhere else; what cannot be kept is refused with the exit code that fits.

use super::file::{self, ConfigFile};
use super::operator::{self, OperatorListen};
use super::{executions, per_source, safety, store};
use crate::cli::SourceArgs;
use crate::hook::Hooks;
use crate::report::{self, CommandError, Exit};
use crate::store::open_at;
use crate::{demo, state};
use aqueduct::store::{Store, StoreSettings};
use aqueduct::tooling::{SourceForm, SourceSection, is_elsewhere, layered};
use aqueduct::{Builder, Confirmer, ServerSettings, SourceSettings};
use aqueduct_dispatch::{BatchMode, DispatchSettings};
use aqueduct_documents::DocumentNode;
use aqueduct_documents::disk::{self, ReadError};
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::autonomy::SafetyMode;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::exposure::{Exposure, Mode, Prefix, Profile};
use aqueduct_safety::confirmation::GateSettings;
use aqueduct_safety::hooks::WaitingListener;
use aqueduct_safety::safety_loop::LoopSettings;
use aqueduct_sources::filter::OperationFilter;
use aqueduct_sources::overrides::{self, OverridesFile};
use aqueduct_surface::http::HttpSettings;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The configuration file when none is named.
pub const DEFAULT_FILE: &str = "aqueduct.toml";
const LARGEST_FILE: u64 = 1024 * 1024;

/// What flags, environment and file say.
#[derive(Debug)]
pub struct ResolvedConfig {
    /// All of it that the library takes.
    pub builder: Builder,
    /// How clients are served over HTTP; the builder has it too.
    pub http: HttpSettings,
    /// Files are loaded again when they change.
    pub is_watched: bool,
    /// Who confirms dangerous calls.
    pub confirmer: Confirmer,
    /// How agents are watched.
    pub safety: LoopSettings,
    /// Where confirmations, callers and the audit are kept, once it is opened.
    pub store: Option<Store>,
    /// The file, for what is decided later; none for what needs no settings.
    root: Option<DocumentNode>,
}

impl ResolvedConfig {
    /// This, without any settings.
    pub fn unset(builder: Builder) -> ResolvedConfig {
        let (http, confirmer) = (HttpSettings::default(), Confirmer::default());
        let safety = LoopSettings::in_mode(SafetyMode::Disabled);
        ResolvedConfig { builder, http, is_watched: false, confirmer, safety, store: None, root: None }
    }

    /// Where the operator's page listens, as this flag says, or else the file. What has no settings has no page.
    pub fn operator_listen(&self, flag: Option<&str>) -> Result<OperatorListen, CommandError> {
        operator::listen(flag, self.root.as_ref().map(NodeCursor::root).as_ref())
    }

    /// The store in which calls wait for an operator; none when somebody else confirms.
    pub fn approvals(&self) -> Option<&Store> {
        self.store.as_ref().filter(|_| self.confirmer == Confirmer::Operator)
    }
}

/// A builder with everything that flags, environment and file say.
pub fn builder(shared: &SourceArgs, sources: &[PathBuf]) -> Result<Builder, CommandError> {
    let config = resolve(shared, sources)?;
    if config.safety.mode == SafetyMode::Disabled {
        return Ok(config.builder);
    }
    // The operations of the safety loop are there only with a store.
    Ok(with_store(config, shared, WithoutStore::Accepted)?.builder)
}

/// Everything that flags, environment and file say.
pub fn resolve(shared: &SourceArgs, sources: &[PathBuf]) -> Result<ResolvedConfig, CommandError> {
    let (path, file) = read_file(shared.config.as_deref())?;
    let root = NodeCursor::root(&file.root);
    let mode = confirmation_mode(shared, &root)?;
    let confirmer = if mode == ConfirmationMode::Operator { Confirmer::Operator } else { Confirmer::Client };
    let folder = path.parent().unwrap_or(Path::new(""));
    let place = |from: &String| {
        let given = PathBuf::from(from);
        if is_elsewhere(&given) { given } else { folder.join(given) }
    };
    let paths: Vec<PathBuf> = if sources.is_empty() {
        file.sources.iter().filter_map(|source| source.from.as_ref().map(place)).collect()
    } else {
        sources.to_vec()
    };
    // Each is looked at once: to see what it is, a whole document may have to be read.
    let forms: HashMap<&Path, SourceForm> =
        paths.iter().map(|path| (path.as_path(), SourceForm::of(path))).collect();
    // A file with one server is one source, though its names are those of a list.
    let is_several = |path: &Path| forms.get(path) == Some(&SourceForm::List);
    let is_list = |path: &Path| forms.get(path).is_some_and(|form| *form != SourceForm::One);
    let several = paths.len() > 1 || paths.iter().any(|path| is_several(path));
    let given =
        sources.iter().filter(|path| !is_several(path)).map(|path| path.display().to_string()).collect();
    let mut flags = per_source::read(shared, &per_source::KnownSources { several, given })?;
    flags.reach_the_document(&paths);
    let sections = if sources.is_empty() { without_from(&path, &file) } else { Vec::new() };
    // Only the files of a directory, or the servers of a list, can have names that stand nowhere else.
    if let Some(section) = sections.first().filter(|_| !paths.iter().any(|path| is_list(path))) {
        let message = format!("{}: {}", section.file, section.problem());
        return Err(CommandError::configuration(message));
    }
    let mut builder = without_sources(shared, &file, mode)?.sections(sections);
    for path in sources {
        let own = flags.by_given.get(&path.display().to_string());
        let settings = own.map_or_else(|| flags.only.clone(), |own| layered(own, &flags.only));
        builder = with_source(builder, path.clone(), settings)?;
    }
    for source in &file.sources {
        builder = builder.corrections_for(source.name.clone(), source.corrections.clone());
        let mut settings = source.settings.clone();
        match source.from.as_ref().map(place).filter(|_| sources.is_empty()) {
            Some(from) => {
                // The adapters of a directory keep their own names.
                settings.source_name = Some(source.name.clone()).filter(|_| !is_list(&from));
                builder = with_source(builder, from, layered(&flags.only, &settings))?;
            }
            None => builder = builder.defaults_for(source.name.clone(), settings),
        }
    }
    if let Some(level) = flags.trust_in_all {
        builder = builder.trust_in_all(level);
    }
    for (name, settings) in flags.by_name {
        builder = builder.settings_for(name, settings);
    }
    let is_watched = root.flag("watch").unwrap_or(true);
    let safety = safety::settings(shared.safety.as_deref(), &root)?;
    Ok(ResolvedConfig {
        builder,
        http: file.http,
        is_watched,
        confirmer,
        safety,
        store: None,
        root: Some(file.root),
    })
}

/// A builder with the settings that hold for all sources.
fn without_sources(
    shared: &SourceArgs,
    file: &ConfigFile,
    mode: ConfirmationMode,
) -> Result<Builder, CommandError> {
    let root = NodeCursor::root(&file.root);
    let builder = Builder::default()
        .exposure(exposure(shared, file)?)
        .dispatch(DispatchSettings { asks_people: mode == ConfirmationMode::Ask, ..dispatch(&root)? })
        .gate(gate(&root))
        .policy(file.policy.clone())
        .executions(executions::settings(&root))
        .http(file.http.clone())
        .filter(filter(shared)?)
        .overrides(overrides(shared)?)
        .servers(servers(shared, &root));
    Ok(match state::grants_file(shared.state_dir.as_deref()) {
        Some(grants) => builder.grants_file(grants),
        None => builder,
    })
}

/// Adds a source; the word for the sample opens it.
fn with_source(builder: Builder, path: PathBuf, settings: SourceSettings) -> Result<Builder, CommandError> {
    if !demo::is_meant(&path) {
        return Ok(builder.source(path, settings));
    }
    demo::add_to(builder, settings).map_err(CommandError::io)
}

/// The sections that do not say where their source is.
fn without_from(path: &Path, file: &ConfigFile) -> Vec<SourceSection> {
    let open = file.sources.iter().filter(|source| source.from.is_none());
    open.map(|source| SourceSection { file: path.display().to_string(), name: source.name.clone() }).collect()
}

fn filter(shared: &SourceArgs) -> Result<OperationFilter, CommandError> {
    let texts = shared.filter.iter().map(String::as_str);
    OperationFilter::parse(texts).map_err(|problem| CommandError::invalid(format!("--filter {problem}")))
}

/// The file of corrections; its mistakes are reported like those of any file.
fn overrides(shared: &SourceArgs) -> Result<OverridesFile, CommandError> {
    let Some(path) = &shared.overrides else { return Ok(OverridesFile::default()) };
    let bytes = disk::read(path, LARGEST_FILE).map_err(CommandError::io)?;
    let shown = path.display().to_string();
    let text =
        String::from_utf8(bytes).map_err(|_| CommandError::invalid(format!("{shown} is not UTF-8 text")))?;
    let (overrides, diagnostics) = overrides::read(&shown, &text);
    report::findings(&diagnostics, DiagnosticSeverity::Warning);
    if diagnostics.iter().any(|each| each.severity == DiagnosticSeverity::Error) {
        return Err(CommandError::invalid(format!("{shown} has errors")));
    }
    Ok(overrides)
}

/// How other MCP servers are run: by this program, so that they end with it.
fn servers(shared: &SourceArgs, root: &NodeCursor<'_>) -> ServerSettings {
    ServerSettings {
        guard: std::env::current_exe().ok(),
        pins: state::pins_file(shared.state_dir.as_deref()),
        quarantine: root.get("mcp").and_then(|mcp| mcp.flag("quarantine")).unwrap_or(false),
        ..ServerSettings::default()
    }
}

/// The same with what is kept between runs, for commands that answer clients.
pub fn with_state(builder: Builder, shared: &SourceArgs) -> Result<Builder, CommandError> {
    Ok(match state::cursor_key(shared.state_dir.as_deref())? {
        Some(key) => builder.cursor_key(key),
        None => builder,
    })
}

/// What to do where no one asked for a place for the store, and the usual one cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutStore {
    /// Stop: clients would be served without the tokens and the audit that somebody relies on.
    Refused,
    /// Go on; confirmations end with the process.
    Accepted,
}

/// The same for commands that answer clients, with the store in which confirmations and the audit are kept. There is none where
/// it was said that nothing is to be kept.
pub fn with_store(
    config: ResolvedConfig,
    shared: &SourceArgs,
    without: WithoutStore,
) -> Result<ResolvedConfig, CommandError> {
    let ResolvedConfig { builder, http, is_watched, confirmer, safety, root, .. } = config;
    let (key, unusable) = match state::key(shared.state_dir.as_deref()) {
        Ok(key) => (key, None),
        Err(error) if error.is_of_the_usual_directory() => (None, Some(error)),
        Err(error) => return Err(error.into()),
    };
    let directory = key.and_then(|_| state::directory(shared.state_dir.as_deref()));
    let settings = match &root {
        Some(root) => store::settings(&NodeCursor::root(root), directory)?,
        None => None,
    };
    let http = HttpSettings { machine: key.map(|key| state::machine_name(&key)), ..http };
    let builder = match key {
        Some(key) => builder.cursor_key(state::cursor_key_of(key)?),
        None => builder,
    };
    let store = settings.map(open_at).transpose()?;
    if store.is_none() && without == WithoutStore::Refused {
        unusable.map_or(Ok(()), Err)?;
    }
    let builder = match &store {
        Some(store) => builder.store(store.clone(), confirmer),
        None if confirmer == Confirmer::Operator => {
            return Err(CommandError::configuration(
                "--confirmation operator needs a store; name a directory for it with --state-dir",
            ));
        }
        None => builder,
    };
    let builder = match (&store, safety.mode) {
        (_, SafetyMode::Disabled) => builder,
        (Some(_), _) => builder.safety(safety.clone()),
        (None, _) => {
            return Err(CommandError::configuration(
                "--safety needs a store, so that blocks last; name a directory for it with --state-dir",
            ));
        }
    };
    let builder = builder.http(http.clone());
    Ok(ResolvedConfig { builder, http, is_watched, confirmer, safety, store, root })
}

/// How the store is opened; nothing when there is neither a database nor a directory for one.
pub fn store_settings(
    config: Option<&Path>,
    state_dir: Option<&OsStr>,
) -> Result<Option<StoreSettings>, CommandError> {
    let (_, file) = read_file(config)?;
    store::settings(&NodeCursor::root(&file.root), state::directory(state_dir))
}

/// How long the code of a challenge is good for.
pub fn challenge_ttl(config: Option<&Path>) -> Result<Duration, CommandError> {
    let (_, file) = read_file(config)?;
    Ok(safety::settings(None, &NodeCursor::root(&file.root))?.challenge_ttl)
}

/// How confirmations work, for anyone who answers questions: a yes lives as long as a token.
pub fn gate_settings(config: Option<&Path>) -> Result<GateSettings, CommandError> {
    let (_, file) = read_file(config)?;
    Ok(gate(&NodeCursor::root(&file.root)))
}

/// The configuration file, or an empty one when there is none.
fn read_file(named: Option<&Path>) -> Result<(PathBuf, ConfigFile), CommandError> {
    let path = named.map_or_else(|| PathBuf::from(DEFAULT_FILE), Path::to_path_buf);
    let bytes = match disk::read(&path, LARGEST_FILE) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing { .. }) if named.is_none() => Vec::new(),
        Err(error) => return Err(CommandError::io(error.to_string())),
    };
    let shown = path.display().to_string();
    let text = String::from_utf8(bytes)
        .map_err(|_| CommandError::configuration(format!("{shown} is not UTF-8 text")))?;
    let (file, diagnostics) = file::parse(&shown, &text);
    report::findings(&diagnostics, DiagnosticSeverity::Warning);
    let file = file.ok_or_else(|| CommandError::configuration(format!("{shown} has errors")))?;
    Ok((path, file))
}

fn exposure(shared: &SourceArgs, file: &ConfigFile) -> Result<Exposure, CommandError> {
    let root = NodeCursor::root(&file.root);
    let mut exposure = Exposure::default();
    if let Some((mode, at_fault)) = chosen(&shared.mode, "MCP_AQL_ENDPOINT_MODE", &root, "mode") {
        exposure.mode = Mode::parse(&mode).ok_or_else(|| {
            CommandError::new(at_fault, format!("unknown mode '{mode}'; use semantic, single or all"))
        })?;
    }
    if let Some((profile, at_fault)) = chosen(&shared.profile, "MCP_AQL_ENDPOINT_PROFILE", &root, "profile") {
        exposure.profile =
            find_profile(&profile, file).map_err(|problem| CommandError::new(at_fault, problem))?;
    }
    if let Some((prefix, at_fault)) = chosen(&shared.prefix, "MCP_AQL_TOOL_PREFIX", &root, "prefix") {
        exposure.prefix =
            Prefix::parse(&prefix).map_err(|problem| CommandError::new(at_fault, problem.to_string()))?;
        if prefix.len() > Prefix::ADVISED_LENGTH {
            report::note(&format!(
                "warning: the tool prefix '{prefix}' has 20 or more characters; models pay for it in every call"
            ));
        }
    }
    exposure.register_empty_families = root.flag("register_empty_families").unwrap_or(false);
    exposure.expose_operation_enum = root.flag("expose_operation_enum").unwrap_or(false);
    exposure.description = root.get("server").and_then(|server| server.owned_text("description"));
    exposure.synonyms = file.synonyms.clone();
    Ok(exposure)
}

/// A setting from its flag, else its variable, else the file; and the exit code when it makes no sense. One that is set
/// to nothing says nothing; only a prefix can be empty on purpose.
fn chosen(flag: &Option<String>, variable: &str, root: &NodeCursor<'_>, key: &str) -> Option<(String, Exit)> {
    let is_given = |text: &String| !text.is_empty() || key == "prefix";
    let flag = flag.clone().filter(is_given).map(|text| (text, Exit::Invalid));
    // What is not UTF-8 is no valid setting either, and is refused as such.
    let set = || std::env::var_os(variable).map(|value| value.to_string_lossy().into_owned());
    let below = || set().filter(is_given).or_else(|| root.owned_text(key));
    flag.or_else(|| below().map(|text| (text, Exit::Configuration)))
}

fn find_profile(name: &str, file: &ConfigFile) -> Result<Profile, String> {
    let own = || file.profiles.iter().find(|profile| profile.name == name).cloned();
    Profile::built_in(name).or_else(own).ok_or_else(|| {
        let own = file.profiles.iter().map(|profile| profile.name.as_str());
        let mut known: Vec<&str> = Profile::BUILT_IN.into_iter().chain(own).collect();
        let last = known.pop().unwrap_or_default();
        format!("unknown profile '{name}'; use {} or {last}", known.join(", "))
    })
}

fn dispatch(root: &NodeCursor<'_>) -> Result<DispatchSettings, CommandError> {
    let strict_mode = root.flag("strict_mode").unwrap_or(true);
    let mut settings = DispatchSettings { strict_mode, ..DispatchSettings::default() };
    if root.get("confirmation").is_some_and(|block| block.text("batch") == Some("skip")) {
        settings.batch = BatchMode::Skip;
    }
    let Some(limits) = root.get("limits") else { return Ok(settings) };
    for (name, _) in aqueduct_operations::limits::Limits::ranges() {
        if let Some(value) = limits.whole(name).and_then(|value| u64::try_from(value).ok())
            && let Some(Err(problem)) = settings.limits.set(name, value)
        {
            return Err(CommandError::configuration(problem));
        }
    }
    Ok(settings)
}

fn gate(root: &NodeCursor<'_>) -> GateSettings {
    let listener = hooks(root).map(|hooks| Arc::new(hooks) as Arc<dyn WaitingListener>);
    let mut gate = GateSettings { listener, ..GateSettings::default() };
    let Some(confirmation) = root.get("confirmation") else { return gate };
    let whole = |key: &str| confirmation.whole(key).and_then(|value| u64::try_from(value).ok());
    gate.ttl_seconds = whole("ttl_seconds");
    gate.clock_skew_seconds = whole("clock_skew_seconds").unwrap_or(gate.clock_skew_seconds);
    gate.issued_per_minute = whole("issue_per_minute").unwrap_or(gate.issued_per_minute);
    gate.failures_per_minute = whole("failures_per_minute").unwrap_or(gate.failures_per_minute);
    gate
}

/// Who is told of what waits; none if no one is.
fn hooks(root: &NodeCursor<'_>) -> Option<Hooks> {
    let words = |block: &str| {
        let at = root.get(block)?.get("hook")?;
        let words: Vec<String> = match at.node.text() {
            Some(program) => vec![program.to_owned()],
            None => at.elements().filter_map(|word| word.node.text().map(str::to_owned)).collect(),
        };
        (!words.is_empty()).then_some(words)
    };
    let desktop = root.get("operator").and_then(|block| block.flag("desktop")).unwrap_or(false);
    Hooks::new(words("confirmation"), words("operator"), desktop)
}

/// How a yes is come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConfirmationMode {
    /// The client gets a token.
    Client,
    /// The person behind the client is asked; a client that cannot ask gets a token.
    Ask,
    /// An operator is asked.
    Operator,
}

/// How a yes is come by, as the flag or the file says.
fn confirmation_mode(shared: &SourceArgs, root: &NodeCursor<'_>) -> Result<ConfirmationMode, CommandError> {
    let of_file = root.get("confirmation").and_then(|block| block.owned_text("mode"));
    match shared.confirmation.as_deref().or(of_file.as_deref()) {
        None | Some("ask") => Ok(ConfirmationMode::Ask),
        Some("client") => Ok(ConfirmationMode::Client),
        Some("operator") => Ok(ConfirmationMode::Operator),
        Some(other) => Err(CommandError::invalid(format!(
            "--confirmation '{other}' is not known; use client, ask or operator"
        ))),
    }
}
