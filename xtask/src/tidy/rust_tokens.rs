//! The words and signs of a Rust file, and what it imports.
//!
//! In: a text. Out: its tokens without comments, strings and characters, each with its line; or every path that its `use`
//! declarations name, one for each leaf. The inside of macros is read like any other code.

use anyhow::Result;
use regex::Regex;

/// A word, `::`, or a sign of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RustToken<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// One leaf of a `use` declaration.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import<'a> {
    /// Its segments; the last is `*` for everything.
    pub path: Vec<&'a str>,
    pub is_renamed: bool,
    pub line: usize,
}

/// Takes Rust apart.
pub(super) struct Lexer(Regex);

impl Lexer {
    pub(super) fn new() -> Result<Lexer> {
        // Nothing inside of these is code.
        let skipped = [
            r"//[^\n]*",
            r"/\*.*?\*/",
            r###"[bc]?r##".*?"##"###,
            r##"[bc]?r#".*?"#"##,
            r#"[bc]?r"[^"]*""#,
            r#"[bc]?"(?:\\.|[^"\\])*""#,
            r"b?'(?:\\.[^']*|[^'\\])'",
            r"'\w+",
        ];
        Ok(Lexer(Regex::new(&format!(r"(?s){}|(\w+|::|\S)", skipped.join("|")))?))
    }

    /// The tokens of a text.
    pub(super) fn tokens<'a>(&self, text: &'a str) -> Vec<RustToken<'a>> {
        let (mut line, mut counted) = (1, 0);
        let mut tokens = Vec::new();
        for found in self.0.captures_iter(text).filter_map(|captures| captures.get(1)) {
            line += text[counted..found.start()].matches('\n').count();
            counted = found.start();
            tokens.push(RustToken { text: found.as_str(), line });
        }
        tokens
    }
}

/// Every path that is imported.
pub(super) fn imports<'a>(tokens: &[RustToken<'a>]) -> Vec<Import<'a>> {
    let mut found = Vec::new();
    let mut rest = tokens;
    while let Some(index) = rest.iter().position(|token| token.text == "use") {
        rest = &rest[index + 1..];
        // 'use<..>' in a type is no import.
        if rest.first().is_none_or(|next| next.text != "<") {
            rest = read_tree(rest, Vec::new(), &mut found);
        }
    }
    found
}

/// Reads one tree of paths behind a prefix; gives what comes after it.
fn read_tree<'t, 'a>(
    mut tokens: &'t [RustToken<'a>],
    mut path: Vec<&'a str>,
    found: &mut Vec<Import<'a>>,
) -> &'t [RustToken<'a>] {
    while let [token, rest @ ..] = tokens {
        tokens = rest;
        match token.text {
            "::" => {}
            "{" => {
                while let [next, rest @ ..] = tokens {
                    match next.text {
                        "}" => return rest,
                        "," => tokens = rest,
                        _ => tokens = read_tree(tokens, path.clone(), found),
                    }
                }
            }
            word => {
                path.push(word);
                if rest.first().is_none_or(|next| next.text != "::") {
                    let is_renamed = rest.first().is_some_and(|next| next.text == "as");
                    found.push(Import { path, is_renamed, line: token.line });
                    return &rest[if is_renamed { rest.len().min(2) } else { 0 }..];
                }
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests;
