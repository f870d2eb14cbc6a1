//! Links of staged pages.

use super::{Decision, Summary};

const SUMMARY: &str =
    "# Site\n\n[Start](../README.md)\n\n- [HTTP](http.md)\n- [Decisions](decisions/README.md)\n";

fn summary() -> Summary {
    let decision = Decision { path: "docs/decisions/0001-a.md".to_owned(), title: "A".to_owned() };
    Summary::read(SUMMARY, &[decision]).unwrap()
}

#[test]
fn paths_start_from_the_root() {
    let summary = summary();
    let pages = ["README.md", "docs/http.md", "docs/decisions/README.md", "docs/decisions/0001-a.md"];
    assert_eq!(summary.pages(), pages);
    assert!(
        summary.text().contains("- [Decisions](docs/decisions/index.md)\n  - [A](docs/decisions/0001-a.md)")
    );
}

#[test]
fn a_page_that_is_named_twice_is_refused() {
    assert!(Summary::read("[A](a.md)\n[B](a.md)\n", &[]).is_err());
}

#[test]
fn links_to_what_the_site_does_not_have_become_text() {
    let staged = |page: &str, text: &str| summary().staged(page, text, |path| path == "a.yaml");
    assert_eq!(staged("README.md", "see [http](docs/http.md#tls)"), "see [http](docs/http.md#tls)\n");
    assert_eq!(staged("README.md", "[why](docs/decisions)"), "[why](docs/decisions/index.md)\n");
    assert_eq!(staged("docs/http.md", "[code](../crates/a.rs), [`x`](http.md)"), "code, [`x`](http.md)\n");
    assert_eq!(
        staged("docs/http.md", "[a](../examples/a.yaml) [b](../examples/b.yaml)"),
        "[a](../examples/a.yaml) b\n"
    );
    assert_eq!(
        staged("docs/http.md", "[out](https://example.com) [below](#tls)"),
        "[out](https://example.com) [below](#tls)\n"
    );
    assert_eq!(staged("docs/http.md", "![p](images/p.png)"), "![p](images/p.png)\n");
}

#[test]
fn code_stays_as_it_is() {
    let text = "```text\n[a](../crates/a.rs)\n```\n[a](../crates/a.rs)\n";
    assert_eq!(summary().staged("docs/http.md", text, |_| false), "```text\n[a](../crates/a.rs)\n```\na\n");
}

/// What is written for users can be found on the site.
#[test]
fn every_page_is_on_the_site() {
    let root = crate::repo::root().unwrap();
    let files = crate::repo::files(root).unwrap();
    let text = crate::repo::read(&root.join("docs/SUMMARY.md")).unwrap();
    let summary = Summary::read(&text, &super::decisions(&files)).unwrap();
    let apart = ["docs/SUMMARY.md", "docs/progress.md"];
    let are_pages = |path: &&str| path.starts_with("docs/") && path.ends_with(".md") && !apart.contains(path);
    let missing: Vec<&str> = files
        .iter()
        .map(|file| file.path.as_str())
        .filter(are_pages)
        .filter(|path| !summary.pages().iter().any(|page| page == path))
        .collect();
    assert_eq!(missing, Vec::<&str>::new(), "docs/SUMMARY.md does not name them");
}
