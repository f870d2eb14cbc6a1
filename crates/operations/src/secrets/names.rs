//! Names that mean a credential: a table of words, and how each counts in the places where names are judged.
//!
//! A name and its place in; whether its value is taken for a credential out. However a name is written, `api_key`, `apiKey`
//! and `X-API-KEY` are the same.

use crate::naming::words;
use std::cell::LazyCell;
use std::sync::LazyLock;

/// Where a name stands. Each is a column of the table, with the reason why it differs from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamePlace {
    /// A parameter in a file. A hit refuses the file, so that only whole names count which mean nothing else: `page_token`
    /// and `auth=basic` belong to ordinary APIs.
    Parameter,
    /// A constant header in a file. A hit refuses it too, but headers have longer names: the last word tells. A key alone
    /// does not: an `Idempotency-Key` is no credential.
    Header,
    /// A variable or a flag of a program in a file. There a key is a credential, as in `MAPS_KEY`.
    Variable,
    /// A variable of a server that runs. Nothing is refused, its value is only hidden: parts of words are enough.
    Setting,
    /// In the query of an address. The same, and what flows of authorization put there, such as `code`.
    Address,
    /// A key before a value in a text that somebody reads to find an error. Words of many meanings stay: without `key`,
    /// `code` and `session` few errors could be understood.
    Text,
}

/// How much of a name a word has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Never,
    Whole,
    Last,
    /// Any of its words, also in the plural.
    Word,
    /// Letters that stand together: short words come about between two others, as in `APP_ASSETS`.
    InWord,
    /// Letters anywhere, whatever stands between them.
    Part,
}
use Fit::{InWord, Last, Never, Part, Whole, Word};

/// Words that mean nothing but a credential.
const CERTAIN: [Fit; 6] = [Whole, Part, Part, Part, Part, Part];

#[rustfmt::skip]
const TABLE: &[(&str, [Fit; 6])] = &[
    // In the order of `NamePlace`: Parameter, Header, Variable, Setting, Address, Text.
    ("access key", CERTAIN), ("access token", CERTAIN), ("api key", CERTAIN), ("api token", CERTAIN), ("app key", CERTAIN),
    ("auth key", CERTAIN), ("auth token", CERTAIN), ("authorization", CERTAIN), ("bearer token", CERTAIN),
    ("client secret", CERTAIN), ("credential", CERTAIN), ("credentials", CERTAIN), ("functions key", CERTAIN),
    ("license key", CERTAIN), ("master key", CERTAIN), ("passphrase", CERTAIN), ("passwd", CERTAIN), ("password", CERTAIN),
    ("private key", CERTAIN), ("refresh token", CERTAIN), ("secret", CERTAIN), ("secret key", CERTAIN),
    ("service key", CERTAIN), ("subscription key", CERTAIN),
    ("token",     [Whole, Last,  InWord, InWord, InWord, InWord]),
    ("jwt",       [Whole, Last,  Word,   InWord, InWord, InWord]),
    ("pwd",       [Whole, Last,  Last,   InWord, InWord, InWord]),
    ("cookie",    [Whole, Last,  Last,   Part,   Part,   Part]),
    ("auth",      [Never, Last,  Word,   InWord, InWord, Never]),
    ("key",       [Never, Never, Word,   InWord, InWord, Never]),
    ("pat",       [Never, Never, Word,   Word,   Word,   Never]),
    ("pass",      [Never, Never, Last,   InWord, InWord, Last]),
    ("private",   [Never, Never, Never,  Part,   Part,   Never]),
    ("session",   [Never, Never, Never,  Part,   Part,   Never]),
    ("signature", [Never, Never, Never,  Part,   Part,   Part]),
    ("sig",       [Never, Never, Never,  Word,   InWord, Last]),
    ("code",      [Never, Never, Never,  Never,  InWord, Never]),
];

/// The table without spaces.
static LETTERS: LazyLock<Vec<(String, [Fit; 6])>> =
    LazyLock::new(|| TABLE.iter().map(|(row, fits)| (row.replace(' ', ""), *fits)).collect());

/// Names that the table would take for credentials.
const EXCEPTIONS: [(NamePlace, &str); 2] = [
    // A constant that turns a check off.
    (NamePlace::Header, "xatlassiantoken"),
    // The working directory.
    (NamePlace::Variable, "pwd"),
];

/// Headers in which HTTP itself carries credentials or a session.
const SESSION_HEADERS: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "set-cookie"];

/// Headers that hold no secret and whose values are common in data.
const PLAIN_HEADERS: [&str; 4] = ["accept", "accept-language", "content-type", "user-agent"];

/// The longest version of an API, such as `2024-06-20.acacia`.
const LONGEST_VERSION: usize = 32;

/// Ends of the names of variables whose values are no secrets, though a file only refers to them.
const PLAIN_SETTINGS: [&str; 14] = [
    "env", "level", "mode", "region", "lang", "locale", "version", "host", "port", "format", "name", "user",
    "owner", "project",
];

/// True when what has this name in this place is taken for a credential.
pub fn is_secret(name: &str, place: NamePlace) -> bool {
    let words = LazyCell::new(|| words(name));
    // Authors are no secret, authorizations are.
    let mut spelled = name.to_ascii_lowercase();
    if spelled.contains("author") {
        spelled = spelled.replace("authori", "auth-i").replace("author", "").replace("auth-i", "authori");
    }
    let letters: String = spelled.chars().filter(char::is_ascii_alphanumeric).collect();
    if EXCEPTIONS.contains(&(place, &letters)) {
        return false;
    }
    LETTERS.iter().any(|(row, fits)| match fits[place as usize] {
        Never => false,
        Whole => letters == *row,
        Last => words.last() == Some(row),
        Word => words.iter().any(|word| word == row || word.strip_suffix('s') == Some(row)),
        InWord => spelled.contains(row),
        Part => letters.contains(row),
    })
}

/// A pattern for names that hold a secret in this place; where part of a name is enough, `rest` is what may follow it.
pub(super) fn pattern(place: NamePlace, rest: &str) -> String {
    let alternatives = |is_wanted: fn(Fit) -> bool| {
        let rows = TABLE.iter().filter(|(_, fits)| is_wanted(fits[place as usize]));
        rows.map(|(row, _)| row.replace(' ', "[_-]?")).collect::<Vec<_>>().join("|")
    };
    let (parts, last) = (alternatives(|fit| matches!(fit, InWord | Part)), alternatives(|fit| fit == Last));
    format!(r"\b(?:[\w-]*(?:{parts}){rest}|(?:[\w-]*[_-])?(?:{last}))")
}

/// True when HTTP itself carries credentials or a session in the header.
pub fn carries_session(header: &str) -> bool {
    SESSION_HEADERS.iter().any(|each| header.eq_ignore_ascii_case(each))
}

/// True for a header that says nothing secret: what is accepted, who asks, or which version is meant.
pub fn is_plain_header(header: &str, value: &str) -> bool {
    let is_version = || {
        value.len() <= LONGEST_VERSION
            && value.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit())
            && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(&b))
    };
    PLAIN_HEADERS.iter().any(|each| header.eq_ignore_ascii_case(each))
        || words(header).last().is_some_and(|last| last == "version") && is_version()
}

/// True for the name of a variable whose value is the word of a setting.
pub fn is_plain_setting(name: &str) -> bool {
    PLAIN_SETTINGS.iter().any(|end| name.to_ascii_lowercase().ends_with(end))
}

#[cfg(test)]
mod tests;
