//! The adapter file in many versions, good and bad, and the ways of writing it.
//!
//! A number in, a changed file out. Version N leads its operation to `/v/N`.

use anyhow::Result;
use std::fs::{self, File};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Long enough for half a file to be seen.
const PAUSE: Duration = Duration::from_millis(70);

/// One edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// A good version.
    Good(Writing),
    /// Something that cannot be served.
    Bad(Spoiling),
}

/// How a good version is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// Written beside the file, then moved into its place.
    Moved,
    /// Over the old one.
    InPlace,
    /// Over the old one, with a pause in the middle.
    InHalves,
}

/// How a file is spoiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoiling {
    /// It is no YAML.
    Nonsense,
    /// Nothing is in it.
    Empty,
    /// It is not there.
    Deleted,
}

impl Edit {
    /// Every fifth edit is bad; most good ones are moved into place, as editors do.
    pub fn of(number: u64) -> Edit {
        match (number % 5, number / 5 % 3, number % 20) {
            (0, 0, _) => Edit::Bad(Spoiling::Nonsense),
            (0, 1, _) => Edit::Bad(Spoiling::Empty),
            (0, _, _) => Edit::Bad(Spoiling::Deleted),
            (_, _, 3) => Edit::Good(Writing::InHalves),
            (2, _, _) => Edit::Good(Writing::InPlace),
            _ => Edit::Good(Writing::Moved),
        }
    }
}

/// The file that is edited.
#[derive(Debug)]
pub struct Edited {
    /// Where it is.
    pub path: PathBuf,
    api: SocketAddr,
}

impl Edited {
    /// Writes the first version.
    pub fn start(folder: &Path, api: &SocketAddr) -> Result<Edited> {
        let edited = Edited { path: folder.join("soak-adapter.md"), api: *api };
        edited.moved(&edited.text(0))?;
        Ok(edited)
    }

    /// Writes a good version.
    pub fn write(
        &self,
        version: u64,
        how: Writing,
        mut pause: impl FnMut(Duration) -> Result<()>,
    ) -> Result<()> {
        let text = self.text(version);
        if how == Writing::Moved {
            return self.moved(&text);
        }
        let (start, rest) = text.split_at(text.len() / 2);
        let mut file = File::create(&self.path)?;
        file.write_all(start.as_bytes())?;
        if how == Writing::InHalves {
            pause(PAUSE)?;
        }
        Ok(file.write_all(rest.as_bytes())?)
    }

    /// Spoils the file.
    pub fn spoil(&self, how: Spoiling) -> Result<()> {
        match how {
            Spoiling::Nonsense => self.moved("---\nname: [\n---\n"),
            Spoiling::Empty => Ok(fs::write(&self.path, "")?),
            Spoiling::Deleted => Ok(fs::remove_file(&self.path)?),
        }
    }

    fn moved(&self, text: &str) -> Result<()> {
        let beside = self.path.with_extension("new");
        fs::write(&beside, text)?;
        Ok(fs::rename(&beside, &self.path)?)
    }

    fn text(&self, version: u64) -> String {
        format!(
            "---\nname: soak\ntype: adapter\nversion: \"1.0.{version}\"\ndescription: \"One operation in many versions\"\n\
             target: {{ base_url: \"http://{}\", transport: http, protocol: rest, serialization: json }}\noperations:\n  \
             read:\n    - {{ name: get_version, maps_to: \"GET /v/{version}\", description: \"Show the version\" }}\n---\n",
            self.api
        )
    }
}

#[cfg(test)]
mod tests;
