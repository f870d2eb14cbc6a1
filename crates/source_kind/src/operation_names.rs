//! Names of operations: the document's own where it is a legal one, else a legal one made from it (ruling N1).
//!
//! All operations of a document in, one name for each out: unique, at most 64 characters, no reserved word, the same in
//! every run. An operation whose own name is legal never loses it to one whose name had to be changed.

use crate::public_names::fingerprint;
use crate::report::Renamed;
use aqueduct_operations::naming::{MAX_OPERATION_NAME, RESERVED, is_snake_case, words};
use aqueduct_operations::target::Method;
use std::collections::{HashMap, HashSet};

/// What an operation is called in its document.
pub struct UnnamedOperation<'a> {
    /// Its own name.
    pub operation_id: Option<&'a str>,
    /// Its method.
    pub method: Method,
    /// Its path, as the document has it.
    pub path: &'a str,
}

/// The names, in the order of the operations, and what was renamed.
pub fn names(operations: &[UnnamedOperation<'_>]) -> (Vec<String>, Vec<Renamed>) {
    let mut taken: HashSet<String> = HashSet::new();
    let mut names: Vec<Option<String>> = vec![None; operations.len()];
    for (operation, name) in operations.iter().zip(&mut names) {
        let own = operation.operation_id.filter(|id| is_legal(id));
        if let Some(id) = own.filter(|id| taken.insert((*id).to_owned())) {
            *name = Some(id.to_owned());
        }
    }
    let mut renamed = Vec::new();
    let mut numbers = HashMap::new();
    let mut finished = Vec::with_capacity(operations.len());
    for (operation, name) in operations.iter().zip(names) {
        finished.push(name.unwrap_or_else(|| {
            let (wanted, why) = wanted(operation);
            let (name, why) = free(&wanted, why, operation.method, &taken, &mut numbers);
            taken.insert(name.clone());
            // Without a name in the document nothing was renamed, unless the made one was not to be had.
            let from = operation.operation_id.map(str::to_owned).filter(|id| !id.is_empty());
            if let Some(from) = from.or_else(|| (name != wanted).then(|| wanted.clone())) {
                renamed.push(Renamed { from, to: name.clone(), why: why.to_owned() });
            }
            name
        }));
    }
    (finished, renamed)
}

fn is_legal(name: &str) -> bool {
    is_snake_case(name) && name.len() <= MAX_OPERATION_NAME && !RESERVED.contains(&name)
}

const SPELLING: &str = "operation names are snake_case";
const FOREIGN: &str = "operation names are made of ASCII letters, so this one comes from its path";
const RESERVED_WORD: &str = "the name is reserved for the protocol";
const TOO_LONG: &str = "operation names have at most 64 characters";
const NOT_UNIQUE: &str = "another operation has the name";

/// The name that an operation has if no one else has it.
pub fn alone(operation: &UnnamedOperation<'_>) -> String {
    shortened(&wanted(operation).0, MAX_OPERATION_NAME)
}

/// True for the name that an operation has alone, and for those that it gets when others have it.
pub(crate) fn is_form_of(name: &str, operation: &UnnamedOperation<'_>) -> bool {
    let (wanted, _) = wanted(operation);
    if name == shortened(&wanted, MAX_OPERATION_NAME) {
        return true;
    }
    let method = operation.method.name().to_ascii_lowercase();
    let before_number = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let ends = [name, before_number.strip_suffix('_').unwrap_or(name)];
    let mut starts = ends.into_iter().filter_map(|end| end.strip_suffix(&method)?.strip_suffix('_'));
    starts.any(|start| {
        let suffix = name.len() - start.len();
        MAX_OPERATION_NAME.checked_sub(suffix).is_some_and(|most| start == shortened(&wanted, most))
    })
}

/// The name it should have, and why that is not its own.
fn wanted(operation: &UnnamedOperation<'_>) -> (String, &'static str) {
    let Some(id) = operation.operation_id.filter(|id| !id.trim().is_empty()) else {
        return (from_path(operation), SPELLING);
    };
    if is_snake_case(id) {
        return (id.to_owned(), NOT_UNIQUE);
    }
    let made = snake(id);
    if id.chars().any(|c| c.is_alphabetic() && !c.is_ascii()) || made.is_empty() {
        return (from_path(operation), FOREIGN);
    }
    if made.starts_with(|c: char| c.is_ascii_digit()) {
        return (format!("{}_{made}", operation.method.name().to_ascii_lowercase()), SPELLING);
    }
    (made, SPELLING)
}

/// `GET /users/{id}` is `get_users_id`.
fn from_path(operation: &UnnamedOperation<'_>) -> String {
    let method = operation.method.name().to_ascii_lowercase();
    let path = operation.path;
    let mut made = match snake(path) {
        empty if empty.is_empty() => "root".to_owned(),
        made => made,
    };
    if !path.is_ascii() {
        made = format!("{made}_{}", mark_of(path));
    }
    format!("{method}_{made}")
}

/// The first form of a name that is free: itself, with the method, with a number.
fn free(
    wanted: &str,
    why: &'static str,
    method: Method,
    taken: &HashSet<String>,
    numbers: &mut HashMap<String, usize>,
) -> (String, &'static str) {
    let short = shortened(wanted, MAX_OPERATION_NAME);
    let is_free = |name: &str| !taken.contains(name) && !RESERVED.contains(&name);
    if is_free(&short) {
        return (short.clone(), if short == wanted { why } else { TOO_LONG });
    }
    let why = if RESERVED.contains(&wanted) { RESERVED_WORD } else { NOT_UNIQUE };
    let method = method.name().to_ascii_lowercase();
    // Counted on from the last, so that thousands of the same name take no longer than others.
    let number = numbers.entry(format!("{wanted} {method}")).or_insert(1);
    loop {
        let suffix = if *number == 1 { format!("_{method}") } else { format!("_{method}_{number}") };
        let name = shortened(wanted, MAX_OPERATION_NAME - suffix.len()) + &suffix;
        *number += 1;
        if is_free(&name) {
            return (name, why);
        }
    }
}

/// A name of at most this many characters: the beginning, and a mark of the whole.
fn shortened(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let kept = name[..most - 9].trim_end_matches('_');
    format!("{kept}_{}", mark_of(name))
}

/// The snake_case form of any name; empty when it has no ASCII letter or digit.
pub fn snake(name: &str) -> String {
    words(name).join("_")
}

/// Eight hexadecimal digits that stand for a text.
pub fn mark_of(text: &str) -> String {
    format!("{:08x}", fingerprint(text))
}

#[cfg(test)]
mod tests;
