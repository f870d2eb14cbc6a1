//! Which operation comes first, and why.

use std::sync::Arc;

use super::{best, index, lexicon, operation, shop};
use crate::{
    Lexicon, Match, MatchConfidence, OperationClass, OperationRef, RequestHints, SearchDocument, SearchIndex,
    SourceIndex, UnknownShare,
};

/// Plain words, other words for the same, typing errors and other languages find the same operation.
#[test]
fn the_right_operation_comes_first() {
    let index = index(&shop());
    for (request, right) in [
        ("list all orders", 0),
        ("create an order", 1),
        ("show me one order", 2),
        ("get rid of an order", 3),
        ("erase this ordr", 3),
        ("list customers, not orders", 4),
        ("sign up a new client", 5),
        ("give the money back", 6),
        ("Bestellung löschen", 3),
        ("列出所有客户", 4),
    ] {
        assert_eq!(best(&index, request), right, "{request}");
    }
}

/// The words of adapter files are a field like any other.
#[test]
fn words_of_the_author_count() {
    let mut documents = shop();
    documents[7].triggers = vec!["phone home".into()];
    documents[4].when_to_use = "before the quarterly newsletter".into();
    documents[0].examples = vec!["what is still in the warehouse".into()];
    let index = index(&documents);
    assert_eq!(best(&index, "phone home"), 7);
    assert_eq!(best(&index, "the quarterly newsletter is due"), 4);
    assert_eq!(best(&index, "what do we still have in the warehouse"), 0);
}

/// Operators teach words that no one else says.
#[test]
fn words_of_operators_count() {
    let source = Arc::new(SourceIndex::build(&shop()));
    let taught = Arc::new(Lexicon::with(["webhook < gizmotron"]));
    let index = SearchIndex::of(vec![source], taught);
    assert_eq!(best(&index, "gizmotron"), 7);
}

/// Their words are as good as those of the documents, so that what is found by them is not weak.
#[test]
fn words_of_operators_are_sure() {
    let sure = |lines: &[&str], request: &str| {
        let taught = Arc::new(Lexicon::with(lines.iter().copied()));
        let index = SearchIndex::of(vec![Arc::new(SourceIndex::build(&shop()))], taught);
        let found = index.search(request, |_| true, 1);
        (found.matches[0].operation.operation, found.confidence)
    };
    assert_ne!(sure(&["order < starving, ravenous"], "ravenous").1, MatchConfidence::Weak);
    assert_eq!(sure(&["order < starving, ravenous"], "delete a ravenous"), (3, MatchConfidence::Clear));
    assert_ne!(sure(&["= pie, webhook"], "show the pie").1, MatchConfidence::Weak);
    assert_ne!(sure(&["order < something to eat"], "something to eat").1, MatchConfidence::Weak);
    assert_eq!(sure(&[], "ravenous").1, MatchConfidence::Weak);
}

/// What the filter refuses is never given, and does not take a place.
#[test]
fn the_filter_is_respected() {
    let index = index(&shop());
    let all = index.search("list orders", |_| true, 8).matches;
    let some = index.search("list orders", |found| found.operation != 0, 8).matches;
    assert_eq!((all.len(), some.len()), (8, 7));
    assert_eq!(all[1].operation, some[0].operation);
    assert_eq!(index.search("list orders", |_| false, 8).confidence, MatchConfidence::Weak);
}

/// Several sources are ranked together, and each operation keeps its place in its source.
#[test]
fn sources_are_joined() {
    let shop = Arc::new(SourceIndex::build(&shop()));
    let zoo = Arc::new(SourceIndex::build(&[
        operation("GET", "/animals", "List animals"),
        operation("POST", "/animals/{id}/feed", "Feed an animal"),
    ]));
    let index = SearchIndex::of(vec![shop, Arc::default(), zoo], lexicon());
    assert_eq!(index.len(), 10);
    let first = |request: &str| index.search(request, |_| true, 1).matches[0].operation;
    assert_eq!(first("feed an animal"), OperationRef { source: 2, operation: 1 });
    assert_eq!(first("create an order"), OperationRef { source: 0, operation: 1 });
}

/// Tools have neither method nor path.
#[test]
fn tools_are_found() {
    let tool = |name: &'static str, description: &'static str, class| SearchDocument {
        name: name.into(),
        description: description.into(),
        class: Some(class),
        ..SearchDocument::default()
    };
    let index = index(&[
        tool("read_file", "Reads a file from the disk.", OperationClass::Get),
        tool("write_file", "Writes a file to the disk.", OperationClass::Create),
        tool("weather", "The forecast for a city. Temperature and rain.", OperationClass::Get),
    ]);
    assert_eq!(best(&index, "will I need an umbrella in Paris tomorrow, or does it stay dry?"), 2);
    assert_eq!(best(&index, "what is in this file"), 0);
}

/// A word that neither the operations nor the lexicon have leads to those of like meaning, but stays unknown; one that a name
/// has is taken as it is.
#[test]
fn words_of_like_meaning_are_found() {
    let documents = [
        operation("GET", "/animals", "List animals"),
        operation("GET", "/tickets", "List tickets"),
        operation("GET", "/keepers", "List keepers"),
    ];
    let source = Arc::new(SourceIndex::build(&documents));
    let index = SearchIndex::of(vec![source], Arc::new(Lexicon::of([])));
    let found = index.search("lion", |_| true, 1).matches[0];
    assert_eq!(found.operation.operation, 0);
    let why = index.explain("lion", &found).unwrap();
    let near: Vec<_> =
        why.evidence.iter().map(|each| (each.requested.as_str(), each.found.as_str())).collect();
    assert_eq!(near, [("lion", "animals")]);
    assert!(is_mostly_unknown(&index, "lion"));
    let why = index.explain("animals", &found).unwrap();
    assert_eq!(why.evidence.len(), 1, "{:?}", why.evidence);
}

/// A clear request is told from a vague one.
#[test]
fn confidence_is_told() {
    let index = index(&shop());
    let sure = |request: &str| index.search(request, |_| true, 3).confidence;
    assert_eq!(sure("refund an invoice"), MatchConfidence::Clear);
    assert_eq!(sure("xyzzy"), MatchConfidence::Weak);
    assert_eq!(SearchIndex::default().search("anything", |_| true, 3).confidence, MatchConfidence::Weak);
}

/// The explanation has the score of the search, and its evidence adds up.
#[test]
fn scores_are_explained() {
    let index = index(&shop());
    let request = "please get rid of the ordr, not the customer";
    let found = index.search(request, |_| true, 1).matches[0];
    let why = index.explain(request, &found).unwrap();
    assert_eq!((why.score, why.parts), (found.score, found.parts));
    let sum: f32 = why.evidence.iter().map(|evidence| evidence.points).sum();
    assert!((sum - why.parts.words).abs() < 0.01, "{sum} {:?}", why.parts);
    assert!(why.evidence.iter().any(|evidence| evidence.requested == "order" && evidence.found == "order"));
    let elsewhere = Match { operation: OperationRef { source: 1, operation: 0 }, ..found };
    assert!(index.explain(request, &elsewhere).is_none());
}

/// An API is known by its methods and paths, wherever it is served and whatever its parameters are called.
#[test]
fn known_apis_have_phrases() {
    let paths = [
        ("POST", "/accounts", "One"),
        ("GET", "/v1/accounts/{some_id}", "Two"),
        ("GET", "/api/v1/accounts", "Three"),
        ("POST", "/account_links", "Four"),
    ];
    let documents = paths.map(|(method, path, summary)| operation(method, path, summary));
    assert_eq!(best(&index(&documents), "onboard a vendor on my marketplace"), 0);
    let mut others: Vec<SearchDocument<'_>> = documents.to_vec();
    others.extend((0..9).map(|_| operation("GET", "/things/{id}/parts", "List parts")));
    let phrases = crate::phrases::of(&others);
    assert!(phrases.iter().all(|phrases| phrases.is_empty()), "most of it is another API");
}

/// Words that no operation has are held against those that are known; synonyms, triggers, verbs and names of things count for
/// nothing that is missing.
#[test]
fn what_is_about_something_else() {
    let plain = index(&shop());
    for request in ["create a slack order", "order pizza for the meeting", "mute a customer in the meeting"] {
        assert!(is_mostly_unknown(&plain, request), "{request}");
    }
    for request in ["create an order", "list customers and webhooks", "get order qzx7 of xqzzt", ""] {
        assert!(!is_mostly_unknown(&plain, request), "{request}");
    }
    let words = Arc::new(Lexicon::with(["webhook < slack"]));
    let told = SearchIndex::of(vec![Arc::new(SourceIndex::build(&shop()))], words);
    assert!(!is_mostly_unknown(&told, "create a slack order"));
    let mut documents = shop();
    documents[1].triggers.push("meeting".into());
    assert!(!is_mostly_unknown(&index(&documents), "create an order for a meeting"));
}

/// A new thing is created, and so is one that is made; what is made so or so is changed.
#[test]
fn new_things_are_created() {
    let index = index(&[
        operation("POST", "/issue-types", "Create a new issue type"),
        operation("POST", "/issues", "Create an issue"),
        operation("GET", "/issues", "List issues"),
        operation("PATCH", "/issues/{id}", "Update an issue"),
    ]);
    assert_eq!(best(&index, "create a new issue"), 1);
    assert_eq!(best(&index, "make an issue"), 1);
    assert_eq!(best(&index, "make this issue private"), 3);
}

/// Who says only what to do wants nothing read, and nothing deleted unless it is said: the class of these counts against them,
/// and not for nothing as that of others does.
#[test]
fn what_is_not_asked_for_counts_against() {
    let index = index(&shop());
    let class = |request: &str, operation: usize| class_part(&index, request, operation);
    let (list, create, delete, customers) = (0, 1, 3, 4);
    assert!(class("create an order", create) > 0.0);
    for operation in [list, delete] {
        assert!(class("create an order", operation) < 0.0, "{operation}");
    }
    assert!(class("update customers", customers) >= 0.0, "several may be there to be read");
    assert!(class("delete an order", delete) > 0.0);
    assert!(class("list orders", delete) < 0.0);
    assert!(class("list orders", list) > 0.0);
}

/// The very name of an operation counts for more than all words, and is told as its own part.
#[test]
fn operations_that_are_called_by_name() {
    let index = index(&shop());
    let called = [OperationRef { source: 0, operation: 7 }];
    let hints = RequestHints { operations: &called, ..RequestHints::NONE };
    let found = index.search_with("list all orders", hints, |_| true, 2);
    assert_eq!(found.matches[0].operation, called[0]);
    assert_eq!(found.confidence, MatchConfidence::Clear);
    assert!(found.matches[0].parts.called > 0.0 && found.matches[1].parts.called == 0.0);
    let why = index.explain("list all orders", &found.matches[0]).unwrap();
    assert_eq!(why.score, found.matches[0].score);
}

/// What the class of an operation adds to its score.
fn class_part(index: &SearchIndex, request: &str, operation: usize) -> f32 {
    let found = index.search(request, |_| true, index.len());
    found.matches.iter().find(|each| each.operation.operation == operation).unwrap().parts.class
}

/// An operation that has everything of a request but the thing it is about may come first, and is never clear: least of all one
/// that deletes, which must have it in its name or path.
#[test]
fn what_lacks_the_noun_is_not_clear() {
    let mut documents = vec![
        operation("DELETE", "/repos/{owner}/{repo}", "Delete a repository"),
        operation("GET", "/repos/{owner}/{repo}", "Get a repository"),
        operation("GET", "/repos/{owner}/{repo}/branches", "List branches"),
        operation("GET", "/repos/{owner}/{repo}/topics", "List topics"),
    ];
    documents[0].triggers = vec!["get rid of an old code base".into()];
    let sure = |documents: &[SearchDocument<'_>], request: &str| {
        let index = index(documents);
        (best(&index, request), index.search(request, |_| true, 5).confidence)
    };
    assert_eq!(sure(&documents, "get rid of an old repository"), (0, MatchConfidence::Clear));
    assert_eq!(sure(&documents, "get rid of an old code base"), (0, MatchConfidence::Clear));
    assert_eq!(sure(&documents, "get rid of an old branch"), (0, MatchConfidence::Several));
    documents[0].description = "Its branches and topics are lost. The repository cannot be had back.".into();
    assert_eq!(sure(&documents, "get rid of an old branch").1, MatchConfidence::Several);
}

/// A first word that is as often a noun asks for something where it is done on or to a thing.
#[test]
fn what_is_done_on_a_thing() {
    let index = index(&[
        operation("DELETE", "/issues/comments/{id}", "Delete an issue comment"),
        operation("GET", "/issues/comments/{id}", "Get an issue comment"),
        operation("GET", "/issues/{number}/comments", "List issue comments"),
        operation("POST", "/issues/{number}/comments", "Create an issue comment"),
        operation("PATCH", "/issues/comments/{id}", "Update an issue comment"),
    ]);
    assert_eq!(best(&index, "comment on an issue"), 3);
    assert!(class_part(&index, "comment on an issue", 3) > 0.0);
    assert!(class_part(&index, "comment on an issue", 0) < 0.0);
    let nouns = "comments on an issue";
    assert!(class_part(&index, nouns, 3) < class_part(&index, nouns, 2), "they are to be read");
}

/// What creates or updates serves who wants either.
#[test]
fn what_creates_or_updates() {
    let index = index(&[
        operation("PUT", "/secrets/{name}", "Create or update a secret"),
        operation("GET", "/secrets/{name}", "Get a secret"),
        operation("DELETE", "/secrets/{name}", "Delete a secret"),
        operation("PUT", "/keys/{name}", "Create a key"),
    ]);
    for request in ["set a secret", "create a secret", "update a secret"] {
        assert_eq!(best(&index, request), 0, "{request}");
        assert_eq!(class_part(&index, request, 0), 3.0, "{request}");
    }
    assert!(class_part(&index, "set a key", 3) < 3.0);
}

fn is_mostly_unknown(index: &SearchIndex, request: &str) -> bool {
    index.unknown_share(request) != UnknownShare::Little
}
