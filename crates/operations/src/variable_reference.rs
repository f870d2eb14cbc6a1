//! References to variables in settings: `${VAR}`, `${env:VAR}` and `${VAR:-otherwise}`, read in one place.
//!
//! A text in; its literal parts and references, in order, out. Checks of files, consent, redaction and expansion all read them
//! here, so that no variable is filled in that no person was asked about.

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
    /// It stays as it is, and other programs mean something by it: `${input:token}`, written as it stands.
    Foreign(&'t str),
}

/// A value that comes from a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableValue<'t> {
    /// The word before it, such as `Bearer `.
    pub prefix: &'t str,
    /// The name of the variable.
    pub name: &'t str,
    /// What stands here where it is not set.
    pub default: Option<&'t str>,
}

/// The longest word before a variable.
const MAX_PREFIX: usize = 10;

/// The variable that a text takes its value from: a reference alone, or after the word that goes before a token.
pub fn variable_value(text: &str) -> Option<VariableValue<'_>> {
    let mut parts = parts(text);
    let (prefix, last) = match parts.next()? {
        TextPart::Literal(prefix) => (prefix, parts.next()?),
        other => ("", other),
    };
    match last {
        TextPart::Variable { name, default } if prefix.len() <= MAX_PREFIX && parts.next().is_none() => {
            Some(VariableValue { prefix, name, default })
        }
        _ => None,
    }
}

/// The name in a text that is `${NAME}` and nothing else.
pub fn only_variable(text: &str) -> Option<&str> {
    let value = variable_value(text).filter(|value| value.prefix.is_empty() && value.default.is_none());
    value.map(|value| value.name)
}

/// True when a variable can have this name.
pub fn is_variable_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty() && text.chars().all(is_in_name)
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// True for a value that a client was to fill in and has passed on as it stands: it holds `${env:TOKEN}` or `${input:token}`.
pub fn is_unfilled(value: &str) -> bool {
    ["${env:", "${input:"].into_iter().any(|start| {
        value
            .match_indices(start)
            .any(|(at, _)| value[at + start.len()..].find('}').is_some_and(|end| end > 0))
    })
}

/// The same for a credential, which is also no reference alone, `${TOKEN}`: no API gave anyone such a one.
pub fn is_unfilled_credential(value: &str) -> bool {
    is_unfilled(value) || variable_value(value.trim()).is_some()
}

/// The parts of a text. What has no end is literal: `${` and all that follows.
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
        TextPart::Literal(_) | TextPart::Foreign(_) => None,
    })
}

/// The reference, or what looks like one, that a text begins with, and its length.
fn reference_at_start(text: &str) -> Option<(TextPart<'_>, usize)> {
    let whole = text.strip_prefix("${")?;
    let inside = whole.strip_prefix("env:").unwrap_or(whole);
    let (name, after) = inside.split_at(inside.find(|c: char| !is_in_name(c))?);
    if is_variable_name(name) {
        let end = match after.strip_prefix(":-") {
            Some(after) => after.split_once('}').map(|(default, after)| (Some(default), after)),
            None => after.strip_prefix('}').map(|after| (None, after)),
        };
        if let Some((default, after)) = end {
            return Some((TextPart::Variable { name, default }, text.len() - after.len()));
        }
    }
    let (other, after) = whole.split_once('}')?;
    let length = text.len() - after.len();
    (!other.is_empty() && !other.contains("${")).then_some((TextPart::Foreign(&text[..length]), length))
}

#[cfg(test)]
mod tests;
