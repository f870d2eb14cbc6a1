//! The usual mistakes in TOML, in our own words: what was found, what was expected, and how to mend it.
//!
//! A text, the place where reading stopped and the parser's words in; a message with a hint out. The parser's words only tell which
//! mistake it is: none of them goes out, and what is not known here is told by what stands in the place.

use std::ops::Range;

/// Most characters of the text that are shown.
const MOST_SHOWN: usize = 40;

/// What is wrong, and what to write instead.
pub(super) struct TomlMistake {
    pub message: String,
    pub hint: String,
}

/// One kind of mistake: how the parser calls it, what it is, where `{}` is what was found, and what to write.
type KnownMistake = (&'static [&'static str], &'static str, &'static str);

const PAIR: &str = "a line is key = value, [table], or a comment that begins with #";

/// A key that has no value, as the parser calls it.
const NO_VALUE: &str = "key with no value";

const KNOWN: &[KnownMistake] = &[
    (
        &["string values must be quoted", "invalid boolean"],
        "A value is expected, found {}",
        "put text in quotes: key = \"text\"; without quotes there are numbers, dates, true and false, and lists of these with commas",
    ),
    (
        &["missing value"],
        "A value is expected, found {}",
        "write one behind the =, such as \"text\", 5, true or [\"a\", \"b\"]",
    ),
    (&["extra `=`"], "One = is expected, found another one", "write one = between a key and its value"),
    (
        &["duplicate key"],
        "A new key is expected, found {} a second time",
        "leave one of them out, or put both values into one list",
    ),
    (
        &["cannot extend value", "dotted key"],
        "A key with keys of its own is expected, found {}, which has a value already",
        "leave one of them out",
    ),
    (&[NO_VALUE, "missing assignment"], "A = is expected behind the key, found {}", PAIR),
    (
        &["invalid unquoted key", "unquoted keys cannot be empty", "keys cannot be multi-line"],
        "A key is expected, found {}",
        "a key has letters from a to z, digits, - and _; put another one in quotes: \"my key\" = 5",
    ),
    (
        &["missing key", "invalid inline table element"],
        "A key is expected, found {}",
        "write key = value between the braces, with commas between the pairs",
    ),
    (
        &["extra comma"],
        "An element is expected, found one comma too many",
        "write one comma between two elements, and none before the first",
    ),
    (
        &["missing comma", "extra assignment"],
        "A comma is expected before {}",
        "write a comma between two elements, and close a list with ] and a table with }",
    ),
    (
        &["unexpected `=` in array"],
        "An element of a list is expected, found a =",
        "elements of a list have no names; a table among them is { key = value }",
    ),
    (&["unclosed array table"], "Two brackets ]] are expected, found {}", "close the header: [[name]]"),
    (&["unclosed array", "missing array"], "A ] is expected, found {}", "close the list: [\"a\", \"b\"]"),
    (
        &["unclosed inline table", "missing inline table"],
        "A } is expected, found {}",
        "close the table: { key = \"text\" }",
    ),
    (&["unclosed table", "missing table"], "A ] is expected, found {}", "close the header: [name]"),
    (
        &["invalid basic string", "invalid literal string", "missing opening quote"],
        "The end of a text in quotes is expected, found {}",
        "close the quotes on the same line; a text over several lines stands between \"\"\" and \"\"\"",
    ),
    (
        &["invalid multi-line"],
        "The end of a text over several lines is expected, found {}",
        "close it with the three quotes that it began with",
    ),
    (
        &["missing escaped value", "too few unicode", "invalid escape"],
        "A sign that a backslash can stand before is expected, found {}",
        "write two backslashes for one, or put the text in single quotes: 'C:\\temp'",
    ),
    (
        &["invalid date", "invalid time", "invalid offset"],
        "A date or time is expected, found {}",
        "write it as 2026-11-20 or 2026-11-20T10:30:00Z, or put it in quotes as text",
    ),
    (
        &[
            "integers with a radix",
            "radix must be",
            "redundant",
            "unexpected leading zero",
            "unexpected sign",
            "`_` may only go",
            "invalid integer",
            "invalid float",
            "invalid fraction",
            "invalid exponent",
            "invalid hexadecimal",
            "invalid octal",
            "invalid binary",
        ],
        "A number is expected, found {}",
        "write it as 5, -5, 0.5 or 0xff, without zeros before it; put text, such as an address, in quotes",
    ),
    (
        &["unexpected key or value"],
        "The end of the line is expected, found {}",
        "write each key = value on a line of its own, and put text in quotes",
    ),
    (
        &["cannot recurse", "recursion limit"],
        "Fewer levels of lists and tables are expected",
        "use fewer levels",
    ),
    (
        &["invalid comment character", "unexpected content between comment"],
        "Text that can be printed is expected in a comment",
        "take the other characters out",
    ),
    (
        &["carriage return"],
        "The end of a line is expected, found a carriage return alone",
        "save the file with the line ends of Unix or Windows",
    ),
];

/// Says what is wrong with a text that the parser gave up on at this place.
pub(super) fn explain(text: &str, place: &Range<usize>, parser: &str) -> TomlMistake {
    let before = text.get(..place.start).unwrap_or_default();
    let line_before = before.rsplit('\n').next().unwrap_or_default().trim_end();
    // What begins as a text without any quotes is a key.
    let is_text =
        ["invalid basic string", "invalid literal string"].iter().any(|words| parser.starts_with(words));
    let parser = if is_text && !line_before.contains(['"', '\'']) { NO_VALUE } else { parser };
    let known = KNOWN.iter().find(|(words, ..)| words.iter().any(|words| parser.starts_with(words)));
    let (message, hint) = match known {
        Some(([NO_VALUE, ..], ..)) if line_before.ends_with(':') => {
            ("A = is expected behind the key, found ':'", "write key = value: this is TOML, not YAML")
        }
        Some((_, message, hint)) => (*message, *hint),
        None => ("A key, a table or a comment is expected, found {}", PAIR),
    };
    TomlMistake { message: message.replacen("{}", &found(text, place), 1), hint: hint.to_owned() }
}

/// What stands in the place, as it is shown: the words that are meant, whole, on one line.
fn found(text: &str, place: &Range<usize>) -> String {
    const APART: [char; 10] = [' ', '\t', ',', '[', ']', '{', '}', '=', '"', '\''];
    let (before, rest) = text.split_at_checked(place.start).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    if line.trim().is_empty() {
        return if rest.trim().is_empty() { "the end of the file" } else { "the end of the line" }.to_owned();
    }
    let begin = before.rfind(|c| c == '\n' || APART.contains(&c)).map_or(0, |apart| apart + 1);
    let meant = place.len().max(line.find(APART).unwrap_or(line.len())).min(line.len());
    let shown = match line.get(..meant) {
        Some(meant) if !meant.trim().is_empty() => {
            format!("{}{meant}", before.get(begin..).unwrap_or_default())
        }
        _ => line.trim_start().chars().take(1).collect(),
    };
    let shown: String = shown.trim().chars().filter(|c| !c.is_control()).take(MOST_SHOWN).collect();
    format!("'{shown}'")
}

#[cfg(test)]
mod tests;
