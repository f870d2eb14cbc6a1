//! All sources, in the order in which they were given, and the registry of those that are good.
//!
//! Given sources in; a registry, remarks and what became of each file out. At the start whatever is given by name must be
//! there; later on nothing that goes wrong takes anything out of service (ruling S8), except that a file which is gone
//! from a directory is gone from the registry too.

use super::slot::{Look, Slot, Version};
use super::{ByName, adapters_in, refuse_other_kinds};
use crate::front_door::{BuildError, Given};
use aqueduct_operations::diagnostic::Diagnostic;
use aqueduct_operations::exposure::Exposure;
use aqueduct_operations::registry::{Names, Registry, Trouble};
use aqueduct_sources::{SourceSettings, disk};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Every source that is served, or should be.
#[derive(Debug)]
pub(crate) struct Shelf {
    groups: Vec<Group>,
    names: Names,
    by_name: ByName,
    exposure: Exposure,
    troubles: Vec<Trouble>,
}

/// What one given source stands for.
#[derive(Debug)]
struct Group {
    directory: Option<(PathBuf, SourceSettings)>,
    slots: Vec<Slot>,
}

/// What looking again gave.
#[derive(Debug)]
pub(crate) struct Refreshed {
    /// What to serve now; nothing when all is as it was.
    pub registry: Option<Registry>,
    /// It offers something else than before.
    pub is_new: bool,
    /// What became of each file that changed.
    pub changes: Vec<Change>,
    /// Remarks on the files that changed.
    pub diagnostics: Vec<Diagnostic>,
}

/// What became of a file that changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is served as it is now.
    Taken {
        /// The source's name.
        source: String,
        /// The adapter's version.
        version: String,
        /// How many operations it has.
        operations: usize,
    },
    /// It is gone.
    Gone {
        /// The source's name.
        source: String,
    },
    /// It is no good as it is now.
    Refused {
        /// The file.
        file: String,
        /// Its last good version is served.
        is_served: bool,
    },
}

impl Shelf {
    /// Loads all sources. One source has bare names; several, or a directory, are namespaced. A file with errors does not
    /// keep others from being served.
    pub fn open(
        given: Vec<Given>,
        by_name: ByName,
        exposure: Exposure,
    ) -> Result<(Shelf, Registry, Vec<Diagnostic>), BuildError> {
        let several = given.len() > 1;
        let mut groups = Vec::new();
        for source in given {
            groups.push(Group::open(source, &by_name)?);
        }
        let is_namespaced = several || groups.iter().any(|group| group.directory.is_some());
        let names = if is_namespaced { Names::Namespaced } else { Names::Bare };
        let mut shelf = Shelf { groups, names, by_name, exposure, troubles: Vec::new() };
        if shelf.slots().next().is_none() {
            return Err(BuildError::Nothing("no source was given; name an adapter file".to_owned()));
        }
        let diagnostics: Vec<Diagnostic> = shelf.slots().flat_map(Slot::remarks).cloned().collect();
        if !shelf.slots().any(Slot::is_usable) {
            return Err(BuildError::Invalid(diagnostics));
        }
        let failed: Vec<String> = shelf.slots().filter(|slot| !slot.is_usable()).map(Slot::name).collect();
        let required: Vec<&String> =
            shelf.by_name.required.keys().filter(|name| !failed.contains(name)).collect();
        let offered: Vec<&Arc<Version>> = shelf.slots().filter_map(Slot::offered).collect();
        let registry = shelf.build(&offered, &required)?;
        for slot in shelf.slots_mut() {
            slot.accept();
            if !slot.is_usable() {
                tracing::warn!(target: "aqueduct::load", file = slot.file(), "has errors and is not served");
            }
        }
        let troubles = shelf.find_troubles();
        shelf.troubles.clone_from(&troubles);
        Ok((shelf, registry.with_troubles(troubles), diagnostics))
    }

    /// Looks at the files again, and says what to serve from now on.
    pub fn refresh(&mut self, look: Look<'_>) -> Refreshed {
        let mut changes: Vec<Change> = self.groups.iter_mut().flat_map(Group::list).collect();
        let mut is_new = !changes.is_empty();
        let mut news = Vec::new();
        for slot in self.groups.iter_mut().flat_map(|group| &mut group.slots) {
            news.push(slot.look(look, &self.by_name).unwrap_or_else(|error| slot.lose(&error)));
        }
        let refusals = self.refusals();
        let mut diagnostics = Vec::new();
        for (index, slot) in self.slots_mut().enumerate() {
            let mut is_news = news[index];
            match refusals.get(&index) {
                Some(reason) => is_news |= slot.refuse(reason.clone()),
                None if slot.accept() => {
                    is_new = true;
                    changes.extend(slot.served().map(|version| taken(version)));
                }
                None => {}
            }
            if is_news {
                diagnostics.extend(slot.remarks().cloned());
                let file = slot.file().to_owned();
                let trouble = slot.trouble();
                changes.extend(trouble.map(|it| Change::Refused { file, is_served: it.is_served }));
            }
        }
        let troubles = self.find_troubles();
        let registry = if is_new || troubles != self.troubles { self.in_service(&troubles) } else { None };
        self.troubles = troubles;
        Refreshed { registry, is_new, changes, diagnostics }
    }

    /// Folders in which something can happen to the files.
    pub fn folders(&self) -> BTreeSet<PathBuf> {
        let mut folders = BTreeSet::new();
        for group in &self.groups {
            if let Some((directory, _)) = &group.directory {
                folders.insert(directory.clone());
                folders.extend(folder_of(directory));
            }
            for path in group.slots.iter().filter_map(Slot::path) {
                folders.extend(folder_of(path));
                // The file may be a link; what it leads to changes elsewhere.
                folders.extend(path.canonicalize().ok().as_deref().and_then(folder_of));
            }
        }
        folders
    }

    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.groups.iter().flat_map(|group| &group.slots)
    }

    fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        self.groups.iter_mut().flat_map(|group| &mut group.slots)
    }

    /// Which offers cannot be served beside the others, and why. They are tried all together, or else one after another,
    /// so that one that clashes does not keep the others back.
    fn refusals(&self) -> BTreeMap<usize, String> {
        let mut refused = BTreeMap::new();
        let slots: Vec<&Slot> = self.slots().collect();
        let candidates: Vec<usize> = (0..slots.len()).filter(|index| slots[*index].has_offer()).collect();
        let served: Vec<&str> =
            slots.iter().filter_map(|slot| slot.served()).map(|version| version.name()).collect();
        // Settings for a source that is there must go on to find it, whatever its file calls it now.
        let required: Vec<&String> =
            self.by_name.required.keys().filter(|name| served.contains(&name.as_str())).collect();
        let offered: Vec<&Arc<Version>> = slots.iter().filter_map(|slot| slot.offered()).collect();
        if candidates.is_empty() || self.build(&offered, &required).is_ok() {
            return refused;
        }
        let mut accepted = BTreeSet::new();
        for candidate in candidates {
            accepted.insert(candidate);
            let version = |(index, slot): (usize, &&'_ Slot)| {
                if accepted.contains(&index) { slot.offered().cloned() } else { slot.served().cloned() }
            };
            let picked: Vec<Arc<Version>> = slots.iter().enumerate().filter_map(version).collect();
            if let Err(error) = self.build(&picked.iter().collect::<Vec<_>>(), &required) {
                accepted.remove(&candidate);
                refused.insert(candidate, error.to_string());
            }
        }
        refused
    }

    fn build(&self, versions: &[&Arc<Version>], required: &[&String]) -> Result<Registry, BuildError> {
        let known: Vec<String> = versions.iter().map(|version| version.name().to_owned()).collect();
        if let Some(name) = required.iter().find(|name| !known.contains(name)) {
            return Err(BuildError::UnknownSource { name: (*name).clone(), known });
        }
        let registry =
            Registry::build(versions.iter().map(|version| version.loaded.clone()).collect(), self.names)?;
        self.exposure.check(&registry)?;
        Ok(registry)
    }

    /// The registry of what is in service.
    fn in_service(&self, troubles: &[Trouble]) -> Option<Registry> {
        let served: Vec<&Arc<Version>> = self.slots().filter_map(Slot::served).collect();
        match self.build(&served, &[]) {
            Ok(registry) => Some(registry.with_troubles(troubles.to_vec())),
            Err(error) => {
                // It was served before, or chosen because it can be.
                tracing::error!(target: "aqueduct::load", %error, "the sources cannot be put together");
                None
            }
        }
    }

    fn find_troubles(&self) -> Vec<Trouble> {
        self.slots().filter_map(Slot::trouble).collect()
    }
}

impl Group {
    /// Reads what was given. A file named by the user must be there; one that was found in a directory may be unreadable.
    fn open(source: Given, by_name: &ByName) -> Result<Group, BuildError> {
        match source {
            Given::Text(file, text, settings) => {
                let slots = vec![Slot::of_text(file, &text, settings, by_name)];
                Ok(Group { directory: None, slots })
            }
            Given::Path(path, settings) if path.is_dir() => {
                let mut slots = Vec::new();
                for file in adapters_in(&path)? {
                    let mut slot = Slot::on_disk(file, settings.clone());
                    if let Err(error) = slot.look(Look::All, by_name) {
                        slot.lose(&error);
                    }
                    slots.push(slot);
                }
                Ok(Group { directory: Some((path, settings)), slots })
            }
            Given::Path(path, settings) => {
                refuse_other_kinds(&path)?;
                let mut slot = Slot::on_disk(path, settings);
                slot.look(Look::All, by_name)?;
                Ok(Group { directory: None, slots: vec![slot] })
            }
        }
    }

    /// Finds the files that are in the directory now; gives those of which nothing is left.
    fn list(&mut self) -> Vec<Change> {
        let Some((directory, settings)) = &self.directory else { return Vec::new() };
        // A directory that cannot be listed takes nothing out of service; its files say for themselves what is wrong.
        let Ok(files) = disk::adapter_files(directory) else { return Vec::new() };
        let mut known = std::mem::take(&mut self.slots);
        for file in files {
            let place = known.iter().position(|slot| slot.path() == Some(file.as_path()));
            let slot = place.map(|index| known.swap_remove(index));
            self.slots.push(slot.unwrap_or_else(|| Slot::on_disk(file, settings.clone())));
        }
        let gone = known.iter().filter_map(Slot::served);
        gone.map(|version| Change::Gone { source: version.name().to_owned() }).collect()
    }
}

fn taken(version: &Version) -> Change {
    Change::Taken {
        source: version.name().to_owned(),
        version: version.loaded.source.version.clone(),
        operations: version.loaded.operations.len(),
    }
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() })
}
