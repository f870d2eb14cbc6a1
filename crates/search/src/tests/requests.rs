//! What short, misspelt and everyday requests mean.

use std::sync::Arc;

use super::{index, lexicon, operation};
use crate::{MatchConfidence, RequestHints, SearchIndex, SourceIndex};

fn sure(index: &SearchIndex, request: &str) -> MatchConfidence {
    index.search(request, |_| true, 5).confidence
}

/// What has the things of a request, and does not do what is asked, is not clear.
#[test]
fn what_does_something_else_is_not_clear() {
    let index = index(&[
        operation("GET", "/pulls/{number}/reviews/{id}", "Get a review for a pull request"),
        operation("GET", "/branches", "List branches"),
        operation("GET", "/tags", "List tags"),
        operation("POST", "/tags", "Create a tag"),
    ]);
    assert_eq!(sure(&index, "get a review for a pull request"), MatchConfidence::Clear);
    assert_eq!(sure(&index, "add a review for a pull request"), MatchConfidence::Several);
}

/// Where two sources do the same, words do not tell which one is meant; the name of one does.
#[test]
fn equals_of_several_sources_are_not_clear() {
    let one = [
        operation("DELETE", "/webhooks/{id}", "Delete a webhook"),
        operation("GET", "/webhooks", "List webhooks"),
        operation("POST", "/tasks", "Create a task"),
    ];
    let other = [
        operation("DELETE", "/repos/{owner}/{repo}/hooks/{id}", "Delete a repository webhook"),
        operation("GET", "/repos/{owner}/{repo}/hooks/{id}/deliveries", "List deliveries of a webhook"),
        operation("GET", "/labels", "List labels"),
    ];
    let sources = || vec![Arc::new(SourceIndex::build(&one)), Arc::new(SourceIndex::build(&other))];
    let index = SearchIndex::of(sources(), lexicon());
    let found = index.search("delete a webhook", |_| true, 5);
    assert_eq!((found.matches[0].operation.source, found.confidence), (0, MatchConfidence::Several));
    let hints = RequestHints { sources: &[0], ..RequestHints::NONE };
    assert_eq!(
        index.search_with("delete a webhook", hints, |_| true, 5).confidence,
        MatchConfidence::Clear,
        "the source is named"
    );
    assert_eq!(sure(&index, "create a task"), MatchConfidence::Clear, "only one does it");
    let few = index.search("delete a webhook", |_| true, 1);
    assert_eq!(few.confidence, MatchConfidence::Several, "however many are wanted");
}
