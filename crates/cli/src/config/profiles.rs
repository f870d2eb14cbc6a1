//! `[profiles.NAME.FAMILY]`: profiles of one's own (core specification, section 3.3).
//!
//! The tree in, profiles out. Whatever keeps families from being a profile is reported where it stands.

use aqueduct_documents::findings::{Finding, Findings};
use aqueduct_documents::node_cursor::{NodeCursor, described};
use aqueduct_documents::{LineColumn, MapEntry};
use aqueduct_operations::category::Category;
use aqueduct_operations::diagnostic::DiagnosticSeverity;
use aqueduct_operations::exposure::{FamilyRequest, Glob, Profile, ProfileProblem};

const KEYS: [&str; 3] = ["categories", "operations", "description"];

/// Reads every profile, reporting what is wrong.
pub fn read(root: &NodeCursor<'_>, found: &mut Findings<'_>) -> Vec<Profile> {
    let Some(block) = root.get("profiles") else { return Vec::new() };
    let mut profiles = Vec::new();
    for (entry, at) in block.entries() {
        let families: Option<Vec<FamilyRequest>> = at
            .entries()
            .map(|(entry, at)| family(entry, &at, found))
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        // A family that was not understood would only give rise to more problems.
        let Some(families) = families else { continue };
        match Profile::custom(&entry.key, families) {
            Ok(profile) => profiles.push(profile),
            Err(problems) => {
                for problem in problems {
                    found.add(finding(&problem, entry, &at));
                }
            }
        }
    }
    profiles
}

fn family(entry: &MapEntry, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<FamilyRequest> {
    if at.entries().any(|(entry, _)| !KEYS.contains(&entry.key.as_str())) {
        return None;
    }
    let categories = each(at, "categories", |text, at| category(text, at, found));
    let operations = each(at, "operations", |text, at| {
        let parsed = Glob::parse(text);
        if parsed.is_err() {
            found.add(
                at.error("INVALID_VALUE", "This is not a pattern for names of operations")
                    .expected("lower-case letters, digits, underscores, hyphens and '*', such as grant_*")
                    .received(described(at.node)),
            );
        }
        parsed.ok()
    });
    let purpose = at.text("description").map(|text| text.trim().trim_end_matches('.').to_owned());
    Some(FamilyRequest { name: entry.key.clone(), purpose, categories: categories?, operations: operations? })
}

/// A category by its name in any letter case; another name is reported.
pub(super) fn category(text: &str, at: &NodeCursor<'_>, found: &mut Findings<'_>) -> Option<Category> {
    let parsed = Category::parse(text);
    if parsed.is_none() {
        let names = Category::ALL.map(Category::upper);
        let hint = found.nearest(&text.to_uppercase(), names);
        found.add(
            at.error("INVALID_VALUE", "There is no such category")
                .expected(format!("one of {}", names.join(", ")))
                .received(described(at.node))
                .maybe_hint(hint),
        );
    }
    parsed
}

/// The texts of a list, each read; nothing when one of them, or the list itself, cannot be.
fn each<T>(
    at: &NodeCursor<'_>,
    key: &str,
    mut read: impl FnMut(&str, &NodeCursor<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(list) = at.get(key) else { return Some(Vec::new()) };
    let read: Vec<Option<T>> = list.elements().map(|at| read(at.node.text()?, &at)).collect();
    read.into_iter().collect()
}

/// Puts a problem where it can be mended.
fn finding(problem: &ProfileProblem, profile: &MapEntry, at: &NodeCursor<'_>) -> Finding {
    let message = capitalised(&problem.to_string());
    let here = |code| {
        Finding::new(
            DiagnosticSeverity::Error,
            code,
            &at.path,
            LineColumn::new(profile.line, profile.column),
            message.clone(),
        )
    };
    let on = |name: &str, code| match at.entries().find(|(entry, _)| entry.key == name) {
        Some((entry, at)) => Finding::new(
            DiagnosticSeverity::Error,
            code,
            at.path,
            LineColumn::new(entry.line, entry.column),
            message.clone(),
        ),
        None => here(code),
    };
    let within = |family: &str, key: &str, wanted: &str| {
        let list = at.get(family).and_then(|family| family.get(key));
        let element = list.and_then(|list| {
            list.elements()
                .find(|each| each.node.text().is_some_and(|text| text.eq_ignore_ascii_case(wanted)))
        });
        element.map_or_else(|| on(family, "DUPLICATE_NAME"), |at| at.error("DUPLICATE_NAME", message.clone()))
    };
    match problem {
        ProfileProblem::BuiltIn(_) => here("DUPLICATE_NAME").hint("give yours another name"),
        ProfileProblem::Name(_) => here("INVALID_VALUE")
            .expected("lower-case letters, digits, underscores and hyphens, a letter first"),
        ProfileProblem::Family(name) => on(name, "INVALID_VALUE")
            .expected("up to 32 lower-case letters, digits and underscores, a letter first, such as query"),
        ProfileProblem::Twice(name) => on(name, "DUPLICATE_NAME").hint("keep one of the two"),
        ProfileProblem::Empty(name) => on(name, "MISSING_KEY").expected("categories, operations or both"),
        ProfileProblem::Shared { category, second, .. } => {
            within(second, "categories", category.upper()).hint("each category is in exactly one family")
        }
        ProfileProblem::Missing(_) => here("MISSING_KEY").hint("each category is in exactly one family"),
        ProfileProblem::IntrospectTwice { second, .. } => {
            within(second, "operations", "introspect").hint("exactly one family takes introspect")
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), letters.as_str()))
}
