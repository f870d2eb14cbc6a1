//! `query`: which items contain something (query document 2.1 and 4.1).
//!
//! In: a text, or an object of a text for each field. Words are alternatives, "quoted phrases" must be there as they
//! are; case never matters. A text is looked for in all texts of an item, keys not included; in an object every
//! field named must have one of its words. Out: a yes or no for each item.

mod texts;

use crate::error::{FIELD_NAME, ParseResult, QueryError, all};
use crate::item::{Item, ItemKey};
use aqueduct_operations::failure::wording::echo;
use serde_json::{Map, Value};

/// The most words and phrases in one query, those of all fields together.
const MOST_TERMS: usize = 32;

/// What is searched for.
#[derive(Debug, Clone, PartialEq)]
pub enum Search {
    /// Anywhere in an item.
    Anywhere(SearchTerms),
    /// In each of these fields.
    Fields(Vec<(ItemKey, SearchTerms)>),
}

/// Words and phrases, of which one must be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTerms(Vec<String>);

impl Search {
    /// Reads the control `query`.
    pub fn parse(value: &Value) -> ParseResult<Search> {
        let search = match value {
            Value::String(text) => {
                Search::Anywhere(SearchTerms::parse("query", text).map_err(|error| vec![error])?)
            }
            Value::Object(members) => Search::Fields(fields(members)?),
            other => return Err(vec![QueryError::wrong_type("query", "string or object", other)]),
        };
        match search.term_count() {
            0..=MOST_TERMS => Ok(search),
            count => Err(vec![QueryError::too_many("query", MOST_TERMS, count, "words and phrases")]),
        }
    }

    fn term_count(&self) -> usize {
        match self {
            Search::Anywhere(terms) => terms.0.len(),
            Search::Fields(fields) => fields.iter().map(|(_, terms)| terms.0.len()).sum(),
        }
    }

    /// How many times an item is scanned: once for each word.
    pub fn weight(&self) -> u64 {
        self.term_count() as u64
    }

    /// The fields that it names.
    pub fn keys(&self) -> impl Iterator<Item = &ItemKey> {
        let fields = match self {
            Search::Anywhere(_) => [].as_slice(),
            Search::Fields(fields) => fields,
        };
        fields.iter().map(|(key, _)| key)
    }

    /// True when the item contains it.
    pub fn matches(&self, item: &Item<'_>) -> bool {
        match self {
            Search::Anywhere(terms) => texts::any_text(item.json(), |text| terms.found_in(text)),
            Search::Fields(fields) => fields.iter().all(|(key, terms)| {
                let is_in = |value: &Value| texts::any_text(&value.to_string(), |text| terms.found_in(text));
                item.find(key).values.iter().any(is_in)
            }),
        }
    }
}

fn fields(members: &Map<String, Value>) -> ParseResult<Vec<(ItemKey, SearchTerms)>> {
    if members.is_empty() {
        return Err(vec![QueryError::bad_value("query", "a text for one or more fields", "an empty object")]);
    }
    all(members.iter().map(|(name, value)| field(name, value).map_err(|error| vec![error])))
}

fn field(name: &str, value: &Value) -> Result<(ItemKey, SearchTerms), QueryError> {
    let Some(key) = ItemKey::parse(name) else {
        return Err(QueryError::unknown("query", name, FIELD_NAME));
    };
    let place = format!("query.{}", echo(name));
    let Value::String(text) = value else {
        return Err(
            QueryError::wrong_type(place, "string", value).with_hint("Compare other values with 'filter'.")
        );
    };
    Ok((key, SearchTerms::parse(&place, text)?))
}

impl SearchTerms {
    /// Words, and phrases in double quotes. A quote that is never closed is part of its word.
    fn parse(place: &str, text: &str) -> Result<SearchTerms, QueryError> {
        let mut terms = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let phrase = rest.strip_prefix('"').and_then(|quoted| quoted.split_once('"'));
            let (term, after) = phrase.unwrap_or_else(|| match rest.find(char::is_whitespace) {
                Some(end) => rest.split_at(end),
                None => (rest, ""),
            });
            if !term.trim().is_empty() {
                terms.push(fold(term));
            }
            rest = after.trim_start();
        }
        if terms.is_empty() {
            return Err(QueryError::bad_value(place, "one or more words", "no words"));
        }
        Ok(SearchTerms(terms))
    }

    /// The text is brought into lower case once, for all words.
    fn found_in(&self, text: &str) -> bool {
        let text = fold(text);
        self.0.iter().any(|term| text.contains(term.as_str()))
    }
}

/// The text in lower case, letter by letter, so that the same letters are always the same.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests;
