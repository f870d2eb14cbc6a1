//! Named formats of strings. Dates, base64 and the other formats that can be recognised are checked; a name we do not
//! know is a hint for the reader only.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// A named format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// `2026-02-04`
    Date,
    /// `2026-02-04T10:30:00Z`, or with an offset.
    DateTime,
    /// A name, an `@`, a domain.
    Email,
    /// An absolute URI.
    Uri,
    /// 8-4-4-4-12 hexadecimal digits.
    Uuid,
    /// RFC 4648 base64 with padding.
    Base64,
    /// Anything else: shown, not checked.
    Other(String),
}

const CHECKED: &[(&str, Format)] = &[
    ("date", Format::Date),
    ("date-time", Format::DateTime),
    ("email", Format::Email),
    ("uri", Format::Uri),
    ("uuid", Format::Uuid),
    ("byte", Format::Base64),
    ("base64", Format::Base64),
];

impl Format {
    /// The names of the formats that are checked.
    pub const CHECKED_NAMES: [&'static str; 7] =
        ["date", "date-time", "email", "uri", "uuid", "byte", "base64"];

    /// The format with this name.
    pub fn parse(name: &str) -> Format {
        CHECKED
            .iter()
            .find(|(each, _)| *each == name)
            .map_or_else(|| Format::Other(name.to_owned()), |(_, format)| format.clone())
    }

    /// A text of this format, where one is known.
    pub fn sample(&self) -> Option<&'static str> {
        match self {
            Format::Date => Some("2026-01-31"),
            Format::DateTime => Some("2026-01-31T09:30:00Z"),
            Format::Email => Some("person@example.com"),
            Format::Uri => Some("https://example.com/"),
            Format::Uuid => Some("123e4567-e89b-12d3-a456-426614174000"),
            Format::Base64 => Some("ZXhhbXBsZQ=="),
            Format::Other(name) => match name.as_str() {
                "time" => Some("09:30:00Z"),
                "ipv4" => Some("192.0.2.1"),
                "ipv6" => Some("2001:db8::1"),
                "hostname" => Some("example.com"),
                "url" | "uri-reference" => Format::Uri.sample(),
                "binary" => Format::Base64.sample(),
                _ => None,
            },
        }
    }

    /// True when the text has the format.
    pub fn accepts(&self, text: &str) -> bool {
        match self {
            Format::Date => text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok(),
            Format::DateTime => {
                // The parser also reads forms that ISO 8601 does not have, such as a zone name in brackets.
                let plain = text.bytes().all(|b| b.is_ascii_digit() || b"T:.Z+-".contains(&b));
                plain && text.as_bytes().get(10) == Some(&b'T') && text.parse::<jiff::Timestamp>().is_ok()
            }
            Format::Email => is_email(text),
            // The parser drops white space and control characters before it looks.
            Format::Uri => !text.contains([' ', '\t', '\n', '\r']) && url::Url::parse(text).is_ok(),
            Format::Uuid => is_uuid(text),
            Format::Base64 => STANDARD.decode(text).is_ok(),
            Format::Other(_) => true,
        }
    }

    /// What to send, in words.
    pub fn expectation(&self) -> &'static str {
        match self {
            Format::Date => "an ISO 8601 date such as 2026-02-04",
            Format::DateTime => "an ISO 8601 date-time such as 2026-02-04T10:30:00Z",
            Format::Email => "an e-mail address",
            Format::Uri => "an absolute URI",
            Format::Uuid => "a UUID",
            Format::Base64 => "standard base64 with padding",
            Format::Other(_) => "text",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::Other(name) => f.write_str(name),
            known => f.write_str(CHECKED.iter().find(|(_, each)| each == known).map_or("", |(name, _)| name)),
        }
    }
}

fn is_email(text: &str) -> bool {
    !text.contains(char::is_whitespace)
        && text.rsplit_once('@').is_some_and(|(name, domain)| !name.is_empty() && !domain.is_empty())
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|g| g.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|g| g.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests;
