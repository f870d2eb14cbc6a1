//! Tests of `known_tokens`.

use super::{BearerRefusal, CallerListWriter, KnownTokens};
use crate::http::{HttpSettings, Token};
use aqueduct_operations::clock::Clock;
use aqueduct_testkit::clock::TestClock;
use std::sync::Arc;
use std::time::Duration;

/// The SHA-256 of `one` and of `two`.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
const TWO: &str = "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";

fn token(name: &str, hash: &str) -> Token {
    Token::new(name, hash).unwrap()
}

/// The name of the caller, or the refusal.
fn asked(known: &KnownTokens, sent: Option<&str>) -> Result<String, BearerRefusal> {
    known.sender(sent).map(|(caller, _)| caller.name().to_owned())
}

#[test]
fn a_list_that_changes() {
    let (writer, list) = CallerListWriter::new();
    let settings = HttpSettings { callers: Some(list), ..HttpSettings::default() };
    let clock = TestClock::default();
    let known = KnownTokens::of(&settings, &(Arc::new(clock.clone()) as Arc<dyn Clock>));
    assert_eq!(
        asked(&known, None),
        Err(BearerRefusal::NotReady),
        "nobody knows yet whether tokens are needed"
    );
    assert_eq!(asked(&known, Some("one")), Err(BearerRefusal::NotReady));
    writer.write(Vec::new());
    assert_eq!(asked(&known, None), Ok("local".into()), "there are no tokens");
    let end = clock.now() + Duration::from_secs(60);
    writer.write(vec![token("ann", ONE).with_expiry(Some(end)), token("ann", TWO)]);
    assert_eq!(asked(&known, None), Err(BearerRefusal::Missing));
    assert_eq!(asked(&known, Some("three")), Err(BearerRefusal::Unknown));
    assert_eq!(asked(&known, Some("one")), Ok("ann".into()));
    assert_eq!(asked(&known, Some("two")), Ok("ann".into()), "both work while they are exchanged");
    clock.advance(Duration::from_secs(60));
    assert_eq!(asked(&known, Some("one")), Err(BearerRefusal::Expired));
    assert!(known.is_good("ann"));
    writer.write(Vec::new());
    assert_eq!(asked(&known, Some("two")), Err(BearerRefusal::Unknown));
    assert_eq!(asked(&known, None), Err(BearerRefusal::Missing), "the last one was taken back");
    assert!(!known.is_good("ann"));
}

#[test]
fn tokens_of_the_settings_stay() {
    let (writer, list) = CallerListWriter::new();
    let tokens = vec![token("ann", ONE)];
    let settings = HttpSettings { callers: Some(list), tokens, ..HttpSettings::default() };
    let known = KnownTokens::of(&settings, &(Arc::new(TestClock::default()) as Arc<dyn Clock>));
    assert_eq!(asked(&known, Some("one")), Ok("ann".into()), "whatever the list is");
    assert_eq!(asked(&known, Some("two")), Err(BearerRefusal::NotReady));
    assert_eq!(asked(&known, None), Err(BearerRefusal::Missing));
    writer.write(vec![token("bob", TWO)]);
    assert_eq!(asked(&known, Some("one")), Ok("ann".into()));
    assert_eq!(asked(&known, Some("two")), Ok("bob".into()));
    writer.write(Vec::new());
    assert!(known.is_good("ann") && !known.is_good("bob"));
}

/// Where others can reach the server, an empty list lets no one in.
#[test]
fn needed_where_others_reach() {
    let (writer, list) = CallerListWriter::new();
    let settings = HttpSettings { callers: Some(list), needs_tokens: true, ..HttpSettings::default() };
    let known = KnownTokens::of(&settings, &(Arc::new(TestClock::default()) as Arc<dyn Clock>));
    writer.write(Vec::new());
    assert_eq!(asked(&known, None), Err(BearerRefusal::Missing));
}

/// A list whose tokens were all taken back before the server started.
#[test]
fn needed_where_there_were_some() {
    let (writer, list) = CallerListWriter::new();
    let settings = HttpSettings { callers: Some(list), ..HttpSettings::default() };
    let known = KnownTokens::of(&settings, &(Arc::new(TestClock::default()) as Arc<dyn Clock>));
    writer.need_tokens();
    assert_eq!(asked(&known, None), Err(BearerRefusal::NotReady));
    writer.write(Vec::new());
    assert_eq!(asked(&known, None), Err(BearerRefusal::Missing));
}
