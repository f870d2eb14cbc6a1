//! Entities such as `&lt;` as the characters they stand for. A text in, the same text with them decoded out.
//! Names that are not known stay as they are.

/// Entities by name; others stay as they are.
#[rustfmt::skip]
const NAMED: &[(&str, &str)] = &[
    ("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'"), ("nbsp", " "), ("mdash", "\u{2014}"),
    ("ndash", "\u{2013}"), ("hellip", "..."), ("rsquo", "'"), ("lsquo", "'"), ("ldquo", "\""), ("rdquo", "\""),
    ("copy", "\u{a9}"), ("reg", "\u{ae}"), ("trade", "\u{2122}"), ("times", "\u{d7}"), ("deg", "\u{b0}"),
    ("euro", "\u{20ac}"), ("pound", "\u{a3}"), ("sect", "\u{a7}"), ("bull", "-"), ("middot", "\u{b7}"),
    ("le", "\u{2264}"), ("ge", "\u{2265}"), ("ne", "\u{2260}"), ("rarr", "->"), ("larr", "<-"),
];
/// No entity is longer.
const LONGEST: usize = 10;

pub(super) fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.bytes().take(LONGEST).position(|byte| byte == b';');
        match end.and_then(|end| Some((character(&rest[1..end])?, end))) {
            Some((text, end)) => {
                out.push_str(&text);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn character(name: &str) -> Option<String> {
    if let Some((_, text)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some((*text).to_owned());
    }
    let number = name.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|c| !c.is_control()).map(|c| c.to_string())
}
