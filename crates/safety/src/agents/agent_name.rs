//! The name of an agent, and the key that blocks and executions hang on.
//!
//! A name as an agent gives it in; out, the name as it may be shown, and a key that is the same for every other way to write it:
//! another case, other spaces and separators or none, letters that look alike, invisible signs.

use super::folded_text::{FoldedText, is_unseen, words_of};

/// The longest name.
pub const LONGEST_NAME: usize = 128;

/// A name that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentName {
    shown: String,
    key: String,
}

/// Why a text is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadAgentName {
    /// No letter and no digit in it.
    #[error("a name needs a letter or a digit")]
    Empty,
    /// It is too long.
    #[error("a name has up to {LONGEST_NAME} characters")]
    TooLong,
    /// A sign in it is read as two things, so that one of two agents would be another one.
    #[error("a name cannot have '{0}', which is read in two ways")]
    Ambiguous(char),
}

impl AgentName {
    /// Checks a name.
    pub fn parse(text: &str) -> Result<AgentName, BadAgentName> {
        if text.chars().count() > LONGEST_NAME {
            return Err(BadAgentName::TooLong);
        }
        let visible = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
        let visible: String = visible.filter(|c| !is_unseen(*c)).collect();
        let shown = visible.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        if let Some(ambiguous) = shown.chars().find(|c| is_ambiguous(*c)) {
            return Err(BadAgentName::Ambiguous(ambiguous));
        }
        let key = key_of(&shown);
        if key.is_empty() {
            return Err(BadAgentName::Empty);
        }
        Ok(AgentName { shown, key })
    }

    /// As it may be shown.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The same for all spellings.
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Digits that look like letters become those letters, and so do pairs that look like one letter. Where words end makes no difference:
/// `release bot` and `releaseBot` are one name.
fn key_of(name: &str) -> String {
    // By the data of Unicode: what looks like two letters is the same one for everybody.
    let words = words_of(&FoldedText::by_unicode(name));
    let key: String = words.chars().filter(|c| *c != ' ').map(alike).collect();
    // A letter is taken apart first, so that three strokes are one key however they are written. The store has changed older keys by the same steps.
    key.replace('m', "rn").replace("rn", "m").replace('w', "vv").replace("vv", "w")
}

/// True for a stroke, which is a letter to one reader and a gap to the next, and for the long s, which is a small letter of one capital
/// and looks like another one.
fn is_ambiguous(c: char) -> bool {
    matches!(c, '|' | '\u{17f}')
}

fn alike(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | 'i' => 'l',
        c => c,
    }
}

#[cfg(test)]
mod tests;
