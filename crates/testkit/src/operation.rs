//! Short ways to build operations: `get("get_item", "/items/{id}")` and the like, to be changed field by field.
//!
//! Placeholders become required path parameters; everything else is added with `with_param`.

use aqueduct_operations::category::Category;
use aqueduct_operations::operation::{Declaration, Operation};
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_operations::target::{HttpTarget, Method, Segment, Site, Target};
use std::sync::Arc;
use url::Url;

/// A site without credentials; private when its host is written as this machine or an address.
///
/// # Panics
/// When the text is no URL: a mistake of the test.
pub fn site(base_url: &str) -> Site {
    let base_url = Url::parse(base_url).unwrap_or_else(|error| panic!("{base_url}: {error}"));
    let names_private_address = match base_url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(_) => true,
        None => false,
    };
    Site { names_private_address, ..Site::new(base_url) }
}

/// A path template, split at its placeholders.
pub fn segments(path: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    for (index, piece) in path.split(['{', '}']).enumerate() {
        match (index % 2, piece.is_empty()) {
            (0, true) => {}
            (0, false) => segments.push(Segment::Literal(piece.to_owned())),
            _ => segments.push(Segment::Placeholder(piece.to_owned())),
        }
    }
    segments
}

/// A target on a site, `path` with placeholders and perhaps a static query.
pub fn target(site: Site, method: Method, path: &str) -> HttpTarget {
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    HttpTarget {
        static_query: query.map(str::to_owned),
        ..HttpTarget::new(Arc::new(site), method, segments(path))
    }
}

/// An operation that calls this target, with its path parameters declared.
pub fn operation(name: &str, category: Category, target: HttpTarget) -> Operation {
    let params = target.path.iter().filter_map(|segment| match segment {
        Segment::Literal(_) => None,
        Segment::Placeholder(name) => Some(param(name, ValueKind::String, ParamLocation::Path)),
    });
    let params = params.map(|param| Param { required: true, ..param }).collect();
    let description = format!("Calls {}", name.replace('_', " "));
    let declaration = Declaration::new(name.to_owned(), description, category, params);
    Operation { declaration, target: Target::Http(target) }
}

/// A READ operation with GET.
pub fn get(name: &str, base_url: &str, path: &str) -> Operation {
    operation(name, Category::Read, target(site(base_url), Method::Get, path))
}

/// A CREATE operation with POST.
pub fn post(name: &str, base_url: &str, path: &str) -> Operation {
    operation(name, Category::Create, target(site(base_url), Method::Post, path))
}

/// An optional parameter of any place.
pub fn param(name: &str, kind: ValueKind, place: ParamLocation) -> Param {
    Param { place, ..Param::new(name, kind) }
}

/// The operation with one parameter more.
#[must_use]
pub fn with_param(mut operation: Operation, param: Param) -> Operation {
    operation.params.push(param);
    operation
}

/// The HTTP target of an operation.
///
/// # Panics
/// When the operation has another kind of target: a mistake of the test.
pub fn http_target(operation: &Operation) -> &HttpTarget {
    match &operation.target {
        Target::Http(target) => target,
        other => panic!("{other:?} is no HTTP target"),
    }
}

/// The operation with its target changed.
#[must_use]
pub fn with_target(mut operation: Operation, change: impl FnOnce(&mut HttpTarget)) -> Operation {
    if let Target::Http(target) = &mut operation.target {
        change(target);
    }
    operation
}

/// The operation with its site changed.
///
/// # Panics
/// When the site is shared with another operation: a mistake of the test.
#[must_use]
pub fn with_site(operation: Operation, change: impl FnOnce(&mut Site)) -> Operation {
    with_target(operation, |target| match Arc::get_mut(&mut target.site) {
        Some(site) => change(site),
        None => panic!("the site is shared"),
    })
}
