//! The name of a document's source: its title where that is short, else the name of its file, else its host.
//!
//! A title and a place in, a legal source name out, the same for every run. Names stand before every operation, so that a long
//! one costs a model on every line.

use aqueduct_operations::naming::is_adapter_name;
use url::Url;

/// A title of so many words and characters is a name.
const WORDS: usize = 2;
const CHARACTERS: usize = 24;

/// Parts of file names that say what kind of file it is, not whose.
#[rustfmt::skip]
const NOISE: &[&str] = &[
    "openapi", "openapi3", "swagger", "swagger2", "oas", "oas3", "spec", "specification", "adapter", "json", "yaml", "yml", "api-docs",
    "docs", "schema", "bundle", "bundled", "index", "definition", "download", "raw", "public", "latest",
];

/// The name for a document with this title, from this path or URL.
pub(super) fn of(title: &str, place: &str) -> String {
    let is_short = title.split_whitespace().count() <= WORDS && title.chars().count() <= CHARACTERS;
    let by_title = || legal(title);
    let by_place = || {
        let url = Url::parse(place).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let path = url.as_ref().map_or(place, Url::path);
        let host = || legal(url.as_ref()?.host_str()?.trim_start_matches("www."));
        file_name(path).or_else(host)
    };
    let found = if is_short { by_title().or_else(by_place) } else { by_place().or_else(by_title) };
    found.unwrap_or_else(|| "api".to_owned())
}

/// The last part of a path without its ending and without what every such file is called.
fn file_name(path: &str) -> Option<String> {
    let last = path.trim_end_matches('/').rsplit(['/', '\\']).next()?;
    let ends = [".json", ".yaml", ".yml", ".md"];
    let stem = ends.iter().find_map(|end| last.strip_suffix(end)).unwrap_or(last);
    let name = legal(stem)?;
    let is_noise = |part: &&str| {
        let is_version = |text: &str| text.trim_start_matches('v').chars().all(|c| c.is_ascii_digit());
        NOISE.contains(part) || is_version(part)
    };
    // `api-docs` is one word, and `api` alone says as little.
    let parts: Vec<&str> = name.split('-').filter(|part| !is_noise(part)).collect();
    let says_something = parts.iter().any(|part| *part != "api" && *part != "rest");
    says_something.then(|| legal(&parts.join("-")))?
}

/// A legal source name from words: `GitHub's API v3` is `githubs-api-v3`. Nothing when no letter is left.
fn legal(words: &str) -> Option<String> {
    let mut name = String::new();
    for c in words.chars().filter(|c| !matches!(c, '\'' | '\u{2019}')) {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name = format!("api-{name}");
    }
    if name.len() > 64 {
        let cut = name[..64].rfind('-').unwrap_or(64);
        name.truncate(cut);
    }
    let name = name.trim_end_matches('-').to_owned();
    is_adapter_name(&name).then_some(name)
}

#[cfg(test)]
mod tests;
