//! Every usual mistake in words of ours, where it is.

use crate::toml::parse;

/// Line, column, words and hint of each are in `expected.txt`. None are the parser's.
#[test]
fn every_mistake_in_our_words() {
    let mut shown = String::new();
    for text in [
        "mode = ",
        "mode = single\n",
        "mode = \"single\nport = 5\n",
        "mode = 'single\n",
        "mode = \"\"\"single\n",
        "mode = = 5\n",
        "mode = 5 6\n",
        "mode\n",
        "mode: 5\n",
        "my mode = 5\n",
        "mödus = 5\n",
        "= 5\n",
        "mode = 5\nmode = 6\n",
        "mode = 5\nmode.x = 6\n",
        "[a]\n[a]\n",
        "[a\nx = 5\n",
        "[[a]\nx = 5\n",
        "list = [1, 2\nx = 5\n",
        "list = [1,, 2]\n",
        "list = [1 2]\n",
        "list = [a = 1]\n",
        "table = { a = 1\n",
        "table = { a = 1 b = 2 }\n",
        "table = { 1 }\n",
        "port = 0808\n",
        "port = +0x10\n",
        "port = 1__0\n",
        "port = 5.\n",
        "port = yes\n",
        "when = 2026-13-45\n",
        "# \u{7}\n",
        "a = 5\rb = 6\n",
        "}\n",
        "[a] x\n",
        "x = 5 y = 6\n",
        "x = \"\\q\"",
        "x = '''a",
        "host = 127.0.0.1",
        "x = truee",
        "x = [\n",
        "[]\n",
        "a = [1]\n[[a]]\n",
    ] {
        let found = parse("f.toml", text).unwrap_err();
        let (place, hint) = (&found[0].position, found[0].hint.as_deref().unwrap());
        shown.push_str(&format!("{text:?}\n{}:{}: {}\n", place.line, place.column, found[0].message));
        shown.push_str(&format!("    {hint}\n"));
    }
    let deep = format!("a = {}", "[".repeat(500));
    let found = parse("f.toml", &deep).unwrap_err();
    shown.push_str(&format!("500 levels\n{}\n", found[0].message));
    assert_eq!(shown, include_str!("expected.txt"));
}
