//! How operations are exposed: which tools there are and which operation belongs to which (core specification,
//! section 3.3; endpoint-mode document). Mode, profile and prefix in; family and tool names out.

pub mod glob;
pub mod profile;

pub use glob::Glob;
pub use profile::{Family, FamilyRequest, Profile, ProfileProblem};

use crate::category::Category;
use crate::named_enum::named_enum;
use crate::operation::RegistryEntry;
use crate::registry::Registry;

/// The only tool of single mode.
const SINGLE_TOOL: &str = "mcp_aql";

named_enum! {
    /// Which set of tools is registered.
    #[derive(Default)]
    pub enum Mode {
        /// One tool a family.
        #[default]
        Semantic = "semantic" | "crude",
        /// One tool for everything.
        Single = "single",
        /// Both sets.
        All = "all",
    }
}

/// Everything that decides names and number of tools.
#[derive(Debug, Clone, Default)]
pub struct Exposure {
    /// Which set of tools.
    pub mode: Mode,
    /// Which families.
    pub profile: Profile,
    /// What every tool name starts with.
    pub prefix: Prefix,
    /// Registers families that have no operation too.
    pub register_empty_families: bool,
    /// Lists operation names in the tools' input schemas.
    pub expose_operation_enum: bool,
    /// What the server covers, in the operator's words instead of ours.
    pub description: Option<String>,
    /// Words of the operator's that mean others in a search, as the lexicon writes them.
    pub synonyms: Vec<String>,
}

impl Exposure {
    /// The family that an operation belongs to.
    #[doc(hidden)]
    pub fn family_of(&self, entry: &RegistryEntry) -> &Family {
        let families = &self.profile.families;
        families
            .iter()
            .find(|family| if entry.is_introspect() { family.holds_introspect } else { names(family, entry) })
            .or_else(|| self.profile.family_of_category(entry.operation.category))
            .unwrap_or(&families[0])
    }

    /// True when an operation may be called by the tool of this family.
    #[doc(hidden)]
    pub fn is_called_by(&self, entry: &RegistryEntry, family: &str) -> bool {
        let is_it = |each: &&Family| each.name.eq_ignore_ascii_case(family);
        let takes_introspect = |each: &Family| self.profile.takes_introspect(each);
        self.family_of(entry).name.eq_ignore_ascii_case(family)
            || entry.is_introspect() && self.profile.families.iter().find(is_it).is_some_and(takes_introspect)
    }

    /// Refuses a registry in which two families name the same operation. The profile itself has decided on `introspect`.
    #[doc(hidden)]
    pub fn check(&self, registry: &Registry) -> Result<(), ContestedOperation> {
        for entry in registry.entries().iter().filter(|entry| !entry.is_introspect()) {
            let mut holders = self.profile.families.iter().filter(|family| names(family, entry));
            if let (Some(first), Some(second)) = (holders.next(), holders.next()) {
                return Err(ContestedOperation {
                    operation: entry.public_name.clone(),
                    profile: self.profile.name.clone(),
                    families: (first.name.clone(), second.name.clone()),
                });
            }
        }
        Ok(())
    }

    /// The tool through which a family is called in semantic mode.
    pub fn family_tool(&self, family: &str) -> String {
        format!("{}{SINGLE_TOOL}_{family}", self.prefix.0)
    }

    /// The tool of single mode.
    pub fn single_tool(&self) -> String {
        format!("{}{SINGLE_TOOL}", self.prefix.0)
    }

    /// The tool that introspection names for an operation.
    #[doc(hidden)]
    pub fn tool_of(&self, entry: &RegistryEntry) -> String {
        match self.mode {
            Mode::Single => self.single_tool(),
            Mode::Semantic | Mode::All => self.family_tool(&self.family_of(entry).name),
        }
    }

    /// The tool that takes `introspect`.
    pub fn introspect_tool(&self) -> String {
        match self.mode {
            Mode::Single => self.single_tool(),
            Mode::Semantic | Mode::All => {
                let family = self.profile.families.iter().find(|f| f.holds_introspect);
                self.family_tool(family.map_or(Category::Read.lower(), |f| &f.name))
            }
        }
    }
}

/// An operation that two families of a profile name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the operation '{operation}' is in two families of the profile '{profile}', '{}' and '{}'; change their 'operations'",
    families.0, families.1
)]
pub struct ContestedOperation {
    /// Its public name.
    pub operation: String,
    /// The profile.
    pub profile: String,
    /// The families that name it.
    pub families: (String, String),
}

fn names(family: &Family, entry: &RegistryEntry) -> bool {
    family.names(&entry.public_name, &entry.operation.name)
}

/// A tool-name prefix: lower-case letters, digits and underscores, ending in an underscore; or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefix(String);

/// A prefix that breaks the rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the tool prefix '{0}' must have only lower-case letters, digits and underscores and end with an underscore, such as 'github_'"
)]
pub struct BadPrefix(pub String);

impl Prefix {
    /// Longest prefix that raises no warning.
    pub const ADVISED_LENGTH: usize = 19;

    /// Checks a prefix.
    pub fn parse(text: &str) -> Result<Prefix, BadPrefix> {
        let clean = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if text.is_empty() || (clean && text.ends_with('_')) {
            Ok(Prefix(text.to_owned()))
        } else {
            Err(BadPrefix(text.to_owned()))
        }
    }

    /// The prefix as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests;
