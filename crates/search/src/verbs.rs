//! What verbs ask for, and what operations do: list, get, create, update, delete, or act otherwise.
//!
//! A stem in, the votes of that verb out; an operation's method, path and words in, its class out.

use std::sync::LazyLock;

use crate::document::SearchDocument;
use crate::term::{Term, TermMap, TermSet};
use crate::text::{stem, words};
use crate::wordlists::{GENERIC_VERBS, NOUN_VERBS, NOUNS_FIRST, VERBS};

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationClass {
    /// Gives several things.
    List,
    /// Gives one thing.
    Get,
    /// Makes a thing.
    Create,
    /// Changes a thing.
    Update,
    /// Takes a thing away.
    Delete,
    /// Anything else.
    Act,
}

/// Votes for each class, in the order of `OperationClass`.
pub type Votes = [f32; 6];

/// How near an asked class (row) is to that of an operation (column).
const NEARNESS: [Votes; 6] = [
    [1.0, 0.5, 0.0, 0.0, 0.0, 0.0],
    [0.5, 1.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.2, 0.0, 0.3],
    [0.0, 0.0, 0.2, 1.0, 0.0, 0.3],
    [0.0, 0.0, 0.0, 0.0, 1.0, 0.2],
    [0.0, 0.0, 0.5, 0.4, 0.2, 1.0],
];

/// For each class of an operation, how well it serves the votes: its own, or those of a near one.
pub fn served(votes: &Votes) -> Votes {
    let best = |class: usize| (0..6).map(|voted| votes[voted] * NEARNESS[voted][class]).fold(0.0, f32::max);
    std::array::from_fn(best)
}

/// The verbs that are known.
#[derive(Debug)]
pub struct Verbs {
    votes: TermMap<Votes>,
    nouns: TermSet,
    generic: TermSet,
    nouns_first: TermSet,
}

static KNOWN: LazyLock<Verbs> = LazyLock::new(|| {
    let stems = |list: &str| list.split(' ').map(|word| Term::of(&stem(word))).collect();
    let of_group = |(list, votes): &(&str, Votes)| {
        let votes = *votes;
        list.split(' ').map(|word| (Term::of(&stem(word)), votes)).collect::<Vec<_>>()
    };
    Verbs {
        votes: VERBS.iter().flat_map(of_group).collect(),
        nouns: stems(NOUN_VERBS),
        generic: stems(GENERIC_VERBS),
        nouns_first: stems(NOUNS_FIRST),
    }
});

impl Verbs {
    /// The verbs.
    pub fn get() -> &'static Verbs {
        &KNOWN
    }

    /// What a verb asks for; nothing when the stem is no verb.
    pub fn votes(&self, stem: Term) -> Option<&Votes> {
        self.votes.get(&stem)
    }

    /// Whether a verb is as often a noun.
    pub fn is_noun(&self, stem: Term) -> bool {
        self.nouns.contains(&stem)
    }

    /// Whether it is a verb only before a determiner.
    pub fn is_noun_first(&self, stem: Term) -> bool {
        self.nouns_first.contains(&stem)
    }

    /// Whether every API has this verb, so that it tells little.
    pub fn is_generic(&self, stem: Term) -> bool {
        self.generic.contains(&stem)
    }
}

/// What an operation does besides its class, where it says so: one that creates or updates serves who wants either.
pub fn other_class_of(document: &SearchDocument<'_>) -> Option<OperationClass> {
    let creates = |word: &str| matches!(word, "create" | "add" | "insert");
    let updates = |word: &str| matches!(word, "update" | "replace" | "set" | "edit" | "modify" | "change");
    let says_both = |text: &str| {
        let words = words(text);
        words.windows(3).take(2).any(|three| {
            let [one, or, other] = three else { return false };
            or == "or" && (creates(one) && updates(other) || updates(one) && creates(other))
        }) || words.first().is_some_and(|word| word == "upsert")
    };
    (says_both(&document.summary) || says_both(&document.name)).then(|| match class_of(document) {
        Some(OperationClass::Create) => OperationClass::Update,
        _ => OperationClass::Create,
    })
}

/// The class of an operation; nothing when neither its method nor its class is known.
pub fn class_of(document: &SearchDocument<'_>) -> Option<OperationClass> {
    let summary = words(&document.summary);
    let first = summary.first().map_or("", String::as_str);
    let segments: Vec<&str> = document.path.split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.last().copied().unwrap_or_default();
    let is_parameter = |segment: &str| segment.starts_with(['{', ':']);
    let is_plural = words(last).last().is_some_and(|word| word.ends_with('s') && !word.ends_with("ss"));
    let class = match document.method.to_ascii_uppercase().as_str() {
        "GET" | "HEAD" => {
            let names_list = words(&document.name).iter().take(3).any(|word| word == "list");
            match first {
                "list" | "search" | "find" | "query" => OperationClass::List,
                _ if names_list => OperationClass::List,
                "check" | "download" => OperationClass::Get,
                _ if is_plural && !is_parameter(last) => OperationClass::List,
                _ => OperationClass::Get,
            }
        }
        "DELETE" => OperationClass::Delete,
        "PATCH" => OperationClass::Update,
        "PUT" => match first {
            "create" | "add" => OperationClass::Create,
            "" | "update" | "set" | "replace" | "edit" | "modify" | "change" | "configure" | "enable"
            | "disable" | "put" | "manage" => OperationClass::Update,
            _ => OperationClass::Act,
        },
        "" => document.class?,
        _ if is_parameter(last) => OperationClass::Update,
        _ => match first {
            "create" | "add" | "register" | "start" | "generate" | "upload" => OperationClass::Create,
            "update" | "edit" | "set" | "modify" | "change" => OperationClass::Update,
            "delete" | "remove" | "revoke" => OperationClass::Delete,
            "list" | "search" | "find" | "query" | "get" => OperationClass::List,
            _ if is_plural => OperationClass::Create,
            _ if segments.len() >= 2 && segments[segments.len() - 2].starts_with('{') => OperationClass::Act,
            _ => OperationClass::Create,
        },
    };
    Some(class)
}
