//! Tests of `search`.

use super::Search;
use crate::error::QueryErrorKind;
use crate::item::Item;
use aqueduct_operations::failure::wording::looks_like_a_leak;
use jiff::Timestamp;
use serde_json::{Value, json};

const ITEM: &str = concat!(
    r#"{"title":"Crash on \"start\"","body":"It fails with caf\u00e9 and ΩMEGA","number":42,"#,
    r#""labels":[{"name":"help wanted"},{"name":"bug"}],"user":{"login":"ann"}}"#,
);

fn matches(query: Value) -> bool {
    let search = Search::parse(&query).unwrap_or_else(|errors| panic!("{errors:?}"));
    search.matches(&Item::new(ITEM, &[], Timestamp::UNIX_EPOCH))
}

/// X-query-9 O4.2-1: words are alternatives, a phrase in quotes must be there as it is, and case never matters.
#[test]
fn words_and_phrases() {
    for query in
        ["crash", "CRASH nothing", "nothing ann", "\"help wanted\"", "CAFÉ", "ωmega", "\"start\"", "on"]
    {
        assert!(matches(json!(query)), "{query}");
    }
    for query in ["nothing", "\"wanted help\"", "\"crash wanted\"", "42", "title", "labels"] {
        assert!(!matches(json!(query)), "{query}");
    }
    assert!(matches(json!("\"no such phrase\" bug")));
    assert!(matches(json!("n\"start start\"")), "a quote is an end of words only before or behind a space");
}

#[test]
fn a_quote_that_is_never_closed_is_a_letter() {
    assert!(matches(json!("\"start\" \"")));
    assert!(matches(json!("on \"start")));
    assert!(!matches(json!("\"crash")));
}

/// X-query-4 O4.4.1-2: an open object names fields, each with its own words.
#[test]
fn fields() {
    assert!(matches(json!({"title": "crash hang", "labels.name": "bug"})));
    assert!(matches(json!({"labels": "bug", "user": "ann"})));
    assert!(!matches(json!({"title": "crash", "body": "crash"})));
    assert!(!matches(json!({"nothing": "crash"})));
    let search = Search::parse(&json!({"a": "x", "b.c": "y"})).unwrap();
    assert_eq!(search.keys().map(|key| key.text()).collect::<Vec<_>>(), ["a", "b.c"]);
}

#[test]
fn no_more_than_32_words() {
    let words = |count: usize| vec!["w"; count].join(" ");
    for fine in [json!(words(32)), json!({"a": words(16), "b": words(15), "c": "\"one phrase\""})] {
        assert!(Search::parse(&fine).is_ok(), "{fine}");
    }
    for many in [json!(words(33)), json!({"a": words(16), "b": words(16), "c": "\"one phrase\""})] {
        let errors: Vec<String> = Search::parse(&many).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(
            errors,
            ["query: expected no more than 32 words and phrases, received 33 words and phrases"]
        );
    }
}

#[test]
fn mistakes() {
    let (kind, value) = (QueryErrorKind::Type, QueryErrorKind::Value);
    for (query, expected) in [
        (json!(""), vec![(value, "query")]),
        (json!(" \t"), vec![(value, "query")]),
        (json!("\"\" \" \""), vec![(value, "query")]),
        (json!(5), vec![(kind, "query")]),
        (json!({}), vec![(value, "query")]),
        (
            json!({"a": 1, "b": "", "c..d": "x"}),
            vec![(kind, "query.a"), (value, "query.b"), (QueryErrorKind::Unknown, "query.c..d")],
        ),
    ] {
        let errors = Search::parse(&query).unwrap_err();
        assert!(errors.iter().all(|error| !looks_like_a_leak(&error.to_string())), "{errors:?}");
        let found: Vec<_> = errors.iter().map(|error| (error.kind, error.param.as_str())).collect();
        assert_eq!(found, expected, "{query}");
    }
}
