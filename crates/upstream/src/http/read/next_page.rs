//! Where the next page is: the `Link` headers come in, an absolute URL that may be shown goes out.
//!
//! Invariant: it holds no credential and no value of a sensitive query parameter. Following it puts both there again.

use crate::credentials::query_keys;
use crate::http::link;
use crate::http::request::{keep_query, remove_query};
use crate::http::send::RequestAttempts;
use http::HeaderMap;
use http::header::LINK;
use url::Url;

/// There is a next page, but no way to it: no one must take this one for the last.
const NOWHERE: &str = "";

/// The link to the next page of what was read from this URL.
pub(super) fn link(call: &RequestAttempts<'_>, headers: &HeaderMap, from: &Url) -> Option<String> {
    let values = headers.get_all(LINK).iter().filter_map(|value| std::str::from_utf8(value.as_bytes()).ok());
    let Ok(mut url) = from.join(link::next(values)?) else { return Some(NOWHERE.to_owned()) };
    let hidden = call.request.hidden_query.iter().map(String::as_str);
    query_keys(call.target).into_iter().chain(hidden).for_each(|name| remove_query(&mut url, name));
    // A credential may come back under any name.
    let redactor = &call.credentials.redactor;
    keep_query(&mut url, |pair| !redactor.finds_secret(pair));
    if redactor.finds_secret(url.as_str()) {
        tracing::warn!("the link to the next page holds a credential and is not followed");
        return Some(NOWHERE.to_owned());
    }
    Some(url.into())
}
