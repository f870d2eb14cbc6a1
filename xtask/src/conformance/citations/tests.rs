//! Tests of `citations`.

use super::find;
use crate::repo::File;

/// `id test` of each citation.
fn citations(path: &str, text: &str) -> Vec<String> {
    let file = File { path: path.to_owned(), text: text.to_owned() };
    find(&[file]).into_iter().map(|citation| format!("{} {}", citation.id, citation.test)).collect()
}

#[test]
fn the_doc_comment_of_a_test_carries_ids() {
    let text = "/// R1.2-1 X-intro-10: first.\n/// C3.3-1 too.\n#[test]\nfn a() {}\n\n#[test]\n/// O1-1\nfn b() {}\n";
    assert_eq!(citations("crates/x/src/a.rs", text), ["R1.2-1 a", "X-intro-10 a", "C3.3-1 a", "O1-1 b"]);
}

#[test]
fn asynchronous_tests_and_long_attributes_count() {
    let text = "/// R1.2-1\n#[tokio::test(\n    start_paused = true\n)]\n#[expect(x)]\nasync fn a() {}\n";
    assert_eq!(citations("crates/x/tests/a.rs", text), ["R1.2-1 a"]);
}

#[test]
fn tests_of_both_engines_count_by_their_list() {
    let text = "on_both_engines!(\n    a,\n    b,\n);\n\n/// R1.2-1\nasync fn a(place: Place) {}\n\n/// R1.2-2\nasync fn c(place: Place) {}\n";
    assert_eq!(citations("crates/x/tests/a.rs", text), ["R1.2-1 a"]);
}

#[test]
fn comments_of_other_code_do_not_count() {
    let text = "/// R1.2-1\nfn product() {}\n/// R1.2-2\nstruct S;\n// R1.2-3\n#[test]\nfn a() {}\n#[test]\nfn b() {}\n";
    assert!(citations("crates/x/src/a.rs", text).is_empty());
}

#[test]
fn an_id_twice_in_one_test_counts_once() {
    assert_eq!(citations("a.rs", "/// R1.2-1 and R1.2-1\n#[test]\nfn a() {}\n").len(), 1);
}

#[test]
fn docstrings_of_client_checks_count() {
    let text = "async def lists_tools(\n    session,\n):\n    \"\"\"M1.1-1: listed.\n\n    M2.2.1-1 too.\n    \"\"\"\n    x = 1\n\ndef other():\n    y = \"R1.2-1\"\n";
    assert_eq!(citations("xtask/clients/sdk.py", text), ["M1.1-1 lists_tools", "M2.2.1-1 lists_tools"]);
    assert!(citations("crates/x/sdk.py", text).is_empty());
}
