//! What holds for every text.

use proptest::prelude::{ProptestConfig, any, prop, proptest};
use std::sync::LazyLock;

use super::{index, operation, shop};
use crate::SearchIndex;
use crate::text::{clean, stem, words};

static SHOP: LazyLock<SearchIndex> = LazyLock::new(|| index(&shop()));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any request gives all operations once, in order, and the same again.
    #[test]
    fn any_request_is_answered(request in any::<String>()) {
        let found = SHOP.search(&request, |_| true, 100);
        assert_eq!(found.matches.len(), SHOP.len());
        assert!(found.matches.is_sorted_by(|one, other| one.score >= other.score));
        assert!(found.matches.iter().all(|found| found.score.is_finite()));
        assert_eq!(SHOP.search(&request, |_| true, 100), found);
    }

    /// The filter decides, whatever is asked.
    #[test]
    fn any_filter_is_respected(request in "[a-z ]{0,40}", allowed in prop::collection::vec(any::<bool>(), 8)) {
        let found = SHOP.search(&request, |operation| allowed[operation.operation], 100).matches;
        assert_eq!(found.len(), allowed.iter().filter(|allowed| **allowed).count());
        assert!(found.iter().all(|found| allowed[found.operation.operation]));
    }

    /// Any document can be indexed.
    #[test]
    fn any_document_is_read(path in any::<String>(), summary in any::<String>(), text in any::<String>()) {
        let mut document = operation("POST", &path, &summary);
        document.description = text.as_str().into();
        document.name = text.as_str().into();
        let index = index(&[document]);
        assert_eq!(index.search(&summary, |_| true, 1).matches.len(), 1);
    }

    /// Words are lower-case and not empty, and have stems.
    #[test]
    fn any_text_has_words(text in any::<String>()) {
        for word in words(&clean(&text)) {
            assert!(!word.is_empty() && !stem(&word).is_empty(), "{word:?}");
        }
    }
}
