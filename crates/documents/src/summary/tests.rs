//! Tests of `summary`.

use super::brief;
use proptest::prelude::{any, prop_assert, proptest};

#[test]
fn whole_sentences_where_possible() {
    assert_eq!(brief("A  short\n\ntext.", 40), "A short text.");
    assert_eq!(brief("First one here. Second one is too long.", 25), "First one here.");
    assert_eq!(brief("no sentence ends in this text", 20), "no sentence ends...");
    assert_eq!(brief(&"x".repeat(50), 10), "xxxxxxx...");
}

proptest! {
    #[test]
    fn never_longer(text in any::<String>(), most in 8usize..60) {
        prop_assert!(brief(&text, most).chars().count() <= most);
    }
}
