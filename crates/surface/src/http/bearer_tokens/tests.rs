//! Tests of `tokens`.

use super::{BadToken, Token, find};
use aqueduct_operations::call::Scopes;

/// The SHA-256 of `one` and of `two`.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
const TWO: &str = "3FC4CCFE745870E2C0D99F71F30FF0656C8DEDD41CC1D7D3D376B0DBE685E2F3";

#[test]
fn owners() {
    let known = [Token::new("ann", ONE).unwrap(), Token::new("bob", TWO).unwrap()];
    let owner =
        |known: &[Token], sent: &str| find(known.iter(), sent).map(|token| token.caller().name().to_owned());
    assert_eq!(owner(&known, "one").as_deref(), Some("ann"));
    assert_eq!(owner(&known, "two").as_deref(), Some("bob"));
    for wrong in ["", "three", "one ", ONE] {
        assert_eq!(owner(&known, wrong), None, "{wrong}");
    }
    assert_eq!(owner(&[], "one"), None);
    assert!(!format!("{known:?}").contains("7692"));
}

#[test]
fn scopes_are_those_given() {
    let token = Token::new("ann", ONE).unwrap();
    let needed = ["a".to_owned(), "b".to_owned()];
    assert_eq!(token.scopes().missing(&needed), Some(&needed[0]), "none are given");
    let token = token.with_scopes(["b".to_owned()]);
    assert_eq!(token.scopes(), Scopes::only(["b".to_owned()]));
    assert_eq!(token.scopes().missing(&needed), Some(&needed[0]));
    assert_eq!(token.scopes().missing(&needed[1..]), None);
}

#[test]
fn hashes_are_checked() {
    let odd = format!("+{}", &ONE[1..]);
    let long = format!("{ONE}0");
    for wrong in ["", "one", &odd, &long, &ONE[1..], &"ä".repeat(32)] {
        assert_eq!(Token::new("ann", wrong).unwrap_err(), BadToken, "{wrong}");
    }
}
