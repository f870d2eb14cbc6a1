//! The permit to fetch what is no call of an operation, from the one place that it names.
//!
//! It is taken by guarded fetches, which take the place out of it, and cannot be turned into a `Permit`.

use crate::target::Site;
use url::Url;

/// The permit to fetch once, from a URL or from a site.
#[must_use = "a permit is for one fetch"]
#[derive(Debug)]
pub struct FetchPermit<'a, T> {
    place: &'a T,
}

impl<'a, T> FetchPermit<'a, T> {
    /// Where to.
    pub fn place(&self) -> &'a T {
        self.place
    }
}

impl<'a> FetchPermit<'a, Url> {
    /// For a document that the operator, or another document, names as a source.
    pub fn document(url: &'a Url) -> FetchPermit<'a, Url> {
        FetchPermit { place: url }
    }

    /// For a token that calls of an API need, from the server that the API's source names. It is fetched once for all calls that
    /// wait for it, whichever of them goes on.
    pub fn token(url: &'a Url) -> FetchPermit<'a, Url> {
        FetchPermit { place: url }
    }
}

impl<'a> FetchPermit<'a, Site> {
    /// For asking whether a site answers.
    pub fn probe(site: &'a Site) -> FetchPermit<'a, Site> {
        FetchPermit { place: site }
    }
}
