//! Tests of `command_line`.

use super::{OpenQuote, split_words};

#[test]
fn quotes_and_backslashes() {
    for (line, expected) in [
        ("npx -y pkg", vec!["npx", "-y", "pkg"]),
        ("  a   b ", vec!["a", "b"]),
        (r#"a "b c" 'd "e' f\ g"#, vec!["a", "b c", "d \"e", "f g"]),
        (r#"a "" x"y"z"#, vec!["a", "", "xyz"]),
        (r"C:\tools\x.exe 'C:\a b'", vec![r"C:\tools\x.exe", r"C:\a b"]),
        (r#""say \"hi\"" \\"#, vec!["say \"hi\"", "\\"]),
        ("a; rm -rf $(x) | y", vec!["a;", "rm", "-rf", "$(x)", "|", "y"]),
        ("", vec![]),
    ] {
        assert_eq!(split_words(line).unwrap(), expected, "{line}");
    }
    assert_eq!(split_words("a 'b"), Err(OpenQuote('\'')));
}
