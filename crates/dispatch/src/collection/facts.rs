//! What a response says of its list beside the items: how many there are, whether there are more, where the next page is.
//!
//! The JSON of a response in, such facts out, wherever APIs usually put them. Only small members are looked at, so that a
//! large response is read once.

use aqueduct_operations::raw_json::RawJson;
use aqueduct_operations::response::FieldPath;
use aqueduct_query::peek;
use serde_json::Value;

/// Where the next cursor is looked for when nothing is declared.
pub const NEXT_PATHS: [&str; 7] = [
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "response_metadata.next_cursor",
    "meta.next_cursor",
    "next",
];

/// Where the number of all items is looked for when nothing is declared. Some mean the items of the page by the last ones.
const TOTAL_PATHS: [&str; 23] = [
    "total_count",
    "totalCount",
    "total",
    "total_results",
    "totalResults",
    "total_items",
    "totalItems",
    "total_records",
    "totalRecords",
    "totalElements",
    "@odata_count",
    "meta.total",
    "meta.total_count",
    "meta.totalCount",
    "meta.pagination.total",
    "metadata.total",
    "pagination.total",
    "pagination.total_count",
    "paging.total",
    "pageInfo.totalResults",
    "page.totalElements",
    "meta.count",
    "count",
];
/// Of these, those that may mean the items of the page.
const COUNT_PATHS: [&str; 2] = ["meta.count", "count"];
/// Where it is looked for whether there is more.
const MORE_PATHS: [&str; 8] = [
    "has_more",
    "hasMore",
    "has_next",
    "hasNext",
    "has_next_page",
    "hasNextPage",
    "meta.has_more",
    "pagination.has_more",
];
/// Where links to a next page are.
const LINK_PATHS: [&str; 11] = [
    "next",
    "links.next",
    "links.next.href",
    "_links.next.href",
    "_links.next",
    "paging.next",
    "@odata_nextLink",
    "nextLink",
    "next_link",
    "next_page_url",
    "meta.next",
];

/// Bytes of a member that is still a fact.
const LARGEST: usize = 4 * 1024;

/// What a response says beside its items.
pub struct ListFacts(String);

impl ListFacts {
    /// Those of a response.
    pub fn of(text: &RawJson) -> ListFacts {
        let whole = text.as_str();
        if !whole.starts_with('{') {
            return ListFacts(String::new());
        }
        let is_fact = |value: &str| value.len() <= LARGEST && !value.starts_with('[');
        // A dot leads into an object, so names are written without.
        let small: Vec<String> = peek::members(whole)
            .filter(|(_, value)| is_fact(value))
            .map(|(name, value)| format!("{}:{value}", Value::from(name.replace('.', "_"))))
            .collect();
        ListFacts(format!("{{{}}}", small.join(",")))
    }

    /// The number of all items, when so many were seen up to here.
    pub fn total(&self, seen: u64) -> Option<u64> {
        TOTAL_PATHS.iter().find_map(|text| {
            let found: u64 = peek::text_at(&self.0, &FieldPath::parse(text)?)?.parse().ok()?;
            (found > seen || found == seen && !COUNT_PATHS.contains(text)).then_some(found)
        })
    }

    /// Whether there is more, where the response says it.
    pub fn has_more(&self) -> Option<bool> {
        let flag = |path: &str| peek::first_of(&self.0, &[path]).and_then(|value| value.parse().ok());
        let flagged = MORE_PATHS.iter().find_map(|path| flag(path));
        let leads_on = |path: &str| {
            let text = peek::first_of(&self.0, &[path]).and_then(peek::text);
            text.is_some_and(|text| !text.is_empty() && text != "false")
        };
        let named = NEXT_PATHS.iter().chain(&LINK_PATHS);
        flagged.or_else(|| named.into_iter().any(|path| leads_on(path)).then_some(true))
    }

    /// False, that there is no more, where the field for the next page is there and empty.
    pub fn is_last(&self) -> Option<bool> {
        let is_empty = |path: &&str| matches!(peek::first_of(&self.0, &[*path]), Some("null" | "\"\""));
        NEXT_PATHS.iter().chain(&LINK_PATHS).any(is_empty).then_some(false)
    }

    /// The link to the next page, where there is one.
    pub fn link(&self) -> Option<String> {
        let text = |path: &&str| peek::first_of(&self.0, &[*path]).and_then(peek::text);
        LINK_PATHS.iter().filter_map(text).find(|text| is_link(text)).map(|text| text.into_owned())
    }
}

/// True for a link. A cursor may begin with a slash, but it holds no question mark.
pub fn is_link(text: &str) -> bool {
    let is_relative = text.starts_with(['/', '?']) && text.contains('?');
    is_relative || text.starts_with("http://") || text.starts_with("https://")
}

#[cfg(test)]
mod tests;
