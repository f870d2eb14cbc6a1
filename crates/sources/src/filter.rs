//! Which operations of a source are wanted: `tag:X`, `path:GLOB`, `name:GLOB`.
//!
//! Several of one kind mean any of them, different kinds mean all of them. A source in, the source with what is wanted
//! out; when that is nothing, an error says what there would have been.

use crate::overrides::refresh;
use aqueduct_operations::exposure::glob::Glob;
use aqueduct_operations::operation::Operation;
use aqueduct_operations::registry::LoadedSource;
use aqueduct_operations::target::Target;
use aqueduct_source_kind::pruning;
use aqueduct_source_kind::report::ImportReport;
use std::collections::BTreeSet;

/// So many examples are named when nothing is left.
const MOST_SHOWN: usize = 10;

/// What is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperationFilter {
    tags: Vec<Glob>,
    paths: Vec<Glob>,
    names: Vec<Glob>,
}

/// Why a filter is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// It is not of the form KIND:PATTERN.
    #[error("'{0}' is no filter: write tag:NAME, path:GLOB or name:GLOB")]
    Form(String),
    /// No operation fits.
    #[error("no operation of '{source_name}' fits the filter; there are {there_are}")]
    NothingLeft {
        /// The source.
        source_name: String,
        /// Tags, paths or names that would fit.
        there_are: String,
    },
}

impl OperationFilter {
    /// Reads filters as they are given on the command line.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<OperationFilter, FilterError> {
        let mut filter = OperationFilter::default();
        for text in texts {
            let form = || FilterError::Form(text.to_owned());
            let (kind, pattern) = text.split_once(':').ok_or_else(form)?;
            let list = match kind {
                "tag" => &mut filter.tags,
                "path" => &mut filter.paths,
                "name" => &mut filter.names,
                _ => return Err(form()),
            };
            if pattern.trim().is_empty() {
                return Err(form());
            }
            list.push(Glob::of_text(pattern.trim()));
        }
        Ok(filter)
    }

    /// True when everything is wanted.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.paths.is_empty() && self.names.is_empty()
    }

    /// Takes out of a source what is not wanted. The report, when there is one, is kept true. A source with nothing
    /// left is not changed.
    pub fn apply(
        &self,
        loaded: &mut LoadedSource,
        report: Option<&mut ImportReport>,
    ) -> Result<(), FilterError> {
        if self.is_empty() {
            return Ok(());
        }
        if !loaded.operations.iter().any(|operation| self.wants(operation)) {
            let source_name = loaded.source.name.clone();
            return Err(FilterError::NothingLeft { source_name, there_are: self.there_are(loaded) });
        }
        let removed = pruning::keep(loaded, |operation| self.wants(operation));
        if let Some(report) = report {
            for operation in &removed {
                report.leave_out_operation(&operation.name, "the filter does not ask for it");
            }
            refresh(report, loaded);
        }
        Ok(())
    }

    fn wants(&self, operation: &Operation) -> bool {
        let any = |globs: &[Glob], texts: &[&str]| {
            globs.is_empty() || globs.iter().any(|glob| texts.iter().any(|text| glob.matches(text)))
        };
        let tags: Vec<&str> = operation.tags.iter().map(String::as_str).collect();
        let own_name = operation.origin.as_ref().map_or(operation.name.as_str(), |origin| &origin.name);
        let path = path_of(operation);
        any(&self.tags, &tags)
            && any(&self.paths, path.as_deref().as_slice())
            && any(&self.names, &[&operation.name, own_name])
    }

    /// What there is of the kinds that were asked for.
    fn there_are(&self, loaded: &LoadedSource) -> String {
        let some_of = |what: &str, all: BTreeSet<String>| {
            let shown: Vec<&str> = all.iter().take(MOST_SHOWN).map(String::as_str).collect();
            match all.len() - shown.len() {
                _ if shown.is_empty() => format!("no {what}"),
                0 => format!("the {what} {}", shown.join(", ")),
                more => format!("the {what} {} and {more} more", shown.join(", ")),
            }
        };
        let mut parts = Vec::new();
        let operations = &loaded.operations;
        if !self.tags.is_empty() {
            parts.push(some_of("tags", operations.iter().flat_map(|each| each.tags.clone()).collect()));
        }
        if !self.paths.is_empty() {
            parts.push(some_of("paths", operations.iter().filter_map(path_of).collect()));
        }
        if !self.names.is_empty() {
            parts.push(some_of("names", operations.iter().map(|each| each.name.clone()).collect()));
        }
        parts.join("; ")
    }
}

/// The path of a request, as the document writes it where that is known. Tools have none.
fn path_of(operation: &Operation) -> Option<String> {
    if !matches!(operation.target, Target::Http(_)) {
        return None;
    }
    let place = match &operation.origin {
        Some(origin) => origin.place.clone(),
        None => place_of(&operation.target),
    };
    place.split_once(' ').map(|(_, path)| path.to_owned())
}

/// Where a target is, in words: `GET /users/{id}`; nothing for code.
pub(crate) fn place_of(target: &Target) -> String {
    let Target::Http(target) = target else { return String::new() };
    let path: String = target.path.iter().map(ToString::to_string).collect();
    format!("{} {path}", target.method)
}

#[cfg(test)]
mod tests;
