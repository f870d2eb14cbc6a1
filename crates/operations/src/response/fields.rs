//! The choices of fields that an adapter offers for an operation's responses.

use super::FieldPath;

/// A named choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// Its name: `minimal`, `standard`, `full`, or the adapter's own.
    pub name: String,
    /// The fields it keeps.
    pub paths: Vec<FieldPath>,
}

/// What is declared about choosing fields.
#[derive(Debug, Clone, Default)]
pub struct FieldRules {
    /// The operation's own presets first, then those of the type it returns.
    pub presets: Vec<Preset>,
    /// The preset when the request names none.
    pub default: Option<String>,
    /// The upstream's own query parameter for it.
    pub param: Option<String>,
    /// What the upstream wants between the names.
    pub join: String,
    /// The top-level fields that an item can have, when the shape is known.
    pub known: Option<Vec<String>>,
}

impl FieldRules {
    /// The preset with this name.
    pub fn preset(&self, name: &str) -> Option<&Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }
}
