//! What an operation is about: its noun, and the collection that it works on.
//!
//! All entries of a registry in, a `Resource` for each out. The noun is the last segment of the path that is a thing, else the
//! name without its verb, else a tag. A segment that is a verb, or that follows an identifier and can never be read, is an
//! action on what stands before it: `/pulls/{number}/merge` is about pulls.

use aqueduct_operations::category::Category;
use aqueduct_operations::category::effect::{is_looking, of_name};
use aqueduct_operations::category::verbs::category_of;
use aqueduct_operations::naming::words;
use aqueduct_operations::operation::{Operation, RegistryEntry};
use aqueduct_operations::target::{Method, Target};
use std::collections::HashSet;
use std::sync::Arc;

/// What one operation is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// What it is about, in the singular: `pull_request`.
    pub noun: String,
    /// The collection that it belongs to: the path up to the noun, identifiers left out; the noun itself where there is no path.
    pub collection: String,
    /// What it does with the collection.
    pub role: ResourceRole,
}

/// What is done with the things of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResourceRole {
    /// Several are shown.
    List,
    /// One is shown.
    Get,
    /// One is made.
    Create,
    /// One is changed.
    Update,
    /// One is removed.
    Delete,
    /// Something else.
    Other,
}

impl ResourceRole {
    /// How a person would say it.
    pub fn verb(self) -> Option<&'static str> {
        match self {
            ResourceRole::List => Some("list"),
            ResourceRole::Get => Some("get"),
            ResourceRole::Create => Some("create"),
            ResourceRole::Update => Some("update"),
            ResourceRole::Delete => Some("delete"),
            ResourceRole::Other => None,
        }
    }
}

/// What the operations of a registry are about, in its order.
#[derive(Debug)]
pub struct Resources(Vec<Resource>);

impl Resources {
    /// Looks at all entries.
    pub fn of(entries: &[Arc<RegistryEntry>]) -> Resources {
        let paths: Vec<Vec<String>> = entries.iter().map(|entry| segments(&entry.operation)).collect();
        let is_read = |entry: &RegistryEntry| entry.operation.category == Category::Read;
        let read: HashSet<(&str, String)> = entries
            .iter()
            .zip(&paths)
            .filter(|(entry, _)| is_read(entry))
            .map(|(entry, path)| (entry.source.name.as_str(), path.join("/")))
            .collect();
        let resources = entries.iter().zip(&paths).map(|(entry, path)| {
            let can_be_read = |path: &[String]| read.contains(&(entry.source.name.as_str(), path.join("/")));
            resource(&entry.operation, path, can_be_read)
        });
        Resources(resources.collect())
    }

    /// What the operation in this place of the registry is about.
    pub fn at(&self, index: usize) -> &Resource {
        &self.0[index]
    }
}

/// An identifier in a path.
const IDENTIFIER: &str = "{}";

/// The segments of a path, identifiers without their names; nothing where there is no path.
fn segments(operation: &Operation) -> Vec<String> {
    let path = operation.path_text();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let is_meant = |segment: &&str| !segment.is_empty() && !is_version(segment);
    let plain = |segment: &str| match segment.strip_suffix(".json").unwrap_or(segment) {
        segment if segment.contains('{') => IDENTIFIER.to_owned(),
        segment => segment.to_lowercase(),
    };
    path.split('/').filter(is_meant).map(plain).collect()
}

/// `v1`, `v2.1`, `api`: segments that name no thing.
fn is_version(segment: &str) -> bool {
    let number = segment.strip_prefix(['v', 'V']).unwrap_or_default();
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_number || ["api", "rest"].contains(&segment.to_lowercase().as_str())
}

fn resource(operation: &Operation, path: &[String], can_be_read: impl Fn(&[String]) -> bool) -> Resource {
    let is_thing = |at: usize| {
        let is_named = path[..at].iter().any(|segment| segment != IDENTIFIER);
        let follows = at > 0 && path[at - 1] == IDENTIFIER;
        path[at] != IDENTIFIER
            && (!is_named
                || !is_verb(&path[at]) && (!follows || is_plural(&path[at]) || can_be_read(&path[..=at])))
    };
    let Some(at) = (0..path.len()).rev().find(|at| is_thing(*at)) else {
        let noun = noun_of_name(operation);
        return Resource { role: role_by_name(operation), collection: noun.clone(), noun };
    };
    let collection = path[..=at].join("/");
    Resource { noun: singular(&words(&path[at])), collection, role: role_by_path(operation, &path[at + 1..]) }
}

/// What is done by method, at the collection or at one of its things.
fn role_by_path(operation: &Operation, rest: &[String]) -> ResourceRole {
    let Target::Http(target) = &operation.target else { return ResourceRole::Other };
    let is_one = match rest {
        [] => false,
        [only] if only == IDENTIFIER => true,
        _ => return ResourceRole::Other,
    };
    match (operation.category, target.method) {
        (Category::Read, Method::Get) if !is_one && operation.answers.collection => ResourceRole::List,
        (Category::Read, Method::Get) => ResourceRole::Get,
        (Category::Create, _) if !is_one => ResourceRole::Create,
        (Category::Update, _) => ResourceRole::Update,
        (Category::Delete, Method::Delete) => ResourceRole::Delete,
        _ => ResourceRole::Other,
    }
}

fn role_by_name(operation: &Operation) -> ResourceRole {
    let all = words(&operation.name);
    match all.first().map_or("", String::as_str) {
        "list" => ResourceRole::List,
        "get" | "read" | "fetch" | "show" | "retrieve" | "describe" => ResourceRole::Get,
        "create" | "add" | "insert" | "make" => ResourceRole::Create,
        "update" | "edit" | "modify" | "set" => ResourceRole::Update,
        "delete" | "remove" => ResourceRole::Delete,
        _ => ResourceRole::Other,
    }
}

/// The name without its verb, else the first tag, else the whole name.
fn noun_of_name(operation: &Operation) -> String {
    let all = words(&operation.name);
    let things: Vec<String> = all.iter().filter(|word| !is_verb(word)).cloned().collect();
    if !things.is_empty() {
        return singular(&things);
    }
    let tagged = operation.tags.iter().map(|tag| singular(&words(tag))).find(|tag| !tag.is_empty());
    tagged.unwrap_or_else(|| operation.name.clone())
}

fn is_verb(word: &str) -> bool {
    category_of(word).is_some() || is_looking(word) || of_name(word).is_some()
}

/// Words as one, the last of them in the singular: `pull_request`.
fn singular(words: &[String]) -> String {
    let Some((last, before)) = words.split_last() else { return String::new() };
    let mut joined: String = before.iter().map(|word| format!("{word}_")).collect();
    match last {
        word if !is_plural(word) => joined.push_str(word),
        word if word.ends_with("ies") && word.len() > 4 => {
            joined.push_str(&format!("{}y", &word[..word.len() - 3]))
        }
        word if ["sses", "shes", "ches", "xes", "zes", "tuses", "iases"]
            .iter()
            .any(|end| word.ends_with(end)) =>
        {
            joined.push_str(&word[..word.len() - 2]);
        }
        word => joined.push_str(&word[..word.len() - 1]),
    }
    joined
}

fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !["ss", "us", "is", "news"].iter().any(|end| word.ends_with(end))
}
