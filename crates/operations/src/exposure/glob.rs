//! Patterns for operation names: every character stands for itself, `*` for any number of characters.
//!
//! A pattern and a name in, yes or no out. The work is bounded by the product of their lengths.

/// A pattern for names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob(String);

/// A pattern that could never match a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("only lower-case letters, digits, underscores, hyphens and '*' can stand in a pattern")]
pub struct BadGlob;

impl Glob {
    /// Checks a pattern.
    pub fn parse(text: &str) -> Result<Glob, BadGlob> {
        let is_known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-*".contains(&b);
        if text.is_empty() || !text.bytes().all(is_known) {
            return Err(BadGlob);
        }
        Ok(Glob(text.to_owned()))
    }

    /// A pattern for other texts, such as paths: nothing but `*` has a meaning in it.
    pub fn of_text(text: &str) -> Glob {
        Glob(text.to_owned())
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when the whole name fits.
    pub fn matches(&self, name: &str) -> bool {
        let (pattern, name) = (self.0.as_bytes(), name.as_bytes());
        let (mut in_pattern, mut in_name) = (0, 0);
        // Where to go on when a later piece does not fit: the last star takes one more character.
        let mut last_star: Option<(usize, usize)> = None;
        while in_name < name.len() {
            match pattern.get(in_pattern) {
                Some(b'*') => {
                    last_star = Some((in_pattern + 1, in_name));
                    in_pattern += 1;
                }
                Some(byte) if *byte == name[in_name] => {
                    in_pattern += 1;
                    in_name += 1;
                }
                _ => {
                    let Some((after_star, taken)) = last_star else { return false };
                    last_star = Some((after_star, taken + 1));
                    in_pattern = after_star;
                    in_name = taken + 1;
                }
            }
        }
        pattern[in_pattern..].iter().all(|byte| *byte == b'*')
    }
}

#[cfg(test)]
mod tests;
