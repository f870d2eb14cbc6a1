//! Paths of fields as files write them, and whether a type has such fields.
//!
//! A text in; a path out, or a finding that names the nearest field.

use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::{NodeCursor, quoted, shortened};
use aqueduct_operations::response::FieldPath;
use std::collections::BTreeSet;

/// What stands before the names of computed fields.
const COMPUTED: &str = "_computed";

/// What would be right.
pub(super) const EXPECTED: &str = "names with dots between them, such as owner.login";

/// Reads a path as files write it: a bracket or a `$` in front is the habit of another language.
pub(super) fn parse(text: &str) -> Option<FieldPath> {
    FieldPath::parse(text).filter(|path| path.first() != "$" && !text.contains(['[', ']']))
}

/// Reads a path. A value that is no text has been reported before.
pub(super) fn read(at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<FieldPath> {
    let text = at.node.text()?;
    let path = parse(text);
    if path.is_none() {
        let in_brackets = text.contains(['[', ']']) && !text.starts_with('[');
        let hint = in_brackets.then(|| "a path leads through arrays without saying so".to_owned());
        at.error("INVALID_VALUE", "This is not a path")
            .expected(EXPECTED)
            .received(quoted(text))
            .maybe_hint(hint)
            .add_to(found);
    }
    path
}

/// Reads the path under a key, when it is there.
pub(super) fn of(at: &NodeCursor<'_>, key: &str, found: &mut Findings<'_>) -> Option<FieldPath> {
    at.get(key).and_then(|at| read(&at, found))
}

/// The fields that an item is known to have. Nothing is said about what is not known.
#[derive(Debug, Default)]
pub(super) struct KnownFields<'k> {
    /// The type, for messages.
    pub type_name: Option<&'k str>,
    /// Its fields.
    pub fields: Option<BTreeSet<&'k str>>,
    /// The computed fields.
    pub computed: Option<BTreeSet<&'k str>>,
}

impl KnownFields<'_> {
    /// The paths of a list, each held against the fields.
    pub(super) fn paths(&self, list: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<FieldPath> {
        let mut paths = Vec::new();
        for element in list.elements() {
            let Some(path) = read(&element, found) else { continue };
            self.check(&path, &element, found);
            paths.push(path);
        }
        paths
    }

    /// Reports a path that leads to no known field.
    pub(super) fn check(&self, path: &FieldPath, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
        let (name, known, where_to_look) = match (path.names(), &self.computed, &self.fields) {
            ([first, rest @ ..], Some(computed), _) if first == COMPUTED => {
                (rest.first().map_or("", String::as_str), computed, "'computed'".to_owned())
            }
            ([first, ..], _, Some(fields)) if first != COMPUTED => {
                (first.as_str(), fields, format!("the type '{}'", self.type_name.unwrap_or_default()))
            }
            _ => return,
        };
        if !known.contains(name) {
            let hint = self.nearest(name, known, found);
            let message = format!("There is no field '{}' in {where_to_look}", shortened(name, 60));
            at.error("UNKNOWN_REFERENCE", message).maybe_hint(hint).add_to(found);
        }
    }

    /// The nearest of these; a computed field of the very name is meant first.
    fn nearest(&self, name: &str, known: &BTreeSet<&str>, found: &Findings<'_>) -> Option<String> {
        let is_computed = self.computed.as_ref().is_some_and(|computed| computed.contains(name));
        if is_computed {
            return Some(format!("did you mean '{COMPUTED}.{name}'?"));
        }
        found.nearest(name, known.iter().copied())
    }
}
