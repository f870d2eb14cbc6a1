//! A command line in one text, split into its words as a shell would, without a shell.
//!
//! A text in, words out. Quotes hold words together; a backslash takes the meaning from a quote, a space or another
//! backslash, and stands for itself before anything else, as paths of Windows want it.

/// A quote that is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a {0} is not closed")]
pub struct OpenQuote(pub char);

/// The words of a command line.
pub(crate) fn split_words(line: &str) -> Result<Vec<String>, OpenQuote> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(c),
            (_, '\\') => {
                let is_escape = |next: &char| match quote {
                    Some(_) => matches!(next, '"' | '\\'),
                    None => matches!(next, '"' | '\'' | '\\' | ' '),
                };
                word.get_or_insert_default().push(rest.next_if(is_escape).unwrap_or('\\'));
            }
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                // An empty pair of quotes is a word too.
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(OpenQuote(open));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests;
