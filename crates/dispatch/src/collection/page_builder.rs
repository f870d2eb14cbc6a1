//! The items of a response, as text, as long as there is room in the budget.
//!
//! Items in, the text of a JSON array out. An item that does not fit is not taken: nothing is ever cut in the middle.

use super::page::PageItem;
use crate::stages::query_options::FieldChoice;
use aqueduct_query::{compute, measure, peek};
use jiff::Timestamp;

/// Tokens kept free for everything around the items: `pageInfo` with two cursors, `applied`, warnings.
const AROUND: u64 = 400;

/// The items of a response, as they are added.
pub struct PageBuilder<'a> {
    choice: &'a FieldChoice,
    now: Timestamp,
    text: String,
    count: u64,
    around: u64,
    left: u64,
}

/// What became of an item.
#[derive(Debug, PartialEq, Eq)]
pub enum AddedItem {
    /// It is in.
    Yes,
    /// There is no more room.
    Full,
}

impl<'a> PageBuilder<'a> {
    /// An empty one, with room for so many tokens.
    pub fn new(choice: &'a FieldChoice, now: Timestamp, budget: u64) -> PageBuilder<'a> {
        let around = AROUND.min(budget / 2);
        PageBuilder { choice, now, text: String::from("["), count: 0, around, left: budget - around }
    }

    /// Takes an item, if there is room.
    pub fn take(&mut self, item: &PageItem) -> AddedItem {
        let before = self.text.len();
        if self.count > 0 {
            self.text.push(',');
        }
        let from = self.text.len();
        shape(text_of(item, self.choice), self.choice, self.now, &mut self.text);
        let cost = measure::tokens(&self.text[from..]) + 1;
        if cost > self.left {
            self.text.truncate(before);
            return AddedItem::Full;
        }
        self.counted(cost)
    }

    /// Takes an item that was shaped and measured elsewhere, if there is room.
    pub fn put(&mut self, shaped: &str, cost: u64) -> AddedItem {
        if cost > self.left {
            return AddedItem::Full;
        }
        if self.count > 0 {
            self.text.push(',');
        }
        self.text.push_str(shaped);
        self.counted(cost)
    }

    fn counted(&mut self, cost: u64) -> AddedItem {
        self.left -= cost;
        self.count += 1;
        AddedItem::Yes
    }

    /// Uses up room for something else.
    pub fn spend(&mut self, tokens: u64) {
        self.left = self.left.saturating_sub(tokens);
    }

    /// The tokens kept free for what goes around the items.
    pub fn around(&self) -> u64 {
        self.around
    }

    /// How many items are in.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The array.
    pub fn into_text(mut self) -> String {
        self.text.push(']');
        self.text
    }
}

/// The chosen fields of an item, and what they cost.
pub fn shaped(item: &PageItem, choice: &FieldChoice, now: Timestamp) -> (String, u64) {
    let mut text = String::new();
    shape(text_of(item, choice), choice, now, &mut text);
    let cost = measure::tokens(&text) + 1;
    (text, cost)
}

/// What fields are chosen from, else what goes on of an item no one chooses from.
fn text_of<'i>(item: &'i PageItem, choice: &FieldChoice) -> &'i str {
    if choice.selection.is_some() { item.as_str() } else { item.shown() }
}

/// The chosen fields of an item, computed ones included.
pub fn shape(item: &str, choice: &FieldChoice, now: Timestamp, out: &mut String) {
    let start = out.len();
    match &choice.selection {
        Some(selection) => selection.select(item, out),
        None => out.push_str(item),
    }
    // A list or a plain value has no place for members of its own.
    if !choice.computed.is_empty() && out[start..].starts_with('{') {
        let computed = compute::computed_member(&choice.computed, item, now);
        let whole = peek::push_member(&out[start..], "_computed", &computed);
        out.replace_range(start.., &whole);
    }
}
