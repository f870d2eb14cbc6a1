//! Bytes of a body to text: bytes and a content type come in, text without a byte order mark goes out, or the broken text.
//!
//! Also says which content types are text and which are JSON (runtime specification, section 7.3).

use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;

/// Subtypes of `application` that are text.
const TEXT_SUBTYPES: [&str; 11] = [
    "xml",
    "javascript",
    "x-javascript",
    "ecmascript",
    "yaml",
    "x-yaml",
    "toml",
    "graphql",
    "sql",
    "csv",
    "jwt",
];

/// True when the content type is one of text, or there is none.
pub(crate) fn is_text(content_type: &str) -> bool {
    let kind = essence(content_type);
    let Some((main, sub)) = kind.split_once('/') else { return true };
    match main {
        "text" | "message" => true,
        "application" => {
            sub.contains("json")
                || ["+xml", "+yaml", "+text"].iter().any(|suffix| sub.ends_with(suffix))
                || sub == "x-www-form-urlencoded"
                || TEXT_SUBTYPES.contains(&sub)
        }
        "image" => sub == "svg+xml",
        _ => false,
    }
}

/// True when the content type is one JSON value, not lines of them.
pub(crate) fn is_json(content_type: &str) -> bool {
    let kind = essence(content_type);
    let sub = kind.split_once('/').map_or("", |(_, sub)| sub);
    sub.ends_with("+json") || matches!(sub, "json" | "x-json")
}

/// True for a web page.
pub(crate) fn is_html(content_type: &str) -> bool {
    content_type.to_ascii_lowercase().contains("text/html")
}

/// The words of a web page, without its tags, scripts and styles; nothing when it has none.
pub(crate) fn words_of_page(page: &str) -> Option<String> {
    /// Bytes of a page that are looked at.
    const LOOKED_AT: usize = 64 * 1024;
    let end = (0..=page.len().min(LOOKED_AT)).rev().find(|end| page.is_char_boundary(*end)).unwrap_or(0);
    let (mut rest, mut text) = (&page[..end], String::new());
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        let name: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect();
        let hidden = ["script", "style"].into_iter().find(|each| name.eq_ignore_ascii_case(each));
        let close = hidden.and_then(|name| find_ignoring_case(tag, &format!("</{name}")));
        let from = close.unwrap_or(0);
        rest = match (hidden, close) {
            (Some(_), None) => "",
            _ => tag[from..].split_once('>').map_or("", |(_, behind)| behind),
        };
    }
    text.push_str(rest);
    for (entity, character) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
    {
        text = text.replace(entity, character);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    // A tag in a sentence leaves space before its period.
    let words = words.join(" ").replace(" .", ".").replace(" ,", ",");
    (!words.is_empty()).then_some(words)
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Decodes by the charset of the content type, without a byte order mark; broken text comes back as the error, with
/// replacement characters. UTF-8 is not copied.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: &str) -> Result<Cow<'a, str>, Cow<'a, str>> {
    let charset = charset(content_type).and_then(|label| Encoding::for_label(label.as_bytes()));
    let (text, _, is_broken) = charset.unwrap_or(UTF_8).decode(bytes);
    if is_broken { Err(text) } else { Ok(text) }
}

/// The media type alone, in lower case.
pub(crate) fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn charset(content_type: &str) -> Option<&str> {
    let parameters = content_type.split(';').skip(1);
    let pairs = parameters.filter_map(|parameter| parameter.split_once('='));
    let found = pairs.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    found.map(|(_, value)| value.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests;
