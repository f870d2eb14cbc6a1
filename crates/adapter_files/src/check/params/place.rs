//! Where each parameter goes in the request: the path takes its placeholders, the method decides for the rest unless
//! `in` says otherwise (runtime specification, section 6.4).

use super::{BrokenParams, CheckedParams, ParamDeclaration};
use crate::check::mapping::Mapping;
use aqueduct_documents::findings::Findings;
use aqueduct_documents::node_cursor::NodeCursor;
use aqueduct_operations::params::{Param, ParamLocation, ParamStyle, ValueKind};
use aqueduct_operations::target::Segment;
use aqueduct_source_kind::wire_names::param_name_problem;
use std::collections::HashSet;

/// Gives every parameter its place and the path its public names.
pub(in crate::check) fn settle(
    operation: &NodeCursor<'_>,
    mapping: &mut Mapping,
    params: CheckedParams<'_>,
    found: &mut Findings<'_>,
) -> Vec<Param> {
    let CheckedParams { declared, broken } = params;
    let in_path = name_placeholders(operation, mapping, &declared, &broken, found);
    let mut taken: HashSet<(ParamLocation, String)> = HashSet::new();
    let mut params = Vec::with_capacity(declared.len());
    for ParamDeclaration { mut param, place, written, at } in declared {
        param.place = match (in_path.contains(&param.name), place) {
            (true, None | Some(ParamLocation::Path)) => ParamLocation::Path,
            (true, Some(_)) => {
                let message =
                    format!("'{}' stands in the path of maps_to, but 'in' says otherwise", param.name);
                at.error("BAD_PLACE", message).hint("remove 'in', or the placeholder").add_to(found);
                continue;
            }
            (false, Some(ParamLocation::Path)) => {
                let message = format!("'in' says path, but maps_to has no '{{{}}}'", param.name);
                at.error("BAD_PLACE", message)
                    .hint("add the placeholder to maps_to, or change 'in'")
                    .add_to(found);
                continue;
            }
            (false, Some(ParamLocation::Body))
                if !mapping.method.has_body() && operation.get("body").is_none() =>
            {
                let message = format!("A {} request has no body", mapping.method);
                at.error("BAD_PLACE", message)
                    .hint("use in: query, another method, or say what it is: body: {content_type: json}")
                    .add_to(found);
                continue;
            }
            (false, Some(place)) => place,
            (false, None) if mapping.method.has_body() => ParamLocation::Body,
            (false, None) => ParamLocation::Query,
        };
        param.writing = written.map(|written| written.in_place(param.place));
        check_place(&param, &at, found);
        let upstream = match param.place {
            ParamLocation::Header => param.upstream_name.to_ascii_lowercase(),
            _ => param.upstream_name.clone(),
        };
        if param.place != ParamLocation::Path && !taken.insert((param.place, upstream)) {
            let message = format!("Two parameters are sent as '{}'", param.upstream_name);
            at.error("DUPLICATE_NAME", message).hint("change one 'mapTo'").add_to(found);
        }
        params.push(param);
    }
    params
}

/// Replaces upstream names in the path by public ones, and returns those that are there.
fn name_placeholders(
    operation: &NodeCursor<'_>,
    mapping: &mut Mapping,
    declared: &[ParamDeclaration<'_>],
    broken: &BrokenParams,
    found: &mut Findings<'_>,
) -> HashSet<String> {
    let mut in_path = HashSet::new();
    for segment in &mut mapping.path {
        let Segment::Placeholder(name) = segment else { continue };
        let public = declared
            .iter()
            .find(|each| each.param.name == *name)
            .or_else(|| declared.iter().find(|each| each.param.upstream_name == *name));
        if let Some(public) = public {
            in_path.insert(public.param.name.clone());
            name.clone_from(&public.param.name);
            continue;
        }
        if broken.may_hold(name) {
            continue;
        }
        let known = declared.iter().map(|each| each.param.name.as_str());
        let hint = found.nearest(name, known).unwrap_or_else(|| format!("add '{name}' to params"));
        let at = operation.get("maps_to").unwrap_or_else(|| operation.clone());
        at.error(
            "UNDECLARED_PLACEHOLDER",
            format!("The placeholder '{{{name}}}' is not among the parameters"),
        )
        .hint(hint)
        .add_to(found);
    }
    in_path
}

fn check_place(param: &Param, at: &NodeCursor<'_>, found: &mut Findings<'_>) {
    let name = &param.upstream_name;
    let is_for_paths =
        param.writing.is_some_and(|writing| matches!(writing.style, ParamStyle::Label | ParamStyle::Matrix));
    if is_for_paths && param.place != ParamLocation::Path {
        at.error("BAD_PLACE", "This style is for paths").hint("use form, or deepObject").add_to(found);
    }
    match param.place {
        ParamLocation::Path => {
            if param.shape.kind == ValueKind::Object && param.writing.is_none() {
                at.error("BAD_PLACE", "An object cannot stand in a path")
                    .hint("use string or integer, or say how it is written: style")
                    .add_to(found);
            }
            if !param.required && param.default.is_none() {
                at.warning(
                    "OPTIONAL_PATH_PARAMETER",
                    format!("'{}' stands in the path, so calls without it fail", param.name),
                )
                .hint("add required: true")
                .add_to(found);
            }
        }
        place => {
            if let Some(problem) = param_name_problem(place, name) {
                let hint =
                    if place == ParamLocation::Header { "change 'mapTo' or 'in'" } else { "change 'mapTo'" };
                at.error("BAD_PLACE", problem).hint(hint).add_to(found);
            }
        }
    }
}
