//! What else is done with the same thing: list, get, create, update and delete of the same collection of the same source.
//!
//! An operation in, the names of those related to it out, because the next call of a task is nearly always one of them.

use super::resource::ResourceRole;
use crate::catalog_view::CatalogView;
use aqueduct_operations::operation::RegistryEntry;

/// The public names of what is related to the operation in this place, one for each role, in the order of roles. Nothing that
/// the caller may not call.
pub(crate) fn related_operations<'c>(view: &CatalogView<'c>, index: usize) -> Vec<&'c str> {
    let resources = view.catalog().resources();
    let (own, entry) = (resources.at(index), view.catalog().placed(index));
    let is_related = |other: usize, another: &RegistryEntry| {
        let resource = resources.at(other);
        other != index
            && resource.role != ResourceRole::Other
            && resource.collection == own.collection
            && another.source.name == entry.source.name
    };
    let mut found: Vec<(ResourceRole, &str)> = Vec::new();
    for (other, another) in view.placed() {
        let role = resources.at(other).role;
        if is_related(other, another) && !found.iter().any(|(known, _)| *known == role) {
            found.push((role, &another.public_name));
        }
    }
    found.sort_by_key(|(role, _)| *role);
    found.into_iter().map(|(_, name)| name).collect()
}
