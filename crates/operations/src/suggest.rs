//! The nearest known words to one that is not known: for unknown keys, operations and parameters.
//!
//! A word and the known ones come in; a few of those go out, best first.

use std::cmp::Reverse;

/// Longer words are not compared: no name is so long, and the work grows with the square of the length.
const LONGEST_WORD: usize = 200;

/// Up to `most` candidates that resemble the word, best first; nothing when none does. A candidate's namespace may be
/// left out.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    if word.len() > LONGEST_WORD {
        return Vec::new();
    }
    let mut scored: Vec<(u32, &str)> = candidates
        .into_iter()
        .map(|candidate| {
            let bare = candidate.split_once("__").map_or(candidate, |(_, name)| name);
            (likeness(word, candidate).max(likeness(word, bare)), candidate)
        })
        .filter(|(score, _)| *score >= 550)
        .collect();
    scored.sort_by_key(|(score, candidate)| (Reverse(*score), *candidate));
    scored.truncate(most);
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The candidate that the word is a slip of: one letter in four, and one in a short word, may differ. For words that
/// must not be guessed, such as levels of trust and danger, where a likely word may say the opposite.
pub fn misspelt<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let word = word.to_lowercase();
    let most = (word.chars().count() / 4).max(1);
    let distance = |candidate: &str| strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
    let near = candidates.into_iter().map(|candidate| (distance(candidate), candidate));
    near.filter(|(distance, _)| *distance <= most).min().map(|(_, candidate)| candidate)
}

/// Likeness in thousandths. Sharing whole words counts as much as sharing letters, so that `delete_repository` finds
/// `delete_repo` and `repo_get` finds `get_repo`.
fn likeness(word: &str, candidate: &str) -> u32 {
    let (word, candidate) = (word.to_lowercase(), candidate.to_lowercase());
    let letters = strsim::jaro_winkler(&word, &candidate);
    let words = strsim::sorensen_dice(&sorted_words(&word), &sorted_words(&candidate));
    let edits = strsim::normalized_damerau_levenshtein(&word, &candidate);
    let blend = letters * 0.35 + words * 0.4 + edits * 0.25;
    (blend * 1000.0) as u32
}

fn sorted_words(text: &str) -> String {
    let mut words: Vec<&str> = text.split(['_', '-', '.', ' ']).collect();
    words.sort_unstable();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{misspelt, nearest};

    #[test]
    fn finds_typos_and_word_order() {
        let known = ["create_issue", "get_issue", "list_issues", "get_repo", "delete_repo", "star_repo"];
        assert_eq!(nearest("get_isue", known, 5)[0], "get_issue");
        assert_eq!(nearest("repo_get", known, 5)[0], "get_repo");
        assert_eq!(nearest("delete_repository", known, 5)[0], "delete_repo");
        assert!(nearest("xyzzy", known, 5).is_empty());
        assert_eq!(nearest("get_isue", ["github__get_issue", "github__add_x"], 5), ["github__get_issue"]);
    }

    #[test]
    fn a_slip_is_no_guess() {
        let levels = ["untested", "untrusted", "validated", "high", "reversible"];
        assert_eq!(misspelt("validate", levels), Some("validated"));
        assert_eq!(misspelt("Reversable", levels), Some("reversible"));
        assert_eq!(misspelt("trusted", levels), None, "the opposite is no slip");
        assert_eq!(misspelt("severe", levels), None);
    }

    #[test]
    fn a_word_too_long_to_be_a_name_is_like_nothing() {
        let long = "a".repeat(300);
        assert!(nearest(&long, [long.as_str()], 5).is_empty());
    }
}
