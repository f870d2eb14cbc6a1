//! Escaped text is what `serde_json` writes, whatever the text is and wherever its quotes stand.

use super::push_escaped;
use proptest::prelude::*;

fn escaped(text: &str) -> String {
    let mut out = Vec::new();
    push_escaped(text, &mut out);
    String::from_utf8(out).unwrap()
}

fn by_serde(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    quoted[1..quoted.len() - 1].to_owned()
}

#[test]
fn every_character_below_256_is_escaped_alone_and_in_a_word() {
    for character in (0..=255_u8).map(char::from) {
        for text in [
            format!("{character}"),
            format!("abc{character}defghijklmnop"),
            format!("{character}").repeat(40),
        ] {
            assert_eq!(escaped(&text), by_serde(&text));
        }
    }
}

#[test]
fn every_place_of_quotes_in_a_word_is_found() {
    for places in 0..=255_u32 {
        let mark = |at: u32| if places >> at & 1 == 1 { '"' } else { 'x' };
        let word: String = (0..8).map(mark).collect();
        for text in [word.clone(), word.repeat(200), format!("ab{word}c").repeat(100)] {
            assert_eq!(escaped(&text), by_serde(&text));
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_escaped_as_serde_does(text in "(\\PC|[\"\\\\\n\u{0}-\u{1f}]){0,1400}") {
        prop_assert_eq!(escaped(&text), by_serde(&text));
    }
}
