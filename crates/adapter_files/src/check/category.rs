//! The list that an operation stands in, held against its name, its method and its path (ruling N3).
//!
//! A claim and a mapping in; what the operation is at least, a warning where the three disagree, and the reason for the reviewer
//! it up, out. The file's author cannot lower any of it.

use super::mapping::Mapping;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::category::Category;
use aqueduct_operations::category::floor::{CategoryFloor, floor};
use aqueduct_operations::danger;
use aqueduct_operations::origin::{Confidence, ImportOrigin};
use aqueduct_operations::target::Method;
use aqueduct_source_kind::category_names::CategoryNames;

/// What an operation was written as: its list, its mapping, and what it is at least when that is worse.
pub(super) struct CategoryClaim<'c> {
    pub listed: Category,
    pub mapping: &'c Mapping,
    pub floor: Option<&'c CategoryFloor>,
}

/// What an operation is at least, when that is worse than its list.
pub(super) fn floor_of(
    name: &str,
    listed: Category,
    mapping: &Mapping,
    written: Option<&ImportOrigin>,
) -> Option<CategoryFloor> {
    let (method, path) = request_of(mapping);
    let names = match (&mapping.tool, method) {
        (None, Some(method)) => {
            let own = match written {
                Some(origin) => Some(origin.name.as_str()).filter(|_| !origin.is_unnamed),
                None => Some(name),
            };
            // Names were made from the path as the document has it.
            let place = written.and_then(|origin| origin.place.split_once(' '));
            let path = place.map_or(path.as_str(), |(_, path)| path);
            CategoryNames::of_request(name, own, method, path)
        }
        // The name of the tool that is called says more than the one it is given here.
        (tool, _) => CategoryNames::of_tool(name, tool.as_deref().unwrap_or(name)),
    };
    floor(listed, &names.floor_input(method, &path))
}

/// The word of money or of no return, in the name or at the end of the path.
pub(super) fn final_word(
    name: &str,
    category: Category,
    mapping: &Mapping,
    written: Option<&ImportOrigin>,
) -> Option<&'static str> {
    let own = mapping.tool.as_deref().or(written.map(|origin| origin.name.as_str()));
    let names: Vec<&str> = std::iter::once(name).chain(own).collect();
    danger::final_word(&names, &request_of(mapping).1, category)
}

/// Warns where name, method and list disagree.
pub(super) fn warn(at: &NodeCursor<'_>, name: &str, claim: &CategoryClaim<'_>, found: &mut Findings<'_>) {
    let CategoryClaim { listed, mapping, floor } = *claim;
    let list = listed.lower();
    let place = at.get("maps_to").unwrap_or_else(|| at.clone());
    let message = match floor {
        Some(floor) if floor.category != listed => {
            let served = floor.category.upper();
            format!("'{name}' is in the list {list}, but {}: it is served as {served}", floor.reason)
        }
        Some(floor) => {
            format!("'{name}' is in the list {list}, but {}: each call is confirmed", floor.reason)
        }
        None => {
            let (method, _) = request_of(mapping);
            let only_looks =
                matches!(method, Some(Method::Get | Method::Head | Method::Options | Method::Trace));
            let writes = matches!(listed, Category::Create | Category::Update | Category::Delete);
            let Some(method) = method.filter(|_| only_looks && writes) else { return };
            format!("'{name}' is in the list {list}, but {method} only reads")
        }
    };
    let hint =
        "move it to the list that fits, or rename it; only the operator can lower what it is served as";
    place.warning("CATEGORY_DISAGREES", message).hint(hint).add_to(found);
}

/// Where the operation comes from, with the reason for its category when that is not its list's.
pub(super) fn origin(
    written: Option<ImportOrigin>,
    name: &str,
    claim: &CategoryClaim<'_>,
) -> Option<ImportOrigin> {
    let CategoryClaim { listed, mapping, floor } = *claim;
    let Some(floor) = floor.filter(|floor| floor.category != listed) else { return written };
    let (method, path) = request_of(mapping);
    let place = match (&mapping.tool, method) {
        (Some(tool), _) => format!("TOOL {tool}"),
        (None, Some(method)) => format!("{method} {path}"),
        (None, None) => path,
    };
    let origin = written.unwrap_or(ImportOrigin {
        is_unnamed: false,
        name: name.to_owned(),
        place,
        reason: String::new(),
        confidence: Confidence::Low,
        needs_review: true,
    });
    Some(ImportOrigin {
        reason: format!("the file says {}, but {}", listed.upper(), floor.reason),
        confidence: Confidence::Low,
        needs_review: true,
        ..origin
    })
}

/// Method and path with what is fixed of the query; nothing of either for a tool.
fn request_of(mapping: &Mapping) -> (Option<Method>, String) {
    if mapping.tool.is_some() {
        return (None, String::new());
    }
    let mut path: String = mapping.path.iter().map(ToString::to_string).collect();
    if let Some(query) = &mapping.static_query {
        path.push('?');
        path.push_str(query);
    }
    (Some(mapping.method), path)
}
