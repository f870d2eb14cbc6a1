//! Links that lead somewhere and links that do not.

use super::{Page, broken};
use std::collections::BTreeMap;

fn problems(page: &str) -> Vec<String> {
    let other = Page::read(r#"<h2 class="x" id="tls">TLS</h2>"#);
    let pages = BTreeMap::from([
        ("docs/a.html".to_owned(), Page::read(page)),
        ("docs/start/b.html".to_owned(), other),
    ]);
    broken(&pages, |path| pages.contains_key(path) || path == "css/main.css")
}

#[test]
fn links_that_lead_somewhere() {
    let page = r##"<link rel="stylesheet" href="../css/main.css"><a href="start/b.html#tls">b</a> <a href="#here">h</a>
        <p id="here"> <a href="https://example.com/">out</a> <a href="./start/b.html">b</a>"##;
    assert_eq!(problems(page), Vec::<String>::new());
}

#[test]
fn links_that_lead_nowhere() {
    assert_eq!(problems(r#"<a href="b.html">b</a>"#), ["docs/a.html: b.html: there is no such file"]);
    assert_eq!(
        problems(r#"<a href="start/b.html#ssl">b</a>"#),
        ["docs/a.html: start/b.html#ssl: there is no such anchor"]
    );
    assert_eq!(problems(r##"<a href="#nowhere">b</a>"##), ["docs/a.html: #nowhere: there is no such anchor"]);
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = r#"<script src="https://example.com/x.js"></script>"#;
    assert_eq!(
        problems(page),
        ["docs/a.html: https://example.com/x.js: this would be loaded from elsewhere"]
    );
}
