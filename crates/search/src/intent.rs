//! What kind of operation a request asks for.
//!
//! The words of a request in; how much it asks to list, get, create, update, delete or act out.

use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

use crate::concepts::Concepts;
use crate::index::SearchIndex;
use crate::query::{Query, QueryToken, is_stop_word};
use crate::term::{Term, TermSet};
use crate::text::stem;
use crate::verbs::{self, OperationClass, Verbs, Votes};
use crate::wordlists::{DETERMINERS, QUESTION_FIRST, VERB_PREDECESSORS};

/// What a verb at the beginning counts, and one inside a phrase that the lexicon knows.
const FIRST: f32 = 2.0;
const INSIDE: f32 = 0.3;

/// What the number of a noun counts.
const NUMBER: f32 = 0.3;

/// What counts against reading where a request says only what to do, and against deleting where nothing is to go.
const AGAINST: f32 = 0.4;

/// Requests of at most so many words that name no verb ask for lists, a little.
const SHORT: usize = 6;
const SHORT_VOTES: Votes = [0.8, 0.5, 0.1, 0.0, 0.0, 0.2];
const SHORT_WEIGHT: f32 = 0.6;
const SHORT_PLURAL: f32 = 0.8;

static CREATE: LazyLock<Term> = LazyLock::new(|| Term::of(&stem("create")));
static BEFORE_NOUN: LazyLock<HashSet<&str>> = LazyLock::new(|| DETERMINERS.split(' ').collect());
static BEFORE_VERB: LazyLock<HashSet<&str>> = LazyLock::new(|| VERB_PREDECESSORS.split(' ').collect());
static IN_QUESTION: LazyLock<HashSet<&str>> = LazyLock::new(|| QUESTION_FIRST.split(' ').collect());
/// What stands between a first word that is as often a noun and what it is done to.
const BEFORE_OBJECT: [&str; 2] = ["on", "to"];
static NO_MORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(no longer|any ?more|shouldn't|should not|never|nobody|mustn't|must not)\b")
        .expect("the patterns are tested")
});
static WISH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(should|must|needs?|wants?|have to|has to|let)\b").expect("the patterns are tested")
});

/// For each class, how well an operation of that class serves the request: up to 1, and less than 0 for the opposite.
pub fn served(query: &Query, concepts: &Concepts<'_>, index: &SearchIndex) -> Votes {
    let IntentVotes { votes, has_verb, reads } = count_votes(query, concepts, index);
    let sum: f32 = votes.iter().sum();
    // What is excluded does not make a request long: "the branches, not the tags of the repository".
    let words = query.tokens.iter().filter(|token| token.weight > 0.0).count();
    if !has_verb && words <= SHORT {
        // Nouns alone, in the plural or not, are to be seen, and never to go.
        let is_of_several = votes[OperationClass::List as usize] > 0.0;
        let weight = if is_of_several { SHORT_PLURAL } else { SHORT_WEIGHT };
        let short = SHORT_VOTES.map(|vote| vote * weight);
        let mut served = verbs::served(&std::array::from_fn(|class| short[class] + votes[class]));
        served[OperationClass::Delete as usize] -= AGAINST * SHORT_WEIGHT;
        return served;
    }
    if sum > 0.0 {
        let most = votes.iter().copied().fold(f32::MIN, f32::max);
        let mut served = verbs::served(&votes.map(|vote| vote / most)).map(|vote| vote * sum.min(1.0));
        let delete = votes[OperationClass::Delete as usize];
        let mut against = |class: OperationClass| served[class as usize] -= AGAINST * sum.min(1.0);
        if !reads {
            [OperationClass::List, OperationClass::Get].into_iter().for_each(&mut against);
        }
        if delete <= 0.0 {
            against(OperationClass::Delete);
        }
        return served;
    }
    [0.0; 6]
}

/// What a request asks for.
struct IntentVotes {
    votes: Votes,
    /// Whether anything but the number of a noun says so.
    has_verb: bool,
    /// Whether something may be wanted to be read: a verb says so, or there may be several.
    reads: bool,
}

fn count_votes(query: &Query, concepts: &Concepts<'_>, index: &SearchIndex) -> IntentVotes {
    let verbs = Verbs::get();
    let mut votes = concepts.phrase_votes;
    let mut numbers: Votes = [0.0; 6];
    let mut add = |class: OperationClass, vote: f32| votes[class as usize] += vote;
    let (mut seen, mut has_plural) = (TermSet::default(), false);
    let tokens = &query.tokens;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.is_end()) {
        let word = token.word.as_str();
        let before = at.checked_sub(1).map_or("", |before| tokens[before].word.as_str());
        if at == 0 && IN_QUESTION.contains(word) {
            add(OperationClass::Get, 0.6);
            add(OperationClass::List, 0.4);
        }
        let after = tokens.get(at + 1).map_or("", |after| after.word.as_str());
        let stem = if is_making(word, after) { *CREATE } else { token.stem };
        if let Some(verb) = verbs.votes(stem)
            && token.weight > 0.0
            && !token.is_forbidden
            && is_verb_at(tokens, at)
        {
            let place = if before.is_empty() { FIRST } else { 1.0 };
            let covered = if concepts.covered[at] { INSIDE } else { 1.0 };
            for (class, vote) in CLASSES.iter().zip(verb) {
                add(*class, vote * token.weight * place * covered);
            }
        }
        if matches!(word, "all" | "every" | "each") {
            add(OperationClass::List, 0.7);
        }
        if is_stop_word(word) || !seen.insert(token.stem) {
            continue;
        }
        let is_noun = verbs.votes(token.stem).is_none()
            || verbs.is_noun(token.stem) && is_plural(word) && !is_verb_at(tokens, at);
        if index.is_name(token.stem) && is_noun {
            if is_plural(word) {
                numbers[OperationClass::List as usize] += NUMBER;
                has_plural = true;
            } else if matches!(before, "a" | "an" | "one" | "single" | "specific" | "given" | "this") {
                numbers[OperationClass::Get as usize] += NUMBER;
            }
        }
    }
    let lower = query.text.to_lowercase();
    let is_question = lower.contains('?');
    if is_question {
        add(OperationClass::List, 0.4);
        add(OperationClass::Get, 0.4);
    }
    if NO_MORE.is_match(&lower) {
        add(OperationClass::Delete, 0.5);
        add(OperationClass::Update, 0.3);
        add(OperationClass::Act, 0.3);
    }
    let (list, get) = (votes[0] + numbers[0], votes[1] + numbers[1]);
    if !is_question && list + get < 0.8 && WISH.is_match(&lower) {
        votes[2] += 0.25;
        votes[3] += 0.25;
        votes[5] += 0.25;
        votes[4] += 0.15;
    }
    let gets_first =
        tokens.first().and_then(|first| verbs.votes(first.stem)).is_some_and(|verb| verb[1] >= 0.6);
    if gets_first && !has_plural && get > 0.0 && list <= get * 1.01 {
        votes[0] *= 0.5;
        numbers[0] *= 0.5;
    }
    let has_verb = votes.iter().any(|vote| *vote != 0.0);
    let reads = votes[0] + votes[1] + numbers[0] > 0.0;
    IntentVotes { votes: std::array::from_fn(|class| votes[class] + numbers[class]), has_verb, reads }
}

const CLASSES: [OperationClass; 6] = [
    OperationClass::List,
    OperationClass::Get,
    OperationClass::Create,
    OperationClass::Update,
    OperationClass::Delete,
    OperationClass::Act,
];

/// "Make a coupon" creates it, where "make it public" changes it.
fn is_making(word: &str, after: &str) -> bool {
    word == "make" && matches!(after, "a" | "an" | "another" | "new" | "some" | "me" | "us")
}

/// Whether the word in this place can be a verb, and is one here: "comment" in "comment on an issue" and in "comment an issue",
/// and not in "list comment threads".
pub fn is_verb_at(tokens: &[QueryToken], at: usize) -> bool {
    let verbs = Verbs::get();
    let (word, stem) = (tokens[at].word.as_str(), tokens[at].stem);
    let before = at.checked_sub(1).map_or("", |before| tokens[before].word.as_str());
    let after = tokens.get(at + 1).map_or("", |after| after.word.as_str());
    let is_first = before.is_empty();
    let can_stand = !verbs.is_noun(stem) || is_first || BEFORE_VERB.contains(before);
    let is_bent = word.len() > 3 && (is_plural(word) || word.ends_with("ed") && !is_first);
    let has_object = BEFORE_NOUN.contains(after) || is_first && BEFORE_OBJECT.contains(&after);
    verbs.votes(stem).is_some() && can_stand && !is_bent && (!verbs.is_noun_first(stem) || has_object)
}

fn is_plural(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss")
}
