//! What an operation is at least, whatever its author claims (ruling N3): over extension keys, annotations and adapter files.
//!
//! A claim and what the operation shows of itself in (method, path, names); a worse category with its danger and the reason
//! out, if the claim plays it down. Only the operator goes below it.

use super::Category::{self, Create, Delete, Execute, Read, Update};
use super::effect::{self, WordEffect};
use crate::danger::DangerLevel;
use crate::naming::words;
use crate::target::Method;

/// What an operation shows of itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct FloorInput<'a> {
    /// Its method; a tool of another server and a function have none.
    pub method: Option<Method>,
    /// Its path, with placeholders in braces.
    pub path: &'a str,
    /// What its author calls it, here and in its document.
    pub names: &'a [&'a str],
    /// The name that was made from its path, when its author gave none.
    pub made_name: Option<&'a str>,
}

/// The least that an operation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryFloor {
    /// Its category.
    pub category: Category,
    /// Its danger, at least.
    pub level: DangerLevel,
    /// Why, in words.
    pub reason: String,
}

impl CategoryFloor {
    fn by_word(effect: WordEffect) -> CategoryFloor {
        let WordEffect { word, category, level } = effect;
        let what = if category == Delete { "removes something" } else { "acts" };
        CategoryFloor { category, level, reason: format!("'{word}' {what}") }
    }

    fn by_method(method: Method, category: Category) -> CategoryFloor {
        let (level, what) = match category {
            Delete => (DangerLevel::Destructive, "removes"),
            _ => (DangerLevel::Reversible, "overwrites"),
        };
        CategoryFloor { category, level, reason: format!("{method} {what} something") }
    }
}

/// What an operation is at least, when that is worse than the category it is given. Given that category, it is the same again.
pub fn floor(given: Category, shown: &FloorInput<'_>) -> Option<CategoryFloor> {
    let found = once(given, shown)?;
    match once(found.category, shown) {
        Some(next) if next.category != found.category => {
            Some(CategoryFloor { level: next.level.max(found.level), ..next })
        }
        Some(next) => Some(CategoryFloor { level: next.level.max(found.level), ..found }),
        None => Some(found),
    }
}

fn once(given: Category, shown: &FloorInput<'_>) -> Option<CategoryFloor> {
    let method = shown.method;
    match given {
        Delete => None,
        Read => of_read(shown),
        Create if method == Some(Method::Delete) => Some(CategoryFloor::by_method(Method::Delete, Delete)),
        Create | Update | Execute => match removal(shown) {
            Some(effect) => Some(CategoryFloor::by_word(effect)),
            // Who cancels with DELETE may call it EXECUTE, but not harmless.
            None if method == Some(Method::Delete) => {
                Some(CategoryFloor { category: given, ..CategoryFloor::by_method(Method::Delete, Delete) })
            }
            None => None,
        },
    }
}

fn of_read(shown: &FloorInput<'_>) -> Option<CategoryFloor> {
    let by_method = match shown.method {
        Some(method @ Method::Delete) => Some(CategoryFloor::by_method(method, Delete)),
        Some(method @ (Method::Put | Method::Patch)) => Some(CategoryFloor::by_method(method, Update)),
        Some(method @ Method::Post) if is_to_item(shown.path) => Some(CategoryFloor {
            reason: "POST to one item overwrites it".to_owned(),
            ..CategoryFloor::by_method(method, Update)
        }),
        _ => None,
    };
    let looks_first = |name: &&str| words(name).first().is_some_and(|word| effect::is_looking(word));
    let is_post = shown.method == Some(Method::Post) && !shown.names.iter().any(looks_first);
    let names = shown.names.iter().copied().chain(shown.made_name).filter_map(effect::of_name);
    let path = effect::of_path(shown.path, shown.names);
    let by_word = effect::worst(removal(shown).filter(|_| is_post).into_iter().chain(names).chain(path));
    match (by_method, by_word.map(CategoryFloor::by_word)) {
        (Some(method), Some(word)) if method.category == Delete => {
            Some(CategoryFloor { level: method.level.max(word.level), ..method })
        }
        (by_method, by_word) => by_word.or(by_method),
    }
}

/// The word that removes. A POST may be anything, so that one anywhere in its name counts; PUT and PATCH must begin with it or
/// lead to it.
fn removal(shown: &FloorInput<'_>) -> Option<WordEffect> {
    let in_names = || {
        let mut names = shown.names.iter().copied().chain(shown.made_name);
        match shown.method {
            None | Some(Method::Post) => names.find_map(effect::removal_in),
            _ => names.find_map(|name| {
                let first = words(name).into_iter().next()?;
                effect::removal_in(&first)
            }),
        }
    };
    in_names().or_else(|| effect::removal_at_end(shown.path))
}

/// True for `/x/{id}` with nothing after it.
pub fn is_to_item(path: &str) -> bool {
    let path = effect::bare_path(path);
    path.ends_with('}') && path.rsplit('/').next().is_some_and(|last| last.starts_with('{'))
}

#[cfg(test)]
mod tests;
