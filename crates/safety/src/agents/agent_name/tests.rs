//! Names of agents: every spelling is one agent, and agents that differ stay apart.

use super::{AgentName, BadAgentName};
use crate::agents::look_alikes::{alike, seen_by_unicode};
use proptest::prelude::{Strategy, any, prop, proptest};
use unicode_normalization::UnicodeNormalization;

fn key(name: &str) -> String {
    AgentName::parse(name).unwrap().key().to_owned()
}

/// C8.8.3-4: case, separators, look-alikes, other fonts and invisible signs make no other agent.
#[test]
fn spellings_are_one() {
    let names = [
        "Deploy-Bot",
        "deploy bot",
        "DEPLOY_BOT",
        " dep\u{200b}loy\u{2060}-bot ",
        "de\u{1}ploy-b\u{7f}ot",
        "deploy\u{a0}bot",
        "dерlоу-bоt",
        "𝓭𝓮𝓹𝓵𝓸𝔂 bot",
        "dep1oy-b0t",
        "déploy-bot",
        "deploybot",
        "deployBot",
        "d e p l o y b o t",
        "de.ploy/bot",
    ];
    for name in names {
        assert_eq!(key(name), key("deploy-bot"), "{name}");
    }
    for same in [["v vv", "vvv"], ["vv v", "wv"], ["vw", "wv"], ["bar-n", "bam"], ["r rn", "rm"]] {
        assert_eq!(key(same[0]), key(same[1]), "{same:?}");
    }
    assert_ne!(key("worker-1"), key("worker-2"));
    assert_ne!(key("deploy-bot"), key("deploy-bot-2"));
}

#[test]
fn what_is_no_name() {
    assert_eq!(AgentName::parse(""), Err(BadAgentName::Empty));
    assert_eq!(AgentName::parse(" \u{200b}\u{202e}--"), Err(BadAgentName::Empty));
    assert_eq!(AgentName::parse(&"a".repeat(129)), Err(BadAgentName::TooLong));
    // In small letters `release`, to the eye `releafe` and `relcase`: neither may be somebody else.
    assert_eq!(AgentName::parse("relea\u{17f}e"), Err(BadAgentName::Ambiguous('\u{17f}')));
    assert_eq!(AgentName::parse("re|ease bot"), Err(BadAgentName::Ambiguous('|')));
    assert_eq!(AgentName::parse("a\u{202e}b\nc").unwrap().shown(), "ab c");
}

/// Of all characters, none but those that no name has is one letter by its case or font, and another one by its looks.
#[test]
fn no_other_letter_is_two() {
    let only = |text: String| {
        let mut letters = text.chars();
        let letter = letters.next().filter(char::is_ascii_alphanumeric).filter(|_| letters.next().is_none());
        letter.map(|letter| super::alike(letter.to_ascii_lowercase()))
    };
    let is_two = |c: &char| {
        let looks_like = only(seen_by_unicode(*c).to_string());
        let forms = [c.to_string(), c.to_uppercase().to_string(), c.to_lowercase().to_string()];
        let mut meant = forms.iter().filter_map(|form| only(form.nfkc().collect()));
        looks_like.is_some_and(|looks_like| meant.any(|meant| meant != looks_like))
    };
    let found: Vec<char> = (' '..=char::MAX).filter(is_two).collect();
    assert_eq!(found, ['\u{17f}']);
}

/// A letter as somebody might write it who wants to be somebody else.
fn disguised(letter: char) -> impl Strategy<Value = String> {
    // In these Unicode sees another letter, and so does a name.
    let is_of_another = |c: &char| ['б', 'ʋ'].contains(c);
    let forms: Vec<String> = std::iter::once(letter.to_string())
        .chain(std::iter::once(letter.to_uppercase().collect()))
        .chain(alike(letter).chars().filter(|c| !is_of_another(c)).map(String::from))
        .chain(["\u{200b}", "\u{ad}", "\u{2060}", "\u{301}"].iter().map(|hidden| format!("{letter}{hidden}")))
        .collect();
    prop::sample::select(forms)
}

proptest! {
    /// However the letters are written, it is the same agent; and a key is its own key.
    #[test]
    fn disguises_change_nothing(parts in "[a-z]{1,12}".prop_flat_map(|name| {
        let letters: Vec<_> = name.chars().map(disguised).collect();
        (proptest::strategy::Just(name), letters)
    }), noise in any::<bool>()) {
        let (name, letters) = parts;
        let written = if noise { format!(" {} ", letters.concat()) } else { letters.concat() };
        assert_eq!(key(&written), key(&name), "{written}");
        assert_eq!(key(&key(&name)), key(&name));
    }
}
