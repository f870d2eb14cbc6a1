//! Look-alikes, held against what Unicode says of them: a copy of its data that the program does not read.

use super::alike;
use crate::agents::agent_name::AgentName;
use crate::agents::folded_text::FoldedText;
use crate::agents::patterns::{HintTexts, RestrictingPatterns};
use std::collections::BTreeMap;

/// What one letter or digit of ASCII is taken for, by Unicode.
fn letters_of_unicode() -> Vec<(char, char)> {
    let lines = include_str!("../../../tests/look_alikes/letters_of_unicode_17.txt").lines();
    let point = |hex: &str| char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap();
    lines.map(|line| line.split_once(';').unwrap()).map(|(seen, c)| (point(seen), point(c))).collect()
}

fn key(name: &str) -> String {
    AgentName::parse(name).unwrap().key().to_owned()
}

/// C8.7.2-8 C8.8.3-4: no character that Unicode takes for a letter or a digit leads past a pattern that names the word with it, or makes another agent
/// of one that is blocked.
#[test]
fn what_unicode_takes_for_a_letter() {
    // Unicode 18 sees a y in this one, and no z any more.
    let all: Vec<_> = letters_of_unicode().into_iter().filter(|(_, c)| *c != '\u{118c4}').collect();
    assert!(all.len() > 1_400);
    let mut patterns = BTreeMap::new();
    let mut missed = Vec::new();
    for (seen, c) in all {
        let pattern = patterns
            .entry(seen)
            .or_insert_with(|| RestrictingPatterns::new(&[format!("wipe_ab{seen}cd_*")]).unwrap());
        let hint = format!("please wipe ab{c}cd now");
        if pattern.first_match(&HintTexts::of(&FoldedText::of(&hint))).is_none() {
            missed.push(format!("{c} ({:x}) for {seen} in a hint", u32::from(c)));
        }
        // No name has this one, which is a small s besides.
        if c != '\u{17f}' && key(&format!("ro{c}bot")) != key(&format!("ro{seen}bot")) {
            missed.push(format!("{c} ({:x}) for {seen} in a name", u32::from(c)));
        }
    }
    assert!(missed.is_empty(), "{} are missed: {missed:#?}", missed.len());
}

/// Of a word with such a letter among ordinary ones the score says so, wherever the letter is none of a language that is written so.
#[test]
fn a_look_alike_is_a_disguise() {
    for text in ["dro\u{2374} table users", "ꓒrop table users", "roᑲot", "robഠt"] {
        assert!(FoldedText::of(text).is_disguised, "{text}");
    }
    for text in ["¡Hola!", "50×20cm", "וAPI", "APIのテスト", "naïve Straße", "5 µm", "3 км", "Ωmega"]
    {
        assert!(!FoldedText::of(text).is_disguised, "{text}");
    }
}

/// Folding what is folded changes nothing, and the case of a letter makes no difference, for any character there is. A few letters of Greek and
/// others look like one letter of ASCII when they are large, and like another one when they are small.
#[test]
fn any_character() {
    let mut different = Vec::new();
    for c in '\u{80}'..='\u{323af}' {
        let once = FoldedText::of(&c.to_string()).plain;
        assert_eq!(FoldedText::of(&once).plain, once, "{c} ({:x})", u32::from(c));
        let large: String = c.to_uppercase().collect();
        let is_its_capital = large.chars().count() == 1 && large.to_lowercase() == c.to_string();
        if is_its_capital && FoldedText::of(&large).plain != once {
            different.push(c);
        }
    }
    assert!(different.len() < 60, "{different:?}");
    for c in different {
        let large: String = c.to_uppercase().collect();
        let pattern = RestrictingPatterns::new(&[format!("{c}{c}_*")]).unwrap();
        let hint = HintTexts::of(&FoldedText::of(&format!("{large}{large} x")));
        assert!(pattern.first_match(&hint).is_some(), "{large} is no {c}");
    }
}

/// Our own table says the same as Unicode, or what Unicode says besides is read too.
#[test]
fn our_own_table() {
    for letter in 'a'..='z' {
        for c in alike(letter).chars() {
            let pattern = RestrictingPatterns::new(&[format!("wipe_ab{letter}cd_*")]).unwrap();
            let hint = HintTexts::of(&FoldedText::of(&format!("wipe ab{c}cd now")));
            assert!(pattern.first_match(&hint).is_some(), "{c} for {letter}");
        }
    }
}
