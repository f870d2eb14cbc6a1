//! References to variables in settings: `${VAR}`, `${env:VAR}` and `${VAR:-otherwise}`, read in one place.
//!
//! A text in; its literal parts and references, in order, out. Consent, redaction and expansion all read them here, so that no
//! variable is filled in that nobody was asked about.

/// One part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart<'t> {
    /// It stays as it is.
    Literal(&'t str),
    /// The value of a variable stands here.
    Variable {
        /// Its name.
        name: &'t str,
        /// What stands here where it is not set.
        default: Option<&'t str>,
    },
}

/// The parts of a text. What is no reference is literal: `${not a name}`, and `${` without an end.
pub fn parts(text: &str) -> impl Iterator<Item = TextPart<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (part, length) = match reference_at_start(rest) {
            Some(reference) => reference,
            None if rest.is_empty() => return None,
            None => {
                let end = start_of_next(rest);
                (TextPart::Literal(&rest[..end]), end)
            }
        };
        rest = &rest[length..];
        Some(part)
    })
}

/// Where the first reference begins in a text that does not begin with one, or where the text ends.
fn start_of_next(text: &str) -> usize {
    // Nothing that begins after the last `}` is a reference, so that many beginnings without an end cost nothing.
    let last_end = text.rfind('}').unwrap_or(0);
    let beginnings = text[..last_end].match_indices("${").map(|(at, _)| at);
    beginnings.into_iter().find(|at| reference_at_start(&text[*at..]).is_some()).unwrap_or(text.len())
}

/// The variables that a text refers to, each with what stands in its place where it is not set.
pub fn references(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    parts(text).filter_map(|part| match part {
        TextPart::Variable { name, default } => Some((name, default)),
        TextPart::Literal(_) => None,
    })
}

/// The reference that a text begins with, and its length.
fn reference_at_start(text: &str) -> Option<(TextPart<'_>, usize)> {
    let inside = text.strip_prefix("${")?;
    let inside = inside.strip_prefix("env:").unwrap_or(inside);
    let end_of_name = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, after) = inside.split_at(end_of_name);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (default, after) = match after.strip_prefix(":-") {
        Some(after) => after.split_once('}').map(|(default, after)| (Some(default), after))?,
        None => (None, after.strip_prefix('}')?),
    };
    Some((TextPart::Variable { name, default }, text.len() - after.len()))
}

#[cfg(test)]
mod tests;
