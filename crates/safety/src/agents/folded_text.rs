//! A text as it is compared: how it is written makes no difference to what it says.
//!
//! Text of an agent in; out, the same in small letters of one font, without marks and without invisible signs, look-alikes
//! replaced by what they look like. What looks like two characters has further readings. Comparing is done on words: whatever stands
//! between two of them is one space.

use super::look_alikes::{commonly_seen, seen, seen_by_unicode, small_seen};
use aqueduct_operations::sanitize::is_disguise;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A text in small letters, its signs kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldedText {
    /// As it was written.
    pub plain: String,
    /// The same with a space before the capitals inside words: `dropTable` is two of them.
    pub split: String,
    /// Something in it was not what it looked like.
    pub is_disguised: bool,
    /// The plain text as others read it who see another letter, or a digit, in what looks like several.
    pub otherwise: Vec<String>,
}

impl FoldedText {
    /// Folds a text.
    pub fn of(text: &str) -> FoldedText {
        let (cased, has_unseen) = cased(text);
        let plain = lower(&cased);
        let split = lower(&split_capitals(&cased));
        let is_disguised = has_unseen || !text.is_ascii() && mixes_scripts(text);
        let mut otherwise = Vec::new();
        if !text.is_ascii() {
            for read in [as_unicode_sees(text), text.to_lowercase()] {
                let read = lower(&self::cased(&read).0);
                if read != plain && !otherwise.contains(&read) {
                    otherwise.push(read);
                }
            }
        }
        FoldedText { plain, split, is_disguised, otherwise }
    }

    /// The text as Unicode's data alone reads it: the same for all who look alike by them.
    pub(super) fn by_unicode(text: &str) -> String {
        lower(&cased(&as_unicode_sees(text)).0)
    }
}

/// A text with its capitals; and whether something in it is not seen.
fn cased(text: &str) -> (String, bool) {
    let mut has_unseen = false;
    let mut cased = String::with_capacity(text.len());
    let mut fold = |c: char| {
        let letter = seen(c);
        if c.is_whitespace() {
            cased.push(if c == '\n' || c == '\r' { '\n' } else { ' ' });
        } else if is_combining_mark(c) && letter == c {
            // Accents are left out on both sides.
        } else if is_unseen(c) {
            has_unseen = true;
        } else {
            cased.push(letter);
        }
    };
    // Nothing of ASCII is normalised to anything else.
    if text.is_ascii() {
        text.chars().for_each(fold);
    } else {
        text.chars().map(commonly_seen).nfkd().for_each(&mut fold);
    }
    (cased, has_unseen)
}

fn as_unicode_sees(text: &str) -> String {
    let mut is_inside = false;
    let see = |c: char| {
        // Before a word it is a sign, and no one takes it for a letter.
        let read = if c == '¡' && !is_inside { c } else { seen_by_unicode(c) };
        is_inside = read.is_alphanumeric();
        read
    };
    text.chars().map(see).collect()
}

/// True for what stands in a text without being seen.
pub(super) fn is_unseen(c: char) -> bool {
    is_disguise(c)
        || matches!(
            c,
            '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200c}'
                | '\u{200d}'
                | '\u{3164}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fff8}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
        )
}

/// A word with letters of ASCII and letters that only look like some is written to be misread.
fn mixes_scripts(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && !seen(c).is_ascii_alphabetic()).any(|word| {
        let is_alike =
            |c: char| !c.is_ascii() && seen(c).is_ascii_alphabetic() && !is_latin(c) && !hangs_on_words(c);
        word.chars().any(|c| c.is_ascii_alphabetic()) && word.chars().any(is_alike)
            || word.chars().any(is_other_font)
    })
}

fn is_latin(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{24f}')
}

/// Hebrew and Arabic hang short words on Latin ones.
fn hangs_on_words(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}')
}

fn is_other_font(c: char) -> bool {
    matches!(c, '\u{1d400}'..='\u{1d7ff}' | '\u{ff21}'..='\u{ff5a}' | '\u{24b6}'..='\u{24e9}' | '\u{1f150}'..='\u{1f189}')
}

fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Some small letters look like others than their capitals.
    text.chars().flat_map(char::to_lowercase).filter(|c| !is_combining_mark(*c)).map(small_seen).collect()
}

/// `deleteAll` and `HTTPServer` are two words each.
fn split_capitals(text: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    let mut split = String::with_capacity(text.len() + 8);
    for (index, c) in all.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| all.get(index));
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || before.is_uppercase() && all.get(index + 1).is_some_and(|next| next.is_lowercase())
            });
        if begins {
            split.push(' ');
        }
        split.push(*c);
    }
    split
}

/// The words of a folded text, one space around each. Underscores, hyphens and all other signs only separate.
pub fn words_of(folded: &str) -> String {
    let mut words = String::with_capacity(folded.len() + 2);
    words.push(' ');
    for c in folded.chars() {
        if c.is_alphanumeric() {
            words.push(c);
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

/// The same with digits and signs that stand for letters replaced: `dr0p`, `de1ete`, `$udo`.
pub fn without_digits(folded: &str) -> String {
    let letter = |c: char| match c {
        '0' => 'o',
        '1' | '|' | '!' => 'l',
        'i' => 'l',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        c => c,
    };
    folded.chars().map(letter).collect()
}

/// Letters that stand alone, three or more in a row, read as the words that they spell: `d r o p`, `d.r.o.p`.
pub fn spelt_words(folded: &str) -> Vec<String> {
    let mut spelt = Vec::new();
    let mut word = String::new();
    let mut gap = 0;
    let characters: Vec<char> = folded.chars().collect();
    for (index, c) in characters.iter().enumerate() {
        if !c.is_alphanumeric() {
            gap += 1;
            continue;
        }
        let is_alone = |at: Option<usize>| {
            at.and_then(|at| characters.get(at)).is_none_or(|neighbour| !neighbour.is_alphanumeric())
        };
        let stands_alone = is_alone(index.checked_sub(1)) && is_alone(Some(index + 1));
        if !stands_alone || gap > 1 {
            finish(&mut word, &mut spelt);
        }
        if stands_alone {
            word.push(*c);
        }
        gap = 0;
    }
    finish(&mut word, &mut spelt);
    spelt
}

fn finish(word: &mut String, spelt: &mut Vec<String>) {
    let word = std::mem::take(word);
    if word.chars().count() > 2 {
        spelt.push(word);
    }
}

#[cfg(test)]
mod tests;
