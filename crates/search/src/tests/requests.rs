//! What short, misspelt and everyday requests mean.

use std::sync::Arc;

use super::{best, index, lexicon, operation, shop};
use crate::{
    MatchConfidence, OperationClass, Parameter, RequestHints, SearchDocument, SearchIndex, SourceIndex,
    UnknownShare,
};

/// What the class of an operation adds to its score.
fn class_part(index: &SearchIndex, request: &str, operation: usize) -> f32 {
    let found = index.search(request, |_| true, index.len());
    found.matches.iter().find(|each| each.operation.operation == operation).unwrap().parts.class
}

fn sure(index: &SearchIndex, request: &str) -> MatchConfidence {
    index.search(request, |_| true, 5).confidence
}

/// Who names things and no verb wants to see them, several or one, and nothing to go.
#[test]
fn nouns_alone_are_to_be_seen() {
    let index = index(&shop());
    let (list, create, get, delete) = (0, 1, 2, 3);
    let class = |request: &str, operation: usize| class_part(&index, request, operation);
    assert!(class("my orders", list) > 2.0 && class("my orders", list) > class("my orders", get) + 1.0);
    assert!(class("orders", create) < 1.0);
    for request in ["orders", "order", "the order"] {
        assert!(class(request, delete) < -0.5, "{request}");
    }
    let issues = super::index(&[
        operation("POST", "/issues", "Create an issue"),
        operation("GET", "/issues", "List issues"),
        operation("GET", "/issues/{id}", "Get an issue"),
    ]);
    assert!(class_part(&issues, "issues", 1) > class_part(&issues, "issues", 2) + 1.0, "a noun here");
}

/// A session is what one signs in to, and out of.
#[test]
fn sessions() {
    let index = index(&[
        operation("POST", "/session", "Create a new Session"),
        operation("GET", "/session", "Fetch Session information"),
        operation("DELETE", "/session", "Close the Session"),
        operation("GET", "/devices", "Fetch a list of Devices"),
    ]);
    for (request, right) in [("sign in", 0), ("log in", 0), ("sign out", 2), ("log out", 2), ("logout", 2)] {
        assert_eq!(best(&index, request), right, "{request}");
    }
}

/// A slip of a verb that makes another word, which no one has here, is a slip.
#[test]
fn slips_that_are_words() {
    let index = index(&shop());
    assert_eq!(best(&index, "crate an order"), 1);
    assert_eq!(best(&index, "lost customers"), 4);
    let why = |request: &str| {
        let found = index.search(request, |_| true, 1).matches[0];
        let evidence = index.explain(request, &found).unwrap().evidence;
        evidence.into_iter().map(|each| each.requested).collect::<Vec<_>>()
    };
    assert!(why("crate an order").contains(&"create".to_owned()));
    assert!(!why("crate orders").contains(&"create".to_owned()), "people say it for a thing");
}

/// A short form means no less than what it is short for, though few names have it.
#[test]
fn short_forms() {
    let mut documents = vec![
        operation("POST", "/workspaces/merge-pr", "Merge a workspace with a PR"),
        operation("PUT", "/pulls/{number}/merge", "Merge a pull request"),
        operation("GET", "/pulls", "List pull requests"),
        operation("GET", "/branches", "List branches"),
    ];
    let others = ["/pulls/{number}/files", "/pulls/{number}/commits", "/pulls/{number}/reviews"];
    documents.extend(others.map(|path| operation("GET", path, "List parts of a pull request")));
    let index = index(&documents);
    assert_eq!(best(&index, "merge PR 42"), 1);
    let index = super::index(&[
        operation("GET", "/branches", "List branches"),
        operation("GET", "/pulls", "List pull requests"),
        operation("GET", "/tags", "List tags"),
    ]);
    let found = index.search("list PRs", |_| true, 1).matches[0];
    let evidence = index.explain("list PRs", &found).unwrap().evidence;
    assert_eq!(found.operation.operation, 1);
    assert!(evidence.iter().any(|each| each.requested == "prs"), "{evidence:?}");
}

/// What is one's own comes before what is anyone's, unless it is only what something else is asked of.
#[test]
fn what_is_ones_own() {
    let index = index(&[
        operation("GET", "/orgs/{org}/repos", "List repositories of an organization"),
        operation("GET", "/user/repos", "List repositories for the authenticated user"),
        operation("GET", "/users/{user}/repos", "List repositories of somebody"),
        operation("GET", "/me/playlists", "List playlists"),
        operation("GET", "/repos/{repo}/stars", "List who has starred a repository"),
    ]);
    let own = |request: &str| {
        let found = index.search(request, |_| true, index.len()).matches;
        let mut own: Vec<usize> =
            found.iter().filter(|each| each.parts.own > 0.0).map(|each| each.operation.operation).collect();
        own.sort_unstable();
        own
    };
    assert_eq!(own("my repos"), [1, 3]);
    assert_eq!(own("show me all my repositories"), [1, 3]);
    assert_eq!(own("who starred my repo"), [0usize; 0]);
    assert_eq!(own("list repositories"), [0usize; 0]);
}

/// Without a verb the last word says whether something is to be on or off.
#[test]
fn on_and_off() {
    let index = index(&[
        operation("GET", "/repos/{repo}/alerts", "Check if alerts are enabled"),
        operation("PUT", "/repos/{repo}/alerts", "Enable alerts"),
        operation("DELETE", "/repos/{repo}/alerts", "Disable alerts"),
    ]);
    assert!(class_part(&index, "alerts off", 2) > class_part(&index, "alerts off", 0) + 1.0);
    assert!(
        class_part(&index, "repository alerts on", 1) > class_part(&index, "repository alerts on", 0) + 1.0
    );
    assert_eq!(best(&index, "alerts off"), 2);
}

/// `owner/name` says where a thing is, and is the thing only where no other is named.
#[test]
fn where_a_thing_is() {
    let index = index(&[
        operation("GET", "/repos/{owner}/{repo}", "Get a repository"),
        operation("DELETE", "/repos/{owner}/{repo}", "Delete a repository"),
        operation("GET", "/repos/{owner}/{repo}/labels", "List labels"),
        operation("DELETE", "/repos/{owner}/{repo}/labels/{name}", "Delete a label"),
    ]);
    let evidence = |request: &str| {
        let found = index.search(request, |_| true, 1).matches[0];
        let evidence = index.explain(request, &found).unwrap().evidence;
        let of_it = evidence.iter().find(|each| each.requested == "repository").map(|each| each.points);
        (found.operation.operation, of_it.unwrap_or_default())
    };
    assert_eq!(evidence("delete octocat/hello-world").0, 1);
    let (_, said) = evidence("delete a label of the repository");
    let (first, beside) = evidence("delete a label of octocat/hello-world");
    assert_eq!(first, 3);
    assert!(beside < said / 2.0, "{beside} {said}");
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

/// A tool has in its parameters and its description what an endpoint has in its path, and is its equal.
#[test]
fn a_tool_is_the_equal_of_an_endpoint() {
    let tool = [
        SearchDocument {
            name: "get_weather".into(),
            description: "Get the weather of a city.".into(),
            class: Some(OperationClass::Get),
            parameters: vec![Parameter { name: "city".into(), ..Parameter::default() }],
            ..SearchDocument::default()
        },
        operation("GET", "/alarms", "List alarms"),
    ];
    let endpoint = [
        SearchDocument {
            name: "get_weather".into(),
            ..operation("GET", "/cities/{city}/weather", "Get the weather of a city")
        },
        operation("GET", "/cities/{city}", "Get a city"),
    ];
    let sources = vec![Arc::new(SourceIndex::build(&tool)), Arc::new(SourceIndex::build(&endpoint))];
    let index = SearchIndex::of(sources, lexicon());
    let found = index.search("get the weather of a city", |_| true, 5);
    assert_eq!((found.matches[0].operation.source, found.confidence), (1, MatchConfidence::Several));
}

/// A request of which no word is known is told from one of which some are.
#[test]
fn how_much_is_unknown() {
    let index = index(&shop());
    for (request, share) in [
        ("play some music", UnknownShare::All),
        ("create an order", UnknownShare::Little),
        ("order pizza for the meeting", UnknownShare::Most),
        ("list the orders and customers in the meeting", UnknownShare::Most),
        ("list the orders and customers in dropbox", UnknownShare::All),
        ("create an order of qzxxt", UnknownShare::Little),
        ("", UnknownShare::Little),
    ] {
        assert_eq!(index.unknown_share(request), share, "{request}");
    }
}

/// What is said not to be done is not done, and such a request is never clear.
#[test]
fn what_is_not_to_be_done() {
    let index = index(&[
        operation("PATCH", "/orders/{id}", "Update an order"),
        operation("DELETE", "/orders/{id}", "Cancel an order"),
        operation("PUT", "/pulls/{number}/merge", "Merge a pull request"),
        operation("PATCH", "/pulls/{number}", "Update or close a pull request"),
        operation("PUT", "/meetings/{id}/end", "End a meeting"),
        operation("DELETE", "/meetings/{id}", "Delete a meeting"),
        operation("GET", "/issues", "List issues"),
        operation("PUT", "/issues/{number}/lock", "Lock an issue"),
        operation("PATCH", "/issues/{number}", "Update or close an issue"),
    ]);
    for (request, right) in [
        ("update the order but do not cancel it: order 12", 0),
        ("don't merge the pull request, just close it", 3),
        ("Don\u{2019}t merge the pull request; close it", 3),
        ("close issue 7 in acme/site but do not lock it", 8),
        ("close the issue, never lock it", 8),
        ("end the meeting without deleting it", 4),
        ("end the meeting, no deleting", 4),
        ("end the meeting without touching the issues", 4),
        ("end the meeting and take care not to delete it", 4),
    ] {
        assert_eq!(best(&index, request), right, "{request}");
        assert_ne!(sure(&index, request), MatchConfidence::Clear, "{request}");
    }
    assert_ne!(sure(&index, "do not cancel the order"), MatchConfidence::Clear);
    assert_eq!(sure(&index, "cancel the order"), MatchConfidence::Clear);
}

/// Who names a service that is not here means none of the operations, unless its name is only a part of what is stated; one that is here
/// is known.
#[test]
fn services_that_are_not_here() {
    let plain = index(&shop());
    for request in ["create a jira order", "jira orders", "list the orders of our shopify store"] {
        assert_eq!(plain.unknown_share(request), UnknownShare::All, "{request}");
    }
    // What is only stated is nothing to be done there.
    for request in [
        "add our youtube link to the order",
        "change the instagram handle of the customer",
        "list the orders named dropbox",
    ] {
        assert_ne!(plain.unknown_share(request), UnknownShare::All, "{request}");
    }
    for request in ["put the orders on our youtube badge", "send the order link to dropbox"] {
        assert_eq!(plain.unknown_share(request), UnknownShare::All, "{request}");
    }
    let mut documents = shop();
    documents[0].tags.push("jira".into());
    assert_eq!(index(&documents).unknown_share("create a jira order"), UnknownShare::Little);
}

/// What its texts advise against comes after the same without such a word.
#[test]
fn what_is_deprecated_by_its_texts() {
    let mut documents = vec![
        operation("GET", "/watch/pods", "Watch changes to a list of pods"),
        operation("GET", "/pods", "List or watch pods"),
    ];
    documents[0].description = "Watches pods. Deprecated: use the parameter watch of the list.".into();
    let found = index(&documents).search("watch pods", |_| true, 2).matches;
    let part =
        |operation| found.iter().find(|each| each.operation.operation == operation).unwrap().parts.deprecated;
    assert!(part(0) < 0.0 && part(1) == 0.0);
}

/// A parameter or a field that is not to be used any more says nothing of the operation.
#[test]
fn what_is_deprecated_of_an_operation() {
    let is_deprecated = |summary: &str, description: &str| {
        let mut document = operation("GET", "/pods", summary);
        document.description = description.to_owned().into();
        let found = index(&[document]).search("list pods", |_| true, 1).matches;
        found[0].parts.deprecated < 0.0
    };
    for (summary, description) in [
        ("List pods (deprecated)", ""),
        ("[Deprecated] List pods", ""),
        ("List pods", "**Deprecated:** use the other list."),
        ("List pods", "Lists pods.\nDeprecated: use the other list."),
        ("List pods", "This endpoint is deprecated."),
        ("List pods", "Lists pods (deprecated). More about pods."),
    ] {
        assert!(is_deprecated(summary, description), "{summary}: {description}");
    }
    for description in [
        "Lists pods. The field `size` is deprecated.",
        "Lists pods. The parameter size (deprecated) cuts the list.",
        "Lists pods. `size`, deprecated: use `first`.",
        "Lists pods by payment method. The payment method is deprecated.",
        "Lists pods by `size` (deprecated).",
    ] {
        assert!(!is_deprecated("List pods", description), "{description}");
    }
}

/// Each word of a request is held against the words of an operation, for itself.
#[test]
fn words_are_compared_one_by_one() {
    let index = index(&shop());
    let found = index.search("reimburse the bill of a purchaser", |_| true, 8).matches;
    assert!(found.iter().all(|each| (0.0..=4.0).contains(&each.parts.aligned)));
    let aligned =
        |operation| found.iter().find(|each| each.operation.operation == operation).unwrap().parts.aligned;
    assert!(aligned(6) > aligned(7), "an invoice is refunded, and not a webhook");
}
