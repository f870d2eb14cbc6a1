//! The category that the first word of an operation's name usually means, and the verb we would rather see.
//!
//! A name in, a hint out. Adapter files only get a warning from it; sources without categories decide by it
//! (operations document, section 6.2; core specification, sections 8.2 and 8.5).

use super::Category;

const CREATE: &[&str] = &["create", "add", "upload", "register", "import", "insert"];
const READ: &[&str] = &["get", "list", "search", "find", "export", "count"];
const UPDATE: &[&str] = &["update", "edit", "set", "rename", "move", "patch", "merge"];
const DELETE: &[&str] = &["delete", "remove", "purge", "unregister", "clear", "drop"];
const EXECUTE: &[&str] =
    &["execute", "cancel", "run", "start", "stop", "pause", "resume", "trigger", "invoke"];

/// Verbs with a canonical equivalent (section 8.5.2).
const PREFERRED: &[(&str, &str)] = &[
    ("add", "create"),
    ("fetch", "get"),
    ("find", "list"),
    ("edit", "update"),
    ("remove", "delete"),
    ("run", "execute"),
];

fn verb_of(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// The category that the name's verb belongs to, when it is one of the listed verbs.
pub fn category_of(name: &str) -> Option<Category> {
    let verb = verb_of(name);
    [
        (CREATE, Category::Create),
        (READ, Category::Read),
        (UPDATE, Category::Update),
        (DELETE, Category::Delete),
        (EXECUTE, Category::Execute),
    ]
    .into_iter()
    .find(|(verbs, _)| verbs.contains(&verb))
    .map(|(_, category)| category)
}

/// The same name with the canonical verb, when its verb has one.
pub fn canonical_name(name: &str) -> Option<String> {
    let verb = verb_of(name);
    let (_, preferred) = PREFERRED.iter().find(|(discouraged, _)| *discouraged == verb)?;
    Some(format!("{preferred}{}", &name[verb.len()..]))
}

#[cfg(test)]
mod tests;
