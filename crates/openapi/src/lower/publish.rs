//! Public names of parameters, and the path with its placeholders.
//!
//! Parameters under their upstream names in; the same with unique snake_case names out. Where two would have the same
//! name, the one that is written so keeps it, then the one in the path, in the query, in the body; the others say where
//! they go.

use super::operation::OperationDraft;
use aqueduct_operations::naming::ENVELOPE_KEYS;
use aqueduct_operations::operation::Grouping;
use aqueduct_operations::params::{Param, ParamLocation, ValueKind};
use aqueduct_operations::target::Segment;
use aqueduct_source_kind::operation_names::{mark_of, snake};
use std::collections::{HashMap, HashSet};

/// Gives every parameter its public name. `fixed` is the index of one that has its name
/// already.
pub(super) fn names(
    params: &mut [Param],
    fixed: Option<usize>,
    grouping: Grouping,
    warnings: &mut Vec<String>,
) {
    let mut order: Vec<usize> = (0..params.len()).collect();
    let wanted: Vec<String> = params.iter().map(|param| snake(&param.upstream_name)).collect();
    order.sort_by_key(|&index| {
        let is_changed = wanted[index] != params[index].upstream_name;
        (is_changed, rank(params[index].place), index)
    });
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut taken: HashSet<String> = ENVELOPE_KEYS.iter().map(|key| (*key).to_owned()).collect();
    // The fields of an update travel in `input`, so nothing beside it can be called that.
    if grouping == Grouping::Input {
        taken.insert("input".to_owned());
    }
    if let Some(index) = fixed {
        taken.insert(params[index].name.clone());
    }
    for index in order.into_iter().filter(|index| Some(*index) != fixed) {
        let param = &mut params[index];
        let place = param.place.name();
        let mut wanted = wanted[index].clone();
        if wanted.is_empty() {
            wanted = format!("{place}_{}", mark_of(&param.upstream_name));
        } else if wanted.starts_with(|c: char| c.is_ascii_digit()) {
            wanted = format!("{place}_{wanted}");
        }
        if !taken.insert(wanted.clone()) {
            let prefixed = format!("{place}_{wanted}");
            let mut name = prefixed.clone();
            // Counted on from the last, so that thousands of the same name take no longer than others.
            let number = numbers.entry(prefixed.clone()).or_insert(2);
            while !taken.insert(name.clone()) {
                name = format!("{prefixed}_{number}");
                *number += 1;
            }
            warnings.push(format!("the {place} parameter '{}' is called '{name}'", param.upstream_name));
            wanted = name;
        }
        param.name = wanted;
    }
}

fn rank(place: ParamLocation) -> u8 {
    match place {
        ParamLocation::Path => 0,
        ParamLocation::Query => 1,
        ParamLocation::Body => 2,
        ParamLocation::Header => 3,
        ParamLocation::Cookie => 4,
    }
}

/// The placeholders of a path, as they are written.
pub(super) fn placeholders(path: &str) -> Vec<&str> {
    pieces(path).into_iter().filter_map(|(text, is_placeholder)| is_placeholder.then_some(text)).collect()
}

fn pieces(path: &str) -> Vec<(&str, bool)> {
    let mut pieces = Vec::new();
    let mut rest = path;
    while let Some(start) = rest.find('{') {
        let Some(length) = rest[start..].find('}') else { break };
        if start > 0 {
            pieces.push((&rest[..start], false));
        }
        pieces.push((&rest[start + 1..start + length], true));
        rest = &rest[start + length + 1..];
    }
    if !rest.is_empty() {
        pieces.push((rest, false));
    }
    pieces
}

/// The bare name of a placeholder: `{+path}`, `{path*}` and `{path+}` are called `path`.
pub(super) fn bare(placeholder: &str) -> &str {
    placeholder.trim().trim_start_matches(['+', '*', '?', '.', ';', '/']).trim_end_matches(['+', '*', '?'])
}

/// Makes path parameters and placeholders agree, before they get their public names.
pub(super) fn settle(path: &str, params: &mut Vec<Param>, warnings: &mut Vec<String>) {
    let written = placeholders(path_of(path));
    params.retain(|param| {
        let is_there = param.place != ParamLocation::Path
            || written.iter().any(|each| *each == param.upstream_name || bare(each) == param.upstream_name);
        if !is_there {
            warnings.push(format!(
                "the path parameter '{}' is not in the path and left out",
                param.upstream_name
            ));
        }
        is_there
    });
    for placeholder in written {
        let name = bare(placeholder);
        let is_declared = params.iter().any(|param| {
            param.place == ParamLocation::Path
                && (param.upstream_name == placeholder || param.upstream_name == name)
        });
        if !is_declared {
            warnings.push(format!("the placeholder '{name}' of the path is not declared: it takes any text"));
            let mut param = Param::new(name, ValueKind::String);
            param.place = ParamLocation::Path;
            param.required = true;
            params.push(param);
        }
    }
}

fn path_of(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Gives the request its path, with the public names of parameters in place.
pub(super) fn path(path: &str, draft: &mut OperationDraft, warnings: &mut Vec<String>) {
    for (text, is_placeholder) in pieces(path_of(path)) {
        let found = draft.params.iter().filter(|_| is_placeholder).find(|param| {
            param.place == ParamLocation::Path
                && (param.upstream_name == text || param.upstream_name == bare(text))
        });
        draft.target.path.push(match found {
            Some(param) => Segment::Placeholder(param.name.clone()),
            None => Segment::Literal(text.to_owned()),
        });
    }
    let (before_fragment, fragment) =
        path.split_once('#').map_or((path, None), |(path, rest)| (path, Some(rest)));
    if let Some(fragment) = fragment {
        warnings.push(format!("'#{fragment}' in the path is not sent"));
    }
    let query = before_fragment.split_once('?').map(|(_, query)| query);
    draft.target.static_query =
        query.filter(|query| !query.is_empty() && !query.contains(['{', '}'])).map(str::to_owned);
    if query.is_some_and(|query| query.contains('{')) {
        warnings.push("placeholders in the query of the path are not sent".to_owned());
    }
}
