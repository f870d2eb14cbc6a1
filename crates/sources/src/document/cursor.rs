//! A value of a tree together with its path, such as `operations.read[0].params.owner`.
//!
//! The getters answer only when the type fits and report nothing: `keys` has reported what does not fit.

use super::{Entry, Node, Value, join};

/// Longer keys are cut in paths.
const LONGEST_KEY: usize = 100;

/// A place in a tree.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    /// The value there.
    pub node: &'a Node,
    /// How it is reached from the root.
    pub path: String,
}

impl<'a> Cursor<'a> {
    /// The root.
    pub fn root(node: &'a Node) -> Cursor<'a> {
        Cursor { node, path: String::new() }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<Cursor<'a>> {
        self.node.get(key).map(|node| Cursor { node, path: self.path_of(key) })
    }

    /// The path that a key of this map has, whether it is there or not.
    pub fn path_of(&self, key: &str) -> String {
        join(&self.path, &shortened(key, LONGEST_KEY))
    }

    /// The entries of a map.
    pub fn entries(&self) -> impl Iterator<Item = (&'a Entry, Cursor<'a>)> + use<'a> {
        let path = self.path.clone();
        let entries: &'a [Entry] = self.node.entries();
        entries.iter().map(move |entry| {
            let path = join(&path, &shortened(&entry.key, LONGEST_KEY));
            (entry, Cursor { node: &entry.node, path })
        })
    }

    /// The elements of a list.
    pub fn elements(&self) -> impl Iterator<Item = Cursor<'a>> + use<'a> {
        let path = self.path.clone();
        let elements: &'a [Node] = self.node.elements();
        elements
            .iter()
            .enumerate()
            .map(move |(index, node)| Cursor { node, path: format!("{path}[{index}]") })
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.node.get(key)?.text()
    }

    /// The text of a key, owned.
    pub fn owned_text(&self, key: &str) -> Option<String> {
        self.text(key).map(str::to_owned)
    }

    /// True or false of a key.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.node.get(key)?.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// The whole number of a key.
    pub fn whole(&self, key: &str) -> Option<i64> {
        match self.node.get(key)?.value {
            Value::Integer(number) => Some(number),
            _ => None,
        }
    }

    /// The number of a key.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.node.get(key)?.value {
            Value::Integer(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            _ => None,
        }
    }

    /// The texts of a list under a key.
    pub fn texts(&self, key: &str) -> Vec<String> {
        let elements = self.node.get(key).map_or(&[][..], Node::elements);
        elements.iter().filter_map(|element| element.text().map(str::to_owned)).collect()
    }
}

/// Text cut to a number of characters.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_owned(),
    }
}

/// What is there, in words: `string "abc"`.
pub fn described(node: &Node) -> String {
    match &node.value {
        Value::String(text) => format!("string \"{}\"", shortened(text, 60).escape_debug()),
        Value::Bool(flag) => format!("boolean {flag}"),
        Value::Integer(number) => format!("integer {number}"),
        Value::Float(number) => format!("number {number}"),
        Value::Null | Value::List(_) | Value::Map(_) => node.kind().to_owned(),
    }
}
