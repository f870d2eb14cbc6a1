//! Where an answer was read, and where a change was made: a URL comes in, its site and its path in one spelling go out.
//!
//! A change of `/books/1` concerns what is at that path, above it (`/books`, which lists it) and below it
//! (`/books/1/pages`), whatever the query.

use crate::http::encode;
use std::sync::Arc;
use url::Url;

/// A path of a site.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Scheme, host and port.
    pub(super) site: Arc<str>,
    /// Each segment encoded in one way, and a slash behind each.
    pub(super) path: Arc<str>,
}

impl Place {
    pub(crate) fn of(url: &Url) -> Place {
        let mut path = String::from("/");
        for segment in url.path().split('/').filter(|segment| !segment.is_empty()) {
            path.push_str(&encode::path_component(&encode::decode_lossy(segment)));
            path.push('/');
        }
        Place { site: url.origin().ascii_serialization().into(), path: path.into() }
    }

    pub(crate) fn is_on_site_of(&self, other: &Place) -> bool {
        self.site == other.site
    }

    /// The paths above this one, its own not among them.
    pub(super) fn above(&self) -> impl Iterator<Item = &str> {
        let own = self.path.len();
        self.path
            .match_indices('/')
            .map(|(slash, _)| &self.path[..=slash])
            .filter(move |path| path.len() < own)
    }
}

#[cfg(test)]
mod tests {
    use super::Place;
    use url::Url;

    fn place(url: &str) -> Place {
        Place::of(&Url::parse(url).unwrap())
    }

    /// R10.5-3: one resource is one place, however its URL is spelled.
    #[test]
    fn spellings() {
        let book = place("https://api.example.com/v1/books/a%20b");
        for same in [
            "https://api.example.com:443/v1/books/a%20b/",
            "https://API.example.com/v1//books/%61%20b?x=1#y",
            "https://api.example.com/v1/x/../books/a b",
        ] {
            assert!(place(same) == book, "{same}");
        }
        for other in [
            "http://api.example.com/v1/books/a%20b",
            "https://api.example.com/v1/books/a%2520b",
            "https://api.example.com/v1/books/a/b",
            "https://api.example.com:444/v1/books/a%20b",
        ] {
            assert!(place(other) != book, "{other}");
        }
        assert!(place("https://a.example/x%2Fy") != place("https://a.example/x/y"));
    }

    #[test]
    fn what_is_above() {
        let above = |url| place(url).above().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(above("https://a.example/v1/books/1"), ["/", "/v1/", "/v1/books/"]);
        assert_eq!(above("https://a.example"), Vec::<String>::new());
    }
}
