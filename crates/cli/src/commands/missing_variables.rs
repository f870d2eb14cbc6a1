//! Credentials that are not set: the warnings that a person sees before serving.
//!
//! The registry and the environment in; a line for each source out whose calls cannot go out as they are. A source whose
//! document names several ways to authenticate lacks nothing as soon as one of them is complete.

use aqueduct_operations::registry::Registry;
use aqueduct_operations::target::Target;
use aqueduct_operations::variable_reference::is_unfilled_credential;
use aqueduct_upstream::{Environment, credentials};
use secrecy::ExposeSecret;

/// More needs of one source than these are only counted.
const SHOWN: usize = 3;

/// What the calls of one source lack.
#[derive(Debug, Default)]
struct MissingVariables<'a> {
    source: &'a str,
    /// Each need once, as the ways to meet it.
    needs: Vec<Vec<Vec<String>>>,
    failing: usize,
    operations: usize,
}

/// A line for each source that lacks credentials.
pub fn lines(registry: &Registry, environment: &dyn Environment) -> Vec<String> {
    let mut found: Vec<MissingVariables<'_>> = Vec::new();
    for entry in registry.entries() {
        let Target::Http(target) = &entry.operation.target else { continue };
        let source = entry.source.name.as_str();
        let place = match found.iter().position(|each| each.source == source) {
            Some(place) => place,
            None => {
                found.push(MissingVariables { source, ..MissingVariables::default() });
                found.len() - 1
            }
        };
        let lacks = &mut found[place];
        lacks.operations += 1;
        let ways = credentials::lacking(&target.auth_to_read(), environment);
        if ways.is_empty() {
            continue;
        }
        lacks.failing += 1;
        if !lacks.needs.contains(&ways) {
            lacks.needs.push(ways);
        }
    }
    found.iter().filter_map(MissingVariables::line).chain(unfilled(registry, environment)).collect()
}

/// A line for each variable whose value is a reference that the client has not filled in.
fn unfilled(registry: &Registry, environment: &dyn Environment) -> Vec<String> {
    let mut names: Vec<(String, String)> = Vec::new();
    for entry in registry.entries() {
        let Target::Http(target) = &entry.operation.target else { continue };
        let variables = target.auth_to_read().variables().into_iter().map(str::to_owned).collect::<Vec<_>>();
        for variable in variables {
            let is_unfilled =
                environment.get(&variable).is_some_and(|value| is_unfilled_credential(value.expose_secret()));
            let found = (variable, entry.source.name.clone());
            if is_unfilled && !names.contains(&found) {
                names.push(found);
            }
        }
    }
    let line = |(variable, source): (String, String)| {
        format!(
            "warning: {variable} holds a placeholder such as ${{env:NAME}} that was not filled in; calls of {source} will fail until it \
             is set to the value itself"
        )
    };
    names.into_iter().map(line).collect()
}

impl MissingVariables<'_> {
    fn line(&self) -> Option<String> {
        let source = self.source;
        let calls = if self.failing < self.operations { "some calls" } else { "calls" };
        match self.needs.as_slice() {
            [] => None,
            [ways] => Some(match ways.as_slice() {
                [variables] => {
                    let (is, they) = if variables.len() == 1 { ("is", "it is") } else { ("are", "they are") };
                    let names = variables.join(" and ");
                    format!("warning: {names} {is} not set; {calls} of {source} will fail until {they}")
                }
                ways => {
                    let ways = credentials::ways_in_words(ways);
                    format!("warning: {calls} of {source} will fail without credentials; set {ways}")
                }
            }),
            needs => {
                let choices: Vec<String> =
                    needs.iter().take(SHOWN).map(|ways| credentials::ways_in_words(ways)).collect();
                let rest = match needs.len().saturating_sub(SHOWN) {
                    0 => String::new(),
                    more => format!("; and {more} more"),
                };
                let choices = choices.join("; for others ");
                Some(format!(
                    "warning: {calls} of {source} will fail without credentials; set {choices}{rest}"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests;
