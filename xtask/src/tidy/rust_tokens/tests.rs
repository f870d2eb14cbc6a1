//! Tests of `rust_tokens`.

use super::{Lexer, imports};

fn words(text: &str) -> Vec<&str> {
    Lexer::new().unwrap().tokens(text).iter().map(|token| token.text).collect()
}

#[test]
fn comments_strings_and_characters_are_no_code() {
    let text =
        "a // b\n/* c\nd */ e(\"f \\\" g\", r#\"h \" i\"#, b\"j\", 'k', '\\'', '\\u{41}') as fn(&'l m)";
    assert_eq!(words(text), ["a", "e", "(", ",", ",", ",", ",", ",", ")", "as", "fn", "(", "&", "m", ")"]);
    let lines: Vec<usize> =
        Lexer::new().unwrap().tokens("a\n/*\n*/ b\n\nc").iter().map(|it| it.line).collect();
    assert_eq!(lines, [1, 3, 5]);
}

#[test]
fn every_leaf_of_an_import() {
    let text =
        "use a::b;\npub use ::c::{self, d::{e as f, *},\n g};\nfn h() -> impl Fn() + use<'i> { use j as k; }";
    let tokens = Lexer::new().unwrap();
    let tokens = tokens.tokens(text);
    let found: Vec<(String, bool, usize)> = imports(&tokens)
        .into_iter()
        .map(|import| (import.path.join("::"), import.is_renamed, import.line))
        .collect();
    let expected = [
        ("a::b", false, 1),
        ("c::self", false, 2),
        ("c::d::e", true, 2),
        ("c::d::*", false, 2),
        ("c::g", false, 3),
        ("j", true, 4),
    ];
    assert_eq!(found, expected.map(|(path, is_renamed, line)| (path.to_owned(), is_renamed, line)));
}
