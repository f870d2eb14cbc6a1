//! Long lists in pages: the items of an introspection response as texts, and as many of them as a budget has room for.
//!
//! Where to begin and how much in, a page out. A page ends at an item, has one whenever one is left, and the next page begins
//! after its last name, so that all pages together are the whole list, each item once.

use aqueduct_operations::raw_json::RawJson;
use aqueduct_query::measure;
use serde_json::{Map, Value};

/// The items of a list, in its order.
#[derive(Debug, Default)]
pub struct Listing {
    items: Vec<ListingItem>,
    /// So many of the first ones belong to the end, and lead only where the list is cut.
    leading: usize,
}

#[derive(Debug)]
struct ListingItem {
    name: String,
    text: String,
    tokens: u64,
}

/// Which part of a list is requested.
#[derive(Debug, Clone, Copy)]
pub struct ListingRange<'a> {
    /// The name after which it begins.
    pub after: Option<&'a str>,
    /// The most items.
    pub first: Option<u64>,
    /// The most tokens.
    pub budget: u64,
}

/// Part of a list.
#[derive(Debug, PartialEq, Eq)]
pub struct ListingPage {
    /// The items, as one JSON array.
    pub list: RawJson,
    /// How many they are.
    pub returned: usize,
    /// The name after which the next page begins; nothing when this is the last one.
    pub after: Option<String>,
}

/// There is no such name to begin after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownStart(pub String);

impl<'a> ListingRange<'a> {
    /// What a checked request wants, within what a response may have.
    pub fn of(values: &'a Map<String, Value>, usual_budget: u64, most: u64) -> ListingRange<'a> {
        let number = |key: &str| values.get(key).and_then(Value::as_u64);
        ListingRange {
            after: values.get("after").and_then(Value::as_str),
            first: number("first"),
            budget: number("budget").unwrap_or(usual_budget).min(most),
        }
    }
}

impl Listing {
    /// The list of these items, each with its name.
    pub fn of(items: impl Iterator<Item = (String, Value)>) -> Listing {
        let items = items.map(|(name, item)| {
            let text = item.to_string();
            let tokens = measure::tokens(&text) + 1;
            ListingItem { name, text, tokens }
        });
        Listing { items: items.collect(), leading: 0 }
    }

    /// The same list, of which so many of the first ones lead where it is cut, and stand behind the others where it is whole.
    pub fn led_by_first(self, leading: usize) -> Listing {
        Listing { leading, ..self }
    }

    /// Part of the chosen items, which are given by their places.
    pub fn page(&self, chosen: &[usize], part: ListingRange<'_>) -> Result<ListingPage, UnknownStart> {
        let item = |place: &usize| &self.items[*place];
        let begin = match part.after {
            None => 0,
            Some(name) => match chosen.iter().position(|place| item(place).name == name) {
                Some(index) => index + 1,
                None => return Err(UnknownStart(name.to_owned())),
            },
        };
        let most = part.first.map_or(usize::MAX, |first| usize::try_from(first).unwrap_or(usize::MAX));
        let mut left = part.budget;
        let mut shown: Vec<usize> = Vec::new();
        for place in chosen[begin..].iter().take(most) {
            let tokens = item(place).tokens;
            if !shown.is_empty() && tokens > left {
                break;
            }
            left = left.saturating_sub(tokens);
            shown.push(*place);
        }
        let returned = shown.len();
        let end = begin + returned;
        let last = shown.last().filter(|_| end < chosen.len()).map(|place| item(place).name.clone());
        if returned == chosen.len() {
            let leading = shown.iter().take_while(|place| **place < self.leading).count();
            shown.rotate_left(leading);
        }
        let texts: Vec<&str> = shown.iter().map(|place| item(place).text.as_str()).collect();
        let list = RawJson::spliced(format!("[{}]", texts.join(",")));
        Ok(ListingPage { list, returned, after: last })
    }

    /// The places of all items.
    pub fn all(&self) -> Vec<usize> {
        (0..self.items.len()).collect()
    }
}

#[cfg(test)]
mod tests;
