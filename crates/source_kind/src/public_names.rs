//! Public names for what other programs have named: operations, parameters, sources (ruling N1).
//!
//! The names as they came in, one public name for each out, the same ones every time. A name that follows our grammar
//! keeps it; the others are rewritten, shortened or numbered, and each says why.

use aqueduct_operations::naming::{is_snake_case, words};
use std::collections::HashSet;

/// What a kind of name must be like.
#[derive(Debug)]
pub struct NameRules {
    /// The longest name.
    pub longest: usize,
    /// Words that are taken.
    pub reserved: &'static [&'static str],
    /// What the thing is called when its name says nothing; also distinguishes it from a reserved word.
    pub noun: &'static str,
}

/// The name that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicName {
    /// The public name.
    pub name: String,
    /// Why it is not the original one.
    pub why: Option<&'static str>,
}

/// A public name for each original, in the same order. Originals that need no change are served first, so that none of
/// them loses its name to a rewritten one.
pub fn assign(originals: &[&str], rules: &NameRules) -> Vec<PublicName> {
    let fits =
        |name: &str| is_snake_case(name) && name.len() <= rules.longest && !rules.reserved.contains(&name);
    let mut taken: HashSet<String> = HashSet::new();
    let mut names: Vec<Option<PublicName>> = originals
        .iter()
        .map(|original| {
            let keeps = fits(original) && taken.insert((*original).to_owned());
            keeps.then(|| PublicName { name: (*original).to_owned(), why: None })
        })
        .collect();
    for (original, slot) in originals.iter().zip(&mut names) {
        if slot.is_none() {
            *slot = Some(rewritten(original, rules, &mut taken));
        }
    }
    names.into_iter().flatten().collect()
}

fn rewritten(original: &str, rules: &NameRules, taken: &mut HashSet<String>) -> PublicName {
    let mut why = None;
    let mut name = if is_snake_case(original) { original.to_owned() } else { snake(original) };
    if name != original {
        why = Some("it is not in snake_case");
    }
    if name.is_empty() {
        name = rules.noun.to_owned();
    } else if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name = format!("{}_{name}", rules.noun);
    }
    if rules.reserved.contains(&name.as_str()) {
        name = format!("{name}_{}", rules.noun);
        why = Some("it is a reserved word");
    }
    if name.len() > rules.longest {
        let mark = format!("_{:08x}", fingerprint(original));
        name = format!("{}{mark}", name[..rules.longest - mark.len()].trim_end_matches('_'));
        why = Some("it is too long");
    }
    if taken.contains(&name) {
        let numbered = |number: usize| {
            let mark = format!("_{number}");
            let most = rules.longest - mark.len();
            format!("{}{mark}", name.get(..most).unwrap_or(&name))
        };
        // There are fewer names than numbers, so one of them is free.
        if let Some(free) = (2..).map(numbered).find(|each| !taken.contains(each)) {
            name = free;
        }
        why = Some("another has that name");
    }
    taken.insert(name.clone());
    PublicName { name, why }
}

/// `getPetByID` is `get_pet_by_id`, `repos/list-for-org` is `repos_list_for_org`. What is no ASCII letter or digit parts
/// words.
pub fn snake(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 8);
    let mut parted = false;
    for (index, c) in characters.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
            parted = true;
            continue;
        }
        let before = index.checked_sub(1).map(|i| characters[i]);
        let after = characters.get(index + 1);
        let starts_word = c.is_ascii_uppercase()
            && match before {
                Some(b) if b.is_ascii_lowercase() || b.is_ascii_digit() => true,
                Some(b) => b.is_ascii_uppercase() && after.is_some_and(char::is_ascii_lowercase),
                None => false,
            };
        if (parted || starts_word) && !out.is_empty() {
            out.push('_');
        }
        parted = false;
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// The PascalCase form of any name, which never begins with a digit; empty when nothing is left of it.
pub fn pascal(name: &str) -> String {
    let joined: String = words(name)
        .iter()
        .map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_ascii_uppercase() + rest
        })
        .collect();
    if joined.starts_with(|c: char| c.is_ascii_digit()) { format!("T{joined}") } else { joined }
}

/// A source's name from any text, none of those already taken.
pub fn source_name(text: &str, taken: &HashSet<String>) -> String {
    const LONGEST: usize = 64;
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || name.trim_end_matches('-').len() < 2 {
        name = format!("server-{name}");
    }
    // Room is left for a number.
    name.truncate(LONGEST - 6);
    let name = name.trim_end_matches('-').to_owned();
    if !taken.contains(&name) {
        return name;
    }
    let free = (2..).map(|number: usize| format!("{name}-{number}")).find(|each| !taken.contains(each));
    free.unwrap_or(name)
}

/// A small number that is the same for the same text, everywhere and always (FNV-1a).
pub(crate) fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests;
