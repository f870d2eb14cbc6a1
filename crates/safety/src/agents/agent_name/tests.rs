//! Names of agents: every spelling is one agent, and agents that differ stay apart.

use super::{AgentName, BadAgentName};
use crate::agents::look_alikes::alike;
use proptest::prelude::{Strategy, any, prop, proptest};

fn key(name: &str) -> String {
    AgentName::parse(name).unwrap().key().to_owned()
}

/// C8.8.3-4: case, separators, look-alikes, other fonts and signs that nobody sees make no other agent.
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
    assert_eq!(AgentName::parse("a\u{202e}b\nc").unwrap().shown(), "ab c");
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
