//! Requests in other languages.
//!
//! A request in; the same in English words out, verb first, if it is in one of the languages of `data/languages.txt`.
//! Only words that APIs are about are known there: this is a dictionary of a hundred words and no translator.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::text::{compose, fold};
use crate::texts;
use crate::vectors::VectorTable;
use crate::wordlists::{ENGLISH_FUNCTION, FUNCTION_WORDS, LANGUAGES};

/// Small words of other languages that are English too.
const SHARED: &str = "a an in on me is no or to of was do as die per i";

/// Verbs that are brought to the front.
const VERBS: &str = "create add delete list get update search send cancel invite merge close";

/// How many letters a word may have after the entry that it begins with.
const ENDING: usize = 5;

static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(|| Dictionary::read(&texts::languages()));

/// A request in English words; nothing when it is English already.
pub fn translate(request: &str) -> Option<String> {
    DICTIONARY.translate(request)
}

#[derive(Default)]
struct Dictionary {
    languages: Vec<Language>,
    /// Chinese, Japanese and Korean together.
    ideographs: HashMap<Vec<char>, Vec<String>>,
    longest: usize,
    english: HashSet<&'static str>,
    verbs: HashSet<&'static str>,
}

#[derive(Default)]
struct Language {
    code: &'static str,
    small_words: HashSet<&'static str>,
    small_folded: HashSet<String>,
    /// Beginnings of words, without accents.
    words: HashMap<String, Vec<String>>,
    /// Several words, without accents, the longest first.
    phrases: Vec<(String, String)>,
}

impl Dictionary {
    fn read(text: &str) -> Dictionary {
        let mut languages: Vec<Language> = LANGUAGES.iter().map(|code| Language::new(code)).collect();
        let mut ideographs: HashMap<Vec<char>, Vec<String>> = HashMap::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut columns = line.split(';');
            let english = columns.next().unwrap_or_default();
            for (language, column) in languages.iter_mut().zip(columns) {
                for entry in column.split(',').map(|entry| entry.trim().to_lowercase()) {
                    if entry.is_empty() {
                        continue;
                    }
                    if entry.chars().any(is_ideograph) {
                        ideographs.entry(entry.chars().collect()).or_default().push(english.to_owned());
                    } else if entry.contains(' ') {
                        language.phrases.push((fold(&entry), english.to_owned()));
                    } else {
                        language.words.entry(fold(&entry)).or_default().push(english.to_owned());
                    }
                }
            }
        }
        for language in &mut languages {
            language.phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.chars().count()));
        }
        let longest = ideographs.keys().map(Vec::len).max().unwrap_or_default();
        let (english, verbs) = (ENGLISH_FUNCTION.split(' ').collect(), VERBS.split(' ').collect());
        Dictionary { languages, ideographs, longest, english, verbs }
    }

    fn translate(&self, request: &str) -> Option<String> {
        if request.chars().any(is_ideograph) {
            return Some(self.ideographs_to_english(request));
        }
        let language = self.language(request)?;
        let mut words = language.english(request);
        let verbs: Vec<&String> = words.iter().filter(|word| self.verbs.contains(word.as_str())).collect();
        if let Some(verb) = verbs.last()
            && !self.verbs.contains(words[0].as_str())
        {
            let verb = (*verb).clone();
            words.retain(|word| !self.verbs.contains(word.as_str()));
            words.insert(0, verb);
        }
        Some(words.join(" "))
    }

    /// The language of a request in letters; nothing for English.
    fn language(&self, request: &str) -> Option<&Language> {
        if request.chars().any(|char| ('\u{400}'..='\u{4ff}').contains(&char)) {
            return self.languages.iter().find(|language| language.code == "ru");
        }
        let lower = request.to_lowercase();
        let words: Vec<&str> =
            lower.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty()).collect();
        let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
        let english = words.iter().filter(|word| self.english.contains(**word)).count() as f32;
        let is_english = |word: &str| self.english.contains(word) || VectorTable::get().is_common(word);
        let pairs = words.iter().zip(&folded);
        let foreign: Vec<&String> =
            pairs.filter(|(word, _)| !is_english(word)).map(|(_, folded)| folded).collect();
        let accents = if request.is_ascii() { 0.0 } else { 0.5 };
        let score = |language: &Language| {
            let small = words.iter().filter(|word| language.small_words.contains(**word)).count() as f32;
            let known = foreign.iter().filter(|word| language.find(word).is_some());
            small + 0.7 * known.count() as f32 + accents
        };
        let mut best: Option<(&Language, f32)> = None;
        for language in self.languages.iter().filter(|language| !language.small_words.is_empty()) {
            let score = score(language);
            if best.is_none_or(|(_, best)| score > best) {
                best = Some((language, score));
            }
        }
        best.filter(|(_, score)| *score >= 1.2 && *score > english + 0.5).map(|(language, _)| language)
    }

    /// Cuts a text without spaces into the longest entries.
    fn ideographs_to_english(&self, request: &str) -> String {
        let chars: Vec<char> = compose(request).to_lowercase().chars().collect();
        let mut words: Vec<String> = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            if is_ideograph(chars[at]) {
                let lengths = (1..=self.longest.min(chars.len() - at)).rev();
                let entry = lengths
                    .filter_map(|length| Some((length, self.ideographs.get(&chars[at..at + length])?)))
                    .next();
                if let Some((_, english)) = entry {
                    let mut new: Vec<&String> = Vec::new();
                    for word in english {
                        if !words.contains(word) && !new.contains(&word) && new.len() < 2 {
                            new.push(word);
                        }
                    }
                    words.extend(new.into_iter().cloned());
                }
                at += entry.map_or(1, |(length, _)| length);
                continue;
            }
            let run = chars[at..].iter().take_while(|char| is_latin(**char)).count();
            if run > 0 {
                words.push(chars[at..at + run].iter().collect());
            }
            at += run.max(1);
        }
        // The verb stands last in Japanese and Korean.
        let is_verb = |word: &String| {
            self.verbs.contains(word.as_str()) && !["invite", "merge", "close"].contains(&word.as_str())
        };
        let verbs: Vec<String> = words.iter().filter(|word| is_verb(word)).cloned().collect();
        if let [.., before, last] = verbs.as_slice() {
            let verb = if last == "get" { before.clone() } else { last.clone() };
            words.retain(|word| !verbs.contains(word));
            words.insert(0, verb);
        } else if let [verb] = verbs.as_slice() {
            words.retain(|word| word != verb);
            words.insert(0, verb.clone());
        }
        words.join(" ")
    }
}

impl Language {
    fn new(code: &'static str) -> Language {
        let shared: HashSet<&str> = SHARED.split(' ').collect();
        let small = FUNCTION_WORDS.iter().filter(|(language, _)| *language == code);
        let small: Vec<&str> = small.flat_map(|(_, words)| words.split(' ')).collect();
        Language {
            code,
            small_folded: small.iter().map(|word| fold(word)).collect(),
            small_words: small.into_iter().filter(|word| !shared.contains(word)).collect(),
            ..Language::default()
        }
    }

    /// The entry that a word without accents is, or begins with.
    fn find(&self, word: &str) -> Option<&Vec<String>> {
        let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect::<Vec<usize>>();
        let length = ends.len() - 1;
        let shortest = length.saturating_sub(ENDING).max(3);
        (shortest..=length)
            .rev()
            .filter(|kept| *kept == length || *kept >= 4)
            .find_map(|kept| self.words.get(&word[..ends[kept]]))
    }

    fn english(&self, request: &str) -> Vec<String> {
        let mut text = fold(&request.to_lowercase());
        let mut words = Vec::new();
        for (phrase, english) in &self.phrases {
            text = replace_phrase(&text, phrase, &english.replace(' ', "\u{2}"));
        }
        let is_word = |char: char| char.is_alphanumeric() || "_\u{1}\u{2}-".contains(char);
        for word in text.split(|char: char| !is_word(char)).filter(|word| !word.is_empty()) {
            if let Some(english) = word.strip_prefix('\u{1}') {
                words.push(english.replace('\u{2}', " "));
                continue;
            }
            let parts: Vec<&str> =
                if self.find(word).is_some() { vec![word] } else { word.split('-').collect() };
            for part in parts.into_iter().filter(|part| !self.small_folded.contains(*part)) {
                match self.find(part) {
                    Some(english) => words.extend(english.iter().take(2).cloned()),
                    None => words.push(part.to_owned()),
                }
            }
        }
        words
    }
}

/// Puts a marked word in the place of a phrase, with the ending of its last word.
fn replace_phrase(text: &str, phrase: &str, english: &str) -> String {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(phrase) {
        let begins = !rest[..at].ends_with(is_word) && (at > 0 || !replaced.ends_with(is_word));
        let after = at + phrase.len();
        if begins {
            replaced.push_str(&rest[..at]);
            replaced.push_str(" \u{1}");
            replaced.push_str(english);
            replaced.push(' ');
            rest = rest[after..].trim_start_matches(is_word);
        } else {
            replaced.push_str(&rest[..after]);
            rest = &rest[after..];
        }
    }
    replaced + rest
}

fn is_ideograph(char: char) -> bool {
    matches!(char, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

fn is_latin(char: char) -> bool {
    char.is_ascii_alphanumeric() || "_-./@".contains(char)
}
