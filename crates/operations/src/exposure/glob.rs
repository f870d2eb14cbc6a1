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
mod tests {
    use super::{BadGlob, Glob};
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use regex::Regex;

    #[test]
    fn examples() {
        let matches = |pattern: &str, name: &str| Glob::parse(pattern).unwrap().matches(name);
        for (pattern, name) in [
            ("grant_*", "grant_access"),
            ("grant_*", "grant_"),
            ("*", "x"),
            ("*_access", "a_access_access"),
            ("a*b*c", "a1b2bc"),
            ("hub__get_*", "hub__get_repo"),
            ("introspect", "introspect"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("grant_*", "regrant_x"), ("grant", "grant_x"), ("a*b", "ab_"), ("*_access", "access")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn only_characters_of_names() {
        for bad in ["", "Grant_*", "a b", "a?", "[ab]", "é*", "a.b"] {
            assert_eq!(Glob::parse(bad), Err(BadGlob), "{bad}");
        }
        assert_eq!(Glob::parse("my-api__*").unwrap().as_str(), "my-api__*");
    }

    #[test]
    fn texts_of_any_kind() {
        assert!(Glob::of_text("/repos/*/issues").matches("/repos/{owner}/{repo}/issues"));
        assert!(Glob::of_text("*é?").matches("xé?"));
        assert!(!Glob::of_text("/repos/*").matches("/users"));
    }

    proptest! {
        /// The same answer as the pattern's regular expression, and a name always matches itself.
        #[test]
        fn agrees_with_a_regular_expression(pattern in "[ab_*]{1,8}", name in "[ab_]{0,10}") {
            let regex = Regex::new(&format!("^{}$", pattern.replace('*', ".*"))).unwrap();
            prop_assert_eq!(Glob::parse(&pattern).unwrap().matches(&name), regex.is_match(&name));
            prop_assert!(name.is_empty() || Glob::parse(&name).unwrap().matches(&name));
        }
    }
}
