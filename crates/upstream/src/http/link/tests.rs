//! Tests of `link`.

use super::next;
use proptest::{prop_assert, proptest};

/// R10.4-2: the ways in which links are written.
#[test]
fn finds_the_next_page() {
    for (value, expected) in [
        (r#"<https://a.example/x?page=2>; rel="next""#, Some("https://a.example/x?page=2")),
        (r#"</x?page=1>; rel="prev", </x?page=3>; rel="next""#, Some("/x?page=3")),
        (r#"<?page=2>;rel=next"#, Some("?page=2")),
        (r#"<?page=2> ; REL = "Last NEXT""#, Some("?page=2")),
        (r#"<a,b;c>; title="x, <y>; rel=\"next\""; rel=next"#, Some("a,b;c")),
        (r#"<a>; title="rel=next", <b>; rel="next""#, Some("b")),
        (r#"<a>; rel="prev"; rel="next", <b>; rel=next"#, Some("b")),
        (r##"<a>; rel="next"; anchor="#part", <b>; rel=next"##, Some("b")),
        (r#", ,<a>; crossorigin; rel=next"#, Some("a")),
        (r#"<a>; rel=nextest, <b>; rel="not-next""#, None),
        (r#"<a>; rel"#, None),
        (r#"<>; rel=next"#, None),
        (r#"<a; rel=next"#, None),
        (r#"a; rel=next"#, None),
        (r#"<a>; rel="next"#, Some("a")),
        ("", None),
    ] {
        assert_eq!(next([value]), expected, "{value}");
    }
    assert_eq!(next([r#"<a>; rel=prev"#, r#"<b>; rel=next"#]), Some("b"));
}

proptest! {
    /// R10.4-2: no text stops the reader, and what it finds was between angle brackets.
    #[test]
    fn never_fails(value in r#"([<>;,="\\ a-f]|rel|next|é){0,60}"#, other in ".*") {
        for text in [value, other] {
            if let Some(found) = next([text.as_str()]) {
                prop_assert!(!found.contains('>') && text.contains(found));
            }
        }
    }

    /// R10.4-2: whatever else a header says, a well-formed link is found.
    #[test]
    fn finds_it_anywhere(target in "[!-;=?-~]{1,40}", title in "[a-z <>,;=]{0,20}", before in "[a-z/]{1,9}") {
        let text = format!(r#"<{before}>; title="{title}"; rel=up, <{target}>; title="{title}"; rel="next""#);
        prop_assert!(next([text.as_str()]) == Some(target.as_str()));
    }
}
