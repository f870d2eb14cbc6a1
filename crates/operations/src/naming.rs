//! The grammar of names: operations, parameters, adapters; the reserved words; camelCase aliases; namespaces.
//!
//! Text in, yes or no or the other spelling out. No name is accepted elsewhere by other rules (section 8.5).

/// Operation names that only this server may define, whether it does already or not (core specification, section 8.5.4).
/// `batch` is ours (ruling W6).
pub const RESERVED: &[&str] = &[
    "introspect",
    "execute_agent",
    "record_execution_step",
    "complete_execution",
    "abort_execution",
    "confirm_operation",
    "verify_challenge",
    "batch",
];

/// Longest operation name, before a namespace.
pub const MAX_OPERATION_NAME: usize = 64;

/// Request keys that belong to the envelope, so no parameter may be called so.
pub const ENVELOPE_KEYS: &[&str] = &["operation", "params"];

/// `^[a-z][a-z0-9_]*$`
pub fn is_snake_case(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_lowercase())
        && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// `^[a-z][a-z0-9-]*[a-z0-9]$`, 2 to 64 characters.
pub fn is_adapter_name(name: &str) -> bool {
    (2..=64).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// The characters that HTTP allows in the names of headers and cookies, and of schemes to authenticate.
pub fn is_http_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// The letters and digits of a name, in lower case: `pageSize`, `page_size` and `page[size]` are alike.
pub fn letters_of(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The snake_case form of a camelCase name: `itemId` is `item_id`.
pub fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut previous_is_word = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && previous_is_word {
            out.push('_');
        }
        previous_is_word = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// The words of a name: split at everything that is no letter or digit, and where the letter case says so.
/// `getPetByID` is get, pet, by, id; `HTTPServer` is http, server; `listURLs` is list, urls. Letters outside ASCII
/// separate.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut start = None;
    for (at, byte) in name.bytes().enumerate() {
        let goes_on = byte.is_ascii_alphanumeric();
        if let Some(from) = start.filter(|_| !goes_on || begins_word(name.as_bytes(), at)) {
            words.push(name[from..at].to_ascii_lowercase());
            start = None;
        }
        start = start.or(goes_on.then_some(at));
    }
    words.extend(start.map(|from| name[from..].to_ascii_lowercase()));
    words
}

/// True where the letter case begins a word within a run of letters and digits.
fn begins_word(name: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| name[before]).filter(|_| name[at].is_ascii_uppercase())
    else {
        return false;
    };
    let rest = &name[at + 1..];
    let is_last_capital = rest.first().is_some_and(u8::is_ascii_lowercase) && !is_plural(rest);
    before.is_ascii_lowercase() || before.is_ascii_digit() || (before.is_ascii_uppercase() && is_last_capital)
}

/// True when capitals are followed by the `s` of several, and not by a word: `URLs`, `IDs2`, `APIsByName`.
fn is_plural(rest: &[u8]) -> bool {
    rest.first() == Some(&b's') && !rest.get(1).is_some_and(u8::is_ascii_lowercase)
}

/// True for a name that promises a list (ruling W15).
pub fn is_list_name(name: &str) -> bool {
    ["list_", "search_", "query_"].iter().any(|start| name.starts_with(start))
}

/// The public name of an operation when the server has several sources (ruling N2).
pub fn namespaced(source: &str, operation: &str) -> String {
    format!("{}__{operation}", source.replace('-', "_"))
}

#[cfg(test)]
mod tests;
