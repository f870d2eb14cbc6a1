//! Texts that say the same fold to the same.

use super::{FoldedText, spelt_words, words_of};
use proptest::prelude::proptest;

#[test]
fn forms_of_a_word() {
    for text in [
        "Drop_Table",
        "drop\u{2014}table",
        "DROP   TABLE",
        "ｄｒｏｐ ｔａｂｌｅ",
        "dr\u{200b}op table",
        "drор tаblе",
    ] {
        assert_eq!(words_of(&FoldedText::of(text).plain), " drop table ", "{text}");
    }
    assert_eq!(words_of(&FoldedText::of("dropTable").split), " drop table ");
    assert_eq!(spelt_words("d r o p  t a b l e"), ["drop", "table"]);
    assert!(FoldedText::of("dr\u{200b}op").is_disguised && FoldedText::of("pаy").is_disguised);
    assert!(!FoldedText::of("löschen und zahlen").is_disguised && !FoldedText::of("удалить").is_disguised);
}

proptest! {
    /// Folding what is folded changes nothing.
    #[test]
    fn folding_is_done_once(text in "\\PC{0,60}") {
        let once = FoldedText::of(&text).plain;
        assert_eq!(FoldedText::of(&once).plain, once);
    }
}
