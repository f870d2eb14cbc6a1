//! A value that fits none of several alternatives, explained by the alternative that was most likely meant.
//!
//! The faults of each branch in, problems out: of the closest branch when one stands out, else one problem that names
//! what each branch wants. A branch is far when the kind of value is another, or a fixed value (a `kind: "circle"`)
//! is another; among the near ones the fewest problems win.

use super::SchemaProblem;
use super::words::{joined, list, short, shown};
use crate::check::{FaultMark, SchemaFault};
use crate::shape::type_name;
use serde_json::Value;

const SHOWN_BRANCHES: usize = 4;
const SHOWN_PROBLEMS: usize = 2;
/// Fixed values that are gathered; fewer are shown.
const MOST_OPTIONS: usize = 1_000;

/// The problems of a value in `here` that fits no branch.
pub(crate) fn problems(
    here: String,
    depth: usize,
    keyword: &str,
    value: &Value,
    branches: &[Vec<SchemaFault>],
) -> Vec<(usize, SchemaProblem)> {
    let one = |expected: String, received: String| {
        // Alternatives of alternatives name what each wants: the text must not grow with every level.
        vec![(depth, SchemaProblem::new(here.clone(), keyword, short(&expected), received))]
    };
    if let Some((options, more)) = literals(branches, depth) {
        return one(format!("one of {}", list(options.into_iter(), more)), shown(value));
    }
    let of_its_kind: Vec<_> = branches.iter().filter(|branch| !is_of_another_kind(branch, depth)).collect();
    if of_its_kind.is_empty() {
        return one(joined(wanted_kinds(branches).into_iter()), type_name(value).to_owned());
    }
    let explained: Vec<Vec<(usize, SchemaProblem)>> = of_its_kind
        .iter()
        .map(|branch| branch.iter().flat_map(|fault| fault.problems.clone()).collect())
        .collect();
    match closest(&of_its_kind, &explained) {
        Some(index) => explained.into_iter().nth(index).unwrap_or_default(),
        None => one(wanted(&explained), type_name(value).to_owned()),
    }
}

/// The fixed values, when each branch is one or a list of them: as many as may be shown, and how many there are besides.
fn literals(branches: &[Vec<SchemaFault>], depth: usize) -> Option<(Vec<&Value>, usize)> {
    let mut options: Vec<&Value> = Vec::new();
    let mut more = 0;
    for branch in branches {
        let literal = branch.iter().find_map(|fault| match &fault.mark {
            FaultMark::Literal(options) if fault.depth == depth => Some(options),
            _ => None,
        })?;
        let room = MOST_OPTIONS.saturating_sub(options.len());
        options.extend(literal.iter().take(room));
        more += literal.len().saturating_sub(room);
    }
    options.dedup();
    Some((options, more))
}

fn is_of_another_kind(branch: &[SchemaFault], depth: usize) -> bool {
    branch
        .iter()
        .any(|fault| fault.depth == depth && matches!(fault.mark, FaultMark::Type(_) | FaultMark::Never))
}

fn wanted_kinds(branches: &[Vec<SchemaFault>]) -> Vec<&str> {
    let mut kinds: Vec<&str> = Vec::new();
    for fault in branches.iter().flatten() {
        if let FaultMark::Type(kind) = &fault.mark
            && !kinds.contains(&kind.as_str())
        {
            kinds.push(kind);
        }
    }
    kinds
}

/// The branch that stands out: no fixed value is wrong there, and it has fewer problems than any other such.
fn closest(branches: &[&Vec<SchemaFault>], explained: &[Vec<(usize, SchemaProblem)>]) -> Option<usize> {
    let marked =
        |branch: &[SchemaFault]| branch.iter().any(|fault| matches!(fault.mark, FaultMark::Literal(_)));
    let mut ranked: Vec<(bool, usize, usize)> = branches
        .iter()
        .zip(explained)
        .enumerate()
        .map(|(index, (branch, problems))| (marked(branch), problems.len(), index))
        .collect();
    ranked.sort_unstable();
    match ranked.as_slice() {
        [(_, _, only)] => Some(*only),
        [(false, first, index), (marked, second, _), ..] if *marked || first < second => Some(*index),
        _ => None,
    }
}

/// What each branch wants, briefly.
fn wanted(branches: &[Vec<(usize, SchemaProblem)>]) -> String {
    let mut shown: Vec<String> = Vec::new();
    for branch in branches {
        let requirements: Vec<String> =
            branch.iter().take(SHOWN_PROBLEMS).map(|(_, problem)| requirement(problem)).collect();
        let requirement = requirements.join(" and ");
        if !shown.contains(&requirement) {
            shown.push(requirement);
        }
    }
    let rest = shown.len().saturating_sub(SHOWN_BRANCHES);
    shown.truncate(SHOWN_BRANCHES);
    let listed = shown.join("; or ");
    if rest == 0 { listed } else { format!("{listed}; or one of {rest} more alternatives") }
}

fn requirement(problem: &SchemaProblem) -> String {
    if problem.place.is_empty() {
        problem.expected.clone()
    } else {
        format!("{}: {}", problem.place, problem.expected)
    }
}
