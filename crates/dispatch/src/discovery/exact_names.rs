//! The names of operations, as a request may write them: `issues/create`, `IssuesCreate`, `list_pulls`, `LIST PULLS`.
//!
//! Entries in; for a request the places of the operations whose names it has, out. Only letters and digits count.

use aqueduct_operations::operation::RegistryEntry;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// The longest request that is looked at as a name.
const LONGEST: usize = 120;

/// Places in the registry by a number for the name, in the order of these numbers: of every operation its public name, the one
/// within its source, and the one that its document has.
#[derive(Debug)]
pub struct ExactNames(Vec<(u64, u32)>);

impl ExactNames {
    /// Reads the names.
    pub fn of(entries: &[Arc<RegistryEntry>]) -> ExactNames {
        let names = |(place, entry): (usize, &Arc<RegistryEntry>)| {
            let original = entry.operation.origin.as_ref().map(|origin| origin.name.as_str());
            let names = [Some(entry.public_name.as_str()), Some(entry.operation.name.as_str()), original];
            let place = u32::try_from(place).unwrap_or(u32::MAX);
            names.map(|name| name.and_then(number).map(|number| (number, place))).into_iter().flatten()
        };
        let mut all: Vec<(u64, u32)> = entries.iter().enumerate().flat_map(names).collect();
        all.sort_unstable();
        all.dedup();
        ExactNames(all)
    }

    /// The places of the operations that a request names: by all of it, or by a part without spaces that is written as names are.
    /// Hyphens join words of a language as well, "zoom-meeting", so that a part with nothing else must be a command.
    pub fn in_request(
        &self,
        request: &str,
        is_command: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = usize> {
        let is_name = |part: &&str| is_written_as_name(part) || part.contains('-') && is_command(part);
        let parts = request.split_whitespace().filter(is_name);
        let whole = Some(request.trim()).filter(|whole| whole.len() <= LONGEST);
        let numbers = whole.into_iter().chain(parts).filter_map(number);
        let mut found: Vec<usize> = numbers.flat_map(|number| self.places(number)).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter()
    }

    fn places(&self, number: u64) -> impl Iterator<Item = usize> {
        let start = self.0.partition_point(|(known, _)| *known < number);
        self.0[start..]
            .iter()
            .take_while(move |(known, _)| *known == number)
            .map(|(_, place)| *place as usize)
    }
}

/// A number for the letters and digits of a name; nothing where it has none.
fn number(name: &str) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    let mut count = 0;
    for letter in letters.flat_map(char::to_lowercase) {
        hasher.write_u32(letter.into());
        count += 1;
    }
    (count > 0).then(|| hasher.finish())
}

/// Whether a request has nothing that is written as names are: what names an operation then are words that anybody says.
pub fn is_plain(request: &str) -> bool {
    !request.split_whitespace().any(is_written_as_name)
}

/// Whether a part of a request has several words: `list_pulls`, `issues/create`, `getUser`.
fn is_written_as_name(part: &str) -> bool {
    let inside = part.trim_matches(|letter: char| !letter.is_alphanumeric());
    let has_hump = || {
        inside
            .chars()
            .zip(inside.chars().skip(1))
            .any(|(one, next)| one.is_lowercase() && next.is_uppercase())
    };
    inside.contains(['_', '/', '.']) || has_hump()
}

#[cfg(test)]
mod tests;
