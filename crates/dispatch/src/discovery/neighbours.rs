//! What else is done with the same thing: list, get, create, update and delete of the same collection of the same source.
//!
//! An operation in, the names of its neighbours out, because the next call of a task is nearly always one of them.

use super::resource::ResourceRole;
use crate::catalog::Catalog;
use aqueduct_operations::operation::RegistryEntry;

/// The public names of the neighbours of the operation in this place, one for each role, in the order of roles. Nothing that is
/// hidden, and nothing that needs a scope which the operation itself does not need.
pub(crate) fn neighbours(catalog: &Catalog, index: usize) -> Vec<&str> {
    let resources = catalog.resources();
    let entries = catalog.registry().entries();
    let (own, entry) = (resources.at(index), &entries[index]);
    let is_neighbour = |other: usize, another: &RegistryEntry| {
        let resource = resources.at(other);
        other != index
            && resource.role != ResourceRole::Other
            && resource.collection == own.collection
            && another.source.name == entry.source.name
            && another
                .operation
                .required_scopes
                .iter()
                .all(|scope| entry.operation.required_scopes.contains(scope))
            && !catalog.decision(other).is_hidden()
    };
    let mut found: Vec<(ResourceRole, &str)> = Vec::new();
    for (other, another) in entries.iter().enumerate() {
        let role = resources.at(other).role;
        if is_neighbour(other, another) && !found.iter().any(|(known, _)| *known == role) {
            found.push((role, &another.public_name));
        }
    }
    found.sort_by_key(|(role, _)| *role);
    found.into_iter().map(|(_, name)| name).collect()
}
