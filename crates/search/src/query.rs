//! A request to weighed words.
//!
//! What a person or a model wrote in; its words with their stems out, each with how much it says: sentences that ask
//! nothing say less, what is excluded counts against, typing errors are corrected.

use regex::{Captures, Regex};
use std::collections::HashSet;
use std::sync::LazyLock;

use crate::index::SearchIndex;
use crate::intent::is_verb_at;
use crate::language;
use crate::term::Term;
use crate::text::{compose, each_word, stem};
use crate::typos::{Correction, Spellings};
use crate::undone::{forbidden, refers_back, says_what_to_do};
use crate::vectors::VectorTable;
use crate::verbs::Verbs;
use crate::wordlists::{CLASS_VERBS, DETERMINERS, STOP};

/// What a sentence weighs that asks for nothing, beside one that does.
const ASIDE: f32 = 0.35;

/// What an excluded word weighs.
const EXCLUDED: f32 = -0.3;

/// What a verb weighs of something that is not to be done while something else is: texts of the right operation may well speak of
/// it. One that an order forbids weighs nothing.
const CIRCUMSTANCE: f32 = 0.35;

/// What a corrected word weighs.
const CORRECTED: f32 = 0.8;

/// What the repository weighs that `owner/name` stands for, beside a thing that the request names.
const INSERTED: f32 = 0.4;
/// Stands for such a name until the words are weighed.
const REPOSITORY_NAME: &str = "namedrepository";

/// How much of a request is read: more says nothing more.
const CHARACTERS: usize = 4000;
const WORDS: usize = 200;

static STOP_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP.split(' ').collect());
static BEFORE_NOUN: LazyLock<HashSet<&str>> = LazyLock::new(|| DETERMINERS.split(' ').collect());
static CLASS_SPELLINGS: LazyLock<Spellings> =
    LazyLock::new(|| Spellings::of(CLASS_VERBS.split(' ').map(|verb| (verb, 1.0))));

/// Whether a word carries no meaning.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// A pattern that is a part of the program.
macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("the patterns are tested"));
    };
}

pattern!(
    CUE,
    r"(?i)\b(please|need|needs|want|wants|must|should|has to|have to|i'd like|would like|could you|can you|let|give me|show me|tell|how do|how can|go ahead)\b"
);
pattern!(ADDRESS, r"https?://\S+");
pattern!(SEVERAL, r"\b[A-Z]{2,}s\b");
pattern!(SLUG, r"\b[A-Za-z][\w.-]*/[A-Za-z][\w.-]+\b");
pattern!(SLUGS, r"\b[\w.-]+/[\w.-]*[\w]+\b");
pattern!(WITH_DIGIT, r"\b\w*\d\w*\b");
pattern!(
    EXCLUSION,
    r"(?:,|\bbut|\band|\()\s*not\b|\binstead of\b|\brather than\b|\bexcept\b|\bexcluding\b|\bbut keep\b|\bother than\b|\bapart from\b|\baside from\b|\bleaving out\b|\bwithout\s+(?:the|any|those)\b"
);

/// A word of a request.
#[derive(Debug, Clone)]
pub struct QueryToken {
    /// The word, corrected; empty where a sentence or a span ends.
    pub word: String,
    /// Its stem.
    pub stem: Term,
    /// How much it says; less than 0 for what is excluded.
    pub weight: f32,
    /// Whether it is not to be done, and so says nothing of what is.
    pub is_forbidden: bool,
}

impl QueryToken {
    /// Whether a span ends here.
    pub fn is_end(&self) -> bool {
        self.word.is_empty()
    }
}

/// A request, taken apart.
#[derive(Debug)]
pub struct Query {
    /// In English, without addresses and without what is not to be done.
    pub text: String,
    /// Whether it says what is not to be done.
    pub forbids: bool,
    /// Its words, and the ends of its spans.
    pub tokens: Vec<QueryToken>,
}

impl Query {
    /// Takes a request apart, with the words that an index knows.
    pub fn read(request: &str, index: &SearchIndex) -> Query {
        let request = crate::text::prefix(request, CHARACTERS);
        let english = language::translate(request);
        let text = compose(english.as_deref().unwrap_or(request)).replace('’', "'");
        // Names change from word to word within `PRs`; people mean several.
        let text = SEVERAL.replace_all(&text, |found: &Captures<'_>| found[0].to_lowercase());
        let text = without_names(&ADDRESS.replace_all(&text, " "), index);
        let sentences = sentences(&text);
        let parts: Vec<_> = sentences.iter().map(|sentence| forbidden(sentence)).collect();
        let forbids = parts.iter().any(|(_, forbidden)| !forbidden.is_empty());
        // Who only says what is not to be done says at least what it is about. What it is not to be done with counts little,
        // unless the rest means the same thing.
        let mut asked = parts.iter().flat_map(|(asked, _)| asked);
        let asks_besides = forbids && asked.clone().any(|part| says_what_to_do(part));
        let object = if asked.any(|part| refers_back(part)) { 1.0 } else { CIRCUMSTANCE };
        let asks: Vec<bool> = sentences.iter().map(|sentence| asks(sentence)).collect();
        let mut tokens = Vec::new();
        for (at, asks_itself) in asks.iter().enumerate() {
            let weight = if *asks_itself || !asks.contains(&true) { 1.0 } else { ASIDE };
            let (asked, forbidden) = &parts[at];
            let plain = |(span, sign)| (span, sign, false);
            let of_clause = forbidden.iter().flat_map(|clause| {
                let verb = if clause.is_order { 0.0 } else { CIRCUMSTANCE };
                [(clause.verb, verb, true), (clause.object, object, false)]
            });
            let spans: Vec<_> = match asks_besides {
                true => asked.iter().flat_map(|part| spans(part)).map(plain).chain(of_clause).collect(),
                false => spans(sentences[at]).into_iter().map(plain).collect(),
            };
            for (span, sign, is_forbidden) in spans {
                each_word(&WITH_DIGIT.replace_all(span, " "), |word| {
                    let stem = Term::of(&stem(word));
                    tokens.push(QueryToken {
                        word: word.to_owned(),
                        stem,
                        weight: weight * sign,
                        is_forbidden,
                    });
                });
                tokens.push(QueryToken {
                    word: String::new(),
                    stem: Term::of(""),
                    weight: 0.0,
                    is_forbidden: false,
                });
            }
        }
        tokens.truncate(WORDS);
        if let [first, next, ..] = tokens.as_mut_slice()
            && !next.is_end()
        {
            correct_verb(first, &next.word, index);
        }
        tokens.iter_mut().for_each(|token| correct(token, index));
        write_out_particle(&mut tokens, index);
        weigh_names(&mut tokens, index);
        let text = match asks_besides {
            true => parts.iter().flat_map(|(asked, _)| asked).copied().collect::<Vec<_>>().join(" "),
            false => text,
        };
        Query { text, forbids, tokens }
    }
}

/// `owner/name` is a repository where there are such things, and else says nothing.
fn without_names(text: &str, index: &SearchIndex) -> String {
    if !SLUG.is_match(text) || text.contains("CI/CD") {
        return text.to_owned();
    }
    let known = index.is_name(Term::of(&stem("repository")));
    let name = if known { format!(" {REPOSITORY_NAME} ") } else { " ".to_owned() };
    SLUGS.replace_all(text, name.as_str()).into_owned()
}

/// Writes out what names stand for: a repository, which says little where a request names another thing, because it is where that
/// is.
fn weigh_names(tokens: &mut [QueryToken], index: &SearchIndex) {
    let verbs = Verbs::get();
    let is_name_of = |token: &QueryToken| token.word == REPOSITORY_NAME;
    let is_thing = |token: &QueryToken| {
        !token.is_end()
            && !is_name_of(token)
            && !is_stop_word(&token.word)
            && (verbs.votes(token.stem).is_none() || verbs.is_noun(token.stem))
            && index.is_name(token.stem)
    };
    let names_a_thing = tokens.iter().any(is_thing);
    for token in tokens.iter_mut().filter(|token| is_name_of(token)) {
        token.word = "repository".to_owned();
        token.stem = Term::of(&stem(&token.word));
        token.weight *= if names_a_thing { INSERTED } else { 1.0 };
    }
}

/// A text cut after the marks that end sentences.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let (mut start, mut before) = (0, ' ');
    for (at, char) in text.char_indices() {
        if char.is_whitespace() && matches!(before, '.' | '!' | '?' | ';' | '。' | '！' | '？') {
            sentences.push(&text[start..at]);
            start = at;
        }
        before = char;
    }
    sentences.push(&text[start..]);
    sentences
}

/// Whether a sentence asks for something.
fn asks(sentence: &str) -> bool {
    let mut first = None;
    each_word(sentence, |word| {
        first.get_or_insert_with(|| Term::of(&stem(word)));
    });
    CUE.is_match(sentence) || first.is_some_and(|first| Verbs::get().votes(first).is_some())
}

/// The spans of a sentence, each with 1 or with the weight of what is excluded.
fn spans(sentence: &str) -> Vec<(&str, f32)> {
    let mut spans = Vec::new();
    for (position, part) in EXCLUSION.split(sentence).enumerate() {
        if position == 0 {
            spans.push((part, 1.0));
            continue;
        }
        match part.split_once([',', '.', ';', ')']) {
            Some((excluded, after)) => spans.extend([(excluded, EXCLUDED), (after, 1.0)]),
            None => spans.push((part, EXCLUDED)),
        }
    }
    spans
}

/// Writes out the verb that a request without one ends with in short: "branch protection off" is to be disabled. A particle that
/// ends a phrase, such as "single sign on", belongs to that.
fn write_out_particle(tokens: &mut [QueryToken], index: &SearchIndex) {
    let Some(last) = tokens.iter().rposition(|token| !token.is_end()) else { return };
    let verb = match tokens[last].word.as_str() {
        "on" => "enable",
        "off" => "disable",
        _ => return,
    };
    let stems: Vec<Term> = tokens[..=last].iter().map(|token| token.stem).collect();
    let ends_a_phrase = (0..last).any(|start| {
        Term::sequence(&stems[start..]).is_some_and(|phrase| index.lexicon.meanings(phrase).len() > 0)
    });
    if last > 0 && !ends_a_phrase && !(0..last).any(|at| is_verb_at(tokens, at)) {
        tokens[last].word = verb.to_owned();
        tokens[last].stem = Term::of(&stem(verb));
    }
}

/// Corrects a first word that is a word, but one that no operation has, and a slip of a verb: "crate an issue". Before a
/// determiner no noun stands, so that it does not count there what nouns mean.
fn correct_verb(token: &mut QueryToken, next: &str, index: &SearchIndex) {
    let lexicon = &index.lexicon;
    let is_known = index.is_in_use(token.stem)
        || is_stop_word(&token.word)
        || Verbs::get().votes(token.stem).is_some()
        || lexicon.meanings(token.stem).len() > 0 && !BEFORE_NOUN.contains(next);
    let found = CLASS_SPELLINGS.correct(&token.word).filter(|found| !is_known && found.edits() == 1);
    if let Some(correction) = found {
        token.word = correction.word.to_owned();
        token.stem = Term::of(&stem(correction.word));
        token.weight *= CORRECTED;
    }
}

/// Corrects an unknown word.
fn correct(token: &mut QueryToken, index: &SearchIndex) {
    let word = token.word.as_str();
    if word.len() < 3
        || word == REPOSITORY_NAME
        || !word.bytes().all(|byte| byte.is_ascii_lowercase())
        || is_stop_word(word)
    {
        return;
    }
    let lexicon = &index.lexicon;
    let is_known = index.is_in_use(token.stem)
        || VectorTable::get().is_common(word)
        || Verbs::get().votes(token.stem).is_some()
        || lexicon.meanings(token.stem).len() > 0
        || lexicon.spellings().contains(word);
    if is_known {
        return;
    }
    let found = Correction::better(index.spellings.correct(word), lexicon.spellings().correct(word));
    if let Some(correction) = found {
        token.word = correction.word.to_owned();
        token.stem = Term::of(&stem(correction.word));
        token.weight *= CORRECTED;
    }
}
