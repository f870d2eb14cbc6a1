//! Tests of `scope`.

use super::CacheScope;
use url::Url;

/// R10.5-3: one site is one place, however its URL is spelled.
#[test]
fn spellings() {
    let place = |url: &str| CacheScope::of(&Url::parse(url).unwrap(), None, "x");
    let books = place("https://api.example.com/v1/books/1");
    for same in ["https://api.example.com:443/", "https://API.example.com/v2?x=1#y"] {
        assert!(place(same) == books, "{same}");
    }
    for other in ["http://api.example.com/v1/books/1", "https://api.example.com:444/v1/books/1"] {
        assert!(place(other) != books, "{other}");
    }
}
