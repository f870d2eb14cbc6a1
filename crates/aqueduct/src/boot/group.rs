//! What one given source stands for: itself, the files of a directory, or the servers of a list.
//!
//! A given source in, states out. A list may change: what is new in it gets a state, what is gone loses it.

use super::kind::SourceKind;
use super::loading::LoadContext;
use super::origin::{NoContent, OnDisk, SourceContent};
use super::source_set::FileChange;
use super::source_state::{RefreshScope, SourceState};
use super::web::Notifier;
use super::{adapters_in, is_adapter_file};
use crate::front_door::{BuildError, GivenSource};
use crate::servers::is_same;
use aqueduct_operations::diagnostic::{Diagnostic, DiagnosticSeverity};
use aqueduct_operations::mcp::ServerConfig;
use aqueduct_sources::disk::MAX_ADAPTER_FILE;
use aqueduct_sources::scan::{Candidates, DiskFs, candidates};
use aqueduct_sources::{SourceSettings, mcp_server};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Slots that were given together.
#[derive(Debug)]
pub(super) struct SourceGroup {
    list: Option<GroupOrigin>,
    states: Vec<SourceState>,
}

/// What the states of a group are found in.
#[derive(Debug)]
enum GroupOrigin {
    /// A directory of files.
    Directory(Directory),
    /// A file that lists servers.
    Servers(GroupServersFile),
}

#[derive(Debug)]
struct Directory {
    path: PathBuf,
    settings: SourceSettings,
    /// What was passed over in it.
    remarks: Vec<Diagnostic>,
    /// The names of files that were there and are gone: one that comes back is the same source.
    gone: HashMap<PathBuf, String>,
}

#[derive(Debug)]
struct GroupServersFile {
    on_disk: OnDisk,
    settings: SourceSettings,
    /// The only server that was in it at the start: what is set for the file is meant for that one.
    only: Option<String>,
    remarks: Vec<Diagnostic>,
    /// Those of its servers that are not started, each with the reason.
    left_out: Vec<String>,
}

impl SourceGroup {
    /// Reads what was given. What the user named must be there; what was found in a directory may be unreadable, and a
    /// server or a document on the web may take its time.
    pub fn open(
        source: GivenSource,
        around: LoadContext<'_>,
        bell: &Notifier,
    ) -> Result<SourceGroup, BuildError> {
        let (path, settings) = match source {
            GivenSource::Text(file, text, settings) => {
                let states = vec![SourceState::of_text(file, &text, settings, around)];
                return Ok(SourceGroup { list: None, states });
            }
            GivenSource::Ready(loaded) => {
                return Ok(SourceGroup { list: None, states: vec![SourceState::ready(*loaded)] });
            }
            GivenSource::Path(path, settings) => (path, settings),
        };
        let mut state = match SourceKind::of(&path)? {
            SourceKind::Directory => return SourceGroup::of_directory(path, settings, around),
            SourceKind::Servers => return SourceGroup::of_servers(path, settings, around),
            SourceKind::Server(mut config) => {
                // Two servers of one host or program are told apart by the names that they are given.
                if let Some(name) = &settings.source_name {
                    config.name.clone_from(name);
                }
                let state = server_slot(&config, settings, around)
                    .map_err(|refused| BuildError::Invalid(vec![refused]))?;
                return Ok(SourceGroup { list: None, states: vec![state] });
            }
            SourceKind::AdapterFile => SourceState::adapter_file(path, settings),
            SourceKind::Document => SourceState::document(path, settings),
            SourceKind::WebDocument(url) => {
                let named = settings.source_name.as_deref();
                let in_force = named.and_then(|name| around.by_name.settings_of(name, &settings));
                let mut state = SourceState::web_document(url, in_force.unwrap_or(settings), bell.clone());
                state.begin();
                return Ok(SourceGroup { list: None, states: vec![state] });
            }
        };
        state.look(RefreshScope::All, around)?;
        Ok(SourceGroup { list: None, states: vec![state] })
    }

    fn of_directory(
        path: PathBuf,
        settings: SourceSettings,
        around: LoadContext<'_>,
    ) -> Result<SourceGroup, BuildError> {
        let mut states = Vec::new();
        let (files, remarks) = adapters_in(&path)?;
        for file in files {
            let mut state = SourceState::adapter_file(file, settings.clone()).found_in(&path);
            if let Err(error) = state.look(RefreshScope::All, around) {
                state.lose(&error);
            }
            states.push(state);
        }
        Ok(SourceGroup {
            list: Some(GroupOrigin::Directory(Directory { path, settings, remarks, gone: HashMap::new() })),
            states,
        })
    }

    fn of_servers(
        path: PathBuf,
        settings: SourceSettings,
        around: LoadContext<'_>,
    ) -> Result<SourceGroup, BuildError> {
        let on_disk = OnDisk::new(path, MAX_ADAPTER_FILE);
        let mut file =
            GroupServersFile { on_disk, settings, only: None, remarks: Vec::new(), left_out: Vec::new() };
        let mut states = Vec::new();
        file.read(RefreshScope::All, &mut states, around)?;
        if states.is_empty() {
            let is_broken = file.remarks.iter().any(|each| each.severity == DiagnosticSeverity::Error);
            return Err(if is_broken { BuildError::Invalid(file.remarks) } else { file.nothing() });
        }
        Ok(SourceGroup { list: Some(GroupOrigin::Servers(file)), states })
    }

    /// Tells a server that is the only source that it may name itself; those of a list have their keys.
    pub fn let_name_itself(&mut self) {
        if self.list.is_none() {
            self.states.iter_mut().for_each(SourceState::let_name_itself);
        }
    }

    /// Takes what servers have said by now.
    pub fn look_at_servers(&mut self, around: LoadContext<'_>) {
        for state in self.states.iter_mut().filter(|state| state.config().is_some()) {
            // A server that has said nothing yet is no error: it is noted on the state.
            if let Err(error) = state.look(RefreshScope::All, around) {
                state.lose(&error);
            }
        }
    }

    /// Finds what is in the list now; gives those of which nothing is left.
    pub fn list(&mut self, look: RefreshScope<'_>, around: LoadContext<'_>) -> Vec<FileChange> {
        let gone = match &mut self.list {
            None => Vec::new(),
            Some(_) if matches!(look, RefreshScope::Servers) => Vec::new(),
            Some(GroupOrigin::Directory(directory)) => directory.relist(&mut self.states),
            // A list that cannot be read takes nothing out of service.
            Some(GroupOrigin::Servers(file)) => file.read(look, &mut self.states, around).unwrap_or_default(),
        };
        let served = gone.iter().filter_map(SourceState::served);
        served.map(|version| FileChange::Gone { source: version.name().to_owned() }).collect()
    }

    /// True when it may stand for several sources.
    pub fn is_several(&self) -> bool {
        self.list.is_some()
    }

    /// Remarks on the list itself.
    pub fn remarks(&self) -> &[Diagnostic] {
        match &self.list {
            Some(GroupOrigin::Servers(file)) => &file.remarks,
            Some(GroupOrigin::Directory(directory)) => &directory.remarks,
            None => &[],
        }
    }

    /// The directory that it is.
    pub fn directory(&self) -> Option<&Path> {
        match &self.list {
            Some(GroupOrigin::Directory(directory)) => Some(&directory.path),
            _ => None,
        }
    }

    /// The path that was given for a list.
    pub fn own_path(&self) -> Option<&Path> {
        match &self.list {
            None => None,
            Some(GroupOrigin::Directory(directory)) => Some(&directory.path),
            Some(GroupOrigin::Servers(file)) => Some(file.on_disk.path()),
        }
    }

    pub fn states(&self) -> impl Iterator<Item = &SourceState> {
        self.states.iter()
    }

    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut SourceState> {
        self.states.iter_mut()
    }
}

impl Directory {
    /// The states of the files that are in it now; those that are gone come out. A directory that cannot be listed takes
    /// nothing out of service; its files say for themselves what is wrong.
    fn relist(&mut self, states: &mut Vec<SourceState>) -> Vec<SourceState> {
        let Candidates { files, unreadable, .. } = candidates(&self.path, &DiskFs);
        if !unreadable.is_empty() {
            return Vec::new();
        }
        let mut known = std::mem::take(states);
        for file in files.into_iter().filter(|file| is_adapter_file(file)) {
            let place = known.iter().position(|state| state.path() == Some(file.as_path()));
            let state = place.map(|index| known.swap_remove(index));
            let new = || {
                let before = self.gone.get(&file).cloned();
                SourceState::adapter_file(file, self.settings.clone()).found_in(&self.path).came_later(before)
            };
            states.push(state.unwrap_or_else(new));
        }
        let names =
            known.iter().filter_map(|state| Some((state.path()?.to_owned(), state.first_name()?.to_owned())));
        self.gone.extend(names);
        known
    }
}

impl GroupServersFile {
    /// Reads the list where it may have changed: servers that are new in it are started, those that are gone are ended.
    fn read(
        &mut self,
        look: RefreshScope<'_>,
        states: &mut Vec<SourceState>,
        around: LoadContext<'_>,
    ) -> Result<Vec<SourceState>, NoContent> {
        let Some(SourceContent::Bytes(bytes)) = self.on_disk.look(look)? else { return Ok(Vec::new()) };
        let shown = self.on_disk.path().display().to_string();
        let listed = mcp_server::read_servers(&shown, &String::from_utf8_lossy(&bytes));
        self.remarks = listed.diagnostics;
        self.left_out = listed.left_out.iter().map(|each| format!("'{}': {}", each.name, each.why)).collect();
        if listed.servers.is_empty() && !states.is_empty() {
            // Most likely the file is being written, or broken: what runs goes on.
            return Ok(Vec::new());
        }
        let is_first = states.is_empty();
        if let ([only], true) = (listed.servers.as_slice(), is_first) {
            self.only = Some(only.name.clone());
        }
        let mut known = std::mem::take(states);
        for mut config in listed.servers {
            let settings = self.settings_of(&mut config);
            let made = match reached(&config, &settings, around) {
                Ok((config, remark)) => {
                    self.remarks.extend(remark);
                    config
                }
                Err(refused) => {
                    self.remarks.push(refused);
                    continue;
                }
            };
            let same = |state: &SourceState| state.config().is_some_and(|other| is_same(other, &made));
            match known.iter().position(same) {
                Some(index) => states.push(known.swap_remove(index)),
                None => {
                    around.servers.add(&made);
                    states.push(SourceState::server(made, settings));
                }
            }
        }
        let is_kept = |name: &str, states: &[SourceState]| {
            states.iter().any(|state| state.config().is_some_and(|c| c.name == name))
        };
        for config in known.iter().filter_map(SourceState::config) {
            if !is_kept(&config.name, states) {
                around.servers.remove(&config.name);
            }
        }
        Ok(known)
    }

    /// What is set for a server of the list. Credentials and an address that were given for the file as a whole are for the
    /// only server that it had: no other gets that one's token.
    fn settings_of(&self, config: &mut ServerConfig) -> SourceSettings {
        if self.only.as_ref() != Some(&config.name) {
            return SourceSettings {
                source_name: None,
                base_url: None,
                auth: None,
                headers: Vec::new(),
                ..self.settings.clone()
            };
        }
        if let Some(name) = &self.settings.source_name {
            config.name.clone_from(name);
        }
        self.settings.clone()
    }

    /// That there is no server in the file, and what one looks like.
    fn nothing(&self) -> BuildError {
        if !self.left_out.is_empty() {
            let (file, all) = (self.on_disk.path().display(), self.left_out.join("; "));
            return BuildError::Nothing(format!("{file} lists no MCP server to start: {all}"));
        }
        BuildError::Nothing(format!(
            "{} lists no MCP server to start: expected one or more under 'mcpServers' (or 'servers'), such as \
             {{\"mcpServers\": {{\"files\": {{\"command\": \"npx\", \"args\": [\"-y\", \"@modelcontextprotocol/server-filesystem\", \
             \".\"]}}}}}}",
            self.on_disk.path().display()
        ))
    }
}

/// A server as the operator wants it reached, and a remark on what has no effect.
fn reached(
    config: &ServerConfig,
    settings: &SourceSettings,
    around: LoadContext<'_>,
) -> Result<(ServerConfig, Option<Diagnostic>), Diagnostic> {
    let by_name = around.by_name.settings_of(&config.name, settings);
    let settings = by_name.as_ref().unwrap_or(settings);
    settings.base_url.iter().for_each(|url| around.servers.vouch_for(url));
    let remark = mcp_server::without_effect(config, settings);
    Ok((mcp_server::equipped(config, settings)?, remark))
}

/// The state of one server, which is being connected to.
fn server_slot(
    config: &ServerConfig,
    settings: SourceSettings,
    around: LoadContext<'_>,
) -> Result<SourceState, Diagnostic> {
    let (config, remark) = reached(config, &settings, around)?;
    around.servers.add(&config);
    let mut state = SourceState::server(config, settings);
    state.remember(remark);
    Ok(state)
}
